#include "cpu/backend.h"

#include <algorithm>
#include <cstdlib>
#include <thread>

#include <sched.h>

#include "core/log.h"
#include "cpu/context.h"
#include "cpu/simd/kernels.h"

namespace wprim::cpu {
namespace {

// Processors that this process may run on. (std::thread::hardware_concurrency counts those of the machine.)
int available_threads() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return std::max(1, CPU_COUNT(&allowed));
  return std::max(
      1, static_cast<int>(std::thread::hardware_concurrency()));  // more processors than the set has bits
}

int wanted_threads() {
  const int available = available_threads();
  const char* value = std::getenv("WARPPRIM_NUM_THREADS");
  if (!value) return available;
  char* end;
  const long threads = std::strtol(value, &end, 10);
  if (end == value || *end || threads < 1 || threads > 4096) {
    WPRIM_LOG(WPRIM_LOG_WARN, "WARPPRIM_NUM_THREADS=%s is not a number from 1 to 4096: using %d", value,
              available);
    return available;
  }
  return static_cast<int>(threads);
}

Status device_count(int32_t* count) {
  *count = 1;
  return {};
}

Status open(int32_t ordinal, std::shared_ptr<Context>* context) {
  if (ordinal != 0) return fail(WPRIM_ERROR_NO_DEVICE, "ordinal = %d: there is one CPU device, 0", ordinal);
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("sse4.2")) return fail(WPRIM_ERROR_NO_DEVICE, "the CPU backend needs SSE4.2");
#endif
  simd::read_target_environment();
  *context = std::make_shared<CpuContext>(wanted_threads());
  return {};
}

}  // namespace

const Backend backend = {WPRIM_CPU, "cpu", device_count, open};

}  // namespace wprim::cpu
