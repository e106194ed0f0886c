#include "cuda/instances/rounding.h"

namespace wprim::cuda {

ReduceKernels find_rounding_f64(const Reduce& reduce) {
  return visit_f64_elements(reduce,
                            [&](auto elements) { return rounding_kernels<decltype(elements)>(reduce); });
}

}  // namespace wprim::cuda
