#include "cuda/copy.h"

#include "cuda/error.h"
#include "cuda/kernels/copy.cuh"

namespace wprim::cuda {

Status launch_copy(const Copy& copy, cudaStream_t stream) {
  const auto distance = reinterpret_cast<uintptr_t>(copy.src) - reinterpret_cast<uintptr_t>(copy.dst);
  unsigned shift = distance % 16;
  ByteSpan span = split(copy.dst, copy.bytes, shift != 0);
  const std::byte* src = copy.src;
  const void* kernel = shift ? reinterpret_cast<const void*>(copy_kernel<true>)
                             : reinterpret_cast<const void*>(copy_kernel<false>);
  void* arguments[] = {&span, &src, &shift};
  return check(
      cudaLaunchKernel(kernel, dim3(blocks_of(span)), dim3(policy::kMemoryThreads), arguments, 0, stream),
      "cudaLaunchKernel");
}

}  // namespace wprim::cuda
