// The algebras of argmin and argmax.
#pragma once

#include "core/reduce.h"
#include "cuda/kernels/position.cuh"

namespace wprim::cuda {

template <class Make>
auto choose_position(const Reduce& reduce, Make make) {
  return visit_dtype(reduce.dtype, [&](auto element) {
    using T = decltype(element);
    if constexpr (is_float_type<T>) {
      if (reduce.nan == WPRIM_NAN_IGNORE) return make.template of<Position<T, true>>();
    }
    return make.template of<Position<T, false>>();
  });
}

}  // namespace wprim::cuda
