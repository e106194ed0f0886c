// Copy in device memory: one vector of 16 bytes a thread, which a GPU moves faster than any loop.
#pragma once

#include "cuda/kernels/memory_params.h"
#include "cuda/kernels/vector.cuh"
#include "cuda/policy/memory.h"

namespace wprim::cuda {

// The 16 bytes at an address that is `shift` bytes above an aligned one: two aligned vectors, shifted. The second is the
// next lane's first, and comes from the cache.
WPRIM_DEVICE machine::Vector load_across(const std::byte* p, unsigned shift) {
  return shifted(machine::load_kept(p - shift), machine::load_kept(p - shift + 16), shift);
}

// kAcross: the shift is not 0.
template <bool kAcross>
__global__ void __launch_bounds__(policy::kMemoryThreads)
    copy_kernel(const __grid_constant__ CopyParams params) {
  const auto& [span, src, shift] = params;
  const uint64_t i = machine::block_index() * policy::kMemoryThreads + machine::thread_index();
  if (i < span.vectors) {
    const std::byte* from = src + span.head + 16 * i;
    *reinterpret_cast<machine::Vector*>(span.dst + span.head + 16 * i) =
        kAcross ? load_across(from, shift) : machine::load_streaming(from);
  }
  if (i < span.head) span.dst[i] = src[i];
  if (i < span.tail) {
    const uint64_t at = span.head + 16 * span.vectors + i;
    span.dst[at] = src[at];
  }
}

}  // namespace wprim::cuda
