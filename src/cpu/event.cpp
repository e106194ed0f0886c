#include "cpu/event.h"

#include "cpu/fp_environment.h"

namespace wprim::cpu {

const std::shared_ptr<Point>& CpuEvent::next_point() {
  if (next_.use_count() == 1) {
    next_->reset();
  } else {
    next_ = std::make_shared<Point>();
  }
  return next_;
}

Status CpuEvent::synchronize() {
  if (point_) point_->wait();
  return {};
}

Status CpuEvent::query() { return !point_ || point_->reached() ? Status() : Status::not_ready(); }

Status CpuEvent::elapsed(Event& end, float* milliseconds) {
  const auto& to = static_cast<CpuEvent&>(end).point_;
  if (!point_) return invalid("start has not recorded");
  if (!to) return invalid("end has not recorded");
  if (!point_->reached() || !to->reached()) return Status::not_ready();
  const FpEnvironment environment;
  *milliseconds = std::chrono::duration<float, std::milli>(to->time() - point_->time()).count();
  return {};
}

}  // namespace wprim::cpu
