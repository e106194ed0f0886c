// A row in global memory as vectors of 16 bytes, whatever its alignment and length.
#pragma once

#include "cuda/kernels/reduce_params.h"
#include "cuda/kernels/vector.cuh"

namespace wprim::cuda {

// The elements of a row that there are.
WPRIM_DEVICE uint64_t present_cols(const ReduceParams& params) {
  if (!params.count) return params.cols;
  const uint64_t count = *params.count;
  return count < params.cols ? count : params.cols;
}

template <unsigned kElementBytes>
class Source {
 public:
  static constexpr unsigned kComponents = 16 / kElementBytes;

  // `base` is the piece's first element, `end` the end of the whole array.
  WPRIM_DEVICE Source(const std::byte* base, const std::byte* end)
      : base_(base), end_(end), shift_(static_cast<unsigned>(reinterpret_cast<uintptr_t>(base) % 16)) {}

  WPRIM_DEVICE bool aligned() const { return shift_ == 0; }

  // Vector j of an aligned source, all of whose elements exist.
  WPRIM_DEVICE machine::Vector aligned_full(uint32_t j) const {
    return machine::load_streaming(base_ + 16ull * j);
  }

  // Vector j of any source, if it can be had in whole 16-byte loads: all its elements exist, and the second of the two
  // aligned vectors that it lies across does not reach beyond the array.
  WPRIM_DEVICE bool is_easy(uint32_t j, uint32_t elements_left) const {
    return elements_left >= kComponents && (shift_ == 0 || base_ + 16ull * j - shift_ + 32 <= end_);
  }
  WPRIM_DEVICE machine::Vector easy(uint32_t j) const {
    return shift_ == 0 ? aligned_full(j) : straddling(base_ + 16ull * j);
  }

  // The first `count` elements of vector j one by one; the others are zero bits.
  WPRIM_DEVICE machine::Vector awkward(uint32_t j, uint32_t count) const {
    return elements(base_ + 16ull * j, count);
  }

 private:
  WPRIM_DEVICE machine::Vector elements(const std::byte* p, uint32_t count) const {
    machine::Vector v{{0, 0, 0, 0}};
#pragma unroll
    for (uint32_t c = 0; c < kComponents; ++c) {
      if (c >= count) continue;
      const std::byte* e = p + c * kElementBytes;
      if constexpr (kElementBytes == 8) {
        const uint64_t bits = *reinterpret_cast<const uint64_t*>(e);
        v.word[2 * c] = static_cast<uint32_t>(bits);
        v.word[2 * c + 1] = static_cast<uint32_t>(bits >> 32);
      } else if constexpr (kElementBytes == 4) {
        v.word[c] = *reinterpret_cast<const uint32_t*>(e);
      } else if constexpr (kElementBytes == 2) {
        v.word[c / 2] |= static_cast<uint32_t>(*reinterpret_cast<const uint16_t*>(e)) << (16 * (c % 2));
      } else {
        v.word[c / 4] |= static_cast<uint32_t>(*reinterpret_cast<const uint8_t*>(e)) << (8 * (c % 4));
      }
    }
    return v;
  }

  // Both are loaded; the second is the next lane's first.
  WPRIM_DEVICE machine::Vector straddling(const std::byte* p) const {
    const std::byte* aligned = p - shift_;
    return shifted(machine::load_kept(aligned), machine::load_kept(aligned + 16), shift_);
  }

  const std::byte* base_;
  const std::byte* end_;
  unsigned shift_;
};

}  // namespace wprim::cuda
