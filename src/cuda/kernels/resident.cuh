// The kernel that stays: one block that waits for posts and does them. It leaves when none came for a while, and after
// its time, when there is none, in any case. The host starts the next one with a post that finds none.
#pragma once

#include "cuda/kernels/mailbox.h"
#include "cuda/kernels/small.cuh"

namespace wprim::cuda {

// The posts that warp 0 took at once.
struct Batch {
  uint32_t what[machine::kWarp];
  uint32_t behind[machine::kWarp];
  uint32_t count;  // 0: the kernel leaves
};

// Warp 0 looks for posts from `next` on, all lanes at once; lane 0 knows how many are there.
WPRIM_DEVICE uint32_t take_posts(const Mailbox& mailbox, uint64_t next, Batch& batch) {
  const unsigned lane = machine::lane_index();
  const uint64_t number = next + lane;
  uint64_t what, behind;
  machine::load_system_pair(&mailbox.posts[number % kPosts].what, what, behind);
  const uint32_t tag = static_cast<uint32_t>(number);
  const bool there = static_cast<uint32_t>(what >> 32) == tag && static_cast<uint32_t>(behind >> 32) == tag;
  const uint32_t missing = ~machine::ballot(machine::kFullMask, there);
  batch.what[lane] = static_cast<uint32_t>(what);
  batch.behind[lane] = static_cast<uint32_t>(behind);
  return missing == 0 ? machine::kWarp : machine::lowest_lane(missing);
}

// Waits until there are posts, or it is time to leave: then none are. A host that posts after the kernel said that it
// leaves sees that it did; one that posted before is seen here. (Both may happen: then the next kernel finds nothing.)
WPRIM_DEVICE void wait_for_posts(const ResidentParams& params, uint64_t next, uint64_t arrived,
                                 Batch& batch) {
  Mailbox& mailbox = *params.mailbox;
  const uint64_t idle_since = machine::nanoseconds();
  uint32_t count;
  for (;;) {
    count = take_posts(mailbox, next, batch);
    if (count > 0) break;
    const uint64_t now = machine::nanoseconds();
    const bool time = now - idle_since > params.idle_ns || now - arrived > params.stay_ns;
    if (!machine::any(machine::kFullMask, time)) continue;
    if (machine::lane_index() == 0) machine::store_system(&mailbox.left, params.number);
    machine::fence_system();  // who does not see this by now, has posted before: look again
    machine::warp_barrier();
    count = take_posts(mailbox, next, batch);
    break;
  }
  if (machine::lane_index() == 0) batch.count = count;
  machine::fence_system();  // what was written before the posts is seen from here on
}

// Thread 0: until the launches that the post is behind have ended. They may be behind posts themselves.
WPRIM_DEVICE void wait_for_launches(const ResidentParams& params, uint32_t launches, uint64_t done) {
  const auto ended = [&] {
    return static_cast<int32_t>(static_cast<uint32_t>(machine::load_system(&params.progress->launches)) -
                                launches) >= 0;
  };
  if (ended()) return;
  machine::fence_system();  // what those posts wrote, before they are said to be done
  machine::store_system(&params.mailbox->done, done);
  while (!ended()) {
  }
  machine::fence_system();  // what the launches wrote is seen from here on
}

__global__ void __launch_bounds__(kThreads, 1)
    resident_kernel(const __grid_constant__ ResidentParams params) {
  __shared__ Record records[kRecords];
  __shared__ uint32_t versions[kRecords];  // the low half of the post that a record here is of
  __shared__ Batch batch;
  __shared__ alignas(16) std::byte scratch[kSmallScratch];
  Mailbox& mailbox = *params.mailbox;
  const unsigned thread = machine::thread_index();
  const uint64_t arrived = machine::nanoseconds();
  uint64_t next = params.progress->next;
  if (thread < kRecords) versions[thread] = kLeave;
  for (;;) {
    if (machine::warp_index() == 0) wait_for_posts(params, next, arrived, batch);
    machine::block_barrier();  // the batch is there, and every version
    const uint32_t count = batch.count;
    if (count == 0) break;
    bool leaves = false;
    for (uint32_t i = 0; i < count && !leaves; ++i, ++next) {
      const uint32_t what = batch.what[i];
      leaves = what == kLeave;
      if (leaves) continue;
      if (thread == 0) wait_for_launches(params, batch.behind[i], next - 1);
      Record& record = records[what % kRecords];
      if (versions[what % kRecords] != what) {
        constexpr unsigned vectors = sizeof(Record) / 16;
        const auto* from = reinterpret_cast<const uint64_t*>(&mailbox.records[what % kRecords]);
        auto* to = reinterpret_cast<uint64_t*>(&record);
        if (thread < vectors)
          machine::load_system_pair(from + 2 * thread, to[2 * thread], to[2 * thread + 1]);
        machine::block_barrier();  // the record is there, and every thread has compared its version
        if (thread == 0) versions[what % kRecords] = what;
      } else {
        machine::block_barrier();  // the launches have ended
      }
      (*static_cast<const SmallFunction*>(record.function))(record.parameters, scratch);
    }
    machine::block_barrier();  // all results are written, and nobody looks at the batch any more
    if (thread == 0) {
      machine::fence_system();  // the results come before the number that says so
      machine::store_system(&mailbox.done, next - 1);
    }
    if (leaves) break;
  }
  if (thread == 0) {
    params.progress->next = next;
    machine::store_system(&mailbox.left, params.number);
  }
}

}  // namespace wprim::cuda
