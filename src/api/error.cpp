#include <cstdio>

#include "api/boundary.h"

namespace wprim::api {
namespace {

thread_local char last_error[640] = "";

}  // namespace

wprim_status set_last_error(const char* function, wprim_status code, const char* text) noexcept {
  std::snprintf(last_error, sizeof last_error, "%s: %s", function, text);
  return code;
}

}  // namespace wprim::api

const char* wprim_status_name(wprim_status status) { return wprim::status_name(status); }

const char* wprim_last_error(void) { return wprim::api::last_error; }
