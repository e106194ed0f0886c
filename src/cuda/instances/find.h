// Which kernels do an op. Each family is compiled in a file of its own, so that they build side by side.
#pragma once

#include "core/reduce.h"
#include "cuda/kernels/reduce_params.h"

namespace wprim::cuda {

ReduceKernels find_rounding_f32(const Reduce& reduce);
ReduceKernels find_rounding_f64(const Reduce& reduce);
ReduceKernels find_moments(const Reduce& reduce);
ReduceKernels find_logsum(const Reduce& reduce);
ReduceKernels find_extremes(const Reduce& reduce);
ReduceKernels find_position(const Reduce& reduce);
ReduceKernels find_words(const Reduce& reduce);
ReduceKernels find_bits(const Reduce& reduce);  // any all count_nonzero and or xor

}  // namespace wprim::cuda
