// A call of a host function as CUDA makes it, and the errors of such calls.
#pragma once

#include <memory>
#include <mutex>
#include <utility>

#include "core/status.h"
#include "core/work.h"

namespace wprim::cuda {

// The first error of a host callback since it was last reported; shared with callbacks in flight.
class LateError {
 public:
  void keep(Status status) {
    std::lock_guard lock(mutex_);
    if (first_.ok()) first_ = std::move(status);
  }
  Status take() {
    std::lock_guard lock(mutex_);
    return std::exchange(first_, Status());
  }

 private:
  std::mutex mutex_;
  Status first_;
};

struct CallRecord {
  HostCall call;
  std::shared_ptr<LateError> late_error;
};

// For CUDA, with a CallRecord: calls, and keeps its error. The first deletes the record, the other leaves it to a graph, which
// calls again.
void call_once(void* record);
void call_again(void* record);

}  // namespace wprim::cuda
