// Many host threads, each with a stream of its own, over one context.
#include <thread>

#include "support.h"

namespace {

using namespace gpu_test;

TEST(Threads, SixtyFourThreadsGetTheirOwnResults) {
  constexpr int kThreads = 64, kRounds = 200;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([t] {
      std::mt19937_64 random(static_cast<uint64_t>(1000 + t));
      wprim_reduce_desc d = random_desc(random, 1 << 18);
      const Bytes input = random_input(random, d), expected = on_cpu(d, input);
      const DeviceMemory in(input), out(output_bytes(d));
      wprim_stream* stream;
      ASSERT_OK(wprim_stream_create(cuda(), nullptr, &stream));
      d.in = in.get();
      d.out = out.get();
      Bytes result(expected.size());
      for (int i = 0; i < kRounds; ++i) {
        ASSERT_OK(wprim_reduce_ex(stream, &d));
        ASSERT_OK(wprim_copy(stream, result.data(), out.get(), result.size()));
        ASSERT_OK(wprim_stream_synchronize(stream));
        ASSERT_EQ(result, expected);
      }
      ASSERT_OK(wprim_stream_destroy(stream));
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
