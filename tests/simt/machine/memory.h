// The memory that kernels may reach, and for each byte of it who wrote and who read it last. An access is checked against
// bounds, against what was never written, and against every earlier access that it is not ordered with: happens-before, as
// in FastTrack (Flanagan and Freund, PLDI 2009), byte by byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "machine/finding.h"

namespace simt {

struct Thread;

// Who, and when: a thread or an arrival, and its epoch.
struct Stamp {
  static constexpr uint32_t kNobody = 0, kHost = 1, kOutside = 2,
                            kFirst = 16;  // numbers of threads are above
  static constexpr uint32_t kCopy = 1u << 31, kAtomic = 1u << 30, kNumber = kAtomic - 1;

  uint32_t by = kNobody;  // a number and flags
  uint32_t epoch = 0;

  uint32_t number() const { return by & kNumber; }
  bool is_copy() const { return (by & kCopy) != 0; }
  bool is_atomic() const { return (by & kAtomic) != 0; }
  bool operator==(const Stamp&) const = default;
};

struct Access {
  Stamp stamp;
  uint32_t site = 0;  // short form, see Memory
};

struct Byte {
  Access write, read;
  uint32_t more_reads = 0;  // where several reads are without order: which list has the others
};

// What is there at first. An input is never written; what a block shares is gone with the launch.
enum class Content { zero, poison, input, shared };

struct Region {
  std::string name;
  std::byte *begin, *end;
  Content content;
  std::vector<Byte> bytes;  // none for an input
};

class Memory {
 public:
  Memory();

  // Memory that begins `shift` bytes above a multiple of 256.
  Region* allocate(std::string name, size_t bytes, Content content, size_t shift = 0);
  void release(Region* region);

  bool has(const void* place) const {
    return static_cast<size_t>(static_cast<const std::byte*>(place) - arena_) < kArenaBytes;
  }

  // How far before its array a place is, if less than 16 bytes; else 0.
  size_t bytes_before_array(const void* place) const;

  // An access of a running thread.
  void read(Thread& thread, const void* place, size_t bytes, bool atomic, Site site);
  void write(Thread& thread, const void* place, size_t bytes, bool atomic, Site site);
  // That a copy of phase `phase` of an arrival (by number) will write; what was there is gone.
  void give_to_copy(Thread& thread, std::byte* place, size_t bytes, uint32_t arrival, uint32_t phase,
                    Site site);

  // Nothing has happened to these bytes, but that kNobody, kHost or kOutside wrote them.
  void forget(Region* region, size_t offset, size_t bytes, uint32_t written_by);
  // The host, before and after a launch: everything so far is over.
  void settle();

 private:
  static constexpr size_t kArenaBytes = size_t{1} << 30, kPage = 4096;

  Region* region_of(Thread& thread, const void* place, size_t bytes, Site site);
  struct Use;
  void check_order(const Use& use, const Access& earlier, bool was_write, size_t byte) const;
  void check_write(Use& use, const Byte& byte, size_t at) const;
  void add_read(Use& use, Byte& byte);
  void forget_reads(Byte& byte);
  std::string where(const void* place) const;

  std::byte* arena_;
  std::vector<Region*> pages_;
  std::vector<std::unique_ptr<Region>> regions_;
  std::vector<std::vector<Access>> read_lists_{1};
  std::vector<uint32_t> unused_lists_;
};

// The one there is.
inline Memory& memory() {
  static Memory one;
  return one;
}

}  // namespace simt
