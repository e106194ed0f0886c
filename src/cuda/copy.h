// Copy within device memory.
#pragma once

#include "core/status.h"
#include "core/work.h"
#include "cuda/launch.h"

namespace wprim::cuda {

// Both ends are memory of one device.
void prepare_copy(const Copy& copy, Launch* launch);

// Loads the kernels now: later the GPU might have to be idle for it.
Status load_copy();

}  // namespace wprim::cuda
