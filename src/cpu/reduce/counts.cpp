// any, all and count_nonzero; and, or, xor of bool, which ask the same of the counts.
#include "cpu/reduce/driver.h"
#include "cpu/reduce/numbers.h"

namespace wprim::cpu {
namespace {

class Truth {
 public:
  using State = simd::Counts;
  using Scratch = NoScratch;
  static constexpr uint64_t kPieceChunks = kExactPieceChunks;

  explicit Truth(const Reduce& r) : r_(r), count_(simd::count_kernel(r.dtype)) {}

  State leaf(const std::byte* in, size_t n, Scratch&) const { return count_(in, n); }

  void finish(uint64_t row, const State* states, uint64_t count) const {
    uint64_t nonzero = 0, nan = 0;
    for (uint64_t i = 0; i < count; ++i) {
      nonzero += states[i].nonzero;
      nan += states[i].nan;
    }
    uint64_t n = r_.cols;
    if (r_.nan == WPRIM_NAN_IGNORE) {  // a NaN counts as non-zero so far
      nonzero -= nan;
      n -= nan;
    }
    store_word(r_, row, result(nonzero, n));
  }

 private:
  uint64_t result(uint64_t nonzero, uint64_t n) const {
    switch (r_.op) {
      case WPRIM_ANY:
      case WPRIM_OR: return nonzero != 0;
      case WPRIM_ALL:
      case WPRIM_AND: return nonzero == n;
      case WPRIM_XOR: return nonzero % 2;
      default: return nonzero;
    }
  }

  const Reduce& r_;
  const simd::CountKernel count_;
};

}  // namespace

void reduce_counts(const Reduce& r, Team& team, Workspace& workspace) { drive(r, Truth(r), team, workspace); }

}  // namespace wprim::cpu
