// Plans and graphs on the CPU: the work itself is all that there is to prepare.
#pragma once

#include <mutex>

#include "core/backend.h"

namespace wprim::cpu {

class CpuPlan final : public Plan {
 public:
  using Plan::Plan;

  Status rebind(const Work& work) override {
    work_ = work;
    return {};
  }
  void describe(Description* description) const override;
};

// The nodes of a graph in the order of their recording, which is one in which they may run. A launch keeps it: rebinding
// makes another.
struct Program {
  std::vector<Work> work;
  std::shared_ptr<std::mutex> turn;  // held by the launch that runs: those of a graph take turns
  bool calls_host;                   // the caller's own code is among it
  bool is_short;
};

class CpuGraph final : public Graph {
 public:
  CpuGraph(std::shared_ptr<Context> context, std::vector<Node> nodes);

  const std::shared_ptr<const Program>& program() const { return program_; }
  Status rebind(const std::vector<Binding>& bindings) override;
  void describe(uint32_t node, Description* description) const override;

 private:
  std::shared_ptr<const Program> make_program() const;

  const std::shared_ptr<std::mutex> turn_ = std::make_shared<std::mutex>();
  std::shared_ptr<const Program> program_;
};

}  // namespace wprim::cpu
