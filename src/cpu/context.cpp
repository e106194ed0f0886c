#include "cpu/context.h"

#include <cinttypes>
#include <cstdlib>
#include <fstream>

#include <unistd.h>

#include "core/resident.h"
#include "cpu/event.h"
#include "cpu/plan.h"
#include "cpu/simd/kernels.h"
#include "cpu/stream.h"

namespace wprim::cpu {
namespace {

constexpr size_t kAlignment = 256;

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  }
  return "CPU";
}

}  // namespace

CpuContext::CpuContext(int threads) : team_(threads), resident_idle_(read_resident_idle()) {
  info_.kind = WPRIM_CPU;
  info_.ordinal = 0;
  info_.parallelism = threads;
  info_.memory =
      static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  info_.name = processor_name();
  info_.detail = simd::target_name();
}

CpuContext::~CpuContext() {
  allocations_.for_each([](void* ptr, Allocations::Origin) { std::free(ptr); });
}

Status CpuContext::create_stream(const wprim_stream_desc& desc, std::shared_ptr<Stream>* stream) {
  *stream = std::make_shared<CpuStream>(std::static_pointer_cast<CpuContext>(shared_from_this()),
                                        desc.kind == WPRIM_STREAM_RESIDENT);
  return {};
}

Status CpuContext::wrap_stream(void*, std::shared_ptr<Stream>*) {
  return fail(WPRIM_ERROR_UNSUPPORTED, "ctx is a CPU, which has no native streams: use wprim_stream_create");
}

Status CpuContext::create_event(std::shared_ptr<Event>* event) {
  *event = std::make_shared<CpuEvent>(shared_from_this());
  return {};
}

Status CpuContext::create_plan(const Work& work, std::shared_ptr<Plan>* plan) {
  *plan = std::make_shared<CpuPlan>(shared_from_this(), work);
  return {};
}

Status CpuContext::create_graph(std::vector<Node> nodes, std::shared_ptr<Graph>* graph) {
  *graph = std::make_shared<CpuGraph>(shared_from_this(), std::move(nodes));
  return {};
}

Status CpuContext::allocate(Stream&, uint64_t bytes, void** ptr) {
  return take(Allocations::Origin::device, bytes, ptr);
}

Status CpuContext::release(Stream& stream, void* ptr) {
  Allocations::Entry entry;
  WPRIM_TRY(allocations_.forget(Allocations::Origin::device, ptr, &entry));
  try {
    return stream.submit(Release{ptr});
  } catch (...) {
    allocations_.restore(std::move(entry));
    throw;
  }
}

Status CpuContext::allocate_host(uint64_t bytes, void** ptr) {
  return take(Allocations::Origin::host, bytes, ptr);
}

Status CpuContext::release_host(void* ptr) {
  Allocations::Entry entry;
  WPRIM_TRY(allocations_.forget(Allocations::Origin::host, ptr, &entry));
  std::free(ptr);
  return {};
}

Status CpuContext::take(Allocations::Origin origin, uint64_t bytes, void** ptr) {
  const uint64_t whole = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  void* memory = bytes > INT64_MAX ? nullptr : std::aligned_alloc(kAlignment, whole);
  if (!memory) return fail(WPRIM_ERROR_OUT_OF_MEMORY, "bytes = %" PRIu64 ": no memory of that size", bytes);
  try {
    allocations_.remember(origin, memory);
  } catch (...) {
    std::free(memory);
    throw;
  }
  *ptr = memory;
  return {};
}

}  // namespace wprim::cpu
