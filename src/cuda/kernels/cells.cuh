// Partial states on their way between blocks: a state is as many cells as it has words.
#pragma once

#include "cuda/machine.cuh"

namespace wprim::cuda {

// The tag of the next launch. 0 is never one: it is what cells hold that nobody has written. (A cell that was written
// exactly 2^32 - 1 launches ago and never since would pass for new; that is hours of nothing but launches.)
WPRIM_DEVICE uint32_t next_epoch(uint32_t epoch) { return epoch + 1 == 0 ? 1 : epoch + 1; }

template <class State>
WPRIM_DEVICE void send(uint64_t* cells, uint64_t index, const State& state, uint32_t epoch) {
  constexpr int words = sizeof(State) / 4;
  uint32_t word[words];
  memcpy(word, &state, sizeof state);
#pragma unroll
  for (int i = 0; i < words; ++i) machine::store_cell(cells + index * words + i, word[i], epoch);
}

// Waits for `count` <= kMost consecutive states of this epoch. All cells are asked for before any is looked at, so the
// wait is one trip to memory, not one for each. The senders never wait for us, so the states come.
template <int kMost, class State>
WPRIM_DEVICE void receive(const uint64_t* cells, uint64_t index, int count, uint32_t epoch, State* state) {
  constexpr int words = sizeof(State) / 4;
  uint64_t cell[kMost * words];
  bool all;
  do {
    all = true;
#pragma unroll
    for (int i = 0; i < kMost * words; ++i) {
      if (i < count * words) cell[i] = machine::load_cell(cells + index * words + i);
    }
#pragma unroll
    for (int i = 0; i < kMost * words; ++i) {
      if (i < count * words) all = all && static_cast<uint32_t>(cell[i] >> 32) == epoch;
    }
  } while (!all);
#pragma unroll
  for (int s = 0; s < kMost; ++s) {
    uint32_t word[words];
#pragma unroll
    for (int i = 0; i < words; ++i) word[i] = static_cast<uint32_t>(cell[s * words + i]);
    if (s < count) memcpy(&state[s], word, sizeof(State));
  }
}

}  // namespace wprim::cuda
