// Fill on the GPU.
#pragma once

#include <cuda_runtime_api.h>

#include "core/status.h"
#include "core/work.h"

namespace wprim::cuda {

// Whether this build has kernels for the current device: all are compiled alike.
Status check_kernels();

Status launch_fill(const Fill& fill, cudaStream_t stream);

}  // namespace wprim::cuda
