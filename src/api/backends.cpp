#include "api/backends.h"

#include "cpu/backend.h"
#if WARPPRIM_CUDA
#include "cuda/backend.h"
#endif

namespace wprim::api {

Status find_backend(wprim_device_kind kind, const Backend** backend) {
  *backend = nullptr;
  if (kind == WPRIM_CPU) {
    *backend = &cpu::backend;
  } else if (kind == WPRIM_CUDA) {
#if WARPPRIM_CUDA
    *backend = &cuda::backend;
#endif
  } else {
    return invalid("kind = %d is neither WPRIM_CPU nor WPRIM_CUDA", static_cast<int>(kind));
  }
  return {};
}

}  // namespace wprim::api
