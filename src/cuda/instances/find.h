// Which kernels do an op. Each family is compiled in a file of its own, so that they build side by side.
#pragma once

#include "core/reduce.h"
#include "cuda/kernels/reduce_params.h"

namespace wprim::cuda {

ReduceKernels find_rounding_f32(const Reduce& reduce);
ReduceKernels find_rounding_f64(const Reduce& reduce);
ReduceKernels find_moments(const Reduce& reduce);
ReduceKernels find_logsum(const Reduce& reduce);
ReduceKernels find_extremes(const Reduce& reduce);
ReduceKernels find_position(const Reduce& reduce);
ReduceKernels find_words(const Reduce& reduce);
ReduceKernels find_bits(const Reduce& reduce);  // any all count_nonzero and or xor

// What a resident kernel calls for an op: the address, in this program, of a device variable that has the function's.
const void* find_small(const Reduce& reduce);
const void* resident_kernel_address();

enum class Family { rounding_f32, rounding_f64, moments, logsum, extremes, position, words, bits };

inline Family family_of(const Reduce& r) {
  const Family rounding = r.accumulator == WPRIM_F32 ? Family::rounding_f32 : Family::rounding_f64;
  switch (find_op(r.op)->rule) {
    case OpRule::sum: return r.accumulator == WPRIM_U64 ? Family::words : rounding;
    case OpRule::statistic:
      if (r.op == WPRIM_LOGSUMEXP) return Family::logsum;
      return r.op == WPRIM_VAR || r.op == WPRIM_STD ? Family::moments : rounding;
    case OpRule::bitwise:
    case OpRule::truth:
    case OpRule::count: return Family::bits;
    case OpRule::index: return Family::position;
    case OpRule::selection:
    case OpRule::magnitude: return Family::extremes;
  }
  __builtin_unreachable();
}

}  // namespace wprim::cuda
