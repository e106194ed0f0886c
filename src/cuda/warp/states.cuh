// Folds in the canonical order: docs/numerics.md section 3, rule 4, within a warp.
#pragma once

#include "cuda/machine.cuh"
#include "cuda/warp/shuffle.cuh"

namespace wprim::warp {

// The state of the lane whose number differs in the bits of `lanes`. All 32 lanes come.
template <class State>
WPRIM_DEVICE State shuffle_xor(const State& state, unsigned lanes) {
  return shuffle_xor(Tile::of_warp(), state, lanes);
}

// The state of lane `lane`. All 32 lanes come.
template <class State>
WPRIM_DEVICE State shuffle_from(const State& state, unsigned lane) {
  return shuffle_from(Tile::of_warp(), state, lane);
}

// Entry: each lane of a tile of `width` (a power of two, aligned) lanes holds a slot's state; all 32 lanes come. Exit: lane 0
// of each tile holds the fold by halving: lane i with i + width/2, ... i + 1; so do the others if the fold commutes.
template <class Algebra, class Params, class State>
WPRIM_DEVICE State fold_tile(const Params& params, State state, unsigned width) {
  for (unsigned w = width / 2; w > 0; w /= 2) state = Algebra::combine(params, state, shuffle_xor(state, w));
  return state;
}

// Entry: all 32 lanes come, each with a state. Exit: lane 0 holds the fold by halving.
template <class Algebra, class Params, class State>
WPRIM_DEVICE State fold_warp(const Params& params, State state) {
#pragma unroll
  for (unsigned w = machine::kWarp / 2; w > 0; w /= 2) {
    state = Algebra::combine(params, state, shuffle_xor(state, w));
  }
  return state;
}

}  // namespace wprim::warp
