// A row in global memory as vectors of 16 bytes, whatever its alignment and length.
#pragma once

#include <type_traits>

#include "cuda/kernels/reduce_params.h"
#include "cuda/machine.cuh"

namespace wprim::cuda {

template <unsigned kBytes>
using BitsOf = std::conditional_t<
    kBytes == 1, uint8_t,
    std::conditional_t<kBytes == 2, uint16_t, std::conditional_t<kBytes == 4, uint32_t, uint64_t>>>;

// Element c of a vector.
template <class T>
WPRIM_DEVICE T component(const machine::Vector& v, int c) {
  constexpr int per_word = 4 / sizeof(T);
  T out;
  if constexpr (sizeof(T) == 8) {
    const uint64_t bits = static_cast<uint64_t>(v.word[2 * c + 1]) << 32 | v.word[2 * c];
    memcpy(&out, &bits, 8);
  } else if constexpr (sizeof(T) == 4) {
    memcpy(&out, &v.word[c], 4);
  } else {
    const uint32_t word = v.word[c / per_word] >> (8 * sizeof(T) * (c % per_word));
    if constexpr (sizeof(T) == 2) {
      const uint16_t bits = static_cast<uint16_t>(word);
      memcpy(&out, &bits, 2);
    } else {
      const uint8_t bits = static_cast<uint8_t>(word);
      memcpy(&out, &bits, 1);
    }
  }
  return out;
}

// The vector with zero bits for all but its first `count` elements.
template <unsigned kElementBytes>
WPRIM_DEVICE machine::Vector first_elements(machine::Vector v, int count) {
  const int bits = count * static_cast<int>(kElementBytes) * 8;
#pragma unroll
  for (int w = 0; w < 4; ++w) {
    const int mine = bits - 32 * w;
    v.word[w] = mine >= 32 ? v.word[w] : mine <= 0 ? 0 : v.word[w] & ((1u << mine) - 1);
  }
  return v;
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

  // Any of them.
  WPRIM_DEVICE machine::Vector part(uint32_t j, uint32_t count) const {
    return is_easy(j, count) ? easy(j) : awkward(j, count);
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

  // A vector that lies across two aligned ones: both are loaded (the second is the next lane's first) and shifted.
  WPRIM_DEVICE machine::Vector straddling(const std::byte* p) const {
    const std::byte* aligned = p - shift_;
    const machine::Vector a = machine::load_kept(aligned), b = machine::load_kept(aligned + 16);
    uint32_t w[8] = {a.word[0], a.word[1], a.word[2], a.word[3], b.word[0], b.word[1], b.word[2], b.word[3]};
    if (shift_ & 8) {
#pragma unroll
      for (int i = 0; i < 6; ++i) w[i] = w[i + 2];
    }
    if (shift_ & 4) {
#pragma unroll
      for (int i = 0; i < 5; ++i) w[i] = w[i + 1];
    }
    machine::Vector v;
#pragma unroll
    for (int i = 0; i < 4; ++i) v.word[i] = machine::funnel_right(w[i], w[i + 1], 8 * (shift_ & 3));
    return v;
  }

  const std::byte* base_;
  const std::byte* end_;
  unsigned shift_;
};

}  // namespace wprim::cuda
