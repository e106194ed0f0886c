// The kernel that stays: one block that waits for posts and does them. It leaves when none came for a while, and after
// its time, when there is none, in any case. The host starts the next one with a post that finds none.
#pragma once

#include "cuda/kernels/mailbox.h"
#include "cuda/kernels/small.cuh"

namespace wprim::cuda {

inline constexpr unsigned kBatch = 8;  // posts that are looked for at once: a line of memory or two

// The posts that warp 0 took at once.
struct Batch {
  uint32_t what[kBatch];
  uint32_t behind[kBatch];
  uint32_t count;  // 0: the kernel leaves
};

// Warp 0 looks for posts from `next` on; every lane knows how many are there. What the host wrote before them is seen
// from here on.
WPRIM_DEVICE uint32_t take_posts(const Mailbox& mailbox, uint64_t next, Batch& batch) {
  const unsigned lane = machine::lane_index();
  bool there = false;
  if (lane < kBatch) {
    const uint64_t number = next + lane;
    const Post& post = mailbox.posts[number % kPosts];
    const uint64_t behind = machine::load_acquire_system(&post.behind),
                   what = machine::load_acquire_system(&post.what);
    const uint32_t tag = static_cast<uint32_t>(number);
    there = static_cast<uint32_t>(what >> 32) == tag && static_cast<uint32_t>(behind >> 32) == tag;
    batch.what[lane] = static_cast<uint32_t>(what);
    batch.behind[lane] = static_cast<uint32_t>(behind);
  }
  return machine::lowest_lane(~machine::ballot(machine::kFullMask, there));
}

// Waits until there are posts, or it is time to leave: then none are, and the kernel has said that it is gone.
// It says first that it leaves, and looks once more. A host that posts, and then finds that the kernel is leaving, waits
// until it says that it stays or is gone; so a post is either seen here, or the host knows that it was not.
WPRIM_DEVICE void wait_for_posts(const ResidentParams& params, uint64_t next, uint64_t arrived, bool hurry,
                                 Batch& batch) {
  Mailbox& mailbox = *params.mailbox;
  const bool lane0 = machine::lane_index() == 0;
  const uint64_t idle_since = machine::nanoseconds();
  uint32_t count = 0;
  for (unsigned turn = 1; count == 0; ++turn) {
    count = take_posts(mailbox, next, batch);
    if (count > 0 || (turn % 8 > 0 && !hurry)) continue;
    const uint64_t now = machine::nanoseconds();
    const bool time = hurry || now - idle_since > params.idle_ns || now - arrived > params.stay_ns;
    if (!machine::any(machine::kFullMask, time)) continue;
    if (lane0) {
      machine::store_system(&mailbox.state, state_leaving(params.number));
      machine::fence_system();  // said before it looks again
    }
    machine::warp_barrier();
    count = take_posts(mailbox, next, batch);
    if (lane0)
      machine::store_system(&mailbox.state,
                            count > 0 ? state_staying(params.number) : state_gone(params.number));
    if (count == 0) break;
  }
  if (lane0) batch.count = count;
}

// Thread 0: until the launches that the post is behind have ended; they may be behind posts themselves. Gives the launches
// that have.
WPRIM_DEVICE uint32_t wait_for_launches(const ResidentParams& params, uint32_t launches, uint64_t done) {
  const auto ended = [&] {
    return static_cast<uint32_t>(machine::load_acquire_system(&params.progress->launches));
  };
  const auto enough = [&](uint32_t n) { return static_cast<int32_t>(n - launches) >= 0; };
  uint32_t n = ended();
  if (enough(n)) return n;
  machine::fence_system();  // what those posts wrote, before they are said to be done
  machine::store_system(&params.mailbox->done, done);
  do n = ended();
  while (!enough(n));
  return n;
}

__global__ void __launch_bounds__(kThreads, 1)
    resident_kernel(const __grid_constant__ ResidentParams params) {
  __shared__ Record records[kRecords];
  __shared__ uint32_t versions[kRecords];        // the low half of the post that a record here is of
  __shared__ SmallFunction functions[kRecords];  // of the records here
  __shared__ Batch batch;
  __shared__ alignas(16) std::byte scratch[kSmallScratch];
  Mailbox& mailbox = *params.mailbox;
  const unsigned thread = machine::thread_index();
  const uint64_t arrived = machine::nanoseconds();
  uint64_t next = params.progress->next;
  uint32_t launches = 0;  // that have ended, as far as thread 0 knows
  if (thread == 0) launches = static_cast<uint32_t>(machine::load_acquire_system(&params.progress->launches));
  bool hurry = false;  // nothing more will come, it was said
  if (thread < kRecords) versions[thread] = kLeave;
  for (;;) {
    if (machine::warp_index() == 0) wait_for_posts(params, next, arrived, hurry, batch);
    machine::block_barrier();  // the batch is there, and every version
    const uint32_t count = batch.count;
    if (count == 0) break;
    for (uint32_t i = 0; i < count; ++i, ++next) {
      const uint32_t what = batch.what[i], at = what % kRecords;
      hurry = what == kLeave;
      if (hurry) continue;
      if (thread == 0 && static_cast<int32_t>(launches - batch.behind[i]) < 0) {
        launches = wait_for_launches(params, batch.behind[i], next - 1);
      }
      if (versions[at] != what) {
        machine::
            block_barrier();  // the op before is through with its record, and every thread has compared the version
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
      machine::block_barrier();  // the record is there, the launches have ended, the scratch memory is free
      functions[at](records[at].parameters, scratch);
    }
    machine::block_barrier();  // all results are written, and nobody looks at the batch any more
    // By another warp than the one that looks for posts meanwhile: it takes long.
    if (thread == machine::kWarp) {
      machine::fence_system();  // the results come before the number that says so
      machine::store_system(&mailbox.done, next - 1);
    }
  }
  if (thread == 0) params.progress->next = next;
}

}  // namespace wprim::cuda
