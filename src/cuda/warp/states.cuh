// States moving between the lanes of a warp: docs/numerics.md section 3, rule 4, within a warp.
#pragma once

#include <cstring>

#include "cuda/machine.cuh"

namespace wprim::warp {

// Any trivially copyable state whose size is a multiple of 4 bytes, moved word by word.
template <class State, class MoveWord>
WPRIM_DEVICE State move(const State& state, MoveWord move_word) {
  constexpr int words = sizeof(State) / 4;
  static_assert(sizeof(State) % 4 == 0);
  uint32_t word[words];
  memcpy(word, &state, sizeof state);
#pragma unroll
  for (int i = 0; i < words; ++i) word[i] = move_word(word[i]);
  State out;
  memcpy(&out, word, sizeof out);
  return out;
}

// The state of the lane whose number differs in the bits of `lanes`. All 32 lanes come.
template <class State>
WPRIM_DEVICE State shuffle_xor(const State& state, unsigned lanes) {
  return move(state, [&](uint32_t word) { return machine::shuffle_xor(machine::kFullMask, word, lanes); });
}

// The state of lane `lane`. All 32 lanes come.
template <class State>
WPRIM_DEVICE State shuffle_from(const State& state, unsigned lane) {
  return move(state, [&](uint32_t word) { return machine::shuffle_from(machine::kFullMask, word, lane); });
}

// Entry: each lane of a tile of `width` (a power of two, aligned) lanes holds a slot's state; all 32 lanes come. Exit: lane 0
// of each tile holds the fold by halving: lane i with i + width/2, ... i + 1; so do the others if the fold commutes.
template <class Algebra, class Params, class State>
WPRIM_DEVICE State fold_tile(const Params& params, State state, unsigned width) {
  for (unsigned w = width / 2; w > 0; w /= 2) state = Algebra::combine(params, state, shuffle_xor(state, w));
  return state;
}

template <class Algebra, class Params, class State>
WPRIM_DEVICE State fold_warp(const Params& params, State state) {
#pragma unroll
  for (unsigned w = machine::kWarp / 2; w > 0; w /= 2) {
    state = Algebra::combine(params, state, shuffle_xor(state, w));
  }
  return state;
}

}  // namespace wprim::warp
