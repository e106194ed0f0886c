#include "cuda/kernels/position.cuh"

#include "cuda/instances/find.h"
#include "cuda/kernels/reduce.cuh"

namespace wprim::cuda {

ReduceKernels find_position(const Reduce& reduce) {
  return visit_dtype(reduce.dtype,
                     [](auto element) { return reduce_kernels<Position<decltype(element)>>(); });
}

}  // namespace wprim::cuda
