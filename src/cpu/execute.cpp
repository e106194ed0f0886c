#include "cpu/execute.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "core/array.h"
#include "core/log.h"
#include "cpu/policy.h"
#include "cpu/reduce.h"

namespace wprim::cpu {
namespace {

Status run(CpuContext& context, Workspace& workspace, const Reduce& reduce) {
  Reduce r = reduce;
  if (r.count) r.cols = std::min(*r.count, r.cols);
  run_reduce(r, context.team(), workspace);
  return {};
}

Status run(CpuContext& context, Workspace&, const Copy& copy) {
  if (copy.bytes == 0) return {};  // the pointers may be NULL
  const bool parallel = copy.bytes >= policy::kParallelBytes;
  context.team().run(copy.bytes, policy::kGrainBytes, parallel, [&](uint64_t begin, uint64_t end) {
    std::memcpy(copy.dst + begin, copy.src + begin, end - begin);
  });
  return {};
}

template <class T>
void fill_range(std::byte* dst, uint64_t begin, uint64_t end, const std::byte* value) {
  T element;
  std::memcpy(&element, value, sizeof element);
  T* out = reinterpret_cast<T*>(dst);
  for (uint64_t i = begin; i < end; ++i) out[i] = element;
}

Status run(CpuContext& context, Workspace&, const Fill& fill) {
  const bool parallel = fill.n * fill.size >= policy::kParallelBytes;
  context.team().run(fill.n, policy::kGrainBytes / fill.size, parallel, [&](uint64_t begin, uint64_t end) {
    switch (fill.size) {
      case 1: return fill_range<uint8_t>(fill.dst, begin, end, fill.value);
      case 2: return fill_range<uint16_t>(fill.dst, begin, end, fill.value);
      case 4: return fill_range<uint32_t>(fill.dst, begin, end, fill.value);
      default: return fill_range<uint64_t>(fill.dst, begin, end, fill.value);
    }
  });
  return {};
}

Status run(CpuContext&, Workspace&, const HostCall& call) {
  const wprim_status status = call.fn(call.user);
  if (status == WPRIM_OK) return {};
  return fail(WPRIM_ERROR_CALLBACK, "a host callback enqueued earlier returned %d (%s)",
              static_cast<int>(status), status_name(status));
}

Status run(CpuContext&, Workspace&, const Release& release) {
  std::free(release.ptr);
  return {};
}

}  // namespace

Status execute(CpuContext& context, Workspace& workspace, const Work& work) {
  return std::visit([&](const auto& w) { return run(context, workspace, w); }, work);
}

bool is_short(const Work& work) {
  struct Visitor {
    bool operator()(const Reduce& r) const { return policy::is_short(r); }
    bool operator()(const Copy& c) const { return c.bytes <= policy::kShortBytes; }
    bool operator()(const Fill& f) const { return f.n * f.size <= policy::kShortBytes; }
    bool operator()(const HostCall&) const {
      return false;
    }  // the caller's code must not run inside the caller's call
    bool operator()(const Release&) const { return true; }
  };
  return std::visit(Visitor{}, work);
}

}  // namespace wprim::cpu
