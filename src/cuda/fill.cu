#include "cuda/fill.h"

#include "cuda/error.h"
#include "cuda/kernels/fill.cuh"

namespace wprim::cuda {

Status check_kernels() {
  cudaFuncAttributes attributes;
  WPRIM_CUDA_TRY(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(fill_kernel)));
  return {};
}

Status launch_fill(const Fill& fill, cudaStream_t stream) {
  uint64_t pattern = 0;
  for (uint32_t at = 0; at < sizeof pattern; at += fill.size)
    memcpy(reinterpret_cast<std::byte*>(&pattern) + at, fill.value, fill.size);
  ByteSpan span = split(fill.dst, fill.n * fill.size, false);
  void* arguments[] = {&span, &pattern};
  return check(cudaLaunchKernel(reinterpret_cast<const void*>(fill_kernel), dim3(blocks_of(span)),
                                dim3(policy::kMemoryThreads), arguments, 0, stream),
               "cudaLaunchKernel");
}

}  // namespace wprim::cuda
