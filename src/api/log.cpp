#include "core/log.h"

#include "api/boundary.h"

using namespace wprim;

wprim_status wprim_set_log(wprim_log_level level, wprim_log_fn fn, void* user) {
  return api::boundary("wprim_set_log", [&]() -> Status {
    if (level < WPRIM_LOG_OFF || level > WPRIM_LOG_DEBUG) {
      return invalid("level = %d is no wprim_log_level", static_cast<int>(level));
    }
    set_log(level, fn, user);
    return {};
  });
}
