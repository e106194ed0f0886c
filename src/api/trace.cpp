#include "api/trace.h"

#include <nvtx3/nvToolsExt.h>

#include <cinttypes>
#include <cstdarg>
#include <cstdio>

namespace wprim::api {

std::atomic<int> trace_wanted{-1};

namespace {

// Null if nobody listens. NVTX looks for a profiler once, here.
nvtxDomainHandle_t domain() {
  static const nvtxDomainHandle_t created = nvtxDomainCreateA("warpprim");
  return created;
}

__attribute__((format(printf, 1, 2))) void push_range(const char* format, ...) {
  char name[128];
  va_list args;
  va_start(args, format);
  std::vsnprintf(name, sizeof name, format, args);
  va_end(args);
  nvtxEventAttributes_t range{};
  range.version = NVTX_VERSION;
  range.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  range.messageType = NVTX_MESSAGE_TYPE_ASCII;
  range.message.ascii = name;
  nvtxDomainRangePushEx(domain(), &range);
}

}  // namespace

int look_for_profiler() {
  const int wanted = domain() != nullptr;
  trace_wanted.store(wanted, std::memory_order_relaxed);
  return wanted;
}

void TraceRange::push(const Reduce& r) {
  const bool same = r.out_dtype == r.dtype;
  const char *arrow = same ? "" : " -> ", *out = same ? "" : name_of(r.out_dtype);
  if (r.rows == 1) {
    push_range("%s %s%s%s %" PRIu64, name_of(r.op), name_of(r.dtype), arrow, out, r.cols);
  } else {
    push_range("%s %s%s%s %" PRIu64 "x%" PRIu64, name_of(r.op), name_of(r.dtype), arrow, out, r.rows, r.cols);
  }
}

void TraceRange::push(const Copy& copy) { push_range("copy %" PRIu64 " bytes", copy.bytes); }

void TraceRange::push(const Fill& fill) { push_range("fill %" PRIu64 " x %u bytes", fill.n, fill.size); }

void TraceRange::push(const HostCall&) { push_range("host call"); }

void TraceRange::push(const Release&) { push_range("free"); }

void TraceRange::push(const Plan& plan) {
  std::visit([](const auto& work) { push(work); }, plan.work());
}

void TraceRange::push(const Graph& graph) { push_range("graph of %zu nodes", graph.nodes().size()); }

void TraceRange::pop() { nvtxDomainRangePop(domain()); }

}  // namespace wprim::api
