// The 256 slots of a chunk, one a thread, folded by a block: docs/numerics.md section 3, rule 4.
#pragma once

#include "core/order.h"
#include "cuda/machine.cuh"
#include "cuda/warp/states.cuh"

namespace wprim::block {

// Entry: `shared` holds 256 slots that all were written before a barrier; the 32 lanes of one warp come.
// Exit: lane 0 has the fold.
template <class Algebra, class Params, class State>
WPRIM_DEVICE State fold_shared(const Params& params, const State* shared) {
  constexpr unsigned per_lane = order::kSlots / machine::kWarp;
  State slot[per_lane];
#pragma unroll
  for (unsigned k = 0; k < per_lane; ++k) slot[k] = shared[machine::lane_index() + k * machine::kWarp];
#pragma unroll
  for (unsigned w = per_lane / 2; w > 0; w /= 2) {
#pragma unroll
    for (unsigned k = 0; k < w; ++k) slot[k] = Algebra::combine(params, slot[k], slot[k + w]);
  }
  return warp::fold_warp<Algebra>(params, slot[0]);
}

// Entry: a block of 256 threads, thread s holds slot s; `shared` has room for 256 states and nobody reads it any more.
// Exit: thread 0 has the fold. One barrier.
template <class Algebra, class Params, class State>
WPRIM_DEVICE State fold_slots(const Params& params, State state, State* shared) {
  shared[machine::thread_index()] = state;
  machine::block_barrier();  // all slots are in shared memory before warp 0 reads them
  if (machine::warp_index() == 0) state = fold_shared<Algebra>(params, shared);
  return state;
}

}  // namespace wprim::block
