// Whether a stream or an event is done: success, or "not ready". The runtime's own queries would leave "not ready" as the
// thread's last error, in place of one that the host program has not looked at yet.
#pragma once

#include <cuda_runtime_api.h>

namespace wprim::cuda {

cudaError_t query(cudaStream_t stream);
cudaError_t query(cudaEvent_t event);

}  // namespace wprim::cuda
