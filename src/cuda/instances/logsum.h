// The algebras of logsumexp.
#pragma once

#include "cuda/instances/elements.h"
#include "cuda/kernels/logsum_passes.cuh"

namespace wprim::cuda {

template <class Make>
auto choose_logsum(const Reduce& reduce, Make make) {
  return visit_elements(reduce, [&](auto elements) {
    using Elements = decltype(elements);
    if constexpr (Elements::kMayBeNan) {
      if (reduce.nan == WPRIM_NAN_IGNORE) return make.template of<LogSumExp<Elements, true>>();
    }
    return make.template of<LogSumExp<Elements, false>>();
  });
}

}  // namespace wprim::cuda
