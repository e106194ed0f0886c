#include "cuda/host_call.h"

namespace wprim::cuda {

void call_again(void* user) {
  const auto* record = static_cast<CallRecord*>(user);
  const wprim_status status = record->call.fn(record->call.user);
  if (status == WPRIM_OK) return;
  try {
    record->late_error->keep(fail(WPRIM_ERROR_CALLBACK, "a host callback enqueued earlier returned %d (%s)",
                                  static_cast<int>(status), status_name(status)));
  } catch (...) {
    record->late_error->keep(
        Status::literal(WPRIM_ERROR_CALLBACK, "a host callback enqueued earlier failed"));
  }
}

void call_once(void* user) {
  const std::unique_ptr<CallRecord> record(static_cast<CallRecord*>(user));
  call_again(user);
}

}  // namespace wprim::cuda
