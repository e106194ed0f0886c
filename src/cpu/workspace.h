// Scratch memory of one stream: grows, never shrinks, so that repeated work allocates nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace wprim::cpu {

class Workspace {
 public:
  // Room for n objects, uninitialised; valid until the next call. Throws bad_alloc.
  template <class T>
  T* get(uint64_t n) {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(std::max_align_t));
    const uint64_t bytes = n * sizeof(T);
    if (bytes > size_) {
      memory_.reset();  // first, so that both need not fit
      size_ = 0;
      memory_.reset(new std::byte[bytes]);
      size_ = bytes;
    }
    return reinterpret_cast<T*>(memory_.get());
  }

 private:
  std::unique_ptr<std::byte[]> memory_;
  uint64_t size_ = 0;
};

}  // namespace wprim::cpu
