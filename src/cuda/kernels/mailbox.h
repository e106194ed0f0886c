// How the host and a resident kernel meet. Plain data in pinned memory, shared by both.
//
// A post is eight bytes that the kernel reads whole: its number, so that one that is not there yet is told from one that
// is, and which record says what to do. Posts lie in a ring, and are done in order. A record has the parameters of an op; it
// is written before the first post that names it, and again only when all posts that named it are done.
#pragma once

#include <cstddef>
#include <cstdint>

namespace wprim::cuda {

inline constexpr uint32_t kPosts = 1024;
inline constexpr uint32_t kRecords = 64;
inline constexpr uint32_t kRecordBytes = 256;
inline constexpr uint32_t kLeave = 0xffffffff;  // in place of a record: this kernel gets no more posts

struct alignas(16) Record {
  const void* function;  // a device variable with the address of a SmallFunction
  uint64_t unused;
  std::byte parameters[kRecordBytes];
};

struct Mailbox {
  // Post n, counted from 1, is at n % kPosts. Low half: record, and version * kRecords; high half: n.
  alignas(128) uint64_t posts[kPosts];
  Record records[kRecords];
  alignas(128) uint64_t done;   // posts done; written by the kernels
  alignas(128) uint64_t state;  // of the kernels; written by them
};

// What kernel `number`, counted from 1, says of itself. Before it says anything, it is there or will be.
constexpr uint64_t state_leaving(uint64_t number) { return 2 * number; }
constexpr uint64_t state_gone(uint64_t number) { return 2 * number + 1; }
constexpr uint64_t state_staying(uint64_t number) { return state_gone(number - 1); }

struct ResidentParams {
  Mailbox* mailbox;
  uint64_t number;  // of this kernel
  uint64_t next;    // the post that it begins with
  uint64_t idle_ns;
  uint64_t stay_ns;
};

}  // namespace wprim::cuda
