// Algebras of argmin and argmax: an extreme and where it is. Elements are ranked as the integers of core/order_key.h;
// argmin looks for the largest of the reflected ranks, so that both are one kernel. A NaN that propagates is above all.
#pragma once

#include "core/order.h"
#include "core/order_key.h"
#include "cuda/kernels/elements.cuh"

namespace wprim::cuda {

inline constexpr uint64_t kNoIndex = ~0ull;  // nothing took part; it is above every index

// The best rank of a row, and the lowest index that has it.
template <class Rank>
struct PositionState {
  Rank rank;
  uint32_t index[2];  // low and high half

  static WPRIM_DEVICE PositionState make(Rank rank, uint64_t index) {
    return {rank, {static_cast<uint32_t>(index), static_cast<uint32_t>(index >> 32)}};
  }
  WPRIM_DEVICE uint64_t where() const { return static_cast<uint64_t>(index[1]) << 32 | index[0]; }
};

template <class Rank>
WPRIM_DEVICE PositionState<Rank> better(const PositionState<Rank>& a, const PositionState<Rank>& b) {
  if (a.rank != b.rank) return a.rank > b.rank ? a : b;
  return a.where() < b.where() ? a : b;
}

// Elements of 4 and 8 bytes: rank and offset side by side.
template <class T, bool kIgnore>
struct WidePosition {
  using Order = OrderKey<T>;
  using Rank = typename Order::Key;
  using State = PositionState<Rank>;
  struct Local {
    Rank rank;
    std::conditional_t<sizeof(Rank) == 8, uint64_t, uint32_t> offset;
  };
  using Slot = Local;
  static constexpr unsigned kBytes = sizeof(T);
  static constexpr int kComponents = 16 / kBytes;
  static constexpr int kPartialComponents = 2;
  static constexpr bool kCommutative = true;
  static constexpr Rank kLowest = std::numeric_limits<Rank>::lowest(),
                        kHighest = std::numeric_limits<Rank>::max();
  static constexpr decltype(Local::offset) kNone = static_cast<decltype(Local::offset)>(-1);

  static WPRIM_DEVICE Slot first(const ReduceParams& params, const machine::Vector& v, int count,
                                 uint32_t offset) {
    // Where NaNs take part, the first element does; where they do not, no float that does has the lowest rank. So this is
    // right also if nothing is above it.
    Slot slot{kLowest, kIgnore ? kNone : offset};
    next(params, slot, v, count, offset);
    return slot;
  }
  // Offsets only grow here, so the first of equals stays.
  static WPRIM_DEVICE void next(const ReduceParams& params, Slot& slot, const machine::Vector& v, int count,
                                uint32_t offset) {
    const Rank reflect = params.op == WPRIM_ARGMIN ? static_cast<Rank>(-1) : Rank(0);
#pragma unroll
    for (int c = 0; c < kComponents; ++c) {
      const T x = component<T>(v, c);
      Rank rank = Order::of(x) ^ reflect;
      if constexpr (is_float_type<T>) {
        if (x != x) rank = kIgnore ? kLowest : kHighest;
      }
      const bool is_better = c < count && rank > slot.rank;
      slot.rank = is_better ? rank : slot.rank;
      slot.offset = is_better ? offset + c : slot.offset;
    }
  }
  static WPRIM_DEVICE Local close(const ReduceParams&, const Slot& slot) { return slot; }
  static WPRIM_DEVICE Local missing_local() { return {kLowest, kNone}; }
  static WPRIM_DEVICE Local combine(const ReduceParams&, const Local& a, const Local& b) {
    const bool second = b.rank > a.rank || (b.rank == a.rank && b.offset < a.offset);
    return {second ? b.rank : a.rank, second ? b.offset : a.offset};
  }
  static WPRIM_DEVICE State state(const ReduceParams&, const Local& local, uint64_t index) {
    return State::make(local.rank, local.offset == kNone ? kNoIndex : index + local.offset);
  }
  static WPRIM_DEVICE State missing() { return State::make(kLowest, kNoIndex); }
  static WPRIM_DEVICE State combine(const ReduceParams&, const State& a, const State& b) {
    return better(a, b);
  }
  static WPRIM_DEVICE void finish(const ReduceParams& params, uint64_t row, const State& a) {
    store_word(params, row, a.where());
  }
};

// Elements of 1 and 2 bytes: rank (as an unsigned number, above) and offset (from the top down, below) are one word whose
// largest value is wanted.
template <class T, bool kIgnore>
struct NarrowPosition {
  using Local = uint32_t;  // 0: nothing took part
  using Slot = Local;
  using State = PositionState<uint32_t>;
  static constexpr unsigned kBytes = sizeof(T);
  static constexpr int kComponents = 16 / kBytes;
  static constexpr int kPartialComponents = 2;
  static constexpr bool kCommutative = true;
  static constexpr int kPerWord = 4 / kBytes;
  static constexpr uint32_t kTop = 0xffff;
  static_assert(order::chunk_elements(kBytes) <= kTop);

  static WPRIM_DEVICE Slot first(const ReduceParams& params, const machine::Vector& v, int count,
                                 uint32_t offset) {
    Slot slot = 0;
    next(params, slot, v, count, offset);
    return slot;
  }
  static WPRIM_DEVICE void next(const ReduceParams& params, Slot& slot, const machine::Vector& v, int count,
                                uint32_t offset) {
    uint32_t best = 0;  // rank above, components from the last one below
#pragma unroll
    for (int w = 0; w < 4; ++w) {
      const uint32_t ranks = ranks_of(params, v.word[w]);
#pragma unroll
      for (int i = 0; i < kPerWord; ++i) {
        const int c = w * kPerWord + i;
        uint32_t word = (ranks >> (8 * kBytes * i)) << 16 | static_cast<uint32_t>(kComponents - 1 - c);
        if (kBytes == 1) word &= 0xffffff;
        if (c >= count) word = 0;
        best = machine::larger(best, word);
      }
    }
    if (kIgnore && best >> 16 == 0) return;  // no float but NaN has the lowest rank
    slot = machine::larger(slot, best + kTop - offset - (kComponents - 1));
  }
  static WPRIM_DEVICE Local close(const ReduceParams&, const Slot& slot) { return slot; }
  static WPRIM_DEVICE Local missing_local() { return 0; }
  static WPRIM_DEVICE Local combine(const ReduceParams&, Local a, Local b) { return machine::larger(a, b); }
  static WPRIM_DEVICE State state(const ReduceParams&, Local local, uint64_t index) {
    return local == 0 ? missing() : State::make(local >> 16, index + kTop - (local & kTop));
  }
  static WPRIM_DEVICE State missing() { return State::make(0, kNoIndex); }
  static WPRIM_DEVICE State combine(const ReduceParams&, const State& a, const State& b) {
    return better(a, b);
  }
  static WPRIM_DEVICE void finish(const ReduceParams& params, uint64_t row, const State& a) {
    store_word(params, row, a.where());
  }

 private:
  // The ranks of the elements of a word, side by side. A NaN is above all, or below.
  static WPRIM_DEVICE uint32_t ranks_of(const ReduceParams& params, uint32_t word) {
    const uint32_t reflect = params.op == WPRIM_ARGMIN ? 0xffffffffu : 0;
    if constexpr (is_float_type<T>) {
      constexpr uint32_t room = 0x7fff - static_cast<uint32_t>(OrderKey<T>::kInfinity);  // above infinity
      const uint32_t negative = machine::select_bytes(word, 0, 0xbb99);  // each half's sign, sixteen times
      const uint32_t nan = machine::select_bytes((word & 0x7fff7fff) + (room << 16 | room), 0, 0xbb99);
      const uint32_t ranks = word ^ (negative | 0x80008000) ^ reflect;
      return kIgnore ? ranks & ~nan : ranks | nan;
    } else if constexpr (std::is_same_v<T, boolean>) {
      const uint32_t any = word | word >> 4;  // fold the bits of each byte into its lowest
      const uint32_t two = any | any >> 2;
      return ((two | two >> 1) & 0x01010101) ^ (reflect & 0x01010101);
    } else {
      constexpr uint32_t signs = !std::is_signed_v<T> ? 0 : kBytes == 1 ? 0x80808080 : 0x80008000;
      return word ^ signs ^ reflect;
    }
  }
};

// kIgnore: NaNs are skipped.
template <class T, bool kIgnore>
using Position = std::conditional_t<(sizeof(T) > 2), WidePosition<T, kIgnore>, NarrowPosition<T, kIgnore>>;

}  // namespace wprim::cuda
