// What tests of kernels share: memory, seeds, and the device that the library's own launching code finds.
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

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

// The seeds to run: WARPPRIM_SIMT_SEEDS of them (default 1), from WARPPRIM_SIMT_SEED (default 1) on.
std::vector<uint64_t> seeds();

// What cudaLaunchKernel launches on.
struct Device {
  Setting setting;
  std::optional<Finding> finding;        // of the last launch
  const void* kernel = nullptr;          // the last one
  void (*call)(const void* kernel, void** arguments) = nullptr;

  // The arguments that kernels take from now on.
  template <class... Args>
  void expect_arguments() {
    call = [](const void* kernel, void** arguments) {
      size_t i = 0;
      // Braces, because the order counts.
      const std::tuple<Args...> all{*static_cast<Args*>(arguments[i++])...};
      std::apply(reinterpret_cast<void (*)(Args...)>(const_cast<void*>(kernel)), all);
    };
  }
};
extern Device device;

}  // namespace simt
