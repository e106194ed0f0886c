// Smallest and largest element, and where an element is. Exact, so the order is free: whole vectors, and the last one
// overlaps the one before it.
#include "cpu/simd/targets.h"
#include "cpu/simd/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd/extremes.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include <algorithm>
#include <limits>

#include "core/order_key.h"

HWY_BEFORE_NAMESPACE();
namespace wprim::cpu::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Element bits as keys, a vector at a time: what OrderKey<T>::of does to one element.
template <class T, class D, class V = hn::VFromD<D>>
HWY_INLINE V Keys(D d, V bits) {
  using Key = hn::TFromD<D>;
  if constexpr (is_float_type<T>) {
    const V magnitude = hn::Set(d, std::numeric_limits<Key>::max());
    return hn::Xor(bits, hn::And(hn::BroadcastSignBit(bits), magnitude));
  } else if constexpr (std::is_same_v<T, boolean>) {
    return hn::Min(bits, hn::Set(d, Key(1)));
  } else {
    return bits;
  }
}

template <class T, class D, class V = hn::VFromD<D>>
HWY_INLINE hn::Mask<D> IsNan(D d, V keys) {
  return hn::Or(hn::Gt(keys, hn::Set(d, OrderKey<T>::kInfinity)),
                hn::Lt(keys, hn::Set(d, OrderKey<T>::kMinusInfinity)));
}

// The extreme lane. Highway folds lanes of 4 and 8 bytes; smaller ones by halving, which the compiler does in vectors.
template <class D, class V = hn::VFromD<D>, class Key = hn::TFromD<D>>
HWY_INLINE Key LowestLane(D d, V v) {
  if constexpr (sizeof(Key) >= 4) {
    return hn::GetLane(hn::MinOfLanes(d, v));
  } else {
    HWY_ALIGN Key lane[hn::MaxLanes(d)];
    hn::Store(v, d, lane);
    for (size_t half = hn::Lanes(d) / 2; half > 0; half /= 2) {
      for (size_t i = 0; i < half; ++i) lane[i] = std::min(lane[i], lane[i + half]);
    }
    return lane[0];
  }
}
template <class D, class V = hn::VFromD<D>, class Key = hn::TFromD<D>>
HWY_INLINE Key HighestLane(D d, V v) {
  if constexpr (sizeof(Key) >= 4) {
    return hn::GetLane(hn::MaxOfLanes(d, v));
  } else {
    HWY_ALIGN Key lane[hn::MaxLanes(d)];
    hn::Store(v, d, lane);
    for (size_t half = hn::Lanes(d) / 2; half > 0; half /= 2) {
      for (size_t i = 0; i < half; ++i) lane[i] = std::max(lane[i], lane[i + half]);
    }
    return lane[0];
  }
}

template <class T, bool kSkipNan>
Extremes ExtremesPiece(const void* in, size_t n) {
  using Key = typename OrderKey<T>::Key;
  const hn::ScalableTag<Key> d;
  const size_t lanes = hn::Lanes(d);
  const Key* x = static_cast<const Key*>(in);
  constexpr Key kLowest = std::numeric_limits<Key>::lowest(), kHighest = std::numeric_limits<Key>::max();

  auto low0 = hn::Set(d, kHighest), high0 = hn::Set(d, kLowest);
  auto low1 = low0, high1 = high0;
  const auto fold = [&](auto bits, auto& low, auto& high) HWY_ATTR {
    const auto keys = Keys<T>(d, bits);
    if constexpr (kSkipNan) {
      const auto nan = IsNan<T>(d, keys);
      low = hn::Min(low, hn::IfThenElse(nan, hn::Set(d, kHighest), keys));
      high = hn::Max(high, hn::IfThenElse(nan, hn::Set(d, kLowest), keys));
    } else {
      low = hn::Min(low, keys);
      high = hn::Max(high, keys);
    }
  };

  if (n < lanes) {  // too short for a vector: repeat the first element, which changes no extreme
    HWY_ALIGN Key part[hn::MaxLanes(d)];
    hn::Store(hn::Set(d, x[0]), d, part);
    for (size_t i = 0; i < n; ++i) part[i] = x[i];
    fold(hn::Load(d, part), low0, high0);
  } else {
    size_t i = 0;
    for (; i + 4 * lanes <= n; i += 4 * lanes) {
      fold(hn::LoadU(d, x + i), low0, high0);
      fold(hn::LoadU(d, x + i + lanes), low1, high1);
      fold(hn::LoadU(d, x + i + 2 * lanes), low0, high0);
      fold(hn::LoadU(d, x + i + 3 * lanes), low1, high1);
    }
    for (; i + lanes <= n; i += lanes) fold(hn::LoadU(d, x + i), low0, high0);
    fold(hn::LoadU(d, x + n - lanes), low1, high1);
  }
  return {OrderKey<T>::widen(LowestLane(d, hn::Min(low0, low1))),
          OrderKey<T>::widen(HighestLane(d, hn::Max(high0, high1)))};
}

template <class T, bool kNan>
size_t Find(const void* in, size_t n, int64_t key) {
  using Key = typename OrderKey<T>::Key;
  const hn::ScalableTag<Key> d;
  const size_t lanes = hn::Lanes(d);
  const Key* x = static_cast<const Key*>(in);
  [[maybe_unused]] const Key wanted = OrderKey<T>::narrow(key);
  const auto match = [&](auto bits) HWY_ATTR {
    const auto keys = Keys<T>(d, bits);
    if constexpr (kNan) {
      return IsNan<T>(d, keys);
    } else {
      return hn::Eq(keys, hn::Set(d, wanted));
    }
  };
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto found = match(hn::LoadU(d, x + i));
    if (!hn::AllFalse(d, found)) return i + static_cast<size_t>(hn::FindFirstTrue(d, found));
  }
  if (i == n) return n;
  HWY_ALIGN Key part[hn::MaxLanes(d)];
  hn::Store(hn::Zero(d), d, part);
  for (size_t j = i; j < n; ++j) part[j - i] = x[j];
  const auto found = hn::And(match(hn::Load(d, part)), hn::FirstN(d, n - i));
  return hn::AllFalse(d, found) ? n : i + static_cast<size_t>(hn::FindFirstTrue(d, found));
}

ExtremesKernel ExtremesOf(wprim_dtype dtype, bool skip_nan) {
  return visit_dtype(dtype, [&](auto x) -> ExtremesKernel {
    using T = decltype(x);
    if constexpr (is_float_type<T>) {
      if (skip_nan) return ExtremesPiece<T, true>;
    }
    return ExtremesPiece<T, false>;
  });
}

FindKernel FindKey(wprim_dtype dtype) {
  return visit_dtype(dtype, [](auto x) -> FindKernel { return Find<decltype(x), false>; });
}

FindKernel FindNan(wprim_dtype dtype) {
  return visit_dtype(dtype, [](auto x) -> FindKernel {
    if constexpr (is_float_type<decltype(x)>) return Find<decltype(x), true>;
    return nullptr;
  });
}

}  // namespace wprim::cpu::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wprim::cpu::simd {

HWY_EXPORT(ExtremesOf);
HWY_EXPORT(FindKey);
HWY_EXPORT(FindNan);

ExtremesKernel extremes_kernel(wprim_dtype dtype, bool skip_nan) {
  return HWY_DYNAMIC_DISPATCH(ExtremesOf)(dtype, skip_nan);
}
FindKernel find_key_kernel(wprim_dtype dtype) { return HWY_DYNAMIC_DISPATCH(FindKey)(dtype); }
FindKernel find_nan_kernel(wprim_dtype dtype) { return HWY_DYNAMIC_DISPATCH(FindNan)(dtype); }

}  // namespace wprim::cpu::simd
#endif
