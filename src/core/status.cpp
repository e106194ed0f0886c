#include "core/status.h"

#include <cstdarg>
#include <cstdio>

namespace wprim {
namespace {

std::string format_text(const char* format, va_list args) {
  char text[512];
  std::vsnprintf(text, sizeof text, format, args);
  return text;
}

}  // namespace

Status fail(wprim_status code, const char* format, ...) {
  va_list args;
  va_start(args, format);
  std::string text = format_text(format, args);
  va_end(args);
  return Status(code, std::move(text));
}

Status invalid(const char* format, ...) {
  va_list args;
  va_start(args, format);
  std::string text = format_text(format, args);
  va_end(args);
  return Status(WPRIM_ERROR_INVALID_ARGUMENT, std::move(text));
}

const char* status_name(wprim_status status) {
  switch (status) {
    case WPRIM_OK: return "WPRIM_OK";
    case WPRIM_NOT_READY: return "WPRIM_NOT_READY";
    case WPRIM_ERROR_INVALID_ARGUMENT: return "WPRIM_ERROR_INVALID_ARGUMENT";
    case WPRIM_ERROR_INVALID_HANDLE: return "WPRIM_ERROR_INVALID_HANDLE";
    case WPRIM_ERROR_UNSUPPORTED: return "WPRIM_ERROR_UNSUPPORTED";
    case WPRIM_ERROR_NO_DEVICE: return "WPRIM_ERROR_NO_DEVICE";
    case WPRIM_ERROR_OUT_OF_MEMORY: return "WPRIM_ERROR_OUT_OF_MEMORY";
    case WPRIM_ERROR_CALLBACK: return "WPRIM_ERROR_CALLBACK";
    case WPRIM_ERROR_DEVICE: return "WPRIM_ERROR_DEVICE";
    case WPRIM_ERROR_INTERNAL: return "WPRIM_ERROR_INTERNAL";
  }
  return "unknown wprim_status";
}

}  // namespace wprim
