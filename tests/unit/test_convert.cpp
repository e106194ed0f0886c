// Conversions between element types and numbers, against arithmetic written out by hand: a 16-bit float is a
// sign, an exponent and a mantissa, and rounding picks the nearer neighbour out of the list of all values.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "core/convert.h"

namespace wprim {
namespace {

struct Format {
  int exponent_bits, mantissa_bits;
  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  uint16_t infinity() const { return static_cast<uint16_t>(((1 << exponent_bits) - 1) << mantissa_bits); }
  // The value of finite positive bits, by the definition of the format. Infinity stands for the next power of
  // two.
  double value(uint16_t bits) const {
    const int exponent = bits >> mantissa_bits, mantissa = bits & ((1 << mantissa_bits) - 1);
    return exponent == 0 ? std::ldexp(mantissa, 1 - bias() - mantissa_bits)
                         : std::ldexp(mantissa + (1 << mantissa_bits), exponent - bias() - mantissa_bits);
  }
  // The bits nearest to x: of two neighbours the nearer, at the middle the even one.
  uint16_t round(double x) const {
    const uint16_t sign = std::signbit(x) ? 0x8000 : 0;
    if (std::isnan(x)) return static_cast<uint16_t>(infinity() | 1 << (mantissa_bits - 1));
    x = std::fabs(x);
    if (x >= value(infinity())) return sign | infinity();
    uint16_t low = 0, high = infinity();  // value(low) <= x < value(high)
    while (high - low > 1) {
      const auto middle = static_cast<uint16_t>((low + high) / 2);
      (value(middle) <= x ? low : high) = middle;
    }
    const double middle = (value(low) + value(high)) / 2;  // exact: a double has bits to spare
    if (x == middle) return sign | (low % 2 == 0 ? low : high);
    return sign | (x < middle ? low : high);
  }
};

struct F16 {
  using Type = f16;
  static constexpr Format format = {5, 10};
};
struct Bf16 {
  using Type = bf16;
  static constexpr Format format = {8, 7};
};

template <class T>
class SmallFloat : public testing::Test {};
using SmallFloats = testing::Types<F16, Bf16>;
TYPED_TEST_SUITE(SmallFloat, SmallFloats);

TYPED_TEST(SmallFloat, EveryValueWidensExactly) {
  const Format format = TypeParam::format;
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float x = to_f32(typename TypeParam::Type{static_cast<uint16_t>(bits)});
    const auto magnitude = static_cast<uint16_t>(bits & 0x7fff);
    ASSERT_EQ(std::signbit(x), bits >= 0x8000) << bits;
    if (magnitude > format.infinity()) {
      ASSERT_TRUE(std::isnan(x)) << bits;
      // The payload stays, at the top of the mantissa.
      const uint32_t payload = (magnitude - format.infinity()) << (23 - format.mantissa_bits);
      ASSERT_EQ(std::bit_cast<uint32_t>(x) & 0x7fffff, payload) << bits;
    } else if (magnitude == format.infinity()) {
      ASSERT_TRUE(std::isinf(x)) << bits;
    } else {
      ASSERT_EQ(std::fabs(x), format.value(magnitude)) << bits;
    }
  }
}

TYPED_TEST(SmallFloat, EveryValueMakesTheRoundTrip) {
  const Format format = TypeParam::format;
  using T = typename TypeParam::Type;
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const T x{static_cast<uint16_t>(bits)};
    const bool nan = (bits & 0x7fff) > format.infinity();
    const uint32_t expected = nan ? format.infinity() | 1u << (format.mantissa_bits - 1) : bits;
    ASSERT_EQ(from_number<T>(to_number<float>(x)).bits, expected) << bits;
    ASSERT_EQ(from_number<T>(to_number<double>(x)).bits, expected) << bits;
  }
}

TYPED_TEST(SmallFloat, MiddlesAndTheirNeighboursRound) {
  const Format format = TypeParam::format;
  using T = typename TypeParam::Type;
  for (uint16_t low = 0; low < format.infinity(); ++low) {
    const auto high = static_cast<uint16_t>(low + 1);
    const double middle = (format.value(low) + format.value(high)) / 2;
    ASSERT_EQ(from_number<T>(std::nextafter(middle, 0.0)).bits, low);
    ASSERT_EQ(from_number<T>(middle).bits, low % 2 == 0 ? low : high);
    ASSERT_EQ(from_number<T>(std::nextafter(middle, INFINITY)).bits, high);
    ASSERT_EQ(from_number<T>(-middle).bits, 0x8000 | (low % 2 == 0 ? low : high));
  }
}

TYPED_TEST(SmallFloat, RandomNumbersRound) {
  const Format format = TypeParam::format;
  using T = typename TypeParam::Type;
  std::mt19937_64 random(1);
  for (int i = 0; i < 1'000'000; ++i) {
    // Any double at all, and one in or about the range of the format.
    const auto wild = std::bit_cast<double>(static_cast<uint64_t>(random()));
    const int exponent = static_cast<int>(random() % (2 * format.bias() + 40)) - format.bias() - 30;
    const double tame =
        std::ldexp(1 + static_cast<double>(random() >> 11) * 0x1p-53, exponent) * (i % 2 ? 1 : -1);
    for (double x : {wild, tame}) {
      ASSERT_EQ(from_number<T>(x).bits, format.round(x)) << std::hexfloat << x;
      const auto narrow = static_cast<float>(x);
      ASSERT_EQ(from_number<T>(narrow).bits, format.round(narrow)) << std::hexfloat << narrow;
    }
  }
}

TYPED_TEST(SmallFloat, RoundsOnceNotByWayOfF32) {
  // Just above the middle of two neighbours, by less than f32 can tell: by way of f32 it would be a tie.
  const Format format = TypeParam::format;
  const double middle = (format.value(0x3c00) + format.value(0x3c01)) / 2;
  EXPECT_EQ(from_number<typename TypeParam::Type>(std::nextafter(middle, 100.0)).bits, 0x3c01);
}

TEST(Convert, FloatsToFloats) {
  EXPECT_EQ(std::bit_cast<uint32_t>(from_number<float>(0x1.000001p0)), 0x3f800000u) << "tie to even";
  EXPECT_EQ(std::bit_cast<uint32_t>(from_number<float>(0x1.0000010000001p0)), 0x3f800001u);
  EXPECT_EQ(std::bit_cast<uint32_t>(from_number<float>(0x1p-149 / 2)), 0u);
  EXPECT_EQ(std::bit_cast<uint32_t>(from_number<float>(0x1.8p-149)), 2u) << "subnormal tie";
  EXPECT_EQ(std::bit_cast<uint32_t>(from_number<float>(1e300)), 0x7f800000u);
  for (uint64_t nan : {0x7ff0000000000001ull, 0xfff8000000001234ull, 0xffffffffffffffffull}) {
    EXPECT_EQ(std::bit_cast<uint64_t>(from_number<double>(std::bit_cast<double>(nan))),
              0x7ff8000000000000ull);
    EXPECT_EQ(std::bit_cast<uint32_t>(from_number<float>(std::bit_cast<double>(nan))), 0x7fc00000u);
  }
}

TEST(Convert, IntegersToNumbers) {
  EXPECT_EQ(to_number<double>(int8_t{-128}), -128.0);
  EXPECT_EQ(to_number<double>(uint32_t{4294967295}), 4294967295.0);
  EXPECT_EQ(to_number<double>((int64_t{1} << 53) + 1), 0x1p53) << "tie to even";
  EXPECT_EQ(to_number<double>((int64_t{1} << 53) + 3), 0x1p53 + 4) << "tie to even";
  EXPECT_EQ(to_number<double>(-(int64_t{1} << 53) - 3), -0x1p53 - 4);
  EXPECT_EQ(to_number<double>(UINT64_MAX), 0x1p64);
  EXPECT_EQ(to_number<double>(UINT64_MAX - 1024), 0x1p64 - 2048) << "tie to even";
  for (int byte = 0; byte < 256; ++byte) {
    const boolean x{static_cast<uint8_t>(byte)};
    EXPECT_EQ(to_number<float>(x), byte ? 1.0f : 0.0f);
    EXPECT_EQ(to_word(x), byte ? 1u : 0u);
  }
}

TEST(Convert, IntegersToWords) {
  EXPECT_EQ(to_word(int8_t{-1}), UINT64_MAX);
  EXPECT_EQ(to_word(int16_t{-32768}), 0xffffffffffff8000u);
  EXPECT_EQ(to_word(uint8_t{255}), 255u);
  EXPECT_EQ(to_word(INT64_MIN), 1ull << 63);
}

}  // namespace
}  // namespace wprim
