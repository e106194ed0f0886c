#include "core/log.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <shared_mutex>

namespace wprim {

std::atomic<int> log_wanted{-1};

namespace {

// Readers (events) share the lock, so set_log returns only when no thread is inside the former callback.
std::shared_mutex sink_mutex;
wprim_log_fn sink = nullptr;
void* sink_user = nullptr;

const char* level_name(wprim_log_level level) {
  switch (level) {
    case WPRIM_LOG_WARN: return "warn";
    case WPRIM_LOG_INFO: return "info";
    default: return "debug";
  }
}

}  // namespace

int read_log_environment() {
  const char* value = std::getenv("WARPPRIM_LOG");
  int wanted = WPRIM_LOG_OFF;
  if (value) {
    for (wprim_log_level level : {WPRIM_LOG_WARN, WPRIM_LOG_INFO, WPRIM_LOG_DEBUG}) {
      if (std::strcmp(value, level_name(level)) == 0) wanted = level;
    }
  }
  int unread = -1;
  // Somebody may have called wprim_set_log meanwhile: theirs stays.
  log_wanted.compare_exchange_strong(unread, wanted);
  return log_wanted.load();
}

void write_log(wprim_log_level level, const char* format, ...) {
  char line[512];
  va_list args;
  va_start(args, format);
  std::vsnprintf(line, sizeof line, format, args);
  va_end(args);
  std::shared_lock lock(sink_mutex);
  if (level > log_wanted.load(std::memory_order_relaxed)) return;  // switched off since the caller looked
  if (sink) {
    sink(level, line, sink_user);
  } else {
    std::fprintf(stderr, "warpprim %s: %s\n", level_name(level), line);
  }
}

void set_log(wprim_log_level level, wprim_log_fn fn, void* user) {
  log_wanted.store(WPRIM_LOG_OFF);  // keeps newcomers away, who would have the lock for themselves otherwise
  std::unique_lock lock(sink_mutex);
  sink = fn;
  sink_user = user;
  log_wanted.store(level);
}

}  // namespace wprim
