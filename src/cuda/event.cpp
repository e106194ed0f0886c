#include "cuda/event.h"

#include "cuda/error.h"

namespace wprim::cuda {

CudaEvent::~CudaEvent() { cudaEventDestroy(native_); }

Status CudaEvent::synchronize() {
  return recorded_ ? check(cudaEventSynchronize(native_), "cudaEventSynchronize") : Status();
}

Status CudaEvent::query() {
  if (!recorded_) return {};
  const cudaError_t error = cudaEventQuery(native_);
  if (error != cudaErrorNotReady) return check(error, "cudaEventQuery");
  cudaGetLastError();
  return Status::not_ready();
}

Status CudaEvent::elapsed(Event& end, float* milliseconds) {
  auto& to = static_cast<CudaEvent&>(end);
  if (!recorded_) return invalid("start has not recorded");
  if (!to.recorded_) return invalid("end has not recorded");
  float time;
  const cudaError_t error = cudaEventElapsedTime(&time, native_, to.native_);
  if (error == cudaErrorNotReady) {
    cudaGetLastError();
    return Status::not_ready();
  }
  WPRIM_TRY(check(error, "cudaEventElapsedTime"));
  *milliseconds = time;
  return {};
}

}  // namespace wprim::cuda
