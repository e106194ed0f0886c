// Rows as pieces of a chunk, a block a piece, a thread a slot. The pieces of a row travel as cells to the warp (few
// pieces) or the blocks (many) that finish it: one launch whatever the size.
#pragma once

#include "core/order.h"
#include "cuda/block/fold.cuh"
#include "cuda/kernels/finish.cuh"
#include "cuda/kernels/partials.cuh"
#include "cuda/kernels/slots.cuh"
#include "cuda/policy/reduce.h"
#include "cuda/warp/states.cuh"

namespace wprim::cuda {

inline constexpr unsigned kThreads = order::kSlots;
inline constexpr unsigned kWarps = kThreads / machine::kWarp;

template <class Algebra>
WPRIM_DEVICE Extent extent_of(const ReduceParams& params) {
  return {params.in, params.in + (params.rows - 1) * params.stride_bytes + params.cols * Algebra::kBytes};
}

// Where a piece is.
template <class Algebra>
struct Piece {
  const std::byte* begin;
  uint64_t index;  // of its first element in the row
  uint32_t n;

  WPRIM_DEVICE Piece(const ReduceParams& params, uint64_t row, uint64_t piece)
      : Piece(params, row, piece, params.cols) {}

  // Of a row of which only `cols` elements are there, pieces may be empty: an element that is missing changes nothing.
  WPRIM_DEVICE Piece(const ReduceParams& params, uint64_t row, uint64_t piece, uint64_t cols) {
    constexpr uint32_t chunk = order::chunk_elements(Algebra::kBytes);
    index = piece * chunk;
    const uint64_t left = cols > index ? cols - index : 0;
    n = static_cast<uint32_t>(left < chunk ? left : chunk);
    begin = params.in + row * params.stride_bytes + index * Algebra::kBytes;
  }
};

// A block folds a group of a row's partials, a chunk of them or what is left; that of the last group then folds what the
// groups became, and finishes the row.
template <class Algebra>
WPRIM_DEVICE_CALL void finish_group(const ReduceParams& params, uint64_t row, uint64_t group, uint32_t epoch,
                                    typename Algebra::State* shared) {
  constexpr uint64_t group_pieces = order::kRounds * order::kSlots * Algebra::kPartialComponents;
  const uint64_t done = group * group_pieces, left = params.pieces - done;
  auto state = fold_many_partials<Algebra>(params, row * params.pieces + done,
                                           left < group_pieces ? left : group_pieces, epoch, shared);
  const bool thread0 = machine::thread_index() == 0;
  if (params.groups > 1) {
    const uint64_t begin = params.rows * params.pieces + row * params.groups;
    if (thread0) send(params.workspace.cells, begin + group, state, epoch);
    if (group != params.groups - 1) return;
    const uint64_t spare = params.rows * (params.pieces + params.groups) + row * group_pieces;
    state = fold_levels<Algebra>(params, begin, params.groups, spare, epoch, shared);
  }
  if (!thread0) return;
  Algebra::finish(params, row, state);
  if (params.rows == 1)
    machine::store_relaxed(params.workspace.epoch, epoch);  // all have sent, so all have read it
}

// ---- A piece a block, no more: the shortest way.
template <class Algebra, bool kEasy>
__global__ void __launch_bounds__(kThreads, policy::kPieceBlocks)
    reduce_pieces(const __grid_constant__ ReduceParams params) {
  using State = typename Algebra::State;
  WPRIM_SHARED(slots, typename Algebra::Local[order::kSlots]);
  WPRIM_SHARED(scratch, typename BlockPiece<Algebra>::Scratch);
  const CellSpace& workspace = params.workspace;
  const uint32_t pieces = static_cast<uint32_t>(params.pieces),
                 i = static_cast<uint32_t>(machine::block_index());
  const uint32_t row = params.rows == 1 ? 0 : pieces == 1 ? i : i / pieces, number = i - row * pieces;
  const Piece<Algebra> piece(params, row, number, kEasy ? params.cols : present_cols(params));
  const ThreadSlot<Algebra, kEasy> mine(Source<Algebra::kBytes>(piece.begin, extent_of<Algebra>(params).end),
                                        piece.n);
  // Cells are tagged with the number of this launch, which the last to finish will write down. Asked for when the
  // elements are on their way, or they would wait for it.
  const uint32_t before = params.pieces > 1 ? machine::load_relaxed(workspace.epoch) : 0;
  slots[machine::thread_index()] = BlockPiece<Algebra>::slot(params, mine, 0, scratch);
  machine::block_barrier();  // every slot is there

  // A row's partials are folded in groups of a chunk, by the block that has the group's last piece.
  constexpr uint32_t group_pieces = order::kRounds * order::kSlots * Algebra::kPartialComponents;
  const bool last = number == pieces - 1, by_warp = last && params.groups == 0;
  const bool by_block = params.groups > 0 && (last || number % group_pieces == group_pieces - 1);
  if (machine::warp_index() > 0 && !by_block) return;
  const bool thread0 = machine::thread_index() == 0;
  const uint32_t epoch = next_epoch(before);
  State state;
  if (machine::warp_index() == 0) {
    state = Algebra::state(params, block::fold_shared<Algebra>(params, slots), piece.index);
    if (pieces == 1) {
      if (thread0) finish_row<Algebra>(params, row, state);
      return;
    }
    if (thread0) send(workspace.cells, i, state, epoch);
  }
  // Who waits, waits for blocks before its own. They have begun or will begin without our help: the GPU holds more blocks
  // than can wait.
  const uint64_t begin = static_cast<uint64_t>(row) * pieces;
  if (by_warp) state = fold_few_partials<Algebra>(params, begin, pieces, epoch);
  if (by_block) {
    WPRIM_SHARED(partials, State[order::kSlots]);
    if (params.groups > 1) return finish_group<Algebra>(params, row, number / group_pieces, epoch, partials);
    state = pieces <= order::kSlots * Algebra::kPartialComponents
                ? fold_partials<Algebra, 1>(params, begin, pieces, epoch, partials)
                : fold_many_partials<Algebra>(params, begin, pieces, epoch, partials);
  }
  if (!thread0) return;
  if (last) finish_row<Algebra>(params, row, state);
  if (params.rows == 1) {
    if (last) machine::store_relaxed(workspace.epoch, epoch);  // all have sent, so all have read the epoch
  } else {
    const uint32_t blocks = static_cast<uint32_t>(machine::grid_blocks()) - 1;
    if (machine::count_to(workspace.done, blocks) == blocks) machine::store_relaxed(workspace.epoch, epoch);
  }
}

// ---- Any number of pieces: a block takes many, its next ones on the way while it folds one.

// The pieces of a block, one after the other.
struct PieceCursor {
  uint64_t row;
  uint64_t piece;

  static WPRIM_DEVICE PieceCursor first(const ReduceParams& params) {
    PieceCursor at{0, machine::block_index()};
    if (params.row_a_block) return {machine::block_index(), 0};
    at.wrap(params);
    return at;
  }
  WPRIM_DEVICE void advance(const ReduceParams& params) {
    if (params.row_a_block) {
      if (++piece < params.pieces) return;
      piece = 0;
      row += machine::grid_blocks();
    } else {
      piece += machine::grid_blocks();
      wrap(params);
    }
  }
  WPRIM_DEVICE bool there(const ReduceParams& params) const { return row < params.rows; }

 private:
  WPRIM_DEVICE void wrap(const ReduceParams& params) {
    if (piece < params.pieces) return;
    const uint64_t rows = params.pieces == 1 ? piece : piece / params.pieces;
    row += rows;
    piece -= rows * params.pieces;
  }
};

inline constexpr unsigned kPieceStages = 2;
inline constexpr unsigned kPieceStageBytes =
    order::kChunkBytes + 2 * kLine;  // a piece begins anywhere in a line

// The pieces of a block, through stages that are filled ahead. All methods are for all threads; `Memory` is shared, and
// `slots` there is free once the last piece is taken.
template <class Algebra>
struct StagedPieces {
  struct Memory {
    union {
      alignas(kLine) std::byte stages[kPieceStages][kPieceStageBytes];
      typename Algebra::State slots[order::kSlots];
    };
    machine::Arrival arrivals[kPieceStages];
  };
  Memory& memory;
  PieceCursor next;
  unsigned turn = 0;

  WPRIM_DEVICE StagedPieces(const ReduceParams& params, Memory& shared)
      : memory(shared), next(PieceCursor::first(params)) {
    if (!machine::kBackgroundCopies) return;
    if (machine::thread_index() == 0) {
      for (unsigned s = 0; s < kPieceStages; ++s) machine::init_arrival(&memory.arrivals[s]);
      machine::show_copies();
    }
    machine::warp_barrier();  // warp 0 starts copies only to an arrival that is there
    for (unsigned s = 0; s < kPieceStages; ++s) start(params, s);
    machine::block_barrier();  // nobody waits at an arrival before it is there
  }

  // The thread's slot of the piece whose turn it is.
  WPRIM_DEVICE ThreadSlot<Algebra, false> take(const ReduceParams& params, const Piece<Algebra>& piece) {
    if (!machine::kBackgroundCopies) {
      return {Source<Algebra::kBytes>(piece.begin, extent_of<Algebra>(params).end), piece.n};
    }
    const unsigned s = turn % kPieceStages, skew = skew_of(piece.begin);
    machine::wait(&memory.arrivals[s], turn / kPieceStages % 2);
    return {Staged<Algebra::kBytes>(memory.stages[s] + skew), skew % 16 == 0, piece.n};
  }

  // Once a barrier has shown that every thread has taken its slot.
  WPRIM_DEVICE void refill(const ReduceParams& params) { start(params, turn++ % kPieceStages); }

 private:
  WPRIM_DEVICE void start(const ReduceParams& params, unsigned s) {
    if (machine::kBackgroundCopies && machine::warp_index() == 0 && next.there(params)) {
      const Piece<Algebra> piece(params, next.row, next.piece);
      start_run<Algebra::kBytes>(memory.stages[s], &memory.arrivals[s], piece.begin,
                                 piece.n * Algebra::kBytes, extent_of<Algebra>(params));
    }
    next.advance(params);
  }
};

// What is done once shall not take registers from what is done all the time, and so has its own functions.
template <class Algebra>
WPRIM_DEVICE_CALL void finish_few(const ReduceParams& params, uint64_t row, uint32_t epoch) {
  const auto state = fold_few_partials<Algebra>(params, row * params.pieces, params.pieces, epoch);
  if (machine::lane_index() > 0) return;
  Algebra::finish(params, row, state);
  if (params.rows == 1) machine::store_relaxed(params.workspace.epoch, epoch);
}

// Many pieces: the last blocks take a group of partials each.
template <class Algebra>
WPRIM_DEVICE_CALL void finish_groups(const ReduceParams& params, uint32_t epoch,
                                     typename Algebra::State* slots) {
  const uint64_t groups = params.rows * params.groups;
  const uint64_t finishers = groups < machine::grid_blocks() ? groups : machine::grid_blocks();
  const uint64_t skipped = machine::grid_blocks() - finishers;
  if (machine::block_index() < skipped) return;
  for (uint64_t g = machine::block_index() - skipped; g < groups; g += finishers) {
    finish_group<Algebra>(params, g / params.groups, g % params.groups, epoch, slots);
  }
}

template <class Algebra>
__global__ void __launch_bounds__(kThreads, policy::stream_blocks(sizeof(typename Algebra::State)))
    reduce_stream(const __grid_constant__ ReduceParams params) {
  using State = typename Algebra::State;
  WPRIM_SHARED(memory, typename StagedPieces<Algebra>::Memory);
  WPRIM_SHARED(slots, typename Algebra::Local[2][order::kSlots]);
  WPRIM_SHARED(scratch, typename BlockPiece<Algebra>::Scratch);
  WPRIM_SHARED(partials, State[machine::kWarp * Algebra::kPartialComponents]);  // of a block's own row
  const bool lane0 = machine::lane_index() == 0;
  const CellSpace& workspace = params.workspace;
  const bool by_cells = params.pieces > 1 && !params.row_a_block;
  StagedPieces<Algebra> source(params, memory);
  const uint32_t epoch = by_cells ? next_epoch(machine::load_relaxed(workspace.epoch)) : 0;
  State state;

  // Pieces are taken in order. Who waits, waits for pieces before its own, which other blocks have begun or will begin
  // without our help: the grid is no larger than what the GPU holds at once, so every block gets to run.
  for (PieceCursor at = PieceCursor::first(params); at.there(params); at.advance(params)) {
    const Piece<Algebra> piece(params, at.row, at.piece);
    const auto mine = source.take(params, piece);
    const unsigned turn = source.turn;
    slots[turn % 2][machine::thread_index()] = BlockPiece<Algebra>::slot(params, mine, turn, scratch);
    // Every slot is there and every thread is through with the stage. The warps fold in turn; slots are written again
    // two pieces later, past the next barrier, which comes after the fold.
    machine::block_barrier();
    source.refill(params);
    if (machine::warp_index() != turn % kWarps) continue;
    state = Algebra::state(params, block::fold_shared<Algebra>(params, slots[turn % 2]), piece.index);
    const bool last = at.piece == params.pieces - 1;
    if (params.pieces == 1) {
      if (lane0) finish_row<Algebra>(params, at.row, state);
    } else if (params.row_a_block) {
      if (lane0) partials[at.piece] = state;
      if (!last) continue;
      machine::warp_barrier();  // lane 0's partial; those of other warps came before the block's barrier
      state = fold_own_partials<Algebra>(params, partials, params.pieces);
      if (lane0) finish_row<Algebra>(params, at.row, state);
    } else {
      if (lane0) send(workspace.cells, at.row * params.pieces + at.piece, state, epoch);
      if (last && params.groups == 0) finish_few<Algebra>(params, at.row, epoch);
    }
  }
  if (!by_cells) return;

  if (params.groups > 0) finish_groups<Algebra>(params, epoch, memory.slots);
  if (params.rows == 1) return;  // who finished the row has received from all, so all have read the epoch

  machine::block_barrier();  // every warp of the block has read the epoch and is through with it
  if (machine::thread_index() == 0) {
    const uint32_t last = static_cast<uint32_t>(machine::grid_blocks()) - 1;
    if (machine::count_to(workspace.done, last) == last) machine::store_relaxed(workspace.epoch, epoch);
  }
}

}  // namespace wprim::cuda
