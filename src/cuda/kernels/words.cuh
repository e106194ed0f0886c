// Algebras of the exact ops on bits and integers: sums and products modulo 2^64, counts, and, or, xor.
#pragma once

#include "cuda/kernels/elements.cuh"

namespace wprim::cuda {

// Element c as a 64-bit word: signed types keep their sign, bool is 0 or 1.
template <class T>
WPRIM_DEVICE uint64_t word_of(const machine::Vector& v, int c) {
  return to_word(component<T>(v, c));
}

// A 64-bit state in two words.
struct WordState {
  uint32_t low;
  uint32_t high;
};
WPRIM_DEVICE WordState split(uint64_t x) {
  return {static_cast<uint32_t>(x), static_cast<uint32_t>(x >> 32)};
}
WPRIM_DEVICE uint64_t join(const WordState& s) { return static_cast<uint64_t>(s.high) << 32 | s.low; }

template <class T, wprim_op kOp>  // WPRIM_SUM, WPRIM_PROD or WPRIM_L1
struct Words {
  using Local = WordState;
  using State = WordState;
  using Slot = uint64_t;
  static constexpr unsigned kBytes = sizeof(T);
  static constexpr int kComponents = 16 / kBytes;
  static constexpr int kPartialComponents = 2;
  static constexpr bool kCommutative = true;

  static WPRIM_DEVICE uint64_t whole(const machine::Vector& v, int count) {
    if constexpr (kOp == WPRIM_SUM && (std::is_same_v<T, uint8_t> || std::is_same_v<T, int8_t>)) {
      const machine::Vector bytes = first_elements<1>(v, count);
      using Sum = std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>;
      Sum sum = 0;
#pragma unroll
      for (int w = 0; w < 4; ++w) sum = machine::add_bytes(static_cast<Sum>(bytes.word[w]), sum);
      return static_cast<uint64_t>(static_cast<int64_t>(sum));
    } else {
      uint64_t result = kOp == WPRIM_PROD ? 1 : 0;
#pragma unroll
      for (int c = 0; c < kComponents; ++c) {
        uint64_t word = word_of<T>(v, c);
        if (kOp == WPRIM_L1 && std::is_signed_v<T> && static_cast<int64_t>(word) < 0) word = 0 - word;
        if (c >= count) word = kOp == WPRIM_PROD ? 1 : 0;
        result = kOp == WPRIM_PROD ? result * word : result + word;
      }
      return result;
    }
  }
  static WPRIM_DEVICE uint64_t both(uint64_t a, uint64_t b) { return kOp == WPRIM_PROD ? a * b : a + b; }
  static WPRIM_DEVICE Slot first(const ReduceParams&, const machine::Vector& v, int count, uint32_t) {
    return whole(v, count);
  }
  static WPRIM_DEVICE void next(const ReduceParams&, Slot& slot, const machine::Vector& v, int count,
                                uint32_t) {
    slot = both(slot, whole(v, count));
  }
  static WPRIM_DEVICE Local close(const ReduceParams&, Slot& slot) { return split(slot); }
  static WPRIM_DEVICE Local missing_local() { return missing(); }
  static WPRIM_DEVICE State state(const ReduceParams&, const Local& local, uint64_t) { return local; }
  static WPRIM_DEVICE State missing() { return split(kOp == WPRIM_PROD ? 1 : 0); }
  static WPRIM_DEVICE State combine(const ReduceParams&, const State& a, const State& b) {
    return split(both(join(a), join(b)));
  }
  static WPRIM_DEVICE void finish(const ReduceParams& params, uint64_t row, const State& a) {
    store_word(params, row, join(a));
  }
};

// Non-zero elements and NaNs, by element size: the type says only which bits count.
template <class Bits>
struct Counts {
  struct State {
    WordState nonzero;
    WordState nan;
  };
  struct Local {
    uint32_t nonzero;
    uint32_t nan;
  };
  using Slot = Local;
  static constexpr unsigned kBytes = sizeof(Bits);
  static constexpr int kComponents = 16 / kBytes;
  static constexpr int kPartialComponents = 2;
  static constexpr bool kCommutative = true;

  static WPRIM_DEVICE Bits infinity(const ReduceParams& params) {
    switch (params.dtype) {
      case WPRIM_F16: return static_cast<Bits>(0x7c00);
      case WPRIM_BF16: return static_cast<Bits>(0x7f80);
      case WPRIM_F32: return static_cast<Bits>(0x7f800000);
      case WPRIM_F64: return static_cast<Bits>(0x7ff0000000000000);
      default: return static_cast<Bits>(-1);
    }
  }
  static WPRIM_DEVICE Slot first(const ReduceParams& params, const machine::Vector& v, int count,
                                 uint32_t offset) {
    Slot slot{0, 0};
    next(params, slot, v, count, offset);
    return slot;
  }
  static WPRIM_DEVICE void next(const ReduceParams& params, Slot& slot, const machine::Vector& v, int count,
                                uint32_t) {
    const Bits mask = params.floating ? static_cast<Bits>(static_cast<Bits>(-1) >> 1) : static_cast<Bits>(-1);
    const Bits largest = infinity(params);
#pragma unroll
    for (int c = 0; c < kComponents; ++c) {
      const Bits bits = component<Bits>(v, c) & mask;
      slot.nonzero += c < count && bits != 0;
      slot.nan += c < count && params.floating && bits > largest;
    }
  }
  static WPRIM_DEVICE Local close(const ReduceParams&, Slot& slot) { return slot; }
  static WPRIM_DEVICE Local missing_local() { return {0, 0}; }
  static WPRIM_DEVICE Local combine(const ReduceParams&, const Local& a, const Local& b) {
    return {a.nonzero + b.nonzero, a.nan + b.nan};
  }
  static WPRIM_DEVICE State state(const ReduceParams&, const Local& local, uint64_t) {
    return {split(local.nonzero), split(local.nan)};
  }
  static WPRIM_DEVICE State missing() { return {split(0), split(0)}; }
  static WPRIM_DEVICE State combine(const ReduceParams&, const State& a, const State& b) {
    return {split(join(a.nonzero) + join(b.nonzero)), split(join(a.nan) + join(b.nan))};
  }
  static WPRIM_DEVICE void finish(const ReduceParams& params, uint64_t row, const State& a) {
    uint64_t nonzero = join(a.nonzero), n = present_cols(params);
    if (params.ignore_nan) {  // a NaN counts as non-zero so far
      nonzero -= join(a.nan);
      n -= join(a.nan);
    }
    switch (params.op) {
      case WPRIM_ANY:
      case WPRIM_OR: nonzero = nonzero != 0; break;
      case WPRIM_ALL:
      case WPRIM_AND: nonzero = nonzero == n; break;
      case WPRIM_XOR: nonzero %= 2; break;
      default: break;
    }
    store_word(params, row, nonzero);
  }
};

// and, or, xor of integers, by element size.
template <class Bits>
struct Bitwise {
  using Local = WordState;
  using State = WordState;
  using Slot = Bits;
  static constexpr unsigned kBytes = sizeof(Bits);
  static constexpr int kComponents = 16 / kBytes;
  static constexpr int kPartialComponents = 2;
  static constexpr bool kCommutative = true;

  // and is kept as the or of the complements, so that zero is missing for all three.
  static WPRIM_DEVICE uint64_t complement(const ReduceParams& params) {
    return params.op == WPRIM_AND ? ~0ull : 0;
  }
  static WPRIM_DEVICE uint64_t both(const ReduceParams& params, uint64_t a, uint64_t b) {
    return params.op == WPRIM_XOR ? a ^ b : a | b;
  }
  static WPRIM_DEVICE Slot first(const ReduceParams& params, const machine::Vector& v, int count,
                                 uint32_t offset) {
    Slot slot = 0;
    next(params, slot, v, count, offset);
    return slot;
  }
  static WPRIM_DEVICE void next(const ReduceParams& params, Slot& slot, const machine::Vector& v, int count,
                                uint32_t) {
#pragma unroll
    for (int c = 0; c < kComponents; ++c) {
      if (c < count) slot = static_cast<Bits>(both(params, slot, component<Bits>(v, c) ^ complement(params)));
    }
  }
  static WPRIM_DEVICE Local close(const ReduceParams&, Slot& slot) { return split(slot); }
  static WPRIM_DEVICE Local missing_local() { return missing(); }
  static WPRIM_DEVICE State state(const ReduceParams&, const Local& local, uint64_t) { return local; }
  static WPRIM_DEVICE State missing() { return split(0); }
  static WPRIM_DEVICE State combine(const ReduceParams& params, const State& a, const State& b) {
    return split(both(params, join(a), join(b)));
  }
  static WPRIM_DEVICE void finish(const ReduceParams& params, uint64_t row, const State& a) {
    store_word(params, row, join(a) ^ complement(params));
  }
};

}  // namespace wprim::cuda
