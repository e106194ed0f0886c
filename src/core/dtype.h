// The one table of element types. A new dtype is one line here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "warpprim.h"

namespace wprim {

// Storage of the 16-bit floats and of bool: bits only, arithmetic goes through conversions (core/convert.h).
struct f16 {
  uint16_t bits;
};
struct bf16 {
  uint16_t bits;
};
struct boolean {
  uint8_t byte;  // any value may come in; 0 or 1 goes out
};

enum class Kind : uint8_t { floating, signed_integer, unsigned_integer, boolean };

// X(enumerator, C++ type, kind, name in texts)
#define WPRIM_DTYPES(X)                                 \
  X(WPRIM_F32, float, Kind::floating, "f32")            \
  X(WPRIM_F64, double, Kind::floating, "f64")           \
  X(WPRIM_F16, f16, Kind::floating, "f16")              \
  X(WPRIM_BF16, bf16, Kind::floating, "bf16")           \
  X(WPRIM_I8, int8_t, Kind::signed_integer, "i8")       \
  X(WPRIM_I16, int16_t, Kind::signed_integer, "i16")    \
  X(WPRIM_I32, int32_t, Kind::signed_integer, "i32")    \
  X(WPRIM_I64, int64_t, Kind::signed_integer, "i64")    \
  X(WPRIM_U8, uint8_t, Kind::unsigned_integer, "u8")    \
  X(WPRIM_U16, uint16_t, Kind::unsigned_integer, "u16") \
  X(WPRIM_U32, uint32_t, Kind::unsigned_integer, "u32") \
  X(WPRIM_U64, uint64_t, Kind::unsigned_integer, "u64") \
  X(WPRIM_BOOL, boolean, Kind::boolean, "bool")

template <wprim_dtype>
struct DtypeOf;
#define WPRIM_ROW(enumerator, cpp, kind_, text) \
  template <>                                   \
  struct DtypeOf<enumerator> {                  \
    using type = cpp;                           \
  };
WPRIM_DTYPES(WPRIM_ROW)
#undef WPRIM_ROW

struct DtypeInfo {
  wprim_dtype dtype;
  uint8_t size;
  Kind kind;
  const char* name;
};

inline constexpr DtypeInfo kDtypes[] = {
#define WPRIM_ROW(enumerator, cpp, kind_, text) {enumerator, sizeof(cpp), kind_, text},
    WPRIM_DTYPES(WPRIM_ROW)
#undef WPRIM_ROW
};

// The row of a dtype, or nullptr for a value that is none. The enumerators count from 1 in the table's order.
constexpr const DtypeInfo* find_dtype(wprim_dtype dtype) {
  const auto index = static_cast<int64_t>(dtype) - 1;
  const bool known = index >= 0 && index < static_cast<int64_t>(sizeof kDtypes / sizeof *kDtypes);
  return known ? &kDtypes[index] : nullptr;
}

constexpr size_t size_of(wprim_dtype dtype) { return find_dtype(dtype)->size; }
constexpr Kind kind_of(wprim_dtype dtype) { return find_dtype(dtype)->kind; }
constexpr const char* name_of(wprim_dtype dtype) { return find_dtype(dtype)->name; }
constexpr bool is_float(wprim_dtype dtype) { return kind_of(dtype) == Kind::floating; }

// Calls f with a value-initialised element of the dtype's C++ type: one switch instead of one per use.
template <class F>
decltype(auto) visit_dtype(wprim_dtype dtype, F&& f) {
  switch (dtype) {
#define WPRIM_ROW(enumerator, cpp, kind_, text) \
  case enumerator: return f(cpp{});
    WPRIM_DTYPES(WPRIM_ROW)
#undef WPRIM_ROW
    default: break;
  }
  __builtin_unreachable();  // validation let only known dtypes through
}

}  // namespace wprim
