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
class Kernels {
 public:
  ~Kernels() {
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
Kernels launched;

}  // namespace

std::vector<uint64_t> seeds() {
  std::vector<uint64_t> all(number_of("WARPPRIM_SIMT_SEEDS", kLeastSeeds));
  for (size_t i = 0; i < all.size(); ++i) all[i] = number_of("WARPPRIM_SIMT_SEED", 1) + i;
  return all;
}

Launched run(const wprim::cuda::Launch& launch, const Setting& setting, const std::function<void()>& thread) {
  launched.add(launch.kernel);
  return {launch.kernel, run({launch.kernel, launch.blocks, launch.threads, thread}, setting)};
}

}  // namespace simt

namespace wprim::cuda {

Status check(cudaError_t, const char*) { return {}; }

}  // namespace wprim::cuda
