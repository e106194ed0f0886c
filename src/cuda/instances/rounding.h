// The algebras of sum, prod, l1, l2 and mean with a float result, for one way of reading elements.
#pragma once

#include "cuda/instances/elements.h"
#include "cuda/kernels/rounding.cuh"

namespace wprim::cuda {

template <class Elements, class Make>
auto choose_step(const Reduce& reduce, Make make) {
  switch (reduce.op) {
    case WPRIM_PROD: return make.template of<Rounding<ProductStep, Elements>>();
    case WPRIM_L1: return make.template of<Rounding<AbsoluteStep, Elements>>();
    case WPRIM_L2: return make.template of<Rounding<SquareStep, Elements>>();
    case WPRIM_MEAN:
      if constexpr (Elements::kMayBeNan) {
        if (reduce.nan == WPRIM_NAN_IGNORE) return make.template of<MeanOfPresent<Elements>>();
      }
      [[fallthrough]];
    default: return make.template of<Rounding<SumStep, Elements>>();
  }
}

template <class Make>
auto choose_rounding_f32(const Reduce& reduce, Make make) {
  return visit_f32_elements(reduce,
                            [&](auto elements) { return choose_step<decltype(elements)>(reduce, make); });
}
template <class Make>
auto choose_rounding_f64(const Reduce& reduce, Make make) {
  return visit_f64_elements(reduce,
                            [&](auto elements) { return choose_step<decltype(elements)>(reduce, make); });
}

}  // namespace wprim::cuda
