// logsumexp.
#include <limits>

#include "cpu/reduce/driver.h"
#include "cpu/reduce/numbers.h"

namespace wprim::cpu {
namespace {

template <class A>
class LogSumExp {
 public:
  using State = LogSum<A>;
  using Scratch = NumberScratch<A>;
  static constexpr uint64_t kPieceChunks = 1;

  explicit LogSumExp(const Reduce& r)
      : r_(r),
        components_(order::components(size_of(r.dtype))),
        logsum_(simd::logsum_kernel<A>()),
        numbers_(r, -std::numeric_limits<A>::infinity()) {}

  // The exponentials go to the scratch, over the converted elements if there are any.
  State leaf(const std::byte* in, size_t n, Scratch& scratch) const {
    return logsum_(numbers_.get(in, n, scratch), n, components_, scratch.x);
  }

  void finish(uint64_t row, State* states, uint64_t count) const {
    State all{-std::numeric_limits<A>::infinity(), 0};
    if (count > 0)
      all = order::fold(states, count, sizeof(A), [](const State& a, const State& b) { return merge(a, b); });
    store_number(r_, row, wprim::finish(all));
  }

 private:
  const Reduce& r_;
  const size_t components_;
  const simd::LogSumKernel<A> logsum_;
  const Numbers<A> numbers_;
};

}  // namespace

void reduce_logsum(const Reduce& r, Team& team, Workspace& workspace) {
  if (r.accumulator == WPRIM_F32) {
    drive(r, LogSumExp<float>(r), team, workspace);
  } else {
    drive(r, LogSumExp<double>(r), team, workspace);
  }
}

}  // namespace wprim::cpu
