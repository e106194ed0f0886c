// Keys order elements as docs/numerics.md section 2 says: -inf < ... < -0 < +0 < ... < +inf, NaNs outside.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "core/order_key.h"

namespace wprim {
namespace {

template <class T>
T random_element(std::mt19937_64& random) {
  const uint64_t word = random();
  T x;
  std::memcpy(&x, &word, sizeof x);
  return x;
}

// Is a before b, by the page and not by keys. Neither is a NaN.
template <class T>
bool before(T a, T b) {
  if constexpr (is_float_type<T>) {
    const double x = to_number<double>(a), y = to_number<double>(b);
    return x < y || (x == 0 && y == 0 && std::signbit(x) && !std::signbit(y));
  } else if constexpr (std::is_same_v<T, boolean>) {
    return !a.byte && b.byte;
  } else {
    return a < b;
  }
}

template <class T>
bool is_nan(T x) {
  if constexpr (is_float_type<T>) return std::isnan(to_number<double>(x));
  return false;
}

template <class T>
class Key : public testing::Test {};
using Types = testing::Types<float, double, f16, bf16, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t,
                             uint32_t, uint64_t, boolean>;
TYPED_TEST_SUITE(Key, Types);

TYPED_TEST(Key, OrdersElements) {
  using T = TypeParam;
  std::mt19937_64 random(1);
  std::vector<T> x;
  for (int i = 0; i < 600; ++i) x.push_back(random_element<T>(random));
  // Zeros, ones, and all bits set or nearly: where the order turns.
  for (uint64_t word :
       {0ull, 1ull, ~0ull, ~0ull << (8 * sizeof(T) - 1), ~0ull >> 1, 0x7c00ull, 0xfc00ull, 0x7f80ull,
        0xff80ull, 0x7f800000ull, 0xff800000ull, 0x7ff0000000000000ull, 0xfff0000000000000ull}) {
    T element;
    std::memcpy(&element, &word, sizeof element);
    x.push_back(element);
  }
  const auto key = [](T element) { return OrderKey<T>::widen(OrderKey<T>::of(element)); };
  for (T a : x) {
    for (T b : x) {
      if (is_nan(a) || is_nan(b)) continue;
      ASSERT_EQ(key(a) < key(b), before(a, b));
    }
  }
}

TYPED_TEST(Key, ComesBackFromWide) {
  using T = TypeParam;
  std::mt19937_64 random(2);
  for (int i = 0; i < 10000; ++i) {
    const T x = random_element<T>(random);
    const auto key = OrderKey<T>::of(x);
    ASSERT_EQ(OrderKey<T>::narrow(OrderKey<T>::widen(key)), key);
    const T back = OrderKey<T>::element(key);
    if constexpr (std::is_same_v<T, boolean>) {
      ASSERT_EQ(back.byte, x.byte != 0);
    } else {
      ASSERT_EQ(std::memcmp(&back, &x, sizeof x), 0);
    }
  }
}

TYPED_TEST(Key, NothingHasTheExtremeValuesAgainstIt) {
  using T = TypeParam;
  const auto low = OrderKey<T>::widen(OrderKey<T>::kEmptyLow),
             high = OrderKey<T>::widen(OrderKey<T>::kEmptyHigh);
  std::mt19937_64 random(3);
  for (int i = 0; i < 1000; ++i) {
    const T x = random_element<T>(random);
    if (is_nan(x)) continue;
    const auto key = OrderKey<T>::widen(OrderKey<T>::of(x));
    ASSERT_LE(key, low);
    ASSERT_GE(key, high);
  }
}

template <class T>
void expect_nans_outside(T x) {
  const auto key = OrderKey<T>::of(x);
  ASSERT_EQ(OrderKey<T>::is_nan(key), is_nan(x));
}

TEST(FloatKey, NansLieOutside) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    expect_nans_outside(f16{static_cast<uint16_t>(bits)});
    expect_nans_outside(bf16{static_cast<uint16_t>(bits)});
    expect_nans_outside(std::bit_cast<float>(bits << 16 | (bits & 1)));
    expect_nans_outside(std::bit_cast<double>(static_cast<uint64_t>(bits) << 48 | (bits & 1)));
  }
}

}  // namespace
}  // namespace wprim
