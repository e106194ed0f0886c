// Algebras of logsumexp: docs/numerics.md section 3.2. A piece is read twice, the second time from registers or shared
// memory: first for its largest element, then for the sum of exponentials.
#pragma once

#include "core/states.h"
#include "cuda/kernels/elements.cuh"

namespace wprim::cuda {

// kIgnore: NaNs are skipped.
template <class Elements, bool kIgnore>
struct LogSumExp {
  using A = typename Elements::Accumulator;
  struct Local {  // all of a piece have the same m, but for the missing
    A m;
    A s;
  };
  using State = LogSum<A>;
  static constexpr unsigned kBytes = Elements::kBytes;
  static constexpr int kComponents = 16 / kBytes;
  static constexpr int kPartialComponents = 16 / sizeof(A);
  static constexpr bool kCommutative = true;
  static constexpr A kInfinity = std::numeric_limits<A>::infinity();

  // An ignored NaN is -inf, and so is a missing element: never the largest, and its exponential is 0.
  static WPRIM_DEVICE void elements(const ReduceParams& params, const machine::Vector& v, int count,
                                    A (&x)[kComponents]) {
#pragma unroll
    for (int c = 0; c < kComponents; ++c) x[c] = Elements::get(params, v, c);
    if (kIgnore) {
#pragma unroll
      for (int c = 0; c < kComponents; ++c) x[c] = x[c] != x[c] ? -kInfinity : x[c];
    }
    if (count < kComponents) {
#pragma unroll
      for (int c = 1; c < kComponents; ++c) x[c] = c < count ? x[c] : -kInfinity;
    }
  }

  // First reading. NaN is the largest of all.
  struct Largest {
    using Local = A;
    using Slot = A;
    static constexpr unsigned kBytes = Elements::kBytes;
    static WPRIM_DEVICE Slot first(const ReduceParams& params, const machine::Vector& v, int count,
                                   uint32_t) {
      A x[kComponents];
      elements(params, v, count, x);
      A m = x[0];
#pragma unroll
      for (int c = 1; c < kComponents; ++c) m = machine::larger_or_nan(m, x[c]);
      return m;
    }
    static WPRIM_DEVICE void next(const ReduceParams& params, Slot& slot, const machine::Vector& v, int count,
                                  uint32_t offset) {
      slot = machine::larger_or_nan(slot, first(params, v, count, offset));
    }
    static WPRIM_DEVICE Local close(const ReduceParams&, Slot& slot) { return slot; }
    static WPRIM_DEVICE Local missing_local() { return -kInfinity; }
    static WPRIM_DEVICE A combine(const ReduceParams&, A a, A b) { return machine::larger_or_nan(a, b); }
  };

  // Second reading: exp(x - m) summed.
  struct Exponentials {
    using Local = A;
    struct Slot {
      A value[kComponents];
    };
    static constexpr unsigned kBytes = Elements::kBytes;
    // An infinite m decides the row whatever the sum is, so that exp_of_difference() need not look for x = m: with 0 in
    // its place there is no inf - inf.
    struct WithLargest {
      const ReduceParams& params;
      A base;
      WPRIM_DEVICE WithLargest(const ReduceParams& p, A m)
          : params(p), base(m == kInfinity || m == -kInfinity ? A(0) : m) {}
    };
    static WPRIM_DEVICE void terms(const WithLargest& with, const machine::Vector& v, int count,
                                   A (&x)[kComponents]) {
      elements(with.params, v, count, x);
#pragma unroll
      for (int c = 0; c < kComponents; ++c) {
        x[c] = math::exp_nonpositive(math::ScalarLane<A>{}, x[c] - with.base);
      }
    }
    static WPRIM_DEVICE Slot first(const WithLargest& with, const machine::Vector& v, int count, uint32_t) {
      Slot slot;
      terms(with, v, count, slot.value);
      return slot;
    }
    static WPRIM_DEVICE void next(const WithLargest& with, Slot& slot, const machine::Vector& v, int count,
                                  uint32_t) {
      A x[kComponents];
      terms(with, v, count, x);
#pragma unroll
      for (int c = 0; c < kComponents; ++c) slot.value[c] += x[c];
    }
    static WPRIM_DEVICE Local close(const WithLargest&, Slot& slot) {
#pragma unroll
      for (int w = kComponents / 2; w > 0; w /= 2) {
#pragma unroll
        for (int c = 0; c < w; ++c) slot.value[c] += slot.value[c + w];
      }
      return slot.value[0];
    }
    static WPRIM_DEVICE Local missing_local() { return 0; }
    template <class Params>
    static WPRIM_DEVICE A combine(const Params&, A a, A b) {
      return a + b;
    }
  };

  static WPRIM_DEVICE Local missing_local() { return {-kInfinity, 0}; }
  static WPRIM_DEVICE State missing() { return {-kInfinity, 0}; }
  static WPRIM_DEVICE State state(const ReduceParams&, const Local& local, uint64_t) {
    return {local.m, local.s};
  }
  static WPRIM_DEVICE Local combine(const ReduceParams&, const Local& a, const Local& b) {
    return {machine::larger_or_nan(a.m, b.m), a.s + b.s};
  }
  static WPRIM_DEVICE State combine(const ReduceParams&, const State& a, const State& b) {
    return merge(a, b);
  }
  static WPRIM_DEVICE void finish(const ReduceParams& params, uint64_t row, const State& a) {
    store_number(params, row, wprim::finish(a));
  }
};

}  // namespace wprim::cuda
