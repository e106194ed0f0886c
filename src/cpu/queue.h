// What a stream and its thread share.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <variant>

#include "core/work.h"
#include "cpu/context.h"
#include "cpu/event.h"
#include "cpu/plan.h"
#include "cpu/ring.h"
#include "cpu/workspace.h"

namespace wprim::cpu {

class Queue : public std::enable_shared_from_this<Queue> {
 public:
  // The thread of a resident queue spins for a while before it sleeps, and so does who waits for it.
  Queue(std::shared_ptr<CpuContext> context, bool resident);

  // Reaching a point, or waiting for one of another stream.
  struct Record {
    std::shared_ptr<Point> point;
  };
  struct Await {
    std::shared_ptr<Point> point;
  };
  using Item = std::variant<std::monostate, Work, Record, Await, std::shared_ptr<const Program>>;

  // Enqueues, or does it at once if it is short and nothing is before it. Throws bad_alloc with nothing enqueued.
  Status push(Item item);

  // The waiting thread does what nobody has begun: waking another for it would take longer.
  Status synchronize();
  Status query();

  // No more work will come. Returns at once; the thread finishes what is there.
  void close();

 private:
  void start_thread();
  void run_thread();
  void run_front(std::unique_lock<std::mutex>& lock);
  void run(Item& item) noexcept;
  void run_work(const Work& work) noexcept;
  template <class Condition>
  void spin_until(std::unique_lock<std::mutex>& lock, const Condition& condition) const;
  void keep_error(Status status) noexcept;
  bool idle() const { return items_.empty() && !busy_; }

  const std::shared_ptr<CpuContext> context_;
  const bool resident_;
  Workspace workspace_;  // of whoever runs an item: one at a time

  std::mutex mutex_;
  std::condition_variable wake_;  // for the thread: there is an item that nobody runs, or no more will come
  std::condition_variable drained_;  // for synchronize: idle
  Ring<Item> items_;
  bool busy_ = false;  // an item is being run, by the thread, by push or by synchronize
  bool closed_ = false;
  Status late_error_;  // the first since it was last reported
  std::thread thread_;

  // For those who spin, without the lock.
  std::atomic<uint64_t> pushed_{0};
  std::atomic<uint64_t> done_{0};
};

}  // namespace wprim::cpu
