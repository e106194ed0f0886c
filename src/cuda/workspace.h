// Cells and counters for reduces. They are zero when new, and every launch leaves them ready for the next.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/status.h"
#include "cuda/kernels/workspace.h"

namespace wprim::cuda {

struct WorkspaceBlock {
  std::byte* memory = nullptr;
  uint64_t cells = 0;

  CellSpace space() const;
};

// Workspaces of captured ops that are not in use. A graph gives its workspaces back when it is destroyed, on a thread
// that may not call CUDA; the next capture takes them again.
class CapturedWorkspaces : public std::enable_shared_from_this<CapturedWorkspaces> {
 public:
  ~CapturedWorkspaces();

  // A workspace that belongs to `graph`: no other work uses it, and it lives as long as the graph does.
  Status get(cudaGraph_t graph, uint64_t cells, WorkspaceBlock* block);

  // Takes memory that cannot be freed now; it goes with the context.
  void adopt(std::byte* memory);

 private:
  Status take(uint64_t cells, WorkspaceBlock* block);
  void give_back(const WorkspaceBlock& block);

  std::mutex mutex_;
  std::vector<WorkspaceBlock> unused_;
  std::vector<std::byte*> all_;
};

// The workspace of one stream.
class Workspace {
 public:
  explicit Workspace(std::shared_ptr<CapturedWorkspaces> captured) : captured_(std::move(captured)) {}
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  // Gives the memory back once the work enqueued on `stream` so far is done.
  void release(cudaStream_t stream);

  // Room for `cells` cells. While the stream is captured the op gets a workspace of its own: the stream's must stay free
  // for eager work that runs between the graph's launches, or beside them.
  Status get(cudaStream_t stream, uint64_t cells, CellSpace* out);

 private:
  Status grow(cudaStream_t stream, uint64_t cells);

  const std::shared_ptr<CapturedWorkspaces> captured_;
  WorkspaceBlock own_;
};

}  // namespace wprim::cuda
