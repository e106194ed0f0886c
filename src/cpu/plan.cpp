#include "cpu/plan.h"

#include "cpu/execute.h"
#include "cpu/policy.h"

namespace wprim::cpu {
namespace {

void describe_way(const Context& context, const Work& work, Description* description) {
  const auto* reduce = std::get_if<Reduce>(&work);
  if (!reduce) return;
  const bool shared = policy::is_shared(*reduce);
  description->add("instructions", context.info().detail);
  description->add("threads", static_cast<uint64_t>(shared ? context.info().parallelism : 1));
  description->add("why",
                   shared ? "large enough to share" : "done before another thread would have woken up");
}

}  // namespace

void CpuPlan::describe(Description* description) const { describe_way(*context_, work_, description); }

CpuGraph::CpuGraph(std::shared_ptr<Context> context, std::vector<Node> nodes)
    : Graph(std::move(context), std::move(nodes)), program_(make_program()) {}

std::shared_ptr<const Program> CpuGraph::make_program() const {
  auto program = std::make_shared<Program>(Program{{}, turn_, false, nodes_.size() <= policy::kShortNodes});
  for (const Node& node : nodes_) {
    program->work.push_back(node.work);
    program->calls_host = program->calls_host || std::holds_alternative<HostCall>(node.work);
    program->is_short = program->is_short && is_short(node.work);
  }
  return program;
}

Status CpuGraph::rebind(const std::vector<Binding>& bindings) {
  for (const Binding& binding : bindings) nodes_[binding.node].work = binding.work;
  program_ = make_program();
  return {};
}

void CpuGraph::describe(uint32_t node, Description* description) const {
  describe_way(*context_, nodes_[node].work, description);
}

}  // namespace wprim::cpu
