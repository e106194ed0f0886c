// The elements of a vector of 16 bytes.
#pragma once

#include <type_traits>

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

// The vector that begins `shift` < 16 bytes into the pair (a, b).
WPRIM_DEVICE machine::Vector shifted(const machine::Vector& a, const machine::Vector& b, unsigned shift) {
  uint32_t w[8] = {a.word[0], a.word[1], a.word[2], a.word[3], b.word[0], b.word[1], b.word[2], b.word[3]};
  if (shift & 8) {
#pragma unroll
    for (int i = 0; i < 6; ++i) w[i] = w[i + 2];
  }
  if (shift & 4) {
#pragma unroll
    for (int i = 0; i < 5; ++i) w[i] = w[i + 1];
  }
  machine::Vector v;
#pragma unroll
  for (int i = 0; i < 4; ++i) v.word[i] = machine::funnel_right(w[i], w[i + 1], 8 * (shift & 3));
  return v;
}

}  // namespace wprim::cuda
