// The tables of element types and ops agree with the enumerators of the header, and know nothing else.
#include <gtest/gtest.h>

#include <climits>
#include <cstring>
#include <set>
#include <string>
#include <type_traits>

#include "core/dtype.h"
#include "core/op.h"

namespace wprim {
namespace {

struct Dtype {
  wprim_dtype dtype;
  int number;  // ABI
  size_t size;
  Kind kind;
  const char* name;
};

const Dtype kHeaderDtypes[] = {
    {WPRIM_F32, 1, 4, Kind::floating, "f32"},          {WPRIM_F64, 2, 8, Kind::floating, "f64"},
    {WPRIM_F16, 3, 2, Kind::floating, "f16"},          {WPRIM_BF16, 4, 2, Kind::floating, "bf16"},
    {WPRIM_I8, 5, 1, Kind::signed_integer, "i8"},      {WPRIM_I16, 6, 2, Kind::signed_integer, "i16"},
    {WPRIM_I32, 7, 4, Kind::signed_integer, "i32"},    {WPRIM_I64, 8, 8, Kind::signed_integer, "i64"},
    {WPRIM_U8, 9, 1, Kind::unsigned_integer, "u8"},    {WPRIM_U16, 10, 2, Kind::unsigned_integer, "u16"},
    {WPRIM_U32, 11, 4, Kind::unsigned_integer, "u32"}, {WPRIM_U64, 12, 8, Kind::unsigned_integer, "u64"},
    {WPRIM_BOOL, 13, 1, Kind::boolean, "bool"},
};

TEST(Dtypes, TableIsTheHeader) {
  EXPECT_EQ(std::size(kDtypes), std::size(kHeaderDtypes));
  for (const Dtype& expected : kHeaderDtypes) {
    SCOPED_TRACE(expected.name);
    EXPECT_EQ(static_cast<int>(expected.dtype), expected.number);
    const DtypeInfo* info = find_dtype(expected.dtype);
    ASSERT_NE(info, nullptr);
    EXPECT_EQ(info->dtype, expected.dtype);
    EXPECT_EQ(info->size, expected.size);
    EXPECT_EQ(info->kind, expected.kind);
    EXPECT_STREQ(info->name, expected.name);
    EXPECT_EQ(wprim_dtype_size(expected.dtype), expected.size);
    EXPECT_EQ(is_float(expected.dtype), expected.kind == Kind::floating);
  }
}

TEST(Dtypes, VisitGivesTheTypeOfTheRow) {
  for (const DtypeInfo& info : kDtypes) {
    SCOPED_TRACE(info.name);
    visit_dtype(info.dtype, [&](auto element) {
      using T = decltype(element);
      EXPECT_EQ(sizeof(T), info.size);
      EXPECT_EQ(std::is_integral_v<T>,
                info.kind == Kind::signed_integer || info.kind == Kind::unsigned_integer);
      if constexpr (std::is_integral_v<T>) {
        EXPECT_EQ(std::is_signed_v<T>, info.kind == Kind::signed_integer);
      }
    });
  }
}

TEST(Dtypes, OtherNumbersAreNone) {
  for (int value : {INT_MIN, -1, 0, 14, 15, 101, INT_MAX}) {
    EXPECT_EQ(find_dtype(static_cast<wprim_dtype>(value)), nullptr) << value;
    EXPECT_EQ(wprim_dtype_size(static_cast<wprim_dtype>(value)), 0u) << value;
  }
}

struct Op {
  wprim_op op;
  int number;
  const char* name;
  OpRule rule;
};

const Op kHeaderOps[] = {
    {WPRIM_SUM, 101, "sum", OpRule::sum},
    {WPRIM_PROD, 102, "prod", OpRule::sum},
    {WPRIM_MIN, 103, "min", OpRule::selection},
    {WPRIM_MAX, 104, "max", OpRule::selection},
    {WPRIM_ARGMIN, 105, "argmin", OpRule::index},
    {WPRIM_ARGMAX, 106, "argmax", OpRule::index},
    {WPRIM_MINMAX, 107, "minmax", OpRule::selection},
    {WPRIM_AND, 108, "and", OpRule::bitwise},
    {WPRIM_OR, 109, "or", OpRule::bitwise},
    {WPRIM_XOR, 110, "xor", OpRule::bitwise},
    {WPRIM_ANY, 111, "any", OpRule::truth},
    {WPRIM_ALL, 112, "all", OpRule::truth},
    {WPRIM_COUNT_NONZERO, 113, "count_nonzero", OpRule::count},
    {WPRIM_MEAN, 114, "mean", OpRule::statistic},
    {WPRIM_VAR, 115, "var", OpRule::statistic},
    {WPRIM_STD, 116, "std", OpRule::statistic},
    {WPRIM_L1, 117, "l1", OpRule::sum},
    {WPRIM_L2, 118, "l2", OpRule::statistic},
    {WPRIM_AMAX, 119, "amax", OpRule::magnitude},
    {WPRIM_LOGSUMEXP, 120, "logsumexp", OpRule::statistic},
};

TEST(Ops, TableIsTheHeader) {
  EXPECT_EQ(std::size(kOps), std::size(kHeaderOps));
  for (const Op& expected : kHeaderOps) {
    SCOPED_TRACE(expected.name);
    EXPECT_EQ(static_cast<int>(expected.op), expected.number);
    const OpInfo* info = find_op(expected.op);
    ASSERT_NE(info, nullptr);
    EXPECT_EQ(info->op, expected.op);
    EXPECT_STREQ(info->name, expected.name);
    EXPECT_EQ(info->rule, expected.rule);
  }
}

TEST(Ops, OtherNumbersAreNone) {
  for (int value : {INT_MIN, -1, 0, 1, 13, 100, 121, INT_MAX}) {
    EXPECT_EQ(find_op(static_cast<wprim_op>(value)), nullptr) << value;
  }
}

}  // namespace
}  // namespace wprim
