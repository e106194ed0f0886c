// What the kernels of copy and fill are told. Plain data, shared by host and device.
#pragma once

#include "cuda/kernels/byte_span.h"

namespace wprim::cuda {

struct CopyParams {
  ByteSpan span;
  const std::byte* src;
  unsigned shift;  // how far the source of an aligned vector of the destination is from an aligned address
};

struct FillParams {
  ByteSpan span;
  uint64_t pattern;  // the eight bytes at each address that is a multiple of 8
};

}  // namespace wprim::cuda
