// Whether an access comes after all that it must not run beside.
#include <algorithm>

#include "machine/grid.h"

namespace simt {
namespace {

// Places in kernels are near each other, so that half a pointer tells them apart.
uint32_t shorten(Site site) { return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(site)); }
Site lengthen(uint32_t site) {
  const auto near = reinterpret_cast<uintptr_t>(&run);
  uintptr_t address = (near & ~uintptr_t{0xffffffff}) | site;
  const uintptr_t half = uintptr_t{1} << 31, whole = half << 1;
  if (address > near && address - near > half) address -= whole;
  if (address < near && near - address > half) address += whole;
  return reinterpret_cast<Site>(address);
}

std::string who(const Stamp& stamp, unsigned threads) {
  if (stamp.is_copy()) return "a copy into block " + std::to_string(stamp.number() / Block::kArrivals);
  const uint32_t number = stamp.number() - Stamp::kFirst;
  return "block " + std::to_string(number / threads) + " thread " + std::to_string(number % threads);
}

}  // namespace

// An access under way. Neighbouring bytes mostly have the same past, so what was found in order is remembered.
struct Memory::Use {
  Thread& thread;
  const std::byte* place;
  bool is_write, atomic;
  Site site;
  Access mine{thread.stamp(atomic), shorten(site)};
  Stamp known{Stamp::kHost, 0}, known_read{};
};

void Memory::check_order(const Use& use, const Access& earlier, bool was_write, size_t byte) const {
  const Stamp& stamp = earlier.stamp;
  if (stamp.by < Stamp::kFirst || (use.atomic && stamp.is_atomic()) || use.thread.knows(stamp)) return;
  const std::string text =
      std::string(use.is_write ? "a write" : "a read") + " of " + where(use.place + byte) +
      ", without order after " + (was_write ? "a write" : "a read") + " by " +
      who(stamp, use.thread.block->thread_count()) + " at " + describe(lengthen(earlier.site));
  use.thread.found(stamp.is_copy() ? Fault::copy_not_awaited : Fault::race, text, use.site);
}

void Memory::read(Thread& thread, const void* place, size_t bytes, bool atomic, Site site) {
  Region* region = region_of(thread, place, bytes, site);
  if (region->content == Content::input) return;
  Use use{thread, static_cast<const std::byte*>(place), false, atomic, site};
  Byte* byte = &region->bytes[static_cast<size_t>(use.place - region->begin)];
  for (size_t i = 0; i < bytes; ++i, ++byte) {
    const Access& write = byte->write;
    if (write.stamp != use.known) {
      if (write.stamp.by == Stamp::kOutside) {
        thread.found(Fault::out_of_bounds, std::to_string(bytes) + " bytes at " + where(place), site);
      }
      if (write.stamp.by == Stamp::kNobody) {
        thread.found(Fault::never_written, "a read of " + where(use.place + i), site);
      }
      check_order(use, write, true, i);
      use.known = write.stamp;
    }
    add_read(use, *byte);
  }
}

void Memory::add_read(Use& use, Byte& byte) {
  const Stamp& last = byte.read.stamp;
  if (byte.more_reads == 0) {
    // Who is ordered after me is ordered after those whom I know.
    if (last.by < Stamp::kFirst || last == use.known_read || use.thread.knows(last)) {
      use.known_read = last;
      byte.read = use.mine;
      return;
    }
    if (unused_lists_.empty()) {
      unused_lists_.push_back(static_cast<uint32_t>(read_lists_.size()));
      read_lists_.emplace_back();
    }
    byte.more_reads = unused_lists_.back();
    unused_lists_.pop_back();
  }
  std::vector<Access>& list = read_lists_[byte.more_reads];
  if (list.size() % 256 == 255) {  // now and then, for it takes its time
    std::erase_if(list, [&](const Access& access) { return use.thread.knows(access.stamp); });
  }
  list.push_back(byte.read);
  byte.read = use.mine;
}

void Memory::check_write(Use& use, const Byte& byte, size_t at) const {
  if (byte.write.stamp.by == Stamp::kOutside) {
    use.thread.found(Fault::out_of_bounds, "a write to " + where(use.place + at), use.site);
  }
  if (byte.write.stamp != use.known) check_order(use, byte.write, true, at);
  if (byte.read.stamp != use.known_read) check_order(use, byte.read, false, at);
  use.known = byte.write.stamp;
  use.known_read = byte.read.stamp;
  for (const Access& read : read_lists_[byte.more_reads]) check_order(use, read, false, at);
}

void Memory::write(Thread& thread, const void* place, size_t bytes, bool atomic, Site site) {
  Region* region = region_of(thread, place, bytes, site);
  if (region->content == Content::input) {
    thread.found(Fault::input_written, "a write to " + where(place), site);
  }
  Use use{thread, static_cast<const std::byte*>(place), true, atomic, site};
  Byte* byte = &region->bytes[static_cast<size_t>(use.place - region->begin)];
  for (size_t i = 0; i < bytes; ++i, ++byte) {
    check_write(use, *byte, i);
    byte->write = use.mine;
    if (atomic) continue;  // reads by others may still be without order to what comes next
    forget_reads(*byte);
  }
}

void Memory::forget_reads(Byte& byte) {
  byte.read = {};
  if (byte.more_reads == 0) return;
  read_lists_[byte.more_reads].clear();
  unused_lists_.push_back(byte.more_reads);
  byte.more_reads = 0;
}

void Memory::give_to_copy(Thread& thread, std::byte* place, size_t bytes, uint32_t arrival, uint32_t phase,
                          Site site) {
  Region* region = region_of(thread, place, bytes, site);
  const Access copy{{arrival | Stamp::kCopy, phase}, shorten(site)};
  Use use{thread, place, true, false, site};
  Byte* byte = &region->bytes[static_cast<size_t>(place - region->begin)];
  for (size_t i = 0; i < bytes; ++i, ++byte) {
    check_write(use, *byte, i);
    const Stamp& last = byte->write.stamp;
    if (last.by >= Stamp::kFirst && !last.is_copy() && !thread.block->has_shown(last)) {
      thread.found(Fault::copy_not_shown,
                   where(place + i) + " was written by " + who(last, thread.block->thread_count()) + " at " +
                       describe(lengthen(byte->write.site)),
                   site);
    }
    byte->write = copy;
    forget_reads(*byte);
  }
}

}  // namespace simt
