// Graphs: what was recorded, launched. What runs when, exchanging memory, describing, lifetimes.
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include "support.h"

namespace wprim::test {
namespace {

TEST(Graphs, ValuesOfFillsAreThoseOfTheRecording) {
  const Context context;
  const Stream stream(context);
  uint32_t x = 0, value = 5;
  const Graph graph(stream, [&] { EXPECT_OK(wprim_fill(stream, WPRIM_U32, &x, 1, &value)); });
  value = 6;
  EXPECT_OK(wprim_graph_launch(graph, stream));
  EXPECT_OK(wprim_stream_synchronize(stream));
  EXPECT_EQ(x, 5u);
  EXPECT_OK(wprim_graph_rebind(graph, 0, WPRIM_SLOT_VALUE, &value));
  value = 7;
  EXPECT_OK(wprim_graph_launch(graph, stream));
  EXPECT_OK(wprim_stream_synchronize(stream));
  EXPECT_EQ(x, 6u);
}

TEST(Graphs, AnEmptyOne) {
  const Context context;
  const Stream stream(context);
  const Graph graph(stream, [] {});
  EXPECT_OK(wprim_graph_launch(graph, stream));
  EXPECT_OK(wprim_stream_synchronize(stream));
  EXPECT_EQ(wprim_graph_rebind(graph, 0, WPRIM_SLOT_IN, nullptr), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(last_error_has("node = 0: the graph has 0 nodes")) << wprim_last_error();
}

TEST(Graphs, PlansInGraphsKeepTheMemoryOfTheRecording) {
  const Context context;
  const Stream stream(context);
  const std::vector<int32_t> ones(100, 1), twos(100, 2);
  int64_t a = 0, b = 0, c = 0;
  Plan plan(context, describe_reduce(WPRIM_SUM, WPRIM_I32, ones.data(), 100, &a));
  const Graph graph(stream, [&] {
    EXPECT_OK(wprim_plan_launch(plan, stream));
    EXPECT_OK(wprim_plan_rebind(plan, WPRIM_SLOT_OUT, &b));
    EXPECT_OK(wprim_plan_launch(plan, stream));
  });
  EXPECT_OK(wprim_plan_rebind(plan, WPRIM_SLOT_OUT, &c));
  EXPECT_OK(wprim_graph_rebind(graph, 1, WPRIM_SLOT_IN, twos.data()));
  EXPECT_OK(wprim_graph_launch(graph, stream));
  plan.drop();
  EXPECT_OK(wprim_stream_synchronize(stream));
  EXPECT_EQ(a, 100);
  EXPECT_EQ(b, 200);
  EXPECT_EQ(c, 0);
}

TEST(Graphs, RebindNodesTogether) {
  const Context context;
  const Stream stream(context);
  uint32_t x[8] = {1, 1, 1, 1, 3, 3, 3, 3}, y[8] = {};
  uint64_t sum = 0, other = 0;
  const Graph graph(stream, [&] {
    EXPECT_OK(wprim_copy(stream, y, x, 16));
    EXPECT_OK(wprim_reduce(stream, WPRIM_SUM, WPRIM_U32, y, 4, &sum));
  });
  const wprim_binding good[] = {{0, WPRIM_SLOT_IN, x + 4},
                                {1, WPRIM_SLOT_OUT, &other},
                                {0, WPRIM_SLOT_OUT, y + 4},
                                {1, WPRIM_SLOT_IN, y + 4}};
  const wprim_binding bad[] = {{0, WPRIM_SLOT_IN, x + 4}, {1, WPRIM_SLOT_OUT, y}};
  const wprim_binding late[] = {{1, WPRIM_SLOT_OUT, &other}, {0, WPRIM_SLOT_IN, nullptr}};
  EXPECT_EQ(wprim_graph_rebind_many(graph, bad, 2), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(last_error_has("overlaps")) << wprim_last_error();
  EXPECT_EQ(wprim_graph_rebind_many(graph, late, 2), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(last_error_has("src is NULL")) << wprim_last_error();
  Gate gate;
  gate.block(stream);
  EXPECT_OK(wprim_graph_launch(graph, stream));
  EXPECT_OK(wprim_graph_rebind_many(graph, good, 4));
  EXPECT_OK(wprim_graph_launch(graph, stream));
  gate.open();
  EXPECT_OK(wprim_stream_synchronize(stream));
  EXPECT_EQ(sum, 4u) << "launched before";
  EXPECT_EQ(other, 12u);
}

TEST(Graphs, RebindAHostCallback) {
  const Context context;
  const Stream stream(context);
  int a = 0, b = 0;
  const Graph graph(stream, [&] { EXPECT_OK(wprim_stream_call(stream, count_up, &a)); });
  EXPECT_OK(wprim_graph_launch(graph, stream));
  EXPECT_OK(wprim_graph_rebind(graph, 0, WPRIM_SLOT_USER, &b));
  EXPECT_OK(wprim_graph_launch(graph, stream));
  EXPECT_OK(wprim_graph_launch(graph, stream));
  EXPECT_OK(wprim_stream_synchronize(stream));
  EXPECT_EQ(a, 1);
  EXPECT_EQ(b, 2);
}

TEST(Graphs, ErrorsOfCallbacksAreLateAndWorkBehindThemRuns) {
  const Context context;
  const Stream stream(context), other(context);
  int before = 0, behind = 0;
  const Graph graph(stream, [&] {
    EXPECT_OK(wprim_stream_call(stream, count_up, &before));
    EXPECT_OK(wprim_stream_call(stream, fail_always, nullptr));
    EXPECT_OK(wprim_stream_call(stream, count_up, &behind));
  });
  for (int i = 1; i <= 2; ++i) {
    EXPECT_OK(wprim_graph_launch(graph, other));
    EXPECT_EQ(wprim_stream_synchronize(other), WPRIM_ERROR_CALLBACK);
    EXPECT_TRUE(last_error_has("host callback")) << wprim_last_error();
    EXPECT_OK(wprim_stream_synchronize(other)) << "told once";
    EXPECT_OK(wprim_stream_synchronize(stream)) << "of the stream that launched it";
    EXPECT_EQ(before, i);
    EXPECT_EQ(behind, i);
  }
}

// The first of a launch holds its stream up; nothing of a launch runs inside another of the same graph.
TEST(Graphs, LaunchesOfOneTakeTurns) {
  const Context context;
  static std::atomic<int> inside, overlaps, launches;
  inside = overlaps = launches = 0;
  const Stream stream(context);
  const Graph graph(stream, [&] {
    EXPECT_OK(wprim_stream_call(
        stream,
        [](void*) {
          overlaps += inside.exchange(1);
          std::this_thread::sleep_for(std::chrono::microseconds(200));
          return WPRIM_OK;
        },
        nullptr));
    EXPECT_OK(wprim_stream_call(stream, [](void*) { return inside = 0, ++launches, WPRIM_OK; }, nullptr));
  });
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([&, t] {
      const Stream own(context, t % 2 ? WPRIM_STREAM_RESIDENT : WPRIM_STREAM_LAUNCHED);
      for (int i = 0; i < 20; ++i) EXPECT_OK(wprim_graph_launch(graph, own));
      EXPECT_OK(wprim_stream_synchronize(own));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(overlaps, 0);
  EXPECT_EQ(launches, 120);
}

TEST(Graphs, TheStreamGoesOnWhenAllOfItIsDone) {
  const Context context;
  const Stream stream(context), waiter(context);
  const Event event(context);
  Gate gate;
  int counter = 0;
  gate.block(waiter);
  const Graph graph(stream, [&] { EXPECT_OK(wprim_stream_call(stream, count_up, &counter)); });
  EXPECT_OK(wprim_event_record(event, waiter));
  EXPECT_OK(wprim_stream_wait(stream, event));
  EXPECT_OK(wprim_graph_launch(graph, stream));
  EXPECT_OK(wprim_event_record(event, stream));
  EXPECT_EQ(wprim_event_query(event), WPRIM_NOT_READY);
  gate.open();
  EXPECT_OK(wprim_event_synchronize(event));
  EXPECT_EQ(counter, 1);
  EXPECT_OK(wprim_stream_synchronize(waiter));
}

TEST(Graphs, OfAnotherContext) {
  const Context context, foreign;
  const Stream stream(context), other(foreign);
  const Graph graph(stream, [] {});
  EXPECT_EQ(wprim_graph_launch(graph, other), WPRIM_ERROR_INVALID_HANDLE);
  EXPECT_TRUE(last_error_has("stream belongs to another context than graph")) << wprim_last_error();
}

TEST(Graphs, DestroyedInEveryOrderWithALaunchInFlight) {
  int order[] = {0, 1, 2};
  do {
    Context context;
    Stream stream(context);
    std::atomic<bool> done = false;
    int counter = 0;
    Gate gate;
    Graph graph(stream, [&] {
      EXPECT_OK(wprim_stream_call(stream, count_up, &counter));
      EXPECT_OK(wprim_stream_call(
          stream,
          [](void* user) {
            *static_cast<std::atomic<bool>*>(user) = true;
            return WPRIM_OK;
          },
          &done));
    });
    gate.block(stream);
    EXPECT_OK(wprim_graph_launch(graph, stream));
    wprim_graph* old = graph;
    for (int which : order) {
      if (which == 0) context.drop();
      if (which == 1) stream.drop();
      if (which == 2) graph.drop();
    }
    EXPECT_EQ(wprim_graph_destroy(old), WPRIM_ERROR_INVALID_HANDLE);
    gate.open();
    while (!done) std::this_thread::yield();
    EXPECT_EQ(counter, 1);
  } while (std::next_permutation(std::begin(order), std::end(order)));
}

TEST(Graphs, DescribeEachNode) {
  const Context context;
  const Stream stream(context);
  uint32_t x[4] = {};
  uint64_t sum = 0;
  const Graph graph(stream, [&] {
    EXPECT_OK(wprim_fill(stream, WPRIM_U32, x, 4, "abcd"));
    EXPECT_OK(wprim_reduce(stream, WPRIM_SUM, WPRIM_U32, x, 4, &sum));
  });
  uint64_t length = 0;
  EXPECT_OK(wprim_graph_describe(graph, WPRIM_TEXT, nullptr, 0, &length));
  std::string text(length + 1, '?');
  EXPECT_OK(wprim_graph_describe(graph, WPRIM_TEXT, text.data(), text.size(), &length));
  for (const char* part : {"node: 0", "node: 1", "after: [0]", "fill", "sum"}) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
  char three[3] = {'?', '?', '?'};
  EXPECT_OK(wprim_graph_describe(graph, WPRIM_TEXT, three, 2, &length));
  EXPECT_EQ(three[0], text[0]);
  EXPECT_EQ(three[1], '\0');
  EXPECT_EQ(three[2], '?');
}

}  // namespace
}  // namespace wprim::test
