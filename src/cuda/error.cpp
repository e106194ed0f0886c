#include "cuda/error.h"

#include <cstring>
#include <string>

namespace wprim::cuda {
namespace {

// Errors that come from work enqueued earlier and stay: every later call of the process on the device gives them.
bool is_sticky(cudaError_t error) {
  switch (error) {
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorIllegalInstruction:
    case cudaErrorHardwareStackError:
    case cudaErrorAssert:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorECCUncorrectable: return true;
    default: return false;
  }
}

}  // namespace

Status check(cudaError_t error, const char* call) {
  if (error == cudaSuccess) return {};
  cudaGetLastError();
  const std::string name(call, std::strcspn(call, "("));
  if (error == cudaErrorMemoryAllocation) {
    return fail(WPRIM_ERROR_OUT_OF_MEMORY, "%s: device memory is exhausted", name.c_str());
  }
  if (is_sticky(error)) {
    return fail(
        WPRIM_ERROR_DEVICE,
        "%s: %s (%s), from work enqueued earlier; it is sticky: this process cannot use the device any more",
        name.c_str(), cudaGetErrorString(error), cudaGetErrorName(error));
  }
  if (error == cudaErrorStreamCaptureUnsupported || error == cudaErrorStreamCaptureImplicit) {
    return fail(WPRIM_ERROR_UNSUPPORTED, "%s: the stream is being captured, and this call cannot be",
                name.c_str());
  }
  return fail(WPRIM_ERROR_DEVICE, "%s: %s (%s)", name.c_str(), cudaGetErrorString(error),
              cudaGetErrorName(error));
}

}  // namespace wprim::cuda
