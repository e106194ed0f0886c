// Reduce on the GPU: chooses kernel and policy.
#pragma once

#include "core/reduce.h"
#include "cuda/launch.h"

namespace wprim::cuda {

// Of at least one row.
void prepare_reduce(const Reduce& reduce, unsigned multiprocessors, Launch* launch);

}  // namespace wprim::cuda
