// Every kind of stream takes every kind of work: own ones of any priority, and the program's own, default streams
// included.
#include <atomic>

#include "support.h"

namespace {

using namespace gpu_test;

// Everything that can be put on a stream, on one stream.
void expect_works(wprim_stream* stream) {
  static std::atomic<int> calls;
  calls = 0;
  constexpr uint64_t kCount = 1 << 20;  // many pieces: needs a workspace
  void *in, *copy, *out;
  wprim_event *begin, *end;
  ASSERT_OK(wprim_event_create(cuda(), &begin));
  ASSERT_OK(wprim_event_create(cuda(), &end));
  ASSERT_OK(wprim_event_record(begin, stream));
  ASSERT_OK(wprim_malloc(stream, kCount * 4, &in));
  ASSERT_OK(wprim_malloc(stream, kCount * 4, &copy));
  ASSERT_OK(wprim_malloc_host(cuda(), 4, &out));
  const float half = 0.5f;
  const auto call = [](void*) -> wprim_status { return ++calls, WPRIM_OK; };
  ASSERT_OK(wprim_fill(stream, WPRIM_F32, in, kCount, &half));
  ASSERT_OK(wprim_copy(stream, copy, in, kCount * 4));
  ASSERT_OK(wprim_reduce(stream, WPRIM_SUM, WPRIM_F32, copy, kCount, out));
  ASSERT_OK(wprim_stream_call(stream, call, nullptr));
  ASSERT_OK(wprim_free(stream, in));
  ASSERT_OK(wprim_free(stream, copy));
  ASSERT_OK(wprim_event_record(end, stream));
  ASSERT_OK(wprim_stream_wait(stream, end));
  ASSERT_OK(wprim_stream_synchronize(stream));
  EXPECT_OK(wprim_stream_query(stream));
  float ms = -1;
  EXPECT_OK(wprim_event_elapsed(begin, end, &ms));
  EXPECT_GE(ms, 0);
  EXPECT_EQ(*static_cast<float*>(out), kCount / 2);
  EXPECT_EQ(calls, 1);
  ASSERT_OK(wprim_free_host(cuda(), out));
  ASSERT_OK(wprim_event_destroy(begin));
  ASSERT_OK(wprim_event_destroy(end));
}

void expect_wrapped_works(cudaStream_t native) {
  wprim_stream* stream;
  ASSERT_OK(wprim_stream_wrap(cuda(), native, &stream));
  expect_works(stream);
  ASSERT_OK(wprim_stream_destroy(stream));
  EXPECT_EQ(cudaStreamQuery(native), cudaSuccess) << "still the program's";
}

TEST(Streams, TheDefaultOne) { expect_wrapped_works(nullptr); }
TEST(Streams, TheLegacyOne) { expect_wrapped_works(cudaStreamLegacy); }
TEST(Streams, TheOneOfTheThread) { expect_wrapped_works(cudaStreamPerThread); }

TEST(Streams, OfTheProgram) {
  int least, greatest;
  ASSERT_CUDA(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  for (unsigned flags : {cudaStreamDefault, cudaStreamNonBlocking}) {
    for (int priority : {least, greatest}) {
      cudaStream_t native;
      ASSERT_CUDA(cudaStreamCreateWithPriority(&native, flags, priority));
      expect_wrapped_works(native);
      ASSERT_CUDA(cudaStreamDestroy(native));
    }
  }
}

// Priorities outside the device's range are clamped.
TEST(Streams, OwnOfAnyPriority) {
  for (int priority : {-1000, -5, -1, 0, 1, 1000}) {
    wprim_stream_desc desc = WPRIM_STREAM_DESC_INIT;
    desc.priority = priority;
    wprim_stream* stream;
    ASSERT_OK(wprim_stream_create(cuda(), &desc, &stream));
    expect_works(stream);
    ASSERT_OK(wprim_stream_destroy(stream));
  }
}

// The legacy stream waits for blocking streams and they for it; while one is captured, the legacy stream is refused, the
// capture goes on, and the text says why.
TEST(Streams, TheLegacyOneBesideACapture) {
  const DeviceMemory in(Bytes(4096)), out(8);
  cudaStream_t native;
  ASSERT_CUDA(cudaStreamCreate(&native));
  wprim_stream *captured, *legacy;
  ASSERT_OK(wprim_stream_wrap(cuda(), native, &captured));
  ASSERT_OK(wprim_stream_wrap(cuda(), cudaStreamLegacy, &legacy));
  cudaGraph_t graph;
  ASSERT_CUDA(cudaStreamBeginCapture(native, cudaStreamCaptureModeRelaxed));
  EXPECT_OK(wprim_reduce(captured, WPRIM_SUM, WPRIM_F32, in.get(), 1024, out.get()));
  EXPECT_EQ(wprim_stream_synchronize(legacy), WPRIM_ERROR_UNSUPPORTED);
  EXPECT_NE(std::string(wprim_last_error()).find("legacy default stream"), std::string::npos)
      << wprim_last_error();
  EXPECT_OK(wprim_reduce(captured, WPRIM_SUM, WPRIM_F32, in.get(), 1024, out.get()));
  ASSERT_CUDA(cudaStreamEndCapture(native, &graph));
  size_t nodes = 0;
  ASSERT_CUDA(cudaGraphGetNodes(graph, nullptr, &nodes));
  EXPECT_EQ(nodes, 2u);
  ASSERT_CUDA(cudaGraphDestroy(graph));
  ASSERT_OK(wprim_stream_destroy(legacy));
  ASSERT_OK(wprim_stream_destroy(captured));
  ASSERT_CUDA(cudaStreamDestroy(native));
}

TEST(Streams, OfAnotherDeviceAreRefused) {
  int devices = 0;
  ASSERT_CUDA(cudaGetDeviceCount(&devices));
  if (devices < 2) GTEST_SKIP() << "needs two GPUs";
  ASSERT_CUDA(cudaSetDevice(1));
  cudaStream_t native;
  ASSERT_CUDA(cudaStreamCreate(&native));
  ASSERT_CUDA(cudaSetDevice(0));
  wprim_stream* stream;
  EXPECT_EQ(wprim_stream_wrap(cuda(), native, &stream), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(stream, nullptr);
  EXPECT_NE(std::string(wprim_last_error()).find("native is a stream of device 1, ctx is device 0"),
            std::string::npos)
      << wprim_last_error();
  wprim_context* second;
  ASSERT_OK(wprim_context_create(WPRIM_CUDA, 1, &second));
  ASSERT_OK(wprim_stream_wrap(second, native, &stream));
  ASSERT_OK(wprim_stream_destroy(stream));
  ASSERT_OK(wprim_context_destroy(second));
  ASSERT_CUDA(cudaStreamDestroy(native));
}

}  // namespace
