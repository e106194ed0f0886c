// Streams are queues: work on one runs in order and after the call has returned; different ones are
// independent.
#include <atomic>
#include <chrono>
#include <thread>

#include "support.h"

namespace wprim::test {
namespace {

// A callback that notes its number in a list.
struct Note {
  std::vector<int>* list;
  int number;
};
wprim_status take_note(void* user) {
  const auto* note = static_cast<Note*>(user);
  note->list->push_back(note->number);
  return WPRIM_OK;
}

TEST(Streams, WorkBehindBlockedWorkWaits) {
  const Context context;
  const Stream stream(context);
  const std::vector<float> x(1000, 0.5f);
  float sum = -1;
  int counter = 0;
  Gate gate;
  gate.block(stream);
  EXPECT_OK(wprim_reduce(stream, WPRIM_SUM, WPRIM_F32, x.data(), x.size(), &sum));
  EXPECT_OK(wprim_stream_call(stream, count_up, &counter));
  gate.wait_entered();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(wprim_stream_query(stream), WPRIM_NOT_READY);
  EXPECT_EQ(sum, -1) << "ran before the callback in front of it returned";
  EXPECT_EQ(counter, 0);
  gate.open();
  EXPECT_OK(wprim_stream_synchronize(stream));
  EXPECT_EQ(sum, 500);
  EXPECT_EQ(counter, 1);
  EXPECT_OK(wprim_stream_query(stream));
}

TEST(Streams, NotReadyLeavesTheLastErrorAlone) {
  const Context context;
  const Stream stream(context);
  EXPECT_EQ(wprim_stream_call(stream, nullptr, nullptr), WPRIM_ERROR_INVALID_ARGUMENT);
  const std::string before = wprim_last_error();
  Gate gate;
  gate.block(stream);
  EXPECT_EQ(wprim_stream_query(stream), WPRIM_NOT_READY);
  EXPECT_EQ(wprim_last_error(), before);
  gate.open();
  EXPECT_OK(wprim_stream_synchronize(stream));
  EXPECT_EQ(wprim_last_error(), before) << "success does not change it either";
}

TEST(Streams, ACallbackDoesNotRunOnTheCallersThread) {
  const Context context;
  const Stream stream(context);
  std::thread::id id;
  EXPECT_OK(wprim_stream_call(
      stream,
      [](void* user) {
        *static_cast<std::thread::id*>(user) = std::this_thread::get_id();
        return WPRIM_OK;
      },
      &id));
  EXPECT_OK(wprim_stream_synchronize(stream));
  EXPECT_NE(id, std::thread::id());
  EXPECT_NE(id, std::this_thread::get_id());
}

TEST(Streams, ManyItemsRunInOrder) {
  const Context context;
  const Stream stream(context);
  std::vector<int> list;
  std::vector<Note> notes;
  for (int i = 0; i < 1000; ++i) notes.push_back({&list, i});
  for (Note& note : notes) EXPECT_OK(wprim_stream_call(stream, take_note, &note));
  EXPECT_OK(wprim_stream_synchronize(stream));
  ASSERT_EQ(list.size(), notes.size());
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(list[i], i);
}

// Every kind of work sees what the one before it wrote, whether it runs at once or is queued.
TEST(Streams, EachStepSeesTheOneBefore) {
  const Context context;
  const Stream stream(context);
  for (uint64_t n :
       {100u, 50'000u, 1'000'000u}) {  // at once; long enough for the thread; for several threads
    std::vector<uint64_t> a(n), b(n);
    for (uint64_t value = 1; value <= 4; ++value) {
      uint64_t sum = 0;
      EXPECT_OK(wprim_fill(stream, WPRIM_U64, a.data(), n, &value));
      EXPECT_OK(wprim_copy(stream, b.data(), a.data(), n * 8));
      EXPECT_OK(wprim_reduce(stream, WPRIM_SUM, WPRIM_U64, b.data(), n, &sum));
      EXPECT_OK(wprim_copy(stream, a.data(), &sum, 8));
      EXPECT_OK(wprim_stream_synchronize(stream));
      EXPECT_EQ(sum, n * value);
      EXPECT_EQ(a[0], n * value);
    }
  }
}

TEST(Streams, OneBlockedStreamDoesNotHoldUpAnother) {
  const Context context;
  const Stream blocked(context), other(context);
  Gate gate;
  gate.block(blocked);
  int counter = 0;
  const std::vector<uint8_t> x(4 << 20, 1);
  uint64_t sum = 0;
  EXPECT_OK(wprim_stream_call(other, count_up, &counter));
  EXPECT_OK(wprim_reduce(other, WPRIM_SUM, WPRIM_U8, x.data(), x.size(), &sum));
  EXPECT_OK(wprim_stream_synchronize(other));
  EXPECT_EQ(counter, 1);
  EXPECT_EQ(sum, x.size());
  EXPECT_EQ(wprim_stream_query(blocked), WPRIM_NOT_READY);
}

TEST(Streams, SynchronizeAndQueryOfAnIdleStream) {
  const Context context;
  const Stream stream(context);
  EXPECT_OK(wprim_stream_query(stream));
  EXPECT_OK(wprim_stream_synchronize(stream));
  EXPECT_OK(wprim_stream_synchronize(stream));
}

TEST(Streams, WorkInFlightOutlivesTheHandles) {
  std::vector<int> list;
  std::vector<Note> notes;
  for (int i = 0; i < 50; ++i) notes.push_back({&list, i});
  std::vector<uint32_t> a(1 << 20);
  std::atomic<bool> done = false;
  {
    Gate gate;
    {
      Context context;
      Stream stream(context);
      gate.block(stream);
      for (Note& note : notes) EXPECT_OK(wprim_stream_call(stream, take_note, &note));
      const uint32_t seven = 7;
      EXPECT_OK(wprim_fill(stream, WPRIM_U32, a.data(), a.size(), &seven));
      EXPECT_OK(wprim_stream_call(
          stream,
          [](void* user) {
            *static_cast<std::atomic<bool>*>(user) = true;
            return WPRIM_OK;
          },
          &done));
      context.drop();  // first the context, then the stream
    }
    EXPECT_FALSE(done);
    gate.open();
  }
  while (!done) std::this_thread::yield();
  EXPECT_EQ(list.size(), notes.size());
  EXPECT_EQ(std::count(a.begin(), a.end(), 7u), static_cast<ptrdiff_t>(a.size()));
}

TEST(Streams, DestroyedIdleStreamsLeaveNothingBehind) {
  const Context context;
  for (int i = 0; i < 200; ++i) {
    Stream used(context), unused(context);
    int counter = 0;
    EXPECT_OK(wprim_stream_call(used, count_up, &counter));
    EXPECT_OK(wprim_stream_synchronize(used));
    EXPECT_EQ(counter, 1);
  }
}

TEST(Streams, DescIsReadByItsSize) {
  const Context context;
  wprim_stream* stream;
  wprim_stream_desc desc = WPRIM_STREAM_DESC_INIT;
  desc.priority = -5;
  ASSERT_OK(wprim_stream_create(context, &desc, &stream));
  EXPECT_OK(wprim_stream_destroy(stream));

  desc.struct_size = 4;
  EXPECT_EQ(wprim_stream_create(context, &desc, &stream), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(stream, nullptr);
  EXPECT_TRUE(last_error_has("wprim_stream_create: desc->struct_size = 4")) << wprim_last_error();

  struct {
    wprim_stream_desc desc = WPRIM_STREAM_DESC_INIT;
    uint32_t more = 0;  // as wide as the fields before: what lies between would be anything
  } newer;
  newer.desc.struct_size = sizeof newer;
  ASSERT_OK(wprim_stream_create(context, &newer.desc, &stream));
  EXPECT_OK(wprim_stream_destroy(stream));
  newer.more = 1;
  EXPECT_EQ(wprim_stream_create(context, &newer.desc, &stream), WPRIM_ERROR_INVALID_ARGUMENT);
}

TEST(Streams, TheCpuHasNoNativeStreams) {
  const Context context;
  int native = 0;
  auto* stream = reinterpret_cast<wprim_stream*>(&native);
  EXPECT_EQ(wprim_stream_wrap(context, &native, &stream), WPRIM_ERROR_UNSUPPORTED);
  EXPECT_EQ(stream, nullptr);
}

}  // namespace
}  // namespace wprim::test
