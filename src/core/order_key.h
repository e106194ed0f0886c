// The order of values (docs/numerics.md section 2) as integers: extrema of floats become extrema of integers, with
// -0 < +0 and every NaN beyond an infinity. A key widens to int64_t without changing the order, so that one state
// serves every type.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/convert.h"
#include "core/dtype.h"
#include "core/host_device.h"

namespace wprim {

// Integers: the element itself.
template <class T>
struct OrderKey {
  using Key = T;
  static WPRIM_HD Key of(T x) { return x; }
  static WPRIM_HD T element(Key key) { return key; }
  // u64 does not fit: turn it around its middle.
  static WPRIM_HD int64_t widen(Key key) {
    if constexpr (std::is_same_v<T, uint64_t>) return static_cast<int64_t>(key ^ (1ull << 63));
    return static_cast<int64_t>(key);
  }
  static WPRIM_HD Key narrow(int64_t wide) {
    if constexpr (std::is_same_v<T, uint64_t>) return static_cast<uint64_t>(wide) ^ (1ull << 63);
    return static_cast<Key>(wide);
  }
  static constexpr Key kEmptyLow = std::numeric_limits<T>::max();  // min and max of nothing
  static constexpr Key kEmptyHigh = std::numeric_limits<T>::lowest();
};

template <>
struct OrderKey<boolean> {
  using Key = uint8_t;
  static WPRIM_HD Key of(boolean x) { return x.byte != 0; }
  static WPRIM_HD boolean element(Key key) { return boolean{key}; }
  static WPRIM_HD int64_t widen(Key key) { return key; }
  static WPRIM_HD Key narrow(int64_t wide) { return static_cast<Key>(wide); }
  static constexpr Key kEmptyLow = 1;
  static constexpr Key kEmptyHigh = 0;
};

// Floats: the bits as a signed integer, those of negative numbers in reverse. The mapping is its own inverse.
template <class T, class Bits, Bits kInf>
struct FloatOrderKey {
  using Key = Bits;
  static constexpr Key kInfinity = kInf;
  static constexpr Key kMinusInfinity = -kInf - 1;
  static WPRIM_HD Key reflect(Key bits) {
    return static_cast<Key>(bits ^ ((bits >> (8 * sizeof(Key) - 1)) & std::numeric_limits<Key>::max()));
  }
  static WPRIM_HD Key of(T x) { return reflect(std::bit_cast<Key>(x)); }
  static WPRIM_HD T element(Key key) { return std::bit_cast<T>(reflect(key)); }
  static WPRIM_HD int64_t widen(Key key) { return key; }
  static WPRIM_HD Key narrow(int64_t wide) { return static_cast<Key>(wide); }
  static WPRIM_HD bool is_nan(Key key) { return key > kInfinity || key < kMinusInfinity; }
  static constexpr Key kEmptyLow = kInfinity;
  static constexpr Key kEmptyHigh = kMinusInfinity;
};

template <>
struct OrderKey<float> : FloatOrderKey<float, int32_t, 0x7f800000> {};
template <>
struct OrderKey<double> : FloatOrderKey<double, int64_t, 0x7ff0000000000000> {};
template <>
struct OrderKey<f16> : FloatOrderKey<f16, int16_t, 0x7c00> {};
template <>
struct OrderKey<bf16> : FloatOrderKey<bf16, int16_t, 0x7f80> {};

}  // namespace wprim
