#include "cuda/pointer.h"

#include <cstdlib>
#include <cstring>

#include "core/log.h"
#include "cuda/error.h"
#include "cuda/policy/memory.h"

namespace wprim::cuda {
namespace {

bool is_wanted() {
  const char* value = std::getenv("WARPPRIM_CHECK");
  if (!value) return policy::kCheckPointers;
  if (std::strcmp(value, "0") == 0) return false;
  if (std::strcmp(value, "1") == 0) return true;
  WPRIM_LOG(WPRIM_LOG_WARN, "WARPPRIM_CHECK=%s is neither 0 nor 1: ignored", value);
  return policy::kCheckPointers;
}

}  // namespace

Status PointerCheck::create(int device, PointerCheck* check) {
  check->device_ = device;
  check->wanted_ = is_wanted();
  // Where the GPU reaches all memory of the process, there is nothing to refuse.
  int all = 0;
  WPRIM_CUDA_TRY(cudaDeviceGetAttribute(&all, cudaDevAttrPageableMemoryAccess, device));
  if (all) check->wanted_ = false;
  return {};
}

Status PointerCheck::look(const char* name, const void* ptr, const cudaStream_t* stream) const {
  cudaPointerAttributes found;
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  WPRIM_CUDA_TRY(cudaPointerGetAttributes(&found, ptr));
  switch (found.type) {
    case cudaMemoryTypeDevice:
      if (found.device == device_ || found.devicePointer) return {};
      return invalid(
          "%s = %p is memory of device %d, which device %d of this stream has no access to: enable it with "
          "cudaDeviceEnablePeerAccess or cudaMemPoolSetAccess",
          name, ptr, found.device, device_);
    case cudaMemoryTypeManaged: return {};
    case cudaMemoryTypeHost:
      if (found.devicePointer) return {};
      break;
    default:
      if (stream) WPRIM_CUDA_TRY(cudaStreamIsCapturing(*stream, &capture));
  }
  if (capture != cudaStreamCaptureStatusNone) return {};
  return invalid(
      "%s = %p is host memory that device %d cannot reach: use memory of the device or pinned memory "
      "(wprim_malloc, wprim_malloc_host)",
      name, ptr, device_);
}

Status both_on_device(const void* a, const void* b, int device, bool* result) {
  *result = true;
  for (const void* ptr : {a, b}) {
    cudaPointerAttributes found;
    WPRIM_CUDA_TRY(cudaPointerGetAttributes(&found, ptr));
    *result = *result && found.type == cudaMemoryTypeDevice && found.device == device;
  }
  return {};
}

}  // namespace wprim::cuda
