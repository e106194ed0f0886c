#include "cpu/queue.h"

#include <new>
#include <system_error>

#include "cpu/execute.h"

namespace wprim::cpu {
namespace {

bool may_run_at_once(const Queue::Item& item) {
  if (const auto* work = std::get_if<Work>(&item)) return is_short(*work);
  if (const auto* await = std::get_if<Queue::Await>(&item)) return await->point->reached();
  return true;
}

// All but the caller's own code, which is promised a thread of the library.
bool may_run_while_waiting(const Queue::Item& item) {
  const auto* work = std::get_if<Work>(&item);
  return !work || !std::holds_alternative<HostCall>(*work);
}

}  // namespace

Status Queue::push(Item item) {
  std::unique_lock lock(mutex_);
  if (idle() && may_run_at_once(item)) {
    busy_ = true;
    lock.unlock();
    run(item);
    lock.lock();
    busy_ = false;
    return {};  // nobody waits on drained_: a stream is used by one thread at a time
  }
  if (!thread_.joinable()) start_thread();
  items_.push(std::move(item));
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
}

void Queue::run(Item& item) noexcept {
  if (auto* record = std::get_if<Record>(&item)) {
    record->point->reach();
  } else if (auto* await = std::get_if<Await>(&item)) {
    await->point->wait();
  } else {
    try {
      Status status = execute(*context_, workspace_, std::get<Work>(item));
      if (!status.ok()) keep_error(std::move(status));
    } catch (const std::bad_alloc&) {
      keep_error(Status::literal(WPRIM_ERROR_OUT_OF_MEMORY, "work enqueued earlier ran out of host memory"));
    } catch (...) {
      keep_error(Status::literal(WPRIM_ERROR_INTERNAL, "work enqueued earlier threw an exception"));
    }
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
