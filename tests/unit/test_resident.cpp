// Resident streams: the same calls and the same order, with a thread that waits for work awake.
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include "support.h"

namespace wprim::test {
namespace {

TEST(Resident, OpsOneAfterTheOther) {
  const Context context;
  const Stream stream(context, WPRIM_STREAM_RESIDENT);
  std::vector<uint32_t> x(1000);
  for (uint32_t value = 1; value <= 300; ++value) {
    uint64_t sum = 0;
    EXPECT_OK(wprim_fill(stream, WPRIM_U32, x.data(), x.size(), &value));
    EXPECT_OK(wprim_reduce(stream, WPRIM_SUM, WPRIM_U32, x.data(), x.size(), &sum));
    EXPECT_OK(wprim_stream_synchronize(stream));
    EXPECT_EQ(sum, 1000u * value);
  }
}

// The host looks for the result itself. Only the library's word makes the memory safe to read, so it asks the stream.
TEST(Resident, AskedUntilTheResultIsThere) {
  const Context context;
  const Stream stream(context, WPRIM_STREAM_RESIDENT);
  const std::vector<uint8_t> x(5000, 1);
  for (int i = 0; i < 300; ++i) {
    uint64_t sum = 0;
    EXPECT_OK(wprim_reduce(stream, WPRIM_SUM, WPRIM_U8, x.data(), x.size(), &sum));
    wprim_status status;
    while ((status = wprim_stream_query(stream)) == WPRIM_NOT_READY) std::this_thread::yield();
    EXPECT_OK(status);
    EXPECT_EQ(sum, 5000u);
  }
}

// The thread sleeps when nothing comes, and wakes up with the next call.
TEST(Resident, SleepsAndWakesUp) {
  const Environment idle("WARPPRIM_RESIDENT_IDLE_US", "1");
  const Context context;
  const Stream stream(context, WPRIM_STREAM_RESIDENT);
  int counter = 0;
  for (int i = 0; i < 50; ++i) {
    EXPECT_OK(wprim_stream_call(stream, count_up, &counter));
    if (i % 2) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_OK(wprim_stream_synchronize(stream));
    EXPECT_EQ(counter, i + 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

TEST(Resident, EventsOrderItWithOtherStreams) {
  const Context context;
  const Stream launched(context), resident(context, WPRIM_STREAM_RESIDENT),
      second(context, WPRIM_STREAM_RESIDENT);
  const Event a(context), b(context), c(context);
  std::vector<uint32_t> x(1000, 0);
  const uint32_t three = 3;
  uint64_t sum = 0, copy = 0;
  Gate gate;
  gate.block(launched);
  EXPECT_OK(wprim_fill(launched, WPRIM_U32, x.data(), x.size(), &three));
  EXPECT_OK(wprim_event_record(a, launched));
  EXPECT_OK(wprim_stream_wait(resident, a));
  EXPECT_OK(wprim_reduce(resident, WPRIM_SUM, WPRIM_U32, x.data(), x.size(), &sum));
  EXPECT_OK(wprim_event_record(b, resident));
  EXPECT_OK(wprim_stream_wait(second, b));
  EXPECT_OK(wprim_copy(second, &copy, &sum, 8));
  EXPECT_OK(wprim_event_record(c, second));
  EXPECT_EQ(wprim_event_query(b), WPRIM_NOT_READY);
  gate.open();
  EXPECT_OK(wprim_event_synchronize(c));
  EXPECT_EQ(copy, 3000u);
  EXPECT_OK(wprim_stream_synchronize(launched));
}

TEST(Resident, LateErrorsAndCallbacks) {
  const Context context;
  const Stream stream(context, WPRIM_STREAM_RESIDENT);
  int counter = 0;
  EXPECT_OK(wprim_stream_call(stream, fail_always, nullptr));
  EXPECT_OK(wprim_stream_call(stream, count_up, &counter));
  EXPECT_EQ(wprim_stream_synchronize(stream), WPRIM_ERROR_CALLBACK);
  EXPECT_OK(wprim_stream_synchronize(stream));
  EXPECT_EQ(counter, 1);
}

TEST(Resident, TakesPlansGraphsAndLargeOps) {
  const Context context;
  const Stream stream(context), resident(context, WPRIM_STREAM_RESIDENT);
  const std::vector<uint8_t> x(4 << 20, 1);
  uint64_t planned = 0, recorded = 0, large = 0;
  int counter = 0;
  const Plan plan(context, describe_reduce(WPRIM_SUM, WPRIM_U8, x.data(), 1000, &planned));
  const Graph graph(stream, [&] {
    EXPECT_OK(wprim_reduce(stream, WPRIM_SUM, WPRIM_U8, x.data(), 2000, &recorded));
    EXPECT_OK(wprim_stream_call(stream, count_up, &counter));
  });
  for (int i = 1; i <= 20; ++i) {
    EXPECT_OK(wprim_plan_launch(plan, resident));
    EXPECT_OK(wprim_graph_launch(graph, resident));
    EXPECT_OK(wprim_reduce(resident, WPRIM_SUM, WPRIM_U8, x.data(), x.size(), &large));
    EXPECT_OK(wprim_stream_synchronize(resident));
    EXPECT_EQ(planned, 1000u);
    EXPECT_EQ(recorded, 2000u);
    EXPECT_EQ(large, x.size());
    EXPECT_EQ(counter, i);
    planned = recorded = large = 0;
  }
}

TEST(Resident, IsNotRecorded) {
  const Context context;
  const Stream stream(context), resident(context, WPRIM_STREAM_RESIDENT);
  const Event event(context);
  int counter = 0;
  EXPECT_EQ(wprim_graph_begin(resident), WPRIM_ERROR_UNSUPPORTED);
  EXPECT_TRUE(last_error_has("wprim_graph_begin: stream is resident")) << wprim_last_error();
  const Graph graph(stream, [&] {
    EXPECT_OK(wprim_event_record(event, stream));
    EXPECT_EQ(wprim_stream_wait(resident, event), WPRIM_ERROR_UNSUPPORTED);
    EXPECT_TRUE(last_error_has("stream is resident")) << wprim_last_error();
  });
  EXPECT_OK(wprim_stream_call(resident, count_up, &counter));
  EXPECT_OK(wprim_stream_synchronize(resident));
  EXPECT_EQ(counter, 1);
}

TEST(Resident, DestroyedAwakeAsleepUnusedAndBusy) {
  for (const char* idle_us : {"1", "1000000"}) {
    const Environment idle("WARPPRIM_RESIDENT_IDLE_US", idle_us);
    const Context context;
    for (int i = 0; i < 20; ++i) {
      Stream unused(context, WPRIM_STREAM_RESIDENT), used(context, WPRIM_STREAM_RESIDENT);
      int counter = 0;
      EXPECT_OK(wprim_stream_call(used, count_up, &counter));
      EXPECT_OK(wprim_stream_synchronize(used));
      EXPECT_EQ(counter, 1);
    }
    std::atomic<bool> done = false;
    Gate gate;
    {
      const Stream busy(context, WPRIM_STREAM_RESIDENT);
      gate.block(busy);
      EXPECT_OK(wprim_stream_call(
          busy,
          [](void* user) {
            *static_cast<std::atomic<bool>*>(user) = true;
            return WPRIM_OK;
          },
          &done));
    }
    EXPECT_FALSE(done);
    gate.open();
    while (!done) std::this_thread::yield();
  }
}

TEST(Resident, ManySideBySide) {
  const Context context;
  const std::vector<uint8_t> x(3000, 1);
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      const Stream stream(context, WPRIM_STREAM_RESIDENT);
      for (int i = 0; i < (kSanitized ? 30 : 200); ++i) {
        uint64_t sum = 0;
        EXPECT_OK(wprim_reduce(stream, WPRIM_SUM, WPRIM_U8, x.data(), x.size(), &sum));
        EXPECT_OK(wprim_stream_synchronize(stream));
        EXPECT_EQ(sum, 3000u);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Resident, NonsenseForTheIdleTimeIsIgnoredWithAWarning) {
  std::string lines;
  const auto keep = [](wprim_log_level, const char* line, void* user) {
    *static_cast<std::string*>(user) += std::string(line) + "\n";
  };
  for (const char* value : {"", "0", "-5", "1000001", "ten", "10us", "99999999999999999999"}) {
    const Environment idle("WARPPRIM_RESIDENT_IDLE_US", value);
    lines.clear();
    EXPECT_OK(wprim_set_log(WPRIM_LOG_WARN, keep, &lines));
    const Context context;
    const Stream stream(context, WPRIM_STREAM_RESIDENT);
    int counter = 0;
    EXPECT_OK(wprim_stream_call(stream, count_up, &counter));
    EXPECT_OK(wprim_stream_synchronize(stream));
    EXPECT_EQ(counter, 1);
    EXPECT_OK(wprim_set_log(WPRIM_LOG_OFF, nullptr, nullptr));
    EXPECT_NE(lines.find("WARPPRIM_RESIDENT_IDLE_US="), std::string::npos) << value << ": " << lines;
  }
  const Environment idle("WARPPRIM_RESIDENT_IDLE_US", "1000000");
  lines.clear();
  EXPECT_OK(wprim_set_log(WPRIM_LOG_WARN, keep, &lines));
  const Context context;
  EXPECT_OK(wprim_set_log(WPRIM_LOG_OFF, nullptr, nullptr));
  EXPECT_EQ(lines, "");
}

TEST(Resident, AnUnknownKindOfStream) {
  const Context context;
  wprim_stream_desc desc = WPRIM_STREAM_DESC_INIT;
  wprim_stream* stream = nullptr;
  for (int kind : {-1, 2, 201}) {
    desc.kind = static_cast<wprim_stream_kind>(kind);
    EXPECT_EQ(wprim_stream_create(context, &desc, &stream), WPRIM_ERROR_INVALID_ARGUMENT);
    EXPECT_TRUE(last_error_has("is no wprim_stream_kind")) << wprim_last_error();
  }
  desc.struct_size = 8;  // of a header that had no kinds
  EXPECT_OK(wprim_stream_create(context, &desc, &stream));
  EXPECT_OK(wprim_graph_begin(stream)) << "launched by default";
  EXPECT_OK(wprim_stream_destroy(stream));
}

}  // namespace
}  // namespace wprim::test
