// One lane's value to all. All of tile.mask come.
#pragma once

#include "cuda/warp/numbers.cuh"

namespace wprim::warp {

// Entry: all lanes of my tile name the same lane, which takes part. Exit: all have its value.
template <class State>
WPRIM_DEVICE State broadcast(const Tile& tile, const State& state, unsigned lane) {
  return shuffle_from(tile, state, lane);
}

template <class T>
struct Found {
  T value;  // as that lane had it, to the bit
  unsigned lane;
};

// Entry: `ranks_best`: does my value equal the best? It does on one lane at least. Exit: all have the lowest such lane and
// its value.
template <class T>
WPRIM_DEVICE Found<T> broadcast_first(const Tile& tile, T value, bool ranks_best) {
  const unsigned lane = machine::lowest_lane(lanes_where(tile, ranks_best)) - tile.start();
  return {broadcast(tile, value, lane), lane};
}

// The largest (smallest) value and its lane: the lowest of equals. Any NaN wins, as in max and min.
template <class T>
WPRIM_DEVICE Found<T> broadcast_max(const Tile& tile, T value) {
  const auto rank = Ranking<T>::for_max(value);
  return broadcast_first(tile, value, rank == largest(tile, rank));
}
template <class T>
WPRIM_DEVICE Found<T> broadcast_min(const Tile& tile, T value) {
  const auto rank = Ranking<T>::for_min(value);
  return broadcast_first(tile, value, rank == smallest(tile, rank));
}

}  // namespace wprim::warp
