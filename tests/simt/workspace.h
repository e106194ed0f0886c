// The workspace of launches: exactly as many cells as a launch asks for, where kernels reach them.
#pragma once

#include <memory>

#include "cuda/kernels/workspace.h"
#include "support.h"

namespace simt {

class Workspace {
 public:
  // As if so many launches had used it.
  explicit Workspace(uint32_t launches) : launches_(launches) {}

  wprim::cuda::CellSpace get(uint64_t cells) {
    if (!memory_ || cells > cells_) {
      memory_ = std::make_unique<Array>("the workspace", 16 + 8 * cells, Content::zero);
      cells_ = cells;
      *epoch() = launches_;
    }
    return {epoch(), done(), reinterpret_cast<uint64_t*>(memory_->get() + 16)};
  }
  // Blocks that were counted and not forgotten: 0 between launches.
  uint32_t left_over() const { return memory_ ? *done() : 0; }

 private:
  uint32_t* epoch() const { return reinterpret_cast<uint32_t*>(memory_->get()); }
  uint32_t* done() const { return reinterpret_cast<uint32_t*>(memory_->get() + 8); }

  const uint32_t launches_;
  std::unique_ptr<Array> memory_;
  uint64_t cells_ = 0;
};

}  // namespace simt
