#include "api/boundary.h"
#include "api/handle.h"

using namespace wprim;

namespace {

// A point in a graph is reached with each of its launches, so there is none to ask for.
Status check_not_in_graph(const Event& event, const char* argument) {
  if (!event.recorded_in.recording) return {};
  return fail(WPRIM_ERROR_UNSUPPORTED, "%s was recorded in a graph: record one behind the graph's launch",
              argument);
}

}  // namespace

wprim_status wprim_event_create(wprim_context* ctx, wprim_event** event) {
  return api::boundary("wprim_event_create", [&]() -> Status {
    WPRIM_TRY(api::check_output("event", event));
    Context* context;
    WPRIM_TRY(api::get(ctx, &context));
    std::shared_ptr<Event> created;
    WPRIM_TRY(context->create_event(&created));
    *event = reinterpret_cast<wprim_event*>(api::events().insert(std::move(created)));
    return {};
  });
}

wprim_status wprim_event_record(wprim_event* event, wprim_stream* stream) {
  return api::boundary("wprim_event_record", [&]() -> Status {
    Event* e;
    Stream* s;
    WPRIM_TRY(api::get(event, &e));
    WPRIM_TRY(api::get(stream, &s));
    if (&e->context() != &s->context()) {
      return fail(WPRIM_ERROR_INVALID_HANDLE, "stream belongs to another context than event");
    }
    return s->record(*e);
  });
}

wprim_status wprim_event_synchronize(wprim_event* event) {
  return api::boundary("wprim_event_synchronize", [&]() -> Status {
    Event* e;
    WPRIM_TRY(api::get(event, &e));
    WPRIM_TRY(check_not_in_graph(*e, "event"));
    return e->synchronize();
  });
}

wprim_status wprim_event_query(wprim_event* event) {
  return api::boundary("wprim_event_query", [&]() -> Status {
    Event* e;
    WPRIM_TRY(api::get(event, &e));
    WPRIM_TRY(check_not_in_graph(*e, "event"));
    return e->query();
  });
}

wprim_status wprim_event_elapsed(wprim_event* start, wprim_event* end, float* milliseconds) {
  return api::boundary("wprim_event_elapsed", [&]() -> Status {
    Event *from, *to;
    WPRIM_TRY(api::get(start, &from, "start"));
    WPRIM_TRY(api::get(end, &to, "end"));
    if (&from->context() != &to->context()) {
      return fail(WPRIM_ERROR_INVALID_HANDLE, "end belongs to another context than start");
    }
    if (!milliseconds) return invalid("milliseconds is NULL");
    WPRIM_TRY(check_not_in_graph(*from, "start"));
    WPRIM_TRY(check_not_in_graph(*to, "end"));
    return from->elapsed(*to, milliseconds);
  });
}

wprim_status wprim_event_destroy(wprim_event* event) {
  return api::boundary("wprim_event_destroy", [&]() -> Status {
    if (!event) return {};
    return api::events().remove("event", api::handle_bits(event));
  });
}
