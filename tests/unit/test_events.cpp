// Events: points in a stream, waited for on the host and on other streams.
#include <chrono>
#include <memory>
#include <thread>

#include "support.h"

namespace wprim::test {
namespace {

TEST(Events, NeverRecordedHoldsNothingUp) {
  const Context context;
  const Stream stream(context);
  const Event event(context);
  EXPECT_OK(wprim_event_query(event));
  EXPECT_OK(wprim_event_synchronize(event));
  EXPECT_OK(wprim_stream_wait(stream, event));
  EXPECT_OK(wprim_stream_synchronize(stream));
}

TEST(Events, ReachedWhenTheWorkBeforeIsDone) {
  const Context context;
  const Stream stream(context);
  const Event event(context);
  Gate gate;
  gate.block(stream);
  EXPECT_OK(wprim_event_record(event, stream));
  EXPECT_EQ(wprim_event_query(event), WPRIM_NOT_READY);
  gate.open();
  EXPECT_OK(wprim_event_synchronize(event));
  EXPECT_OK(wprim_event_query(event));
}

TEST(Events, DoesNotWaitForWorkEnqueuedLater) {
  const Context context;
  const Stream stream(context);
  const Event event(context);
  EXPECT_OK(wprim_event_record(event, stream));
  Gate gate;
  gate.block(stream);
  EXPECT_OK(wprim_event_synchronize(event));
  EXPECT_EQ(wprim_stream_query(stream), WPRIM_NOT_READY);
}

TEST(Events, AnotherStreamWaits) {
  const Context context;
  const Stream producer(context), consumer(context);
  const Event event(context);
  std::vector<uint32_t> data(1000, 0);
  const uint32_t three = 3;
  uint64_t sum = 0;
  Gate gate;
  gate.block(producer);
  EXPECT_OK(wprim_fill(producer, WPRIM_U32, data.data(), data.size(), &three));
  EXPECT_OK(wprim_event_record(event, producer));
  EXPECT_OK(wprim_stream_wait(consumer, event));
  EXPECT_OK(wprim_reduce(consumer, WPRIM_SUM, WPRIM_U32, data.data(), data.size(), &sum));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(wprim_stream_query(consumer), WPRIM_NOT_READY);
  gate.open();
  EXPECT_OK(wprim_stream_synchronize(consumer));
  EXPECT_EQ(sum, 3000u);
}

TEST(Events, AStreamWaitsForItself) {
  const Context context;
  const Stream stream(context);
  const Event event(context);
  int counter = 0;
  EXPECT_OK(wprim_stream_call(stream, count_up, &counter));
  EXPECT_OK(wprim_event_record(event, stream));
  EXPECT_OK(wprim_stream_wait(stream, event));
  EXPECT_OK(wprim_stream_call(stream, count_up, &counter));
  EXPECT_OK(wprim_stream_synchronize(stream));
  EXPECT_EQ(counter, 2);
}

TEST(Events, TwoContextsOfOneDevice) {
  const Context a, b;
  const Stream producer(a), consumer(b);
  const Event event(a);
  Gate gate;
  gate.block(producer);
  EXPECT_OK(wprim_event_record(event, producer));
  EXPECT_OK(wprim_stream_wait(consumer, event)) << "contexts differ, but the device is the same";
  EXPECT_EQ(wprim_stream_query(consumer), WPRIM_NOT_READY);
  gate.open();
  EXPECT_OK(wprim_stream_synchronize(consumer));
}

// What an earlier wait waits for is the record at that time, whatever the event records afterwards.
TEST(Events, RecordedAgainWhileAWaiterWaits) {
  const Context context;
  const Stream first(context), second(context), early(context), late(context);
  const Event event(context);
  int early_done = 0, late_done = 0;
  Gate first_gate, second_gate;
  first_gate.block(first);
  second_gate.block(second);
  EXPECT_OK(wprim_event_record(event, first));
  EXPECT_OK(wprim_stream_wait(early, event));
  EXPECT_OK(wprim_stream_call(early, count_up, &early_done));
  EXPECT_OK(wprim_event_record(event, second));
  EXPECT_OK(wprim_stream_wait(late, event));
  EXPECT_OK(wprim_stream_call(late, count_up, &late_done));

  first_gate.open();
  EXPECT_OK(wprim_stream_synchronize(early));
  EXPECT_EQ(early_done, 1) << "waits for the first record only";
  EXPECT_EQ(wprim_event_query(event), WPRIM_NOT_READY) << "stands for the second";
  EXPECT_EQ(wprim_stream_query(late), WPRIM_NOT_READY);
  second_gate.open();
  EXPECT_OK(wprim_stream_synchronize(late));
  EXPECT_EQ(late_done, 1);
}

// The other way round: the second record is reached first, and must not let the earlier waiter through.
TEST(Events, ALaterRecordDoesNotReleaseAnEarlierWaiter) {
  const Context context;
  const Stream first(context), second(context), early(context);
  const Event event(context);
  Gate gate;
  gate.block(first);
  EXPECT_OK(wprim_event_record(event, first));
  EXPECT_OK(wprim_stream_wait(early, event));
  EXPECT_OK(wprim_event_record(event, second));
  EXPECT_OK(wprim_event_synchronize(event));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(wprim_stream_query(early), WPRIM_NOT_READY);
  gate.open();
  EXPECT_OK(wprim_stream_synchronize(early));
}

TEST(Events, WaitHoldsAfterEventAndStreamAreDestroyed) {
  const Context context;
  const Stream consumer(context);
  auto producer = std::make_unique<Stream>(context);
  auto event = std::make_unique<Event>(context);
  int counter = 0;
  Gate gate;
  gate.block(*producer);
  EXPECT_OK(wprim_event_record(*event, *producer));
  EXPECT_OK(wprim_stream_wait(consumer, *event));
  EXPECT_OK(wprim_stream_call(consumer, count_up, &counter));
  event.reset();
  producer.reset();
  EXPECT_EQ(wprim_stream_query(consumer), WPRIM_NOT_READY);
  gate.open();
  EXPECT_OK(wprim_stream_synchronize(consumer));
  EXPECT_EQ(counter, 1);
}

TEST(Events, ElapsedIsTheTimeBetween) {
  const Context context;
  const Stream stream(context);
  const Event start(context), end(context);
  EXPECT_OK(wprim_event_record(start, stream));
  EXPECT_OK(wprim_stream_call(
      stream,
      [](void*) {
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        return WPRIM_OK;
      },
      nullptr));
  EXPECT_OK(wprim_event_record(end, stream));
  EXPECT_OK(wprim_event_synchronize(end));
  float forth = 0, back = 0, none = -1;
  EXPECT_OK(wprim_event_elapsed(start, end, &forth));
  EXPECT_OK(wprim_event_elapsed(end, start, &back));
  EXPECT_OK(wprim_event_elapsed(start, start, &none));
  EXPECT_GE(forth, 29.9f);
  EXPECT_LT(forth, 20'000.0f);
  EXPECT_EQ(back, -forth);
  EXPECT_EQ(none, 0.0f);
}

TEST(Events, ElapsedBeforeItCanBeTold) {
  const Context context, foreign;
  const Stream stream(context);
  const Event start(context), end(context), other(foreign);
  float milliseconds = -1;
  EXPECT_EQ(wprim_event_elapsed(start, end, &milliseconds), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(last_error_has("start has not recorded")) << wprim_last_error();
  EXPECT_OK(wprim_event_record(start, stream));
  EXPECT_EQ(wprim_event_elapsed(start, end, &milliseconds), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(last_error_has("end has not recorded")) << wprim_last_error();
  EXPECT_EQ(wprim_event_elapsed(start, other, &milliseconds), WPRIM_ERROR_INVALID_HANDLE);
  EXPECT_EQ(wprim_event_elapsed(start, start, nullptr), WPRIM_ERROR_INVALID_ARGUMENT);
  Gate gate;
  gate.block(stream);
  EXPECT_OK(wprim_event_record(end, stream));
  EXPECT_EQ(wprim_event_elapsed(start, end, &milliseconds), WPRIM_NOT_READY);
  EXPECT_EQ(wprim_event_elapsed(end, start, &milliseconds), WPRIM_NOT_READY);
  EXPECT_EQ(milliseconds, -1) << "touched without success";
  gate.open();
  EXPECT_OK(wprim_stream_synchronize(stream));
  EXPECT_OK(wprim_event_elapsed(start, end, &milliseconds));
}

TEST(Events, RecordOnAStreamOfAnotherContext) {
  const Context context, foreign;
  const Stream stream(foreign);
  const Event event(context);
  EXPECT_EQ(wprim_event_record(event, stream), WPRIM_ERROR_INVALID_HANDLE);
  EXPECT_TRUE(last_error_has("another context")) << wprim_last_error();
  EXPECT_OK(wprim_event_query(event));
}

}  // namespace
}  // namespace wprim::test
