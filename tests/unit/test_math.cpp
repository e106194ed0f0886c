// exp and log of docs/numerics.md section 4 are within 2 ulp of the true value.
#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>
#include <limits>
#include <random>

#include "core/math.h"
#include "support.h"

namespace wprim {
namespace {

template <class A>
A library_exp(A d) {
  return math::exp_nonpositive(math::ScalarLane<A>{}, d);
}

// Distance from the truth in units of A's last place.
template <class A>
double ulps(A value, long double truth) {
  const int exponent = std::max(std::ilogb(truth), std::numeric_limits<A>::min_exponent - 1);
  const long double ulp = std::ldexp(1.0L, exponent - (std::numeric_limits<A>::digits - 1));
  return static_cast<double>(std::fabs(static_cast<long double>(value) - truth) / ulp);
}

class Math : public testing::Test {
 protected:
  void SetUp() override {
    if (LDBL_MANT_DIG < 64)
      GTEST_SKIP() << "long double is no finer than double here: nothing to compare with";
  }
};

TEST_F(Math, ExpF32) {
  // Every so manieth float from -0 down to the cut.
  const auto last = std::bit_cast<uint32_t>(-87.0f);
  double worst = 0;
  for (uint32_t bits = 0x80000000; bits <= last; bits += test::kSanitized ? 1009 : 101) {
    const auto d = std::bit_cast<float>(bits);
    worst = std::max(worst, ulps(library_exp(d), std::exp(static_cast<long double>(d))));
  }
  EXPECT_LE(worst, 2.0);
}

TEST_F(Math, ExpF64) {
  std::mt19937_64 random(1);
  double worst = 0;
  for (int i = 0; i < (test::kSanitized ? 200'000 : 2'000'000); ++i) {
    // Half of them evenly over the range, half over the exponents.
    const double even = -708 * (static_cast<double>(random() >> 11) * 0x1p-53);
    const double small =
        -std::ldexp(1 + static_cast<double>(random() >> 11) * 0x1p-53, -static_cast<int>(random() % 80));
    for (double d : {even, small})
      worst = std::max(worst, ulps(library_exp(d), std::exp(static_cast<long double>(d))));
  }
  EXPECT_LE(worst, 2.0);
}

TEST_F(Math, LogFromOne) {
  std::mt19937_64 random(2);
  double worst = 0;
  const auto look_at = [&](double x) {
    if (x != 1) worst = std::max(worst, ulps(math::log_from_one(x), std::log(static_cast<long double>(x))));
  };
  double next = 1;
  for (int i = 0; i < 10000; ++i) look_at(next = std::nextafter(next, 2.0));  // where log is next to nothing
  const double sqrt2 = 0x1.6a09e667f3bcdp+0;                                  // where z is halved
  for (double x :
       {sqrt2, std::nextafter(sqrt2, 2.0), std::nextafter(sqrt2, 1.0), DBL_MAX, 0x1p1023, 2.0, 3.0})
    look_at(x);
  for (int i = 0; i < (test::kSanitized ? 200'000 : 2'000'000); ++i) {
    const double z = 1 + static_cast<double>(random() >> 11) * 0x1p-53;
    look_at(z);
    look_at(std::ldexp(z, static_cast<int>(random() % 40)));
    look_at(std::ldexp(z, static_cast<int>(random() % 1024)));
    look_at(1 + std::ldexp(z, -static_cast<int>(random() % 52)));
  }
  EXPECT_LE(worst, 2.0);
}

template <class A>
void expect_edges_of_exp() {
  const A infinity = std::numeric_limits<A>::infinity(), cut = math::Exp<A>::kCut;
  EXPECT_EQ(library_exp(A(0)), A(1));
  EXPECT_EQ(library_exp(-A(0)), A(1));
  EXPECT_EQ(library_exp(-std::numeric_limits<A>::denorm_min()), A(1));
  EXPECT_GT(library_exp(cut), std::numeric_limits<A>::min()) << "normal down to the cut";
  for (A d : {std::nextafter(cut, -infinity), A(-1000), -std::numeric_limits<A>::max(), -infinity}) {
    EXPECT_EQ(library_exp(d), A(0)) << d;
    EXPECT_FALSE(std::signbit(library_exp(d))) << d;
  }
  EXPECT_TRUE(std::isnan(library_exp(std::numeric_limits<A>::quiet_NaN())));
}

TEST(MathEdges, Exp) {
  expect_edges_of_exp<float>();
  expect_edges_of_exp<double>();
}

TEST(MathEdges, LogOfOneIsPositiveZero) { EXPECT_EQ(std::bit_cast<uint64_t>(math::log_from_one(1.0)), 0u); }

}  // namespace
}  // namespace wprim
