#include "cpu/stream.h"

#include "cpu/context.h"
#include "cpu/plan.h"
#include "cpu/queue.h"

namespace wprim::cpu {

CpuStream::CpuStream(std::shared_ptr<CpuContext> context, bool resident)
    : Stream(context), resident_(resident), queue_(std::make_shared<Queue>(std::move(context), resident)) {}

CpuStream::~CpuStream() { queue_->close(); }

Status CpuStream::enqueue(const Work& work) { return queue_->push(work); }

Status CpuStream::enqueue(const Plan& plan) { return queue_->push(plan.work()); }

Status CpuStream::enqueue(Graph& graph) { return queue_->push(static_cast<CpuGraph&>(graph).program()); }

Status CpuStream::check_may_record() {
  return resident_ ? fail(WPRIM_ERROR_UNSUPPORTED, "stream is resident: record on another, and launch here")
                   : Status();
}

Status CpuStream::enqueue_record(Event& event) {
  auto& cpu_event = static_cast<CpuEvent&>(event);
  WPRIM_TRY(queue_->push(Queue::Record{cpu_event.next_point()}));
  cpu_event.recorded();
  return {};
}

Status CpuStream::enqueue_wait(Event& event) {
  const auto& point = static_cast<CpuEvent&>(event).point();
  return point ? queue_->push(Queue::Await{point}) : Status();
}

Status CpuStream::wait_until_idle() { return queue_->synchronize(); }

Status CpuStream::ask() { return queue_->query(); }

}  // namespace wprim::cpu
