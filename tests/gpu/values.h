// Random elements of any type, among them all that is special, and their order as docs/numerics.md says it: written from the
// text, not with core/order_key.h, which it is compared with.
#pragma once

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>

#include "core/convert.h"

namespace gpu_test {

using wprim::bf16;
using wprim::boolean;
using wprim::f16;

template <size_t kSize>
using Bits = std::conditional_t<
    kSize == 8, uint64_t,
    std::conditional_t<kSize == 4, uint32_t, std::conditional_t<kSize == 2, uint16_t, uint8_t>>>;

template <class T>
struct FloatBits;
template <>
struct FloatBits<float> {
  static constexpr uint32_t kOne = 0x3f800000, kInfinity = 0x7f800000, kQuietNan = 0x7fc00000;
};
template <>
struct FloatBits<double> {
  static constexpr uint64_t kOne = 0x3ff0000000000000, kInfinity = 0x7ff0000000000000,
                            kQuietNan = 0x7ff8000000000000;
};
template <>
struct FloatBits<f16> {
  static constexpr uint16_t kOne = 0x3c00, kInfinity = 0x7c00, kQuietNan = 0x7e00;
};
template <>
struct FloatBits<bf16> {
  static constexpr uint16_t kOne = 0x3f80, kInfinity = 0x7f80, kQuietNan = 0x7fc0;
};

enum class Values { any_bits, few, special, finite };
inline Values random_values(std::mt19937_64& random) { return static_cast<Values>(random() % 4); }

template <class T>
T random_value(std::mt19937_64& random, Values values) {
  using Word = Bits<sizeof(T)>;
  constexpr Word top = static_cast<Word>(Word{1} << (8 * sizeof(T) - 1));
  Word word = static_cast<Word>(random());
  if constexpr (wprim::is_float_type<T>) {
    using F = FloatBits<T>;
    if (values == Values::few) {
      const Word few[] = {0, F::kOne, F::kInfinity};
      word = static_cast<Word>(few[word % 3] | (word & top));
    } else if (values == Values::special) {
      const Word special[] = {
          0,  // zero, the smallest and the largest subnormal, one, the largest, infinity, NaNs
          1,
          static_cast<Word>((F::kInfinity & (0 - F::kInfinity)) - 1),
          F::kOne,
          static_cast<Word>(F::kInfinity - 1),
          F::kInfinity,
          F::kQuietNan,
          static_cast<Word>(F::kInfinity + 1),
          static_cast<Word>(top - 1)};
      word = static_cast<Word>(special[random() % 9] | (word & top));
    } else if (values == Values::finite && (word & F::kInfinity) == F::kInfinity) {
      word = static_cast<Word>(word & ~F::kOne);  // the exponent of one is never empty
    }
  } else {
    if (values == Values::few) word = static_cast<Word>(word % 3 - 1);
    if (values == Values::special) {
      const Word special[] = {0, 1, static_cast<Word>(-1), top, static_cast<Word>(top - 1)};
      word = special[word % 5];
      if (sizeof(T) == 8 && random() % 2)
        word = static_cast<Word>(special[random() % 5] << 16 << 16 | special[0]);
    }
  }
  return std::bit_cast<T>(word);
}

// A type that has operator<, without changing the value.
template <class T>
auto number(T x) {
  if constexpr (std::is_same_v<T, boolean>) {
    return x.byte != 0;
  } else if constexpr (std::is_same_v<T, f16> || std::is_same_v<T, bf16>) {
    return wprim::to_f32(x);
  } else {
    return x;
  }
}

template <class T>
bool is_nan(T x) {
  return number(x) != number(x);
}

// -0 < +0. Not for NaNs.
template <class T>
bool less(T a, T b) {
  if constexpr (wprim::is_float_type<T>) {
    if (number(a) == number(b)) return std::signbit(number(a)) && !std::signbit(number(b));
  }
  return number(a) < number(b);
}

// The first of the best: a NaN, if there is one.
template <class T, class Lanes>
unsigned best_lane(const T* in, const Lanes& lanes, bool max) {
  unsigned best = lanes[0];
  for (const unsigned lane : lanes) {
    if (is_nan(in[best])) break;
    if (is_nan(in[lane]) || (max ? less(in[best], in[lane]) : less(in[lane], in[best]))) best = lane;
  }
  return best;
}

// As it is written after an operation: a NaN is the quiet one, a bool 0 or 1.
template <class T>
T canonical(T x) {
  if constexpr (wprim::is_float_type<T>) {
    if (is_nan(x)) return std::bit_cast<T>(FloatBits<T>::kQuietNan);
  } else if constexpr (std::is_same_v<T, boolean>) {
    return boolean{static_cast<uint8_t>(x.byte != 0)};
  }
  return x;
}

}  // namespace gpu_test
