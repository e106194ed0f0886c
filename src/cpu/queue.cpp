#include "cpu/queue.h"

#include <new>
#include <system_error>

#include "cpu/execute.h"

namespace wprim::cpu {
namespace {

bool may_run_at_once(const Queue::Item& item) {
  if (const auto* work = std::get_if<Work>(&item)) return is_short(*work);
  if (const auto* await = std::get_if<Queue::Await>(&item)) return await->point->reached();
  if (const auto* program = std::get_if<std::shared_ptr<const Program>>(&item)) return (*program)->is_short;
  return true;
}

// All but the caller's own code, which is promised a thread of the library.
bool may_run_while_waiting(const Queue::Item& item) {
  if (const auto* program = std::get_if<std::shared_ptr<const Program>>(&item))
    return !(*program)->calls_host;
  const auto* work = std::get_if<Work>(&item);
  return !work || !std::holds_alternative<HostCall>(*work);
}

}  // namespace

Queue::Queue(std::shared_ptr<CpuContext> context, bool resident)
    : context_(std::move(context)), resident_(resident) {}

Status Queue::push(Item item) {
  std::unique_lock lock(mutex_);
  if (!resident_ && idle() && may_run_at_once(item)) {
    busy_ = true;
    lock.unlock();
    run(item);
    lock.lock();
    busy_ = false;
    return {};  // nobody waits on drained_: a stream is used by one thread at a time
  }
  if (!thread_.joinable()) start_thread();
  items_.push(std::move(item));
  pushed_.fetch_add(1, std::memory_order_release);
  lock.unlock();
  wake_.notify_one();
  return {};
}

void Queue::start_thread() {
  try {
    thread_ = std::thread([self = shared_from_this()] { self->run_thread(); });
  } catch (const std::system_error&) {
    throw std::bad_alloc();  // the system has no room for another thread
  }
}

void Queue::run_thread() {
  std::unique_lock lock(mutex_);
  for (;;) {
    const uint64_t seen = pushed_.load(std::memory_order_relaxed);
    if (items_.empty()) spin_until(lock, [&] { return pushed_.load(std::memory_order_acquire) != seen; });
    wake_.wait(lock, [&] { return !busy_ && (!items_.empty() || closed_); });
    if (items_.empty()) return;
    run_front(lock);
    if (items_.empty()) drained_.notify_all();
  }
}

// The lock is held on entry and exit, and given up in between.
void Queue::run_front(std::unique_lock<std::mutex>& lock) {
  {
    Item item = items_.pop();
    busy_ = true;
    lock.unlock();
    run(item);
  }  // what the item held is gone before anybody learns that it is done
  lock.lock();
  busy_ = false;
  done_.fetch_add(1, std::memory_order_release);
}

// Of a resident queue: gives the lock up, and looks for the condition, for as long as its context says.
template <class Condition>
void Queue::spin_until(std::unique_lock<std::mutex>& lock, const Condition& condition) const {
  if (!resident_) return;
  lock.unlock();
  const auto until = std::chrono::steady_clock::now() + context_->resident_idle();
  while (!condition() && std::chrono::steady_clock::now() < until) {
  }
  lock.lock();
}

void Queue::run_work(const Work& work) noexcept {
  try {
    Status status = execute(*context_, workspace_, work);
    if (!status.ok()) keep_error(std::move(status));
  } catch (const std::bad_alloc&) {
    keep_error(Status::literal(WPRIM_ERROR_OUT_OF_MEMORY, "work enqueued earlier ran out of host memory"));
  } catch (...) {
    keep_error(Status::literal(WPRIM_ERROR_INTERNAL, "work enqueued earlier threw an exception"));
  }
}

void Queue::run(Item& item) noexcept {
  if (auto* record = std::get_if<Record>(&item)) {
    record->point->reach();
  } else if (auto* await = std::get_if<Await>(&item)) {
    await->point->wait();
  } else if (auto* work = std::get_if<Work>(&item)) {
    run_work(*work);
  } else {
    const Program& program = *std::get<std::shared_ptr<const Program>>(item);
    const std::lock_guard turn(*program.turn);
    for (const Work& each : program.work) run_work(each);
  }
}

void Queue::keep_error(Status status) noexcept {
  std::lock_guard lock(mutex_);
  if (late_error_.ok()) late_error_ = std::move(status);
}

Status Queue::synchronize() {
  std::unique_lock lock(mutex_);
  if (std::this_thread::get_id() == thread_.get_id()) {
    return invalid("stream is waited for by its own host callback, which would never end");
  }
  const uint64_t all = pushed_.load(std::memory_order_relaxed);
  if (!idle()) spin_until(lock, [&] { return done_.load(std::memory_order_acquire) == all; });
  while (!busy_ && !items_.empty() && may_run_while_waiting(items_.front())) run_front(lock);
  if (!busy_ && !items_.empty()) wake_.notify_one();  // the thread may have looked while this one was busy
  drained_.wait(lock, [&] { return idle(); });
  return std::exchange(late_error_, Status());
}

Status Queue::query() {
  std::lock_guard lock(mutex_);
  if (!idle()) return Status::not_ready();
  return std::exchange(late_error_, Status());
}

void Queue::close() {
  std::unique_lock lock(mutex_);
  closed_ = true;
  pushed_.fetch_add(1, std::memory_order_release);  // ends the spinning
  const bool unused = idle();
  lock.unlock();
  wake_.notify_one();
  if (!thread_.joinable()) return;
  // An idle thread ends at once, and is waited for so that nothing of the stream is left; a busy one ends by itself.
  if (unused) {
    thread_.join();
  } else {
    thread_.detach();
  }
}

}  // namespace wprim::cpu
