#include "machine/memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "machine/grid.h"

namespace simt {

Memory::Memory() : pages_(kArenaBytes / kPage) {
  void* arena =
      mmap(nullptr, kArenaBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
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
  std::fill(first, std::find_if(first, pages_.end(), [&](Region* other) { return other != region; }),
            nullptr);
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
  return region && at < region->begin && region->begin - at < 16 ? static_cast<size_t>(region->begin - at)
                                                                 : 0;
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
  unused_lists_.clear();
}

}  // namespace simt
