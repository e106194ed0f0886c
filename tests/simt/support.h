// What tests of kernels share: memory, seeds, and the device that the library's own launching code finds.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
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

// The seeds to run: WARPPRIM_SIMT_SEEDS of them, from WARPPRIM_SIMT_SEED (default 1) on. So many that follow each other have
// every kernel and every kind of schedule; it is also the default.
inline constexpr uint64_t kLeastSeeds = 32;
std::vector<uint64_t> seeds();

// What cudaLaunchKernel launches on.
struct Device {
  Setting setting;
  std::optional<Finding> finding;  // of the last launch
  const void* kernel = nullptr;    // the last one
  void (*call)(const void* kernel, void** arguments) = nullptr;

  // The arguments that kernels take from now on.
  template <class... Args>
  void expect_arguments() {
    call = [](const void* kernel, void** arguments) {
      const auto function = reinterpret_cast<void (*)(Args...)>(const_cast<void*>(kernel));
      [&]<size_t... i>(std::index_sequence<i...>) {
        function(*static_cast<Args*>(arguments[i])...);
      }(std::index_sequence_for<Args...>{});
    };
  }
};
extern Device device;

}  // namespace simt
