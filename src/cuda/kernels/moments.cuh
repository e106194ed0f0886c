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
  static constexpr unsigned kBytes = Elements::kBytes;
  static constexpr int kComponents = 16 / kBytes;
  static constexpr int kPartialComponents = 16 / sizeof(A);
  struct Slot {
    A mean[kComponents];
    A m2[kComponents];
    uint32_t n[kComponents];
  };

  static WPRIM_DEVICE bool takes_part(A x, int c, int count) { return c < count && !(kIgnore && x != x); }
  static WPRIM_DEVICE Slot first(const ReduceParams& params, const machine::Vector& v, int count, uint64_t) {
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
                                uint64_t) {
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
  static WPRIM_DEVICE State close(const ReduceParams&, Slot& slot) {
    State state[kComponents];
#pragma unroll
    for (int c = 0; c < kComponents; ++c) state[c] = {slot.n[c], slot.mean[c], slot.m2[c]};
#pragma unroll
    for (int w = kComponents / 2; w > 0; w /= 2) {
#pragma unroll
      for (int c = 0; c < w; ++c) state[c] = merge(state[c], state[c + w]);
    }
    return state[0];
  }
  static WPRIM_DEVICE State missing() { return {0, 0, 0}; }
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
