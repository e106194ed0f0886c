#include "cuda/instances/extremes.h"

#include "cuda/instances/find.h"
#include "cuda/kernels/reduce.cuh"

namespace wprim::cuda {

ReduceKernels find_extremes(const Reduce& reduce) { return choose_extremes(reduce, KernelsOf()); }

}  // namespace wprim::cuda
