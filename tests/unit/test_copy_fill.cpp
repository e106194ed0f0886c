// Copy and fill: every element size, every alignment, sizes done at once, by the stream's thread and by
// several.
#include <climits>

#include "support.h"

namespace wprim::test {
namespace {

const uint64_t kSizes[] = {0, 1, 2, 3, 7, 8, 63, 64, 65, 1000, 300'000, 600'001, 1 << 20, (3 << 20) + 5};

TEST(Copy, AnySizeAtAnyAddress) {
  const Context context;
  const Stream stream(context);
  for (uint64_t bytes : kSizes) {
    for (uint64_t shift : {0, 1, 3, 64}) {
      const std::vector<unsigned char> src = random_bytes(bytes + 128, bytes);
      std::vector<unsigned char> dst(bytes + 192, 0xee), expected = dst;
      std::copy_n(src.begin() + 5, bytes, expected.begin() + static_cast<ptrdiff_t>(shift));
      EXPECT_OK(wprim_copy(stream, dst.data() + shift, src.data() + 5, bytes));
      EXPECT_OK(wprim_stream_synchronize(stream));
      EXPECT_TRUE(dst == expected) << bytes << " bytes to " << shift;
    }
  }
}

TEST(Copy, Refusals) {
  const Context context;
  const Stream stream(context);
  unsigned char a[100] = {};
  const auto* garbage = reinterpret_cast<const void*>(UINTPTR_MAX - 9);
  EXPECT_EQ(wprim_copy(stream, nullptr, a, 1), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(last_error_has("wprim_copy: dst is NULL")) << wprim_last_error();
  EXPECT_EQ(wprim_copy(stream, a, nullptr, 1), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(last_error_has("wprim_copy: src is NULL")) << wprim_last_error();
  EXPECT_EQ(wprim_copy(stream, a, a, 1), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(wprim_copy(stream, a, a + 9, 10), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(wprim_copy(stream, a + 9, a, 10), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(wprim_copy(stream, a, garbage, 10), WPRIM_ERROR_INVALID_ARGUMENT) << "wraps";
  EXPECT_EQ(wprim_copy(stream, a, a + 50, UINT64_MAX), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_OK(wprim_copy(stream, nullptr, nullptr, 0));
  EXPECT_OK(wprim_copy(stream, a, a, 0));
  EXPECT_OK(wprim_copy(stream, a, a + 10, 10)) << "side by side is not overlapping";
  EXPECT_OK(wprim_stream_synchronize(stream));
}

const wprim_dtype kDtypes[] = {WPRIM_F32, WPRIM_F64, WPRIM_F16, WPRIM_BF16, WPRIM_I8,  WPRIM_I16, WPRIM_I32,
                               WPRIM_I64, WPRIM_U8,  WPRIM_U16, WPRIM_U32,  WPRIM_U64, WPRIM_BOOL};

TEST(Fill, EveryTypeAnySize) {
  const Context context;
  const Stream stream(context);
  const unsigned char value[8] = {0x11, 0x82, 0x93, 0xf4, 0x05, 0xff, 0x7f, 0x80};
  for (wprim_dtype dtype : kDtypes) {
    const size_t size = wprim_dtype_size(dtype);
    for (uint64_t n : {0, 1, 2, 3, 17, 1000, 65'537, 600'001}) {
      const uint64_t begin = 3 * size, bytes = n * size;
      std::vector<unsigned char> dst(bytes + 64, 0xee), expected = dst;
      for (uint64_t i = 0; i < bytes; ++i) expected[begin + i] = value[i % size];
      EXPECT_OK(wprim_fill(stream, dtype, dst.data() + begin, n, value));
      EXPECT_OK(wprim_stream_synchronize(stream));
      EXPECT_TRUE(dst == expected) << n << " elements of " << size << " bytes";
    }
  }
}

TEST(Fill, TheValueIsReadBeforeTheCallReturns) {
  const Context context;
  const Stream stream(context);
  std::vector<double> dst(100);
  Gate gate;
  gate.block(stream);
  double value = 2.5;
  EXPECT_OK(wprim_fill(stream, WPRIM_F64, dst.data(), dst.size(), &value));
  value = -1;
  gate.open();
  EXPECT_OK(wprim_stream_synchronize(stream));
  for (double x : dst) EXPECT_EQ(x, 2.5);
}

TEST(Fill, Refusals) {
  const Context context;
  const Stream stream(context);
  alignas(8) unsigned char a[64] = {};
  const uint64_t value = 1;
  for (int dtype : {INT_MIN, -1, 0, 14, 101}) {
    EXPECT_EQ(wprim_fill(stream, static_cast<wprim_dtype>(dtype), a, 1, &value),
              WPRIM_ERROR_INVALID_ARGUMENT);
  }
  EXPECT_EQ(wprim_fill(stream, WPRIM_U8, a, 1, nullptr), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(wprim_fill(stream, WPRIM_U8, nullptr, 1, &value), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(wprim_fill(stream, WPRIM_U64, a + 4, 1, &value), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(wprim_fill(stream, WPRIM_U64, a, uint64_t{1} << 61, &value), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(wprim_fill(stream, WPRIM_U8, a, UINT64_MAX, &value), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_OK(wprim_fill(stream, WPRIM_U8, nullptr, 0, &value));
  EXPECT_OK(wprim_stream_synchronize(stream));
  for (unsigned char byte : a) EXPECT_EQ(byte, 0);
}

}  // namespace
}  // namespace wprim::test
