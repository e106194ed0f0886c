// Smallest and largest element, and where an element is. Exact, so the order is free, and an element may be looked at twice:
// the first and the last vector overlap the others.
#include "cpu/simd/targets.h"
#include "cpu/simd/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd/extremes.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include <algorithm>
#include <limits>

#include "core/order_key.h"
#include "hwy/cache_control.h"

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
  } else {
    return bits;  // of bools as well: they are made 0 or 1 at the end
  }
}

template <class T, class D, class V = hn::VFromD<D>>
HWY_INLINE hn::Mask<D> IsNan(D d, V keys) {
  return hn::Or(hn::Gt(keys, hn::Set(d, OrderKey<T>::kInfinity)),
                hn::Lt(keys, hn::Set(d, OrderKey<T>::kMinusInfinity)));
}

// Where in x the first aligned vector begins that is not the one at x itself.
template <class D, class Key = hn::TFromD<D>>
HWY_INLINE size_t NextAligned(D d, const Key* x) {
  return hn::Lanes(d) - reinterpret_cast<uintptr_t>(x) / sizeof(Key) % hn::Lanes(d);
}

// A vector's lanes as one, by halves.
template <class D, class V = hn::VFromD<D>, class Combine>
HWY_INLINE hn::TFromD<D> FoldLanes(D d, V v, Combine combine) {
  if constexpr (hn::MaxLanes(d) == 1) {
    return hn::GetLane(v);
  } else {
    const hn::Half<D> half;
    return FoldLanes(half, combine(hn::LowerHalf(half, v), hn::UpperHalf(half, v)), combine);
  }
}

// The extremes so far, lane by lane.
template <class T, bool kSkipNan, class D>
struct Running {
  using V = hn::VFromD<D>;
  using Key = hn::TFromD<D>;
  V low, high;

  HWY_INLINE Running()
      : low(hn::Set(D(), std::numeric_limits<Key>::max())),
        high(hn::Set(D(), std::numeric_limits<Key>::lowest())) {}
  HWY_INLINE void Add(V bits) {
    const V keys = Keys<T>(D(), bits);
    if constexpr (kSkipNan) {
      const auto nan = IsNan<T>(D(), keys);
      low = hn::Min(low, hn::IfThenElse(nan, low, keys));
      high = hn::Max(high, hn::IfThenElse(nan, high, keys));
    } else {
      low = hn::Min(low, keys);
      high = hn::Max(high, keys);
    }
  }
  HWY_INLINE void Add(const Running& other) {
    low = hn::Min(low, other.low);
    high = hn::Max(high, other.high);
  }
};

// Asks the cache for what will be looked at soon, in this row or the next: the processor does not run ahead far enough by
// itself, least of all where it guesses the end of a row wrong. Beyond the end of the memory it does nothing.
HWY_INLINE void PrefetchAfter(const void* x) { hwy::Prefetch(static_cast<const std::byte*>(x) + 4096); }

// Less than a vector goes to vectors of half the size. More is the first vector, the last one, and between them aligned
// ones, because a load across a cache line costs two.
template <class T, bool kSkipNan, class D>
HWY_INLINE Extremes ExtremesIn(D d, const hn::TFromD<D>* x, size_t n) {
  constexpr size_t kLanes = hn::MaxLanes(D());
  if constexpr (kLanes > 1) {
    if (n < kLanes) return ExtremesIn<T, kSkipNan>(hn::Half<D>(), x, n);
  }
  Running<T, kSkipNan, D> running[4];
  PrefetchAfter(x);
  PrefetchAfter(x + n - kLanes);
  running[0].Add(hn::LoadU(d, x));
  running[1].Add(hn::LoadU(d, x + n - kLanes));
  if constexpr (kLanes == hn::MaxLanes(hn::ScalableTag<hn::TFromD<D>>())) {
    size_t i = NextAligned(d, x);
    for (; i + 4 * kLanes <= n; i += 4 * kLanes) {
      for (size_t k = 0; k < 4; ++k) {
        const auto* from = x + i + k * kLanes;
        PrefetchAfter(from);
        running[k].Add(hn::Load(d, from));
      }
    }
    for (; i + kLanes <= n; i += kLanes) running[2].Add(hn::Load(d, x + i));
    running[2].Add(running[3]);
    running[0].Add(running[2]);
  }
  running[0].Add(running[1]);
  const auto smaller = [](auto a, auto b) HWY_ATTR { return hn::Min(a, b); };
  const auto larger = [](auto a, auto b) HWY_ATTR { return hn::Max(a, b); };
  const auto low = FoldLanes(d, running[0].low, smaller), high = FoldLanes(d, running[0].high, larger);
  if constexpr (std::is_same_v<T, boolean>) return {low != 0, high != 0};
  return {OrderKey<T>::widen(low), OrderKey<T>::widen(high)};
}

template <class T, bool kSkipNan>
Extremes ExtremesPiece(const void* in, size_t n) {
  using Key = typename OrderKey<T>::Key;
  return ExtremesIn<T, kSkipNan>(hn::ScalableTag<Key>(), static_cast<const Key*>(in), n);
}

// The same way through x.
template <class T, bool kNan, class D, class V = hn::VFromD<D>, class Key = hn::TFromD<D>>
HWY_INLINE size_t FindIn(D d, const Key* x, size_t n, Key wanted) {
  constexpr size_t kLanes = hn::MaxLanes(D());
  if constexpr (kLanes > 1) {
    if (n < kLanes) return FindIn<T, kNan>(hn::Half<D>(), x, n, wanted);
  }
  const auto match = [&](V bits) HWY_ATTR {
    if constexpr (kNan) {
      return IsNan<T>(d, Keys<T>(d, bits));
    } else if constexpr (std::is_same_v<T, boolean>) {
      return hn::Eq(hn::Min(bits, hn::Set(d, 1)), hn::Set(d, wanted));
    } else {
      return hn::Eq(bits, hn::Set(d, wanted));
    }
  };
  const auto any = [&](V a, V b, V c, V e) HWY_ATTR {
    if constexpr (std::is_same_v<T, boolean>) {  // a vector that has a match if one of them has
      const V one = wanted ? hn::Or(hn::Or(a, b), hn::Or(c, e)) : hn::Min(hn::Min(a, b), hn::Min(c, e));
      return !hn::AllFalse(d, match(one));
    } else {
      return !hn::AllFalse(d, hn::Or(hn::Or(match(a), match(b)), hn::Or(match(c), match(e))));
    }
  };
  size_t i = 0, next = NextAligned(d, x);
  for (;;) {
    const auto found = match(hn::LoadU(d, x + i));
    if (!hn::AllFalse(d, found)) return i + static_cast<size_t>(hn::FindFirstTrue(d, found));
    if (i == n - kLanes) return n;
    if constexpr (kLanes == hn::MaxLanes(hn::ScalableTag<Key>())) {
      for (; next + 4 * kLanes <= n; next += 4 * kLanes) {
        const Key* from = x + next;
        if (any(hn::Load(d, from), hn::Load(d, from + kLanes), hn::Load(d, from + 2 * kLanes),
                hn::Load(d, from + 3 * kLanes))) {
          break;
        }
      }
    }
    i = std::min(next, n - kLanes);
    next = i + kLanes;
  }
}

template <class T, bool kNan>
size_t Find(const void* in, size_t n, int64_t key) {
  using Key = typename OrderKey<T>::Key;
  const auto wanted = std::bit_cast<Key>(OrderKey<T>::element(OrderKey<T>::narrow(key)));
  return FindIn<T, kNan>(hn::ScalableTag<Key>(), static_cast<const Key*>(in), n, wanted);
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
