// The algebras of min, max, minmax and amax.
#pragma once

#include "core/reduce.h"
#include "cuda/kernels/extremes.cuh"

namespace wprim::cuda {

template <class Make>
auto choose_extremes(const Reduce& reduce, Make make) {
  return visit_dtype(reduce.dtype,
                     [&](auto element) { return make.template of<Extremes<decltype(element)>>(); });
}

}  // namespace wprim::cuda
