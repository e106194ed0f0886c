// The memory that a context handed out and has not got back: tells a pointer that is not its own, or was freed before.
#pragma once

#include <map>
#include <mutex>

#include "core/status.h"

namespace wprim {

class Allocations {
 public:
  enum class Origin { device, host };                // wprim_malloc, wprim_malloc_host
  using Entry = std::map<void*, Origin>::node_type;  // taken out, and can go in again without allocating

  // Throws bad_alloc: the memory is then still the caller's.
  void remember(Origin origin, void* ptr) {
    std::lock_guard lock(mutex_);
    entries_.emplace(ptr, origin);
  }

  // Takes the entry of memory that is about to be given back.
  Status forget(Origin origin, void* ptr, Entry* entry) {
    std::lock_guard lock(mutex_);
    const auto found = entries_.find(ptr);
    if (found == entries_.end() || found->second != origin) {
      return invalid("ptr = %p is not memory of %s of this context, or was freed already", ptr,
                     origin == Origin::device ? "wprim_malloc" : "wprim_malloc_host");
    }
    *entry = entries_.extract(found);
    return {};
  }

  // Giving back failed: the memory is the caller's again.
  void restore(Entry entry) {
    std::lock_guard lock(mutex_);
    entries_.insert(std::move(entry));
  }

  // For the end of the context, when nobody else is left.
  template <class F>
  void for_each(F&& f) const {
    for (const auto& [ptr, origin] : entries_) f(ptr, origin);
  }

 private:
  std::mutex mutex_;
  std::map<void*, Origin> entries_;
};

}  // namespace wprim
