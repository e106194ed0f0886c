// Sizes at which the CPU backend changes its way. They never change a bit. Measured by bench/cpu_reduce; see
// docs/performance.md.
#pragma once

#include <cstdint>

namespace wprim::cpu::policy {

// Up to here an idle stream does work on the calling thread: waking another takes as long.
inline constexpr uint64_t kShortBytes = 512 << 10;

// From here threads share an op.
inline constexpr uint64_t kParallelBytes = 1 << 20;

// What a thread takes at a time.
inline constexpr uint64_t kGrainBytes = 256 << 10;

}  // namespace wprim::cpu::policy
