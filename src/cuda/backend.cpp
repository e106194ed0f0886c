#include "cuda/backend.h"

#include "cuda/context.h"
#include "cuda/error.h"

namespace wprim::cuda {
namespace {

// Tells apart what keeps a machine from using CUDA.
Status explain(cudaError_t error) {
  cudaGetLastError();
  int driver = 0;
  cudaDriverGetVersion(&driver);
  switch (error) {
    case cudaErrorInsufficientDriver:
      if (driver == 0) {
        return fail(WPRIM_ERROR_NO_DEVICE,
                    "no NVIDIA driver is installed: use WPRIM_CPU, or install a driver");
      }
      return fail(WPRIM_ERROR_NO_DEVICE,
                  "the NVIDIA driver is too old: it supports CUDA %d.%d, this library needs %d.%d",
                  driver / 1000, driver % 1000 / 10, CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
    case cudaErrorNoDevice:
      return fail(WPRIM_ERROR_NO_DEVICE, "the NVIDIA driver sees no GPU: use WPRIM_CPU");
    default:
      return fail(WPRIM_ERROR_NO_DEVICE, "CUDA cannot be used: %s (%s)", cudaGetErrorString(error),
                  cudaGetErrorName(error));
  }
}

Status device_count(int32_t* count) {
  int n = 0;
  if (cudaGetDeviceCount(&n) != cudaSuccess) {
    cudaGetLastError();
    n = 0;
  }
  *count = n;
  return {};
}

Status open(int32_t ordinal, std::shared_ptr<Context>* context) {
  int n = 0;
  const cudaError_t error = cudaGetDeviceCount(&n);
  if (error != cudaSuccess) return explain(error);
  if (ordinal < 0 || ordinal >= n) {
    return fail(WPRIM_ERROR_NO_DEVICE, "ordinal = %d: there are %d CUDA devices", ordinal, n);
  }
  return CudaContext::open(ordinal, context);
}

}  // namespace

const Backend backend = {WPRIM_CUDA, "cuda", device_count, open};

}  // namespace wprim::cuda
