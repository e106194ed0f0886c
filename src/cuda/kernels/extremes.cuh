// Algebras of min, max, minmax, amax (both extremes at once) and of argmin, argmax (one extreme and where it is).
// Exact, so a slot is one state and the order is free. Elements are compared as the integers of core/order_key.h.
#pragma once

#include "core/order_key.h"
#include "cuda/kernels/elements.cuh"

namespace wprim::cuda {

template <class T>
WPRIM_DEVICE typename OrderKey<T>::Key key_of(const machine::Vector& v, int c) {
  return OrderKey<T>::of(component<T>(v, c));
}

// Keys narrower than a word travel and compare as a word.
template <class Key>
using WideKey =
    std::conditional_t<sizeof(Key) == 8, Key, std::conditional_t<std::is_signed_v<Key>, int32_t, uint32_t>>;

template <class T>
struct Extremes {
  using Order = OrderKey<T>;
  using Wide = WideKey<typename Order::Key>;
  struct State {
    Wide low;  // low > high: nothing took part
    Wide high;
  };
  using Local = State;
  using Slot = State;
  static constexpr unsigned kBytes = sizeof(T);
  static constexpr int kComponents = 16 / kBytes;
  static constexpr int kPartialComponents = 2;
  static constexpr bool kCommutative = true;

  static WPRIM_DEVICE bool is_nan(Wide key) {
    if constexpr (is_float_type<T>) return key > Order::kInfinity || key < Order::kMinusInfinity;
    return false;
  }
  static WPRIM_DEVICE Slot first(const ReduceParams& params, const machine::Vector& v, int count,
                                 uint32_t offset) {
    Slot slot = missing();
    next(params, slot, v, count, offset);
    return slot;
  }
  static WPRIM_DEVICE void next(const ReduceParams& params, Slot& slot, const machine::Vector& v, int count,
                                uint32_t) {
    const bool skips = is_float_type<T> && params.ignore_nan;
#pragma unroll
    for (int c = 0; c < kComponents; ++c) {
      const Wide key = key_of<T>(v, c);
      if (skips || count < kComponents) {
        if (c >= count || (skips && is_nan(key))) continue;
      }
      slot.low = key < slot.low ? key : slot.low;
      slot.high = key > slot.high ? key : slot.high;
    }
  }
  static WPRIM_DEVICE Local close(const ReduceParams&, Slot& slot) { return slot; }
  static WPRIM_DEVICE Local missing_local() { return missing(); }
  static WPRIM_DEVICE State state(const ReduceParams&, const Local& local, uint64_t) { return local; }
  static WPRIM_DEVICE State missing() {
    return {std::numeric_limits<Wide>::max(), std::numeric_limits<Wide>::lowest()};
  }
  static WPRIM_DEVICE State combine(const ReduceParams&, const State& a, const State& b) {
    return {a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
  }

  static WPRIM_DEVICE void finish(const ReduceParams& params, uint64_t row, const State& a) {
    const bool empty = a.low > a.high;
    T low = Order::element(empty ? Order::kEmptyLow : static_cast<typename Order::Key>(a.low));
    T high = Order::element(empty ? Order::kEmptyHigh : static_cast<typename Order::Key>(a.high));
    if constexpr (is_float_type<T>) {
      if (!empty && (a.high > Order::kInfinity || a.low < Order::kMinusInfinity)) {
        low = high = from_number<T>(std::numeric_limits<double>::quiet_NaN());
      }
    }
    T* out = reinterpret_cast<T*>(params.out);
    switch (params.op) {
      case WPRIM_MIN: out[row] = low; break;
      case WPRIM_MAX: out[row] = high; break;
      case WPRIM_MINMAX:
        out[2 * row] = low;
        out[2 * row + 1] = high;
        break;
      default: out[row] = empty ? T{} : larger_magnitude(low, high); break;
    }
  }

  // |x| of the extreme further from zero; of a signed integer as an unsigned one of the same bits.
  static WPRIM_DEVICE T larger_magnitude(T low, T high) {
    if constexpr (is_float_type<T>) {
      using Key = typename Order::Key;
      const Key a = std::bit_cast<Key>(low) & std::numeric_limits<Key>::max();
      const Key b = std::bit_cast<Key>(high) & std::numeric_limits<Key>::max();
      return std::bit_cast<T>(a > b ? a : b);
    } else if constexpr (std::is_signed_v<T>) {
      const uint64_t a = low < 0 ? 0 - to_word(low) : to_word(low);
      const uint64_t b = high < 0 ? 0 - to_word(high) : to_word(high);
      return static_cast<T>(a > b ? a : b);
    } else {
      return high;
    }
  }
};

}  // namespace wprim::cuda
