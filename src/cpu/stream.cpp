#include "cpu/stream.h"

#include "cpu/context.h"
#include "cpu/queue.h"

namespace wprim::cpu {

CpuStream::CpuStream(std::shared_ptr<CpuContext> context)
    : Stream(context), queue_(std::make_shared<Queue>(std::move(context))) {}

CpuStream::~CpuStream() { queue_->close(); }

Status CpuStream::submit(const Work& work) { return queue_->push(work); }

Status CpuStream::record(Event& event) {
  auto& cpu_event = static_cast<CpuEvent&>(event);
  WPRIM_TRY(queue_->push(Queue::Record{cpu_event.next_point()}));
  cpu_event.recorded();
  return {};
}

Status CpuStream::wait(Event& event) {
  const auto& point = static_cast<CpuEvent&>(event).point();
  return point ? queue_->push(Queue::Await{point}) : Status();
}

Status CpuStream::synchronize() { return queue_->synchronize(); }

Status CpuStream::query() { return queue_->query(); }

}  // namespace wprim::cpu
