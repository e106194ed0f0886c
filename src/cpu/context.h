// The CPU as a context: threads, and the memory handed out.
#pragma once

#include <chrono>

#include "core/allocations.h"
#include "core/backend.h"
#include "cpu/team.h"

namespace wprim::cpu {

class CpuContext final : public Context {
 public:
  explicit CpuContext(int threads);
  ~CpuContext() override;

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

  Team& team() { return team_; }
  std::chrono::microseconds resident_idle() const { return resident_idle_; }

 private:
  Status take(Allocations::Origin origin, uint64_t bytes, void** ptr);

  ContextInfo info_;
  Team team_;
  const std::chrono::microseconds resident_idle_;
  Allocations allocations_;
};

}  // namespace wprim::cpu
