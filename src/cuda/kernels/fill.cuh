// Fill: one vector of 16 bytes a thread.
#pragma once

#include "cuda/kernels/memory_params.h"
#include "cuda/machine.cuh"
#include "cuda/policy/memory.h"

namespace wprim::cuda {

// Elements are aligned, so one kernel has all sizes.
__global__ void __launch_bounds__(policy::kMemoryThreads)
    fill_kernel(const __grid_constant__ FillParams params) {
  const ByteSpan& span = params.span;
  const uint64_t pattern = params.pattern;
  const uint64_t i = machine::block_index() * policy::kMemoryThreads + machine::thread_index();
  const uint32_t low = static_cast<uint32_t>(pattern), high = static_cast<uint32_t>(pattern >> 32);
  if (i < span.vectors) {
    *reinterpret_cast<machine::Vector*>(span.dst + span.head + 16 * i) = {{low, high, low, high}};
  }
  const auto byte_of = [&](const std::byte* at) {
    return static_cast<std::byte>(pattern >> 8 * (reinterpret_cast<uintptr_t>(at) % 8));
  };
  if (i < span.head) span.dst[i] = byte_of(span.dst + i);
  if (i < span.tail) {
    std::byte* at = span.dst + span.head + 16 * span.vectors + i;
    *at = byte_of(at);
  }
}

}  // namespace wprim::cuda
