// A program that repeats what it does makes the library allocate nothing: everything here runs once to warm up, then again
// with each allocation of the library counted.
#include <warpprim.h>

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "failing_allocator.h"

namespace {

int complaints = 0;

void check(wprim_status status) {
  if (status == WPRIM_OK) return;
  std::printf("  %s\n", wprim_last_error());
  ++complaints;
}

wprim_context* context;
wprim_stream* stream;
wprim_stream* consumer;
wprim_stream* resident;
wprim_event* event;
wprim_plan* plan;
wprim_graph* graph;
uint64_t number = 500;
alignas(64) unsigned char data[5 << 20];  // zeros: of every type
double out[1 << 14];                      // minmax gives two a row

// Holds the stream up, so that what comes after it is queued.
class Gate {
 public:
  Gate() { check(wprim_stream_call(stream, wait, this)); }
  void open() {
    std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }

 private:
  static wprim_status wait(void* user) {
    auto* gate = static_cast<Gate*>(user);
    std::unique_lock lock(gate->mutex_);
    gate->changed_.wait(lock, [&] { return gate->open_; });
    return WPRIM_OK;
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
};

// Every op of every type that it takes.
void reduces(uint64_t rows, uint64_t bytes_of_a_row) {
  for (int op = WPRIM_SUM; op <= WPRIM_LOGSUMEXP; ++op) {
    for (int dtype = WPRIM_F32; dtype <= WPRIM_BOOL; ++dtype) {
      if (op >= WPRIM_AND && op <= WPRIM_XOR && dtype <= WPRIM_BF16) continue;
      wprim_reduce_desc desc = WPRIM_REDUCE_DESC_INIT;
      desc.op = static_cast<wprim_op>(op);
      desc.dtype = static_cast<wprim_dtype>(dtype);
      desc.in = data;
      desc.out = out;
      desc.rows = rows;
      desc.cols = bytes_of_a_row / wprim_dtype_size(desc.dtype);
      check(wprim_reduce_ex(stream, &desc));
    }
  }
}

void at_once() {
  reduces(1, 4096);
  reduces(1, 300'000);
  reduces(5, 100);
  check(wprim_stream_synchronize(stream));
}

void queued() {
  Gate gate;
  reduces(3, 4096);
  check(wprim_copy(stream, out, data, 100));
  check(wprim_fill(stream, WPRIM_F64, out, 100, data));
  gate.open();
  check(wprim_stream_synchronize(stream));
}

void shared_by_threads() {
  reduces(1, sizeof data);
  check(wprim_stream_synchronize(stream));
  reduces(5000, 256);
  check(wprim_stream_synchronize(stream));
}

void events() {
  Gate gate;
  check(wprim_event_record(event, stream));
  check(wprim_stream_wait(consumer, event));
  gate.open();
  check(wprim_stream_synchronize(consumer));
  check(wprim_stream_synchronize(stream));
  check(wprim_event_record(event, stream));
  check(wprim_event_synchronize(event));
}

wprim_status nothing(void*) { return WPRIM_OK; }

// Launches, at once and queued, with other memory each time.
void plans() {
  const auto launch_on = [](wprim_stream* s) {
    for (int i = 0; i < 40; ++i) {
      const wprim_binding bindings[] = {{0, WPRIM_SLOT_IN, data + 8 * i}, {0, WPRIM_SLOT_OUT, out + i}};
      check(wprim_plan_rebind_many(plan, bindings, 2));
      check(wprim_plan_launch(plan, s));
    }
  };
  launch_on(stream);
  check(wprim_stream_synchronize(stream));
  {
    Gate gate;
    launch_on(stream);
    gate.open();
    check(wprim_stream_synchronize(stream));
  }
  launch_on(resident);
  check(wprim_stream_synchronize(resident));
}

void graphs() {
  for (wprim_stream* s : {stream, resident, stream}) {
    Gate gate;
    for (int i = 0; i < 20; ++i) check(wprim_graph_launch(graph, s));
    gate.open();
    check(wprim_stream_synchronize(s));
    check(wprim_stream_synchronize(stream));
  }
}

void posts() {
  for (int i = 0; i < 100; ++i) {
    check(wprim_reduce(resident, WPRIM_SUM, WPRIM_F32, data, 1000, out));
    if (i % 8) continue;
    check(wprim_event_record(event, resident));
    check(wprim_event_synchronize(event));
    check(wprim_stream_synchronize(resident));
  }
  check(wprim_stream_synchronize(resident));
}

void open_graph() {
  check(wprim_graph_begin(stream));
  check(wprim_copy(stream, out, data, 100));
  check(wprim_fill(stream, WPRIM_F64, out, 100, data));
  check(wprim_plan_launch(plan, stream));
  check(wprim_stream_call(stream, nothing, nullptr));
  check(wprim_graph_end(stream, &graph));
}

void open() {
  check(wprim_context_create(WPRIM_CPU, 0, &context));
  check(wprim_stream_create(context, nullptr, &stream));
  check(wprim_stream_create(context, nullptr, &consumer));
  check(wprim_event_create(context, &event));
  wprim_stream_desc kind = WPRIM_STREAM_DESC_INIT;
  kind.kind = WPRIM_STREAM_RESIDENT;
  check(wprim_stream_create(context, &kind, &resident));
  wprim_reduce_desc desc = WPRIM_REDUCE_DESC_INIT;
  desc.in = data;
  desc.out = out;
  desc.cols = 1000;
  desc.n_on_device = &number;
  check(wprim_plan_reduce(context, &desc, &plan));
  open_graph();
}

struct Scenario {
  const char* name;
  void (*run)();
};
const Scenario scenarios[] = {
    {"reduces at once", at_once},
    {"queued work", queued},
    {"reduces shared by threads", shared_by_threads},
    {"events", events},
    {"plans", plans},
    {"graphs", graphs},
    {"posts to a resident stream", posts},
};

}  // namespace

int main() {
  setenv("WARPPRIM_NUM_THREADS", "3", 1);
  if (count_allocations(open) == 0) {
    std::printf("nothing is counted\n");
    ++complaints;
  }
  for (const Scenario& scenario : scenarios) {
    const int64_t warm_up = count_allocations(scenario.run);
    const int64_t steady = count_allocations(scenario.run);
    std::printf("%-28s %4lld allocations to warm up, then %lld\n", scenario.name,
                static_cast<long long>(warm_up), static_cast<long long>(steady));
    if (steady) ++complaints;
  }
  check(wprim_graph_destroy(graph));
  check(wprim_plan_destroy(plan));
  check(wprim_event_destroy(event));
  check(wprim_stream_destroy(resident));
  check(wprim_stream_destroy(consumer));
  check(wprim_stream_destroy(stream));
  check(wprim_context_destroy(context));
  return complaints ? 1 : 0;
}
