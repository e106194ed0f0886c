// A GPU as a context: its memory pool, and the memory handed out.
#pragma once

#include <cuda_runtime_api.h>

#include <chrono>
#include <memory>
#include <mutex>
#include <vector>

#include "core/allocations.h"
#include "core/backend.h"
#include "cuda/pointer.h"
#include "cuda/workspace.h"

namespace wprim::cuda {

struct Residence;

class CudaContext final : public Context {
 public:
  CudaContext();
  static Status open(int32_t ordinal, std::shared_ptr<Context>* context);
  ~CudaContext() override;

  const ContextInfo& info() const override { return info_; }
  Status create_stream(const wprim_stream_desc& desc, std::shared_ptr<Stream>* stream) override;
  Status wrap_stream(void* native, std::shared_ptr<Stream>* stream) override;
  Status create_event(std::shared_ptr<Event>* event) override;
  Status create_plan(const Work& work, std::shared_ptr<Plan>* plan) override;
  Status create_graph(std::vector<Node> nodes, std::shared_ptr<Graph>* graph) override;
  Status allocate(Stream& stream, uint64_t bytes, void** ptr) override;
  Status release(Stream& stream, void* ptr) override;
  Status allocate_host(uint64_t bytes, void** ptr) override;
  Status release_host(void* ptr) override;

  int device() const { return info_.ordinal; }
  const std::shared_ptr<CapturedWorkspaces>& captured_workspaces() const { return captured_; }
  const PointerCheck& pointer_check() const { return pointer_check_; }
  std::chrono::microseconds resident_idle() const { return resident_idle_; }
  // Takes what a resident stream leaves; its work may be in flight.
  void keep(std::unique_ptr<Residence> residence);
  unsigned multiprocessors() const { return static_cast<unsigned>(info_.parallelism); }

 private:
  Status take_residence(std::unique_ptr<Residence>* residence);

  ContextInfo info_;
  PointerCheck pointer_check_;
  cudaMemPool_t pool_ = nullptr;
  const std::shared_ptr<CapturedWorkspaces> captured_ = std::make_shared<CapturedWorkspaces>();
  Allocations allocations_;
  std::chrono::microseconds resident_idle_{};
  std::mutex residences_mutex_;
  std::vector<std::unique_ptr<Residence>> residences_;  // of resident streams that are gone
};

}  // namespace wprim::cuda
