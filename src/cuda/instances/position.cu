#include "cuda/kernels/position.cuh"

#include "cuda/instances/find.h"
#include "cuda/kernels/reduce.cuh"

namespace wprim::cuda {

ReduceKernels find_position(const Reduce& reduce) {
  return visit_dtype(reduce.dtype, [&](auto element) {
    using T = decltype(element);
    if constexpr (is_float_type<T>) {
      if (reduce.nan == WPRIM_NAN_IGNORE) return reduce_kernels<Position<T, true>>();
    }
    return reduce_kernels<Position<T, false>>();
  });
}

}  // namespace wprim::cuda
