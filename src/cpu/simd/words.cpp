// Integers modulo 2^64, and bit by bit. Exact, so the order is free and plain loops do: the compiler vectorises them
// for each instruction set.
#include "cpu/simd/targets.h"
#include "cpu/simd/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd/words.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include <cstring>

#include "core/convert.h"

HWY_BEFORE_NAMESPACE();
namespace wprim::cpu::simd::HWY_NAMESPACE {

template <class T>
uint64_t SumWords(const void* in, size_t n) {
  const T* x = static_cast<const T*>(in);
  uint64_t sum = 0;
  for (size_t i = 0; i < n; ++i) sum += to_word(x[i]);
  return sum;
}

template <class T>
uint64_t AbsoluteSumWords(const void* in, size_t n) {
  const T* x = static_cast<const T*>(in);
  uint64_t sum = 0;
  for (size_t i = 0; i < n; ++i) {
    const uint64_t word = to_word(x[i]);
    sum += static_cast<int64_t>(word) < 0 && std::is_signed_v<T> ? 0 - word : word;
  }
  return sum;
}

template <class T>
uint64_t ProductWords(const void* in, size_t n) {
  const T* x = static_cast<const T*>(in);
  // Independent chains: a 64-bit multiplication takes its time, but the next need not wait for it.
  constexpr size_t kChains = 32;
  uint64_t product[kChains];
  for (uint64_t& p : product) p = 1;
  size_t i = 0;
  for (; i + kChains <= n; i += kChains) {
    for (size_t k = 0; k < kChains; ++k) product[k] *= to_word(x[i + k]);
  }
  for (; i < n; ++i) product[0] *= to_word(x[i]);
  for (size_t k = 1; k < kChains; ++k) product[0] *= product[k];
  return product[0];
}

WordKernel WordOf(WordFold fold, wprim_dtype dtype) {
  return visit_dtype(dtype, [&](auto x) -> WordKernel {
    using T = decltype(x);
    if constexpr (!is_float_type<T>) {
      switch (fold) {
        case WordFold::sum: return SumWords<T>;
        case WordFold::absolute_sum: return AbsoluteSumWords<T>;
        case WordFold::product: return ProductWords<T>;
      }
    }
    return nullptr;
  });
}

// Eight bytes at a time: elements of 1, 2, 4 or 8 bytes keep to their own part of the word.
template <class Op>
uint64_t BitwisePiece(const void* in, size_t n, size_t element_size) {
  const auto* bytes = static_cast<const unsigned char*>(in);
  const size_t size = n * element_size;
  uint64_t word = Op::kIdentity;
  size_t i = 0;
  for (; i + 8 <= size; i += 8) {
    uint64_t next;
    std::memcpy(&next, bytes + i, 8);
    word = Op::combine(word, next);
  }
  uint64_t rest = Op::kIdentity;
  std::memcpy(&rest, bytes + i, size - i);
  word = Op::combine(word, rest);
  for (size_t width = 4; width >= element_size; width /= 2) word = Op::combine(word, word >> (8 * width));
  return word;  // the low element_size bytes
}

struct Conjunction {
  static constexpr uint64_t kIdentity = ~0ull;
  static uint64_t combine(uint64_t a, uint64_t b) { return a & b; }
};
struct Disjunction {
  static constexpr uint64_t kIdentity = 0;
  static uint64_t combine(uint64_t a, uint64_t b) { return a | b; }
};
struct Exclusive {
  static constexpr uint64_t kIdentity = 0;
  static uint64_t combine(uint64_t a, uint64_t b) { return a ^ b; }
};

BitwiseKernel BitwiseOf(Bitwise op) {
  switch (op) {
    case Bitwise::conjunction: return BitwisePiece<Conjunction>;
    case Bitwise::disjunction: return BitwisePiece<Disjunction>;
    case Bitwise::exclusive: return BitwisePiece<Exclusive>;
  }
  __builtin_unreachable();
}

}  // namespace wprim::cpu::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wprim::cpu::simd {

HWY_EXPORT(WordOf);
HWY_EXPORT(BitwiseOf);

WordKernel word_kernel(WordFold fold, wprim_dtype dtype) { return HWY_DYNAMIC_DISPATCH(WordOf)(fold, dtype); }
BitwiseKernel bitwise_kernel(Bitwise op) { return HWY_DYNAMIC_DISPATCH(BitwiseOf)(op); }

}  // namespace wprim::cpu::simd
#endif
