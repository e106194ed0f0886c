// Algebras of sum, prod, l1, l2 and mean. An algebra says what a thread keeps of a slot (Slot), what a slot and a piece
// become (Local), what that is in the row (State), how both combine and how a row is finished; kernels/rows.cuh and
// kernels/pieces.cuh do the rest. Offsets are those of elements in the piece.
#pragma once

#include <cmath>

#include "cuda/kernels/elements.cuh"

namespace wprim::cuda {

struct SumStep {
  static constexpr float kFill = -0.0f;  // a missing element
  template <class A>
  static WPRIM_DEVICE A first(A x) {
    return x;
  }
  template <class A>
  static WPRIM_DEVICE A next(A a, A x) {
    return a + x;
  }
  template <class A>
  static WPRIM_DEVICE A combine(A a, A b) {
    return a + b;
  }
};

struct AbsoluteStep : SumStep {
  template <class A>
  static WPRIM_DEVICE A first(A x) {
    return std::fabs(x);
  }
  template <class A>
  static WPRIM_DEVICE A next(A a, A x) {
    return a + std::fabs(x);
  }
};

struct SquareStep : SumStep {
  template <class A>
  static WPRIM_DEVICE A first(A x) {
    return x * x;
  }
  template <class A>
  static WPRIM_DEVICE A next(A a, A x) {
    return std::fma(x, x, a);
  }
};

struct ProductStep {
  static constexpr float kFill = 1.0f;
  template <class A>
  static WPRIM_DEVICE A first(A x) {
    return x;
  }
  template <class A>
  static WPRIM_DEVICE A next(A a, A x) {
    return a * x;
  }
  template <class A>
  static WPRIM_DEVICE A combine(A a, A b) {
    return a * b;
  }
};

template <class Step, class Elements>
struct Rounding {
  using A = typename Elements::Accumulator;
  using Local = A;
  using State = A;
  static constexpr unsigned kBytes = Elements::kBytes;
  static constexpr int kComponents = 16 / kBytes;
  static constexpr int kPartialComponents = 16 / sizeof(A);
  static constexpr bool kCommutative = true;
  struct Slot {
    A value[kComponents];
  };

  // An ignored NaN stands as +0, or as 1 in a product.
  static WPRIM_DEVICE void elements(const ReduceParams& params, const machine::Vector& v, int count,
                                    A (&x)[kComponents]) {
#pragma unroll
    for (int c = 0; c < kComponents; ++c) x[c] = Elements::get(params, v, c);
    if (params.ignore_nan) {
#pragma unroll
      for (int c = 0; c < kComponents; ++c) {
        if (x[c] != x[c]) x[c] = Step::kFill == 1.0f ? A(1) : A(0);
      }
    }
    if (count < kComponents) {
#pragma unroll
      for (int c = 1; c < kComponents; ++c) x[c] = c < count ? x[c] : A(Step::kFill);
    }
  }

  static WPRIM_DEVICE Slot first(const ReduceParams& params, const machine::Vector& v, int count, uint32_t) {
    Slot slot;
    elements(params, v, count, slot.value);
#pragma unroll
    for (int c = 0; c < kComponents; ++c) slot.value[c] = Step::first(slot.value[c]);
    return slot;
  }
  static WPRIM_DEVICE void next(const ReduceParams& params, Slot& slot, const machine::Vector& v, int count,
                                uint32_t) {
    A x[kComponents];
    elements(params, v, count, x);
#pragma unroll
    for (int c = 0; c < kComponents; ++c) slot.value[c] = Step::next(slot.value[c], x[c]);
  }
  static WPRIM_DEVICE Local close(const ReduceParams&, Slot& slot) {
#pragma unroll
    for (int w = kComponents / 2; w > 0; w /= 2) {
#pragma unroll
      for (int c = 0; c < w; ++c) slot.value[c] = Step::combine(slot.value[c], slot.value[c + w]);
    }
    return slot.value[0];
  }
  static WPRIM_DEVICE Local missing_local() { return Step::first(A(Step::kFill)); }
  static WPRIM_DEVICE State missing() { return missing_local(); }
  static WPRIM_DEVICE State state(const ReduceParams&, Local local, uint64_t) { return local; }
  static WPRIM_DEVICE State combine(const ReduceParams&, State a, State b) { return Step::combine(a, b); }

  // Where params.plain.
  static WPRIM_DEVICE void finish_plain(const ReduceParams& params, uint64_t row, State a)
    requires requires { typename Elements::Type; }
  {
    using T = typename Elements::Type;
    reinterpret_cast<T*>(params.out)[row] = from_number<T>(a);
  }
  static WPRIM_DEVICE void finish(const ReduceParams& params, uint64_t row, State a) {
    const uint64_t cols = present_cols(params);
    if (cols == 0) a = params.op == WPRIM_PROD ? A(1) : A(0);
    if (params.op == WPRIM_MEAN) {
      store_number(params, row, static_cast<double>(a) / static_cast<double>(cols));
    } else if (params.op == WPRIM_L2) {
      store_number(params, row, std::sqrt(static_cast<double>(a)));
    } else {
      store_number(params, row, a);
    }
  }
};

// The mean of what is not NaN: a sum that also counts.
template <class Elements>
struct MeanOfPresent {
  using Sum = Rounding<SumStep, Elements>;
  using A = typename Elements::Accumulator;
  static constexpr unsigned kBytes = Elements::kBytes;
  static constexpr int kComponents = 16 / kBytes;
  static constexpr int kPartialComponents = 16 / sizeof(A);
  static constexpr bool kCommutative = true;
  struct Local {
    A sum;
    std::conditional_t<sizeof(A) == 8, uint64_t, uint32_t> count;
  };
  struct State {
    A sum;
    uint32_t count[2];  // low and high half
  };
  struct Slot {
    typename Sum::Slot sum;
    uint32_t count;
  };

  static WPRIM_DEVICE uint32_t present(const ReduceParams& params, const machine::Vector& v, int count) {
    uint32_t n = 0;
#pragma unroll
    for (int c = 0; c < kComponents; ++c) {
      const A x = Elements::get(params, v, c);
      n += c < count && x == x;
    }
    return n;
  }
  static WPRIM_DEVICE Slot first(const ReduceParams& params, const machine::Vector& v, int count,
                                 uint32_t offset) {
    return {Sum::first(params, v, count, offset), present(params, v, count)};
  }
  static WPRIM_DEVICE void next(const ReduceParams& params, Slot& slot, const machine::Vector& v, int count,
                                uint32_t offset) {
    Sum::next(params, slot.sum, v, count, offset);
    slot.count += present(params, v, count);
  }
  static WPRIM_DEVICE State make(A sum, uint64_t count) {
    State state{};
    state.sum = sum;
    state.count[0] = static_cast<uint32_t>(count);
    state.count[1] = static_cast<uint32_t>(count >> 32);
    return state;
  }
  static WPRIM_DEVICE uint64_t count_of(const State& s) {
    return static_cast<uint64_t>(s.count[1]) << 32 | s.count[0];
  }
  static WPRIM_DEVICE Local close(const ReduceParams& params, Slot& slot) {
    return {Sum::close(params, slot.sum), slot.count};
  }
  static WPRIM_DEVICE Local missing_local() { return {Sum::missing(), 0}; }
  static WPRIM_DEVICE State missing() { return make(Sum::missing(), 0); }
  static WPRIM_DEVICE State state(const ReduceParams&, const Local& local, uint64_t) {
    return make(local.sum, local.count);
  }
  static WPRIM_DEVICE Local combine(const ReduceParams&, const Local& a, const Local& b) {
    return {a.sum + b.sum, a.count + b.count};
  }
  static WPRIM_DEVICE State combine(const ReduceParams&, const State& a, const State& b) {
    return make(a.sum + b.sum, count_of(a) + count_of(b));
  }
  static WPRIM_DEVICE void finish(const ReduceParams& params, uint64_t row, const State& a) {
    const double sum = present_cols(params) == 0 ? 0.0 : static_cast<double>(a.sum);
    store_number(params, row, sum / static_cast<double>(count_of(a)));
  }
};

}  // namespace wprim::cuda
