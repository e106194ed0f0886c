// Sums and products in the canonical order.
#include "cpu/simd/targets.h"
#include "cpu/simd/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd/fold.cpp"
#include "hwy/foreach_target.h"
#include "hwy/cache_control.h"
#include "hwy/highway.h"

#include "cpu/simd/tree-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wprim::cpu::simd::HWY_NAMESPACE {

// kFill is the element that stands for a missing one: lifting it, or adding it, changes nothing.
struct AddAlgebra {
  static constexpr int kParts = 1;
  static constexpr float kFill = -0.0f;
  template <class D>
  static HWY_INLINE Vectors<AddAlgebra, D> Combine(D, const Vectors<AddAlgebra, D>& a,
                                                   const Vectors<AddAlgebra, D>& b) {
    return {{hn::Add(a.part[0], b.part[0])}};
  }
};

struct Sum : AddAlgebra {
  template <class D, class V>
  static HWY_INLINE V First(D, V x) {
    return x;
  }
  template <class D, class V>
  static HWY_INLINE V Next(D, V a, V x) {
    return hn::Add(a, x);
  }
};

struct AbsoluteSum : AddAlgebra {
  template <class D, class V>
  static HWY_INLINE V First(D, V x) {
    return hn::Abs(x);
  }
  template <class D, class V>
  static HWY_INLINE V Next(D, V a, V x) {
    return hn::Add(a, hn::Abs(x));
  }
};

struct SquareSum : AddAlgebra {
  template <class D, class V>
  static HWY_INLINE V First(D, V x) {
    return hn::Mul(x, x);
  }
  template <class D, class V>
  static HWY_INLINE V Next(D d, V a, V x) {
    return Fma(d, x, x, a);
  }
};

struct Product {
  static constexpr int kParts = 1;
  static constexpr float kFill = 1.0f;
  template <class D>
  static HWY_INLINE Vectors<Product, D> Combine(D, const Vectors<Product, D>& a,
                                                const Vectors<Product, D>& b) {
    return {{hn::Mul(a.part[0], b.part[0])}};
  }
  template <class D, class V>
  static HWY_INLINE V First(D, V x) {
    return x;
  }
  template <class D, class V>
  static HWY_INLINE V Next(D, V a, V x) {
    return hn::Mul(a, x);
  }
};

template <class Op>
struct AlgebraOf {
  using type = AddAlgebra;
};
template <>
struct AlgebraOf<Product> {
  using type = Product;
};

template <class Op, class A>
A FoldPiece(const A* HWY_RESTRICT x, size_t n, size_t v) {
  const hn::ScalableTag<A> d;
  const size_t lanes = hn::Lanes(d);
  const size_t round = order::kSlots * v;
  const A fill = static_cast<A>(Op::kFill);
  HWY_ALIGN A memory[kRoundStates<A>];
  A* state[] = {memory};

  // Rule 2. A full chunk takes its rounds in registers; a short one stops each column where the piece ends.
  const size_t filled = n < round ? n : round;
  const size_t slots = TreeSlots<A>(filled, v);
  if (n == order::kRounds * round) {
    for (size_t i = 0; i < round; i += lanes) {
      // The rounds are four streams, which the processor's own prefetcher follows badly beyond a page; asking for the
      // next chunk in address order brings a large sum from 0.85 of the memory's speed to all of it.
      for (size_t k = 0; k < order::kRounds; ++k) hwy::Prefetch(x + order::kRounds * (round + i) + k * lanes);
      auto a = Op::First(d, hn::LoadU(d, x + i));
      a = Op::Next(d, a, hn::LoadU(d, x + i + round));
      a = Op::Next(d, a, hn::LoadU(d, x + i + 2 * round));
      a = Op::Next(d, a, hn::LoadU(d, x + i + 3 * round));
      hn::Store(a, d, memory + i);
    }
  } else {
    size_t i = 0;
    for (; i < filled; i += lanes) {
      auto a = Op::First(d, LoadPart(d, x + i, n - i, fill));
      for (size_t j = i + round; j < n; j += round) a = Op::Next(d, a, LoadPart(d, x + j, n - j, fill));
      hn::Store(a, d, memory + i);
    }
    const auto missing = Op::First(d, hn::Set(d, fill));
    for (; i < slots * v; i += lanes) hn::Store(missing, d, memory + i);
  }
  A out[1];
  Tree<typename AlgebraOf<Op>::type>(state, slots, v, out);
  return out[0];
}

template <class A>
FoldKernel<A> Choose(Fold fold) {
  switch (fold) {
    case Fold::sum: return FoldPiece<Sum, A>;
    case Fold::absolute_sum: return FoldPiece<AbsoluteSum, A>;
    case Fold::square_sum: return FoldPiece<SquareSum, A>;
    case Fold::product: return FoldPiece<Product, A>;
  }
  __builtin_unreachable();
}

FoldKernel<float> FoldF32(Fold fold) { return Choose<float>(fold); }
FoldKernel<double> FoldF64(Fold fold) { return Choose<double>(fold); }

}  // namespace wprim::cpu::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wprim::cpu::simd {

HWY_EXPORT(FoldF32);
HWY_EXPORT(FoldF64);

template <>
FoldKernel<float> fold_kernel<float>(Fold fold) {
  return HWY_DYNAMIC_DISPATCH(FoldF32)(fold);
}

template <>
FoldKernel<double> fold_kernel<double>(Fold fold) {
  return HWY_DYNAMIC_DISPATCH(FoldF64)(fold);
}

}  // namespace wprim::cpu::simd
#endif
