// The kernel that stays: one block that waits for posts and does them. It leaves when it is told to, when none came for
// a while, and after its time, when there is none, in any case. It waits for nothing but posts: whoever waits for it gets
// through.
#pragma once

#include "cuda/kernels/mailbox.h"
#include "cuda/kernels/small.cuh"

namespace wprim::cuda {

inline constexpr unsigned kBatch = 8;  // posts that are looked for at once: a line of memory or two

// The posts that warp 0 took at once.
struct Batch {
  uint32_t what[kBatch];
  uint32_t count;  // 0: the kernel leaves
};

// Warp 0 looks for posts from `next` on; every lane knows how many are there. What the host wrote before them is seen
// from here on.
WPRIM_DEVICE uint32_t take_posts(const Mailbox& mailbox, uint64_t next, Batch& batch) {
  const unsigned lane = machine::lane_index();
  bool there = false;
  if (lane < kBatch) {
    const uint64_t number = next + lane;
    const uint64_t post = machine::load_acquire_system(&mailbox.posts[number % kPosts]);
    there = static_cast<uint32_t>(post >> 32) == static_cast<uint32_t>(number);
    batch.what[lane] = static_cast<uint32_t>(post);
  }
  return machine::lowest_lane(~machine::ballot(machine::kFullMask, there));
}

// Waits until there are posts, or it is time to leave: then none are, and the kernel has said that it is gone.
// It says first that it leaves, and looks once more. A host that posts, and then finds that the kernel is leaving, waits
// until it says that it stays or is gone; so a post is either seen here, or the host knows that it was not.
WPRIM_DEVICE void wait_for_posts(const ResidentParams& params, uint64_t next, uint64_t arrived,
                                 Batch& batch) {
  Mailbox& mailbox = *params.mailbox;
  const bool lane0 = machine::lane_index() == 0;
  const uint64_t idle_since = machine::nanoseconds();
  uint32_t count = 0;
  for (unsigned turn = 1; count == 0; ++turn) {
    count = take_posts(mailbox, next, batch);
    if (count > 0 || turn % 8 > 0) continue;
    const uint64_t now = machine::nanoseconds();
    const bool time = now - idle_since > params.idle_ns || now - arrived > params.stay_ns;
    if (!machine::any(machine::kFullMask, time)) continue;
    if (lane0) {
      machine::store_system(&mailbox.state, state_leaving(params.number));
      machine::fence_system();  // said before it looks again
    }
    machine::warp_barrier();
    count = take_posts(mailbox, next, batch);
    if (lane0) {
      machine::store_system(&mailbox.state,
                            count > 0 ? state_staying(params.number) : state_gone(params.number));
    }
    if (count == 0) break;
  }
  if (lane0) batch.count = count;
}

// All threads of a block of 256, until it leaves.
WPRIM_DEVICE void reside(const ResidentParams& params) {
  WPRIM_SHARED(records, Record[kRecords]);
  WPRIM_SHARED(versions, uint32_t[kRecords]);        // the low half of the post that a record here is of
  WPRIM_SHARED(functions, SmallFunction[kRecords]);  // of the records here
  WPRIM_SHARED(batch, Batch);
  WPRIM_SHARED_ALIGNED(16, scratch, std::byte[kSmallScratch]);
  Mailbox& mailbox = *params.mailbox;
  const unsigned thread = machine::thread_index();
  const uint64_t arrived = machine::nanoseconds();
  uint64_t next = params.next;
  if (thread < kRecords) versions[thread] = kLeave;
  for (;;) {
    if (machine::warp_index() == 0) wait_for_posts(params, next, arrived, batch);
    machine::block_barrier();  // the batch is there, and every version
    const uint32_t count = batch.count;
    if (count == 0) return;
    bool leaves = false;
    for (uint32_t i = 0; i < count; ++i, ++next) {
      const uint32_t what = batch.what[i], at = what % kRecords;
      leaves = what == kLeave;
      if (leaves) break;
      if (versions[at] != what) {
        // The op before is through with its record, and every thread has compared the version.
        machine::block_barrier();
        constexpr unsigned vectors = sizeof(Record) / 16;
        const auto* from = reinterpret_cast<const uint64_t*>(&mailbox.records[at]);
        auto* to = reinterpret_cast<uint64_t*>(&records[at]);
        if (thread < vectors)
          machine::load_system_pair(from + 2 * thread, to[2 * thread], to[2 * thread + 1]);
        if (thread == 0) {
          functions[at] =
              *static_cast<const SmallFunction*>(records[at].function);  // its own vector is the first
          versions[at] = what;
        }
      }
      machine::block_barrier();  // the record is there, and the scratch memory is free
      functions[at](records[at].parameters, scratch);
    }
    if (thread == 0) {
      machine::fence_system();  // the results come before the number that says so
      machine::store_system(&mailbox.done, leaves ? next : next - 1);
    }
    if (leaves) return;
  }
}

}  // namespace wprim::cuda
