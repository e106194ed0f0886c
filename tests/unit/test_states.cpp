// Merging states of variance and logsumexp: right in value, exact with a missing state, and the special
// values.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "core/states.h"

namespace wprim {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(Moments, MergeGivesTheMomentsOfBoth) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal(1e3, 5);
  for (int round = 0; round < 1000; ++round) {
    Moments<double> all{0, 0, 0};
    std::vector<double> x(1 + random() % 50);
    for (size_t i = 0; i < x.size();) {  // in pieces of random length
      Moments<double> piece{0, 0, 0};
      for (size_t end = std::min(x.size(), i + 1 + random() % 7); i < end; ++i) {
        x[i] = normal(random);
        piece = merge(piece, {1, x[i], 0});
      }
      all = merge(all, piece);
    }
    long double mean = 0, m2 = 0;
    for (double value : x) mean += value;
    mean /= static_cast<long double>(x.size());
    for (double value : x) m2 += (value - mean) * (value - mean);
    EXPECT_EQ(all.n, x.size());
    EXPECT_NEAR(all.mean, static_cast<double>(mean), 1e-9);
    EXPECT_NEAR(all.m2, static_cast<double>(m2), 1e-9 * static_cast<double>(m2) + 1e-9);
  }
}

TEST(Moments, AMissingStateChangesNothing) {
  const Moments<float> a{3, -0.0f, std::numeric_limits<float>::quiet_NaN()}, missing{0, 5, 6};
  const Moments<float> left = merge(a, missing), right = merge(missing, a);
  for (const auto& m : {left, right}) {
    EXPECT_EQ(m.n, 3u);
    EXPECT_TRUE(std::signbit(m.mean));
    EXPECT_TRUE(std::isnan(m.m2));
  }
  EXPECT_EQ(merge(missing, missing).n, 0u);
}

TEST(Moments, CountsBeyondTheMantissa) {
  const uint64_t big = 1ull << 40;
  const Moments<float> m = merge(Moments<float>{big, 1, 0}, Moments<float>{1, 1, 0});
  EXPECT_EQ(m.n, big + 1) << "counts are integers, not floats";
  EXPECT_EQ(m.mean, 1.0f);
  EXPECT_EQ(m.m2, 0.0f);
}

LogSum<double> one(double x) { return {x, 1}; }

TEST(LogSum, MergeGivesTheLogOfTheSum) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-700, 700);
  for (int i = 0; i < 1000; ++i) {
    const double a = uniform(random), b = i % 2 ? a + uniform(random) / 1000 : uniform(random),
                 c = uniform(random);
    const double got = finish(merge(merge(one(a), one(b)), one(c)));
    const long double truth =
        std::log(std::exp(static_cast<long double>(a)) + std::exp(static_cast<long double>(b)) +
                 std::exp(static_cast<long double>(c)));
    EXPECT_NEAR(got, static_cast<double>(truth), 1e-12 * std::fabs(static_cast<double>(truth)) + 1e-14);
  }
}

TEST(LogSum, SpecialValues) {
  const LogSum<double> identity{-kInf, 0};
  EXPECT_EQ(finish(merge(identity, identity)), -kInf);
  EXPECT_EQ(finish(merge(one(-kInf), one(-kInf))), -kInf);
  EXPECT_EQ(finish(merge(one(-kInf), one(3))), 3.0);
  EXPECT_EQ(finish(merge(one(3), one(-kInf))), 3.0);
  EXPECT_EQ(finish(merge(one(kInf), one(3))), kInf);
  EXPECT_EQ(finish(merge(one(3), one(kInf))), kInf);
  EXPECT_EQ(finish(merge(one(kInf), one(kInf))), kInf);
  EXPECT_EQ(finish(merge(one(kInf), one(-kInf))), kInf);
  for (double x : {-kInf, 3.0, kInf, kNan}) {
    EXPECT_TRUE(std::isnan(finish(merge(LogSum<double>{kNan, kNan}, one(x)))));
    EXPECT_TRUE(std::isnan(finish(merge(one(x), LogSum<double>{kNan, kNan}))));
  }
  EXPECT_EQ(merge(one(2), one(2)).s, 2.0) << "equal ones are exact";
}

}  // namespace
}  // namespace wprim
