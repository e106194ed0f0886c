// What a backend is: five kinds of objects and a way to open a device. Arguments are validated before they get here.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/description.h"
#include "core/recording.h"
#include "core/status.h"
#include "core/work.h"

namespace wprim {

class Context;

// An op made ready for a device. Launching changes nothing in it: streams may do so side by side.
class Plan {
 public:
  Plan(std::shared_ptr<Context> context, const Work& work) : context_(std::move(context)), work_(work) {}
  virtual ~Plan() = default;

  Context& context() const { return *context_; }
  const Work& work() const { return work_; }

  // Gives the same op other memory, that passed the checks.
  virtual Status rebind(const Work& work) = 0;
  virtual void describe(Description* description) const = 0;

 protected:
  const std::shared_ptr<Context> context_;  // an object keeps its device open
  Work work_;
};

// Other memory for a node of a graph.
struct Binding {
  uint32_t node;
  Work work;
};

// Several ops made ready, to be launched as one.
class Graph {
 public:
  Graph(std::shared_ptr<Context> context, std::vector<Node> nodes)
      : context_(std::move(context)), nodes_(std::move(nodes)) {}
  virtual ~Graph() = default;

  Context& context() const { return *context_; }
  const std::vector<Node>& nodes() const { return nodes_; }

  // As for a plan, for all of them or none; launches enqueued before are not touched.
  virtual Status rebind(const std::vector<Binding>& bindings) = 0;
  virtual void describe(uint32_t node, Description* description) const = 0;

 protected:
  const std::shared_ptr<Context> context_;
  std::vector<Node> nodes_;
};

class Event {
 public:
  explicit Event(std::shared_ptr<Context> context) : context_(std::move(context)) {}
  virtual ~Event() = default;
  virtual Status synchronize() = 0;
  virtual Status query() = 0;
  // From this event to `end`, of the same context.
  virtual Status elapsed(Event& end, float* milliseconds) = 0;

  Context& context() const { return *context_; }

  bool recorded = false;
  // The recording in which it was recorded last, if it was one: such an event cannot be asked.
  Recorded recorded_in;

 protected:
  const std::shared_ptr<Context> context_;
};

class Stream {
 public:
  explicit Stream(std::shared_ptr<Context> context) : context_(std::move(context)) {}
  virtual ~Stream();

  // The one way in: everything an op is, is in the work. Returns before it ran.
  Status submit(const Work& work) { return recorded_in_.recording ? submit_recorded(work) : enqueue(work); }
  // The same for work made ready before.
  Status launch(const Plan& plan) {
    return recorded_in_.recording ? submit_recorded(plan.work()) : enqueue(plan);
  }
  Status launch(Graph& graph);

  // Events are of a context of the same kind.
  Status record(Event& event);
  Status wait(Event& event);
  Status synchronize();
  Status query();

  // From begin to end work is recorded, not enqueued.
  Status begin_recording();
  Status end_recording(std::vector<Node>* nodes);
  Status check_not_recording(const char* what);

  Context& context() const { return *context_; }

 protected:
  virtual Status enqueue(const Work& work) = 0;
  virtual Status enqueue(const Plan& plan) = 0;
  virtual Status enqueue(Graph& graph) = 0;
  virtual Status enqueue_record(Event& event) = 0;
  virtual Status enqueue_wait(Event& event) = 0;
  virtual Status wait_until_idle() = 0;
  virtual Status ask() = 0;
  virtual Status check_may_record() { return {}; }

  const std::shared_ptr<Context> context_;

 private:
  Status submit_recorded(const Work& work);
  bool is_recording();
  void leave_recording();

  Recorded recorded_in_;
  bool began_it_ = false;  // the recording ends with this stream
};

struct ContextInfo {
  wprim_device_kind kind;
  int32_t ordinal;
  int32_t parallelism;
  uint64_t memory;
  std::string name;
  std::string detail;
};

class Context : public std::enable_shared_from_this<Context> {
 public:
  virtual ~Context() = default;
  virtual const ContextInfo& info() const = 0;
  virtual Status create_stream(const wprim_stream_desc& desc, std::shared_ptr<Stream>* stream) = 0;
  virtual Status wrap_stream(void* native, std::shared_ptr<Stream>* stream) = 0;
  virtual Status create_event(std::shared_ptr<Event>* event) = 0;
  virtual Status create_plan(const Work& work, std::shared_ptr<Plan>* plan) = 0;
  virtual Status create_graph(std::vector<Node> nodes, std::shared_ptr<Graph>* graph) = 0;
  virtual Status allocate(Stream& stream, uint64_t bytes, void** ptr) = 0;
  virtual Status release(Stream& stream, void* ptr) = 0;
  virtual Status allocate_host(uint64_t bytes, void** ptr) = 0;
  virtual Status release_host(void* ptr) = 0;
};

struct Backend {
  wprim_device_kind kind;
  const char* name;
  Status (*device_count)(int32_t* count);
  Status (*open)(int32_t ordinal, std::shared_ptr<Context>* context);
};

}  // namespace wprim
