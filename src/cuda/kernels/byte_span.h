// A range of bytes as kernels write it: aligned vectors of 16 bytes, and single bytes before and behind them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/policy/memory.h"

namespace wprim::cuda {

struct ByteSpan {
  std::byte* dst;
  uint64_t vectors;
  uint32_t head;  // single bytes, at most 32 at either end
  uint32_t tail;
};

// A thread for each vector. Single bytes are the business of the first block's threads, beside their vectors.
inline unsigned blocks_of(const ByteSpan& span) {
  return static_cast<unsigned>((span.vectors + policy::kMemoryThreads - 1) / policy::kMemoryThreads) +
         (span.vectors == 0);
}

// With `spare`, at least 16 bytes stay single at either end, so that whoever reads a vector across two aligned ones
// reads nothing outside the range.
inline ByteSpan split(std::byte* dst, uint64_t bytes, bool spare) {
  const uint64_t to_aligned = -reinterpret_cast<uintptr_t>(dst) % 16, ends = spare ? 16 : 0;
  if (bytes < 32 + 2 * ends) {  // too short to have a vector: up to 63 bytes
    const uint64_t head = bytes / 2;
    return {dst, 0, static_cast<uint32_t>(head), static_cast<uint32_t>(bytes - head)};
  }
  const uint64_t head = to_aligned + ends, vectors = (bytes - head - ends) / 16;
  return {dst, vectors, static_cast<uint32_t>(head), static_cast<uint32_t>(bytes - head - 16 * vectors)};
}

}  // namespace wprim::cuda
