// The threads of a context: oneTBB in an arena of our own, so that neither the host program's TBB settings nor its
// tasks reach ours.
#pragma once

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <cstdint>
#include <memory>

#include "core/function_ref.h"

namespace wprim::cpu {

class Team {
 public:
  explicit Team(int threads);

  int threads() const { return threads_; }

  // Calls body(begin, end) over [0, n) in ranges of about `grain`, with IEEE floating-point settings. All of it on this
  // thread if `parallel` is false, or there is one range or one thread. The body's results must not depend on the ranges.
  void run(uint64_t n, uint64_t grain, bool parallel, FunctionRef<void(uint64_t, uint64_t)> body);

 private:
  const int threads_;
  const std::unique_ptr<tbb::global_control> raised_limit_;  // mostly null
  tbb::task_arena arena_;                                    // starts its threads at first use
};

}  // namespace wprim::cpu
