// What the tests of the C interface share: objects that clean up after themselves, a callback that blocks its
// stream, and readable failures.
#pragma once

#include <gtest/gtest.h>
#include <warpprim.h>

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <ostream>
#include <random>
#include <string>
#include <utility>
#include <vector>

inline void PrintTo(wprim_status status, std::ostream* out) { *out << wprim_status_name(status); }

// A call that must succeed; on failure the test shows the library's text.
#define EXPECT_OK(call) EXPECT_EQ(call, WPRIM_OK) << wprim_last_error()
#define ASSERT_OK(call) ASSERT_EQ(call, WPRIM_OK) << wprim_last_error()

namespace wprim::test {

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSanitized = true;  // code runs several times slower
#else
inline constexpr bool kSanitized = false;
#endif

// A CPU context, a stream, an event, a plan, a graph, for the time of a scope. drop() gives the handle up earlier.
class Context {
 public:
  Context() { EXPECT_OK(wprim_context_create(WPRIM_CPU, 0, &handle_)); }
  ~Context() { drop(); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  operator wprim_context*() const { return handle_; }
  void drop() { EXPECT_OK(wprim_context_destroy(std::exchange(handle_, nullptr))); }

 private:
  wprim_context* handle_ = nullptr;
};

class Stream {
 public:
  explicit Stream(wprim_context* context, wprim_stream_kind kind = WPRIM_STREAM_LAUNCHED) {
    wprim_stream_desc desc = WPRIM_STREAM_DESC_INIT;
    desc.kind = kind;
    EXPECT_OK(wprim_stream_create(context, &desc, &handle_));
  }
  ~Stream() { drop(); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  operator wprim_stream*() const { return handle_; }
  void drop() { EXPECT_OK(wprim_stream_destroy(std::exchange(handle_, nullptr))); }

 private:
  wprim_stream* handle_ = nullptr;
};

class Event {
 public:
  explicit Event(wprim_context* context) { EXPECT_OK(wprim_event_create(context, &handle_)); }
  ~Event() { drop(); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  operator wprim_event*() const { return handle_; }
  void drop() { EXPECT_OK(wprim_event_destroy(std::exchange(handle_, nullptr))); }

 private:
  wprim_event* handle_ = nullptr;
};

class Plan {
 public:
  Plan(wprim_context* context, const wprim_reduce_desc& desc) {
    EXPECT_OK(wprim_plan_reduce(context, &desc, &handle_));
  }
  ~Plan() { drop(); }
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;
  operator wprim_plan*() const { return handle_; }
  void drop() { EXPECT_OK(wprim_plan_destroy(std::exchange(handle_, nullptr))); }

 private:
  wprim_plan* handle_ = nullptr;
};

class Graph {
 public:
  // What `record` calls on the stream.
  template <class F>
  Graph(wprim_stream* stream, const F& record) {
    EXPECT_OK(wprim_graph_begin(stream));
    record();
    EXPECT_OK(wprim_graph_end(stream, &handle_));
  }
  ~Graph() { drop(); }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  operator wprim_graph*() const { return handle_; }
  void drop() { EXPECT_OK(wprim_graph_destroy(std::exchange(handle_, nullptr))); }

 private:
  wprim_graph* handle_ = nullptr;
};

// The desc of a reduce of one row.
inline wprim_reduce_desc describe_reduce(wprim_op op, wprim_dtype dtype, const void* in, uint64_t n,
                                         void* out) {
  wprim_reduce_desc desc = WPRIM_REDUCE_DESC_INIT;
  desc.op = op;
  desc.dtype = dtype;
  desc.in = in;
  desc.cols = n;
  desc.out = out;
  return desc;
}

// A callback that holds its stream up until the gate opens. One gate blocks one stream once.
class Gate {
 public:
  Gate() = default;
  ~Gate() {
    open();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !enqueued_ || left_; });
  }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  void block(wprim_stream* stream, wprim_status result = WPRIM_OK) {
    result_ = result;
    enqueued_ = true;
    EXPECT_OK(wprim_stream_call(stream, run, this));
  }
  // Until the stream has come to the callback.
  void wait_entered() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return entered_; });
  }
  void open() {
    std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }

 private:
  static wprim_status run(void* user) {
    auto* gate = static_cast<Gate*>(user);
    std::unique_lock lock(gate->mutex_);
    gate->entered_ = true;
    gate->changed_.notify_all();
    gate->changed_.wait(lock, [&] { return gate->open_; });
    gate->left_ = true;
    gate->changed_.notify_all();
    return gate->result_;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  wprim_status result_ = WPRIM_OK;
  bool enqueued_ = false, entered_ = false, open_ = false, left_ = false;
};

// A callback that adds one to a counter, and one that only fails.
inline wprim_status count_up(void* counter) {
  ++*static_cast<int*>(counter);
  return WPRIM_OK;
}
inline wprim_status fail_always(void*) { return WPRIM_ERROR_DEVICE; }

// Bytes that have everything in them: any bits, which are NaNs and subnormals too.
inline std::vector<unsigned char> random_bytes(size_t size, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<unsigned char> bytes(size);
  for (size_t i = 0; i < size; i += 8) {
    const uint64_t word = random();
    std::memcpy(bytes.data() + i, &word, std::min<size_t>(8, size - i));
  }
  return bytes;
}

// An environment variable, for the time of a scope. Only while no other thread of the test runs.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) { setenv(name, value.c_str(), 1); }
  ~Environment() { unsetenv(name_); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* const name_;
};

inline bool last_error_has(const std::string& part) {
  return std::string(wprim_last_error()).find(part) != std::string::npos;
}

}  // namespace wprim::test
