// The vector kernels: what each does to one piece of a row, at most a chunk. Each getter gives the version for the
// instruction set of this processor. All give the same bits on every instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/dtype.h"
#include "core/states.h"

namespace wprim::cpu::simd {

// Name of the instruction set in use. `WARPPRIM_CPU_TARGET` (SSE2, SSE4, AVX2 or AVX3) keeps it from using a better one.
const char* target_name();
void read_target_environment();

// ---- Ops that round: canonical fold of x[0..n), 0 < n <= a chunk of slots with v components.
enum class Fold { sum, absolute_sum, square_sum, product };
template <class A>
using FoldKernel = A (*)(const A* x, size_t n, size_t v);
template <class A>
FoldKernel<A> fold_kernel(Fold fold);

// NaNs count as missing where skip_nan.
template <class A>
using MomentsKernel = Moments<A> (*)(const A* x, size_t n, size_t v);
template <class A>
MomentsKernel<A> moments_kernel(bool skip_nan);

// Uses `scratch` (n values) for the exponentials; may be x itself.
template <class A>
using LogSumKernel = LogSum<A> (*)(const A* x, size_t n, size_t v, A* scratch);
template <class A>
LogSumKernel<A> logsum_kernel();

// Elements as accumulators. With `replace_nan`, NaNs become `stand_in`.
template <class A>
using ConvertKernel = void (*)(const void* in, size_t n, bool replace_nan, A stand_in, A* out);
template <class A>
ConvertKernel<A> convert_kernel(wprim_dtype dtype);

// ---- Exact ops.

// Elements as integers in the order of docs/numerics.md (-0 < +0, NaNs outside the infinities): their extremes.
struct Extremes {
  int64_t low;  // low > high: no element took part
  int64_t high;
};
using ExtremesKernel = Extremes (*)(const void* in, size_t n);
ExtremesKernel extremes_kernel(wprim_dtype dtype, bool skip_nan);

// Index of the first element with this key, or of the first NaN; n if there is none.
using FindKernel = size_t (*)(const void* in, size_t n, int64_t key);
FindKernel find_key_kernel(wprim_dtype dtype);
FindKernel find_nan_kernel(wprim_dtype dtype);  // floats; the key is not used

struct Counts {
  uint64_t nonzero;  // NaNs included
  uint64_t nan;
};
using CountKernel = Counts (*)(const void* in, size_t n);
CountKernel count_kernel(wprim_dtype dtype);

// Bitwise fold of the integers of 1, 2, 4 or 8 bytes.
enum class Bitwise { conjunction, disjunction, exclusive };
using BitwiseKernel = uint64_t (*)(const void* in, size_t n, size_t element_size);
BitwiseKernel bitwise_kernel(Bitwise op);

// Modulo 2^64.
enum class WordFold { sum, absolute_sum, product };
using WordKernel = uint64_t (*)(const void* in, size_t n);
WordKernel word_kernel(WordFold fold, wprim_dtype dtype);

}  // namespace wprim::cpu::simd
