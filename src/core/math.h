// exp and log of docs/numerics.md section 4, and the constants. The steps of exp are in exp-inl.h.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "core/host_device.h"

namespace wprim::math {

template <class A>
struct Exp;

template <>
struct Exp<float> {
  using Bits = uint32_t;
  static constexpr int kMantissa = 23;
  static constexpr float kCut = -87.0f, kLog2e = 0x1.715476p+0f, kMagic = 0x1.8p+23f;
  static constexpr float kLn2Hi = 0x1.62p-1f, kLn2Lo = 0x1.c85fep-10f;
  static constexpr int kTerms = 7;
  static WPRIM_HD constexpr float term(
      int i) {  // a function, for a table would have no address on the device
    constexpr float c[] = {1.0f, 1.0f, 0.5f, 0x1.5554dcp-3f, 0x1.555518p-5f, 0x1.120be2p-7f, 0x1.6d117cp-10f};
    return c[i];
  }
};

template <>
struct Exp<double> {
  using Bits = uint64_t;
  static constexpr int kMantissa = 52;
  static constexpr double kCut = -708.0, kLog2e = 0x1.71547652b82fep+0, kMagic = 0x1.8p+52;
  static constexpr double kLn2Hi = 0x1.62e42p-1, kLn2Lo = 0x1.fdf473de6af28p-22;
  static constexpr int kTerms = 14;
  static WPRIM_HD constexpr double term(int i) {
    constexpr double c[] = {1.0,
                            1.0,
                            1.0 / 2,
                            1.0 / 6,
                            1.0 / 24,
                            1.0 / 120,
                            1.0 / 720,
                            1.0 / 5040,
                            1.0 / 40320,
                            1.0 / 362880,
                            1.0 / 3628800,
                            1.0 / 39916800,
                            1.0 / 479001600,
                            1.0 / 6227020800.0};
    return c[i];
  }
};

#include "core/exp-inl.h"

// One number at a time, on the host and in kernels that do not know better.
template <class A>
struct ScalarLane {
  using Value = A;
  using Number = A;
  using K = Exp<A>;
  WPRIM_HD A set(A x) const { return x; }
  WPRIM_HD A sub(A a, A b) const { return a - b; }
  WPRIM_HD A negate(A a) const { return -a; }
  WPRIM_HD A fma(A a, A b, A c) const { return std::fma(a, b, c); }
  WPRIM_HD A add_to_exponent(A p, A t) const {
    using Bits = typename K::Bits;
    return std::bit_cast<A>(std::bit_cast<Bits>(p) + (std::bit_cast<Bits>(t) << K::kMantissa));
  }
  WPRIM_HD A zero_below(A cut, A d, A value) const { return d < cut ? A(0) : value; }
};

// log(x) for finite x >= 1.
WPRIM_HD double log_from_one(double x) {
  using K = Exp<double>;
  const uint64_t bits = std::bit_cast<uint64_t>(x);
  double k = static_cast<double>(static_cast<int64_t>(bits >> 52) - 1023);
  double z = std::bit_cast<double>((bits & 0xfffffffffffff) | 0x3ff0000000000000);
  if (z > 0x1.6a09e667f3bcdp+0) {
    z *= 0.5;
    k += 1;
  }
  const double f = z - 1;
  const double s = f / (2 + f);
  const double w = s * s;
  double p = 2.0 / 21;
  for (int i = 8; i >= 0; --i) p = std::fma(p, w, 2.0 / (2 * i + 3));
  const double r = w * p;
  const double u = std::fma(k, K::kLn2Lo, -(s * (f - r)));
  return std::fma(k, K::kLn2Hi, f + u);
}

}  // namespace wprim::math
