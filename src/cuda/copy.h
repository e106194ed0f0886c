// Copy within device memory.
#pragma once

#include <cuda_runtime_api.h>

#include "core/status.h"
#include "core/work.h"

namespace wprim::cuda {

// Both ends are memory of the current device.
Status launch_copy(const Copy& copy, cudaStream_t stream);

}  // namespace wprim::cuda
