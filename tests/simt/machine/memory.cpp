#include "machine/memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "machine/grid.h"

namespace simt {
namespace {

// Places in kernels are near each other, so that half a pointer tells them apart.
uint32_t shorten(Site site) { return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(site)); }
Site lengthen(uint32_t site) {
  const auto near = reinterpret_cast<uintptr_t>(&memory);
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

Memory& memory() {
  static Memory one;
  return one;
}

Memory::Memory() : pages_(kArenaBytes / kPage) {
  void* arena = mmap(nullptr, kArenaBytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (arena == MAP_FAILED) {
    std::perror("simt: memory");
    std::abort();
  }
  arena_ = static_cast<std::byte*>(arena);
}

Region* Memory::allocate(std::string name, size_t bytes, Content content, size_t shift) {
  // The first gap that is large enough, with a page at either end that belongs to nobody.
  const size_t pages = (shift + bytes + kPage - 1) / kPage + 2;
  size_t first = 0, gap = 0;
  for (size_t page = 0; gap < pages; ++page) {
    if (page == pages_.size()) {
      std::fprintf(stderr, "simt: out of memory for kernels\n");
      std::abort();
    }
    gap = pages_[page] ? 0 : gap + 1;
    first = page + 1 - gap;
  }
  auto region = std::make_unique<Region>();
  region->name = std::move(name);
  region->begin = arena_ + (first + 1) * kPage + shift;
  region->end = region->begin + bytes;
  region->content = content;
  if (content != Content::input) {
    Byte byte;
    if (content == Content::zero) byte.write.stamp.by = Stamp::kHost;
    region->bytes.assign(bytes, byte);
  }
  std::memset(arena_ + first * kPage, 0xa5, pages * kPage);
  if (content == Content::zero) std::memset(region->begin, 0, bytes);
  // The pages at the ends are this region's too, so that an access beyond it finds out whose end it missed.
  std::fill_n(pages_.begin() + static_cast<ptrdiff_t>(first), pages, region.get());
  return regions_.emplace_back(std::move(region)).get();
}

void Memory::release(Region* region) {
  const auto first = std::find(pages_.begin() + (region->begin - arena_) / static_cast<ptrdiff_t>(kPage) - 1,
                               pages_.end(), region);
  std::fill(first, std::find_if(first, pages_.end(), [&](Region* other) { return other != region; }), nullptr);
  std::erase_if(regions_, [&](const auto& one) { return one.get() == region; });
}

std::string Memory::where(const void* place) const {
  const auto* at = static_cast<const std::byte*>(place);
  const Region* region = pages_[static_cast<size_t>(at - arena_) / kPage];
  return region ? "byte " + std::to_string(at - region->begin) + " of " + region->name : "no memory";
}

Region* Memory::region_of(Thread& thread, const void* place, size_t bytes, Site site) {
  const auto* at = static_cast<const std::byte*>(place);
  Region* region = pages_[static_cast<size_t>(at - arena_) / kPage];
  if (!region || at < region->begin || at + bytes > region->end) {
    thread.found(Fault::out_of_bounds, std::to_string(bytes) + " bytes at " + where(place), site);
  }
  return region;
}

size_t Memory::bytes_before_array(const void* place) const {
  const auto* at = static_cast<const std::byte*>(place);
  const Region* region = pages_[static_cast<size_t>(at - arena_) / kPage];
  return region && at < region->begin && region->begin - at < 16 ? static_cast<size_t>(region->begin - at) : 0;
}

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
  const std::string text = std::string(use.is_write ? "a write" : "a read") + " of " + where(use.place + byte) +
                           ", without order after " + (was_write ? "a write" : "a read") + " by " +
                           who(stamp, use.thread.block->thread_count()) + " at " +
                           describe(lengthen(earlier.site));
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
    byte.more_reads = static_cast<uint32_t>(read_lists_.size());
    read_lists_.emplace_back();
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
    byte->read = {};
    byte->more_reads = 0;
  }
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
    *byte = {copy, {}, 0};
  }
}

void Memory::forget(Region* region, size_t offset, size_t bytes, uint32_t written_by) {
  Byte byte;
  byte.write.stamp.by = written_by;
  std::fill_n(region->bytes.begin() + static_cast<ptrdiff_t>(offset), bytes, byte);
}

void Memory::settle() {
  for (const auto& region : regions_) {
    if (region->content == Content::shared) continue;
    for (Byte& byte : region->bytes) {
      const uint32_t by = byte.write.stamp.by;
      if (by < Stamp::kFirst && byte.read.stamp.by == Stamp::kNobody) continue;
      byte = {};
      byte.write.stamp.by = by < Stamp::kFirst ? by : Stamp::kHost;
    }
  }
  read_lists_.resize(1);
}

}  // namespace simt
