#include "cuda/kernels/logsum.cuh"

#include "cuda/instances/elements.h"
#include "cuda/kernels/reduce.cuh"

namespace wprim::cuda {

// Two readings of the row. Every lane knows the largest element after the first.
template <class Elements, bool kIgnore>
struct Row<LogSumExp<Elements, kIgnore>> {
  using Algebra = LogSumExp<Elements, kIgnore>;
  using Local = typename Algebra::Local;

  template <bool kEasy>
  static WPRIM_DEVICE Local fold(const ReduceParams& params, const Staged<Algebra::kBytes>& row, uint32_t n,
                                 const RowLane& at) {
    const auto m = fold_row<typename Algebra::Largest, kEasy>(params, row, n, at);
    const typename Algebra::Exponentials::WithLargest with(params, m);
    const auto s = fold_row<typename Algebra::Exponentials, kEasy>(with, row, n, at);
    return {m, m == m ? s : m};
  }
};

// By a block: the warps' largest elements meet in shared memory, the elements stay in registers.
template <class Elements, bool kIgnore>
struct BlockPiece<LogSumExp<Elements, kIgnore>> {
  using Algebra = LogSumExp<Elements, kIgnore>;
  using A = typename Elements::Accumulator;
  using Largest = typename Algebra::Largest;

  template <bool kEasy>
  static WPRIM_DEVICE typename Algebra::Local slot(const ReduceParams& params,
                                                   const ThreadSlot<Algebra, kEasy>& mine, unsigned turn) {
    WPRIM_SHARED(largest, A[2][kWarps]);
    A m = warp::fold_warp<Largest>(params, mine.template fold<Largest>(params));
    if (machine::lane_index() == 0) largest[turn % 2][machine::warp_index()] = m;
    // Every warp's largest is there; written again two pieces later, past the next barrier.
    machine::block_barrier();
#pragma unroll
    for (unsigned w = 0; w < kWarps; ++w) m = machine::larger_or_nan(m, largest[turn % 2][w]);
    if (m != m) return {m, m};
    const typename Algebra::Exponentials::WithLargest with(params, m);
    return {m, mine.template fold<typename Algebra::Exponentials>(with)};
  }
};

ReduceKernels find_logsum(const Reduce& reduce) {
  return visit_elements(reduce, [&](auto elements) {
    using Elements = decltype(elements);
    return reduce.nan == WPRIM_NAN_IGNORE ? reduce_kernels<LogSumExp<Elements, true>>()
                                          : reduce_kernels<LogSumExp<Elements, false>>();
  });
}

}  // namespace wprim::cuda
