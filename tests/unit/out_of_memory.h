// What the scenarios of out_of_memory.cpp are written with: checks that take a lack of memory for an answer, and objects.
// Nothing here allocates.
#pragma once

#include <warpprim.h>

#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <mutex>

namespace {

int complaints = 0;
int refused = 0;  // calls that reported OUT_OF_MEMORY

#define CHECK(condition)                                                            \
  do {                                                                              \
    if (!(condition)) {                                                             \
      std::printf("  line %d: %s; %s\n", __LINE__, #condition, wprim_last_error()); \
      ++complaints;                                                                 \
    }                                                                               \
  } while (0)

// A call that gives `expected`, or OUT_OF_MEMORY.
bool gives_at(int line, wprim_status status, wprim_status expected) {
  if (status == expected) return true;
  if (status == WPRIM_ERROR_OUT_OF_MEMORY) {
    ++refused;
    if (std::strstr(wprim_last_error(), "memory") == nullptr) {
      std::printf("  line %d: the text says nothing of memory: %s\n", line, wprim_last_error());
      ++complaints;
    }
  } else {
    std::printf("  line %d: %s: %s\n", line, wprim_status_name(status), wprim_last_error());
    ++complaints;
  }
  return false;
}
#define GIVES(status, expected) gives_at(__LINE__, status, expected)
#define OK(status) gives_at(__LINE__, status, WPRIM_OK)

// Objects that clean up. Destroying never fails, however little memory there is.
struct Context {
  wprim_context* handle = nullptr;
  Context() { CHECK(OK(wprim_context_create(WPRIM_CPU, 0, &handle)) == (handle != nullptr)); }
  ~Context() { CHECK(wprim_context_destroy(handle) == WPRIM_OK); }
};
struct Stream {
  wprim_stream* handle = nullptr;
  explicit Stream(const Context& context, wprim_stream_kind kind = WPRIM_STREAM_LAUNCHED) {
    wprim_stream_desc desc = WPRIM_STREAM_DESC_INIT;
    desc.kind = kind;
    if (context.handle) CHECK(OK(wprim_stream_create(context.handle, &desc, &handle)) == (handle != nullptr));
  }
  ~Stream() { CHECK(wprim_stream_destroy(handle) == WPRIM_OK); }
};
struct Event {
  wprim_event* handle = nullptr;
  explicit Event(const Context& context) {
    if (context.handle) CHECK(OK(wprim_event_create(context.handle, &handle)) == (handle != nullptr));
  }
  ~Event() { CHECK(wprim_event_destroy(handle) == WPRIM_OK); }
};

// Holds a stream up until it is opened.
class Gate {
 public:
  ~Gate() {
    open();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !enqueued_ || left_; });
  }
  bool block(const Stream& stream) { return enqueued_ = OK(wprim_stream_call(stream.handle, run, this)); }
  void open() {
    std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }

 private:
  static wprim_status run(void* user) {
    auto* gate = static_cast<Gate*>(user);
    std::unique_lock lock(gate->mutex_);
    gate->changed_.wait(lock, [&] { return gate->open_; });
    gate->left_ = true;
    gate->changed_.notify_all();
    return WPRIM_OK;
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  bool enqueued_ = false, open_ = false, left_ = false;
};

}  // namespace
