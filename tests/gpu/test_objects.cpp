// Streams, events, memory and callbacks on the GPU.
#include <atomic>

#include "support.h"

namespace {

using namespace gpu_test;

class Objects : public testing::Test {
 protected:
  void SetUp() override { ASSERT_OK(wprim_stream_create(cuda(), nullptr, &stream_)); }
  void TearDown() override { EXPECT_OK(wprim_stream_destroy(stream_)); }
  wprim_stream* stream_ = nullptr;
};

TEST_F(Objects, ContextTellsTheDevice) {
  wprim_context_info_desc info = WPRIM_CONTEXT_INFO_DESC_INIT;
  ASSERT_OK(wprim_context_info(cuda(), &info));
  EXPECT_EQ(info.kind, WPRIM_CUDA);
  EXPECT_GT(info.parallelism, 0);
  EXPECT_GT(info.memory, 0u);
  EXPECT_NE(info.name[0], 0);
}

TEST_F(Objects, NoSuchDevice) {
  wprim_context* context;
  EXPECT_EQ(wprim_context_create(WPRIM_CUDA, 99, &context), WPRIM_ERROR_NO_DEVICE);
  EXPECT_EQ(wprim_context_create(WPRIM_CUDA, -1, &context), WPRIM_ERROR_NO_DEVICE);
  EXPECT_EQ(context, nullptr);
}

TEST_F(Objects, ResultInPinnedMemoryNeedsNoCopy) {
  void *in, *out;
  ASSERT_OK(wprim_malloc(stream_, 4096, &in));
  ASSERT_OK(wprim_malloc_host(cuda(), 8, &out));
  const float one = 1;
  ASSERT_OK(wprim_fill(stream_, WPRIM_F32, in, 1000, &one));
  ASSERT_OK(wprim_reduce(stream_, WPRIM_SUM, WPRIM_F32, in, 1000, out));
  ASSERT_OK(wprim_stream_synchronize(stream_));
  EXPECT_EQ(*static_cast<float*>(out), 1000.0f);
  EXPECT_OK(wprim_free(stream_, in));
  EXPECT_EQ(wprim_free(stream_, in), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_OK(wprim_free_host(cuda(), out));
}

TEST_F(Objects, OutOfMemoryLeavesAllWell) {
  void* memory = stream_;
  EXPECT_EQ(wprim_malloc(stream_, 1ull << 50, &memory), WPRIM_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(memory, nullptr);
  ASSERT_OK(wprim_malloc(stream_, 1 << 20, &memory));
  EXPECT_OK(wprim_free(stream_, memory));
  EXPECT_OK(wprim_stream_synchronize(stream_));
}

TEST_F(Objects, EventsOrderStreamsAndTellTime) {
  wprim_stream* other;
  wprim_event *start, *end;
  ASSERT_OK(wprim_stream_create(cuda(), nullptr, &other));
  ASSERT_OK(wprim_event_create(cuda(), &start));
  ASSERT_OK(wprim_event_create(cuda(), &end));
  const size_t n = 1 << 26;
  const DeviceMemory in(n * 4), out(8);
  float one = 1, ms = -1;
  EXPECT_EQ(wprim_event_elapsed(start, end, &ms), WPRIM_ERROR_INVALID_ARGUMENT);
  ASSERT_OK(wprim_event_record(start, stream_));
  ASSERT_OK(wprim_fill(stream_, WPRIM_F32, in.get(), n, &one));
  ASSERT_OK(wprim_event_record(end, stream_));
  ASSERT_OK(wprim_stream_wait(other, end));
  ASSERT_OK(wprim_reduce(other, WPRIM_SUM, WPRIM_F32, in.get(), n, out.get()));
  ASSERT_OK(wprim_stream_synchronize(other));
  float sum;
  ASSERT_CUDA(cudaMemcpy(&sum, out.get(), 4, cudaMemcpyDefault));
  EXPECT_EQ(sum, static_cast<float>(n));
  EXPECT_OK(wprim_event_query(end));
  ASSERT_OK(wprim_event_elapsed(start, end, &ms));
  EXPECT_GT(ms, 0);
  EXPECT_OK(wprim_event_destroy(start));
  EXPECT_OK(wprim_event_destroy(end));
  EXPECT_OK(wprim_stream_destroy(other));
}

TEST_F(Objects, CallbacksRunInOrderAndTheirErrorsAreLate) {
  static std::atomic<int> calls;
  calls = 0;
  const auto good = [](void*) -> wprim_status { return ++calls, WPRIM_OK; };
  const auto bad = [](void*) -> wprim_status { return WPRIM_ERROR_INTERNAL; };
  ASSERT_OK(wprim_stream_call(stream_, good, nullptr));
  ASSERT_OK(wprim_stream_call(stream_, bad, nullptr));
  ASSERT_OK(wprim_stream_call(stream_, good, nullptr));
  EXPECT_EQ(wprim_stream_synchronize(stream_), WPRIM_ERROR_CALLBACK);
  EXPECT_EQ(calls, 2);
  EXPECT_OK(wprim_stream_synchronize(stream_));
}

}  // namespace
