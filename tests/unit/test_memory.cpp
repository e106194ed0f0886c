// wprim_malloc and its relatives.
#include <set>
#include <thread>

#include "support.h"

namespace wprim::test {
namespace {

TEST(Memory, IsAlignedAndWritable) {
  const Context context;
  const Stream stream(context);
  std::vector<void*> device, host;
  for (uint64_t bytes : {1u, 255u, 256u, 257u, 100'000u, 10'000'000u}) {
    void *a = nullptr, *b = nullptr;
    ASSERT_OK(wprim_malloc(stream, bytes, &a));
    ASSERT_OK(wprim_malloc_host(context, bytes, &b));
    for (void* ptr : {a, b}) {
      EXPECT_NE(ptr, nullptr);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(ptr) % 256, 0u);
      std::memset(ptr, 0xa5, bytes);
    }
    device.push_back(a);
    host.push_back(b);
  }
  for (void* ptr : device) EXPECT_OK(wprim_free(stream, ptr));
  for (void* ptr : host) EXPECT_OK(wprim_free_host(context, ptr));
}

TEST(Memory, NothingIsNull) {
  const Context context;
  const Stream stream(context);
  void* ptr = &ptr;
  EXPECT_OK(wprim_malloc(stream, 0, &ptr));
  EXPECT_EQ(ptr, nullptr);
  ptr = &ptr;
  EXPECT_OK(wprim_malloc_host(context, 0, &ptr));
  EXPECT_EQ(ptr, nullptr);
  EXPECT_OK(wprim_free(stream, nullptr));
  EXPECT_OK(wprim_free_host(context, nullptr));
  EXPECT_EQ(wprim_malloc(stream, 1, nullptr), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(wprim_malloc_host(context, 1, nullptr), WPRIM_ERROR_INVALID_ARGUMENT);
}

TEST(Memory, MoreThanThereIs) {
  const Context context;
  const Stream stream(context);
  for (uint64_t bytes : {UINT64_MAX, UINT64_MAX - 255, uint64_t{1} << 63, uint64_t{1} << 62}) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    if (bytes <= INT64_MAX) continue;  // their allocators stop the program instead of refusing
#endif
    void* ptr = &ptr;
    EXPECT_EQ(wprim_malloc(stream, bytes, &ptr), WPRIM_ERROR_OUT_OF_MEMORY) << bytes;
    EXPECT_EQ(ptr, nullptr);
    ptr = &ptr;
    EXPECT_EQ(wprim_malloc_host(context, bytes, &ptr), WPRIM_ERROR_OUT_OF_MEMORY) << bytes;
    EXPECT_EQ(ptr, nullptr);
  }
  EXPECT_OK(wprim_stream_synchronize(stream));
}

TEST(Memory, FreedTwiceForeignOrOfTheOtherKind) {
  const Context context, foreign;
  const Stream stream(context), foreign_stream(foreign);
  void *device = nullptr, *host = nullptr;
  ASSERT_OK(wprim_malloc(stream, 100, &device));
  ASSERT_OK(wprim_malloc_host(context, 100, &host));
  int local = 0;
  for (void* ptr : {host, static_cast<void*>(&local), static_cast<void*>(static_cast<char*>(device) + 1)}) {
    EXPECT_EQ(wprim_free(stream, ptr), WPRIM_ERROR_INVALID_ARGUMENT);
  }
  for (void* ptr : {device, static_cast<void*>(&local), static_cast<void*>(static_cast<char*>(host) + 1)}) {
    EXPECT_EQ(wprim_free_host(context, ptr), WPRIM_ERROR_INVALID_ARGUMENT);
  }
  EXPECT_EQ(wprim_free(foreign_stream, device), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(wprim_free_host(foreign, host), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_OK(wprim_free(stream, device));
  EXPECT_OK(wprim_free_host(context, host));
  EXPECT_EQ(wprim_free(stream, device), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(last_error_has("wprim_free: ptr = ")) << wprim_last_error();
  EXPECT_EQ(wprim_free_host(context, host), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_OK(wprim_stream_synchronize(stream));
}

TEST(Memory, FreedFromAnotherStreamOfTheContext) {
  const Context context;
  const Stream stream(context), other(context);
  void* ptr = nullptr;
  ASSERT_OK(wprim_malloc(stream, 100, &ptr));
  EXPECT_OK(wprim_free(other, ptr));
}

// The memory is there until the work in front of the free is done. (A sanitizer tells if it is not.)
TEST(Memory, FreeWaitsForTheWorkBefore) {
  const Context context;
  const Stream stream(context);
  void* ptr = nullptr;
  ASSERT_OK(wprim_malloc(stream, 1000, &ptr));
  std::memset(ptr, 1, 1000);
  uint64_t sum = 0;
  Gate gate;
  gate.block(stream);
  EXPECT_OK(wprim_reduce(stream, WPRIM_SUM, WPRIM_U8, ptr, 1000, &sum));
  EXPECT_OK(wprim_free(stream, ptr));
  EXPECT_EQ(wprim_free(stream, ptr), WPRIM_ERROR_INVALID_ARGUMENT) << "given up already";
  static_cast<volatile unsigned char*>(ptr)[0] = 2;
  gate.open();
  EXPECT_OK(wprim_stream_synchronize(stream));
  EXPECT_EQ(sum, 1001u);
}

// What is never freed goes with the context. (The leak checker tells if it does not.)
TEST(Memory, GoesWithTheContext) {
  const Context context;
  const Stream stream(context);
  void* ptr = nullptr;
  for (int i = 0; i < 10; ++i) {
    EXPECT_OK(wprim_malloc(stream, 1000, &ptr));
    EXPECT_OK(wprim_malloc_host(context, 1000, &ptr));
  }
}

TEST(Memory, ManyThreadsAtOnce) {
  const Context context;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      const Stream stream(context);
      for (int i = 0; i < 200; ++i) {
        void *a = nullptr, *b = nullptr;
        EXPECT_OK(wprim_malloc(stream, 64, &a));
        EXPECT_OK(wprim_malloc_host(context, 64, &b));
        std::memset(a, t, 64);
        std::memset(b, t, 64);
        EXPECT_OK(wprim_free(stream, a));
        EXPECT_OK(wprim_free_host(context, b));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace wprim::test
