// How many elements are not zero, and how many are NaN.
#include "cpu/simd/targets.h"
#include "cpu/simd/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd/count.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "core/order_key.h"

HWY_BEFORE_NAMESPACE();
namespace wprim::cpu::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
Counts CountPiece(const void* in, size_t n) {
  using Bits = std::make_unsigned_t<typename OrderKey<T>::Key>;
  const hn::ScalableTag<Bits> d;
  const size_t lanes = hn::Lanes(d);
  const Bits* x = static_cast<const Bits*>(in);
  // The sign of a float says nothing about zero or NaN.
  const Bits magnitude =
      is_float_type<T> ? static_cast<Bits>(static_cast<Bits>(-1) >> 1) : static_cast<Bits>(-1);
  Counts counts{0, 0};
  size_t zeros = 0;
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto bits = hn::And(hn::LoadU(d, x + i), hn::Set(d, magnitude));
    zeros += hn::CountTrue(d, hn::Eq(bits, hn::Zero(d)));
    if constexpr (is_float_type<T>) {
      const hn::RebindToSigned<decltype(d)> ds;
      counts.nan += hn::CountTrue(ds, hn::Gt(hn::BitCast(ds, bits), hn::Set(ds, OrderKey<T>::kInfinity)));
    }
  }
  counts.nonzero = i - zeros;
  for (; i < n; ++i) {
    const Bits bits = x[i] & magnitude;
    counts.nonzero += bits != 0;
    if constexpr (is_float_type<T>) counts.nan += bits > static_cast<Bits>(OrderKey<T>::kInfinity);
  }
  return counts;
}

CountKernel CountOf(wprim_dtype dtype) {
  return visit_dtype(dtype, [](auto x) -> CountKernel { return CountPiece<decltype(x)>; });
}

}  // namespace wprim::cpu::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wprim::cpu::simd {

HWY_EXPORT(CountOf);

CountKernel count_kernel(wprim_dtype dtype) { return HWY_DYNAMIC_DISPATCH(CountOf)(dtype); }

}  // namespace wprim::cpu::simd
#endif
