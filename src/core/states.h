// States of the ops that round, and how two of them combine: docs/numerics.md sections 3.1 and 3.2.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "core/host_device.h"
#include "core/math.h"

namespace wprim {

// Count, mean and sum of squared deviations of some elements.
template <class A>
struct Moments {
  uint64_t n;
  A mean;
  A m2;
};

template <class A>
WPRIM_HD Moments<A> merge(const Moments<A>& a, const Moments<A>& b) {
  if (b.n == 0) return a;
  if (a.n == 0) return b;
  const uint64_t n = a.n + b.n;
  const A r = static_cast<A>(b.n) / static_cast<A>(n);
  const A d = b.mean - a.mean;
  return {n, std::fma(d, r, a.mean), std::fma(d * d, static_cast<A>(a.n) * r, a.m2 + b.m2)};
}

// sum of exp(x) as exp(m) * s, m the largest x. The identity is (-inf, 0).
template <class A>
struct LogSum {
  A m;
  A s;
};

// exp(x - m) for x <= m; 1 where they are equal, the infinities included.
template <class A>
WPRIM_HD A exp_of_difference(A x, A m) {
  return x == m ? A(1) : math::exp_nonpositive(math::ScalarLane<A>{}, x - m);
}

template <class A>
WPRIM_HD LogSum<A> merge(const LogSum<A>& a, const LogSum<A>& b) {
  if (a.m != a.m) return a;
  if (b.m != b.m) return b;
  if (a.m >= b.m) return {a.m, std::fma(b.s, exp_of_difference(b.m, a.m), a.s)};
  return {b.m, std::fma(a.s, exp_of_difference(a.m, b.m), b.s)};
}

template <class A>
WPRIM_HD double finish(const LogSum<A>& a) {
  const double m = static_cast<double>(a.m);
  if (m != m || m == std::numeric_limits<double>::infinity() ||
      m == -std::numeric_limits<double>::infinity()) {
    return m;
  }
  return m + math::log_from_one(static_cast<double>(a.s));
}

}  // namespace wprim
