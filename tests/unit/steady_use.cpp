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
wprim_event* event;
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

void open() {
  check(wprim_context_create(WPRIM_CPU, 0, &context));
  check(wprim_stream_create(context, nullptr, &stream));
  check(wprim_stream_create(context, nullptr, &consumer));
  check(wprim_event_create(context, &event));
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
  check(wprim_event_destroy(event));
  check(wprim_stream_destroy(consumer));
  check(wprim_stream_destroy(stream));
  check(wprim_context_destroy(context));
  return complaints ? 1 : 0;
}
