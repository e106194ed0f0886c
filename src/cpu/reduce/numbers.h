// What the ops that round have in common: elements as accumulators on the way in, one rounding on the way out.
#pragma once

#include <cstring>

#include "core/convert.h"
#include "core/order.h"
#include "core/reduce.h"
#include "cpu/simd/kernels.h"

namespace wprim::cpu {

// Room for a chunk of any type that becomes an A: f32 from 2-byte types or from itself, f64 from any.
template <class A>
struct NumberScratch {
  alignas(64) A x[order::chunk_elements(sizeof(A) == 4 ? 2 : 1)];
};

// Gives pieces of the input as accumulators: the input itself where it is of that type, else a converted copy.
template <class A>
class Numbers {
 public:
  // With the policy to ignore, NaNs become `stand_in`; `keep_nan` is for ops that skip them themselves.
  Numbers(const Reduce& r, A stand_in, bool keep_nan = false)
      : convert_(simd::convert_kernel<A>(r.dtype)),
        replace_(r.nan == WPRIM_NAN_IGNORE && is_float(r.dtype) && !keep_nan),
        direct_(r.dtype == (sizeof(A) == 4 ? WPRIM_F32 : WPRIM_F64) && !replace_),
        stand_in_(stand_in) {}

  const A* get(const std::byte* in, size_t n, NumberScratch<A>& scratch) const {
    if (direct_) return reinterpret_cast<const A*>(in);
    convert_(in, n, replace_, stand_in_, scratch.x);
    return scratch.x;
  }

 private:
  const simd::ConvertKernel<A> convert_;
  const bool replace_;
  const bool direct_;
  const A stand_in_;
};

// Writes a number as the row's output, rounded once.
template <class A>
void store_number(const Reduce& r, uint64_t row, A value) {
  visit_dtype(r.out_dtype, [&](auto element) {
    using T = decltype(element);
    if constexpr (is_float_type<T>) {
      const T rounded = from_number<T>(value);
      std::memcpy(r.out + row * sizeof(T), &rounded, sizeof(T));
    }
  });
}

// Writes the low bits of a word as the row's output.
inline void store_word(const Reduce& r, uint64_t row, uint64_t word) {
  switch (size_of(r.out_dtype)) {  // little-endian, as every supported machine is
    case 1: return void(std::memcpy(r.out + row, &word, 1));
    case 2: return void(std::memcpy(r.out + row * 2, &word, 2));
    case 4: return void(std::memcpy(r.out + row * 4, &word, 4));
    default: return void(std::memcpy(r.out + row * 8, &word, 8));
  }
}

}  // namespace wprim::cpu
