#include "cuda/kernels/moments.cuh"

#include "cuda/instances/elements.h"
#include "cuda/kernels/reduce.cuh"

namespace wprim::cuda {

ReduceKernels find_moments(const Reduce& reduce) {
  return visit_elements(reduce, [&](auto elements) {
    using Elements = decltype(elements);
    return reduce.nan == WPRIM_NAN_IGNORE ? reduce_kernels<Variance<Elements, true>>()
                                          : reduce_kernels<Variance<Elements, false>>();
  });
}

}  // namespace wprim::cuda
