// Broken kernels that copy in the background, as in zoo.cuh.
#pragma once

#include "zoo.cuh"

namespace zoo {

inline constexpr uint32_t kStageBytes = 512;

struct Stage {
  alignas(128) std::byte bytes[kStageBytes];
  machine::Arrival arrival;
};

inline void prepare(Stage& stage) {
  if (machine::thread_index() == 0) {
    machine::init_arrival(&stage.arrival);
    machine::show_copies();
  }
  machine::block_barrier();
}
inline void start(const Params& p, Stage& stage) {
  if (machine::thread_index() != 0) return;
  machine::announce(&stage.arrival, kStageBytes);
  machine::start_copy(stage.bytes, p.bytes, kStageBytes, &stage.arrival);  // found: copy
}
inline uint32_t word_of(const Stage& stage) {
  return reinterpret_cast<const uint32_t*>(stage.bytes)[machine::thread_index()];  // found: copy
}
inline void write(const Params& p, uint32_t x) {
  const uint32_t sum = sum_of_warp(x);
  if (machine::thread_index() == 0) p.out[machine::block_index()] = sum;
}

template <bool kRight>
struct CopyNotAwaited {
  static void run(const Params& p) {
    WPRIM_SHARED(stage, Stage);
    prepare(stage);
    start(p, stage);
    if (kRight || machine::warp_index() != 1) machine::wait(&stage.arrival, 0);
    write(p, word_of(stage));
    machine::wait(&stage.arrival, 0);
  }
};

template <bool kRight>
struct WrongPhase {
  static void run(const Params& p) {
    WPRIM_SHARED(stage, Stage);
    prepare(stage);
    start(p, stage);
    machine::wait(&stage.arrival, kRight ? 0 : 1);
    write(p, word_of(stage));
    machine::wait(&stage.arrival, 0);
  }
};

// The next copy starts while others still read the last one.
template <bool kRight>
struct StageStillRead {
  static void run(const Params& p) {
    WPRIM_SHARED(stage, Stage);
    prepare(stage);
    uint32_t x = 0;
    for (uint32_t round = 0; round < 2; ++round) {
      start(p, stage);
      machine::wait(&stage.arrival, round);
      x += word_of(stage);
      if (kRight) machine::block_barrier();
    }
    write(p, x);
  }
};

// What was written by hand is not shown to the copies that follow.
template <bool kRight>
struct WritesNotShown {
  static void run(const Params& p) {
    WPRIM_SHARED(stage, Stage);
    prepare(stage);
    reinterpret_cast<uint32_t*>(stage.bytes)[machine::thread_index()] = 0;
    if (kRight) machine::show_copies();
    machine::block_barrier();
    if (machine::thread_index() == 0) {
      machine::announce(&stage.arrival, kStageBytes);
      machine::start_copy(stage.bytes, p.bytes, kStageBytes, &stage.arrival);  // found: WritesNotShown
    }
    machine::wait(&stage.arrival, 0);
    write(p, word_of(stage));
  }
};

template <bool kRight>
struct CopyOutlivesBlock {
  static void run(const Params& p) {
    WPRIM_SHARED(stage, Stage);
    prepare(stage);
    start(p, stage);
    if (kRight) machine::wait(&stage.arrival, 0);
    machine::block_barrier();  // found: CopyOutlivesBlock
  }
};

template <bool kRight>
struct MisalignedCopy {
  static void run(const Params& p) {
    WPRIM_SHARED(stage, Stage);
    prepare(stage);
    if (machine::thread_index() == 0) {
      const std::byte* from = p.bytes + (kRight ? 0 : 8);
      machine::announce(&stage.arrival, 64);
      machine::start_copy(stage.bytes, from, 64, &stage.arrival);  // found: MisalignedCopy
    }
    machine::wait(&stage.arrival, 0);
  }
};

template <bool kRight>
struct AnnouncedTwice {
  static void run(const Params& p) {
    WPRIM_SHARED(stage, Stage);
    prepare(stage);
    if (machine::thread_index() == 0) machine::announce(&stage.arrival, kStageBytes);
    if (!kRight && machine::thread_index() == 0)
      machine::announce(&stage.arrival, 0);  // found: AnnouncedTwice
    if (machine::thread_index() == 0) {
      machine::start_copy(stage.bytes, p.bytes, kStageBytes, &stage.arrival);
    }
    machine::wait(&stage.arrival, 0);
  }
};

// More is announced than is copied.
template <bool kRight>
struct CopyNeverComplete {
  static void run(const Params& p) {
    WPRIM_SHARED(stage, Stage);
    prepare(stage);
    if (machine::thread_index() == 0) {
      machine::announce(&stage.arrival, kStageBytes);
      machine::start_copy(stage.bytes, p.bytes, kRight ? kStageBytes : kStageBytes - 16, &stage.arrival);
    }
    machine::wait(&stage.arrival, 0);  // found: CopyNeverComplete
  }
};

}  // namespace zoo
