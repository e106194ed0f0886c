#include "core/resident.h"

#include <cstdlib>

#include "core/log.h"

namespace wprim {

std::chrono::microseconds read_resident_idle() {
  constexpr std::chrono::microseconds preset{200};
  const char* value = std::getenv("WARPPRIM_RESIDENT_IDLE_US");
  if (!value) return preset;
  char* end;
  const long idle = std::strtol(value, &end, 10);
  if (end == value || *end || idle < 1 || idle > 1'000'000) {
    WPRIM_LOG(WPRIM_LOG_WARN, "WARPPRIM_RESIDENT_IDLE_US=%s is not a number from 1 to 1000000: using %d",
              value, static_cast<int>(preset.count()));
    return preset;
  }
  return std::chrono::microseconds{idle};
}

}  // namespace wprim
