// What a reduce kernel is told. Plain data, shared by host and device.
#pragma once

#include <cstddef>
#include <cstdint>

#include "warpprim.h"

namespace wprim::cuda {

// Cells and counters of one stream (or of one captured op): zero before first use, left ready for the next launch.
struct ReduceWorkspace {
  uint32_t* epoch;  // the number of launches that used the cells so far
  uint32_t* done;   // blocks that have finished, 0 between launches
  uint64_t* cells;
};

struct ReduceParams {
  const std::byte* in;
  std::byte* out;
  uint64_t rows;
  uint64_t cols;
  uint64_t stride_bytes;  // from row to row
  uint64_t pieces;        // chunks of a row
  uint64_t groups;        // chunks of partials of a row; 0 where a warp finishes the row
  ReduceWorkspace workspace;
  wprim_op op;
  wprim_dtype dtype;
  wprim_dtype out_dtype;
  uint32_t ignore_nan;
  uint32_t ddof;
  uint32_t out_bytes;  // of one output element
  uint32_t floating;   // the input is a float type
  uint32_t easy;       // every row is whole 16-byte vectors at 16-byte addresses
  uint32_t tile;       // narrow: lanes a row
};

// The kernels of one op on one storage type.
struct ReduceKernels {
  const void* narrow;  // see kernels/reduce.cuh
  const void* rows;
  const void* long_rows;
  const void* pieces;
  uint32_t state_words;
  uint32_t partial_components;  // V of the partials
};

}  // namespace wprim::cuda
