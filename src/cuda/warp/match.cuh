// Lanes with equal keys. A key is compared bit by bit: +0 is not -0, and a NaN equals itself. All of tile.mask come.
#pragma once

#include <cstring>
#include <type_traits>

#include "cuda/warp/broadcast.cuh"
#include "cuda/warp/vote.cuh"

namespace wprim::warp {

template <class Key>
WPRIM_DEVICE auto key_bits(const Key& key) {
  static_assert(std::is_trivially_copyable_v<Key> && sizeof(Key) <= 8);
  std::conditional_t<sizeof(Key) <= 4, uint32_t, uint64_t> bits = 0;
  memcpy(&bits, &key, sizeof key);
  return bits;
}

// Exit: the lanes of my tile that have my key, as a tile: it tells their number (size), my place among them (rank) and
// their lowest (leader), and they may work together in it while other groups do the same.
template <class Key>
WPRIM_DEVICE Tile peers(const Tile& tile, const Key& key) {
  return {tile.width, machine::match_any(tile.mask, key_bits(key)) & tile.span()};
}

// Exit: whether all lanes of my tile that take part have the same key.
template <class Key>
WPRIM_DEVICE bool all_equal(const Tile& tile, const Key& key) {
  const auto bits = key_bits(key);
  if (tile.width == machine::kWarp) return machine::match_all(tile.mask, bits);
  return all(tile, bits == broadcast(tile, bits, tile.leader()));
}

}  // namespace wprim::warp
