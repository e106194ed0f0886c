// Chooses how the elements of a rounding op are read: typed where speed matters, by size elsewhere.
#pragma once

#include "core/reduce.h"
#include "cuda/kernels/elements.cuh"

namespace wprim::cuda {

template <class F>
auto visit_f32_elements(const Reduce& reduce, F&& f) {
  switch (reduce.dtype) {
    case WPRIM_F16: return f(Typed<f16, float>{});
    case WPRIM_BF16: return f(Typed<bf16, float>{});
    default: return f(Typed<float, float>{});
  }
}

template <class F>
auto visit_f64_elements(const Reduce& reduce, F&& f) {
  if (reduce.dtype == WPRIM_F64) return f(Typed<double, double>{});
  switch (size_of(reduce.dtype)) {
    case 1: return f(Sized<1>{});
    case 2: return f(Sized<2>{});
    case 4: return f(Sized<4>{});
    default: return f(Sized<8>{});
  }
}

template <class F>
auto visit_elements(const Reduce& reduce, F&& f) {
  return reduce.accumulator == WPRIM_F32 ? visit_f32_elements(reduce, f) : visit_f64_elements(reduce, f);
}

}  // namespace wprim::cuda
