#include "core/reduce.h"

#include <cinttypes>
#include <limits>
#include <string>

#include "core/array.h"
#include "core/desc.h"

namespace wprim {
namespace {

// Sets of element types, as bits by enumerator.
using Dtypes = uint32_t;
constexpr Dtypes bit(wprim_dtype dtype) { return 1u << dtype; }

constexpr Dtypes kFloats = bit(WPRIM_F32) | bit(WPRIM_F64) | bit(WPRIM_F16) | bit(WPRIM_BF16);
constexpr Dtypes kSigned = bit(WPRIM_I8) | bit(WPRIM_I16) | bit(WPRIM_I32) | bit(WPRIM_I64);
constexpr Dtypes kUnsigned = bit(WPRIM_U8) | bit(WPRIM_U16) | bit(WPRIM_U32) | bit(WPRIM_U64);
constexpr Dtypes kIntegers = kSigned | kUnsigned;

std::string names(Dtypes set) {
  std::string text;
  for (const DtypeInfo& info : kDtypes) {
    if (!(set & bit(info.dtype))) continue;
    if (!text.empty()) text += ' ';
    text += info.name;
  }
  return text;
}

// The output types of an op on a type: the first is the default.
struct Outputs {
  wprim_dtype preset;
  Dtypes allowed;
};

wprim_dtype unsigned_of(wprim_dtype dtype) {
  if (kind_of(dtype) != Kind::signed_integer) return dtype;
  return static_cast<wprim_dtype>(dtype - WPRIM_I8 + WPRIM_U8);
}

Outputs outputs(const OpInfo& op, wprim_dtype in) {
  switch (op.rule) {
    case OpRule::sum: {
      if (is_float(in)) return {in, kFloats};
      const bool to_signed = kind_of(in) == Kind::signed_integer && op.op != WPRIM_L1;
      return {to_signed ? WPRIM_I64 : WPRIM_U64, kIntegers | kFloats};
    }
    case OpRule::statistic: return {is_float(in) ? in : WPRIM_F64, kFloats};
    case OpRule::selection:
    case OpRule::bitwise: return {in, bit(in)};
    case OpRule::index: return {WPRIM_I64, bit(WPRIM_I64) | bit(WPRIM_I32) | bit(WPRIM_U32) | bit(WPRIM_U64)};
    case OpRule::truth: return {WPRIM_BOOL, bit(WPRIM_BOOL)};
    case OpRule::count: return {WPRIM_U64, bit(WPRIM_U64) | bit(WPRIM_I64) | bit(WPRIM_I32) | bit(WPRIM_U32)};
    case OpRule::magnitude: return {unsigned_of(in), bit(unsigned_of(in))};
  }
  __builtin_unreachable();
}

wprim_dtype accumulator(const OpInfo& op, wprim_dtype in, wprim_dtype out) {
  if (op.rule != OpRule::sum && op.rule != OpRule::statistic) return in;
  if (!is_float(out)) return WPRIM_U64;
  return in == WPRIM_F64 || !is_float(in) || out == WPRIM_F64 ? WPRIM_F64 : WPRIM_F32;
}

uint64_t largest_value(wprim_dtype dtype) {
  switch (dtype) {
    case WPRIM_I32: return std::numeric_limits<int32_t>::max();
    case WPRIM_U32: return std::numeric_limits<uint32_t>::max();
    case WPRIM_I64: return std::numeric_limits<int64_t>::max();
    default: return std::numeric_limits<uint64_t>::max();
  }
}

Status check_types(const wprim_reduce_desc& d, const char* count, Reduce* reduce) {
  const OpInfo* op = find_op(d.op);
  if (!op) {
    const char* hint =
        find_dtype(static_cast<wprim_dtype>(d.op)) ? " (a dtype? are op and dtype swapped?)" : "";
    return invalid("op = %d is no op of reduce%s", static_cast<int>(d.op), hint);
  }
  WPRIM_TRY(check_dtype("dtype", d.dtype));
  if (d.nan != WPRIM_NAN_PROPAGATE && d.nan != WPRIM_NAN_IGNORE) {
    return invalid("nan = %d is neither WPRIM_NAN_PROPAGATE nor WPRIM_NAN_IGNORE", static_cast<int>(d.nan));
  }
  if (op->rule == OpRule::bitwise && is_float(d.dtype)) {
    return fail(WPRIM_ERROR_UNSUPPORTED, "op = %s has no meaning for dtype = %s; it takes %s", op->name,
                name_of(d.dtype), names(kIntegers | bit(WPRIM_BOOL)).c_str());
  }
  const Outputs out = outputs(*op, d.dtype);
  reduce->out_dtype = out.preset;
  if (d.out_dtype != WPRIM_DTYPE_DEFAULT) {
    WPRIM_TRY(check_dtype("out_dtype", d.out_dtype));
    if (!(out.allowed & bit(d.out_dtype))) {
      return fail(WPRIM_ERROR_UNSUPPORTED,
                  "out_dtype = %s is no result of op = %s on dtype = %s; it gives %s", name_of(d.out_dtype),
                  op->name, name_of(d.dtype), names(out.allowed).c_str());
    }
    reduce->out_dtype = d.out_dtype;
  }
  if (d.ddof != 0 && d.op != WPRIM_VAR && d.op != WPRIM_STD) {
    return invalid("ddof = %" PRIu32 " is for var and std; op = %s has none", d.ddof, op->name);
  }
  if (op->rule == OpRule::index || op->rule == OpRule::count) {
    const uint64_t largest = largest_value(reduce->out_dtype);
    if (d.cols > largest) {
      return invalid("%s = %" PRIu64 " is more than out_dtype = %s can hold (%" PRIu64 ") for op = %s", count,
                     d.cols, name_of(reduce->out_dtype), largest, op->name);
    }
  }
  reduce->accumulator = accumulator(*op, d.dtype, reduce->out_dtype);
  return {};
}

}  // namespace

Status check_memory(const Reduce& r, const char* count) {
  const uint64_t values = r.op == WPRIM_MINMAX ? 2 : 1;
  const Array in{"in", count, r.in, r.dtype, r.rows, r.cols, r.row_stride};
  const Array out{"out", "values", r.out, r.out_dtype, r.rows, values, values};
  WPRIM_TRY(check_array(in));
  WPRIM_TRY(check_array(out));
  WPRIM_TRY(check_disjoint(in, out));
  if (!r.count) return {};
  if (r.rows != 1) {
    return invalid("n_on_device is for one row, as the number of its elements; rows = %" PRIu64, r.rows);
  }
  const Array number{"n_on_device", "values", r.count, WPRIM_U64, 1, 1, 1};
  WPRIM_TRY(check_array(number));
  return check_disjoint(number, out);
}

Status check_reduce(const wprim_reduce_desc* desc, const char* count, Reduce* reduce) {
  wprim_reduce_desc d;
  WPRIM_TRY(read_desc("desc", desc, offsetof(wprim_reduce_desc, nan),
                      wprim_reduce_desc WPRIM_REDUCE_DESC_INIT, &d));
  WPRIM_TRY(check_types(d, count, reduce));
  reduce->op = d.op;
  reduce->dtype = d.dtype;
  reduce->nan = d.nan;
  reduce->ddof = d.ddof;
  reduce->in = static_cast<const std::byte*>(d.in);
  reduce->out = static_cast<std::byte*>(d.out);
  reduce->rows = d.rows;
  reduce->cols = d.cols;
  reduce->row_stride = d.row_stride == 0 ? d.cols : d.row_stride;
  reduce->count = d.n_on_device;
  return check_memory(*reduce, count);
}

}  // namespace wprim
