#include "cuda/stream.h"

#include "cuda/context.h"
#include "cuda/device.h"
#include "cuda/event.h"
#include "cuda/graph.h"
#include "cuda/plan.h"
#include "cuda/query.h"

namespace wprim::cuda {

CudaStream::CudaStream(std::shared_ptr<CudaContext> context, cudaStream_t native, bool owned)
    : Stream(context), native_(native), owned_(owned), workspace_(context->captured_workspaces()) {}

CudaStream::~CudaStream() {
  const DeviceScope scope(cuda_context().device());
  workspace_.release(native_);
  if (owned_) ignore(cudaStreamDestroy(native_));  // returns at once, work in flight completes
}

CudaContext& CudaStream::cuda_context() const { return static_cast<CudaContext&>(context()); }

Status CudaStream::enqueue(const Work& work) {
  const DeviceScope scope(cuda_context().device());
  Step step;
  WPRIM_TRY(prepare(work, cuda_context(), &native_, &step));
  return run(step);
}

Status CudaStream::enqueue(const Plan& plan) {
  const DeviceScope scope(cuda_context().device());
  Step step = static_cast<const CudaPlan&>(plan).step();
  return run(step);
}

Status CudaStream::enqueue(Graph& graph) {
  const DeviceScope scope(cuda_context().device());
  WPRIM_TRY(check_not_capturing());
  return static_cast<CudaGraph&>(graph).launch(native_, late_error_);
}

Status CudaStream::enqueue_record(Event& event) {
  const DeviceScope scope(cuda_context().device());
  return check(cudaEventRecord(static_cast<CudaEvent&>(event).native(), native_), "cudaEventRecord");
}

Status CudaStream::enqueue_wait(Event& event) {
  const DeviceScope scope(cuda_context().device());
  return check(cudaStreamWaitEvent(native_, static_cast<CudaEvent&>(event).native(), 0),
               "cudaStreamWaitEvent");
}

// Asking a captured stream how far it is would end the capture: refused before CUDA hears of it.
Status CudaStream::check_not_capturing() const {
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  WPRIM_CUDA_TRY(cudaStreamIsCapturing(native_, &capture));
  if (capture == cudaStreamCaptureStatusNone) return {};
  return fail(WPRIM_ERROR_UNSUPPORTED,
              "stream is being captured: do this before the capture, or after the launch of its graph");
}

Status CudaStream::wait_until_idle() {
  WPRIM_TRY(check_not_capturing());
  WPRIM_CUDA_TRY(cudaStreamSynchronize(native_));
  return take_late_error();
}

Status CudaStream::ask() {
  WPRIM_TRY(check_not_capturing());
  const cudaError_t error = cuda::query(native_);
  if (error == cudaErrorNotReady) return Status::not_ready();
  WPRIM_TRY(check(error, "cudaStreamQuery"));
  return take_late_error();
}

Status CudaStream::run(Step& step) {
  return std::visit([&](auto& s) { return run(s); }, step);
}

Status CudaStream::run(Launch& launch) {
  if (launch.cells > 0) {
    CellSpace space;
    WPRIM_TRY(workspace_.get(native_, launch.cells, &space));
    launch.set_workspace(space);
  }
  void* arguments[] = {launch.parameters};
  return check(
      cudaLaunchKernel(launch.kernel, dim3(launch.blocks), dim3(launch.threads), arguments, 0, native_),
      "cudaLaunchKernel");
}

Status CudaStream::run(const Copy& copy) {
  return check(cudaMemcpyAsync(copy.dst, copy.src, copy.bytes, cudaMemcpyDefault, native_),
               "cudaMemcpyAsync");
}

Status CudaStream::run(const HostCall& call) {
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  cudaGraph_t graph = nullptr;
  WPRIM_CUDA_TRY(cudaStreamGetCaptureInfo(native_, &capture, nullptr, &graph, nullptr, nullptr, nullptr));
  const bool captured = capture == cudaStreamCaptureStatusActive;
  auto record = std::make_unique<CallRecord>(CallRecord{call, late_error_});
  WPRIM_CUDA_TRY(cudaLaunchHostFunc(native_, captured ? call_again : call_once, record.get()));
  CallRecord* owned = record.release();
  if (!captured) return {};
  cudaUserObject_t owner;
  WPRIM_CUDA_TRY(cudaUserObjectCreate(
      &owner, owned, [](void* p) { delete static_cast<CallRecord*>(p); }, 1, cudaUserObjectNoDestructorSync));
  return check(cudaGraphRetainUserObject(graph, owner, 1, cudaGraphUserObjectMove),
               "cudaGraphRetainUserObject");
}

Status CudaStream::run(const Release& release) {
  return check(cudaFreeAsync(release.ptr, native_), "cudaFreeAsync");
}

}  // namespace wprim::cuda
