// Who takes part: every collective of this folder takes a Tile, so that each exists once, for whole warps and for tiles of
// 1, 2, 4, ... 32 lanes, of which all or only some take part.
//
// A mask counts lanes of the warp (bit i: lane i), a lane number counts within the tile (0 to width - 1).
#pragma once

#include "cuda/machine.cuh"

namespace wprim::warp {

struct Tile {
  unsigned width;  // 1, 2, 4, ... 32: the warp is cut into tiles of so many neighbouring lanes
  uint32_t
      mask;  // the lanes of the warp that come together: of my tile those that take part, and maybe other tiles' too

  // All 32 lanes come: tiles side by side, each working for itself. The cheapest way, with a constant mask.
  static WPRIM_DEVICE Tile of_warp(unsigned width = machine::kWarp) { return {width, machine::kFullMask}; }

  // Only the lanes of my tile come; other tiles may be anywhere else.
  static WPRIM_DEVICE Tile alone(unsigned width) {
    Tile tile{width, 0};
    tile.mask = tile.span();
    return tile;
  }

  // Entry: all of `mask` come. Exit: a lane whose predicate holds has the tile of those that it holds for, and may use it
  // where the others do not come; the other lanes have no part in it.
  //
  // Every partial tile is made this way: by a ballot of all, before their ways part. Who asks later which lanes happen
  // to be there (activemask) gets an answer that means nothing: the lanes of one branch may run through it in any number
  // of groups, and each would take itself for all.
  WPRIM_DEVICE Tile where(bool predicate) const { return {width, machine::ballot(mask, predicate)}; }

  WPRIM_DEVICE unsigned lane() const { return machine::lane_index() & (width - 1); }
  // The warp's lane that is lane 0 of my tile.
  WPRIM_DEVICE unsigned start() const { return machine::lane_index() - lane(); }
  // All lanes of my tile.
  WPRIM_DEVICE uint32_t span() const { return machine::kFullMask >> (machine::kWarp - width) << start(); }
  // Those that take part, in number and in order; I am one of them.
  WPRIM_DEVICE uint32_t lanes() const { return mask & span(); }
  WPRIM_DEVICE unsigned size() const { return machine::popcount(lanes()); }
  WPRIM_DEVICE unsigned rank() const { return machine::popcount(lanes() & machine::lanes_below()); }
  // The lowest lane that takes part.
  WPRIM_DEVICE unsigned leader() const { return machine::lowest_lane(lanes()) - start(); }
  WPRIM_DEVICE bool leads() const { return lane() == leader(); }

  // Are all lanes of every tile here that comes at all? All lanes of `mask` get the same answer, so that they may take
  // different ways by it. (Some masks of several whole tiles are not told; that costs time only.)
  WPRIM_DEVICE bool is_whole() const { return mask == machine::kFullMask || mask == span(); }
};

// Entry: all of tile.mask come. Exit: the mask of the lanes of my tile whose predicate holds.
WPRIM_DEVICE uint32_t lanes_where(const Tile& tile, bool predicate) {
  return machine::ballot(tile.mask, predicate) & tile.span();
}

}  // namespace wprim::warp
