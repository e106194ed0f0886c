// The algebras of var and std.
#pragma once

#include "cuda/instances/elements.h"
#include "cuda/kernels/moments.cuh"

namespace wprim::cuda {

template <class Make>
auto choose_moments(const Reduce& reduce, Make make) {
  return visit_elements(reduce, [&](auto elements) {
    using Elements = decltype(elements);
    if constexpr (Elements::kMayBeNan) {
      if (reduce.nan == WPRIM_NAN_IGNORE) return make.template of<Variance<Elements, true>>();
    }
    return make.template of<Variance<Elements, false>>();
  });
}

}  // namespace wprim::cuda
