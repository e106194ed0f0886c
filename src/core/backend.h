// What a backend is: three kinds of objects and a way to open a device. Arguments are validated before they get here.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/status.h"
#include "core/work.h"

namespace wprim {

class Context;

class Event {
 public:
  explicit Event(std::shared_ptr<Context> context) : context_(std::move(context)) {}
  virtual ~Event() = default;
  virtual Status synchronize() = 0;
  virtual Status query() = 0;
  // From this event to `end`, of the same context.
  virtual Status elapsed(Event& end, float* milliseconds) = 0;

  Context& context() const { return *context_; }

 protected:
  const std::shared_ptr<Context> context_;  // an object keeps its device open
};

class Stream {
 public:
  explicit Stream(std::shared_ptr<Context> context) : context_(std::move(context)) {}
  virtual ~Stream() = default;

  // The one way in: everything an op is, is in the work. Returns before it ran.
  virtual Status submit(const Work& work) = 0;

  // Events are of a context of the same kind.
  virtual Status record(Event& event) = 0;
  virtual Status wait(Event& event) = 0;
  virtual Status synchronize() = 0;
  virtual Status query() = 0;

  Context& context() const { return *context_; }

 protected:
  const std::shared_ptr<Context> context_;
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
