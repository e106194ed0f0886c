// sum, prod, l1, l2 and mean with a floating-point result.
#include "cpu/reduce/driver.h"
#include "cpu/reduce/numbers.h"

namespace wprim::cpu {
namespace {

simd::Fold fold_of(wprim_op op) {
  switch (op) {
    case WPRIM_PROD: return simd::Fold::product;
    case WPRIM_L1: return simd::Fold::absolute_sum;
    case WPRIM_L2: return simd::Fold::square_sum;
    default: return simd::Fold::sum;
  }
}

template <class A>
class Rounding {
 public:
  struct State {
    A value;
    uint64_t nan;  // ignored ones; counted for mean only
  };
  using Scratch = NumberScratch<A>;
  static constexpr uint64_t kPieceChunks = 1;

  explicit Rounding(const Reduce& r)
      : r_(r),
        components_(order::components(size_of(r.dtype))),
        count_nan_(r.op == WPRIM_MEAN && r.nan == WPRIM_NAN_IGNORE),
        fold_(simd::fold_kernel<A>(fold_of(r.op))),
        count_(simd::count_kernel(r.dtype)),
        numbers_(r, r.op == WPRIM_PROD ? A(1) : A(0)) {}

  State leaf(const std::byte* in, size_t n, Scratch& scratch) const {
    return {fold_(numbers_.get(in, n, scratch), n, components_), count_nan_ ? count_(in, n).nan : 0};
  }

  void finish(uint64_t row, State* states, uint64_t count) const {
    const bool product = r_.op == WPRIM_PROD;
    State all{product ? A(1) : A(0), 0};
    if (count > 0) {
      all = order::fold(states, count, sizeof(A), [&](const State& a, const State& b) {
        return State{product ? a.value * b.value : a.value + b.value, a.nan + b.nan};
      });
    }
    const double value = static_cast<double>(all.value);
    switch (r_.op) {
      case WPRIM_MEAN:
        return store_number(r_, row, value / static_cast<double>(r_.cols - all.nan));  // 0 / 0 is NaN
      case WPRIM_L2: return store_number(r_, row, std::sqrt(value));
      default: return store_number(r_, row, all.value);
    }
  }

 private:
  const Reduce& r_;
  const size_t components_;
  const bool count_nan_;
  const simd::FoldKernel<A> fold_;
  const simd::CountKernel count_;
  const Numbers<A> numbers_;
};

}  // namespace

void reduce_rounding(const Reduce& r, Team& team, Workspace& workspace) {
  if (r.accumulator == WPRIM_F32) {
    drive(r, Rounding<float>(r), team, workspace);
  } else {
    drive(r, Rounding<double>(r), team, workspace);
  }
}

}  // namespace wprim::cpu
