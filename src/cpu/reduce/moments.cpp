// var and std.
#include "cpu/reduce/driver.h"
#include "cpu/reduce/numbers.h"

namespace wprim::cpu {
namespace {

template <class A>
class Variance {
 public:
  using State = Moments<A>;
  using Scratch = NumberScratch<A>;
  static constexpr uint64_t kPieceChunks = 1;

  explicit Variance(const Reduce& r)
      : r_(r),
        components_(order::components(size_of(r.dtype))),
        moments_(simd::moments_kernel<A>(r.nan == WPRIM_NAN_IGNORE)),
        numbers_(r, A(0), /*keep_nan=*/true) {}

  State leaf(const std::byte* in, size_t n, Scratch& scratch) const {
    return moments_(numbers_.get(in, n, scratch), n, components_);
  }

  void finish(uint64_t row, State* states, uint64_t count) const {
    State all{0, 0, 0};
    if (count > 0)
      all = order::fold(states, count, sizeof(A), [](const State& a, const State& b) { return merge(a, b); });
    if (all.n <= r_.ddof || !std::isfinite(all.mean)) {
      return store_number(r_, row, std::numeric_limits<double>::quiet_NaN());
    }
    const double variance = static_cast<double>(all.m2) / static_cast<double>(all.n - r_.ddof);
    store_number(r_, row, r_.op == WPRIM_STD ? std::sqrt(variance) : variance);
  }

 private:
  const Reduce& r_;
  const size_t components_;
  const simd::MomentsKernel<A> moments_;
  const Numbers<A> numbers_;
};

}  // namespace

void reduce_moments(const Reduce& r, Team& team, Workspace& workspace) {
  if (r.accumulator == WPRIM_F32) {
    drive(r, Variance<float>(r), team, workspace);
  } else {
    drive(r, Variance<double>(r), team, workspace);
  }
}

}  // namespace wprim::cpu
