// Pieces of a row as slots: a thread loads and folds a slot, a warp folds a piece.
#pragma once

#include "core/order.h"
#include "cuda/kernels/source.cuh"
#include "cuda/warp/states.cuh"

namespace wprim::cuda {

inline constexpr unsigned kSlotsPerLane = order::kSlots / machine::kWarp;

// Folds the lanes' slots: slot s of the piece is slot s / 32 of lane s % 32. Lane 0 has the result.
template <class Algebra, class Params, class State = typename Algebra::State>
WPRIM_DEVICE State fold_slots(const Params& params, State (&slot)[kSlotsPerLane]) {
#pragma unroll
  for (unsigned w = kSlotsPerLane / 2; w > 0; w /= 2) {
#pragma unroll
    for (unsigned k = 0; k < w; ++k) slot[k] = Algebra::combine(params, slot[k], slot[k + w]);
  }
  return warp::fold_warp<Algebra>(params, slot[0]);
}

// The vectors of one slot of a piece of n elements, all in flight at once: `in[r]` is that of round r. At most one of
// them is awkward, so only one is loaded element by element.
template <unsigned kBytes>
WPRIM_DEVICE void load_slot(const Source<kBytes>& source, uint32_t slot, uint32_t n,
                            machine::Vector (&in)[order::kRounds]) {
  constexpr uint32_t v = Source<kBytes>::kComponents;
  uint32_t awkward = order::kRounds;
#pragma unroll
  for (uint32_t r = 0; r < order::kRounds; ++r) {
    const uint32_t j = r * order::kSlots + slot;
    if (j * v >= n) continue;
    if (source.is_easy(j, n - j * v)) {
      in[r] = source.easy(j);
    } else {
      awkward = r;
    }
  }
  if (awkward < order::kRounds) {
    const uint32_t j = awkward * order::kSlots + slot;
    const machine::Vector last = source.awkward(j, n - j * v < v ? n - j * v : v);
#pragma unroll
    for (uint32_t r = 0; r < order::kRounds; ++r) {
      if (r == awkward) in[r] = last;
    }
  }
}

// What slot `slot` of a piece of n elements becomes; `index` is the piece's first element's place in the row.
template <class Algebra, class Params, class State = typename Algebra::State>
WPRIM_DEVICE State fold_slot(const Params& params, const machine::Vector (&in)[order::kRounds], uint32_t slot,
                             uint32_t n, uint64_t index) {
  constexpr uint32_t v = Source<Algebra::kBytes>::kComponents;
  if (slot * v >= n) return Algebra::missing();
  auto state = Algebra::first(params, in[0], n - slot * v < v ? n - slot * v : v, index + slot * v);
#pragma unroll
  for (uint32_t r = 1; r < order::kRounds; ++r) {
    const uint32_t first = (r * order::kSlots + slot) * v;
    if (first < n) Algebra::next(params, state, in[r], n - first < v ? n - first : v, index + first);
  }
  return Algebra::close(params, state);
}

// The same where all elements exist.
template <class Algebra, class Params, class State = typename Algebra::State>
WPRIM_DEVICE State fold_full_slot(const Params& params, const machine::Vector (&in)[order::kRounds],
                                  uint32_t slot, uint64_t index) {
  constexpr int v = Source<Algebra::kBytes>::kComponents;
  auto state = Algebra::first(params, in[0], v, index + slot * v);
#pragma unroll
  for (uint32_t r = 1; r < order::kRounds; ++r) {
    Algebra::next(params, state, in[r], v, index + (r * order::kSlots + slot) * v);
  }
  return Algebra::close(params, state);
}

// A piece of 0 < n <= chunk elements by a warp; lane 0 has the result. All 32 lanes come. Any piece, a slot at a time.
template <class Algebra, class Params, class State = typename Algebra::State>
WPRIM_DEVICE_CALL State fold_any_piece(const Params& params, const Source<Algebra::kBytes>& source,
                                       uint32_t n, uint64_t index) {
  const uint32_t lane = machine::lane_index();
  State state[kSlotsPerLane];
#pragma unroll 1
  for (uint32_t k = 0; k < kSlotsPerLane; ++k) {
    State one = Algebra::missing();
    if (k * machine::kWarp * Source<Algebra::kBytes>::kComponents < n) {  // else no lane has anything
      machine::Vector in[order::kRounds];
      load_slot(source, k * machine::kWarp + lane, n, in);
      one = fold_slot<Algebra>(params, in, k * machine::kWarp + lane, n, index);
    }
    // A register array takes no run-time index, and unrolling all of this would be too long.
#pragma unroll
    for (uint32_t i = 0; i < kSlotsPerLane; ++i) {
      if (i == k) state[i] = one;
    }
  }
  return fold_slots<Algebra>(params, state);
}

// The same, where a piece of one round of whole aligned vectors has all its slots in flight.
template <class Algebra, class Params, class State = typename Algebra::State>
WPRIM_DEVICE State fold_piece(const Params& params, const Source<Algebra::kBytes>& source, uint32_t n,
                              uint64_t index) {
  constexpr uint32_t v = Source<Algebra::kBytes>::kComponents;
  if (n % v != 0 || n > order::kSlots * v || !source.aligned())
    return fold_any_piece<Algebra>(params, source, n, index);

  const uint32_t lane = machine::lane_index();
  State state[kSlotsPerLane];
  machine::Vector in[kSlotsPerLane];
#pragma unroll
  for (uint32_t k = 0; k < kSlotsPerLane; ++k) {
    const uint32_t j = k * machine::kWarp + lane;
    if (j * v < n) in[k] = source.aligned_full(j);
  }
#pragma unroll
  for (uint32_t k = 0; k < kSlotsPerLane; ++k) {
    const uint32_t j = k * machine::kWarp + lane;
    state[k] = Algebra::missing();
    if (j * v < n) {
      auto slot = Algebra::first(params, in[k], v, index + j * v);
      state[k] = Algebra::close(params, slot);
    }
  }
  return fold_slots<Algebra>(params, state);
}

}  // namespace wprim::cuda
