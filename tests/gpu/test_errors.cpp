// CUDA's last error belongs to the host program: calls of the library leave it as it was.
#include <atomic>
#include <thread>

#include "support.h"

namespace {

using namespace gpu_test;

// A host callback that holds its stream until it is let go, so that a query finds work left.
class Gate {
 public:
  explicit Gate(wprim_stream* stream) {
    const auto wait = [](void* self) -> wprim_status {
      while (!static_cast<Gate*>(self)->open_) std::this_thread::yield();
      return WPRIM_OK;
    };
    EXPECT_OK(wprim_stream_call(stream, wait, this));
  }
  void open() { open_ = true; }

 private:
  std::atomic<bool> open_{false};
};

class LastError : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK(wprim_stream_create(cuda(), nullptr, &stream_));
    ASSERT_OK(wprim_event_create(cuda(), &event_));
    ASSERT_OK(wprim_event_create(cuda(), &start_));
  }
  void TearDown() override {
    EXPECT_OK(wprim_event_destroy(start_));
    EXPECT_OK(wprim_event_destroy(event_));
    EXPECT_OK(wprim_stream_destroy(stream_));
    cudaGetLastError();
  }
  wprim_stream* stream_ = nullptr;
  wprim_event *event_ = nullptr, *start_ = nullptr;
};

TEST_F(LastError, OfTheProgramIsStillThereAfterEveryCall) {
  const DeviceMemory in(1 << 22), out(64);
  const float one = 1;
  float ms, result;
  ASSERT_EQ(cudaSetDevice(12345), cudaErrorInvalidDevice);
  ASSERT_EQ(cudaPeekAtLastError(), cudaErrorInvalidDevice);
#define LEAVES_IT(call, status)                                        \
  do {                                                                 \
    EXPECT_EQ(call, status) << wprim_last_error();                     \
    EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidDevice) << #call; \
  } while (0)
  void *memory, *pinned;
  wprim_context* context;
  wprim_stream* other;
  wprim_event* event;
  int32_t count;
  LEAVES_IT(wprim_device_count(WPRIM_CUDA, &count), WPRIM_OK);
  LEAVES_IT(wprim_context_create(WPRIM_CUDA, 0, &context), WPRIM_OK);
  LEAVES_IT(wprim_stream_create(context, nullptr, &other), WPRIM_OK);
  LEAVES_IT(wprim_event_create(context, &event), WPRIM_OK);
  LEAVES_IT(wprim_malloc(other, 1 << 20, &memory), WPRIM_OK);
  LEAVES_IT(wprim_malloc_host(context, 64, &pinned), WPRIM_OK);
  LEAVES_IT(wprim_event_record(start_, stream_), WPRIM_OK);
  LEAVES_IT(wprim_fill(stream_, WPRIM_F32, in.get(), 1 << 20, &one), WPRIM_OK);
  LEAVES_IT(wprim_reduce(stream_, WPRIM_SUM, WPRIM_F32, in.get(), 1 << 20, out.get()), WPRIM_OK);
  LEAVES_IT(wprim_copy(stream_, &result, out.get(), 4), WPRIM_OK);
  Gate gate(stream_);
  LEAVES_IT(wprim_event_record(event_, stream_), WPRIM_OK);
  LEAVES_IT(wprim_stream_wait(other, event_), WPRIM_OK);
  LEAVES_IT(wprim_stream_query(stream_), WPRIM_NOT_READY);
  LEAVES_IT(wprim_event_query(event_), WPRIM_NOT_READY);
  LEAVES_IT(wprim_event_elapsed(start_, event_, &ms), WPRIM_NOT_READY);
  gate.open();
  LEAVES_IT(wprim_event_synchronize(event_), WPRIM_OK);
  LEAVES_IT(wprim_stream_synchronize(stream_), WPRIM_OK);
  LEAVES_IT(wprim_stream_query(stream_), WPRIM_OK);
  LEAVES_IT(wprim_event_elapsed(start_, event_, &ms), WPRIM_OK);
  LEAVES_IT(wprim_free(other, memory), WPRIM_OK);
  LEAVES_IT(wprim_free_host(context, pinned), WPRIM_OK);
  LEAVES_IT(wprim_event_destroy(event), WPRIM_OK);
  LEAVES_IT(wprim_stream_destroy(other), WPRIM_OK);
  LEAVES_IT(wprim_context_destroy(context), WPRIM_OK);
#undef LEAVES_IT
  EXPECT_EQ(result, 1 << 20);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
}

TEST_F(LastError, OursIsNotLeftBehind) {
  void* memory;
  ASSERT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(wprim_malloc(stream_, 1ull << 50, &memory), WPRIM_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  EXPECT_EQ(wprim_malloc_host(cuda(), 1ull << 50, &memory), WPRIM_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  wprim_context* context;
  EXPECT_EQ(wprim_context_create(WPRIM_CUDA, 99, &context), WPRIM_ERROR_NO_DEVICE);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
}

// On a thread that has not used CUDA before, nothing is current yet.
TEST_F(LastError, QueriesOfAFreshThread) {
  Gate gate(stream_);
  EXPECT_OK(wprim_event_record(event_, stream_));
  std::thread([&] { EXPECT_EQ(wprim_event_query(event_), WPRIM_NOT_READY); }).join();
  std::thread([&] { EXPECT_EQ(wprim_stream_query(stream_), WPRIM_NOT_READY); }).join();
  gate.open();
  EXPECT_OK(wprim_stream_synchronize(stream_));
  std::thread([&] { EXPECT_OK(wprim_event_query(event_)); }).join();
  std::thread([&] { EXPECT_OK(wprim_stream_query(stream_)); }).join();
}

}  // namespace
