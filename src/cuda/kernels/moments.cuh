// Algebra of var and std: docs/numerics.md section 3.1.
#pragma once

#include "core/states.h"
#include "cuda/kernels/elements.cuh"

namespace wprim::cuda {

// kIgnore: NaNs are skipped. Else every count in a full slot is a constant, and so is every ratio.
template <class Elements, bool kIgnore>
struct Variance {
  using A = typename Elements::Accumulator;
  using State = Moments<A>;
  struct Local {
    A n;  // of a piece: small, so exact
    A mean;
    A m2;
  };
  static constexpr unsigned kBytes = Elements::kBytes;
  static constexpr int kComponents = 16 / kBytes;
  static constexpr int kPartialComponents = 16 / sizeof(A);
  static constexpr bool kCommutative = false;
  struct Slot {
    A mean[kComponents];
    A m2[kComponents];
    uint32_t n[kComponents];
  };

  static WPRIM_DEVICE bool takes_part(A x, int c, int count) { return c < count && !(kIgnore && x != x); }
  static WPRIM_DEVICE Slot first(const ReduceParams& params, const machine::Vector& v, int count, uint32_t) {
    Slot slot;
#pragma unroll
    for (int c = 0; c < kComponents; ++c) {
      const A x = Elements::get(params, v, c);
      slot.n[c] = takes_part(x, c, count);
      slot.mean[c] = x;
      slot.m2[c] = 0;
    }
    return slot;
  }
  // merge() with one more element. The counts are at most the rounds, so the ratio is one of four constants.
  static WPRIM_DEVICE void next(const ReduceParams& params, Slot& slot, const machine::Vector& v, int count,
                                uint32_t) {
#pragma unroll
    for (int c = 0; c < kComponents; ++c) {
      const A x = Elements::get(params, v, c);
      if (!takes_part(x, c, count)) continue;
      const uint32_t n = slot.n[c];
      slot.n[c] = n + 1;
      if (n == 0) {
        slot.mean[c] = x;
        continue;
      }
      const A r = n == 1 ? A(1) / A(2) : n == 2 ? A(1) / A(3) : A(1) / A(4);
      const A d = x - slot.mean[c];
      slot.mean[c] = std::fma(d, r, slot.mean[c]);
      slot.m2[c] = std::fma(d * d, static_cast<A>(n) * r, slot.m2[c]);
    }
  }
  static WPRIM_DEVICE Local close(const ReduceParams& params, Slot& slot) {
    Local local[kComponents];
#pragma unroll
    for (int c = 0; c < kComponents; ++c) local[c] = {static_cast<A>(slot.n[c]), slot.mean[c], slot.m2[c]};
#pragma unroll
    for (int w = kComponents / 2; w > 0; w /= 2) {
#pragma unroll
      for (int c = 0; c < w; ++c) local[c] = combine(params, local[c], local[c + w]);
    }
    return local[0];
  }
  static WPRIM_DEVICE Local missing_local() { return {0, 0, 0}; }
  static WPRIM_DEVICE State missing() { return {0, 0, 0}; }
  static WPRIM_DEVICE State state(const ReduceParams&, const Local& a, uint64_t) {
    return {static_cast<uint32_t>(a.n), a.mean, a.m2};
  }
  // merge() of core/states.h. Most counts are equal: then the ratio is a half, and nothing is divided.
  static WPRIM_DEVICE Local combine(const ReduceParams&, const Local& a, const Local& b) {
    const A n = a.n + b.n, d = b.mean - a.mean;
    A r = A(1) / A(2);
    if (a.n != b.n) {
      if (b.n == 0) return a;
      if (a.n == 0) return b;
      r = b.n / n;
    }
    return {n, std::fma(d, r, a.mean), std::fma(d * d, a.n * r, a.m2 + b.m2)};
  }
  static WPRIM_DEVICE State combine(const ReduceParams&, const State& a, const State& b) {
    return merge(a, b);
  }

  static WPRIM_DEVICE void finish(const ReduceParams& params, uint64_t row, const State& a) {
    double result = std::numeric_limits<double>::quiet_NaN();
    if (a.n > params.ddof && std::isfinite(a.mean)) {
      result = static_cast<double>(a.m2) / static_cast<double>(a.n - params.ddof);
      if (params.op == WPRIM_STD) result = std::sqrt(result);
    }
    store_number(params, row, result);
  }
};

}  // namespace wprim::cuda
