// Random programs against a sequential oracle. PROGRAMS_DEVICE is the kind of device that they run on.
//
// WARPPRIM_PROGRAMS says how many; the last line names the first seed. WARPPRIM_PROGRAM runs the program of one seed
// alone, and tells its steps.
#include <chrono>
#include <cstdlib>

#include "program.h"

namespace programs {
namespace {

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr uint64_t kDefault = 5'000;
#else
constexpr uint64_t kDefault = 100'000;
#endif

uint64_t number(const char* name, uint64_t otherwise) {
  const char* value = std::getenv(name);
  return value ? std::strtoull(value, nullptr, 10) : otherwise;
}

void run_programs(const Shape& shape, uint64_t count) {
  setenv("WARPPRIM_RESIDENT_IDLE_US", "20", 0);  // so that who waits in vain often falls asleep
  Machine machine(PROGRAMS_DEVICE, shape);
  const uint64_t only = number("WARPPRIM_PROGRAM", 0);
  const uint64_t seconds =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
          .count();
  const uint64_t first = only ? only : seconds * 1'000'000;
  std::string told;
  for (uint64_t seed = first; seed < first + (only ? 1 : count); ++seed) {
    SCOPED_TRACE("WARPPRIM_PROGRAM=" + std::to_string(seed) + " runs it again");
    Program program(machine, seed, only ? &told : nullptr);
    program.run();
    if (testing::Test::HasFailure()) break;
  }
  if (only) std::printf("%s", told.c_str());
  std::printf("%llu programs from seed %llu\n", static_cast<unsigned long long>(only ? 1 : count),
              static_cast<unsigned long long>(first));
}

TEST(Programs, Small) { run_programs({10, 5, 40}, number("WARPPRIM_PROGRAMS", kDefault)); }

// Ops that the CPU hands to other threads, and a GPU to many blocks.
TEST(Programs, Large) { run_programs({5, 3, 70'000}, number("WARPPRIM_PROGRAMS", kDefault) / 1000); }

}  // namespace
}  // namespace programs
