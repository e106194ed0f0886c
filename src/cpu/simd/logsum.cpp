// The pair (m, s) of a piece: docs/numerics.md section 3.2.
#include "cpu/simd/targets.h"
#include "cpu/simd/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd/logsum.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include <limits>

#include "cpu/simd/tree-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wprim::cpu::simd::HWY_NAMESPACE {

// What core/math.h needs to know of a vector.
template <class A>
struct VectorLane {
  using D = hn::ScalableTag<A>;
  using Value = hn::VFromD<D>;
  using Number = A;
  D d;
  HWY_INLINE Value set(A x) const { return hn::Set(d, x); }
  HWY_INLINE Value sub(Value a, Value b) const { return hn::Sub(a, b); }
  HWY_INLINE Value negate(Value a) const { return hn::Neg(a); }
  HWY_INLINE Value fma(Value a, Value b, Value c) const { return Fma(d, a, b, c); }
  HWY_INLINE Value add_to_exponent(Value p, Value t) const {
    const hn::RebindToUnsigned<D> du;
    return hn::BitCast(
        d, hn::Add(hn::BitCast(du, p), hn::ShiftLeft<math::Exp<A>::kMantissa>(hn::BitCast(du, t))));
  }
  HWY_INLINE Value zero_below(A cut, Value x, Value value) const {
    return hn::IfThenZeroElse(hn::Lt(x, hn::Set(d, cut)), value);
  }
};

#include "core/exp-inl.h"

template <class A>
LogSum<A> LogSumPiece(const A* x, size_t n, size_t v, A* scratch) {
  const hn::ScalableTag<A> d;
  const size_t lanes = hn::Lanes(d);
  constexpr A kInfinity = std::numeric_limits<A>::infinity();

  auto largest = hn::Set(d, -kInfinity);
  auto nan = hn::IsNaN(largest);  // none yet
  for (size_t i = 0; i < n; i += lanes) {
    const auto value = LoadPart(d, x + i, n - i, -kInfinity);
    largest = hn::Max(largest, value);
    nan = hn::Or(nan, hn::IsNaN(value));
  }
  if (!hn::AllFalse(d, nan))
    return {std::numeric_limits<A>::quiet_NaN(), std::numeric_limits<A>::quiet_NaN()};
  const auto m = hn::MaxOfLanes(d, largest);

  const VectorLane<A> lane;
  size_t i = 0;
  for (; i < n; i += lanes) {
    const auto value = LoadPart(d, x + i, n - i, -kInfinity);
    const auto e = exp_nonpositive(lane, hn::Sub(value, m));
    const auto exact =
        hn::IfThenElse(hn::Eq(value, m), hn::Set(d, A(1)), e);  // infinities: x - m would be NaN
    if (n - i >= lanes) {
      hn::StoreU(exact, d, scratch + i);
    } else {
      HWY_ALIGN A last[hn::MaxLanes(d)];
      hn::Store(exact, d, last);
      for (size_t j = 0; j < n - i; ++j) scratch[i + j] = last[j];
    }
  }
  return {hn::GetLane(m), fold_kernel<A>(Fold::sum)(scratch, n, v)};
}

LogSumKernel<float> LogSumF32() { return LogSumPiece<float>; }
LogSumKernel<double> LogSumF64() { return LogSumPiece<double>; }

}  // namespace wprim::cpu::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wprim::cpu::simd {

HWY_EXPORT(LogSumF32);
HWY_EXPORT(LogSumF64);

template <>
LogSumKernel<float> logsum_kernel<float>() {
  return HWY_DYNAMIC_DISPATCH(LogSumF32)();
}

template <>
LogSumKernel<double> logsum_kernel<double>() {
  return HWY_DYNAMIC_DISPATCH(LogSumF64)();
}

}  // namespace wprim::cpu::simd
#endif
