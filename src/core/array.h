// Arrays as ops see them: a view with a name for the texts, and the checks every family needs.
#pragma once

#include <cstdint>

#include "core/dtype.h"
#include "core/status.h"

namespace wprim {

struct Array {
  const char* name;   // in texts
  const char* count;  // what the caller calls cols: "cols", or "n" or "bytes" of a call without rows
  const void* data;
  wprim_dtype dtype;
  uint64_t rows;
  uint64_t cols;
  uint64_t row_stride;  // in elements; looked at only where rows > 1
};

// Known element type; also tells when an op was passed for a dtype.
Status check_dtype(const char* name, wprim_dtype dtype);

// Extent within the address space, present where there are elements, aligned.
Status check_array(const Array& array);

// Bytes from the first element to the end of the last. The array passed check_array.
uint64_t extent_bytes(const Array& array);

Status check_disjoint(const Array& a, const Array& b);

}  // namespace wprim
