// A kernel made ready: what a stream launches at once, a plan keeps and a graph has as a node. Families fill it in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "cuda/kernels/workspace.h"

namespace wprim::cuda {

struct Launch {
  static constexpr size_t kMostBytes = 256;  // of parameters
  static constexpr size_t kNoWorkspace = kMostBytes;

  const void* kernel = nullptr;
  unsigned blocks = 0;
  unsigned threads = 0;
  uint64_t cells = 0;                  // of workspace that it needs
  size_t workspace_at = kNoWorkspace;  // where in the parameters it is told its workspace
  const void* resident = nullptr;      // what a resident kernel does in its place, if it can
  const char* why = "";
  alignas(16) std::byte parameters[kMostBytes];

  // A kernel takes one struct.
  template <class Parameters>
  void set(const Parameters& p) {
    static_assert(std::is_trivially_copyable_v<Parameters> && sizeof p <= kMostBytes);
    std::memcpy(parameters, &p, sizeof p);
    std::memset(parameters + sizeof p, 0, kMostBytes - sizeof p);  // so that equal launches have equal bytes
  }
  void set_workspace(const CellSpace& space) { std::memcpy(parameters + workspace_at, &space, sizeof space); }
};

}  // namespace wprim::cuda
