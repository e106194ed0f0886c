// The CPU as a context: threads, and the memory handed out.
#pragma once

#include <map>
#include <mutex>

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
  using Memory =
      std::map<void*, Origin>;  // a map, because an entry that was taken out goes in again without allocating
  Status take(Origin origin, uint64_t bytes, void** ptr);
  Status forget(Origin origin, void* ptr, Memory::node_type* entry);

  ContextInfo info_;
  Team team_;
  std::mutex mutex_;
  Memory memory_;  // handed out and not given back
};

}  // namespace wprim::cpu
