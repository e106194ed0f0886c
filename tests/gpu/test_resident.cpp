// Resident streams on the GPU: the CPU's bits, in order, and out of everybody's way.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "op.h"

namespace {

using namespace gpu_test;

TEST(Resident, GivesTheBits) {
  wprim_stream* stream = new_stream(WPRIM_STREAM_RESIDENT);
  for (int round = 0; round < 4; ++round) {
    std::vector<Op> ops =
        ops_of(3000 + 100 * static_cast<uint64_t>(round), 100, round % 2 ? 1 << 14 : 1 << 8, 1 << 20);
    for (const Op& op : ops) ASSERT_OK(wprim_reduce_ex(stream, &op.desc));
    ASSERT_OK(wprim_stream_synchronize(stream));
    for (const Op& op : ops) op.expect();
  }
  ASSERT_OK(wprim_stream_destroy(stream));
}

// Posts, launches and copies after one another: each reads what the one before wrote.
TEST(Resident, KeepsTheOrderOfPostsAndLaunches) {
  constexpr int kSteps = 3000;
  wprim_stream* stream = new_stream(WPRIM_STREAM_RESIDENT);
  std::mt19937 random(5);
  const DeviceMemory x(8 * (kSteps + 1));
  auto* cells = reinterpret_cast<uint64_t*>(x.get());
  const uint64_t one = 1;
  ASSERT_OK(wprim_fill(stream, WPRIM_U64, cells, 1, &one));
  for (int i = 0; i < kSteps; ++i) {
    if (random() % 4 == 0) {
      ASSERT_OK(wprim_copy(stream, cells + i + 1, cells + i, 8));
    } else {
      ASSERT_OK(wprim_reduce(stream, WPRIM_SUM, WPRIM_U64, cells + i, 1, cells + i + 1));
    }
  }
  uint64_t last = 0;
  ASSERT_OK(wprim_copy(stream, &last, cells + kSteps, 8));
  ASSERT_OK(wprim_stream_synchronize(stream));
  EXPECT_EQ(last, 1);
  ASSERT_OK(wprim_stream_destroy(stream));
}

TEST(Resident, EventsOrderItWithOtherStreams) {
  wprim_stream *resident = new_stream(WPRIM_STREAM_RESIDENT), *other = new_stream();
  wprim_event *there, *back;
  ASSERT_OK(wprim_event_create(cuda(), &there));
  ASSERT_OK(wprim_event_create(cuda(), &back));
  const DeviceMemory x(8192);
  auto* a = reinterpret_cast<uint32_t*>(x.get());
  auto* b = reinterpret_cast<uint64_t*>(x.get() + 4096);
  for (uint32_t i = 1; i <= 500; ++i) {
    ASSERT_OK(wprim_fill(other, WPRIM_U32, a, 1000, &i));
    ASSERT_OK(wprim_event_record(there, other));
    ASSERT_OK(wprim_stream_wait(resident, there));
    ASSERT_OK(wprim_reduce(resident, WPRIM_SUM, WPRIM_U32, a, 1000, b));
    ASSERT_OK(wprim_event_record(back, resident));
    ASSERT_OK(wprim_stream_wait(other, back));
    uint64_t sum = 0;
    ASSERT_OK(wprim_copy(other, &sum, b, 8));
    ASSERT_OK(wprim_stream_synchronize(other));
    ASSERT_EQ(sum, 1000 * i);
  }
  ASSERT_OK(wprim_event_destroy(there));
  ASSERT_OK(wprim_event_destroy(back));
  ASSERT_OK(wprim_stream_destroy(resident));
  ASSERT_OK(wprim_stream_destroy(other));
}

TEST(Resident, AResultCanBeSpunFor) {
  wprim_stream* stream = new_stream(WPRIM_STREAM_RESIDENT);
  float *in, *result;
  ASSERT_CUDA(cudaMallocHost(reinterpret_cast<void**>(&in), 4000));
  ASSERT_CUDA(cudaMallocHost(reinterpret_cast<void**>(&result), 4));
  const std::atomic_ref<float> there(*result);
  for (int i = 1; i <= 1000; ++i) {
    std::fill(in, in + 1000, static_cast<float>(i));  // the host's writes are seen by the next post
    there.store(-1);
    ASSERT_OK(wprim_reduce(stream, WPRIM_SUM, WPRIM_F32, in, 1000, result));
    while (there.load(std::memory_order_acquire) == -1) continue;
    ASSERT_EQ(*result, 1000.0f * static_cast<float>(i));
    if (i % 100 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));  // it leaves, and comes back
  }
  ASSERT_OK(wprim_stream_synchronize(stream));
  ASSERT_OK(wprim_stream_destroy(stream));
  ASSERT_CUDA(cudaFreeHost(in));
  ASSERT_CUDA(cudaFreeHost(result));
}

// Whoever waits for the whole device gets through, also while posts keep coming.
TEST(Resident, IsInNobodysWay) {
  std::atomic<bool> stop{false};
  const Op op(21, 1 << 10);
  ASSERT_CUDA(cudaDeviceSynchronize());
  std::atomic<int> done{0};
  std::thread poster([&] {
    wprim_stream* stream = new_stream(WPRIM_STREAM_RESIDENT);
    for (; !stop; ++done) {
      EXPECT_OK(wprim_reduce_ex(stream, &op.desc));
      EXPECT_OK(wprim_stream_synchronize(stream));
    }
    EXPECT_OK(wprim_stream_destroy(stream));
  });
  for (int i = 0; i < 50; ++i) {
    while (done < 100 * i) std::this_thread::yield();
    const auto start = std::chrono::steady_clock::now();
    void *memory, *pinned;
    ASSERT_CUDA(cudaMalloc(&memory, 1 << 20));
    ASSERT_CUDA(cudaDeviceSynchronize());
    ASSERT_CUDA(cudaFree(memory));
    ASSERT_CUDA(cudaMallocHost(&pinned, 1 << 20));
    ASSERT_CUDA(cudaFreeHost(pinned));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    ASSERT_LT(took.count(), 2.0);
  }
  stop = true;
  poster.join();
  op.expect();
}

TEST(Resident, ManyStreamsComeAndGoWithWorkInFlight) {
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < 16; ++t) {
    threads.emplace_back([t] {
      for (uint64_t i = 0; i < 20; ++i) {
        const Op op(50000 + 100 * t + i, 1 << 12);
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        wprim_stream* stream = new_stream(WPRIM_STREAM_RESIDENT);
        wprim_event* done;
        EXPECT_OK(wprim_event_create(cuda(), &done));
        for (int k = 0; k < 50; ++k) EXPECT_OK(wprim_reduce_ex(stream, &op.desc));
        EXPECT_OK(wprim_event_record(done, stream));
        EXPECT_OK(wprim_stream_destroy(stream));
        EXPECT_OK(wprim_event_synchronize(done));
        op.expect();
        EXPECT_OK(wprim_event_destroy(done));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Resident, TheRingMayBeFull) {
  wprim_stream* stream = new_stream(WPRIM_STREAM_RESIDENT);
  const Op op(33, 1 << 10);
  wprim_plan* plan;
  ASSERT_OK(wprim_plan_reduce(cuda(), &op.desc, &plan));
  for (int i = 0; i < 50000; ++i) ASSERT_OK(wprim_plan_launch(plan, stream));
  wprim_status status = wprim_stream_query(stream);
  EXPECT_TRUE(status == WPRIM_OK || status == WPRIM_NOT_READY);
  ASSERT_OK(wprim_stream_synchronize(stream));
  EXPECT_OK(wprim_stream_query(stream));
  op.expect();
  ASSERT_OK(wprim_plan_destroy(plan));
  ASSERT_OK(wprim_stream_destroy(stream));
}

TEST(Resident, IsNotRecorded) {
  wprim_stream* stream = new_stream(WPRIM_STREAM_RESIDENT);
  EXPECT_EQ(wprim_graph_begin(stream), WPRIM_ERROR_UNSUPPORTED);
  ASSERT_OK(wprim_stream_destroy(stream));
}

}  // namespace
