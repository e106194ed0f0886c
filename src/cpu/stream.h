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
  explicit CpuStream(std::shared_ptr<CpuContext> context);
  ~CpuStream() override;

  Status submit(const Work& work) override;
  Status record(Event& event) override;
  Status wait(Event& event) override;
  Status synchronize() override;
  Status query() override;

 private:
  std::shared_ptr<Queue> queue_;  // shared with the thread, which may outlive the stream to finish its work
};

}  // namespace wprim::cpu
