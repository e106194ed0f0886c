// What tests of kernels share: memory, seeds, and launches of what the library's own code prepared.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <vector>

#include "cuda/launch.h"
#include "machine/grid.h"

namespace simt {

// Memory that kernels reach.
class Array {
 public:
  Array(const char* name, size_t bytes, Content content, size_t shift = 0)
      : region_(memory().allocate(name, bytes, content, shift)) {}
  ~Array() { memory().release(region_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  std::byte* get() const { return region_->begin; }
  size_t bytes() const { return static_cast<size_t>(region_->end - region_->begin); }

 private:
  Region* const region_;
};

// The seeds to run: WARPPRIM_SIMT_SEEDS of them, from WARPPRIM_SIMT_SEED (default 1) on. So many that follow each other have
// every kernel and every kind of schedule; it is also the default.
inline constexpr uint64_t kLeastSeeds = 32;
std::vector<uint64_t> seeds();

// The last launch of a prepared kernel.
struct Launched {
  const void* kernel;
  std::optional<Finding> finding;
};

// Runs what the library's own code chose, a kernel that takes Parameters.
Launched run(const wprim::cuda::Launch& launch, const Setting& setting, const std::function<void()>& thread);
template <class Parameters>
Launched run(const wprim::cuda::Launch& launch, const Setting& setting) {
  Parameters parameters;
  std::memcpy(&parameters, launch.parameters, sizeof parameters);
  const auto kernel = reinterpret_cast<void (*)(Parameters)>(const_cast<void*>(launch.kernel));
  return run(launch, setting, [&] { kernel(parameters); });
}

}  // namespace simt
