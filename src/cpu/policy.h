// Sizes at which the CPU backend changes its way. They never change a bit. Measured by bench/cpu_reduce; see
// docs/performance.md.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/op.h"
#include "core/reduce.h"

namespace wprim::cpu::policy {

// Up to here an idle stream does work on the calling thread: waking another takes as long.
inline constexpr uint64_t kShortBytes = 512 << 10;

// The same for graphs: so many ops, each of them short.
inline constexpr uint64_t kShortNodes = 8;

// From here threads share an op.
inline constexpr uint64_t kParallelBytes = 1 << 20;

// Both, for reduces that only compare: until another thread wakes up, one has done so much.
inline constexpr uint64_t kComparedBytes = 4 << 20;

// What a thread takes at a time.
inline constexpr uint64_t kGrainBytes = 256 << 10;

// What a row costs at least.
inline constexpr uint64_t kRowBytes = 1024;

inline uint64_t cost(const Reduce& r) {
  constexpr uint64_t kMany = 1 << 30;  // rows that are never short: the product stays in range
  return std::max(r.in_bytes(), std::min(r.rows, kMany) * kRowBytes);
}

inline bool only_compares(const Reduce& r) {
  const OpRule rule = find_op(r.op)->rule;
  return rule == OpRule::selection || rule == OpRule::index || rule == OpRule::magnitude;
}

inline bool is_short(const Reduce& r) { return cost(r) <= (only_compares(r) ? kComparedBytes : kShortBytes); }
inline bool is_shared(const Reduce& r) {
  return only_compares(r) ? cost(r) > kComparedBytes : cost(r) >= kParallelBytes;
}

}  // namespace wprim::cpu::policy
