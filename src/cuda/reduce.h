// Reduce on the GPU: chooses kernel and policy, and launches.
#pragma once

#include <cuda_runtime_api.h>

#include "core/reduce.h"
#include "cuda/workspace.h"

namespace wprim::cuda {

class CudaContext;

Status launch_reduce(const Reduce& reduce, const CudaContext& context, cudaStream_t stream,
                     Workspace& workspace);

}  // namespace wprim::cuda
