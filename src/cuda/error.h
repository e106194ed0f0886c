// CUDA's errors as statuses.
#pragma once

#include <cuda_runtime_api.h>

#include "core/status.h"

namespace wprim::cuda {

// OK, or a failure that names the call. Tells memory that is exhausted, and errors after which the device is lost to
// this process, from the rest. Clears CUDA's own last error.
Status check(cudaError_t error, const char* call);

}  // namespace wprim::cuda

// Leaves the function with the failure of a CUDA call, if it failed.
#define WPRIM_CUDA_TRY(call) WPRIM_TRY(::wprim::cuda::check((call), #call))
