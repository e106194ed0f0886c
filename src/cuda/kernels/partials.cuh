// Partials of a row of many pieces: from cells or shared memory, folded by a warp or a block.
#pragma once

#include "core/order.h"
#include "cuda/block/fold.cuh"
#include "cuda/kernels/cells.cuh"
#include "cuda/kernels/reduce_params.h"
#include "cuda/warp/states.cuh"

namespace wprim::cuda {

// Components of a slot of partials by halving, of which `live` > 0 exist.
template <class Algebra, class State = typename Algebra::State, int v = Algebra::kPartialComponents>
WPRIM_DEVICE State fold_components(const ReduceParams& params, State (&component)[v], int live) {
#pragma unroll
  for (int w = v / 2; w > 0; w /= 2) {
#pragma unroll
    for (int c = 0; c < w; ++c) {
      if (c + w < live) component[c] = Algebra::combine(params, component[c], component[c + w]);
    }
  }
  return component[0];
}

// The state of one slot of partials: of `n` partials that start at cell `begin`, those of slot `s`.
template <class Algebra, unsigned kRounds, class State = typename Algebra::State>
WPRIM_DEVICE State receive_slot(const ReduceParams& params, uint64_t begin, uint64_t n, unsigned s,
                                uint32_t epoch) {
  constexpr int v = Algebra::kPartialComponents;
  constexpr unsigned at_once =
      sizeof(State) * v * kRounds <= 64 ? kRounds : 1;  // rounds that are asked for together
  constexpr uint32_t round = order::kSlots * v;
  State component[v];
  if (s * v >= n) return Algebra::missing();
  const int live = static_cast<int>(n - s * v < v ? n - s * v : v);
#pragma unroll
  for (unsigned r = 0; r < kRounds; r += at_once) {
    const uint64_t first = r * round + s * v;
    if (r > 0 && first >= n) break;
    State more[at_once * v];
    receive<v, at_once, round>(params.workspace.cells, begin + first, n - first, epoch, more);
#pragma unroll
    for (unsigned q = 0; q < at_once; ++q) {
#pragma unroll
      for (int c = 0; c < v; ++c) {
        const State& one = more[q * v + c];
        if (r + q == 0) {
          component[c] = one;
        } else if (first + q * round + c < n) {
          component[c] = Algebra::combine(params, component[c], one);
        }
      }
    }
  }
  return fold_components<Algebra>(params, component, live);
}

// The same for partials in shared memory, at most one round of a warp's slots.
template <class Algebra, class State = typename Algebra::State>
WPRIM_DEVICE State partial_slot(const ReduceParams& params, const State* partials, uint64_t n, unsigned s) {
  constexpr int v = Algebra::kPartialComponents;
  State component[v];
  const int live = s * v < n ? static_cast<int>(n - s * v < v ? n - s * v : v) : 0;
  if (live == 0) return Algebra::missing();
#pragma unroll
  for (int c = 0; c < v; ++c) {
    if (c < live) component[c] = partials[s * v + c];
  }
  return fold_components<Algebra>(params, component, live);
}

// A warp folds as many partials as are one slot for each lane; lane 0 has the result.
template <class Algebra, class State = typename Algebra::State>
WPRIM_DEVICE State fold_few_partials(const ReduceParams& params, uint64_t begin, uint64_t n, uint32_t epoch) {
  return warp::fold_warp<Algebra>(params,
                                  receive_slot<Algebra, 1>(params, begin, n, machine::lane_index(), epoch));
}

// The same for partials of the block's own, in shared memory.
template <class Algebra, class State = typename Algebra::State>
WPRIM_DEVICE State fold_own_partials(const ReduceParams& params, const State* partials, uint64_t n) {
  return warp::fold_warp<Algebra>(params, partial_slot<Algebra>(params, partials, n, machine::lane_index()));
}

// A block of 256 threads folds a group of partials, at most kRounds of them for each slot; thread 0 has the result.
template <class Algebra, unsigned kRounds, class State = typename Algebra::State>
WPRIM_DEVICE State fold_partials(const ReduceParams& params, uint64_t begin, uint64_t n, uint32_t epoch,
                                 State* shared) {
  const unsigned s = machine::thread_index();
  const State slot = receive_slot<Algebra, kRounds>(params, begin, n, s, epoch);
  machine::block_barrier();  // nobody reads `shared` for the group before this one any more
  return block::fold_slots<Algebra>(params, slot, shared);
}

// The same for a whole chunk of them; out of line, for it is long.
template <class Algebra, class State = typename Algebra::State>
WPRIM_DEVICE_CALL State fold_many_partials(const ReduceParams& params, uint64_t begin, uint64_t n,
                                           uint32_t epoch, State* shared) {
  return fold_partials<Algebra, order::kRounds>(params, begin, n, epoch, shared);
}

// The same for any number: level by level, the levels between in cells from `spare` on.
template <class Algebra, class State = typename Algebra::State>
WPRIM_DEVICE_CALL State fold_levels(const ReduceParams& params, uint64_t begin, uint64_t n, uint64_t spare,
                                    uint32_t epoch, State* shared) {
  constexpr uint64_t chunk = order::kRounds * order::kSlots * Algebra::kPartialComponents;
  while (n > chunk) {
    const uint64_t level = (n + chunk - 1) / chunk;
    for (uint64_t c = 0; c < level; ++c) {
      const uint64_t left = n - c * chunk;
      const State state =
          fold_many_partials<Algebra>(params, begin + c * chunk, left < chunk ? left : chunk, epoch, shared);
      if (machine::thread_index() == 0) send(params.workspace.cells, spare + c, state, epoch);
    }
    begin = spare;
    spare += level;
    n = level;
  }
  return fold_many_partials<Algebra>(params, begin, n, epoch, shared);
}

}  // namespace wprim::cuda
