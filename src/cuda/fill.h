// Fill on the GPU.
#pragma once

#include "core/status.h"
#include "core/work.h"
#include "cuda/launch.h"

namespace wprim::cuda {

void prepare_fill(const Fill& fill, Launch* launch);

// Loads the kernel now. Fails if this build has none for the current device: all are compiled alike.
Status load_fill();

}  // namespace wprim::cuda
