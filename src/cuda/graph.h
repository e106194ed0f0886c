// A graph on a GPU: the nodes as a CUDA graph, made once, launched often.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <mutex>
#include <vector>

#include "core/backend.h"
#include "cuda/host_call.h"
#include "cuda/prepare.h"

namespace wprim::cuda {

class CudaGraph final : public Graph {
 public:
  using Graph::Graph;
  ~CudaGraph() override;

  // Before first use.
  Status build();

  // Its host callbacks leave their errors of this launch in `late_error`.
  Status launch(cudaStream_t stream, const std::shared_ptr<LateError>& late_error);
  Status rebind(const std::vector<Binding>& bindings) override;
  void describe(uint32_t node, Description* description) const override;

 private:
  struct Calls;

  Status build_node(uint32_t node);
  Status add(uint32_t node, Launch& launch, const std::vector<cudaGraphNode_t>& after);
  Status set(uint32_t node, const Step& step, const Work& work);
  Status keep_calls();
  Status set_call(uint32_t node, const HostCall& call);

  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
  std::vector<cudaGraphNode_t> native_;
  std::vector<Step> steps_;
  Calls* calls_ = nullptr;  // null: none. The graph owns them: launches in flight may be in them
  std::shared_ptr<LateError> late_error_;  // where they leave their errors from the next launch on
  std::mutex launching_;                   // CUDA wants one thread at a time
};

}  // namespace wprim::cuda
