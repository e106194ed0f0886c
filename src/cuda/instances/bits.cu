#include "cuda/instances/bits.h"

#include "cuda/instances/find.h"
#include "cuda/kernels/reduce.cuh"

namespace wprim::cuda {

ReduceKernels find_bits(const Reduce& reduce) { return choose_bits(reduce, KernelsOf()); }

}  // namespace wprim::cuda
