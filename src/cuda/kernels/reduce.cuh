// Reduce on the GPU: docs/numerics.md section 3, whatever the shape. Three kernels, the same bits:
//
//   rows     rows of at most 256 slots: a few lanes or a warp a row, from shared memory that copies fill in the background
//   pieces   not too many pieces: a block a piece, straight from memory, the shortest way
//   stream   any number of pieces: a block takes many, its next ones on the way
#pragma once

#include "cuda/kernels/pieces.cuh"
#include "cuda/kernels/rows.cuh"

namespace wprim::cuda {

template <class Algebra>
ReduceKernels reduce_kernels() {
  return {reinterpret_cast<const void*>(reduce_rows<Algebra, true>),
          reinterpret_cast<const void*>(reduce_rows<Algebra, false>),
          reinterpret_cast<const void*>(reduce_pieces<Algebra, true>),
          reinterpret_cast<const void*>(reduce_pieces<Algebra, false>),
          reinterpret_cast<const void*>(reduce_stream<Algebra>),
          sizeof(typename Algebra::State) / 4,
          Algebra::kPartialComponents,
          Algebra::kCommutative};
}

// For whoever chooses an algebra: its kernels.
struct KernelsOf {
  template <class Algebra>
  ReduceKernels of() const {
    return reduce_kernels<Algebra>();
  }
};

}  // namespace wprim::cuda
