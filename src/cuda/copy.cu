#include "cuda/copy.h"

#include "cuda/error.h"
#include "cuda/kernels/copy.cuh"

namespace wprim::cuda {
namespace {

const void* kernel_of(bool across) {
  return across ? reinterpret_cast<const void*>(copy_kernel<true>)
                : reinterpret_cast<const void*>(copy_kernel<false>);
}

}  // namespace

void prepare_copy(const Copy& copy, Launch* launch) {
  const auto distance = reinterpret_cast<uintptr_t>(copy.src) - reinterpret_cast<uintptr_t>(copy.dst);
  const unsigned shift = distance % 16;
  const ByteSpan span = split(copy.dst, copy.bytes, shift != 0);
  launch->kernel = kernel_of(shift != 0);
  launch->blocks = blocks_of(span);
  launch->threads = policy::kMemoryThreads;
  launch->why = "a vector a thread";
  launch->set(CopyParams{span, copy.src, shift});
}

Status load_copy() {
  cudaFuncAttributes attributes;
  for (const bool across : {false, true})
    WPRIM_CUDA_TRY(cudaFuncGetAttributes(&attributes, kernel_of(across)));
  return {};
}

}  // namespace wprim::cuda
