// Algebras of logsumexp: docs/numerics.md section 3.2. A piece is read twice, the second time from the cache: first for
// its largest element, then for the sum of exponentials.
#pragma once

#include "core/states.h"
#include "cuda/kernels/elements.cuh"

namespace wprim::cuda {

template <class Elements>
struct LogSumExp {
  using A = typename Elements::Accumulator;
  using State = LogSum<A>;
  static constexpr unsigned kBytes = Elements::kBytes;
  static constexpr int kComponents = 16 / kBytes;
  static constexpr int kPartialComponents = 16 / sizeof(A);
  static constexpr A kInfinity = std::numeric_limits<A>::infinity();

  // An ignored NaN is -inf, and so is a missing element while the largest is looked for.
  static WPRIM_DEVICE A element(const ReduceParams& params, const machine::Vector& v, int c, int count) {
    const A x = Elements::get(params, v, c);
    if (params.ignore_nan && x != x) return -kInfinity;
    return c < count ? x : -kInfinity;
  }

  // First reading. NaN is the largest of all.
  struct Largest {
    using State = A;
    using Slot = A;
    static constexpr unsigned kBytes = Elements::kBytes;
    static WPRIM_DEVICE A larger(A a, A b) { return a != a || a > b ? a : b; }
    static WPRIM_DEVICE Slot first(const ReduceParams& params, const machine::Vector& v, int count,
                                   uint64_t) {
      A m = element(params, v, 0, count);
#pragma unroll
      for (int c = 1; c < kComponents; ++c) m = larger(m, element(params, v, c, count));
      return m;
    }
    static WPRIM_DEVICE void next(const ReduceParams& params, Slot& slot, const machine::Vector& v, int count,
                                  uint64_t index) {
      slot = larger(slot, first(params, v, count, index));
    }
    static WPRIM_DEVICE State close(const ReduceParams&, Slot& slot) { return slot; }
    static WPRIM_DEVICE State missing() { return -kInfinity; }
    static WPRIM_DEVICE State combine(const ReduceParams&, A a, A b) { return larger(a, b); }
  };

  // Second reading: exp(x - m) summed.
  struct Exponentials {
    using State = A;
    struct Slot {
      A value[kComponents];
    };
    static constexpr unsigned kBytes = Elements::kBytes;
    struct WithLargest {
      const ReduceParams& params;
      A m;
    };
    static WPRIM_DEVICE A term(const WithLargest& with, const machine::Vector& v, int c, int count) {
      return c < count ? exp_of_difference(element(with.params, v, c, count), with.m) : A(0);
    }
    static WPRIM_DEVICE Slot first(const WithLargest& with, const machine::Vector& v, int count, uint64_t) {
      Slot slot;
#pragma unroll
      for (int c = 0; c < kComponents; ++c) slot.value[c] = term(with, v, c, count);
      return slot;
    }
    static WPRIM_DEVICE void next(const WithLargest& with, Slot& slot, const machine::Vector& v, int count,
                                  uint64_t) {
#pragma unroll
      for (int c = 0; c < kComponents; ++c) slot.value[c] += term(with, v, c, count);
    }
    static WPRIM_DEVICE State close(const WithLargest&, Slot& slot) {
#pragma unroll
      for (int w = kComponents / 2; w > 0; w /= 2) {
#pragma unroll
        for (int c = 0; c < w; ++c) slot.value[c] += slot.value[c + w];
      }
      return slot.value[0];
    }
    static WPRIM_DEVICE State missing() { return 0; }
    template <class Params>
    static WPRIM_DEVICE State combine(const Params&, A a, A b) {
      return a + b;
    }
  };

  static WPRIM_DEVICE State missing() { return {-kInfinity, 0}; }
  static WPRIM_DEVICE State combine(const ReduceParams&, const State& a, const State& b) {
    return merge(a, b);
  }
  static WPRIM_DEVICE void finish(const ReduceParams& params, uint64_t row, const State& a) {
    store_number(params, row, wprim::finish(a));
  }
};

}  // namespace wprim::cuda
