// Errors are values: a Status is OK, "not ready", or a failure that owns its text.
#pragma once

#include <memory>
#include <string>

#include "warpprim.h"

namespace wprim {

class [[nodiscard]] Status {
 public:
  Status() = default;  // OK
  Status(wprim_status code, std::string text)
      : code_(code), owned_(std::make_unique<std::string>(std::move(text))) {}

  // A status whose text is a literal: allocates nothing, for where memory may be short.
  static Status literal(wprim_status code, const char* text) noexcept {
    Status status;
    status.code_ = code;
    status.literal_ = text;
    return status;
  }
  // The one outcome that is neither: a query found work left. Leaves the last error alone.
  static Status not_ready() noexcept { return literal(WPRIM_NOT_READY, ""); }

  bool ok() const { return code_ == WPRIM_OK; }
  wprim_status code() const { return code_; }
  const char* text() const { return owned_ ? owned_->c_str() : literal_; }

 private:
  wprim_status code_ = WPRIM_OK;
  const char* literal_ = "";
  std::unique_ptr<std::string> owned_;
};

// A failure with a printf-like text. The text starts at the argument ("row_stride = 3 is smaller than ...");
// the API boundary puts the function's name before it.
__attribute__((format(printf, 2, 3))) Status fail(wprim_status code, const char* format, ...);

// The usual case: an argument that breaks a rule.
__attribute__((format(printf, 1, 2))) Status invalid(const char* format, ...);

const char* status_name(wprim_status status);

}  // namespace wprim

// Leaves the function with the failure of a step, if it failed.
#define WPRIM_TRY(step)                                                  \
  do {                                                                   \
    if (::wprim::Status status_ = (step); !status_.ok()) return status_; \
  } while (0)
