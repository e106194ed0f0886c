// The one exception boundary, and this thread's last error. Every function of the header is
//   return boundary("wprim_name", [&]() -> Status { ... });
#pragma once

#include <exception>
#include <new>

#include "core/status.h"

namespace wprim::api {

// Keeps "function: text" for wprim_last_error and gives the code back. Never throws: a text too long is cut.
wprim_status set_last_error(const char* function, wprim_status code, const char* text) noexcept;

template <class Body>
wprim_status boundary(const char* function, Body&& body) noexcept {
  try {
    const Status status = body();
    if (status.ok()) return WPRIM_OK;
    if (status.code() == WPRIM_NOT_READY) return WPRIM_NOT_READY;
    return set_last_error(function, status.code(), status.text());
  } catch (const std::bad_alloc&) {
    return set_last_error(function, WPRIM_ERROR_OUT_OF_MEMORY, "out of host memory");
  } catch (const std::exception& e) {
    return set_last_error(function, WPRIM_ERROR_INTERNAL, e.what());
  } catch (...) {
    return set_last_error(function, WPRIM_ERROR_INTERNAL, "unknown exception");
  }
}

// For the check that comes before all others: somewhere to put the object. Clears it, so failure leaves NULL.
template <class T>
Status check_output(const char* name, T** out) {
  if (!out) return invalid("%s is NULL: there is nowhere to put the result", name);
  *out = nullptr;
  return {};
}

}  // namespace wprim::api
