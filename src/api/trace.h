// Ranges for a profiler that listens through NVTX, such as Nsight Systems: one for each call that enqueues work, of the
// domain "warpprim", named by op and shape. When nobody listens, a load and a branch.
#pragma once

#include "core/backend.h"

#if WARPPRIM_NVTX
#include <atomic>
#endif

namespace wprim::api {

#if WARPPRIM_NVTX

// Whether a profiler listens. Starts at "not known yet" (-1).
extern std::atomic<int> trace_wanted;
int look_for_profiler();

class TraceRange {
 public:
  template <class W>
  explicit TraceRange(const W& work) : open_(is_wanted()) {
    if (open_) push(work);
  }
  ~TraceRange() {
    if (open_) pop();
  }
  TraceRange(const TraceRange&) = delete;
  TraceRange& operator=(const TraceRange&) = delete;

 private:
  static bool is_wanted() {
    const int wanted = trace_wanted.load(std::memory_order_relaxed);
    return (wanted < 0 ? look_for_profiler() : wanted) != 0;
  }
  static void push(const Reduce& reduce);
  static void push(const Copy& copy);
  static void push(const Fill& fill);
  static void push(const HostCall& call);
  static void push(const Release& release);
  static void push(const Plan& plan);
  static void push(const Graph& graph);
  static void pop();

  const bool open_;
};

#else

struct TraceRange {
  template <class W>
  explicit TraceRange(const W&) {}
};

#endif

// The way from the interface down to a backend.
template <class W>
Status submit(Stream& stream, const W& work) {
  const TraceRange range(work);
  return stream.submit(work);
}

// The same for what was made ready before: a plan or a graph.
template <class Prepared>
Status launch(Stream& stream, Prepared& prepared) {
  const TraceRange range(prepared);
  return stream.launch(prepared);
}

}  // namespace wprim::api
