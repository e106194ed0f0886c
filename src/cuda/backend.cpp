#include "cuda/backend.h"

#include "core/log.h"
#include "cuda/context.h"
#include "cuda/error.h"

namespace wprim::cuda {
namespace {

// Tells apart what keeps a machine from using CUDA.
Status explain(cudaError_t error) {
  ignore(error);
  int driver = 0;
  ignore(cudaDriverGetVersion(&driver));
  const char* text;
  switch (error) {
    case cudaErrorInsufficientDriver:
    case cudaErrorCallRequiresNewerDriver:
      if (driver == 0) {
        text = "no NVIDIA driver is installed: use WPRIM_CPU, or install a driver";
        break;
      }
      return fail(
          WPRIM_ERROR_NO_DEVICE,
          "the NVIDIA driver is too old: it supports CUDA %d.%d, this library needs %d.%d: use WPRIM_CPU, or "
          "install a newer driver",
          driver / 1000, driver % 1000 / 10, CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
    case cudaErrorNoDevice:
      text = "the NVIDIA driver sees no GPU (is CUDA_VISIBLE_DEVICES empty?): use WPRIM_CPU";
      break;
    case cudaErrorSystemNotReady: text = "the GPUs are not ready: does the NVIDIA fabric manager run?"; break;
    case cudaErrorSystemDriverMismatch:
      text = "the library and the kernel module of the NVIDIA driver are of different versions: reboot";
      break;
    default:
      return fail(WPRIM_ERROR_NO_DEVICE, "CUDA cannot be used: %s (%s)", cudaGetErrorString(error),
                  cudaGetErrorName(error));
  }
  return Status::literal(WPRIM_ERROR_NO_DEVICE, text);
}

Status find_devices(int* count) {
  *count = 0;
  const cudaError_t error = cudaGetDeviceCount(count);
  return error == cudaSuccess ? Status() : explain(error);
}

Status device_count(int32_t* count) {
  const Status found = find_devices(count);
  if (!found.ok()) WPRIM_LOG(WPRIM_LOG_INFO, "cuda: no device: %s", found.text());
  return {};
}

Status open(int32_t ordinal, std::shared_ptr<Context>* context) {
  int count;
  WPRIM_TRY(find_devices(&count));
  if (ordinal < 0 || ordinal >= count) {
    return fail(WPRIM_ERROR_NO_DEVICE, "ordinal = %d: there are %d CUDA devices, counted from 0", ordinal,
                count);
  }
  return CudaContext::open(ordinal, context);
}

}  // namespace

const Backend backend = {WPRIM_CUDA, "cuda", device_count, open};

}  // namespace wprim::cuda
