// A stream on the CPU: a queue, and a thread that empties it. The thread starts with the first work that needs it.
#pragma once

#include <memory>
#include <thread>

#include "core/backend.h"
#include "cpu/event.h"

namespace wprim::cpu {

class CpuContext;
class Queue;

class CpuStream final : public Stream {
 public:
  // The thread of a resident stream spins for work before it sleeps.
  CpuStream(std::shared_ptr<CpuContext> context, bool resident);
  ~CpuStream() override;

 private:
  Status enqueue(const Work& work) override;
  Status enqueue(const Plan& plan) override;
  Status enqueue(Graph& graph) override;
  Status enqueue_record(Event& event) override;
  Status enqueue_wait(Event& event) override;
  Status wait_until_idle() override;
  Status ask() override;
  Status check_may_record() override;

  const bool resident_;
  std::shared_ptr<Queue> queue_;  // shared with the thread, which may outlive the stream to finish its work
};

}  // namespace wprim::cpu
