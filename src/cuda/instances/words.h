// The algebras of sum, prod and l1 of integers.
#pragma once

#include "core/reduce.h"
#include "cuda/kernels/words.cuh"

namespace wprim::cuda {

template <class Make>
auto choose_words(const Reduce& reduce, Make make) {
  using Made = decltype(make.template of<Words<int32_t, WPRIM_SUM>>());
  return visit_dtype(reduce.dtype, [&](auto element) -> Made {
    using T = decltype(element);
    if constexpr (is_float_type<T>) {
      return {};  // validation gives floats a floating accumulator
    } else {
      switch (reduce.op) {
        case WPRIM_PROD: return make.template of<Words<T, WPRIM_PROD>>();
        case WPRIM_L1: return make.template of<Words<T, WPRIM_L1>>();
        default: return make.template of<Words<T, WPRIM_SUM>>();
      }
    }
  });
}

}  // namespace wprim::cuda
