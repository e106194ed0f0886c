// How the ops that round see an element: as a number of their accumulator type.
#pragma once

#include "core/convert.h"
#include "cuda/kernels/source.cuh"

namespace wprim::cuda {

// The type is known.
template <class T, class A>
struct Typed {
  using Type = T;
  using Accumulator = A;
  static constexpr unsigned kBytes = sizeof(T);
  static constexpr bool kMayBeNan = true;
  static WPRIM_DEVICE A get(const ReduceParams&, const machine::Vector& v, int c) {
    const T x = component<T>(v, c);
    if constexpr (std::is_same_v<T, f16>) {
      return machine::half_to_float(x.bits);
    } else {
      return to_number<A>(x);
    }
  }
};

// Only the size is known, the type is looked up for each element: for pairs of types that nobody reduces in a hurry,
// where a kernel for each would double the library.
template <unsigned kSize>
struct Sized {
  using Accumulator = double;
  static constexpr unsigned kBytes = kSize;
  static constexpr bool kMayBeNan = kSize == 2 || kSize == 4;  // f64 is Typed, and no float has one byte
  static WPRIM_DEVICE double get(const ReduceParams& params, const machine::Vector& v, int c) {
    if constexpr (kSize == 1) {
      switch (params.dtype) {
        case WPRIM_I8: return component<int8_t>(v, c);
        case WPRIM_U8: return component<uint8_t>(v, c);
        default: return component<uint8_t>(v, c) != 0;
      }
    } else if constexpr (kSize == 2) {
      switch (params.dtype) {
        case WPRIM_I16: return component<int16_t>(v, c);
        case WPRIM_U16: return component<uint16_t>(v, c);
        case WPRIM_F16: return to_f32(component<f16>(v, c));
        default: return to_f32(component<bf16>(v, c));
      }
    } else if constexpr (kSize == 4) {
      switch (params.dtype) {
        case WPRIM_I32: return component<int32_t>(v, c);
        case WPRIM_U32: return component<uint32_t>(v, c);
        default: return component<float>(v, c);
      }
    } else {
      return params.dtype == WPRIM_I64 ? static_cast<double>(component<int64_t>(v, c))
                                       : static_cast<double>(component<uint64_t>(v, c));
    }
  }
};

// ---- Results, rounded once to the output type.
template <class A>
WPRIM_DEVICE void store_number(const ReduceParams& params, uint64_t row, A value) {
  switch (params.out_dtype) {
    case WPRIM_F32: reinterpret_cast<float*>(params.out)[row] = from_number<float>(value); break;
    case WPRIM_F64: reinterpret_cast<double*>(params.out)[row] = from_number<double>(value); break;
    case WPRIM_F16: reinterpret_cast<f16*>(params.out)[row] = from_number<f16>(value); break;
    default: reinterpret_cast<bf16*>(params.out)[row] = from_number<bf16>(value); break;
  }
}

WPRIM_DEVICE void store_word(const ReduceParams& params, uint64_t row, uint64_t word) {
  switch (params.out_bytes) {
    case 1: reinterpret_cast<uint8_t*>(params.out)[row] = static_cast<uint8_t>(word); break;
    case 2: reinterpret_cast<uint16_t*>(params.out)[row] = static_cast<uint16_t>(word); break;
    case 4: reinterpret_cast<uint32_t*>(params.out)[row] = static_cast<uint32_t>(word); break;
    default: reinterpret_cast<uint64_t*>(params.out)[row] = word; break;
  }
}

}  // namespace wprim::cuda
