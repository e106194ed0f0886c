// Sum, min, max, and, or, xor of a number from each lane that takes part. All of tile.mask come, and all get the result.
//
// A whole warp uses redux, the machine's reduction of 32-bit integers, also where only some of its lanes take part; 64 bits
// are put together from several. Smaller tiles shuffle: their butterfly is short, and redux would run once for each of them.
#pragma once

#include "core/convert.h"
#include "core/order_key.h"
#include "cuda/warp/reduce.cuh"

namespace wprim::warp {

template <class Integer>
inline constexpr bool kIsWord = std::is_integral_v<Integer> && (sizeof(Integer) == 4 || sizeof(Integer) == 8);

// The halves of 64 bits; the high one has the sign.
template <class Integer>
using High = std::conditional_t<std::is_signed_v<Integer>, int32_t, uint32_t>;
template <class Integer>
WPRIM_DEVICE High<Integer> high_half(Integer x) {
  return static_cast<High<Integer>>(x >> 32);
}
template <class Integer>
WPRIM_DEVICE Integer join(High<Integer> high, uint32_t low) {
  return static_cast<Integer>(static_cast<uint64_t>(static_cast<uint32_t>(high)) << 32 | low);
}

// ---- Sum, modulo 2 to the number of bits. (Floats: see reduce.cuh and states.cuh, their order matters.)
template <class Integer>
WPRIM_DEVICE Integer sum(const Tile& tile, Integer x) {
  static_assert(kIsWord<Integer>);
  using Word = std::make_unsigned_t<Integer>;
  const Word word = static_cast<Word>(x);
  Word result;
  if (tile.width < machine::kWarp) {
    result = reduce_to_all(tile, word, [](Word a, Word b) { return a + b; });
  } else if constexpr (sizeof(Word) == 4) {
    result = machine::redux_add(tile.mask, word);
  } else {
    // In pieces of 27, 27 and 10 bits: 32 times the largest piece still fits into 32 bits.
    constexpr Word piece = (1u << 27) - 1;
    const auto redux = [&](Word part) -> Word {
      return machine::redux_add(tile.mask, static_cast<uint32_t>(part));
    };
    result = redux(word & piece) + (redux(word >> 27 & piece) << 27) + (redux(word >> 54) << 54);
  }
  return static_cast<Integer>(result);
}

// ---- Bits.
template <class Integer, class Op, class Redux>
WPRIM_DEVICE Integer bitwise(const Tile& tile, Integer x, Op op, Redux redux) {
  static_assert(kIsWord<Integer>);
  if (tile.width < machine::kWarp) return reduce_to_all(tile, x, op);
  if constexpr (sizeof(Integer) == 4) {
    return static_cast<Integer>(redux(static_cast<uint32_t>(x)));
  } else {
    const uint32_t high = redux(static_cast<uint32_t>(high_half(x)));
    return join<Integer>(static_cast<High<Integer>>(high), redux(static_cast<uint32_t>(x)));
  }
}
template <class Integer>
WPRIM_DEVICE Integer bit_and(const Tile& tile, Integer x) {
  return bitwise(
      tile, x, [](Integer a, Integer b) { return a & b; },
      [&](uint32_t word) { return machine::redux_and(tile.mask, word); });
}
template <class Integer>
WPRIM_DEVICE Integer bit_or(const Tile& tile, Integer x) {
  return bitwise(
      tile, x, [](Integer a, Integer b) { return a | b; },
      [&](uint32_t word) { return machine::redux_or(tile.mask, word); });
}
template <class Integer>
WPRIM_DEVICE Integer bit_xor(const Tile& tile, Integer x) {
  return bitwise(
      tile, x, [](Integer a, Integer b) { return a ^ b; },
      [&](uint32_t word) { return machine::redux_xor(tile.mask, word); });
}

// ---- Extremes of integers. Of 64 bits: that of the high halves, then that of the low halves below it.
template <class Integer>
WPRIM_DEVICE Integer largest(const Tile& tile, Integer x) {
  static_assert(kIsWord<Integer>);
  if (tile.width < machine::kWarp) {
    return reduce_to_all(tile, x, [](Integer a, Integer b) { return a > b ? a : b; });
  }
  if constexpr (sizeof(Integer) == 4) {
    return machine::redux_max(tile.mask, x);
  } else {
    const High<Integer> mine = high_half(x), high = machine::redux_max(tile.mask, mine);
    return join<Integer>(high, machine::redux_max(tile.mask, mine == high ? static_cast<uint32_t>(x) : 0u));
  }
}
template <class Integer>
WPRIM_DEVICE Integer smallest(const Tile& tile, Integer x) {
  static_assert(kIsWord<Integer>);
  if (tile.width < machine::kWarp) {
    return reduce_to_all(tile, x, [](Integer a, Integer b) { return a < b ? a : b; });
  }
  if constexpr (sizeof(Integer) == 4) {
    return machine::redux_min(tile.mask, x);
  } else {
    const High<Integer> mine = high_half(x), high = machine::redux_min(tile.mask, mine);
    return join<Integer>(high, machine::redux_min(tile.mask, mine == high ? static_cast<uint32_t>(x) : ~0u));
  }
}

// ---- Extremes of any element type, in the order of docs/numerics.md: -0 < +0, and a NaN wins both.

// An element as an integer of 32 or 64 bits that ranks as it does.
template <class T>
struct Ranking {
  using Order = OrderKey<T>;
  using Key = typename Order::Key;
  using Narrow = std::conditional_t<std::is_signed_v<Key>, int32_t, uint32_t>;
  using Integer = std::conditional_t<sizeof(Key) == 8, Key, Narrow>;

  static WPRIM_DEVICE Integer for_max(T x) { return rank(x, std::numeric_limits<Key>::max()); }
  static WPRIM_DEVICE Integer for_min(T x) { return rank(x, std::numeric_limits<Key>::lowest()); }
  static WPRIM_DEVICE T element(Integer integer) {
    const Key key = static_cast<Key>(integer);
    if constexpr (is_float_type<T>) {
      if (Order::is_nan(key)) return from_number<T>(std::numeric_limits<double>::quiet_NaN());
    }
    return Order::element(key);
  }

 private:
  static WPRIM_DEVICE Integer rank(T x, Key of_nan) {
    const Key key = Order::of(x);
    if constexpr (is_float_type<T>) {
      if (Order::is_nan(key)) return of_nan;
    }
    return key;
  }
};

// A NaN comes out as the quiet one.
template <class T>
WPRIM_DEVICE T max(const Tile& tile, T x) {
  return Ranking<T>::element(largest(tile, Ranking<T>::for_max(x)));
}
template <class T>
WPRIM_DEVICE T min(const Tile& tile, T x) {
  return Ranking<T>::element(smallest(tile, Ranking<T>::for_min(x)));
}

}  // namespace wprim::warp
