// Yes or no, asked of all lanes that take part. All of tile.mask come, and all get the answer for their tile. Who needs
// several answers to one question asks once, by lanes_where or Tile::where, and counts in the mask.
#pragma once

#include "cuda/warp/tile.cuh"

namespace wprim::warp {

WPRIM_DEVICE bool any(const Tile& tile, bool predicate) {
  if (tile.width == machine::kWarp) return machine::any(tile.mask, predicate);
  return lanes_where(tile, predicate) != 0;
}

WPRIM_DEVICE bool all(const Tile& tile, bool predicate) {
  if (tile.width == machine::kWarp) return machine::all(tile.mask, predicate);
  return lanes_where(tile, predicate) == tile.lanes();
}

WPRIM_DEVICE unsigned count_where(const Tile& tile, bool predicate) {
  return machine::popcount(lanes_where(tile, predicate));
}

// The lowest lane whose predicate holds; the width, if there is none.
WPRIM_DEVICE unsigned first_where(const Tile& tile, bool predicate) {
  const uint32_t lanes = lanes_where(tile, predicate);
  return lanes != 0 ? machine::lowest_lane(lanes) - tile.start() : tile.width;
}

// How many lanes below mine have a predicate that holds; mine may or may not.
WPRIM_DEVICE unsigned rank_where(const Tile& tile, bool predicate) {
  return machine::popcount(lanes_where(tile, predicate) & machine::lanes_below());
}

}  // namespace wprim::warp
