// CUDA GPUs as devices.
#pragma once

#include "core/backend.h"

namespace wprim::cuda {

extern const Backend backend;

}  // namespace wprim::cuda
