#include "cuda/fill.h"

#include "cuda/context.h"
#include "cuda/error.h"
#include "cuda/machine.cuh"

namespace wprim::cuda {
namespace {

constexpr unsigned kThreads = 256;

template <class T>
__global__ void __launch_bounds__(kThreads) fill_kernel(T* out, uint64_t n, T value) {
  const uint64_t step = machine::grid_blocks() * kThreads;
  for (uint64_t i = machine::block_index() * kThreads + machine::thread_index(); i < n; i += step)
    out[i] = value;
}

template <class T>
Status launch(const Fill& fill, unsigned multiprocessors, cudaStream_t stream) {
  T value;
  memcpy(&value, fill.value, sizeof value);
  const uint64_t blocks = (fill.n + kThreads - 1) / kThreads, most = 16ull * multiprocessors;
  T* out = reinterpret_cast<T*>(fill.dst);
  uint64_t n = fill.n;
  void* arguments[] = {&out, &n, &value};
  return check(cudaLaunchKernel(reinterpret_cast<const void*>(fill_kernel<T>),
                                dim3(static_cast<unsigned>(blocks < most ? blocks : most)), dim3(kThreads),
                                arguments, 0, stream),
               "cudaLaunchKernel");
}

}  // namespace

Status launch_fill(const Fill& fill, const CudaContext& context, cudaStream_t stream) {
  switch (fill.size) {
    case 1: return launch<uint8_t>(fill, context.multiprocessors(), stream);
    case 2: return launch<uint16_t>(fill, context.multiprocessors(), stream);
    case 4: return launch<uint32_t>(fill, context.multiprocessors(), stream);
    default: return launch<uint64_t>(fill, context.multiprocessors(), stream);
  }
}

}  // namespace wprim::cuda
