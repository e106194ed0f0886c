// The algebras of and, or, xor, any, all and count_nonzero.
#pragma once

#include "core/reduce.h"
#include "cuda/kernels/words.cuh"

namespace wprim::cuda {

template <class Make>
auto choose_bits(const Reduce& reduce, Make make) {
  const bool bitwise = find_op(reduce.op)->rule == OpRule::bitwise && reduce.dtype != WPRIM_BOOL;
  switch (size_of(reduce.dtype)) {
    case 1: return bitwise ? make.template of<Bitwise<uint8_t>>() : make.template of<Counts<uint8_t>>();
    case 2: return bitwise ? make.template of<Bitwise<uint16_t>>() : make.template of<Counts<uint16_t>>();
    case 4: return bitwise ? make.template of<Bitwise<uint32_t>>() : make.template of<Counts<uint32_t>>();
    default: return bitwise ? make.template of<Bitwise<uint64_t>>() : make.template of<Counts<uint64_t>>();
  }
}

}  // namespace wprim::cuda
