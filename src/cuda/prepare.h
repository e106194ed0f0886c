// Work made ready for a GPU: by a kernel of ours, or by a call of CUDA.
#pragma once

#include <cuda_runtime_api.h>

#include <variant>

#include "core/status.h"
#include "core/work.h"
#include "cuda/launch.h"

namespace wprim::cuda {

class CudaContext;

// Nothing to do, a kernel, or work that is left to CUDA as it is.
using Step = std::variant<std::monostate, Launch, Copy, HostCall, Release>;

// Chooses, and refuses pointers that the GPU cannot reach. `stream` is where it will be enqueued, if that is known: memory
// of a graph that is being captured there is let pass.
Status prepare(const Work& work, const CudaContext& context, const cudaStream_t* stream, Step* step);

}  // namespace wprim::cuda
