#include "cuda/instances/position.h"

#include "cuda/instances/find.h"
#include "cuda/kernels/reduce.cuh"

namespace wprim::cuda {

ReduceKernels find_position(const Reduce& reduce) { return choose_position(reduce, KernelsOf()); }

}  // namespace wprim::cuda
