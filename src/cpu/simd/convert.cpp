// Elements of every type as accumulators.
#include "cpu/simd/targets.h"
#include "cpu/simd/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd/convert.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "core/convert.h"

HWY_BEFORE_NAMESPACE();
namespace wprim::cpu::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Plain loops: the compiler vectorises them for the instruction set of this namespace. f16 has an instruction of its own,
// but not in SSE4: what Highway does instead takes infinities and NaNs for large numbers.
template <class T, class A>
void Convert(const void* in, size_t n, bool replace_nan, A stand_in, A* HWY_RESTRICT out) {
  const T* HWY_RESTRICT x = static_cast<const T*>(in);
  size_t i = 0;
  if constexpr (std::is_same_v<T, f16> && std::is_same_v<A, float> && HWY_TARGET != HWY_SSE4) {
    const hn::ScalableTag<float> d;
    const hn::Rebind<hwy::float16_t, decltype(d)> half;
    for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
      hn::StoreU(hn::PromoteTo(d, hn::LoadU(half, reinterpret_cast<const hwy::float16_t*>(x + i))), d,
                 out + i);
    }
  }
  for (; i < n; ++i) out[i] = to_number<A>(x[i]);
  if constexpr (is_float_type<T>) {
    if (replace_nan) {
      for (i = 0; i < n; ++i) out[i] = out[i] == out[i] ? out[i] : stand_in;
    }
  }
}

template <class A>
ConvertKernel<A> Choose(wprim_dtype dtype) {
  return visit_dtype(dtype, [](auto x) -> ConvertKernel<A> { return Convert<decltype(x), A>; });
}

ConvertKernel<float> ConvertF32(wprim_dtype dtype) { return Choose<float>(dtype); }
ConvertKernel<double> ConvertF64(wprim_dtype dtype) { return Choose<double>(dtype); }

}  // namespace wprim::cpu::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wprim::cpu::simd {

HWY_EXPORT(ConvertF32);
HWY_EXPORT(ConvertF64);

template <>
ConvertKernel<float> convert_kernel<float>(wprim_dtype dtype) {
  return HWY_DYNAMIC_DISPATCH(ConvertF32)(dtype);
}

template <>
ConvertKernel<double> convert_kernel<double>(wprim_dtype dtype) {
  return HWY_DYNAMIC_DISPATCH(ConvertF64)(dtype);
}

}  // namespace wprim::cpu::simd
#endif
