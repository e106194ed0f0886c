#include "cuda/reduce.h"

#include <algorithm>
#include <bit>
#include <cinttypes>

#include "core/log.h"
#include "core/order.h"
#include "cuda/context.h"
#include "cuda/error.h"
#include "cuda/instances/find.h"
#include "cuda/policy/reduce.h"

namespace wprim::cuda {
namespace {

ReduceKernels find_kernels(const Reduce& r) {
  switch (find_op(r.op)->rule) {
    case OpRule::sum:
      if (r.accumulator == WPRIM_U64) return find_words(r);
      return r.accumulator == WPRIM_F32 ? find_rounding_f32(r) : find_rounding_f64(r);
    case OpRule::statistic:
      if (r.op == WPRIM_LOGSUMEXP) return find_logsum(r);
      if (r.op == WPRIM_VAR || r.op == WPRIM_STD) return find_moments(r);
      return r.accumulator == WPRIM_F32 ? find_rounding_f32(r) : find_rounding_f64(r);
    case OpRule::bitwise:
    case OpRule::truth:
    case OpRule::count: return find_bits(r);
    case OpRule::index: return find_position(r);
    case OpRule::selection:
    case OpRule::magnitude: return find_extremes(r);
  }
  __builtin_unreachable();
}

uint64_t divide_up(uint64_t a, uint64_t b) { return a / b + (a % b != 0); }

struct Launch {
  const void* kernel;
  uint64_t blocks;
  unsigned threads;
  const char* why;
};

// A tile of lanes for each row.
Launch choose_narrow(ReduceParams& p, const ReduceKernels& kernels, unsigned v, unsigned multiprocessors) {
  p.tile = static_cast<uint32_t>(std::bit_ceil(std::max<uint64_t>(1, divide_up(p.cols, v))));
  const uint64_t rows_a_block = policy::kWarpsPerBlock * policy::kRowsInFlight * (policy::kWarp / p.tile);
  const uint64_t blocks =
      std::min<uint64_t>(divide_up(p.rows, rows_a_block), multiprocessors * policy::kNarrowBlocks);
  return {kernels.narrow, blocks, policy::kWarpsPerBlock * policy::kWarp, "a tile of lanes a row"};
}

// A warp for each row.
Launch choose_rows(const ReduceParams& p, const ReduceKernels& kernels, unsigned multiprocessors) {
  const uint64_t blocks =
      std::min<uint64_t>(divide_up(p.rows, policy::kWarpsPerBlock), multiprocessors * policy::kRowBlocks);
  return {kernels.rows, blocks, policy::kWarpsPerBlock * policy::kWarp, "a warp a row"};
}

// A block for each piece.
Launch choose_pieces(ReduceParams& p, const ReduceKernels& kernels, unsigned multiprocessors,
                     uint64_t* cells) {
  const uint64_t partials =
      static_cast<uint64_t>(order::kSlots) * order::kRounds * kernels.partial_components;
  const bool by_warp = p.pieces <= policy::kWarp * kernels.partial_components;
  const uint64_t most = multiprocessors * policy::kPieceBlocks;
  if (by_warp && p.pieces > 1 && p.rows >= policy::kRowsForBlocks * most) {
    return {kernels.long_rows, most, order::kSlots, "a block a row"};
  }
  p.groups = by_warp ? 0 : divide_up(p.pieces, partials);
  const uint64_t total = p.rows * p.pieces;
  if (p.pieces > 1)
    *cells = (total + p.rows * (p.groups + (p.groups > partials ? partials : 0))) * kernels.state_words;
  return {kernels.pieces, std::min<uint64_t>(total, most), order::kSlots,
          by_warp ? "a block a piece, a warp finishes" : "a block a piece, blocks finish"};
}

}  // namespace

Status launch_reduce(const Reduce& r, const CudaContext& context, cudaStream_t stream, Workspace& workspace) {
  const size_t size = size_of(r.dtype);
  const unsigned v = static_cast<unsigned>(order::components(size));
  const ReduceKernels kernels = find_kernels(r);
  ReduceParams p{};
  p.in = r.in;
  p.out = r.out;
  p.rows = r.rows;
  p.cols = r.cols;
  p.stride_bytes = r.row_stride * size;
  p.pieces = std::max<uint64_t>(1, order::chunks(r.cols, size));
  p.op = r.op;
  p.dtype = r.dtype;
  p.out_dtype = r.out_dtype;
  p.ignore_nan = r.nan == WPRIM_NAN_IGNORE && is_float(r.dtype);
  p.ddof = r.ddof;

  p.out_bytes = static_cast<uint32_t>(size_of(r.out_dtype));
  p.floating = is_float(r.dtype);
  p.easy = reinterpret_cast<uintptr_t>(r.in) % order::kVectorBytes == 0 &&
           p.stride_bytes % order::kVectorBytes == 0 && r.cols % v == 0;

  const unsigned multiprocessors = context.multiprocessors();
  uint64_t cells = 0;
  const Launch launch = r.cols <= uint64_t{policy::kWarp} * v ? choose_narrow(p, kernels, v, multiprocessors)
                        : p.pieces == 1 && r.rows > multiprocessors
                            ? choose_rows(p, kernels, multiprocessors)
                            : choose_pieces(p, kernels, multiprocessors, &cells);
  if (cells > 0) WPRIM_TRY(workspace.get(stream, cells, &p.workspace));
  WPRIM_LOG(WPRIM_LOG_DEBUG, "reduce: %s %s -> %s, %" PRIu64 " x %" PRIu64 ": %s, %" PRIu64 " blocks of %u",
            name_of(r.op), name_of(r.dtype), name_of(r.out_dtype), r.rows, r.cols, launch.why, launch.blocks,
            launch.threads);
  void* arguments[] = {&p};
  return check(cudaLaunchKernel(launch.kernel, dim3(static_cast<unsigned>(launch.blocks)),
                                dim3(launch.threads), arguments, 0, stream),
               "cudaLaunchKernel");
}

}  // namespace wprim::cuda
