// Memory that runs out: every scenario runs with its first allocation failing, then its second, and so on
// until none is left to fail; once with only that allocation failing, once with all after it too. Each call
// must say so or succeed, nothing may leak, and the library must work afterwards.
//
// Each attempt is a process of its own, so that what is allocated once in a process fails too.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <iterator>

#include "failing_allocator.h"
#include "out_of_memory.h"

namespace {

// ---- Scenarios. `numbers` are ones.

float numbers[1 << 20];

void objects() {
  int32_t count = 0;
  OK(wprim_device_count(WPRIM_CPU, &count));
  const Context context;
  if (!context.handle) return;
  wprim_context_info_desc info = WPRIM_CONTEXT_INFO_DESC_INIT;
  OK(wprim_context_info(context.handle, &info));
  const wprim_stream_desc desc = WPRIM_STREAM_DESC_INIT;
  wprim_stream* stream = nullptr;
  CHECK(OK(wprim_stream_create(context.handle, &desc, &stream)) == (stream != nullptr));
  CHECK(wprim_stream_destroy(stream) == WPRIM_OK);
  GIVES(wprim_stream_wrap(context.handle, &stream, &stream), WPRIM_ERROR_UNSUPPORTED);
  CHECK(stream == nullptr);
  const Event event(context);
}

// Sums of one size, at once or behind a gate.
void reduces(uint64_t n, bool queued, int times) {
  const Context context;
  const Stream stream(context);
  if (!stream.handle) return;
  float sums[40] = {};
  bool enqueued[40] = {};
  Gate gate;
  if (queued && !gate.block(stream)) return;
  for (int i = 0; i < times; ++i) {
    enqueued[i] = OK(wprim_reduce(stream.handle, WPRIM_SUM, WPRIM_F32, numbers, n, &sums[i]));
  }
  gate.open();
  const bool all_done = OK(wprim_stream_synchronize(stream.handle));
  for (int i = 0; i < times; ++i) {
    if (!enqueued[i]) CHECK(sums[i] == 0);
    if (enqueued[i] && all_done) CHECK(sums[i] == static_cast<float>(n));
  }
  OK(wprim_stream_query(stream.handle));
}
void small_reduces() { reduces(1000, false, 3); }
void reduces_of_many_chunks() { reduces(100'000, false, 2); }
void queued_reduces() { reduces(10'000, true, 40); }
void parallel_reduces() { reduces(std::size(numbers), false, 2); }

void reduces_of_every_op() {
  const Context context;
  const Stream stream(context);
  if (!stream.handle) return;
  for (int op = WPRIM_SUM; op <= WPRIM_LOGSUMEXP; ++op) {
    double out[6] = {};
    wprim_reduce_desc desc = WPRIM_REDUCE_DESC_INIT;
    desc.op = static_cast<wprim_op>(op);
    desc.dtype = WPRIM_U32;
    desc.in = numbers;
    desc.rows = 3;
    desc.cols = 6000;
    desc.out = out;
    OK(wprim_reduce_ex(stream.handle, &desc));
    OK(wprim_stream_synchronize(stream.handle));
  }
}

void events() {
  const Context context;
  const Stream producer(context), consumer(context);
  const Event start(context), end(context);
  if (!producer.handle || !consumer.handle || !start.handle || !end.handle) return;
  float sum = 0, milliseconds;
  Gate gate;
  const bool blocked = gate.block(producer);
  const bool started = OK(wprim_event_record(start.handle, producer.handle));
  const bool ended = started && OK(wprim_event_record(end.handle, producer.handle));
  const bool waits = ended && OK(wprim_stream_wait(consumer.handle, end.handle));
  const bool reduces = waits && OK(wprim_reduce(consumer.handle, WPRIM_SUM, WPRIM_F32, numbers, 10, &sum));
  if (blocked && started) CHECK(wprim_event_query(start.handle) == WPRIM_NOT_READY);
  if (blocked && waits) CHECK(wprim_stream_query(consumer.handle) == WPRIM_NOT_READY);
  gate.open();
  if (ended) {
    OK(wprim_event_synchronize(end.handle));
    OK(wprim_event_elapsed(start.handle, end.handle, &milliseconds));
  }
  if (OK(wprim_stream_synchronize(consumer.handle)) && reduces) CHECK(sum == 10);
  OK(wprim_stream_synchronize(producer.handle));
}

void memory() {
  const Context context;
  const Stream stream(context);
  if (!stream.handle) return;
  void *device[40] = {}, *host = nullptr;
  for (void*& ptr : device) CHECK(OK(wprim_malloc(stream.handle, 1000, &ptr)) == (ptr != nullptr));
  CHECK(OK(wprim_malloc_host(context.handle, 1000, &host)) == (host != nullptr));
  if (host) std::memset(host, 1, 1000);
  {
    Gate gate;
    gate.block(stream);
    const uint16_t value = 0x0101;
    for (void* ptr : device) {
      if (ptr) OK(wprim_fill(stream.handle, WPRIM_U16, ptr, 500, &value));
    }
    if (device[0] && host) OK(wprim_copy(stream.handle, device[0], host, 1000));
    for (void*& ptr : device) {
      if (ptr && OK(wprim_free(stream.handle, ptr))) ptr = nullptr;
    }
  }
  OK(wprim_stream_synchronize(stream.handle));
  // On failure it is still the caller's; now nothing is in the way.
  for (void* ptr : device) CHECK(wprim_free(stream.handle, ptr) == WPRIM_OK);
  CHECK(wprim_free_host(context.handle, host) == WPRIM_OK);
}

// A plan of a sum, launched and bound to other memory.
void plans() {
  const Context context;
  const Stream stream(context), resident(context, WPRIM_STREAM_RESIDENT);
  if (!stream.handle || !resident.handle) return;
  float sums[3] = {};
  wprim_reduce_desc desc = WPRIM_REDUCE_DESC_INIT;
  desc.in = numbers;
  desc.cols = 100'000;
  desc.out = &sums[0];
  wprim_plan* plan = nullptr;
  CHECK(OK(wprim_plan_reduce(context.handle, &desc, &plan)) == (plan != nullptr));
  if (!plan) return;
  uint64_t length = 0;
  char text[64];
  OK(wprim_plan_describe(plan, WPRIM_JSON, text, sizeof text, &length));
  const bool first = OK(wprim_plan_launch(plan, stream.handle));
  const bool bound = OK(wprim_plan_rebind(plan, WPRIM_SLOT_OUT, &sums[1]));
  const bool second = bound && OK(wprim_plan_launch(plan, resident.handle));
  GIVES(wprim_plan_rebind(plan, WPRIM_SLOT_IN, nullptr), WPRIM_ERROR_INVALID_ARGUMENT);
  CHECK(wprim_plan_destroy(plan) == WPRIM_OK);
  if (OK(wprim_stream_synchronize(stream.handle)) && first) CHECK(sums[0] == 100'000);
  if (OK(wprim_stream_synchronize(resident.handle)) && second) CHECK(sums[1] == 100'000);
  CHECK(sums[2] == 0);
}

wprim_status count(void* counter) { return ++*static_cast<int*>(counter), WPRIM_OK; }

// Two branches, a join and what is behind it. A call that failed is no node, and a failed end is the end.
void graphs() {
  const Context context;
  const Stream first(context), second(context);
  const Event event(context);
  if (!first.handle || !second.handle || !event.handle) return;
  uint32_t a = 0, b = 0;
  float sum = 0;
  int calls = 0, late_calls = 0;
  const uint32_t one = 1;
  if (!OK(wprim_graph_begin(first.handle))) return;
  const bool forked = OK(wprim_event_record(event.handle, first.handle)) &&
                      OK(wprim_stream_wait(second.handle, event.handle));
  const bool fills_a = OK(wprim_fill(first.handle, WPRIM_U32, &a, 1, &one));
  const bool fills_b = forked && OK(wprim_fill(second.handle, WPRIM_U32, &b, 1, &one));
  const bool joined = forked && OK(wprim_event_record(event.handle, second.handle)) &&
                      OK(wprim_stream_wait(first.handle, event.handle));
  const bool sums = OK(wprim_reduce(first.handle, WPRIM_SUM, WPRIM_F32, numbers, 100'000, &sum));
  const bool calls_host = OK(wprim_stream_call(first.handle, count, &calls));
  wprim_graph* graph = nullptr;
  wprim_status ended = wprim_graph_end(first.handle, &graph);
  if (fills_b && !joined && ended == WPRIM_ERROR_INVALID_ARGUMENT) {
    // Work that has not come back, because there was no memory for the join: a second try.
    if (OK(wprim_event_record(event.handle, second.handle)) &&
        OK(wprim_stream_wait(first.handle, event.handle)))
      ended = wprim_graph_end(first.handle, &graph);
  }
  CHECK((ended == WPRIM_OK) == (graph != nullptr));
  if (ended != WPRIM_OK) {
    ++refused;
    if (ended == WPRIM_ERROR_INVALID_ARGUMENT) return;  // the recording goes with its stream
    CHECK(ended == WPRIM_ERROR_OUT_OF_MEMORY);
    OK(wprim_stream_synchronize(first.handle));  // the recording is over
    return;
  }
  uint64_t length = 0;
  OK(wprim_graph_describe(graph, WPRIM_TEXT, nullptr, 0, &length));
  const bool launched = OK(wprim_graph_launch(graph, second.handle));
  if (calls_host)
    OK(wprim_graph_rebind(graph, uint64_t{fills_a} + fills_b + sums, WPRIM_SLOT_USER, &late_calls));
  CHECK(wprim_graph_destroy(graph) == WPRIM_OK);
  const bool all_done = OK(wprim_stream_synchronize(second.handle));
  if (!launched) return;
  CHECK(a == uint32_t{fills_a});
  CHECK(b == uint32_t{fills_b});
  if (all_done) CHECK(sum == (sums ? 100'000 : 0));
  CHECK(calls == int{calls_host});  // also behind a node that ran out of memory
  CHECK(late_calls == 0);
}

// A callback's failure is told, or that there was no memory for it.
void failing_callbacks() {
  const Context context;
  const Stream stream(context);
  if (!stream.handle) return;
  int counter = 0;
  const bool failing =
      OK(wprim_stream_call(stream.handle, [](void*) { return WPRIM_ERROR_DEVICE; }, nullptr));
  const bool counting = OK(wprim_stream_call(stream.handle, count, &counter));
  GIVES(wprim_stream_synchronize(stream.handle), failing ? WPRIM_ERROR_CALLBACK : WPRIM_OK);
  if (counting) CHECK(counter == 1);
  OK(wprim_stream_synchronize(stream.handle));
}

// Refusals need memory for their texts.
void refusals() {
  GIVES(wprim_device_count(WPRIM_CPU, nullptr), WPRIM_ERROR_INVALID_ARGUMENT);
  GIVES(wprim_set_log(static_cast<wprim_log_level>(9), nullptr, nullptr), WPRIM_ERROR_INVALID_ARGUMENT);
  GIVES(wprim_stream_synchronize(nullptr), WPRIM_ERROR_INVALID_HANDLE);
  GIVES(wprim_event_destroy(reinterpret_cast<wprim_event*>(8)), WPRIM_ERROR_INVALID_HANDLE);
  wprim_context* none = nullptr;
  GIVES(wprim_context_create(WPRIM_CPU, 5, &none), WPRIM_ERROR_NO_DEVICE);
  const Context context;
  const Stream stream(context);
  if (!stream.handle) return;
  float out = 0;
  GIVES(wprim_reduce(stream.handle, WPRIM_AND, WPRIM_F32, numbers, 1, &out), WPRIM_ERROR_UNSUPPORTED);
  GIVES(wprim_reduce(stream.handle, WPRIM_SUM, WPRIM_F32, nullptr, 1, &out), WPRIM_ERROR_INVALID_ARGUMENT);
  GIVES(wprim_free(stream.handle, &out), WPRIM_ERROR_INVALID_ARGUMENT);
  OK(wprim_stream_synchronize(stream.handle));
  CHECK(out == 0);
}

void logging() {
  int lines = 0;
  OK(wprim_set_log(
      WPRIM_LOG_DEBUG, [](wprim_log_level, const char*, void* user) { ++*static_cast<int*>(user); }, &lines));
  reduces(1000, false, 1);
  OK(wprim_set_log(WPRIM_LOG_OFF, nullptr, nullptr));
}

struct Scenario {
  const char* name;
  void (*run)();
};
const Scenario scenarios[] = {
    {"objects", objects},
    {"small reduces", small_reduces},
    {"reduces of many chunks", reduces_of_many_chunks},
    {"queued reduces", queued_reduces},
    {"parallel reduces", parallel_reduces},
    {"reduces of every op", reduces_of_every_op},
    {"events", events},
    {"memory", memory},
    {"plans", plans},
    {"graphs", graphs},
    {"failing callbacks", failing_callbacks},
    {"refusals", refusals},
    {"logging", logging},
};

// ---- Attempts.

// What a child process tells its parent.
struct Report {
  bool complete;
  bool failed;  // the allocation in question was reached
  bool told;    // and a call said so
  int complaints;
  int64_t kept;  // allocations that live at the end: what the library keeps for good
};

Report attempt(const Scenario& scenario, int64_t allocation, bool all_after) {
  static auto* report = static_cast<Report*>(
      mmap(nullptr, sizeof(Report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  *report = {};
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    const int64_t before = live_allocations();
    fail_allocation(allocation, all_after);
    scenario.run();
    report->failed = stop_failing();
    report->told = refused > 0;
    // With memory again, everything works.
    refused = 0;
    scenario.run();
    CHECK(refused == 0);
    report->kept = live_allocations() - before;
    report->complaints = complaints;
    report->complete = true;
    std::fflush(stdout);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    report->complete = false;
    std::printf("  the process ended with status %d\n", status);
  }
  return *report;
}

}  // namespace

int main() {
  setenv("WARPPRIM_NUM_THREADS", "3", 1);
  for (float& x : numbers) x = 1;
  int failures = 0;
  for (const Scenario& scenario : scenarios) {
    const int64_t kept = attempt(scenario, INT64_MAX, false).kept;
    int64_t attempts = 0, silent = 0;
    for (bool all_after : {false, true}) {
      for (int64_t allocation = 0;; ++allocation) {
        const Report report = attempt(scenario, allocation, all_after);
        const bool good = report.complete && report.complaints == 0 && report.kept == kept;
        if (!good) {
          std::printf("FAILED: %s, allocation %lld%s: %s, %lld allocations kept, usually %lld\n",
                      scenario.name, static_cast<long long>(allocation), all_after ? " and all after it" : "",
                      report.complete ? "finished" : "did not finish", static_cast<long long>(report.kept),
                      static_cast<long long>(kept));
          ++failures;
        }
        if (report.complete && !report.failed) break;  // nothing was left to fail
        ++attempts;
        silent += report.failed && !report.told;
        if (allocation > 2000 || failures > 20) {
          std::printf("FAILED: %s has no end\n", scenario.name);
          return 1;
        }
      }
    }
    std::printf("%-24s %4lld failing allocations, %lld of them got over without a word\n", scenario.name,
                static_cast<long long>(attempts), static_cast<long long>(silent));
  }
  return failures ? 1 : 0;
}
