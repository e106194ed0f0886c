// A reduce that passed validation: what backends get. Everything is explicit here, nothing is left to a default.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/dtype.h"
#include "core/op.h"
#include "core/status.h"

namespace wprim {

struct Reduce {
  wprim_op op;
  wprim_dtype dtype;
  wprim_dtype out_dtype;
  wprim_dtype accumulator;  // rounding ops: f32 or f64; integer sums: u64; the exact ops: the input type
  wprim_nan nan;
  uint32_t ddof;
  const std::byte* in;
  std::byte* out;
  uint64_t rows;
  uint64_t cols;
  uint64_t row_stride;    // in elements
  const uint64_t* count;  // where the true number of columns, at most cols, is found when it runs; or null

  uint64_t in_bytes() const { return rows * cols * size_of(dtype); }
  const std::byte* row(uint64_t r) const { return in + r * row_stride * size_of(dtype); }
};

// Checks a desc by every rule of the header and fills *reduce. `count` is what the caller calls cols in texts.
Status check_reduce(const wprim_reduce_desc* desc, const char* count, Reduce* reduce);

// Of these checks, those of the memory: for an op that passed them all, and then got other pointers.
Status check_memory(const Reduce& reduce, const char* count);

}  // namespace wprim
