// Checks of arrays: extent, alignment, overlap, and numbers that would wrap.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

#include "core/array.h"

namespace wprim {
namespace {

void* at(uintptr_t address) { return reinterpret_cast<void*>(address); }

Array array(uintptr_t address, wprim_dtype dtype, uint64_t rows, uint64_t cols, uint64_t stride) {
  return {.name = "in",
          .count = "n",
          .data = at(address),
          .dtype = dtype,
          .rows = rows,
          .cols = cols,
          .row_stride = stride};
}

wprim_status check(const Array& a) { return check_array(a).code(); }

TEST(Array, ExtentEndsWithTheLastElement) {
  EXPECT_EQ(extent_bytes(array(64, WPRIM_F32, 3, 5, 10)), (2 * 10 + 5) * 4u);
  EXPECT_EQ(extent_bytes(array(64, WPRIM_F32, 1, 5, 0)), 20u);
  EXPECT_EQ(extent_bytes(array(64, WPRIM_F32, 0, 5, 10)), 0u);
  EXPECT_EQ(extent_bytes(array(64, WPRIM_F32, 3, 0, 10)), 0u);
}

TEST(Array, NullAndMisalignedOnlyMatterWhereThereAreElements) {
  EXPECT_EQ(check(array(0, WPRIM_F64, 1, 1, 1)), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(check(array(0, WPRIM_F64, 0, 1, 1)), WPRIM_OK);
  EXPECT_EQ(check(array(0, WPRIM_F64, 1, 0, 0)), WPRIM_OK);
  for (uintptr_t offset = 0; offset < 8; ++offset) {
    EXPECT_EQ(check(array(64 + offset, WPRIM_F64, 1, 1, 1)),
              offset ? WPRIM_ERROR_INVALID_ARGUMENT : WPRIM_OK);
    EXPECT_EQ(check(array(64 + offset, WPRIM_F16, 1, 1, 1)),
              offset % 2 ? WPRIM_ERROR_INVALID_ARGUMENT : WPRIM_OK);
    EXPECT_EQ(check(array(64 + offset, WPRIM_I8, 1, 1, 1)), WPRIM_OK);
  }
}

TEST(Array, RowsMustNotOverlap) {
  EXPECT_EQ(check(array(64, WPRIM_U8, 2, 10, 9)), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(check(array(64, WPRIM_U8, 2, 10, 10)), WPRIM_OK);
}

TEST(Array, UpToTheEndOfTheAddressSpace) {
  const uintptr_t last = UINTPTR_MAX - 99;  // 99 bytes fit before the very last one
  EXPECT_EQ(check(array(last, WPRIM_U8, 1, 99, 99)), WPRIM_OK);
  EXPECT_EQ(check(array(last, WPRIM_U8, 1, 100, 100)), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(check(array(64, WPRIM_U8, 1, INT64_MAX, INT64_MAX)), WPRIM_OK);
  EXPECT_EQ(check(array(64, WPRIM_U8, 1, 1ull << 63, 1ull << 63)), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(check(array(64, WPRIM_F64, 1, 1ull << 60, 1ull << 60)), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(check(array(64, WPRIM_F64, 1, (1ull << 60) - 1, (1ull << 60) - 1)), WPRIM_OK);
}

// Products that come out small modulo 2^64 or 2^128.
TEST(Array, ByteCountsThatWrap) {
  for (wprim_dtype dtype : {WPRIM_U8, WPRIM_F16, WPRIM_F32, WPRIM_F64}) {
    for (int rows = 0; rows < 64; ++rows) {
      for (int stride = 0; stride < 64; ++stride) {
        const int size = rows + stride +
                         (dtype == WPRIM_U8    ? 0
                          : dtype == WPRIM_F16 ? 1
                          : dtype == WPRIM_F32 ? 2
                                               : 3);
        const Array a = array(64, dtype, (1ull << rows) + 1, 1, 1ull << stride);
        EXPECT_EQ(check(a), size < 63 ? WPRIM_OK : WPRIM_ERROR_INVALID_ARGUMENT)
            << name_of(dtype) << ", 2^" << rows << " + 1 rows, stride 2^" << stride;
      }
    }
    EXPECT_EQ(check(array(64, dtype, UINT64_MAX, UINT64_MAX, UINT64_MAX)), WPRIM_ERROR_INVALID_ARGUMENT);
  }
}

TEST(Array, Overlap) {
  const auto overlap = [](uintptr_t a, uint64_t n, uintptr_t b, uint64_t m) {
    return !check_disjoint(array(a, WPRIM_F32, 1, n, n), array(b, WPRIM_F32, 1, m, m)).ok();
  };
  EXPECT_FALSE(overlap(100, 5, 120, 1));
  EXPECT_TRUE(overlap(100, 5, 116, 1));
  EXPECT_FALSE(overlap(100, 5, 96, 1));
  EXPECT_TRUE(overlap(100, 5, 96, 2));
  EXPECT_TRUE(overlap(100, 5, 100, 5));
  EXPECT_TRUE(overlap(100, 50, 120, 1));
  EXPECT_TRUE(overlap(120, 1, 100, 50));
  EXPECT_FALSE(overlap(100, 5, 100, 0)) << "nothing overlaps nothing";
}

TEST(Array, TextsNameTheRule) {
  EXPECT_STREQ(check_array(array(65, WPRIM_F32, 1, 1, 1)).text(),
               "in = 0x41 is not aligned to its element (f32, 4 bytes)");
  EXPECT_STREQ(check_array(array(64, WPRIM_U8, 2, 10, 9)).text(),
               "row_stride = 9 is smaller than cols = 10: rows of in would overlap");
  EXPECT_STREQ(check_dtype("dtype", static_cast<wprim_dtype>(WPRIM_SUM)).text(),
               "dtype = 101 is no element type (an op? are op and dtype swapped?)");
}

}  // namespace
}  // namespace wprim
