#include "api/handle.h"

namespace wprim::api {

HandleTable<Context>& contexts() {
  static auto& table = *new HandleTable<Context>(1, "context");
  return table;
}

HandleTable<Stream>& streams() {
  static auto& table = *new HandleTable<Stream>(2, "stream");
  return table;
}

HandleTable<Event>& events() {
  static auto& table = *new HandleTable<Event>(3, "event");
  return table;
}

HandleTable<Plan>& plans() {
  static auto& table = *new HandleTable<Plan>(4, "plan");
  return table;
}

HandleTable<Graph>& graphs() {
  static auto& table = *new HandleTable<Graph>(5, "graph");
  return table;
}

}  // namespace wprim::api
