#include "cuda/event.h"

#include "cuda/error.h"
#include "cuda/query.h"

namespace wprim::cuda {

CudaEvent::~CudaEvent() { ignore(cudaEventDestroy(native_)); }

Status CudaEvent::synchronize() {
  return recorded ? check(cudaEventSynchronize(native_), "cudaEventSynchronize") : Status();
}

Status CudaEvent::query() {
  if (!recorded) return {};
  const cudaError_t error = cuda::query(native_);
  return error == cudaErrorNotReady ? Status::not_ready() : check(error, "cudaEventQuery");
}

Status CudaEvent::elapsed(Event& end, float* milliseconds) {
  auto& to = static_cast<CudaEvent&>(end);
  if (!recorded) return invalid("start has not recorded");
  if (!to.recorded) return invalid("end has not recorded");
  for (CudaEvent* event : {this, &to}) {
    Status reached = event->query();
    if (reached.code() != WPRIM_OK) return reached;
  }
  float time;
  WPRIM_CUDA_TRY(cudaEventElapsedTime(&time, native_, to.native_));
  *milliseconds = time;
  return {};
}

}  // namespace wprim::cuda
