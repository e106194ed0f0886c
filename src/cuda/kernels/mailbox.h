// How the host and a resident kernel meet. Plain data, shared by both; all of it in pinned memory but `progress`.
//
// A post is sixteen bytes that the kernel reads whole: the number of the post in both halves, so that one that is not
// there yet is told from one that is; which record says what to do; and how many launches must have ended before.
// Posts lie in a ring, and are done in order. A record has the parameters of an op; it is written before the first
// post that names it, and again only when all posts that named it are done.
#pragma once

#include <cstddef>
#include <cstdint>

namespace wprim::cuda {

inline constexpr uint32_t kPosts = 1024;
inline constexpr uint32_t kRecords = 64;
inline constexpr uint32_t kRecordBytes = 256;
inline constexpr uint32_t kLeave = 0xffffffff;  // in place of a record: nothing more will come

struct Post {
  uint64_t what;    // low half: record | version * kRecords; high half: number
  uint64_t behind;  // low half: launches; high half: number
};

struct alignas(16) Record {
  const void* function;  // a device variable with the address of a SmallFunction
  uint64_t unused;
  std::byte parameters[kRecordBytes];
};

struct Mailbox {
  alignas(128) Post posts[kPosts];  // post n, counted from 1, is at n % kPosts
  Record records[kRecords];
  alignas(128) uint64_t done;   // posts done; written by the kernel
  alignas(128) uint64_t state;  // of the kernels; written by them
};

// What kernel `number`, counted from 1, says of itself. Before it says anything, it is there or will be.
constexpr uint64_t state_leaving(uint64_t number) { return 2 * number; }
constexpr uint64_t state_gone(uint64_t number) { return 2 * number + 1; }
constexpr uint64_t state_staying(uint64_t number) { return state_gone(number - 1); }

// In device memory.
struct Progress {
  uint64_t next;      // the post that the next kernel begins with
  uint64_t launches;  // that have ended, of those that posts are behind; written by the stream
};

struct ResidentParams {
  Mailbox* mailbox;
  Progress* progress;
  uint64_t number;  // of this kernel
  uint64_t idle_ns;
  uint64_t stay_ns;
};

}  // namespace wprim::cuda
