// Which instruction set the kernels run on.
#include "cpu/simd/targets.h"
#include "cpu/simd/kernels.h"

#include <cstdlib>
#include <cstring>

#include "core/log.h"
#include "hwy/highway.h"

namespace wprim::cpu::simd {

void read_target_environment() {
  const char* wanted = std::getenv("WARPPRIM_CPU_TARGET");
  if (!wanted) return;
  // Highway orders targets best first by ascending bit: keep the wanted one and all that are no better.
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    if (std::strcmp(hwy::TargetName(target), wanted) != 0) continue;
    hwy::DisableTargets(target - 1);
    return;
  }
  WPRIM_LOG(WPRIM_LOG_WARN, "WARPPRIM_CPU_TARGET=%s is not built or not supported here: ignored", wanted);
}

const char* target_name() {
  const int64_t available = hwy::SupportedTargets() & HWY_TARGETS;
  return hwy::TargetName(available & -available);
}

}  // namespace wprim::cpu::simd
