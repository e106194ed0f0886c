#include "cuda/kernels/words.cuh"

#include "cuda/instances/find.h"
#include "cuda/kernels/reduce.cuh"

namespace wprim::cuda {
namespace {

template <class T>
ReduceKernels words(wprim_op op) {
  switch (op) {
    case WPRIM_PROD: return reduce_kernels<Words<T, WPRIM_PROD>>();
    case WPRIM_L1: return reduce_kernels<Words<T, WPRIM_L1>>();
    default: return reduce_kernels<Words<T, WPRIM_SUM>>();
  }
}

}  // namespace

ReduceKernels find_words(const Reduce& reduce) {
  return visit_dtype(reduce.dtype, [&](auto element) -> ReduceKernels {
    using T = decltype(element);
    if constexpr (is_float_type<T>) {
      return {};  // validation gives floats a floating accumulator
    } else {
      return words<T>(reduce.op);
    }
  });
}

}  // namespace wprim::cuda
