#include <cinttypes>
#include <map>

#include "api/boundary.h"
#include "api/describe.h"
#include "api/handle.h"
#include "api/trace.h"
#include "core/bind.h"

using namespace wprim;

namespace {

// Checks all of them before it changes a node.
Status rebind(wprim_graph* handle, const wprim_binding* bindings, uint32_t count) {
  Graph* graph;
  WPRIM_TRY(api::get(handle, &graph));
  if (!bindings && count > 0) return invalid("bindings is NULL, but count = %u", count);
  std::map<uint32_t, std::vector<wprim_binding>> by_node;
  for (uint32_t i = 0; i < count; ++i) {
    if (bindings[i].node >= graph->nodes().size()) {
      return invalid("node = %" PRIu64 ": the graph has %zu nodes, counted from 0", bindings[i].node,
                     graph->nodes().size());
    }
    by_node[static_cast<uint32_t>(bindings[i].node)].push_back(bindings[i]);
  }
  std::vector<Binding> bound;
  for (const auto& [node, list] : by_node) {
    bound.push_back({node, graph->nodes()[node].work});
    WPRIM_TRY(bind(&bound.back().work, list.data(), static_cast<uint32_t>(list.size())));
  }
  return graph->rebind(bound);
}

std::string describe(const Graph& graph, wprim_format format) {
  std::string all;
  for (uint32_t i = 0; i < graph.nodes().size(); ++i) {
    Description node;
    node.add("node", uint64_t{i});
    node.add("after", graph.nodes()[i].after);
    wprim::describe(graph.nodes()[i].work, &node);
    graph.describe(i, &node);
    if (i > 0) all += format == WPRIM_JSON ? ", " : "\n";
    all += format == WPRIM_JSON ? node.json() : node.text();
  }
  return format == WPRIM_JSON ? "{\"nodes\": [" + all + "]}" : all;
}

}  // namespace

wprim_status wprim_graph_begin(wprim_stream* stream) {
  return api::boundary("wprim_graph_begin", [&]() -> Status {
    Stream* s;
    WPRIM_TRY(api::get(stream, &s));
    return s->begin_recording();
  });
}

wprim_status wprim_graph_end(wprim_stream* stream, wprim_graph** graph) {
  return api::boundary("wprim_graph_end", [&]() -> Status {
    WPRIM_TRY(api::check_output("graph", graph));
    Stream* s;
    WPRIM_TRY(api::get(stream, &s));
    std::vector<Node> nodes;
    WPRIM_TRY(s->end_recording(&nodes));
    std::shared_ptr<Graph> created;
    WPRIM_TRY(s->context().create_graph(std::move(nodes), &created));
    *graph = reinterpret_cast<wprim_graph*>(api::graphs().insert(std::move(created)));
    return {};
  });
}

wprim_status wprim_graph_launch(wprim_graph* graph, wprim_stream* stream) {
  return api::boundary("wprim_graph_launch", [&]() -> Status {
    Graph* g;
    Stream* s;
    WPRIM_TRY(api::get(graph, &g));
    WPRIM_TRY(api::get(stream, &s));
    if (&g->context() != &s->context()) {
      return fail(WPRIM_ERROR_INVALID_HANDLE, "stream belongs to another context than graph");
    }
    return api::launch(*s, *g);
  });
}

wprim_status wprim_graph_rebind(wprim_graph* graph, uint64_t node, wprim_slot slot, const void* pointer) {
  return api::boundary("wprim_graph_rebind", [&] {
    const wprim_binding binding{node, slot, pointer};
    return rebind(graph, &binding, 1);
  });
}

wprim_status wprim_graph_rebind_many(wprim_graph* graph, const wprim_binding* bindings, uint32_t count) {
  return api::boundary("wprim_graph_rebind_many", [&] { return rebind(graph, bindings, count); });
}

wprim_status wprim_graph_describe(wprim_graph* graph, wprim_format format, char* text, uint64_t room,
                                  uint64_t* length) {
  return api::boundary("wprim_graph_describe", [&]() -> Status {
    Graph* g;
    WPRIM_TRY(api::get(graph, &g));
    WPRIM_TRY(api::check_format(format, text, room, length));
    api::write_text(describe(*g, format), text, room, length);
    return {};
  });
}

wprim_status wprim_graph_destroy(wprim_graph* graph) {
  return api::boundary("wprim_graph_destroy", [&]() -> Status {
    return graph ? api::graphs().remove("graph", api::handle_bits(graph)) : Status();
  });
}
