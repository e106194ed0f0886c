// Fill on the GPU.
#pragma once

#include <cuda_runtime_api.h>

#include "core/status.h"
#include "core/work.h"

namespace wprim::cuda {

class CudaContext;

Status launch_fill(const Fill& fill, const CudaContext& context, cudaStream_t stream);

}  // namespace wprim::cuda
