// Reduction by any associative op over any trivially copyable state.
//
// States combine in the order of their lanes: of those that take part the first with the second, the third with the fourth,
// ..., then those pairs with each other, and so on; what finds no partner stays as it is. So the op need not commute, and
// the bits depend on the states and their order alone, not on where in the tile they are. (It is not the canonical order of
// the reduce family, which halves: that is in states.cuh.)
#pragma once

#include "cuda/warp/shuffle.cuh"

namespace wprim::warp {

// Entry: all of tile.mask come, each with a state. Exit: the leader of each tile (lane 0, if it takes part) has the result;
// the others have something.
template <class State, class Op>
WPRIM_DEVICE State reduce_to_leader(const Tile& tile, State state, Op op) {
  if (tile.is_whole()) {
#pragma unroll
    for (unsigned w = 1; w < tile.width; w *= 2) state = op(state, shuffle_down(tile, state, w));
    return state;
  }
  // Before each round I have what w lanes had, mine and those next above it, and the lowest lane of `above` is the next
  // one. No tile has more lanes than the mask, so all that come do as many rounds.
  uint32_t above = tile.lanes() & machine::lanes_above();
  const unsigned most = machine::popcount(tile.mask);
  for (unsigned w = 1; w < tile.width && w < most; w *= 2) {
    const unsigned next = above != 0 ? machine::lowest_lane(above) - tile.start() : tile.lane();
    const State theirs = shuffle_from(tile, state, next);
    if (above != 0) state = op(state, theirs);
    above = shuffle_from(tile, above, next);
  }
  return state;
}

// Entry: all of tile.mask come, each with a state. Exit: all have the result, in the same bits.
template <class State, class Op>
WPRIM_DEVICE State reduce_to_all(const Tile& tile, State state, Op op) {
  if (!tile.is_whole()) return shuffle_from(tile, reduce_to_leader(tile, state, op), tile.leader());
#pragma unroll
  for (unsigned w = 1; w < tile.width; w *= 2) {
    const State theirs = shuffle_xor(tile, state, w);
    const bool mine_first = (tile.lane() & w) == 0;
    state = op(mine_first ? state : theirs, mine_first ? theirs : state);
  }
  return state;
}

}  // namespace wprim::warp
