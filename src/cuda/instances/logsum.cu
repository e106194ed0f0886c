#include "cuda/kernels/logsum.cuh"

#include "cuda/instances/elements.h"
#include "cuda/kernels/reduce.cuh"

namespace wprim::cuda {

// Two readings of the piece. Every lane knows the largest element after the first, for the fold is a butterfly.
template <class Elements>
struct Piece<LogSumExp<Elements>> {
  using Algebra = LogSumExp<Elements>;
  using A = typename Elements::Accumulator;
  using State = typename Algebra::State;
  using WithLargest = typename Algebra::Exponentials::WithLargest;

  static WPRIM_DEVICE State fold(const ReduceParams& params, const Source<Algebra::kBytes>& source,
                                 uint32_t n, uint64_t index) {
    const A m = fold_piece<typename Algebra::Largest>(params, source, n, index);
    if (m != m) return {m, m};
    return {m, fold_piece<typename Algebra::Exponentials>(WithLargest{params, m}, source, n, index)};
  }
  static WPRIM_DEVICE void fold_tiles(const ReduceParams& params, const machine::Vector (&in)[kRowsInFlight],
                                      int count, bool whole, uint64_t index, unsigned tile,
                                      State (&state)[kRowsInFlight]) {
    constexpr int v = Algebra::kComponents;
    A m[kRowsInFlight], s[kRowsInFlight];
    Piece<typename Algebra::Largest>::fold_tiles(params, in, count, whole, index, tile, m);
#pragma unroll
    for (unsigned u = 0; u < kRowsInFlight; ++u) {
      const WithLargest with{params, m[u]};
      s[u] = 0;
      if (count > 0 && m[u] == m[u]) {
        auto slot = Algebra::Exponentials::first(with, in[u], whole ? v : count, index);
        s[u] = Algebra::Exponentials::close(with, slot);
      }
    }
    warp::fold_tiles<typename Algebra::Exponentials>(params, s, tile);
#pragma unroll
    for (unsigned u = 0; u < kRowsInFlight; ++u) state[u] = {m[u], m[u] == m[u] ? s[u] : m[u]};
  }
};

// By a block: the warps' largest elements meet in shared memory, the elements stay in registers. The slots' states all
// have the block's m, so their combination adds the sums.
template <class Elements>
struct BlockPiece<LogSumExp<Elements>> {
  using Algebra = LogSumExp<Elements>;
  using A = typename Elements::Accumulator;
  using Largest = typename Algebra::Largest;
  using WithLargest = typename Algebra::Exponentials::WithLargest;

  static WPRIM_DEVICE typename Algebra::State slot(const ReduceParams& params,
                                                   const ThreadSlot<Algebra>& mine, unsigned turn) {
    __shared__ A largest[2][kWarps];
    A m = warp::fold_warp<Largest>(params, mine.template fold<Largest>(params));
    if (machine::lane_index() == 0) largest[turn % 2][machine::warp_index()] = m;
    machine::
        block_barrier();  // every warp's largest is there; written again two pieces later, past the next barrier
#pragma unroll
    for (unsigned w = 0; w < kWarps; ++w) m = Largest::larger(m, largest[turn % 2][w]);
    if (m != m) return {m, m};
    return {m, mine.template fold<typename Algebra::Exponentials>(WithLargest{params, m})};
  }
};

ReduceKernels find_logsum(const Reduce& reduce) {
  return visit_elements(reduce,
                        [&](auto elements) { return reduce_kernels<LogSumExp<decltype(elements)>>(); });
}

}  // namespace wprim::cuda
