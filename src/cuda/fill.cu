#include "cuda/fill.h"

#include "cuda/error.h"
#include "cuda/kernels/fill.cuh"

namespace wprim::cuda {

void prepare_fill(const Fill& fill, Launch* launch) {
  uint64_t pattern = 0;
  for (uint32_t at = 0; at < sizeof pattern; at += fill.size)
    memcpy(reinterpret_cast<std::byte*>(&pattern) + at, fill.value, fill.size);
  const ByteSpan span = split(fill.dst, fill.n * fill.size, false);
  launch->kernel = reinterpret_cast<const void*>(fill_kernel);
  launch->blocks = blocks_of(span);
  launch->threads = policy::kMemoryThreads;
  launch->why = "a vector a thread";
  launch->set(FillParams{span, pattern});
}

Status load_fill() {
  cudaFuncAttributes attributes;
  return check(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(fill_kernel)),
               "cudaFuncGetAttributes");
}

}  // namespace wprim::cuda
