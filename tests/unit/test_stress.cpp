// Many host threads at once: own streams, shared contexts, events from stream to stream. Results are checked
// against ones computed beforehand; a thread sanitizer watches the rest.
#include <condition_variable>
#include <deque>
#include <memory>
#include <thread>

#include "support.h"

namespace wprim::test {
namespace {

constexpr int kThreads = 64;
constexpr int kRepeats = kSanitized ? 20 : 200;

// A reduce and what comes out of it.
struct Task {
  wprim_op op;
  wprim_dtype dtype;
  const unsigned char* in;
  uint64_t n;
  uint64_t expected;  // the bits
};

uint64_t run(wprim_stream* stream, const Task& task, uint64_t* out) {
  *out = 0;
  EXPECT_OK(wprim_reduce(stream, task.op, task.dtype, task.in, task.n, out));
  return task.expected;
}

class Tasks {
 public:
  Tasks() {
    const Context context;
    const Stream stream(context);
    std::mt19937_64 random(1);
    const std::pair<wprim_op, wprim_dtype> kinds[] = {
        {WPRIM_SUM, WPRIM_F32},       {WPRIM_SUM, WPRIM_U8},     {WPRIM_VAR, WPRIM_F64},
        {WPRIM_LOGSUMEXP, WPRIM_F32}, {WPRIM_ARGMAX, WPRIM_I16}, {WPRIM_COUNT_NONZERO, WPRIM_BOOL},
        {WPRIM_L2, WPRIM_F16},        {WPRIM_XOR, WPRIM_U32},    {WPRIM_MEAN, WPRIM_BF16},
        {WPRIM_PROD, WPRIM_I64},      {WPRIM_MIN, WPRIM_F64},    {WPRIM_ALL, WPRIM_I8}};
    for (int i = 0; i < 120; ++i) {
      const auto [op, dtype] = kinds[i % std::size(kinds)];
      // Most are small; some keep the stream's thread busy; some are for several threads.
      const uint64_t most = i % 10 == 0 ? 1'200'000 : i % 10 == 1 ? 600'000 : 20'000;
      const uint64_t n = random() % (most / wprim_dtype_size(dtype));
      const uint64_t offset = random() % 64 * 8;
      tasks_.push_back({op, dtype, data_.data() + offset, n, 0});
      uint64_t out;
      run(stream, tasks_.back(), &out);
      EXPECT_OK(wprim_stream_synchronize(stream));
      tasks_.back().expected = out;
    }
  }
  const Task& pick(std::mt19937_64& random) const { return tasks_[random() % tasks_.size()]; }

 private:
  const std::vector<unsigned char> data_ = random_bytes(1'300'000, 3);
  std::vector<Task> tasks_;
};

const Tasks& tasks() {
  static const Tasks all;
  return all;
}

template <class F>
void on_threads(F f) {
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) threads.emplace_back([t, &f] { f(t); });
  for (std::thread& thread : threads) thread.join();
}

// Some reduces in a row on a stream, with the odd callback and wait between.
void use_stream(wprim_stream* stream, std::mt19937_64& random, int repeats) {
  for (int done = 0; done < repeats;) {
    uint64_t out[8], expected[8];
    const int count = 1 + static_cast<int>(random() % 8);
    int calls = 0, called = 0;
    for (int i = 0; i < count; ++i) {
      if (random() % 4 == 0) {
        EXPECT_OK(wprim_stream_call(stream, count_up, &called));
        ++calls;
      }
      expected[i] = run(stream, tasks().pick(random), &out[i]);
    }
    if (random() % 2) {
      wprim_status status;
      while ((status = wprim_stream_query(stream)) == WPRIM_NOT_READY) std::this_thread::yield();
      EXPECT_EQ(status, WPRIM_OK);
    } else {
      EXPECT_OK(wprim_stream_synchronize(stream));
    }
    for (int i = 0; i < count; ++i) EXPECT_EQ(out[i], expected[i]);
    EXPECT_EQ(called, calls);
    done += count;
  }
}

TEST(Stress, OneContextManyStreams) {
  tasks();
  const Environment threads("WARPPRIM_NUM_THREADS", "4");
  const Context context;
  on_threads([&](int t) {
    std::mt19937_64 random(t);
    const Stream stream(context);
    use_stream(stream, random, kRepeats);
  });
}

TEST(Stress, OneContextManyShortLivedStreams) {
  tasks();
  const Context context;
  on_threads([&](int t) {
    std::mt19937_64 random(t);
    for (int i = 0; i < kRepeats / 10; ++i) {
      const Stream stream(context);
      use_stream(stream, random, 5);
    }
  });
}

TEST(Stress, AContextAThread) {
  tasks();
  on_threads([&](int t) {
    std::mt19937_64 random(t);
    for (int i = 0; i < 4; ++i) {
      const Context context;
      const Stream stream(context);
      use_stream(stream, random, kRepeats / 10);
    }
  });
}

// What a thread hands to the next one.
struct Parcel {
  wprim_event* event;
  std::shared_ptr<std::vector<uint32_t>> data;
  uint32_t value;
};
class Mailbox {
 public:
  void put(Parcel parcel) {
    std::lock_guard lock(mutex_);
    parcels_.push_back(std::move(parcel));
    arrived_.notify_one();
  }
  Parcel take() {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [&] { return !parcels_.empty(); });
    Parcel parcel = std::move(parcels_.front());
    parcels_.pop_front();
    return parcel;
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Parcel> parcels_;
};

// Each thread fills arrays on its stream and hands them on with an event; its neighbour sums them up behind
// the event.
TEST(Stress, EventsFromThreadToThread) {
  const Context context;
  std::vector<Mailbox> mail(kThreads);
  on_threads([&](int t) {
    std::mt19937_64 random(t);
    const Stream stream(context);
    for (int i = 0; i < kRepeats / 4; ++i) {
      const auto value = static_cast<uint32_t>(random());
      const uint64_t n = random() % 20 == 0 ? 200'000 : 1 + random() % 2000;
      Parcel parcel{nullptr, std::make_shared<std::vector<uint32_t>>(n), value};
      EXPECT_OK(wprim_event_create(context, &parcel.event));
      int called = 0;
      const bool queued = random() % 2;
      if (queued) {
        EXPECT_OK(wprim_stream_call(stream, count_up, &called));
      }
      EXPECT_OK(wprim_fill(stream, WPRIM_U32, parcel.data->data(), n, &value));
      EXPECT_OK(wprim_event_record(parcel.event, stream));
      mail[(t + 1) % kThreads].put(std::move(parcel));

      const Parcel got = mail[t].take();
      uint64_t sum = 0;
      EXPECT_OK(wprim_stream_wait(stream, got.event));
      if (random() % 2) {
        EXPECT_OK(wprim_event_synchronize(got.event));
      }
      EXPECT_OK(wprim_event_destroy(got.event));  // the wait holds
      EXPECT_OK(wprim_reduce(stream, WPRIM_SUM, WPRIM_U32, got.data->data(), got.data->size(), &sum));
      EXPECT_OK(wprim_stream_synchronize(stream));
      EXPECT_EQ(sum, got.data->size() * uint64_t{got.value});
      EXPECT_EQ(called, queued);
    }
  });
}

}  // namespace
}  // namespace wprim::test
