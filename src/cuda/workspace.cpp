#include "cuda/workspace.h"

#include <bit>

#include "cuda/error.h"

namespace wprim::cuda {
namespace {

constexpr uint64_t kHeaderBytes = 256;      // epoch and counter, apart from the cells
constexpr uint64_t kLeastCells = 64 << 10;  // of a stream: a billion f32
constexpr uint64_t kLeastCapturedCells = 1 << 10;

uint64_t bytes_of(uint64_t cells) { return kHeaderBytes + cells * sizeof(uint64_t); }

// Zeroed memory, ready on return, whatever the calling thread is capturing.
Status allocate_now(uint64_t bytes, std::byte** memory) {
  // Allocation is no part of the capture, and in this mode does not disturb it.
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  WPRIM_CUDA_TRY(cudaThreadExchangeStreamCaptureMode(&mode));
  cudaStream_t side = nullptr;
  Status status = check(cudaMalloc(reinterpret_cast<void**>(memory), bytes), "cudaMalloc");
  if (status.ok())
    status = check(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  if (status.ok()) status = check(cudaMemsetAsync(*memory, 0, bytes, side), "cudaMemsetAsync");
  if (status.ok()) status = check(cudaStreamSynchronize(side), "cudaStreamSynchronize");
  if (side) ignore(cudaStreamDestroy(side));
  if (!status.ok()) ignore(cudaFree(*memory));
  ignore(cudaThreadExchangeStreamCaptureMode(&mode));
  return status;
}

}  // namespace

CellSpace WorkspaceBlock::space() const {
  return {reinterpret_cast<uint32_t*>(memory), reinterpret_cast<uint32_t*>(memory + 128),
          reinterpret_cast<uint64_t*>(memory + kHeaderBytes)};
}

CapturedWorkspaces::~CapturedWorkspaces() {
  for (std::byte* memory : all_) ignore(cudaFree(memory));
}

Status CapturedWorkspaces::get(cudaGraph_t graph, uint64_t cells, WorkspaceBlock* block) {
  struct Loan {
    std::shared_ptr<CapturedWorkspaces> owner;
    WorkspaceBlock block;
  };
  auto loan = std::make_unique<Loan>(Loan{shared_from_this(), {}});
  WPRIM_TRY(take(cells, &loan->block));
  *block = loan->block;
  const auto end_loan = [](void* user) {
    std::unique_ptr<Loan> ended(static_cast<Loan*>(user));
    ended->owner->give_back(ended->block);
  };
  cudaUserObject_t object;
  WPRIM_CUDA_TRY(cudaUserObjectCreate(&object, loan.get(), end_loan, 1, cudaUserObjectNoDestructorSync));
  loan.release();
  return check(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove),
               "cudaGraphRetainUserObject");
}

Status CapturedWorkspaces::take(uint64_t cells, WorkspaceBlock* block) {
  std::lock_guard lock(mutex_);
  for (WorkspaceBlock& unused : unused_) {
    if (unused.cells < cells) continue;
    *block = unused;
    unused = unused_.back();
    unused_.pop_back();
    return {};
  }
  const uint64_t room = std::bit_ceil(cells < kLeastCapturedCells ? kLeastCapturedCells : cells);
  all_.reserve(all_.size() + 1);
  unused_.reserve(all_.size() + 1);  // so that giving back cannot fail
  std::byte* memory = nullptr;
  WPRIM_TRY(allocate_now(bytes_of(room), &memory));
  all_.push_back(memory);
  *block = {memory, room};
  return {};
}

void CapturedWorkspaces::give_back(const WorkspaceBlock& block) {
  std::lock_guard lock(mutex_);
  unused_.push_back(block);
}

void CapturedWorkspaces::adopt(std::byte* memory) {
  std::lock_guard lock(mutex_);
  all_.push_back(memory);
}

void Workspace::release(cudaStream_t stream) {
  if (!own_.memory) return;
  // In a captured stream the free would become a part of the graph.
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  cudaError_t error = cudaStreamIsCapturing(stream, &capture);
  const bool may_free = error == cudaSuccess && capture == cudaStreamCaptureStatusNone;
  if (may_free) error = cudaFreeAsync(own_.memory, stream);
  ignore(error);
  if (!may_free || error != cudaSuccess) captured_->adopt(own_.memory);
  own_ = {};
}

Status Workspace::get(cudaStream_t stream, uint64_t cells, CellSpace* out) {
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  cudaGraph_t graph = nullptr;
  WPRIM_CUDA_TRY(cudaStreamGetCaptureInfo(stream, &capture, nullptr, &graph, nullptr, nullptr, nullptr));
  if (capture == cudaStreamCaptureStatusActive) {
    WorkspaceBlock block;
    WPRIM_TRY(captured_->get(graph, cells, &block));
    *out = block.space();
    return {};
  }
  if (cells > own_.cells) WPRIM_TRY(grow(stream, cells));
  *out = own_.space();
  return {};
}

Status Workspace::grow(cudaStream_t stream, uint64_t cells) {
  const uint64_t room = std::bit_ceil(cells < kLeastCells ? kLeastCells : cells);
  std::byte* memory = nullptr;
  WPRIM_CUDA_TRY(cudaMallocAsync(reinterpret_cast<void**>(&memory), bytes_of(room), stream));
  Status zeroed = check(cudaMemsetAsync(memory, 0, bytes_of(room), stream), "cudaMemsetAsync");
  if (!zeroed.ok()) {
    ignore(cudaFreeAsync(memory, stream));
    return zeroed;
  }
  release(stream);
  own_ = {memory, room};
  return {};
}

}  // namespace wprim::cuda
