// What streams of every backend do while they are recorded.
#include "core/backend.h"

namespace wprim {

Stream::~Stream() {
  if (began_it_) recorded_in_.recording->abandon();
}

// Whether it still is: a recording ends on the stream that began it, and the others learn of it here.
bool Stream::is_recording() {
  if (!recorded_in_.recording) return false;
  if (recorded_in_) return true;
  recorded_in_ = {};
  return false;
}

Status Stream::check_not_recording(const char* what) {
  if (!is_recording()) return {};
  return fail(WPRIM_ERROR_UNSUPPORTED,
              "stream is being recorded, and %s cannot be: do it after wprim_graph_end", what);
}

Status Stream::submit_recorded(const Work& work) {
  if (!is_recording()) return enqueue(work);
  recorded_in_.recording->add(work, &recorded_in_.place);
  return {};
}

Status Stream::launch(Graph& graph) {
  WPRIM_TRY(check_not_recording("the launch of a graph"));
  return enqueue(graph);
}

Status Stream::record(Event& event) {
  if (is_recording()) {
    event.recorded_in = recorded_in_;
  } else {
    WPRIM_TRY(enqueue_record(event));
    event.recorded_in = {};
  }
  event.recorded = true;
  return {};
}

Status Stream::wait(Event& event) {
  if (!event.recorded) return {};
  const Recorded& there = event.recorded_in;
  if (!there.recording) {
    if (is_recording()) {
      return invalid(
          "event was not recorded in the graph that stream is being recorded for: record it between "
          "wprim_graph_begin and wprim_graph_end");
    }
    return enqueue_wait(event);
  }
  if (!there)
    return invalid("event was recorded in a graph, of which the recording is over: record it again");
  if (!is_recording()) {
    WPRIM_TRY(check_may_record());
    recorded_in_ = there;
    return {};
  }
  if (recorded_in_.recording != there.recording) {
    return invalid("event is recorded in another graph than stream");
  }
  recorded_in_.place = Recording::join(recorded_in_.place, there.place);
  return {};
}

Status Stream::synchronize() {
  WPRIM_TRY(check_not_recording("waiting for it"));
  return wait_until_idle();
}

Status Stream::query() {
  WPRIM_TRY(check_not_recording("a query"));
  return ask();
}

Status Stream::begin_recording() {
  if (is_recording()) return invalid("stream is being recorded already: call wprim_graph_end first");
  WPRIM_TRY(check_may_record());
  recorded_in_ = {std::make_shared<Recording>(), {}};
  began_it_ = true;
  return {};
}

void Stream::leave_recording() {
  recorded_in_ = {};
  began_it_ = false;
}

Status Stream::end_recording(std::vector<Node>* nodes) {
  if (!began_it_) {
    return invalid(is_recording()
                       ? "the recording that stream is part of was begun on another stream: end it there"
                       : "no recording was begun on stream: call wprim_graph_begin first");
  }
  try {
    WPRIM_TRY(recorded_in_.recording->end(recorded_in_.place, nodes));
  } catch (...) {
    recorded_in_.recording->abandon();
    leave_recording();
    throw;
  }
  leave_recording();
  return {};
}

}  // namespace wprim
