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
  using Slot = State;
  static constexpr unsigned kBytes = sizeof(T);
  static constexpr int kComponents = 16 / kBytes;
  static constexpr int kPartialComponents = 2;

  static WPRIM_DEVICE bool takes_part(const ReduceParams& params, Wide key, int c, int count) {
    if constexpr (is_float_type<T>) {
      if (params.ignore_nan && (key > Order::kInfinity || key < Order::kMinusInfinity)) return false;
    }
    return c < count;
  }
  static WPRIM_DEVICE Slot first(const ReduceParams& params, const machine::Vector& v, int count,
                                 uint64_t index) {
    Slot slot = missing();
    next(params, slot, v, count, index);
    return slot;
  }
  static WPRIM_DEVICE void next(const ReduceParams& params, Slot& slot, const machine::Vector& v, int count,
                                uint64_t) {
#pragma unroll
    for (int c = 0; c < kComponents; ++c) {
      const Wide key = key_of<T>(v, c);
      if (!takes_part(params, key, c, count)) continue;
      slot.low = key < slot.low ? key : slot.low;
      slot.high = key > slot.high ? key : slot.high;
    }
  }
  static WPRIM_DEVICE State close(const ReduceParams&, Slot& slot) { return slot; }
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

// The best key and the lowest index that has it. argmin looks for the largest of the reflected keys, so that both are
// one kernel; a NaN that propagates is better than everything.
template <class T>
struct Position {
  using Order = OrderKey<T>;
  using Wide = WideKey<typename Order::Key>;
  struct State {
    Wide key;
    uint32_t index[2];  // low and high half; all ones: nothing took part
  };
  struct Slot {
    Wide key;
    uint32_t offset;  // of the best from `first`
    uint64_t first;   // index of the slot's first element; kNone: nothing took part yet
  };
  static constexpr unsigned kBytes = sizeof(T);
  static constexpr int kComponents = 16 / kBytes;
  static constexpr int kPartialComponents = 2;
  static constexpr uint64_t kNone = ~0ull;

  static WPRIM_DEVICE bool is_nan(Wide key) {
    if constexpr (is_float_type<T>) return key > Order::kInfinity || key < Order::kMinusInfinity;
    return false;
  }
  static WPRIM_DEVICE Wide rank(const ReduceParams& params, Wide key) {
    if (is_nan(key)) return std::numeric_limits<Wide>::max();
    return params.op == WPRIM_ARGMIN ? static_cast<Wide>(~key) : key;
  }
  static WPRIM_DEVICE Slot first(const ReduceParams& params, const machine::Vector& v, int count,
                                 uint64_t index) {
    Slot slot{std::numeric_limits<Wide>::lowest(), 0, kNone};
    if (params.ignore_nan) {
      next(params, slot, v, count, index);
    } else {
      slot = {rank(params, key_of<T>(v, 0)), 0, index};
      scan<1>(params, slot, v, count, index);
    }
    return slot;
  }
  static WPRIM_DEVICE void next(const ReduceParams& params, Slot& slot, const machine::Vector& v, int count,
                                uint64_t index) {
    if (!params.ignore_nan) return scan<0>(params, slot, v, count, index);
#pragma unroll
    for (int c = 0; c < kComponents; ++c) {
      const Wide key = key_of<T>(v, c);
      if (c >= count || is_nan(key)) continue;
      if (slot.first == kNone) {
        slot = {rank(params, key), 0, index + c};
      } else if (rank(params, key) > slot.key) {
        slot.key = rank(params, key);
        slot.offset = static_cast<uint32_t>(index - slot.first) + c;
      }
    }
  }
  // Indices only grow here, so the first of equals stays.
  template <int kFrom>
  static WPRIM_DEVICE void scan(const ReduceParams& params, Slot& slot, const machine::Vector& v, int count,
                                uint64_t index) {
    const uint32_t offset = static_cast<uint32_t>(index - slot.first);
#pragma unroll
    for (int c = kFrom; c < kComponents; ++c) {
      const Wide key = rank(params, key_of<T>(v, c));
      const bool better = c < count && key > slot.key;
      slot.key = better ? key : slot.key;
      slot.offset = better ? offset + c : slot.offset;
    }
  }
  static WPRIM_DEVICE State make(Wide key, uint64_t index) {
    return {key, {static_cast<uint32_t>(index), static_cast<uint32_t>(index >> 32)}};
  }
  static WPRIM_DEVICE uint64_t index_of(const State& s) {
    return static_cast<uint64_t>(s.index[1]) << 32 | s.index[0];
  }
  static WPRIM_DEVICE State close(const ReduceParams&, Slot& slot) {
    return make(slot.key, slot.first == kNone ? kNone : slot.first + slot.offset);
  }
  static WPRIM_DEVICE State missing() { return make(std::numeric_limits<Wide>::lowest(), kNone); }
  static WPRIM_DEVICE State combine(const ReduceParams&, const State& a, const State& b) {
    if (a.key != b.key) return a.key > b.key ? a : b;
    return index_of(a) < index_of(b) ? a : b;  // none is the largest index
  }
  static WPRIM_DEVICE void finish(const ReduceParams& params, uint64_t row, const State& a) {
    store_word(params, row, index_of(a));
  }
};

}  // namespace wprim::cuda
