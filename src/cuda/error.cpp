#include "cuda/error.h"

#include <cstring>
#include <string>

namespace wprim::cuda {
namespace {

// Errors that come from work enqueued earlier and stay: every later call of the process on the device gives them.
bool is_sticky(cudaError_t error) {
  switch (error) {
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorContained:
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
    case cudaErrorTensorMemoryLeak:
    case cudaErrorMpsClientTerminated:
    case cudaErrorExternalDevice: return true;
    default: return false;
  }
}

}  // namespace

Status check(cudaError_t error, const char* call) {
  if (error == cudaSuccess) return {};
  ignore(error);
  const std::string name(call, std::strcspn(call, "("));
  const char *text = cudaGetErrorString(error), *id = cudaGetErrorName(error);
  if (is_sticky(error)) {
    return fail(
        WPRIM_ERROR_DEVICE,
        "%s: %s (%s), from work enqueued earlier, maybe the program's own; it is sticky: this process "
        "cannot use the device any more",
        name.c_str(), text, id);
  }
  switch (error) {
    case cudaErrorMemoryAllocation:
      return fail(WPRIM_ERROR_OUT_OF_MEMORY, "%s: device memory is exhausted", name.c_str());
    case cudaErrorStreamCaptureUnsupported:
      return fail(WPRIM_ERROR_UNSUPPORTED, "%s: the stream is being captured, and this call cannot be",
                  name.c_str());
    case cudaErrorStreamCaptureImplicit:
      return fail(WPRIM_ERROR_UNSUPPORTED,
                  "%s: the legacy default stream would wait for a stream that is being captured",
                  name.c_str());
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorUnsupportedPtxVersion:
      return fail(WPRIM_ERROR_UNSUPPORTED,
                  "%s: this library was compiled for GPUs of the architectures %s, and the device is none of "
                  "them: set "
                  "CMAKE_CUDA_ARCHITECTURES when building it (%s)",
                  name.c_str(), WPRIM_CUDA_ARCHITECTURES, id);
    default: return fail(WPRIM_ERROR_DEVICE, "%s: %s (%s)", name.c_str(), text, id);
  }
}

void ignore(cudaError_t error) {
  if (error != cudaSuccess) cudaGetLastError();
}

}  // namespace wprim::cuda
