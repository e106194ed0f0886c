// The double of what src/cuda needs of CUDA's runtime to launch kernels: they run on the machine, at once.
#pragma once

#include <cstddef>

enum cudaError_t { cudaSuccess, cudaErrorLaunchFailure };
using cudaStream_t = struct CudaStreamOfNobody*;

struct dim3 {
  unsigned x;
  explicit dim3(unsigned n) : x(n) {}
};

cudaError_t cudaLaunchKernel(const void* kernel, dim3 blocks, dim3 threads, void** arguments,
                             size_t shared_bytes, cudaStream_t stream);

struct cudaFuncAttributes {};
inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes*, const void*) { return cudaSuccess; }
