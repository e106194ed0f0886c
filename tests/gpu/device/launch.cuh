// How a test gets its device code to run: on the GPU.
#pragma once

#include <vector>

#include "support.h"

namespace gpu_test {

// A copy of a vector where device code can reach it.
template <class T>
class OnDevice {
 public:
  explicit OnDevice(const std::vector<T>& values) : count_(values.size()), memory_(count_ * sizeof(T)) {
    EXPECT_EQ(cudaMemcpy(memory_.get(), values.data(), count_ * sizeof(T), cudaMemcpyDefault), cudaSuccess);
  }
  T* get() const { return reinterpret_cast<T*>(memory_.get()); }
  std::vector<T> read() const {
    std::vector<T> values(count_);
    EXPECT_EQ(cudaMemcpy(values.data(), memory_.get(), count_ * sizeof(T), cudaMemcpyDefault), cudaSuccess);
    return values;
  }

 private:
  size_t count_;
  DeviceMemory memory_;
};

template <class Kernel, class... Args>
__global__ void kernel(Args... args) {
  Kernel::run(args...);
}

// Runs Kernel::run(args...) on each thread, and waits.
template <class Kernel, class... Args>
void launch(unsigned blocks, unsigned threads, Args... args) {
  kernel<Kernel, Args...><<<blocks, threads>>>(args...);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  const cudaError_t status = cudaDeviceSynchronize();
  EXPECT_EQ(status, cudaSuccess) << cudaGetErrorString(status);
}

}  // namespace gpu_test
