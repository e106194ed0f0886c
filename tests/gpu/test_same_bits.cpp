// The GPU gives the CPU's bits: random shapes, so that every kernel and every way to finish a row comes up.
#include "support.h"

namespace {

using namespace gpu_test;

std::string describe(const wprim_reduce_desc& d) {
  return "op " + std::to_string(d.op) + " dtype " + std::to_string(d.dtype) + " rows " +
         std::to_string(d.rows) + " cols " + std::to_string(d.cols) + " stride " +
         std::to_string(d.row_stride) + " nan " + std::to_string(d.nan);
}

void compare(uint64_t seed, uint64_t most_elements) {
  std::mt19937_64 random(seed);
  wprim_reduce_desc d = random_desc(random, most_elements);
  const Bytes input = random_input(random, d);
  const size_t size = wprim_dtype_size(d.dtype), shift = random() % 2 ? random() % 16 * size : 0;
  Bytes shifted(input.size() + 16 * size);
  std::copy(input.begin(), input.end(), shifted.begin() + static_cast<ptrdiff_t>(shift));
  const DeviceMemory in(shifted), out(output_bytes(d));
  wprim_stream* stream;
  ASSERT_OK(wprim_stream_create(cuda(), nullptr, &stream));
  d.in = in.get() + shift;
  d.out = out.get();
  ASSERT_OK(wprim_reduce_ex(stream, &d));
  ASSERT_OK(wprim_stream_synchronize(stream)) << describe(d);
  ASSERT_OK(wprim_stream_destroy(stream));
  EXPECT_EQ(out.read(output_bytes(d)), on_cpu(d, input)) << "seed " << seed << ": " << describe(d);
}

TEST(SameBits, SmallShapes) {
  for (uint64_t i = 0; i < 3000 && !HasFailure(); ++i) compare(first_seed() + i, 1 << 14);
}

TEST(SameBits, MiddleShapes) {
  for (uint64_t i = 0; i < 600 && !HasFailure(); ++i) compare(first_seed() + 10000 + i, 1 << 19);
}

TEST(SameBits, LargeShapes) {
  for (uint64_t i = 0; i < 60 && !HasFailure(); ++i) compare(first_seed() + 20000 + i, 1 << 24);
}

// Groups of partials: three levels for f32, four for f64 would need more memory than a GPU has.
TEST(SameBits, ManyPieces) {
  for (const auto& [op, dtype] : {std::pair{WPRIM_SUM, WPRIM_F32},
                                  {WPRIM_VAR, WPRIM_F32},
                                  {WPRIM_LOGSUMEXP, WPRIM_F32},
                                  {WPRIM_SUM, WPRIM_F64},
                                  {WPRIM_ARGMAX, WPRIM_I8}}) {
    std::mt19937_64 random(7);
    wprim_reduce_desc d = WPRIM_REDUCE_DESC_INIT;
    d.op = op;
    d.dtype = dtype;
    d.cols = (size_t{96} << 20) / wprim_dtype_size(dtype) + 3;
    const Bytes input = random_input(random, d);
    const DeviceMemory in(input), out(16);
    wprim_stream* stream;
    ASSERT_OK(wprim_stream_create(cuda(), nullptr, &stream));
    d.in = in.get();
    d.out = out.get();
    ASSERT_OK(wprim_reduce_ex(stream, &d));
    ASSERT_OK(wprim_stream_synchronize(stream));
    ASSERT_OK(wprim_stream_destroy(stream));
    EXPECT_EQ(out.read(output_bytes(d)), on_cpu(d, input)) << describe(d);
  }
}

TEST(SameBits, BeyondFourGigaElements) {
  const uint64_t n = (5ull << 30) + 17;
  const DeviceMemory in(n), out(8);
  ASSERT_CUDA(cudaMemset(in.get(), 1, n));
  const unsigned char top = 9;
  const uint64_t place = (9ull << 29) + 5;
  ASSERT_CUDA(cudaMemcpy(in.get() + place, &top, 1, cudaMemcpyDefault));
  wprim_stream* stream;
  ASSERT_OK(wprim_stream_create(cuda(), nullptr, &stream));
  const auto result = [&](wprim_op op) {
    uint64_t value = 0;
    EXPECT_OK(wprim_reduce(stream, op, WPRIM_U8, in.get(), n, out.get()));
    EXPECT_OK(wprim_copy(stream, &value, out.get(), 8));
    EXPECT_OK(wprim_stream_synchronize(stream));
    return value;
  };
  EXPECT_EQ(result(WPRIM_SUM), n + 8);
  EXPECT_EQ(result(WPRIM_ARGMAX), place);
  EXPECT_EQ(result(WPRIM_COUNT_NONZERO), n);
  EXPECT_OK(wprim_stream_destroy(stream));
}

}  // namespace
