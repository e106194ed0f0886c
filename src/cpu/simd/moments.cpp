// (count, mean, sum of squared deviations) in the canonical order: docs/numerics.md section 3.1.
#include "cpu/simd/targets.h"
#include "cpu/simd/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd/moments.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "cpu/simd/tree-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wprim::cpu::simd::HWY_NAMESPACE {

// merge() of core/states.h, a vector at a time. The counts of a chunk are small integers, exact in A.
struct MomentsAlgebra {
  static constexpr int kParts = 3;  // count, mean, m2
  template <class D, class States = Vectors<MomentsAlgebra, D>>
  static HWY_INLINE States Combine(D d, const States& a, const States& b) {
    const auto zero = hn::Zero(d);
    const auto n = hn::Add(a.part[0], b.part[0]);
    const auto r = hn::Div(b.part[0], n);
    const auto delta = hn::Sub(b.part[1], a.part[1]);
    const auto mean = Fma(d, delta, r, a.part[1]);
    const auto m2 = Fma(d, hn::Mul(delta, delta), hn::Mul(a.part[0], r), hn::Add(a.part[2], b.part[2]));
    const auto a_missing = hn::Eq(a.part[0], zero), b_missing = hn::Eq(b.part[0], zero);
    States out;
    out.part[0] = n;
    out.part[1] = hn::IfThenElse(b_missing, a.part[1], hn::IfThenElse(a_missing, b.part[1], mean));
    out.part[2] = hn::IfThenElse(b_missing, a.part[2], hn::IfThenElse(a_missing, b.part[2], m2));
    return out;
  }
};

// The state of single elements: the first `left` lanes of x, or fewer where NaNs are skipped.
template <bool kSkipNan, class D, class V = hn::VFromD<D>>
HWY_INLINE Vectors<MomentsAlgebra, D> Elements(D d, V x, size_t left) {
  auto present = hn::FirstN(d, left < hn::Lanes(d) ? left : hn::Lanes(d));
  if constexpr (kSkipNan) present = hn::And(present, hn::Eq(x, x));
  Vectors<MomentsAlgebra, D> out;
  out.part[0] = hn::IfThenElseZero(present, hn::Set(d, 1));
  out.part[1] = x;
  out.part[2] = hn::Zero(d);
  return out;
}

// The rounds of one full column without NaNs to skip: every count is known, so the ratios are constants.
template <class D, class A>
HWY_INLINE Vectors<MomentsAlgebra, D> FullColumn(D d, const A* x, size_t round) {
  auto mean = hn::LoadU(d, x);
  auto m2 = hn::Zero(d);
  for (size_t k = 1; k < order::kRounds; ++k) {
    const A r = A(1) / static_cast<A>(k + 1);
    const auto delta = hn::Sub(hn::LoadU(d, x + k * round), mean);
    mean = Fma(d, delta, hn::Set(d, r), mean);
    m2 = Fma(d, hn::Mul(delta, delta), hn::Set(d, static_cast<A>(k) * r), m2);
  }
  return {{hn::Set(d, static_cast<A>(order::kRounds)), mean, m2}};
}

template <bool kSkipNan, class A>
Moments<A> MomentsPiece(const A* HWY_RESTRICT x, size_t n, size_t v) {
  const hn::ScalableTag<A> d;
  const size_t lanes = hn::Lanes(d);
  const size_t round = order::kSlots * v;
  HWY_ALIGN A memory[MomentsAlgebra::kParts][kRoundStates<A>];
  A* state[] = {memory[0], memory[1], memory[2]};

  const size_t filled = n < round ? n : round;
  const size_t slots = TreeSlots<A>(filled, v);
  const bool full = n == order::kRounds * round;
  size_t i = 0;
  for (; i < filled; i += lanes) {
    Vectors<MomentsAlgebra, hn::ScalableTag<A>> a;
    if (full && !kSkipNan) {
      a = FullColumn(d, x + i, round);
    } else {
      a = Elements<kSkipNan>(d, LoadPart(d, x + i, n - i, A(0)), n - i);
      for (size_t j = i + round; j < n; j += round) {
        a = MomentsAlgebra::Combine(d, a, Elements<kSkipNan>(d, LoadPart(d, x + j, n - j, A(0)), n - j));
      }
    }
    StoreStates<MomentsAlgebra>(d, a, state, i);
  }
  for (; i < slots * v; i += lanes)
    StoreStates<MomentsAlgebra>(d, Elements<false>(d, hn::Zero(d), 0), state, i);
  A out[MomentsAlgebra::kParts];
  Tree<MomentsAlgebra>(state, slots, v, out);
  return {static_cast<uint64_t>(out[0]), out[1], out[2]};
}

MomentsKernel<float> MomentsF32(bool skip_nan) {
  return skip_nan ? MomentsPiece<true, float> : MomentsPiece<false, float>;
}
MomentsKernel<double> MomentsF64(bool skip_nan) {
  return skip_nan ? MomentsPiece<true, double> : MomentsPiece<false, double>;
}

}  // namespace wprim::cpu::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wprim::cpu::simd {
HWY_EXPORT(MomentsF32);
HWY_EXPORT(MomentsF64);

template <>
MomentsKernel<float> moments_kernel<float>(bool skip_nan) {
  return HWY_DYNAMIC_DISPATCH(MomentsF32)(skip_nan);
}

template <>
MomentsKernel<double> moments_kernel<double>(bool skip_nan) {
  return HWY_DYNAMIC_DISPATCH(MomentsF64)(skip_nan);
}

}  // namespace wprim::cpu::simd
#endif
