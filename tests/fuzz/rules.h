// The rules of the header for types and arrays, written down a second time and as plainly as can be.
#pragma once

#include <warpprim.h>

#include <cstddef>
#include <cstdint>

namespace rules {

using Wide = unsigned __int128;  // extents that do not wrap

inline size_t size_of(int32_t dtype) {
  static const size_t sizes[] = {0, 4, 8, 2, 2, 1, 2, 4, 8, 1, 2, 4, 8, 1};
  return dtype >= 1 && dtype <= 13 ? sizes[dtype] : 0;
}
inline bool is_float(int32_t dtype) { return dtype >= WPRIM_F32 && dtype <= WPRIM_BF16; }
inline bool is_index(int32_t dtype) {
  return dtype == WPRIM_I64 || dtype == WPRIM_U64 || dtype == WPRIM_I32 || dtype == WPRIM_U32;
}

// The table of the header: the output type in effect, or 0 if the op does not give it (or has no meaning).
inline int32_t out_dtype(int32_t op, int32_t dtype, int32_t wanted) {
  const bool is_signed = dtype >= WPRIM_I8 && dtype <= WPRIM_I64;
  const bool is_bool = dtype == WPRIM_BOOL;
  int32_t preset = dtype;
  bool good = wanted == preset;
  switch (op) {
    case WPRIM_SUM:
    case WPRIM_PROD:
    case WPRIM_L1:
      if (!is_float(dtype)) preset = is_signed && op != WPRIM_L1 ? WPRIM_I64 : WPRIM_U64;
      good = is_float(wanted) || (!is_float(dtype) && wanted >= WPRIM_I8 && wanted <= WPRIM_U64);
      break;
    case WPRIM_L2:
    case WPRIM_MEAN:
    case WPRIM_VAR:
    case WPRIM_STD:
    case WPRIM_LOGSUMEXP:
      if (!is_float(dtype)) preset = WPRIM_F64;
      good = is_float(wanted);
      break;
    case WPRIM_ARGMIN:
    case WPRIM_ARGMAX:
      preset = WPRIM_I64;
      good = is_index(wanted);
      break;
    case WPRIM_COUNT_NONZERO:
      preset = WPRIM_U64;
      good = is_index(wanted);
      break;
    case WPRIM_AND:
    case WPRIM_OR:
    case WPRIM_XOR:
      if (is_float(dtype)) return 0;
      break;
    case WPRIM_ANY:
    case WPRIM_ALL:
      preset = WPRIM_BOOL;
      good = wanted == WPRIM_BOOL;
      break;
    case WPRIM_AMAX:
      if (is_signed && !is_bool) preset = dtype + (WPRIM_U8 - WPRIM_I8);
      good = wanted == preset;
      break;
    default: break;
  }
  if (wanted == WPRIM_DTYPE_DEFAULT) return preset;
  return good ? wanted : 0;
}

// An array of a call: where, and how much of it.
struct Extent {
  uintptr_t address;
  Wide elements;
  size_t size;
  Wide bytes() const { return elements * size; }
  bool valid() const {
    if (elements > static_cast<Wide>(INT64_MAX) / size || bytes() + address > UINTPTR_MAX) return false;
    return elements == 0 || (address != 0 && address % size == 0);
  }
};
inline bool overlap(const Extent& a, const Extent& b) {
  return a.elements && b.elements && a.address < b.address + b.bytes() && b.address < a.address + a.bytes();
}

inline Extent array(const void* data, uint64_t rows, uint64_t cols, uint64_t stride, size_t size) {
  const Wide elements = rows == 0 || cols == 0 ? 0 : static_cast<Wide>(rows - 1) * stride + cols;
  return {reinterpret_cast<uintptr_t>(data), elements, size};
}

// The rules, but for those of the desc itself. Types that are none make no extents.
inline bool check_reduce(const wprim_reduce_desc& d, Extent* in, Extent* out, Extent* number) {
  *in = *out = *number = {0, 0, 1};
  if (d.op < WPRIM_SUM || d.op > WPRIM_LOGSUMEXP || !size_of(d.dtype)) return false;
  const int32_t to = out_dtype(d.op, d.dtype, d.out_dtype);
  if (to == 0) return false;
  if (d.op == WPRIM_ARGMIN || d.op == WPRIM_ARGMAX || d.op == WPRIM_COUNT_NONZERO) {
    const uint64_t most = to == WPRIM_I32   ? INT32_MAX
                          : to == WPRIM_U32 ? UINT32_MAX
                          : to == WPRIM_I64 ? INT64_MAX
                                            : UINT64_MAX;
    if (d.cols > most) return false;
  }
  const uint64_t stride = d.row_stride == 0 ? d.cols : d.row_stride;
  if (d.rows > 1 && d.cols > 0 && stride < d.cols) return false;
  const uint64_t values = d.op == WPRIM_MINMAX ? 2 : 1;
  *in = array(d.in, d.rows, d.cols, stride, size_of(d.dtype));
  *out = array(d.out, d.rows, values, values, size_of(to));
  if (d.n_on_device) *number = array(d.n_on_device, 1, 1, 1, sizeof(uint64_t));
  if (d.n_on_device && d.rows != 1) return false;
  return in->valid() && out->valid() && number->valid() && !overlap(*in, *out) && !overlap(*number, *out);
}

}  // namespace rules
