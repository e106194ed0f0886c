// Conversions between element types and accumulators; docs/numerics.md section 1. Integer arithmetic only where a
// library function could round twice or depend on the processor.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/dtype.h"
#include "core/host_device.h"

namespace wprim {

template <class T>
inline constexpr bool is_float_type = std::is_same_v<T, float> || std::is_same_v<T, double> ||
                                      std::is_same_v<T, f16> || std::is_same_v<T, bf16>;

WPRIM_HD float to_f32(bf16 x) { return std::bit_cast<float>(static_cast<uint32_t>(x.bits) << 16); }

WPRIM_HD float to_f32(f16 x) {
  const uint32_t sign = static_cast<uint32_t>(x.bits & 0x8000) << 16;
  const uint32_t magnitude = x.bits & 0x7fff;
  if (magnitude >= 0x7c00) return std::bit_cast<float>(sign | 0x7f800000 | (magnitude & 0x3ff) << 13);
  // Below 2^-14 the number is magnitude * 2^-24, which f32 holds exactly.
  if (magnitude < 0x400) {
    return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(static_cast<float>(magnitude) * 0x1p-24f));
  }
  return std::bit_cast<float>(sign | ((magnitude << 13) + (112u << 23)));
}

// Any element as a number of type A (f32 or f64).
template <class A, class T>
WPRIM_HD A to_number(T x) {
  if constexpr (std::is_same_v<T, f16> || std::is_same_v<T, bf16>) {
    return static_cast<A>(to_f32(x));
  } else if constexpr (std::is_same_v<T, boolean>) {
    return x.byte != 0 ? A(1) : A(0);
  } else {
    return static_cast<A>(x);
  }
}

// Any integer element modulo 2^64.
template <class T>
WPRIM_HD uint64_t to_word(T x) {
  if constexpr (std::is_same_v<T, boolean>) {
    return x.byte != 0;
  } else {
    return static_cast<uint64_t>(x);  // sign-extends signed types
  }
}

// Rounds a double to a float format of `mantissa` stored bits and `exponent` bits, in one rounding to nearest even.
// NaN becomes the format's one quiet NaN.
template <int exponent, int mantissa>
WPRIM_HD uint16_t round_to_small_float(double x) {
  constexpr int bias = (1 << (exponent - 1)) - 1;
  constexpr uint32_t infinity = ((1u << exponent) - 1) << mantissa;
  const uint64_t bits = std::bit_cast<uint64_t>(x);
  const uint32_t sign = static_cast<uint32_t>(bits >> 63) << (exponent + mantissa);
  const int e = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
  const uint64_t fraction = bits & 0xfffffffffffff;
  if (e == 1024) {
    if (fraction) return static_cast<uint16_t>(infinity | 1u << (mantissa - 1));
    return static_cast<uint16_t>(sign | infinity);
  }
  if (e > bias) return static_cast<uint16_t>(sign | infinity);
  if (e < -bias - mantissa) return static_cast<uint16_t>(sign);  // less than half of the smallest subnormal
  // The significand with its hidden bit, to be shifted right so that the format's last place is bit 0.
  const uint64_t significand = fraction | 1ull << 52;
  const int shift = e >= 1 - bias ? 52 - mantissa : 52 - mantissa + (1 - bias - e);
  const uint64_t kept = significand >> shift;
  const uint64_t rest = significand & ((1ull << shift) - 1);
  const uint64_t half = 1ull << (shift - 1);
  const uint64_t rounded = kept + (rest > half || (rest == half && (kept & 1)));
  // A normal number's hidden bit adds 1 to the exponent field, as does a carry out of the mantissa: both are meant.
  const uint64_t field = e >= 1 - bias ? static_cast<uint64_t>(e + bias - 1) : 0;
  return static_cast<uint16_t>(sign | ((field << mantissa) + rounded));
}

// A number of type A rounded once to the output type. NaN becomes the type's one quiet NaN.
template <class T, class A>
WPRIM_HD T from_number(A x) {
  static_assert(is_float_type<T>);
  if constexpr (std::is_same_v<T, f16>) {
    return f16{round_to_small_float<5, 10>(static_cast<double>(x))};
  } else if constexpr (std::is_same_v<T, bf16>) {
    return bf16{round_to_small_float<8, 7>(static_cast<double>(x))};
  } else if constexpr (std::is_same_v<T, float>) {
    return x != x ? std::bit_cast<float>(0x7fc00000u) : static_cast<float>(x);
  } else {
    return x != x ? std::bit_cast<double>(0x7ff8000000000000ull) : static_cast<double>(x);
  }
}

}  // namespace wprim
