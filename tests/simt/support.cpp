#include "support.h"

#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <set>

#include "cuda/error.h"

namespace simt {
namespace {

uint64_t number_of(const char* variable, uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

// The kernels that were launched, for check_kernels.py.
class Launched {
 public:
  ~Launched() {
    const char* name = std::getenv("WARPPRIM_SIMT_LAUNCHED");
    FILE* file = name ? std::fopen(name, "w") : nullptr;
    if (!file) return;
    for (const void* kernel : kernels_) std::fprintf(file, "%zx\n", address_in_file(kernel));
    std::fclose(file);
  }
  void add(const void* kernel) { kernels_.insert(kernel); }

 private:
  std::set<const void*> kernels_;
};
Launched launched;

}  // namespace

Device device;

std::vector<uint64_t> seeds() {
  std::vector<uint64_t> all(number_of("WARPPRIM_SIMT_SEEDS", kLeastSeeds));
  for (size_t i = 0; i < all.size(); ++i) all[i] = number_of("WARPPRIM_SIMT_SEED", 1) + i;
  return all;
}

}  // namespace simt

cudaError_t cudaLaunchKernel(const void* kernel, dim3 blocks, dim3 threads, void** arguments, size_t,
                             cudaStream_t) {
  using simt::device;
  simt::launched.add(kernel);
  device.kernel = kernel;
  device.finding =
      simt::run({kernel, blocks.x, threads.x, [&] { device.call(kernel, arguments); }}, device.setting);
  return device.finding ? cudaErrorLaunchFailure : cudaSuccess;
}

namespace wprim::cuda {

Status check(cudaError_t error, const char*) {
  return error == cudaSuccess ? Status() : Status::literal(WPRIM_ERROR_DEVICE, "the machine found something");
}

}  // namespace wprim::cuda
