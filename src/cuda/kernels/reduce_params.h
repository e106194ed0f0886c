// What a reduce kernel is told. Plain data, shared by host and device.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/kernels/workspace.h"
#include "warpprim.h"

namespace wprim::cuda {

// Rows kernel: how a warp takes rows.
struct RowTiles {
  uint32_t lanes;  // lanes a row, a power of two
  uint32_t used;   // slots a lane, less those that no lane has
  uint32_t full;   // of these, how many every lane has, with all their elements
  uint32_t
      twist;  // the r-th row of a warp takes slots k ^ (r & twist) where others take k, to spread over the banks
  uint32_t rows;     // rows a tile
  uint32_t pitch;    // bytes from row to row in shared memory
  uint32_t by_hand;  // the rows lie too far apart to be copied as one run
};

struct ReduceParams {
  const std::byte* in;
  std::byte* out;
  uint64_t rows;
  uint64_t cols;
  uint64_t stride_bytes;  // from row to row
  const uint64_t* count;  // where the true number of columns is, of at most cols; or null
  uint64_t pieces;        // chunks of a row
  uint64_t groups;        // chunks of partials of a row; 0 where a warp finishes the row
  CellSpace workspace;
  RowTiles tiles;
  wprim_op op;
  wprim_dtype dtype;
  wprim_dtype out_dtype;
  uint32_t ignore_nan;
  uint32_t ddof;
  uint32_t out_bytes;    // of one output element
  uint32_t floating;     // the input is a float type
  uint32_t easy;         // every row is whole 16-byte vectors at 16-byte addresses
  uint32_t plain;        // the result is the accumulator, written as the input's type
  uint32_t row_a_block;  // stream kernel: a block takes all pieces of a row
};

// The kernels of one op on one storage type.
struct ReduceKernels {
  const void* easy_rows;  // see kernels/reduce.cuh
  const void* any_rows;
  const void* easy_pieces;
  const void* any_pieces;
  const void* stream;
  uint32_t state_words;
  uint32_t partial_components;  // V of the partials
  bool commutative;
};

}  // namespace wprim::cuda
