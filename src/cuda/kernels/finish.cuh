// The end of a row.
#pragma once

#include "cuda/kernels/reduce_params.h"
#include "cuda/machine.cuh"

namespace wprim::cuda {

template <class Algebra>
WPRIM_DEVICE_CALL void finish_otherwise(const ReduceParams& params, uint64_t row,
                                        typename Algebra::State state) {
  Algebra::finish(params, row, state);
}

// For kernels that finish many rows: inlined, the code of every output type would fill their loops.
template <class Algebra>
WPRIM_DEVICE void finish_row(const ReduceParams& params, uint64_t row, const typename Algebra::State& state) {
  if constexpr (requires { Algebra::finish_plain(params, row, state); }) {
    if (params.plain) return Algebra::finish_plain(params, row, state);
  }
  finish_otherwise<Algebra>(params, row, state);
}

}  // namespace wprim::cuda
