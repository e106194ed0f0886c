// The double of src/cuda/workspace.h: exactly as many cells as a launch asks for, where kernels reach them.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>

#include "core/status.h"
#include "cuda/kernels/reduce_params.h"
#include "support.h"

namespace wprim::cuda {

class Workspace {
 public:
  // As if so many launches had used it.
  explicit Workspace(uint32_t launches) : launches_(launches) {}

  Status get(cudaStream_t, uint64_t cells, ReduceWorkspace* out) {
    if (!memory_ || cells > cells_) {
      memory_ = std::make_unique<simt::Array>("the workspace", 16 + 8 * cells, simt::Content::zero);
      cells_ = cells;
      *epoch() = launches_;
    }
    *out = {epoch(), done(), reinterpret_cast<uint64_t*>(memory_->get() + 16)};
    return {};
  }
  // Blocks that were counted and not forgotten: 0 between launches.
  uint32_t left_over() const { return memory_ ? *done() : 0; }

 private:
  uint32_t* epoch() const { return reinterpret_cast<uint32_t*>(memory_->get()); }
  uint32_t* done() const { return reinterpret_cast<uint32_t*>(memory_->get() + 8); }

  const uint32_t launches_;
  std::unique_ptr<simt::Array> memory_;
  uint64_t cells_ = 0;
};

}  // namespace wprim::cuda
