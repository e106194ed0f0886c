#include "cuda/plan.h"

#include "cuda/context.h"
#include "cuda/device.h"

namespace wprim::cuda {

Status CudaPlan::prepare() { return rebind(work_); }

Status CudaPlan::rebind(const Work& work) {
  const DeviceScope scope(context_->info().ordinal);
  Step step;
  WPRIM_TRY(cuda::prepare(work, static_cast<const CudaContext&>(*context_), nullptr, &step));
  step_ = step;
  work_ = work;
  return {};
}

void CudaPlan::describe(Description* description) const {
  describe_step(step_, context_->info().ordinal, description);
}

void describe_step(const Step& step, int device, Description* description) {
  if (std::holds_alternative<std::monostate>(step)) description->add("why", "nothing to do");
  const auto* launch = std::get_if<Launch>(&step);
  if (!launch) return;
  const DeviceScope scope(device);
  cudaFuncAttributes attributes{};
  ignore(cudaFuncGetAttributes(&attributes, launch->kernel));
  const char* name = "";
  ignore(cudaFuncGetName(&name, launch->kernel));
  int resident = 0;
  ignore(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, launch->kernel,
                                                       static_cast<int>(launch->threads), 0));
  description->add("kernel", name);
  description->add("grid", uint64_t{launch->blocks});
  description->add("block", uint64_t{launch->threads});
  description->add("cluster", uint64_t{1});
  description->add("shared_bytes", uint64_t{attributes.sharedSizeBytes});
  description->add("registers", static_cast<uint64_t>(attributes.numRegs));
  description->add("blocks_a_multiprocessor", static_cast<uint64_t>(resident));
  description->add("workspace_bytes", launch->cells * sizeof(uint64_t));
  description->add("why", launch->why);
}

}  // namespace wprim::cuda
