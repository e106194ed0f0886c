#include "cuda/graph.h"

#include "cuda/context.h"
#include "cuda/device.h"
#include "cuda/plan.h"

namespace wprim::cuda {

// The records of host callbacks: one for each callback and stream of a launch, as a launch may still come to them.
struct CudaGraph::Calls {
  std::vector<std::unique_ptr<CallRecord>> records;

  CallRecord* get(const HostCall& call, const std::shared_ptr<LateError>& late_error) {
    for (const auto& record : records) {
      const bool same = record->call.fn == call.fn && record->call.user == call.user;
      if (same && record->late_error == late_error) return record.get();
    }
    records.push_back(std::make_unique<CallRecord>(CallRecord{call, late_error}));
    return records.back().get();
  }
};

namespace {

cudaKernelNodeParams kernel_params(Launch& launch, void** arguments) {
  arguments[0] = launch.parameters;
  cudaKernelNodeParams params{};
  params.func = const_cast<void*>(launch.kernel);
  params.gridDim = dim3(launch.blocks);
  params.blockDim = dim3(launch.threads);
  params.kernelParams = arguments;
  return params;
}

CudaContext& cuda_context(const Graph& graph) { return static_cast<CudaContext&>(graph.context()); }

}  // namespace

CudaGraph::~CudaGraph() {
  const DeviceScope scope(cuda_context(*this).device());
  if (executable_) ignore(cudaGraphExecDestroy(executable_));  // launches in flight complete
  if (graph_) ignore(cudaGraphDestroy(graph_));
}

// The calls live as long as the graph, its instance or a launch of it.
Status CudaGraph::keep_calls() {
  auto calls = std::make_unique<Calls>();
  cudaUserObject_t owner;
  WPRIM_CUDA_TRY(cudaUserObjectCreate(
      &owner, calls.get(), [](void* p) { delete static_cast<Calls*>(p); }, 1,
      cudaUserObjectNoDestructorSync));
  calls_ = calls.release();
  return check(cudaGraphRetainUserObject(graph_, owner, 1, cudaGraphUserObjectMove),
               "cudaGraphRetainUserObject");
}

Status CudaGraph::add(uint32_t node, Launch& launch, const std::vector<cudaGraphNode_t>& after) {
  if (launch.cells > 0) {
    WorkspaceBlock block;
    WPRIM_TRY(cuda_context(*this).captured_workspaces()->get(graph_, launch.cells, &block));
    launch.set_workspace(block.space());
  }
  void* arguments[1];
  const cudaKernelNodeParams params = kernel_params(launch, arguments);
  return check(cudaGraphAddKernelNode(&native_[node], graph_, after.data(), after.size(), &params),
               "cudaGraphAddKernelNode");
}

Status CudaGraph::build_node(uint32_t node) {
  std::vector<cudaGraphNode_t> after;
  for (const uint32_t before : nodes_[node].after) after.push_back(native_[before]);
  Step& step = steps_[node];
  WPRIM_TRY(prepare(nodes_[node].work, cuda_context(*this), nullptr, &step));
  if (auto* launch = std::get_if<Launch>(&step)) return add(node, *launch, after);
  if (const auto* copy = std::get_if<Copy>(&step)) {
    return check(cudaGraphAddMemcpyNode1D(&native_[node], graph_, after.data(), after.size(), copy->dst,
                                          copy->src, copy->bytes, cudaMemcpyDefault),
                 "cudaGraphAddMemcpyNode1D");
  }
  if (const auto* call = std::get_if<HostCall>(&step)) {
    if (!calls_) WPRIM_TRY(keep_calls());
    const cudaHostNodeParams params{call_again, calls_->get(*call, late_error_)};
    return check(cudaGraphAddHostNode(&native_[node], graph_, after.data(), after.size(), &params),
                 "cudaGraphAddHostNode");
  }
  return check(cudaGraphAddEmptyNode(&native_[node], graph_, after.data(), after.size()),
               "cudaGraphAddEmptyNode");
}

Status CudaGraph::build() {
  const DeviceScope scope(cuda_context(*this).device());
  WPRIM_CUDA_TRY(cudaGraphCreate(&graph_, 0));
  native_.resize(nodes_.size());
  steps_.resize(nodes_.size());
  for (uint32_t node = 0; node < nodes_.size(); ++node) WPRIM_TRY(build_node(node));
  return check(cudaGraphInstantiate(&executable_, graph_, 0), "cudaGraphInstantiate");
}

Status CudaGraph::set_call(uint32_t node, const HostCall& call) {
  const cudaHostNodeParams params{call_again, calls_->get(call, late_error_)};
  return check(cudaGraphExecHostNodeSetParams(executable_, native_[node], &params),
               "cudaGraphExecHostNodeSetParams");
}

Status CudaGraph::launch(cudaStream_t stream, const std::shared_ptr<LateError>& late_error) {
  std::lock_guard lock(launching_);
  if (calls_ && late_error_ != late_error) {
    late_error_ = late_error;
    for (uint32_t node = 0; node < steps_.size(); ++node) {
      if (const auto* call = std::get_if<HostCall>(&steps_[node])) WPRIM_TRY(set_call(node, *call));
    }
  }
  return check(cudaGraphLaunch(executable_, stream), "cudaGraphLaunch");
}

// The step is of the same kind as before.
Status CudaGraph::set(uint32_t node, const Step& step, const Work& work) {
  if (const auto* launch = std::get_if<Launch>(&step)) {
    Launch rebound = *launch;
    if (rebound.cells > 0) {  // it keeps its workspace: how much it needs does not depend on the memory
      std::memcpy(rebound.parameters + rebound.workspace_at,
                  std::get<Launch>(steps_[node]).parameters + rebound.workspace_at, sizeof(CellSpace));
    }
    void* arguments[1];
    const cudaKernelNodeParams params = kernel_params(rebound, arguments);
    WPRIM_CUDA_TRY(cudaGraphExecKernelNodeSetParams(executable_, native_[node], &params));
    steps_[node] = rebound;
  } else if (const auto* copy = std::get_if<Copy>(&step)) {
    const cudaError_t error = cudaGraphExecMemcpyNodeSetParams1D(executable_, native_[node], copy->dst,
                                                                 copy->src, copy->bytes, cudaMemcpyDefault);
    ignore(error);
    if (error == cudaErrorInvalidValue) {
      return fail(WPRIM_ERROR_UNSUPPORTED,
                  "node %u: CUDA cannot make this copy out of the one that was recorded: "
                  "memory of the device must stay of the device, memory of the host of the host",
                  node);
    }
    WPRIM_TRY(check(error, "cudaGraphExecMemcpyNodeSetParams1D"));
    steps_[node] = step;
  } else if (const auto* call = std::get_if<HostCall>(&step)) {
    WPRIM_TRY(set_call(node, *call));
    steps_[node] = step;
  }
  nodes_[node].work = work;
  return {};
}

Status CudaGraph::rebind(const std::vector<Binding>& bindings) {
  const DeviceScope scope(cuda_context(*this).device());
  std::lock_guard lock(launching_);
  std::vector<Step> steps(bindings.size());
  for (size_t i = 0; i < bindings.size(); ++i) {
    const auto& [node, work] = bindings[i];
    WPRIM_TRY(prepare(work, cuda_context(*this), nullptr, &steps[i]));
    if (steps[i].index() != steps_[node].index()) {
      return fail(WPRIM_ERROR_UNSUPPORTED, "node %u is a copy %s: a rebound one must be the same", node,
                  std::holds_alternative<Launch>(steps_[node]) ? "within the device" : "to or from the host");
    }
  }
  struct Before {
    uint32_t node;
    Step step;
    Work work;
  };
  std::vector<Before> done;
  for (size_t i = 0; i < bindings.size(); ++i) {
    const uint32_t node = bindings[i].node;
    done.push_back({node, steps_[node], nodes_[node].work});
    Status status = set(node, steps[i], bindings[i].work);
    if (status.ok()) continue;
    done.pop_back();
    for (const Before& before : done)
      static_cast<void>(set(before.node, before.step, before.work).ok());  // all or none
    return status;
  }
  return {};
}

void CudaGraph::describe(uint32_t node, Description* description) const {
  describe_step(steps_[node], cuda_context(*this).device(), description);
}

}  // namespace wprim::cuda
