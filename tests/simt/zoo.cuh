// Broken kernels, one for each finding, each with its right twin (kRight). The line that the machine must name ends with
// a comment "found: " and the kernel's name.
#pragma once

#include "cuda/machine.cuh"
#include "cuda/warp/shuffle.cuh"

namespace zoo {

namespace machine = wprim::machine;
using machine::kFullMask;

inline constexpr unsigned kThreads = 128, kWarps = kThreads / 32;

struct Params {
  const uint32_t* in;      // kThreads for each block
  uint32_t* out;           // one for each block, one more for the grid
  uint32_t* partials;      // nobody has written them
  uint32_t* counter;       // 0
  uint64_t* cells;         // 0
  const std::byte* bytes;  // of 16 bytes more than kThreads vectors, begins at a multiple of 16
};

inline uint32_t sum_of_warp(uint32_t x) { return machine::redux_add(kFullMask, x); }
inline uint32_t element(const Params& p) {
  return p.in[machine::block_index() * kThreads + machine::thread_index()];
}

// The classic: the fold starts before every warp's partial is there.
template <bool kRight>
struct MissingBarrier {
  static void run(const Params& p) {
    WPRIM_SHARED(partial, uint32_t[kWarps]);
    const uint32_t sum = sum_of_warp(element(p));
    if (machine::lane_index() == 0) partial[machine::warp_index()] = sum;  // found: MissingBarrier
    if (kRight) machine::block_barrier();
    if (machine::thread_index() != 0) return;
    uint32_t total = 0;
    for (unsigned w = 0; w < kWarps; ++w) total += partial[w];  // found: MissingBarrier
    p.out[machine::block_index()] = total;
  }
};

// The next round's partials overwrite those that are still read.
template <bool kRight>
struct MissingSecondBarrier {
  static void run(const Params& p) {
    WPRIM_SHARED(partial, uint32_t[kWarps]);
    uint32_t total = 0;
    for (unsigned round = 0; round < 2; ++round) {
      const uint32_t sum = sum_of_warp(element(p) + round);
      if (machine::lane_index() == 0) partial[machine::warp_index()] = sum;  // found: MissingSecondBarrier
      machine::block_barrier();
      for (unsigned w = 0; w < kWarps; ++w) total += partial[w];
      if (kRight) machine::block_barrier();
    }
    if (machine::thread_index() == 0) p.out[machine::block_index()] = total;
  }
};

// A shuffle orders no memory, whatever the time it takes.
template <bool kRight>
struct ShuffleAsBarrier {
  static void run(const Params& p) {
    WPRIM_SHARED(slot, uint32_t[kThreads]);
    slot[machine::thread_index()] = element(p);
    if (kRight) {
      machine::warp_barrier();
    } else {
      machine::shuffle_xor(kFullMask, 0, 1);
    }
    const uint32_t neighbour = slot[machine::thread_index() ^ 1];  // found: ShuffleAsBarrier
    const uint32_t sum = sum_of_warp(neighbour);
    if (machine::thread_index() == 0) p.out[machine::block_index()] = sum;
  }
};

// Half of the lanes ask for the others, who never come.
template <bool kRight>
struct DivergentShuffle {
  static void run(const Params& p) {
    uint32_t x = element(p);
    if (kRight) x = x + machine::shuffle_xor(kFullMask, x, 16);
    if (machine::lane_index() < 16) {
      if (!kRight) x = x + machine::shuffle_xor(kFullMask, x, 16);  // found: DivergentShuffle
      if (machine::thread_index() == 0) p.out[machine::block_index()] = x;
    }
  }
};

// The others are held up by something that waits for these.
template <bool kRight>
struct ShuffleAgainstBarrier {
  static void run(const Params& p) {
    uint32_t x = element(p);
    if (machine::lane_index() < 16) {
      x += machine::shuffle_xor(kRight ? 0xffff : kFullMask, x, 8);  // found: ShuffleAgainstBarrier
    }
    machine::block_barrier();
    if (machine::thread_index() == 0) p.out[machine::block_index()] = x;
  }
};

// Lanes ask who is there, and each gets an answer of its own.
template <bool kRight>
struct MaskOfActiveLanes {
  static void run(const Params& p) {
    const uint32_t x = element(p);
    const uint32_t odd = machine::ballot(kFullMask, x % 2 != 0);
    if (x % 2 == 0) return;
    const uint32_t mask = kRight ? odd : machine::active_lanes();
    const uint32_t sum = machine::redux_add(mask, x);  // found: MaskOfActiveLanes
    if (machine::thread_index() == machine::lowest_lane(odd)) p.out[machine::block_index()] = sum;
  }
};

template <bool kRight>
struct CallerNotInMask {
  static void run(const Params& p) {
    const uint32_t mask = kRight ? kFullMask : kFullMask >> 1;
    const uint32_t votes = machine::ballot(mask, element(p) % 2 != 0);  // found: CallerNotInMask
    if (machine::thread_index() == 0) p.out[machine::block_index()] = votes;
  }
};

template <bool kRight>
struct DifferentCollectives {
  static void run(const Params& p) {
    uint32_t x = element(p);
    if (kRight || machine::lane_index() % 2 == 0) {
      x = machine::redux_add(kFullMask, x);  // found: DifferentCollectives
    } else {
      x = machine::redux_max(kFullMask, x);  // found: DifferentCollectives
    }
    if (machine::thread_index() == 0) p.out[machine::block_index()] = x;
  }
};

template <bool kRight>
struct DifferentMasks {
  static void run(const Params& p) {
    const uint32_t mask = kRight || machine::lane_index() > 0 ? kFullMask : 3;
    const uint32_t x = machine::redux_add(mask, element(p));  // found: DifferentMasks
    if (machine::thread_index() == 0) p.out[machine::block_index()] = x;
  }
};

template <bool kRight>
struct BarrierMissed {
  static void run(const Params& p) {
    if (!kRight && machine::thread_index() == 77) return;
    machine::block_barrier();  // found: BarrierMissed
    if (machine::thread_index() == 0) p.out[machine::block_index()] = 1;
  }
};

template <bool kRight>
struct BarrierInBranches {
  static void run(const Params& p) {
    if (kRight || machine::warp_index() == 0) {
      machine::block_barrier();  // found: BarrierInBranches
    } else {
      machine::block_barrier();  // found: BarrierInBranches
    }
    if (machine::thread_index() == 0) p.out[machine::block_index()] = 1;
  }
};

template <bool kRight>
struct SharedNeverWritten {
  static void run(const Params& p) {
    WPRIM_SHARED(slot, uint32_t[kThreads]);
    if (kRight || machine::thread_index() != 5) slot[machine::thread_index()] = element(p);
    machine::block_barrier();
    if (machine::thread_index() != 0) return;
    uint32_t total = 0;
    for (unsigned i = 0; i < kThreads; ++i) total += slot[i];  // found: SharedNeverWritten
    p.out[machine::block_index()] = total;
  }
};

template <bool kRight>
struct PartialNeverWritten {
  static void run(const Params& p) {
    if (machine::thread_index() != 0) return;
    uint32_t* mine = p.partials + machine::block_index();
    if (kRight) *mine = 0;
    *mine += element(p);  // found: PartialNeverWritten
    p.out[machine::block_index()] = *mine;
  }
};

template <bool kRight>
struct OutOfBounds {
  static void run(const Params& p) {
    const uint64_t i = machine::block_index() * kThreads + machine::thread_index();
    if (machine::thread_index() == kThreads - 1) {
      p.out[machine::block_index()] = kRight ? p.in[i] : p.in[i + 1];  // found: OutOfBounds
    }
  }
};

template <bool kRight>
struct BeyondSharedArray {
  static void run(const Params& p) {
    WPRIM_SHARED(slot, uint32_t[kThreads]);
    slot[machine::thread_index() + (kRight ? 0 : 1)] = element(p);  // found: BeyondSharedArray
    if (machine::thread_index() == 0) p.out[machine::block_index()] = 1;
  }
};

template <bool kRight>
struct MisalignedVector {
  static void run(const Params& p) {
    const std::byte* mine = p.bytes + machine::thread_index() * 16 + (kRight ? 0 : 4);
    const uint32_t x = machine::load_streaming(mine).word[0];  // found: MisalignedVector
    if (machine::thread_index() == 0) p.out[machine::block_index()] = x;
  }
};

template <bool kRight>
struct InputWritten {
  static void run(const Params& p) {
    if (machine::thread_index() != 0) return;
    uint32_t* to = kRight ? p.out + machine::block_index() : const_cast<uint32_t*>(p.in);
    *to = 1;  // found: InputWritten
  }
};

// Partials that travel with a ticket: the block that counts last folds them.
template <bool kRight>
struct TicketWithoutFence {
  static void run(const Params& p) {
    if (machine::thread_index() != 0) return;
    p.partials[machine::block_index()] = element(p);
    if (kRight) machine::fence();
    const uint32_t last = static_cast<uint32_t>(machine::grid_blocks()) - 1;
    if (machine::count_to(p.counter, last) != last) return;
    if (kRight) machine::fence();
    uint32_t total = 0;
    for (unsigned b = 0; b <= last; ++b) total += p.partials[b];  // found: TicketWithoutFence
    p.out[machine::grid_blocks()] = total;
  }
};

// A relaxed word says that something else is there, which it does not.
template <bool kRight>
struct FlagWithoutFence {
  static void run(const Params& p) {
    if (machine::thread_index() != 0) return;
    if (machine::block_index() == 0) {
      p.partials[0] = element(p);
      if (kRight) machine::fence();
      machine::store_relaxed(p.counter, 1);
    } else {
      while (machine::load_relaxed(p.counter) == 0) {
      }
      if (kRight) machine::fence();
      p.out[machine::block_index()] = p.partials[0];  // found: FlagWithoutFence
    }
  }
};

// Nobody sends what is waited for.
template <bool kRight>
struct WaitsForNobody {
  static void run(const Params& p) {
    if (machine::thread_index() != 0) return;
    if (kRight && machine::block_index() == 0) machine::store_cell(p.cells, 7, 1);
    while (machine::load_cell(p.cells) >> 32 != 1) {  // found: WaitsForNobody
    }
    p.out[machine::block_index()] = 7;
  }
};

// More blocks wait than are resident, for one that starts after them.
template <bool kRight>
struct WaitsForLaterBlock {
  static void run(const Params& p) {
    if (machine::thread_index() != 0) return;
    const uint64_t sender = kRight ? 0 : machine::grid_blocks() - 1;
    if (machine::block_index() == sender) machine::store_cell(p.cells, 7, 1);
    while (machine::load_cell(p.cells) >> 32 != 1) {  // found: WaitsForLaterBlock
    }
    p.out[machine::block_index()] = 7;
  }
};

// The counter is not back at 0 for the next launch.
template <bool kRight>
struct CounterLeft {
  static void run(const Params& p) {
    if (machine::thread_index() != 0) return;
    const uint32_t last = static_cast<uint32_t>(machine::grid_blocks()) - 1;
    const bool is_last = machine::count_to(p.counter, kRight ? last : ~0u) == last;
    if (is_last) p.out[machine::grid_blocks()] = 1;
  }
};

// No race, yet the order of the blocks shows.
template <bool kRight>
struct OrderOfBlocksShows {
  static void run(const Params& p) {
    if (machine::thread_index() != 0) return;
    const uint32_t place = machine::count_to(p.counter, static_cast<uint32_t>(machine::grid_blocks()) - 1);
    p.out[machine::block_index()] = kRight ? 0 : place;
  }
};

}  // namespace zoo
