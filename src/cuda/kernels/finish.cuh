// The end of a row.
#pragma once

#include "cuda/kernels/reduce_params.h"
#include "cuda/machine.cuh"

namespace wprim::cuda {

// For kernels that finish many rows: inlined, the code of every output type would fill their loops.
template <class Algebra>
WPRIM_DEVICE_CALL void finish_row(const ReduceParams& params, uint64_t row, typename Algebra::State state) {
  Algebra::finish(params, row, state);
}

}  // namespace wprim::cuda
