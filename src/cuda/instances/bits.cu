#include "cuda/instances/find.h"
#include "cuda/kernels/reduce.cuh"
#include "cuda/kernels/words.cuh"

namespace wprim::cuda {

ReduceKernels find_bits(const Reduce& reduce) {
  const bool bitwise = find_op(reduce.op)->rule == OpRule::bitwise && reduce.dtype != WPRIM_BOOL;
  switch (size_of(reduce.dtype)) {
    case 1: return bitwise ? reduce_kernels<Bitwise<uint8_t>>() : reduce_kernels<Counts<uint8_t>>();
    case 2: return bitwise ? reduce_kernels<Bitwise<uint16_t>>() : reduce_kernels<Counts<uint16_t>>();
    case 4: return bitwise ? reduce_kernels<Bitwise<uint32_t>>() : reduce_kernels<Counts<uint32_t>>();
    default: return bitwise ? reduce_kernels<Bitwise<uint64_t>>() : reduce_kernels<Counts<uint64_t>>();
  }
}

}  // namespace wprim::cuda
