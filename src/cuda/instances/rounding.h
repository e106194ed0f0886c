// The kernels of sum, prod, l1, l2 and mean for one way of reading elements.
#pragma once

#include "cuda/instances/elements.h"
#include "cuda/kernels/reduce.cuh"
#include "cuda/kernels/rounding.cuh"

namespace wprim::cuda {

template <class Elements>
ReduceKernels rounding_kernels(const Reduce& reduce) {
  switch (reduce.op) {
    case WPRIM_PROD: return reduce_kernels<Rounding<ProductStep, Elements>>();
    case WPRIM_L1: return reduce_kernels<Rounding<AbsoluteStep, Elements>>();
    case WPRIM_L2: return reduce_kernels<Rounding<SquareStep, Elements>>();
    case WPRIM_MEAN:
      if (reduce.nan == WPRIM_NAN_IGNORE) return reduce_kernels<MeanOfPresent<Elements>>();
      [[fallthrough]];
    default: return reduce_kernels<Rounding<SumStep, Elements>>();
  }
}

}  // namespace wprim::cuda
