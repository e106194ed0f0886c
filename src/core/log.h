// Events for whoever asked (WARPPRIM_LOG, wprim_set_log); a relaxed load and a branch when nobody did.
#pragma once

#include <atomic>

#include "warpprim.h"

namespace wprim {

// What is wanted now. Starts at "not read yet" (-1), so the first check reads WARPPRIM_LOG.
extern std::atomic<int> log_wanted;
int read_log_environment();

inline bool log_enabled(wprim_log_level level) {
  int wanted = log_wanted.load(std::memory_order_relaxed);
  if (wanted < 0) wanted = read_log_environment();
  return level <= wanted;
}

__attribute__((format(printf, 2, 3))) void write_log(wprim_log_level level, const char* format, ...);
void set_log(wprim_log_level level, wprim_log_fn fn, void* user);

}  // namespace wprim

// The arguments are evaluated only if somebody listens.
#define WPRIM_LOG(level, ...)                                                \
  do {                                                                       \
    if (::wprim::log_enabled(level)) ::wprim::write_log(level, __VA_ARGS__); \
  } while (0)
