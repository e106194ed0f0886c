// A plan on a GPU: the kernel is chosen, and its parameters are written.
#pragma once

#include "core/backend.h"
#include "cuda/prepare.h"

namespace wprim::cuda {

class CudaPlan final : public Plan {
 public:
  using Plan::Plan;

  // Before first use.
  Status prepare();

  const Step& step() const { return step_; }
  Status rebind(const Work& work) override;
  void describe(Description* description) const override;

 private:
  Step step_;
};

// Kernel, grid and occupancy.
void describe_step(const Step& step, int device, Description* description);

}  // namespace wprim::cuda
