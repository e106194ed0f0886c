// Integer sums and products modulo 2^64, and bitwise ops of integers. Exact: any order will do.
#include "cpu/reduce/driver.h"
#include "cpu/reduce/numbers.h"

namespace wprim::cpu {
namespace {

class Words {
 public:
  using State = uint64_t;
  using Scratch = NoScratch;
  static constexpr uint64_t kPieceChunks = kExactPieceChunks;

  explicit Words(const Reduce& r) : r_(r), words_(simd::word_kernel(fold_of(r.op), r.dtype)) {}

  State leaf(const std::byte* in, size_t n, Scratch&) const { return words_(in, n); }

  void finish(uint64_t row, const State* states, uint64_t count) const {
    const bool product = r_.op == WPRIM_PROD;
    uint64_t all = product ? 1 : 0;
    for (uint64_t i = 0; i < count; ++i) all = product ? all * states[i] : all + states[i];
    store_word(r_, row, all);
  }

 private:
  static simd::WordFold fold_of(wprim_op op) {
    switch (op) {
      case WPRIM_PROD: return simd::WordFold::product;
      case WPRIM_L1: return simd::WordFold::absolute_sum;
      default: return simd::WordFold::sum;
    }
  }

  const Reduce& r_;
  const simd::WordKernel words_;
};

class Bits {
 public:
  using State = uint64_t;
  using Scratch = NoScratch;
  static constexpr uint64_t kPieceChunks = kExactPieceChunks;

  explicit Bits(const Reduce& r)
      : r_(r), size_(size_of(r.dtype)), bitwise_(simd::bitwise_kernel(bitwise_of(r.op))) {}

  State leaf(const std::byte* in, size_t n, Scratch&) const { return bitwise_(in, n, size_); }

  void finish(uint64_t row, const State* states, uint64_t count) const {
    uint64_t all = r_.op == WPRIM_AND ? ~0ull : 0;
    for (uint64_t i = 0; i < count; ++i) {
      all = r_.op == WPRIM_AND ? all & states[i] : r_.op == WPRIM_OR ? all | states[i] : all ^ states[i];
    }
    store_word(r_, row, all);
  }

 private:
  static simd::Bitwise bitwise_of(wprim_op op) {
    switch (op) {
      case WPRIM_AND: return simd::Bitwise::conjunction;
      case WPRIM_OR: return simd::Bitwise::disjunction;
      default: return simd::Bitwise::exclusive;
    }
  }

  const Reduce& r_;
  const size_t size_;
  const simd::BitwiseKernel bitwise_;
};

}  // namespace

void reduce_words(const Reduce& r, Team& team, Workspace& workspace) {
  if (find_op(r.op)->rule == OpRule::bitwise) {
    drive(r, Bits(r), team, workspace);
  } else {
    drive(r, Words(r), team, workspace);
  }
}

}  // namespace wprim::cpu
