// The canonical order of docs/numerics.md section 3: its constants, and the fold of an array of states, written once
// for whoever has states in memory. Kernels that keep slots in registers follow the same constants.
#pragma once

#include <cstddef>
#include <cstdint>

namespace wprim::order {

// ABI: changing one of these changes the bits of every floating-point result.
inline constexpr size_t kSlots = 256;
inline constexpr size_t kRounds = 4;
inline constexpr size_t kVectorBytes = 16;
inline constexpr size_t kChunkBytes = kRounds * kSlots * kVectorBytes;

// Components of a slot (V in the text) and elements of a chunk, by the element's size.
constexpr size_t components(size_t element_size) { return kVectorBytes / element_size; }
constexpr size_t chunk_elements(size_t element_size) { return kChunkBytes / element_size; }
constexpr uint64_t chunks(uint64_t n, size_t element_size) {
  const uint64_t chunk = chunk_elements(element_size);
  return n / chunk + (n % chunk != 0);
}

// Folds the first `n` > 0 states of one chunk, in place and obviously: rounds, then components, then slots.
template <class State, class Combine>
State fold_chunk(State* state, size_t n, size_t v, Combine combine) {
  const size_t round = kSlots * v;
  for (size_t i = round; i < n; ++i) state[i % round] = combine(state[i % round], state[i]);
  size_t live = n < round ? n : round;  // what lies beyond is missing and changes nothing
  for (size_t w = v / 2; w > 0; w /= 2) {
    for (size_t i = 0; i < live; ++i) {
      if (i % v < w && i + w < live) state[i] = combine(state[i], state[i + w]);
    }
  }
  for (size_t w = kSlots / 2; w > 0; w /= 2) {
    for (size_t s = 0; s < w && (s + w) * v < live; ++s) {
      state[s * v] = combine(state[s * v], state[(s + w) * v]);
    }
  }
  return state[0];
}

// Folds any number of states > 0, level by level; `accumulator_size` is that of the states' floating type.
template <class State, class Combine>
State fold(State* state, size_t n, size_t accumulator_size, Combine combine) {
  const size_t v = components(accumulator_size);
  const size_t chunk = chunk_elements(accumulator_size);
  while (n > 1) {
    const size_t level = (n + chunk - 1) / chunk;
    for (size_t c = 0; c < level; ++c) {
      const size_t length = n - c * chunk < chunk ? n - c * chunk : chunk;
      state[c] = fold_chunk(state + c * chunk, length, v, combine);
    }
    n = level;
  }
  return state[0];
}

}  // namespace wprim::order
