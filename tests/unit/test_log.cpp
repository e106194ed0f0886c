// The log: levels, callbacks, and silence otherwise.
#include <atomic>
#include <mutex>
#include <thread>

#include "support.h"

namespace wprim::test {
namespace {

// Collects what is logged, for the time of a scope.
class Log {
 public:
  explicit Log(wprim_log_level level) { EXPECT_OK(wprim_set_log(level, receive, this)); }
  ~Log() { EXPECT_OK(wprim_set_log(WPRIM_LOG_OFF, nullptr, nullptr)); }

  std::vector<std::pair<wprim_log_level, std::string>> lines() {
    std::lock_guard lock(mutex_);
    return lines_;
  }
  size_t count(wprim_log_level level) {
    std::lock_guard lock(mutex_);
    return static_cast<size_t>(
        std::count_if(lines_.begin(), lines_.end(), [&](auto& l) { return l.first == level; }));
  }

 private:
  static void receive(wprim_log_level level, const char* line, void* user) {
    auto* log = static_cast<Log*>(user);
    std::lock_guard lock(log->mutex_);
    log->lines_.emplace_back(level, line);
  }
  std::mutex mutex_;
  std::vector<std::pair<wprim_log_level, std::string>> lines_;
};

void use_the_library() {
  const Environment nonsense("WARPPRIM_NUM_THREADS", "many");  // a reason to warn
  const Context context;
  const Stream stream(context);
  const float x[3] = {1, 2, 3};
  float sum = 0;
  EXPECT_OK(wprim_reduce(stream, WPRIM_SUM, WPRIM_F32, x, 3, &sum));
  EXPECT_OK(wprim_stream_synchronize(stream));
}

TEST(Log, EachLevelHasThoseBelow) {
  size_t warnings[4], infos[4], debugs[4];
  for (int level = WPRIM_LOG_OFF; level <= WPRIM_LOG_DEBUG; ++level) {
    Log log(static_cast<wprim_log_level>(level));
    use_the_library();
    warnings[level] = log.count(WPRIM_LOG_WARN);
    infos[level] = log.count(WPRIM_LOG_INFO);
    debugs[level] = log.count(WPRIM_LOG_DEBUG);
  }
  EXPECT_EQ(warnings[WPRIM_LOG_OFF] + infos[WPRIM_LOG_OFF] + debugs[WPRIM_LOG_OFF], 0u);
  EXPECT_EQ(warnings[WPRIM_LOG_WARN], 1u);
  EXPECT_EQ(infos[WPRIM_LOG_WARN] + debugs[WPRIM_LOG_WARN], 0u);
  EXPECT_EQ(warnings[WPRIM_LOG_INFO], 1u);
  EXPECT_GE(infos[WPRIM_LOG_INFO], 1u);
  EXPECT_EQ(debugs[WPRIM_LOG_INFO], 0u);
  EXPECT_EQ(warnings[WPRIM_LOG_DEBUG], 1u);
  EXPECT_EQ(infos[WPRIM_LOG_DEBUG], infos[WPRIM_LOG_INFO]);
  EXPECT_GE(debugs[WPRIM_LOG_DEBUG], 1u);
}

TEST(Log, LinesAreLines) {
  Log log(WPRIM_LOG_DEBUG);
  use_the_library();
  for (const auto& [level, line] : log.lines()) {
    EXPECT_FALSE(line.empty());
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
  }
}

TEST(Log, NullGoesToStderr) {
  EXPECT_OK(wprim_set_log(WPRIM_LOG_INFO, nullptr, nullptr));
  testing::internal::CaptureStderr();
  use_the_library();
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_OK(wprim_set_log(WPRIM_LOG_OFF, nullptr, nullptr));
  EXPECT_NE(text.find("warpprim warn: "), std::string::npos) << text;
  EXPECT_NE(text.find("warpprim info: "), std::string::npos) << text;
  EXPECT_EQ(text.find("warpprim debug: "), std::string::npos) << text;
}

TEST(Log, SilentUnlessAsked) {
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  use_the_library();
  EXPECT_EQ(testing::internal::GetCapturedStderr() + testing::internal::GetCapturedStdout(), "");
}

TEST(Log, UnknownLevels) {
  Log log(WPRIM_LOG_WARN);
  for (int level : {-1, 4, 100}) {
    EXPECT_EQ(wprim_set_log(static_cast<wprim_log_level>(level), nullptr, nullptr),
              WPRIM_ERROR_INVALID_ARGUMENT);
  }
  use_the_library();
  EXPECT_EQ(log.count(WPRIM_LOG_WARN), 1u) << "a refused call changes nothing";
}

// After wprim_set_log returned, the former callback runs no more, and switching off is not followed by a line
// on stderr of a thread that had just looked.
TEST(Log, SwitchedWhileOthersLog) {
  struct Sink {
    std::atomic<bool> alive = true;
    std::atomic<int> lines = 0;
    std::atomic<bool> late = false;
  };
  testing::internal::CaptureStderr();
  std::atomic<bool> stop = false;
  std::vector<std::thread> threads;
  const Context context;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      const Stream stream(context);
      const float x = 1;
      float sum;
      while (!stop) EXPECT_OK(wprim_reduce(stream, WPRIM_SUM, WPRIM_F32, &x, 1, &sum));
    });
  }
  int lines = 0;
  for (int i = 0; i < 300; ++i) {
    Sink sink;
    EXPECT_OK(wprim_set_log(
        WPRIM_LOG_DEBUG,
        [](wprim_log_level, const char*, void* user) {
          auto* s = static_cast<Sink*>(user);
          if (!s->alive) s->late = true;
          ++s->lines;
        },
        &sink));
    while (i % 100 == 0 && sink.lines == 0) std::this_thread::yield();
    EXPECT_OK(wprim_set_log(WPRIM_LOG_OFF, nullptr, nullptr));
    sink.alive = false;
    std::this_thread::yield();
    EXPECT_FALSE(sink.late);
    lines += sink.lines;
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_GT(lines, 0);
}

}  // namespace
}  // namespace wprim::test
