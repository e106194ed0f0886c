// Handles that are no objects: NULL, destroyed, of another kind, garbage. Every function tells them, and
// nothing else happens.
#include <atomic>
#include <memory>
#include <thread>

#include "support.h"

namespace wprim::test {
namespace {

// Every function with the one handle in question; the other arguments are good.
struct Calls {
  Context context;
  Stream stream{context};
  Event event{context};
  alignas(8) unsigned char memory[64] = {};
  wprim_reduce_desc reduce = describe_reduce(WPRIM_SUM, WPRIM_F32, memory, 4, memory + 32);
  Plan plan{context, reduce};
  Graph graph{stream, [this] { EXPECT_OK(wprim_reduce_ex(stream, &reduce)); }};
  float milliseconds = 0;
  wprim_context_info_desc info = WPRIM_CONTEXT_INFO_DESC_INIT;
  wprim_stream* new_stream = nullptr;
  wprim_event* new_event = nullptr;
  wprim_plan* new_plan = nullptr;
  wprim_graph* new_graph = nullptr;
  uint64_t length = 0;
  void* pointer = nullptr;

  std::vector<std::pair<const char*, wprim_status>> with_context(wprim_context* c) {
    return {{"info", wprim_context_info(c, &info)},
            {"stream_create", wprim_stream_create(c, nullptr, &new_stream)},
            {"stream_wrap", wprim_stream_wrap(c, memory, &new_stream)},
            {"event_create", wprim_event_create(c, &new_event)},
            {"plan_reduce", wprim_plan_reduce(c, &reduce, &new_plan)},
            {"malloc_host", wprim_malloc_host(c, 16, &pointer)},
            {"free_host", wprim_free_host(c, nullptr)}};
  }

  std::vector<std::pair<const char*, wprim_status>> with_stream(wprim_stream* s) {
    return {{"synchronize", wprim_stream_synchronize(s)},
            {"query", wprim_stream_query(s)},
            {"wait", wprim_stream_wait(s, event)},
            {"call", wprim_stream_call(s, count_up, memory)},
            {"record", wprim_event_record(event, s)},
            {"malloc", wprim_malloc(s, 16, &pointer)},
            {"free", wprim_free(s, nullptr)},
            {"copy", wprim_copy(s, memory, memory + 32, 16)},
            {"fill", wprim_fill(s, WPRIM_U8, memory, 16, "x")},
            {"reduce", wprim_reduce(s, WPRIM_SUM, WPRIM_F32, memory, 4, memory + 32)},
            {"reduce_ex", wprim_reduce_ex(s, &reduce)},
            {"plan_launch", wprim_plan_launch(plan, s)},
            {"graph_launch", wprim_graph_launch(graph, s)},
            {"graph_begin", wprim_graph_begin(s)},
            {"graph_end", wprim_graph_end(s, &new_graph)}};
  }

  std::vector<std::pair<const char*, wprim_status>> with_plan(wprim_plan* p) {
    const wprim_binding binding{0, WPRIM_SLOT_IN, memory};
    return {{"launch", wprim_plan_launch(p, stream)},
            {"rebind", wprim_plan_rebind(p, WPRIM_SLOT_IN, memory)},
            {"rebind_many", wprim_plan_rebind_many(p, &binding, 1)},
            {"describe", wprim_plan_describe(p, WPRIM_TEXT, nullptr, 0, &length)}};
  }

  std::vector<std::pair<const char*, wprim_status>> with_graph(wprim_graph* g) {
    const wprim_binding binding{0, WPRIM_SLOT_IN, memory};
    return {{"launch", wprim_graph_launch(g, stream)},
            {"rebind", wprim_graph_rebind(g, 0, WPRIM_SLOT_IN, memory)},
            {"rebind_many", wprim_graph_rebind_many(g, &binding, 1)},
            {"describe", wprim_graph_describe(g, WPRIM_TEXT, nullptr, 0, &length)}};
  }

  std::vector<std::pair<const char*, wprim_status>> with_event(wprim_event* e) {
    return {{"wait", wprim_stream_wait(stream, e)},
            {"record", wprim_event_record(e, stream)},
            {"synchronize", wprim_event_synchronize(e)},
            {"query", wprim_event_query(e)},
            {"elapsed from", wprim_event_elapsed(e, event, &milliseconds)},
            {"elapsed to", wprim_event_elapsed(event, e, &milliseconds)}};
  }

  void expect_told(uint64_t handle) {
    auto* c = reinterpret_cast<wprim_context*>(handle);
    auto* s = reinterpret_cast<wprim_stream*>(handle);
    auto* e = reinterpret_cast<wprim_event*>(handle);
    auto* p = reinterpret_cast<wprim_plan*>(handle);
    auto* g = reinterpret_cast<wprim_graph*>(handle);
    if (handle != bits(context)) expect_all(with_context(c), "context", handle);
    if (handle != bits(stream)) expect_all(with_stream(s), "stream", handle);
    if (handle != bits(event)) expect_all(with_event(e), "event", handle);
    if (handle != bits(plan)) expect_all(with_plan(p), "plan", handle);
    if (handle != bits(graph)) expect_all(with_graph(g), "graph", handle);
    EXPECT_EQ(new_plan, nullptr);
    EXPECT_EQ(new_graph, nullptr);
    EXPECT_EQ(length, 0u);
    EXPECT_EQ(new_stream, nullptr);
    EXPECT_EQ(new_event, nullptr);
    EXPECT_EQ(pointer, nullptr);
    EXPECT_OK(wprim_stream_synchronize(stream));
    for (unsigned char byte : memory) EXPECT_EQ(byte, 0) << "touched by a refused call";
    if (handle == 0) return;  // destroying NULL does nothing
    if (handle != bits(context)) expect_all({{"destroy", wprim_context_destroy(c)}}, "context", handle);
    if (handle != bits(stream)) expect_all({{"destroy", wprim_stream_destroy(s)}}, "stream", handle);
    if (handle != bits(event)) expect_all({{"destroy", wprim_event_destroy(e)}}, "event", handle);
    if (handle != bits(plan)) expect_all({{"destroy", wprim_plan_destroy(p)}}, "plan", handle);
    if (handle != bits(graph)) expect_all({{"destroy", wprim_graph_destroy(g)}}, "graph", handle);
  }

  template <class Handle>
  static uint64_t bits(Handle* handle) {
    return reinterpret_cast<uint64_t>(handle);
  }
  uint64_t bits(const Context& c) { return bits(static_cast<wprim_context*>(c)); }
  uint64_t bits(const Stream& s) { return bits(static_cast<wprim_stream*>(s)); }
  uint64_t bits(const Event& e) { return bits(static_cast<wprim_event*>(e)); }
  uint64_t bits(const Plan& p) { return bits(static_cast<wprim_plan*>(p)); }
  uint64_t bits(const Graph& g) { return bits(static_cast<wprim_graph*>(g)); }

  static void expect_all(const std::vector<std::pair<const char*, wprim_status>>& calls, const char* kind,
                         uint64_t handle) {
    for (const auto& [name, status] : calls) {
      EXPECT_EQ(status, WPRIM_ERROR_INVALID_HANDLE)
          << name << " with " << std::hex << handle << " for a " << kind;
    }
  }
};

TEST(Handles, GoodOnesWork) {
  Calls calls;
  for (const auto& [name, status] : calls.with_stream(calls.stream)) EXPECT_EQ(status, WPRIM_OK) << name;
  EXPECT_OK(wprim_graph_destroy(calls.new_graph));
  for (const auto& [name, status] : calls.with_event(calls.event)) EXPECT_EQ(status, WPRIM_OK) << name;
  for (const auto& [name, status] : calls.with_plan(calls.plan)) EXPECT_EQ(status, WPRIM_OK) << name;
  for (const auto& [name, status] : calls.with_graph(calls.graph)) EXPECT_EQ(status, WPRIM_OK) << name;
  EXPECT_OK(wprim_stream_synchronize(calls.stream));
}

TEST(Handles, Null) {
  Calls calls;
  calls.expect_told(0);
  EXPECT_OK(wprim_context_destroy(nullptr));
  EXPECT_OK(wprim_stream_destroy(nullptr));
  EXPECT_OK(wprim_event_destroy(nullptr));
  EXPECT_OK(wprim_plan_destroy(nullptr));
  EXPECT_OK(wprim_graph_destroy(nullptr));
}

TEST(Handles, OfAnotherKind) {
  Calls calls;
  calls.expect_told(calls.bits(calls.context));
  calls.expect_told(calls.bits(calls.stream));
  calls.expect_told(calls.bits(calls.event));
  calls.expect_told(calls.bits(calls.plan));
  calls.expect_told(calls.bits(calls.graph));
}

TEST(Handles, Destroyed) {
  Calls calls;
  wprim_context* context;
  wprim_stream* stream;
  wprim_event* event;
  wprim_plan* plan;
  wprim_graph* graph;
  EXPECT_OK(wprim_context_create(WPRIM_CPU, 0, &context));
  EXPECT_OK(wprim_stream_create(calls.context, nullptr, &stream));
  EXPECT_OK(wprim_event_create(calls.context, &event));
  EXPECT_OK(wprim_plan_reduce(calls.context, &calls.reduce, &plan));
  EXPECT_OK(wprim_graph_begin(stream));
  EXPECT_OK(wprim_graph_end(stream, &graph));
  EXPECT_OK(wprim_plan_destroy(plan));
  EXPECT_OK(wprim_graph_destroy(graph));
  EXPECT_OK(wprim_context_destroy(context));
  EXPECT_OK(wprim_stream_destroy(stream));
  EXPECT_OK(wprim_event_destroy(event));
  for (uint64_t handle :
       {calls.bits(context), calls.bits(stream), calls.bits(event), calls.bits(plan), calls.bits(graph)})
    calls.expect_told(handle);
}

TEST(Handles, DestroyedAndItsSlotInUseAgain) {
  Calls calls;
  wprim_stream* old;
  EXPECT_OK(wprim_stream_create(calls.context, nullptr, &old));
  EXPECT_OK(wprim_stream_destroy(old));
  const Stream next(calls.context);  // takes the slot that just became free
  EXPECT_NE(static_cast<wprim_stream*>(next), old);
  calls.expect_told(calls.bits(old));
  EXPECT_OK(wprim_stream_synchronize(next));
}

TEST(Handles, Garbage) {
  Calls calls;
  int local = 0;
  const std::vector<uint64_t> garbage = {1,
                                         0xdeadbeef,
                                         ~0ull,
                                         reinterpret_cast<uint64_t>(&local),
                                         calls.bits(calls.stream) + 1,
                                         calls.bits(calls.event) ^ 1ull << 40,
                                         calls.bits(calls.plan) ^ 1ull << 30,
                                         calls.bits(calls.graph) + 2,
                                         calls.bits(calls.context) ^ 1ull << 63};
  for (uint64_t handle : garbage) calls.expect_told(handle);
}

TEST(Handles, ObjectsOfADestroyedContextLiveOn) {
  auto context = std::make_unique<Context>();
  const Stream stream(*context);
  const Event event(*context);
  void* memory = nullptr;
  EXPECT_OK(wprim_malloc(stream, 1000, &memory));
  context.reset();
  const uint8_t one = 1;
  uint64_t sum = 0;
  EXPECT_OK(wprim_fill(stream, WPRIM_U8, memory, 1000, &one));
  EXPECT_OK(wprim_reduce(stream, WPRIM_SUM, WPRIM_U8, memory, 1000, &sum));
  EXPECT_OK(wprim_event_record(event, stream));
  EXPECT_OK(wprim_event_synchronize(event));
  EXPECT_OK(wprim_stream_synchronize(stream));
  EXPECT_EQ(sum, 1000u);
  EXPECT_OK(wprim_free(stream, memory));
}

TEST(Handles, DestroyInEveryOrderWithWorkInFlight) {
  int order[] = {0, 1, 2, 3};
  do {
    Gate gate;
    Context context;
    Stream stream(context), waiter(context);
    Event event(context);
    int counter = 0;
    std::atomic<bool> done = false;
    gate.block(stream);
    EXPECT_OK(wprim_stream_call(stream, count_up, &counter));
    EXPECT_OK(wprim_event_record(event, stream));
    EXPECT_OK(wprim_stream_wait(waiter, event));
    EXPECT_OK(wprim_stream_call(
        waiter,
        [](void* user) {
          *static_cast<std::atomic<bool>*>(user) = true;
          return WPRIM_OK;
        },
        &done));
    for (int which : order) {
      if (which == 0) context.drop();
      if (which == 1) stream.drop();
      if (which == 2) waiter.drop();
      if (which == 3) event.drop();
    }
    EXPECT_FALSE(done);
    gate.open();
    while (!done) std::this_thread::yield();
    EXPECT_EQ(counter, 1);
  } while (std::next_permutation(std::begin(order), std::end(order)));
}

}  // namespace
}  // namespace wprim::test
