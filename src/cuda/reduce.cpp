#include "cuda/reduce.h"

#include <algorithm>
#include <bit>
#include <cinttypes>

#include "core/log.h"
#include "core/order.h"
#include "cuda/instances/find.h"
#include "cuda/policy/reduce.h"

namespace wprim::cuda {
namespace {

ReduceKernels find_kernels(const Reduce& r) {
  switch (family_of(r)) {
    case Family::rounding_f32: return find_rounding_f32(r);
    case Family::rounding_f64: return find_rounding_f64(r);
    case Family::moments: return find_moments(r);
    case Family::logsum: return find_logsum(r);
    case Family::extremes: return find_extremes(r);
    case Family::position: return find_position(r);
    case Family::words: return find_words(r);
    case Family::bits: return find_bits(r);
  }
  __builtin_unreachable();
}

uint64_t divide_up(uint64_t a, uint64_t b) { return a / b + (a % b != 0); }

struct Choice {
  const void* kernel;
  uint64_t blocks;
  unsigned threads;
  uint64_t cells;
  const char* why;
};

// Rows of at most kTileBytes, by warps.
Choice choose_rows(ReduceParams& p, const ReduceKernels& kernels, unsigned v, unsigned size,
                   unsigned multiprocessors) {
  const uint32_t row_bytes = static_cast<uint32_t>(p.cols) * size;
  const uint32_t slots = std::bit_ceil(static_cast<uint32_t>(divide_up(p.cols, v)));
  RowTiles& t = p.tiles;
  const uint32_t most = kernels.commutative ? policy::kLaneSlots : policy::kSwappedLaneSlots;
  t.lanes = std::min(policy::kWarp, std::max(1u, slots / most));
  const uint32_t per_lane = slots / t.lanes;

  // Rows that lie close together are copied with what lies between them.
  t.by_hand = p.rows > 1 && p.stride_bytes > row_bytes + row_bytes / 2 + 32;
  t.pitch = t.by_hand ? static_cast<uint32_t>(p.easy ? row_bytes : divide_up(row_bytes + 15, 16) * 16 + 16)
                      : static_cast<uint32_t>(p.rows > 1 ? p.stride_bytes : row_bytes);
  t.rows = t.pitch > policy::kTileBytes ? 1 : policy::kTileBytes / t.pitch;
  const uint32_t at_once = policy::kWarp / t.lanes;
  if (t.rows >= 4 * at_once) t.rows -= t.rows % at_once;  // where little is lost
  // Few rows: smaller tiles for more warps.
  const uint64_t warps =
      uint64_t{multiprocessors} * policy::row_blocks(kernels.state_words * 4) * policy::kRowWarps;
  const uint64_t fair = divide_up(divide_up(p.rows, warps), at_once) * at_once;
  t.rows = static_cast<uint32_t>(std::min<uint64_t>(t.rows, fair));
  // Lanes that read at once then read from different banks, if rows begin at the same one.
  t.twist = t.pitch % 128 == 0 ? per_lane - 1 : 0;
  const uint32_t whole = static_cast<uint32_t>(p.cols / v);
  t.used = t.twist > 0 ? per_lane : static_cast<uint32_t>(divide_up(divide_up(p.cols, v), t.lanes));
  t.full = t.twist == 0 ? whole / t.lanes : p.cols == uint64_t{slots} * v ? per_lane : 0;
  const uint64_t blocks = divide_up(divide_up(p.rows, t.rows), policy::kRowWarps);
  return {p.easy ? kernels.easy_rows : kernels.any_rows,
          std::min<uint64_t>(blocks, multiprocessors * policy::row_blocks(kernels.state_words * 4)),
          policy::kRowWarps * policy::kWarp, 0, "a few lanes a row"};
}

// A block for each piece.
Choice choose_pieces(ReduceParams& p, const ReduceKernels& kernels, unsigned multiprocessors) {
  const uint64_t partials =
      static_cast<uint64_t>(order::kSlots) * order::kRounds * kernels.partial_components;
  const bool by_warp = p.pieces <= policy::kWarp * kernels.partial_components;
  const uint64_t total = p.rows * p.pieces;
  p.groups = by_warp ? 0 : divide_up(p.pieces, partials);
  const uint64_t levels = p.groups + (p.groups > partials ? partials : 0);
  const uint64_t cells = p.pieces > 1 ? (total + p.rows * levels) * kernels.state_words : 0;
  // Of one row, few blocks wait for others; of many, only as many may as the GPU holds at once.
  const uint64_t resident = uint64_t{multiprocessors} * policy::kPieceBlocks;
  const uint64_t of_one_row = policy::pieces_of_one_row(kernels.state_words * 4);
  if (total <= (p.rows == 1 ? of_one_row : resident) || p.count) {
    return {p.easy ? kernels.easy_pieces : kernels.any_pieces, total, order::kSlots, cells,
            "a block a piece"};
  }
  const uint64_t most = uint64_t{multiprocessors} * policy::stream_blocks(kernels.state_words * 4);
  p.row_a_block = by_warp && p.rows >= policy::kRowsForBlocks * most;
  return {kernels.stream, std::min(most, total), order::kSlots, p.row_a_block ? 0 : cells,
          p.row_a_block ? "blocks take rows"
          : by_warp     ? "blocks take pieces, a warp finishes"
                        : "blocks take pieces"};
}

}  // namespace

void prepare_reduce(const Reduce& r, unsigned multiprocessors, Launch* launch) {
  const size_t size = size_of(r.dtype);
  const unsigned v = static_cast<unsigned>(order::components(size));
  const ReduceKernels kernels = find_kernels(r);
  ReduceParams p{};
  p.in = r.in;
  p.out = r.out;
  p.rows = r.rows;
  p.cols = r.cols;
  p.stride_bytes = r.row_stride * size;
  p.count = r.count;
  p.pieces = std::max<uint64_t>(1, order::chunks(r.cols, size));
  p.op = r.op;
  p.dtype = r.dtype;
  p.out_dtype = r.out_dtype;
  p.ignore_nan = r.nan == WPRIM_NAN_IGNORE && is_float(r.dtype);
  p.ddof = r.ddof;

  p.out_bytes = static_cast<uint32_t>(size_of(r.out_dtype));
  p.floating = is_float(r.dtype);
  p.easy = reinterpret_cast<uintptr_t>(r.in) % order::kVectorBytes == 0 &&
           p.stride_bytes % order::kVectorBytes == 0 && r.cols % v == 0 && !r.count;

  const OpRule rule = find_op(r.op)->rule;
  p.plain = rule == OpRule::sum && r.out_dtype == r.dtype && r.cols > 0 && !r.count;

  const bool rows = r.cols > 0 && !r.count && r.cols * size <= policy::kTileBytes &&
                    (r.rows > multiprocessors || p.cols <= 8 * v);
  const Choice choice = rows ? choose_rows(p, kernels, v, static_cast<unsigned>(size), multiprocessors)
                             : choose_pieces(p, kernels, multiprocessors);
  WPRIM_LOG(WPRIM_LOG_DEBUG, "reduce: %s %s -> %s, %" PRIu64 " x %" PRIu64 ": %s, %" PRIu64 " blocks of %u",
            name_of(r.op), name_of(r.dtype), name_of(r.out_dtype), r.rows, r.cols, choice.why, choice.blocks,
            choice.threads);
  launch->kernel = choice.kernel;
  launch->blocks = static_cast<unsigned>(choice.blocks);
  launch->threads = choice.threads;
  launch->cells = choice.cells;
  launch->workspace_at = offsetof(ReduceParams, workspace);
  launch->why = choice.why;
  // A resident kernel is one block, which takes as long for more pieces as a launch.
  if (r.rows == 1 && p.pieces == 1) launch->resident = find_small(r);
  launch->set(p);
}

}  // namespace wprim::cuda
