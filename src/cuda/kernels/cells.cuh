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

// Waits for states of this epoch: kRun consecutive ones, and so kRuns times, kStride apart, of which those exist that lie
// less than `n` from `index`. All cells are asked for before any is looked at, so the wait is one trip to memory, not one
// for each. The senders never wait for us, so the states come.
template <uint32_t kRun, uint32_t kRuns, uint32_t kStride, class State>
WPRIM_DEVICE void receive(const uint64_t* cells, uint64_t index, uint64_t n, uint32_t epoch, State* state) {
  constexpr uint32_t words = sizeof(State) / 4, run_words = kRun * words, most = kRuns * kStride * words;
  const uint64_t* first = cells + index * words;
  const uint32_t live = n * words < most ? static_cast<uint32_t>(n * words) : most;
  // The last of them is written last, most likely. Until then it is the only one looked at: blocks that still work need the
  // way to memory.
  if (kRuns > 1) {
    const uint32_t last = live == 0 ? 0 : live - 1 - (live - 1) % (kStride * words);
    while (live > 0 && static_cast<uint32_t>(machine::load_cell(first + last) >> 32) != epoch) {
    }
  }
  uint64_t cell[kRuns * run_words];
  bool all;
  do {
    all = true;
#pragma unroll
    for (uint32_t i = 0; i < kRuns * run_words; ++i) {
      const uint32_t word = i / run_words * kStride * words + i % run_words;
      if (word < live) cell[i] = machine::load_cell(first + word);
    }
#pragma unroll
    for (uint32_t i = 0; i < kRuns * run_words; ++i) {
      const uint32_t word = i / run_words * kStride * words + i % run_words;
      if (word < live) all = all && static_cast<uint32_t>(cell[i] >> 32) == epoch;
    }
  } while (!all);
#pragma unroll
  for (uint32_t s = 0; s < kRuns * kRun; ++s) {
    uint32_t word[words];
#pragma unroll
    for (uint32_t i = 0; i < words; ++i) word[i] = static_cast<uint32_t>(cell[s * words + i]);
    memcpy(&state[s], word, sizeof(State));
  }
}

}  // namespace wprim::cuda
