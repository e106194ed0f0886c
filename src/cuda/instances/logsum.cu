#include "cuda/instances/logsum.h"

#include "cuda/instances/find.h"
#include "cuda/kernels/reduce.cuh"

namespace wprim::cuda {

ReduceKernels find_logsum(const Reduce& reduce) { return choose_logsum(reduce, KernelsOf()); }

}  // namespace wprim::cuda
