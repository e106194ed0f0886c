// Recordings: calls that become a graph. Forks and joins over streams, and what is refused meanwhile.
#include <memory>
#include <thread>

#include "support.h"

namespace wprim::test {
namespace {

TEST(Recordings, RecordingRunsNothing) {
  const Context context;
  const Stream stream(context);
  uint32_t x[4] = {1, 2, 3, 4};
  const uint32_t five = 5;
  uint64_t sum = 0;
  int called = 0;
  const Graph graph(stream, [&] {
    EXPECT_OK(wprim_fill(stream, WPRIM_U32, x, 2, &five));
    EXPECT_OK(wprim_copy(stream, x + 2, x, 8));
    EXPECT_OK(wprim_reduce(stream, WPRIM_SUM, WPRIM_U32, x, 4, &sum));
    EXPECT_OK(wprim_stream_call(stream, count_up, &called));
  });
  EXPECT_OK(wprim_stream_synchronize(stream));
  EXPECT_EQ(x[0], 1u);
  EXPECT_EQ(sum, 0u);
  EXPECT_EQ(called, 0);
  for (int launch = 1; launch <= 3; ++launch) {
    sum = x[0] = x[2] = 0;
    EXPECT_OK(wprim_graph_launch(graph, stream));
    EXPECT_OK(wprim_stream_synchronize(stream));
    EXPECT_EQ(sum, 20u);
    EXPECT_EQ(called, launch);
  }
}

// Two branches fill two halves, and the sum waits for both.
TEST(Recordings, ForkAndJoin) {
  const Context context;
  const Stream first(context), second(context);
  const Event forked(context), joined(context);
  std::vector<uint32_t> x(2000, 9);
  const uint32_t one = 1, two = 2;
  uint64_t sum = 0;
  const Graph graph(first, [&] {
    EXPECT_OK(wprim_event_record(forked, first));
    EXPECT_OK(wprim_stream_wait(second, forked));
    EXPECT_OK(wprim_fill(first, WPRIM_U32, x.data(), 1000, &one));
    EXPECT_OK(wprim_fill(second, WPRIM_U32, x.data() + 1000, 1000, &two));
    EXPECT_OK(wprim_event_record(joined, second));
    EXPECT_OK(wprim_stream_wait(first, joined));
    EXPECT_OK(wprim_reduce(first, WPRIM_SUM, WPRIM_U32, x.data(), 2000, &sum));
  });
  uint64_t length = 0;
  std::string json(20'000, '\0');
  EXPECT_OK(wprim_graph_describe(graph, WPRIM_JSON, json.data(), json.size(), &length));
  EXPECT_NE(json.find("\"after\": [0, 1]"), std::string::npos) << json;
  // The second stream is its own again.
  uint32_t eager = 0;
  EXPECT_OK(wprim_fill(second, WPRIM_U32, &eager, 1, &two));
  EXPECT_OK(wprim_stream_synchronize(second));
  EXPECT_EQ(eager, 2u);
  for (int i = 0; i < 3; ++i) {
    sum = 0;
    std::fill(x.begin(), x.end(), 9);
    EXPECT_OK(wprim_graph_launch(graph, i == 1 ? second : first));
    EXPECT_OK(wprim_stream_synchronize(i == 1 ? second : first));
    EXPECT_EQ(sum, 3000u);
  }
}

// A stream that joins through an event of a stream that joined: all lead back to the first.
TEST(Recordings, AChainOfStreams) {
  const Context context;
  constexpr int kStreams = 6;
  std::vector<std::unique_ptr<Stream>> streams;
  std::vector<std::unique_ptr<Event>> events;
  for (int i = 0; i < kStreams; ++i) {
    streams.push_back(std::make_unique<Stream>(context));
    events.push_back(std::make_unique<Event>(context));
  }
  int counter = 0;
  const Graph graph(*streams[0], [&] {
    for (int i = 0; i < kStreams; ++i) {
      EXPECT_OK(wprim_stream_call(*streams[i], count_up, &counter));
      EXPECT_OK(wprim_event_record(*events[i], *streams[i]));
      EXPECT_OK(wprim_stream_wait(*streams[(i + 1) % kStreams], *events[i]));
    }
  });
  EXPECT_OK(wprim_graph_launch(graph, *streams[3]));
  EXPECT_OK(wprim_stream_synchronize(*streams[3]));
  EXPECT_EQ(counter, kStreams);
}

TEST(Recordings, WorkThatHasNotComeBack) {
  const Context context;
  const Stream first(context), second(context);
  const Event forked(context), joined(context);
  int counter = 0;
  wprim_graph* graph = reinterpret_cast<wprim_graph*>(&counter);
  EXPECT_OK(wprim_graph_begin(first));
  EXPECT_OK(wprim_stream_call(first, count_up, &counter));
  EXPECT_OK(wprim_event_record(forked, first));
  EXPECT_OK(wprim_stream_wait(second, forked));
  EXPECT_OK(wprim_stream_call(second, count_up, &counter));
  EXPECT_EQ(wprim_graph_end(first, &graph), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(graph, nullptr);
  EXPECT_TRUE(last_error_has("node 1 was recorded on another stream")) << wprim_last_error();
  EXPECT_EQ(wprim_graph_end(second, &graph), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(last_error_has("begun on another stream: end it there")) << wprim_last_error();
  // The recording goes on, and can be put right.
  EXPECT_OK(wprim_event_record(joined, second));
  EXPECT_OK(wprim_stream_wait(first, joined));
  EXPECT_OK(wprim_graph_end(first, &graph));
  EXPECT_OK(wprim_graph_launch(graph, second));
  EXPECT_OK(wprim_stream_synchronize(second));
  EXPECT_EQ(counter, 2);
  EXPECT_OK(wprim_graph_destroy(graph));
}

TEST(Recordings, WhatARecordingRefuses) {
  const Context context;
  const Stream stream(context), idle(context);
  const Event event(context), before(context), never(context);
  int counter = 0;
  void* memory = nullptr;
  wprim_graph* none = nullptr;
  const Graph small(idle, [&] { EXPECT_OK(wprim_stream_call(idle, count_up, &counter)); });
  EXPECT_OK(wprim_malloc(stream, 64, &memory));
  EXPECT_OK(wprim_event_record(before, idle));
  EXPECT_OK(wprim_stream_synchronize(idle));
  const Graph graph(stream, [&] {
    const auto refuses = [&](wprim_status got, wprim_status want, const char* words) {
      EXPECT_EQ(got, want) << words;
      EXPECT_TRUE(last_error_has(words)) << wprim_last_error();
    };
    void* other = nullptr;
    float ms = 0;
    EXPECT_OK(wprim_stream_call(stream, count_up, &counter));
    EXPECT_OK(wprim_event_record(event, stream));
    EXPECT_OK(wprim_stream_wait(stream, never));  // nothing to wait for
    refuses(wprim_malloc(stream, 64, &other), WPRIM_ERROR_UNSUPPORTED, "being recorded, and an allocation");
    refuses(wprim_free(stream, memory), WPRIM_ERROR_UNSUPPORTED, "being recorded, and freeing");
    refuses(wprim_stream_synchronize(stream), WPRIM_ERROR_UNSUPPORTED, "waiting for it");
    refuses(wprim_stream_query(stream), WPRIM_ERROR_UNSUPPORTED, "a query");
    refuses(wprim_graph_launch(small, stream), WPRIM_ERROR_UNSUPPORTED, "the launch of a graph");
    refuses(wprim_graph_begin(stream), WPRIM_ERROR_INVALID_ARGUMENT, "recorded already");
    refuses(wprim_stream_wait(stream, before), WPRIM_ERROR_INVALID_ARGUMENT, "was not recorded in the graph");
    refuses(wprim_event_synchronize(event), WPRIM_ERROR_UNSUPPORTED, "event was recorded in a graph");
    refuses(wprim_event_query(event), WPRIM_ERROR_UNSUPPORTED, "event was recorded in a graph");
    refuses(wprim_event_elapsed(event, before, &ms), WPRIM_ERROR_UNSUPPORTED, "start was recorded");
    refuses(wprim_event_elapsed(before, event, &ms), WPRIM_ERROR_UNSUPPORTED, "end was recorded");
    refuses(wprim_reduce(stream, WPRIM_SUM, WPRIM_F32, nullptr, 7, &ms), WPRIM_ERROR_INVALID_ARGUMENT, "in");
    refuses(wprim_copy(stream, &ms, &ms, 4), WPRIM_ERROR_INVALID_ARGUMENT, "overlaps");
    refuses(wprim_stream_call(stream, nullptr, nullptr), WPRIM_ERROR_INVALID_ARGUMENT, "fn is NULL");
    refuses(wprim_graph_end(stream, nullptr), WPRIM_ERROR_INVALID_ARGUMENT, "graph is NULL");
    EXPECT_EQ(other, nullptr);
    EXPECT_OK(wprim_stream_call(stream, count_up, &counter));
  });
  EXPECT_EQ(wprim_graph_end(stream, &none), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(last_error_has("no recording was begun on stream")) << wprim_last_error();
  EXPECT_OK(wprim_free(stream, memory)) << "still the caller's";
  EXPECT_OK(wprim_graph_launch(graph, stream));
  EXPECT_OK(wprim_stream_synchronize(stream));
  EXPECT_EQ(counter, 2) << "what was refused is no node, what was not is";
  EXPECT_EQ(wprim_graph_rebind(graph, 2, WPRIM_SLOT_USER, &counter), WPRIM_ERROR_INVALID_ARGUMENT);
}

TEST(Recordings, AnEventOfARecordingThatIsOver) {
  const Context context;
  const Stream stream(context), other(context);
  const Event event(context);
  const Graph graph(stream, [&] { EXPECT_OK(wprim_event_record(event, stream)); });
  EXPECT_EQ(wprim_stream_wait(other, event), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(last_error_has("the recording is over: record it again")) << wprim_last_error();
  EXPECT_EQ(wprim_event_query(event), WPRIM_ERROR_UNSUPPORTED);
  EXPECT_OK(wprim_event_record(event, other));
  EXPECT_OK(wprim_stream_wait(stream, event));
  EXPECT_OK(wprim_event_synchronize(event));
}

TEST(Recordings, TwoRecordingsAtOnceDoNotMix) {
  const Context context;
  const Stream a(context), b(context);
  const Event event(context);
  int first = 0, second = 0;
  wprim_graph *one = nullptr, *two = nullptr;
  EXPECT_OK(wprim_graph_begin(a));
  EXPECT_OK(wprim_graph_begin(b));
  EXPECT_OK(wprim_stream_call(a, count_up, &first));
  EXPECT_OK(wprim_stream_call(b, count_up, &second));
  EXPECT_OK(wprim_event_record(event, a));
  EXPECT_EQ(wprim_stream_wait(b, event), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(last_error_has("recorded in another graph")) << wprim_last_error();
  EXPECT_OK(wprim_graph_end(b, &two));
  EXPECT_OK(wprim_graph_end(a, &one));
  EXPECT_OK(wprim_graph_launch(two, a));
  EXPECT_OK(wprim_stream_synchronize(a));
  EXPECT_EQ(first, 0);
  EXPECT_EQ(second, 1);
  EXPECT_OK(wprim_graph_destroy(one));
  EXPECT_OK(wprim_graph_destroy(two));
}

// Work enqueued before the recording goes on, and the recording does not wait for it.
TEST(Recordings, BegunWithWorkInFlight) {
  const Context context;
  const Stream stream(context);
  int before = 0, inside = 0;
  Gate gate;
  gate.block(stream);
  EXPECT_OK(wprim_stream_call(stream, count_up, &before));
  const Graph graph(stream, [&] { EXPECT_OK(wprim_stream_call(stream, count_up, &inside)); });
  EXPECT_EQ(wprim_stream_query(stream), WPRIM_NOT_READY);
  EXPECT_OK(wprim_graph_launch(graph, stream));
  gate.open();
  EXPECT_OK(wprim_stream_synchronize(stream));
  EXPECT_EQ(before, 1);
  EXPECT_EQ(inside, 1);
}

TEST(Recordings, AStreamDestroyedWhileItRecords) {
  const Context context;
  const Stream other(context);
  const Event event(context);
  int counter = 0;
  {
    const Stream stream(context);
    EXPECT_OK(wprim_graph_begin(stream));
    EXPECT_OK(wprim_event_record(event, stream));
    EXPECT_OK(wprim_stream_wait(other, event));
    EXPECT_OK(wprim_stream_call(other, count_up, &counter));
  }
  EXPECT_OK(wprim_stream_synchronize(other)) << "its recording is over";
  EXPECT_EQ(counter, 0) << "what was recorded went with it";
  EXPECT_OK(wprim_stream_call(other, count_up, &counter));
  EXPECT_OK(wprim_stream_synchronize(other));
  EXPECT_EQ(counter, 1);
  wprim_graph* graph = nullptr;
  EXPECT_EQ(wprim_graph_end(other, &graph), WPRIM_ERROR_INVALID_ARGUMENT);
}

// A stream that only joined may go: what it recorded stays.
TEST(Recordings, AJoinedStreamDestroyedWhileItRecords) {
  const Context context;
  const Stream first(context);
  auto second = std::make_unique<Stream>(context);
  auto event = std::make_unique<Event>(context);
  int counter = 0;
  const Graph graph(first, [&] {
    EXPECT_OK(wprim_event_record(*event, first));
    EXPECT_OK(wprim_stream_wait(*second, *event));
    EXPECT_OK(wprim_stream_call(*second, count_up, &counter));
    EXPECT_OK(wprim_event_record(*event, *second));
    second.reset();
    EXPECT_OK(wprim_stream_wait(first, *event));
    event.reset();
  });
  EXPECT_OK(wprim_graph_launch(graph, first));
  EXPECT_OK(wprim_stream_synchronize(first));
  EXPECT_EQ(counter, 1);
}

// Different threads record on streams of one recording.
TEST(Recordings, RecordedByManyThreads) {
  const Context context;
  constexpr int kThreads = 8, kCalls = 50;
  const Stream first(context);
  const Event forked(context);
  std::vector<std::unique_ptr<Stream>> streams;
  std::vector<std::unique_ptr<Event>> joined;
  for (int t = 0; t < kThreads; ++t) {
    streams.push_back(std::make_unique<Stream>(context));
    joined.push_back(std::make_unique<Event>(context));
  }
  std::vector<int> counters(kThreads);
  const Graph graph(first, [&] {
    EXPECT_OK(wprim_event_record(forked, first));
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) EXPECT_OK(wprim_stream_wait(*streams[t], forked));
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < kCalls; ++i) EXPECT_OK(wprim_stream_call(*streams[t], count_up, &counters[t]));
        EXPECT_OK(wprim_event_record(*joined[t], *streams[t]));
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (int t = 0; t < kThreads; ++t) EXPECT_OK(wprim_stream_wait(first, *joined[t]));
  });
  EXPECT_OK(wprim_graph_launch(graph, first));
  EXPECT_OK(wprim_stream_synchronize(first));
  for (int counter : counters) EXPECT_EQ(counter, kCalls);
}

}  // namespace
}  // namespace wprim::test
