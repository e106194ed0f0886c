// CUDA's errors as statuses.
#pragma once

#include <cuda_runtime_api.h>

#include "core/status.h"

namespace wprim::cuda {

// OK, or a failure that names the call. Tells memory that is exhausted, errors of earlier work after which the device is
// lost to this process, calls that cannot be captured, and a GPU that this build is not for, from the rest.
// CUDA's last error is the host program's: a failure of ours leaves none.
Status check(cudaError_t error, const char* call);

// For calls whose failure has no consequence: nobody is left to be told.
void ignore(cudaError_t error);

}  // namespace wprim::cuda

// Leaves the function with the failure of a CUDA call, if it failed.
#define WPRIM_CUDA_TRY(call) WPRIM_TRY(::wprim::cuda::check((call), #call))
