// Late errors are told once, by the next synchronize or query; work behind them still runs. The last error is
// a thread's own.
#include <stdexcept>
#include <thread>

#include "support.h"

namespace wprim::test {
namespace {

wprim_status fail_with(void* user) { return *static_cast<wprim_status*>(user); }

TEST(LateErrors, AFailingCallbackIsToldOnceBySynchronize) {
  const Context context;
  const Stream stream(context);
  int counter = 0;
  EXPECT_OK(wprim_stream_call(stream, fail_always, nullptr));
  EXPECT_OK(wprim_stream_call(stream, count_up, &counter));
  EXPECT_EQ(wprim_stream_synchronize(stream), WPRIM_ERROR_CALLBACK);
  EXPECT_TRUE(last_error_has("wprim_stream_synchronize: ")) << wprim_last_error();
  EXPECT_TRUE(last_error_has("WPRIM_ERROR_DEVICE")) << "what the callback returned: " << wprim_last_error();
  EXPECT_EQ(counter, 1) << "work behind the error runs";
  EXPECT_OK(wprim_stream_synchronize(stream)) << "told once";
  EXPECT_OK(wprim_stream_query(stream));
}

TEST(LateErrors, OrByQuery) {
  const Context context;
  const Stream stream(context);
  Gate gate;
  gate.block(stream, WPRIM_ERROR_INTERNAL);
  EXPECT_EQ(wprim_stream_query(stream), WPRIM_NOT_READY);
  gate.open();
  wprim_status status;
  while ((status = wprim_stream_query(stream)) == WPRIM_NOT_READY) std::this_thread::yield();
  EXPECT_EQ(status, WPRIM_ERROR_CALLBACK);
  EXPECT_TRUE(last_error_has("wprim_stream_query: ")) << wprim_last_error();
  EXPECT_OK(wprim_stream_query(stream));
  EXPECT_OK(wprim_stream_synchronize(stream));
}

TEST(LateErrors, TheFirstOfSeveralIsTold) {
  const Context context;
  const Stream stream(context);
  wprim_status first = WPRIM_ERROR_UNSUPPORTED, second = WPRIM_ERROR_NO_DEVICE;
  EXPECT_OK(wprim_stream_call(stream, fail_with, &first));
  EXPECT_OK(wprim_stream_call(stream, fail_with, &second));
  EXPECT_EQ(wprim_stream_synchronize(stream), WPRIM_ERROR_CALLBACK);
  EXPECT_TRUE(last_error_has("WPRIM_ERROR_UNSUPPORTED")) << wprim_last_error();
  EXPECT_OK(wprim_stream_synchronize(stream));
  // The next one after a report counts again.
  EXPECT_OK(wprim_stream_call(stream, fail_with, &second));
  EXPECT_EQ(wprim_stream_synchronize(stream), WPRIM_ERROR_CALLBACK);
  EXPECT_TRUE(last_error_has("WPRIM_ERROR_NO_DEVICE")) << wprim_last_error();
}

TEST(LateErrors, AnyStatusButOkIsAFailure) {
  const Context context;
  const Stream stream(context);
  for (int value : {1, 2, 6, 10, -1}) {
    auto status = static_cast<wprim_status>(value);
    EXPECT_OK(wprim_stream_call(stream, fail_with, &status));
    EXPECT_EQ(wprim_stream_synchronize(stream), WPRIM_ERROR_CALLBACK) << value;
  }
}

TEST(LateErrors, EnqueueingDoesNotTellThem) {
  const Context context;
  const Stream stream(context);
  const Event event(context);
  const float x = 1;
  float sum = 0;
  Gate gate;
  gate.block(stream, WPRIM_ERROR_INTERNAL);
  gate.open();
  EXPECT_OK(wprim_event_record(event, stream));
  EXPECT_OK(wprim_event_synchronize(event)) << "late errors stay with the stream";
  EXPECT_OK(wprim_reduce(stream, WPRIM_SUM, WPRIM_F32, &x, 1, &sum));
  EXPECT_EQ(wprim_stream_synchronize(stream), WPRIM_ERROR_CALLBACK);
  EXPECT_EQ(sum, 1);
}

TEST(LateErrors, StayWithTheirStream) {
  const Context context;
  const Stream failing(context), other(context);
  const Event event(context);
  EXPECT_OK(wprim_stream_call(failing, fail_always, nullptr));
  EXPECT_OK(wprim_event_record(event, failing));
  EXPECT_OK(wprim_stream_wait(other, event));
  EXPECT_OK(wprim_stream_synchronize(other));
  EXPECT_EQ(wprim_stream_synchronize(failing), WPRIM_ERROR_CALLBACK);
}

TEST(LateErrors, AnExceptionOfACallbackIsCaught) {
  const Context context;
  const Stream stream(context);
  int counter = 0;
  EXPECT_OK(wprim_stream_call(stream, [](void*) -> wprim_status { throw std::runtime_error("x"); }, nullptr));
  EXPECT_OK(wprim_stream_call(stream, count_up, &counter));
  const wprim_status status = wprim_stream_synchronize(stream);
  EXPECT_NE(status, WPRIM_OK);
  EXPECT_NE(status, WPRIM_NOT_READY);
  EXPECT_EQ(counter, 1);
}

TEST(LateErrors, SynchronizeFromTheStreamsOwnCallbackIsRefused) {
  const Context context;
  const Stream stream(context);
  struct Call {
    wprim_stream* stream;
    wprim_status status;
  } call = {stream, WPRIM_OK};
  EXPECT_OK(wprim_stream_call(
      stream,
      [](void* user) {
        auto* self = static_cast<Call*>(user);
        self->status = wprim_stream_synchronize(self->stream);
        return WPRIM_OK;
      },
      &call));
  EXPECT_OK(wprim_stream_synchronize(stream));
  EXPECT_EQ(call.status, WPRIM_ERROR_INVALID_ARGUMENT) << "it would wait for ever";
}

TEST(LateErrors, AreLostWithTheStream) {
  const Context context;
  Gate gate;
  {
    const Stream stream(context);
    gate.block(stream, WPRIM_ERROR_INTERNAL);
  }
  gate.open();
  const Stream next(context);  // likely in the same slot
  EXPECT_OK(wprim_stream_synchronize(next));
}

TEST(LastError, NamesFunctionArgumentValueAndRule) {
  const Context context;
  const Stream stream(context);
  float sum;
  EXPECT_EQ(wprim_reduce(stream, WPRIM_SUM, WPRIM_F32, nullptr, 10, &sum), WPRIM_ERROR_INVALID_ARGUMENT);
  for (const char* part : {"wprim_reduce: ", "in is NULL", "10"}) EXPECT_TRUE(last_error_has(part)) << part;
  EXPECT_EQ(wprim_context_create(static_cast<wprim_device_kind>(77), 0, nullptr),
            WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(last_error_has("wprim_context_create: ctx is NULL")) << wprim_last_error();
}

TEST(LastError, IsOfTheThread) {
  EXPECT_NE(wprim_set_log(static_cast<wprim_log_level>(9), nullptr, nullptr), WPRIM_OK);
  const std::string mine = wprim_last_error();
  std::thread([] {
    EXPECT_STREQ(wprim_last_error(), "");
    EXPECT_NE(wprim_device_count(WPRIM_CPU, nullptr), WPRIM_OK);
    EXPECT_STREQ(wprim_last_error(), "wprim_device_count: count is NULL");
  }).join();
  EXPECT_EQ(wprim_last_error(), mine);
}

}  // namespace
}  // namespace wprim::test
