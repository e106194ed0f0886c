// A point in a stream. Each record has a Point of its own, so who waits for an earlier record is not confused by a later
// one. A point that nobody looks at any more serves again: recording in steady use allocates nothing.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

#include "core/backend.h"

namespace wprim::cpu {

class Point {
 public:
  void reset() {
    std::lock_guard lock(mutex_);
    reached_ = false;
  }
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

  // A record is two steps, because enqueuing it may fail: a point that is not reached, and from then on it is the last.
  const std::shared_ptr<Point>& next_point();
  void recorded() { point_.swap(next_); }

 private:
  std::shared_ptr<Point> point_;
  std::shared_ptr<Point> next_;  // or the one before the last
};

}  // namespace wprim::cpu
