// A point in a stream. Each record makes a new Point, so who waits
// for an earlier record is not confused by a later one.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

#include "core/backend.h"

namespace wprim::cpu {

class Point {
 public:
  void reach() {
    {
      std::lock_guard lock(mutex_);
      time_ = std::chrono::steady_clock::now();
      reached_ = true;
    }
    changed_.notify_all();
  }
  bool reached() const {
    std::lock_guard lock(mutex_);
    return reached_;
  }
  void wait() const {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return reached_; });
  }
  std::chrono::steady_clock::time_point time() const {
    std::lock_guard lock(mutex_);
    return time_;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  bool reached_ = false;
  std::chrono::steady_clock::time_point time_;
};

class CpuEvent final : public Event {
 public:
  using Event::Event;

  Status synchronize() override;
  Status query() override;
  Status elapsed(Event& end, float* milliseconds) override;

  // The last record, or nullptr. The event is used by one thread at a time, the point by all.
  const std::shared_ptr<Point>& point() const { return point_; }
  void set_point(std::shared_ptr<Point> point) { point_ = std::move(point); }

 private:
  std::shared_ptr<Point> point_;
};

}  // namespace wprim::cpu
