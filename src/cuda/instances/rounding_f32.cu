#include "cuda/instances/find.h"
#include "cuda/instances/rounding.h"
#include "cuda/kernels/reduce.cuh"

namespace wprim::cuda {

ReduceKernels find_rounding_f32(const Reduce& reduce) { return choose_rounding_f32(reduce, KernelsOf()); }

}  // namespace wprim::cuda
