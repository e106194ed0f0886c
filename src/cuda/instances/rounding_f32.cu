#include "cuda/instances/rounding.h"

namespace wprim::cuda {

ReduceKernels find_rounding_f32(const Reduce& reduce) {
  return visit_f32_elements(reduce,
                            [&](auto elements) { return rounding_kernels<decltype(elements)>(reduce); });
}

}  // namespace wprim::cuda
