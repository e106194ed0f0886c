// The CPU as a context: threads, and the memory handed out.
#pragma once

#include <mutex>
#include <unordered_map>

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
  Status allocate(Stream& stream, uint64_t bytes, void** ptr) override;
  Status release(Stream& stream, void* ptr) override;
  Status allocate_host(uint64_t bytes, void** ptr) override;
  Status release_host(void* ptr) override;

  Team& team() { return team_; }

 private:
  enum class Origin { device, host };
  Status take(Origin origin, uint64_t bytes, void** ptr);
  Status forget(Origin origin, void* ptr);

  ContextInfo info_;
  Team team_;
  std::mutex mutex_;
  std::unordered_map<void*, Origin> memory_;  // handed out and not given back
};

}  // namespace wprim::cpu
