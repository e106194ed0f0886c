// Any trivially copyable state on its way from lane to lane. All of tile.mask come; the lane that is read must be one of
// them, else the result means nothing.
#pragma once

#include <cstring>
#include <type_traits>

#include "cuda/machine.cuh"
#include "cuda/warp/tile.cuh"

namespace wprim::warp {

// Moves a state word by word; the last word may be part of one.
template <class State, class MoveWord>
WPRIM_DEVICE State move(const State& state, MoveWord move_word) {
  static_assert(std::is_trivially_copyable_v<State>);
  constexpr int words = (sizeof(State) + 3) / 4;
  uint32_t word[words];
  if constexpr (sizeof(State) % 4 != 0) word[words - 1] = 0;
  memcpy(word, &state, sizeof state);
#pragma unroll
  for (int i = 0; i < words; ++i) word[i] = move_word(word[i]);
  State out;
  memcpy(&out, word, sizeof out);
  return out;
}

// The state of the lane whose number differs from mine in the bits of `lanes` < width.
template <class State>
WPRIM_DEVICE State shuffle_xor(const Tile& tile, const State& state, unsigned lanes) {
  return move(state, [&](uint32_t word) { return machine::shuffle_xor(tile.mask, word, lanes); });
}

// The state of the lane `lanes` above mine; mine, where the tile ends before it.
template <class State>
WPRIM_DEVICE State shuffle_down(const Tile& tile, const State& state, unsigned lanes) {
  return move(state,
              [&](uint32_t word) { return machine::shuffle_down(tile.mask, word, lanes, tile.width); });
}

// The state of the lane `lanes` below mine; mine, where the tile begins behind it.
template <class State>
WPRIM_DEVICE State shuffle_up(const Tile& tile, const State& state, unsigned lanes) {
  return move(state, [&](uint32_t word) { return machine::shuffle_up(tile.mask, word, lanes, tile.width); });
}

// The state of lane `lane` of my tile; the lanes of a tile may ask for different ones.
template <class State>
WPRIM_DEVICE State shuffle_from(const Tile& tile, const State& state, unsigned lane) {
  const unsigned from = tile.start() + lane;
  return move(state, [&](uint32_t word) { return machine::shuffle_from(tile.mask, word, from); });
}

}  // namespace wprim::warp
