#include "core/array.h"

#include <cinttypes>

namespace wprim {
namespace {

// Elements from the first to the last, in a type that cannot overflow.
unsigned __int128 extent_elements(const Array& a) {
  if (a.rows == 0 || a.cols == 0) return 0;
  return static_cast<unsigned __int128>(a.rows - 1) * a.row_stride + a.cols;
}

uintptr_t address(const Array& a) { return reinterpret_cast<uintptr_t>(a.data); }

}  // namespace

Status check_dtype(const char* name, wprim_dtype dtype) {
  if (find_dtype(dtype)) return {};
  const char* hint = dtype > 100 ? " (an op? are op and dtype swapped?)" : "";
  return invalid("%s = %d is no element type%s", name, static_cast<int>(dtype), hint);
}

Status check_array(const Array& a) {
  const size_t size = size_of(a.dtype);
  if (a.rows > 1 && a.cols > 0 && a.row_stride < a.cols) {
    return invalid("row_stride = %" PRIu64 " is smaller than cols = %" PRIu64 ": rows of %s would overlap",
                   a.row_stride, a.cols, a.name);
  }
  const unsigned __int128 elements = extent_elements(a);
  // Elements are bounded before bytes: the product could wrap even in 128 bits.
  if (elements > INT64_MAX / size || elements * size + address(a) > UINTPTR_MAX) {
    if (a.rows == 1) {
      return invalid("%s = %" PRIu64 " elements of %s (%s) exceed the address space", a.count, a.cols,
                     name_of(a.dtype), a.name);
    }
    return invalid("rows = %" PRIu64 ", cols = %" PRIu64 ", row_stride = %" PRIu64
                   " of %s (%s) exceed the address space",
                   a.rows, a.cols, a.row_stride, name_of(a.dtype), a.name);
  }
  if (elements == 0) return {};
  if (!a.data) {
    if (a.rows == 1) return invalid("%s is NULL, but has %s = %" PRIu64 " elements", a.name, a.count, a.cols);
    return invalid("%s is NULL, but has %" PRIu64 " rows of %" PRIu64 " elements", a.name, a.rows, a.cols);
  }
  if (address(a) % size != 0) {
    return invalid("%s = %p is not aligned to its element (%s, %zu bytes)", a.name, a.data, name_of(a.dtype),
                   size);
  }
  return {};
}

uint64_t extent_bytes(const Array& a) { return static_cast<uint64_t>(extent_elements(a)) * size_of(a.dtype); }

Status check_disjoint(const Array& a, const Array& b) {
  const uint64_t a_bytes = extent_bytes(a), b_bytes = extent_bytes(b);
  if (a_bytes == 0 || b_bytes == 0) return {};
  if (address(a) + a_bytes <= address(b) || address(b) + b_bytes <= address(a)) return {};
  return invalid("%s = %p (%" PRIu64 " bytes) overlaps %s = %p (%" PRIu64 " bytes)", a.name, a.data, a_bytes,
                 b.name, b.data, b_bytes);
}

}  // namespace wprim
