// Graphs of random programs: recorded on one stream or several, launched, bound to other cells.
#include "program.h"

namespace programs {

// An op on a resident stream, which no recording has, if no stream that may be recorded has to come before it.
void Program::beside_a_recording() {
  const int stream = kLaunched + static_cast<int>(pick(kStreams - kLaunched));
  const Op op = random_op(false);
  Uses uses;
  uses.add(op);
  if (!order_.missing(stream, uses).empty()) return;
  launched(stream, {op}, uses);
  issue(stream, op);
}

// On one launched stream or on several, which join when they are first used. Plans take part.
void Program::make_graph() {
  const int first = static_cast<int>(pick(kLaunched));
  const bool linear = pick(2) == 0;
  tell("record graph %zu on stream %d", graphs_.size(), first);
  Order order(kStreams, shape_.cells());
  std::vector<bool> joined(kStreams);
  joined[first] = true;
  Graph graph{nullptr, {}, linear};
  PROGRAM_OK(wprim_graph_begin(machine_.stream(first)));
  for (uint64_t nodes = pick(7); nodes > 0; --nodes) {
    if (pick(6) == 0) beside_a_recording();
    const int stream = linear ? first : static_cast<int>(pick(kLaunched));
    if (!joined[stream]) link(first, stream), order.waits(stream, first);
    joined[stream] = true;
    const bool planned = !plans_.empty() && pick(4) == 0;
    const Plan* plan = planned ? &any(plans_) : nullptr;
    graph.nodes.push_back(plan ? plan->op : random_op(false));
    Uses uses;
    uses.add(graph.nodes.back());
    prepare(order, stream, uses);
    if (plan) {
      tell("  stream %d: plan %td", stream, plan - plans_.data());
      PROGRAM_OK(wprim_plan_launch(plan->handle, machine_.stream(stream)));
    } else {
      issue(stream, graph.nodes.back());
    }
  }
  if (pick(8) == 0) {
    EXPECT_EQ(wprim_stream_query(machine_.stream(first)), WPRIM_ERROR_UNSUPPORTED);
  }
  for (int stream = 0; stream < kLaunched; ++stream) {
    if (joined[stream] && stream != first) link(stream, first);
  }
  PROGRAM_OK(wprim_graph_end(machine_.stream(first), &graph.handle));
  graphs_.push_back(std::move(graph));
}

void Program::use_graph() {
  if (graphs_.empty()) return;
  const int stream = static_cast<int>(pick(kStreams));
  const Graph& graph = any(graphs_);
  tell("launch graph %td on stream %d", &graph - graphs_.data(), stream);
  Uses uses;
  for (const Op& op : graph.nodes) uses.add(op);
  launched(stream, graph.nodes, uses);
  PROGRAM_OK(wprim_graph_launch(graph.handle, machine_.stream(stream)));
}

void Program::bind_node(Graph& graph, uint64_t node, const Op& op, std::vector<wprim_binding>* bindings) {
  if (op.kind == Op::call) {
    bindings->push_back({node, WPRIM_SLOT_USER, call_site(op)});
  } else {
    bindings->push_back({node, WPRIM_SLOT_OUT, machine_.address(op.out)});
    if (op.in.cell >= 0) bindings->push_back({node, WPRIM_SLOT_IN, machine_.address(op.in)});
    if (op.count.cell >= 0) bindings->push_back({node, WPRIM_SLOT_COUNT, machine_.address(op.count)});
    if (op.kind == Op::fill) bindings->push_back({node, WPRIM_SLOT_VALUE, &graph.nodes[node].value});
  }
  graph.nodes[node] = op;
}

// Cells get other names, the device's among themselves and the host's among themselves: what was in order stays so. Of a
// linear graph one node alone may get others too.
void Program::rebind_graph() {
  if (graphs_.empty()) return;
  Graph& graph = any(graphs_);
  if (graph.nodes.empty()) return;
  std::vector<int> names(shape_.cells());
  for (int i = 0; i < shape_.cells(); ++i) names[i] = i;
  std::shuffle(names.begin(), names.begin() + shape_.device_cells, random_);
  std::shuffle(names.begin() + shape_.device_cells, names.end(), random_);
  const uint64_t only = graph.linear && pick(2) ? pick(graph.nodes.size()) : UINT64_MAX;
  tell("rebind graph %td, node %d", &graph - graphs_.data(), static_cast<int>(only));
  std::vector<wprim_binding> bindings;
  for (uint64_t node = 0; node < graph.nodes.size(); ++node) {
    if (only != UINT64_MAX && node != only) continue;
    Op op = graph.nodes[node];
    for (Place* place : {&op.out, &op.in, &op.count}) {
      if (place->cell >= 0) place->cell = names[place->cell];
    }
    if (op.kind == Op::fill || op.kind == Op::call) op.value = pick(100);
    bind_node(graph, node, op, &bindings);
  }
  std::shuffle(bindings.begin(), bindings.end(), random_);
  PROGRAM_OK(wprim_graph_rebind_many(graph.handle, bindings.data(), static_cast<uint32_t>(bindings.size())));
}

}  // namespace programs
