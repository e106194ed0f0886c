// More than 2^32 elements. Pages that were never written cost no memory, but a system may count them all.
#include <sys/mman.h>

#include <cstdio>

#include "support.h"

namespace wprim::test {
namespace {

constexpr uint64_t kElements = (uint64_t{1} << 32) + 12'345;

uint64_t available_memory() {
  uint64_t kilobytes = 0;
  if (std::FILE* file = std::fopen("/proc/meminfo", "r")) {
    char line[256];
    while (std::fgets(line, sizeof line, file)) {
      unsigned long long value;
      if (std::sscanf(line, "MemAvailable: %llu kB", &value) == 1) kilobytes = value;
    }
    std::fclose(file);
  }
  return kilobytes * 1024;
}

class Large : public testing::Test {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "the thread sanitizer would keep notes on every byte: some 20 GB";
#endif
    if (available_memory() < kElements + (kElements >> 2)) {
      GTEST_SKIP() << "needs " << kElements << " bytes and some to spare, available are "
                   << available_memory();
    }
    void* memory =
        mmap(nullptr, kElements, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) GTEST_SKIP() << "the system gives no " << kElements << " bytes in one piece";
    x_ = static_cast<unsigned char*>(memory);
    x_[5] = 3;
    x_[uint64_t{1} << 31] = 200;
    x_[(uint64_t{1} << 32) - 1] = 7;
    x_[kExtreme] = 250;
    x_[kElements - 1] = 9;
  }
  void TearDown() override {
    if (x_) munmap(x_, kElements);
  }

  template <class Out>
  Out reduce(wprim_op op, wprim_dtype dtype = WPRIM_U8) {
    Out out{};
    EXPECT_OK(wprim_reduce(stream_, op, dtype, x_, kElements, &out));
    EXPECT_OK(wprim_stream_synchronize(stream_));
    return out;
  }

  static constexpr uint64_t kExtreme = (uint64_t{1} << 32) + 77;
  Context context_;
  Stream stream_{context_};
  unsigned char* x_ = nullptr;
};

TEST_F(Large, Reduce) {
  EXPECT_EQ(reduce<uint64_t>(WPRIM_SUM), 3u + 200 + 7 + 250 + 9);
  EXPECT_EQ(reduce<uint8_t>(WPRIM_MAX), 250);
  EXPECT_EQ(reduce<int64_t>(WPRIM_ARGMAX), static_cast<int64_t>(kExtreme));
  EXPECT_EQ(reduce<uint64_t>(WPRIM_COUNT_NONZERO), 5u);
  EXPECT_EQ(reduce<int64_t>(WPRIM_ARGMIN), 0);
  EXPECT_EQ(reduce<int64_t>(WPRIM_ARGMIN, WPRIM_I8), static_cast<int64_t>(uint64_t{1} << 31)) << "200 is -56";
}

TEST_F(Large, RoundsOnlyTheLastStep) {
  double mean = reduce<double>(WPRIM_MEAN);
  EXPECT_EQ(mean, 469.0 / static_cast<double>(kElements));
}

TEST_F(Large, TooManyForANarrowIndex) {
  int32_t index = 42;
  wprim_reduce_desc desc = WPRIM_REDUCE_DESC_INIT;
  desc.dtype = WPRIM_U8;
  desc.in = x_;
  desc.out = &index;
  desc.cols = kElements;
  for (wprim_op op : {WPRIM_ARGMAX, WPRIM_ARGMIN, WPRIM_COUNT_NONZERO}) {
    desc.op = op;
    for (wprim_dtype out : {WPRIM_I32, WPRIM_U32}) {
      desc.out_dtype = out;
      EXPECT_EQ(wprim_reduce_ex(stream_, &desc), WPRIM_ERROR_INVALID_ARGUMENT);
    }
  }
  EXPECT_EQ(index, 42);
}

TEST_F(Large, RowsFarApart) {
  wprim_reduce_desc desc = WPRIM_REDUCE_DESC_INIT;
  uint8_t largest[2] = {};
  desc.op = WPRIM_MAX;
  desc.dtype = WPRIM_U8;
  desc.in = x_;
  desc.out = largest;
  desc.rows = 2;
  desc.cols = 100;
  desc.row_stride = uint64_t{1} << 32;
  EXPECT_OK(wprim_reduce_ex(stream_, &desc));
  EXPECT_OK(wprim_stream_synchronize(stream_));
  EXPECT_EQ(largest[0], 3);
  EXPECT_EQ(largest[1], 250);
}

}  // namespace
}  // namespace wprim::test
