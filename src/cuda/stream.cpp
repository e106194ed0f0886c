#include "cuda/stream.h"

#include "cuda/context.h"
#include "cuda/copy.h"
#include "cuda/device.h"
#include "cuda/event.h"
#include "cuda/fill.h"
#include "cuda/pointer.h"
#include "cuda/query.h"
#include "cuda/reduce.h"

namespace wprim::cuda {

CudaStream::CudaStream(std::shared_ptr<CudaContext> context, cudaStream_t native, bool owned)
    : Stream(context), native_(native), owned_(owned), workspace_(context->captured_workspaces()) {}

CudaStream::~CudaStream() {
  const DeviceScope scope(cuda_context().device());
  workspace_.release(native_);
  if (owned_) ignore(cudaStreamDestroy(native_));  // returns at once, work in flight completes
}

CudaContext& CudaStream::cuda_context() const { return static_cast<CudaContext&>(context()); }

Status CudaStream::submit(const Work& work) {
  const DeviceScope scope(cuda_context().device());
  return std::visit([&](const auto& w) { return run(w); }, work);
}

Status CudaStream::record(Event& event) {
  const DeviceScope scope(cuda_context().device());
  auto& e = static_cast<CudaEvent&>(event);
  WPRIM_CUDA_TRY(cudaEventRecord(e.native(), native_));
  e.set_recorded();
  return {};
}

Status CudaStream::wait(Event& event) {
  const DeviceScope scope(cuda_context().device());
  auto& e = static_cast<CudaEvent&>(event);
  return e.recorded() ? check(cudaStreamWaitEvent(native_, e.native(), 0), "cudaStreamWaitEvent") : Status();
}

// Asking a captured stream how far it is would end the capture: refused before CUDA hears of it.
Status CudaStream::check_not_capturing() const {
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  WPRIM_CUDA_TRY(cudaStreamIsCapturing(native_, &capture));
  if (capture == cudaStreamCaptureStatusNone) return {};
  return fail(WPRIM_ERROR_UNSUPPORTED, "stream is being captured: wait for the graph's launch instead");
}

Status CudaStream::synchronize() {
  WPRIM_TRY(check_not_capturing());
  WPRIM_CUDA_TRY(cudaStreamSynchronize(native_));
  return late_error_->take();
}

Status CudaStream::query() {
  WPRIM_TRY(check_not_capturing());
  const cudaError_t error = cuda::query(native_);
  if (error == cudaErrorNotReady) return Status::not_ready();
  WPRIM_TRY(check(error, "cudaStreamQuery"));
  return late_error_->take();
}

Status CudaStream::run(const Reduce& reduce) {
  const PointerCheck& pointers = cuda_context().pointer_check();
  if (reduce.cols > 0) WPRIM_TRY(pointers.check("in", reduce.in, native_));
  WPRIM_TRY(pointers.check("out", reduce.out, native_));
  return launch_reduce(reduce, cuda_context(), native_, workspace_);
}

// What goes to or from a host is the driver's business, which knows how to reach all of it.
Status CudaStream::run(const Copy& copy) {
  bool here;
  WPRIM_TRY(both_on_device(copy.dst, copy.src, cuda_context().device(), &here));
  if (here) return launch_copy(copy, native_);
  return check(cudaMemcpyAsync(copy.dst, copy.src, copy.bytes, cudaMemcpyDefault, native_),
               "cudaMemcpyAsync");
}

Status CudaStream::run(const Fill& fill) {
  WPRIM_TRY(cuda_context().pointer_check().check("dst", fill.dst, native_));
  return launch_fill(fill, native_);
}

namespace {

struct CallRecord {
  HostCall call;
  std::shared_ptr<LateError> late_error;
  bool kept;  // a graph owns it and may call again
};

void run_call(void* user) {
  auto* record = static_cast<CallRecord*>(user);
  const wprim_status status = record->call.fn(record->call.user);
  if (status != WPRIM_OK) {
    try {
      record->late_error->keep(fail(WPRIM_ERROR_CALLBACK, "a host callback enqueued earlier returned %d (%s)",
                                    static_cast<int>(status), status_name(status)));
    } catch (...) {
      record->late_error->keep(
          Status::literal(WPRIM_ERROR_CALLBACK, "a host callback enqueued earlier failed"));
    }
  }
  if (!record->kept) delete record;
}

}  // namespace

Status CudaStream::run(const HostCall& call) {
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  cudaGraph_t graph = nullptr;
  WPRIM_CUDA_TRY(cudaStreamGetCaptureInfo(native_, &capture, nullptr, &graph, nullptr, nullptr, nullptr));
  const bool captured = capture == cudaStreamCaptureStatusActive;
  auto record = std::make_unique<CallRecord>(CallRecord{call, late_error_, captured});
  WPRIM_CUDA_TRY(cudaLaunchHostFunc(native_, run_call, record.get()));
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
