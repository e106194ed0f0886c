#include "cuda/instances/moments.h"

#include "cuda/instances/find.h"
#include "cuda/kernels/reduce.cuh"

namespace wprim::cuda {

ReduceKernels find_moments(const Reduce& reduce) { return choose_moments(reduce, KernelsOf()); }

}  // namespace wprim::cuda
