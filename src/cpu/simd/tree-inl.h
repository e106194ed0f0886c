// The canonical order in vectors: docs/numerics.md section 3, rules 3 and 4. Included once per instruction set.
//
// An Algebra says what a state is: kParts numbers, how two vectors of states combine, and the identity. States lie in
// kParts arrays, slot by slot, component by component.

#if defined(WPRIM_TREE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WPRIM_TREE_INL_H_
#undef WPRIM_TREE_INL_H_
#else
#define WPRIM_TREE_INL_H_
#endif

#include <bit>
#include <cmath>

#include "core/math.h"
#include "core/order.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace wprim::cpu::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// fma rounded once, also where the instruction set has none: then one lane at a time, by the C library's exact one.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE V Fma(D d, V a, V b, V c) {
#if HWY_NATIVE_FMA
  (void)d;
  return hn::MulAdd(a, b, c);
#else
  HWY_ALIGN hn::TFromD<D> x[hn::MaxLanes(d)], y[hn::MaxLanes(d)], z[hn::MaxLanes(d)];
  hn::Store(a, d, x);
  hn::Store(b, d, y);
  hn::Store(c, d, z);
  for (size_t i = 0; i < hn::Lanes(d); ++i) z[i] = std::fma(x[i], y[i], z[i]);
  return hn::Load(d, z);
#endif
}

// The first `left` elements at p, `fill` beyond; reads nothing beyond.
template <class D, class A, class V = hn::VFromD<D>>
HWY_INLINE V LoadPart(D d, const A* p, size_t left, A fill) {
  if (left >= hn::Lanes(d)) return hn::LoadU(d, p);
  HWY_ALIGN A lanes[hn::MaxLanes(d)];
  hn::Store(hn::Set(d, fill), d, lanes);
  for (size_t i = 0; i < left; ++i) lanes[i] = p[i];
  return hn::Load(d, lanes);
}

// kParts vectors: states side by side.
template <class Algebra, class D>
struct Vectors {
  hn::VFromD<D> part[Algebra::kParts];
};

template <class Algebra, class D, class A = hn::TFromD<D>>
HWY_INLINE Vectors<Algebra, D> LoadStates(D d, A* const* state, size_t i) {
  Vectors<Algebra, D> out;
  for (int p = 0; p < Algebra::kParts; ++p) out.part[p] = hn::LoadU(d, state[p] + i);
  return out;
}

template <class Algebra, class D, class A = hn::TFromD<D>>
HWY_INLINE void StoreStates(D d, const Vectors<Algebra, D>& v, A* const* state, size_t i) {
  for (int p = 0; p < Algebra::kParts; ++p) hn::StoreU(v.part[p], d, state[p] + i);
}

// Splits what lies in two vectors, groups of `width` components, into the even and the odd groups, and combines them.
// Group g of the result is (group 2g, group 2g + 1) of the input.
template <class Algebra, class D, class DGroup>
HWY_INLINE Vectors<Algebra, D> CombineGroups(D d, DGroup dg, const Vectors<Algebra, D>& lo,
                                             const Vectors<Algebra, D>& hi) {
  Vectors<Algebra, D> even, odd;
  for (int p = 0; p < Algebra::kParts; ++p) {
    const auto a = hn::BitCast(dg, lo.part[p]), b = hn::BitCast(dg, hi.part[p]);
    even.part[p] = hn::BitCast(d, hn::ConcatEven(dg, b, a));
    odd.part[p] = hn::BitCast(d, hn::ConcatOdd(dg, b, a));
  }
  return Algebra::Combine(d, even, odd);
}

// Rule 3: components of each slot by halving, in place. `slots` * v is a multiple of two vectors.
template <class Algebra, class A>
HWY_INLINE void HalveComponents(A* const* state, size_t slots, size_t v) {
  const hn::ScalableTag<A> d;
  const size_t lanes = hn::Lanes(d);
  constexpr size_t kBlock = 16 / sizeof(A);
  for (size_t w = v / 2; w > 0; w /= 2) {
    const size_t out = slots * w;
    if (w >= kBlock) {
      const hn::FixedTag<A, kBlock> block;
      for (size_t i = 0; i < out; i += kBlock) {
        const size_t from = i / w * 2 * w + i % w;
        StoreStates<Algebra>(block,
                             Algebra::Combine(block, LoadStates<Algebra>(block, state, from),
                                              LoadStates<Algebra>(block, state, from + w)),
                             state, i);
      }
    } else if (w == 1) {
      for (size_t i = 0; i < out; i += lanes) {
        StoreStates<Algebra>(d,
                             CombineGroups<Algebra>(d, d, LoadStates<Algebra>(d, state, 2 * i),
                                                    LoadStates<Algebra>(d, state, 2 * i + lanes)),
                             state, i);
      }
    } else if constexpr (kBlock > 2) {  // w == 2, pairs of f32
      const hn::RepartitionToWide<decltype(d)> pairs;
      for (size_t i = 0; i < out; i += lanes) {
        StoreStates<Algebra>(d,
                             CombineGroups<Algebra>(d, pairs, LoadStates<Algebra>(d, state, 2 * i),
                                                    LoadStates<Algebra>(d, state, 2 * i + lanes)),
                             state, i);
      }
    }
  }
}

// Rule 4 within one vector: lane i with lane i + half, down to lane 0.
template <class Algebra, class D>
HWY_INLINE void HalveLanes(D d, const Vectors<Algebra, D>& v, hn::TFromD<D>* out) {
  if constexpr (hn::MaxLanes(d) * sizeof(hn::TFromD<D>) > 16) {
    const hn::Half<D> half;
    Vectors<Algebra, hn::Half<D>> lower, upper;
    for (int p = 0; p < Algebra::kParts; ++p) {
      lower.part[p] = hn::LowerHalf(half, v.part[p]);
      upper.part[p] = hn::UpperHalf(half, v.part[p]);
    }
    HalveLanes<Algebra>(half, Algebra::Combine(half, lower, upper), out);
  } else {
    Vectors<Algebra, D> folded = v, other;
    if constexpr (sizeof(hn::TFromD<D>) == 4) {
      for (int p = 0; p < Algebra::kParts; ++p) other.part[p] = hn::Shuffle1032(folded.part[p]);
      folded = Algebra::Combine(d, folded, other);
      for (int p = 0; p < Algebra::kParts; ++p) other.part[p] = hn::Shuffle2301(folded.part[p]);
    } else {
      for (int p = 0; p < Algebra::kParts; ++p) other.part[p] = hn::Shuffle01(folded.part[p]);
    }
    folded = Algebra::Combine(d, folded, other);
    for (int p = 0; p < Algebra::kParts; ++p) out[p] = hn::GetLane(folded.part[p]);
  }
}

// How many slots the tree looks at for `filled` states: a power of two, and full vectors.
template <class A>
HWY_INLINE size_t TreeSlots(size_t filled, size_t v) {
  const size_t lanes = hn::Lanes(hn::ScalableTag<A>());
  const size_t slots = std::bit_ceil((filled + v - 1) / v);
  return slots < lanes ? lanes : slots;
}

// Rules 3 and 4 for states of which the first TreeSlots(...) * v are set, in place; the partial goes to out[kParts].
template <class Algebra, class A>
HWY_INLINE void Tree(A* const* state, size_t slots, size_t v, A* out) {
  const hn::ScalableTag<A> d;
  const size_t lanes = hn::Lanes(d);
  HalveComponents<Algebra>(state, slots, v);
  for (size_t w = slots / 2; w >= lanes; w /= 2) {
    for (size_t i = 0; i < w; i += lanes) {
      StoreStates<Algebra>(
          d, Algebra::Combine(d, LoadStates<Algebra>(d, state, i), LoadStates<Algebra>(d, state, i + w)),
          state, i);
    }
  }
  HalveLanes<Algebra>(d, LoadStates<Algebra>(d, state, 0), out);
}

// Room for the states of one round and a vector that is read beyond them.
template <class A>
inline constexpr size_t kRoundStates = order::kSlots * 16 + 64 / sizeof(A);

}  // namespace wprim::cpu::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
