// Reduce on the GPU: docs/numerics.md section 3, whatever the shape. Four kernels, the same bits:
//
//   narrow      rows of at most 32 slots: a tile of lanes a row, several rows a warp
//   rows        rows of one piece (at most a chunk): a warp a row, a lane has up to eight slots, no barrier
//   long_rows   many rows of a few pieces: a block a row, a thread a slot
//   pieces      everything else: a block a piece, a thread a slot. The pieces of a row travel as cells to the warp (few
//               pieces) or the blocks (many) that finish it: one launch whatever the size
#pragma once

#include "core/order.h"
#include "cuda/block/fold.cuh"
#include "cuda/kernels/partials.cuh"
#include "cuda/kernels/slots.cuh"
#include "cuda/policy/reduce.h"
#include "cuda/warp/states.cuh"

namespace wprim::cuda {

inline constexpr unsigned kThreads = order::kSlots;
inline constexpr unsigned kWarps = kThreads / machine::kWarp;

// What a lane has in flight.
using policy::kRowsInFlight;

// For the kernels that finish many rows: inlined, the code of every output type would fill their loops.
template <class Algebra>
WPRIM_DEVICE_CALL void finish_row(const ReduceParams& params, uint64_t row, typename Algebra::State state) {
  Algebra::finish(params, row, state);
}

// What a piece becomes. Ops that read it twice have their own version.
template <class Algebra>
struct Piece {
  static WPRIM_DEVICE typename Algebra::State fold(const ReduceParams& params,
                                                   const Source<Algebra::kBytes>& source, uint32_t n,
                                                   uint64_t index) {
    return fold_piece<Algebra>(params, source, n, index);
  }
  // The same for several rows at once, by a tile of lanes that hold a vector of each. The first `count` elements of this
  // lane's vectors exist; all of them or none where `whole`. Lane 0 of the tile has the results.
  static WPRIM_DEVICE void fold_tiles(const ReduceParams& params, const machine::Vector (&in)[kRowsInFlight],
                                      int count, bool whole, uint64_t index, unsigned tile,
                                      typename Algebra::State (&state)[kRowsInFlight]) {
    constexpr int v = Source<Algebra::kBytes>::kComponents;
#pragma unroll
    for (unsigned u = 0; u < kRowsInFlight; ++u) {
      state[u] = Algebra::missing();
      if (count > 0) {
        auto slot = Algebra::first(params, in[u], whole ? v : count, index);
        state[u] = Algebra::close(params, slot);
      }
    }
    warp::fold_tiles<Algebra>(params, state, tile);
  }
};

template <class Algebra>
WPRIM_DEVICE const std::byte* end_of_input(const ReduceParams& params) {
  return params.in + (params.rows - 1) * params.stride_bytes + params.cols * Algebra::kBytes;
}

// The slot of a piece that has the thread's number, loaded.
template <class Algebra>
struct ThreadSlot {
  machine::Vector in[order::kRounds];
  uint64_t first;  // the piece's first element
  uint32_t n;      // elements of the piece

  WPRIM_DEVICE ThreadSlot(const ReduceParams& params, uint64_t row, uint64_t piece, const std::byte* end) {
    constexpr uint32_t chunk = order::chunk_elements(Algebra::kBytes);
    first = piece * chunk;
    const uint64_t left = params.cols - first;
    n = static_cast<uint32_t>(left < chunk ? left : chunk);
    const Source<Algebra::kBytes> source(params.in + row * params.stride_bytes + first * Algebra::kBytes,
                                         end);
    if (source.aligned() && n == chunk) {
#pragma unroll
      for (uint32_t r = 0; r < order::kRounds; ++r)
        in[r] = source.aligned_full(r * order::kSlots + machine::thread_index());
    } else {
      load_slot(source, machine::thread_index(), n, in);
    }
  }

  template <class Step, class Params>
  WPRIM_DEVICE typename Step::State fold(const Params& params) const {
    if (n == order::chunk_elements(Algebra::kBytes)) {
      return fold_full_slot<Step>(params, in, machine::thread_index(), first);
    }
    return fold_slot<Step>(params, in, machine::thread_index(), n, first);
  }
};

// What a thread's slot becomes, in a block that takes a piece together; `turn` counts the pieces. Ops that need to know
// the others' elements first have their own version.
template <class Algebra>
struct BlockPiece {
  static WPRIM_DEVICE typename Algebra::State slot(const ReduceParams& params,
                                                   const ThreadSlot<Algebra>& mine, unsigned) {
    return mine.template fold<Algebra>(params);
  }
};

// A block folds a piece: the slots meet in shared memory and one warp, each in its turn, folds them, while the others go
// on to the next piece. Two buffers, one barrier a piece: a buffer is written again two pieces later, and the barrier
// between comes after the fold in every warp. True in the warp that folded; its lane 0 has the state.
template <class Algebra>
struct BlockFold {
  using State = typename Algebra::State;
  State (&shared)[2][order::kSlots];
  const std::byte* end;
  unsigned turn = 0;

  WPRIM_DEVICE bool operator()(const ReduceParams& params, uint64_t row, uint64_t piece, State* state) {
    State* slots = shared[turn % 2];
    const ThreadSlot<Algebra> mine(params, row, piece, end);
    slots[machine::thread_index()] = BlockPiece<Algebra>::slot(params, mine, turn);
    machine::block_barrier();  // every slot of the piece is there, and every earlier piece is folded
    if (machine::warp_index() != turn++ % kWarps) return false;
    *state = block::fold_shared<Algebra>(params, slots);
    return true;
  }
};

template <class Algebra>
__global__ void __launch_bounds__(kThreads, policy::kPieceBlocks)
    reduce_long_rows(const __grid_constant__ ReduceParams params) {
  using State = typename Algebra::State;
  __shared__ State shared[2][order::kSlots];
  __shared__ State partials[machine::kWarp * Algebra::kPartialComponents];
  BlockFold<Algebra> fold{shared, end_of_input<Algebra>(params)};
  for (uint64_t row = machine::block_index(); row < params.rows; row += machine::grid_blocks()) {
    for (uint64_t piece = 0; piece < params.pieces; ++piece) {
      State state;
      if (!fold(params, row, piece, &state)) continue;
      if (machine::lane_index() == 0) partials[piece] = state;
      if (piece != params.pieces - 1) continue;
      machine::
          warp_barrier();  // lane 0's partial, before all lanes read; the others' came before the block's barrier
      state = warp::fold_warp<Algebra>(
          params, partial_slot<Algebra>(params, partials, params.pieces, machine::lane_index()));
      if (machine::lane_index() == 0) finish_row<Algebra>(params, row, state);
    }
  }
}

template <class Algebra>
__global__ void __launch_bounds__(kThreads, policy::kPieceBlocks)
    reduce_pieces(const __grid_constant__ ReduceParams params) {
  using State = typename Algebra::State;
  constexpr uint64_t partial_chunk = order::kRounds * order::kSlots * Algebra::kPartialComponents;
  __shared__ State shared[2][order::kSlots];
  BlockFold<Algebra> fold{shared, end_of_input<Algebra>(params)};
  const bool lane0 = machine::lane_index() == 0;
  State state;
  const ReduceWorkspace& workspace = params.workspace;
  // Cells are tagged with the number of this launch, which the last to finish will write down.
  const uint32_t epoch = params.pieces > 1 ? next_epoch(machine::load_relaxed(workspace.epoch)) : 0;
  const uint64_t total = params.rows * params.pieces;
  // Pieces are taken in order. Who waits, waits for pieces before its own, which other blocks have begun or will begin
  // without our help: the grid is no larger than what the GPU holds at once, so every block gets to run.
  for (uint64_t i = machine::block_index(); i < total; i += machine::grid_blocks()) {
    const uint64_t row = params.rows == 1 ? 0 : i / params.pieces, piece = i - row * params.pieces;
    if (!fold(params, row, piece, &state)) continue;
    if (params.pieces == 1) {
      if (lane0) Algebra::finish(params, row, state);
      continue;
    }
    if (lane0) send(workspace.cells, i, state, epoch);
    if (params.groups == 0 && piece == params.pieces - 1) {  // few pieces: this warp, which has the last one
      state = warp::fold_warp<Algebra>(
          params,
          receive_slot<Algebra, 1>(params, row * params.pieces, params.pieces, machine::lane_index(), epoch));
      if (lane0) Algebra::finish(params, row, state);
      if (lane0 && params.rows == 1) machine::store_relaxed(workspace.epoch, epoch);
    }
  }
  if (params.pieces == 1) return;

  // Many pieces: the last blocks take a group of partials each, and the block of a row's last group what they become.
  const uint64_t groups = params.rows * params.groups;
  const uint64_t finishers = groups < machine::grid_blocks() ? groups : machine::grid_blocks();
  const uint64_t skipped = machine::grid_blocks() - finishers;
  for (uint64_t g = machine::block_index() - skipped; machine::block_index() >= skipped && g < groups;
       g += finishers) {
    const uint64_t row = g / params.groups, group = g - row * params.groups;
    const uint64_t done = group * partial_chunk, left = params.pieces - done;
    state = fold_partials<Algebra>(params, row * params.pieces + done,
                                   left < partial_chunk ? left : partial_chunk, epoch, shared[0]);
    if (params.groups > 1) {
      if (machine::thread_index() == 0) send(workspace.cells, total + g, state, epoch);
      if (group != params.groups - 1) continue;
      state = fold_levels<Algebra>(params, total + row * params.groups, params.groups,
                                   total + groups + row * partial_chunk, epoch, shared[0]);
    }
    if (machine::thread_index() == 0) {
      Algebra::finish(params, row, state);
      if (params.rows == 1) machine::store_relaxed(workspace.epoch, epoch);
    }
  }
  if (params.rows == 1) return;  // who finished the row has received from all, so all have read the epoch

  machine::block_barrier();  // every warp of the block has read the epoch and is through with it
  if (machine::thread_index() == 0) {
    const uint32_t last = static_cast<uint32_t>(machine::grid_blocks()) - 1;
    if (machine::count_to(workspace.done, last) == last) machine::store_relaxed(workspace.epoch, epoch);
  }
}

template <class Algebra>
__global__ void __launch_bounds__(kThreads, policy::kRowBlocks)
    reduce_rows(const __grid_constant__ ReduceParams params) {
  const std::byte* end = end_of_input<Algebra>(params);
  const uint64_t step = machine::grid_blocks() * kWarps;
  for (uint64_t row = machine::block_index() * kWarps + machine::warp_index(); row < params.rows;
       row += step) {
    const Source<Algebra::kBytes> source(params.in + row * params.stride_bytes, end);
    const auto state = Piece<Algebra>::fold(params, source, static_cast<uint32_t>(params.cols), 0);
    if (machine::lane_index() == 0) finish_row<Algebra>(params, row, state);
  }
}

// kEasy: every row is whole vectors at 16-byte addresses.
template <class Algebra, bool kEasy>
WPRIM_DEVICE void narrow_rows(const ReduceParams& params) {
  using State = typename Algebra::State;
  constexpr unsigned v = Source<Algebra::kBytes>::kComponents;
  const unsigned lane = machine::lane_index(), tile = params.tile, slot = lane % tile,
                 rows_at_once = machine::kWarp / tile;
  const std::byte* end = end_of_input<Algebra>(params);
  const int left = static_cast<int>(params.cols) - static_cast<int>(slot * v);
  const int count = left < 0 ? 0 : left < static_cast<int>(v) ? left : v;
  const uint64_t pitch = rows_at_once * params.stride_bytes;  // from one load of a lane to its next
  const uint64_t warp = machine::block_index() * kWarps + machine::warp_index();
  const uint64_t step = machine::grid_blocks() * kWarps * kRowsInFlight * rows_at_once;

  for (uint64_t base = warp * kRowsInFlight * rows_at_once; base < params.rows; base += step) {
    const uint64_t first_row = base + lane / tile;
    const std::byte* p = params.in + first_row * params.stride_bytes;
    // How many of this lane's rows exist: all but in the last turn.
    const uint64_t after = first_row < params.rows ? params.rows - first_row : 0;
    const unsigned mine = after > (kRowsInFlight - 1) * rows_at_once
                              ? kRowsInFlight
                              : (static_cast<unsigned>(after) + rows_at_once - 1) / rows_at_once;
    machine::Vector in[kRowsInFlight];
#pragma unroll
    for (unsigned u = 0; u < kRowsInFlight; ++u, p += pitch) {
      if (u >= mine || count == 0) continue;
      in[u] =
          kEasy ? machine::load_streaming(p + 16 * slot) : Source<Algebra::kBytes>(p, end).part(slot, count);
    }
    State state[kRowsInFlight];
    Piece<Algebra>::fold_tiles(params, in, count, kEasy, slot * v, tile, state);

    // A tile's lanes take its rows in turn, so that rows are finished side by side and written together.
    State own = state[0];
    unsigned taken = 0;
#pragma unroll
    for (unsigned u = 0; u < kRowsInFlight; ++u) {
      const State of_row = warp::shuffle_from(state[u], lane - slot);
      if (u % tile == slot) {
        own = of_row;
        taken = u;
      }
      if (u % tile == tile - 1 || u == kRowsInFlight - 1) {
        const bool has = slot <= u % tile && taken / tile == u / tile && taken < mine;
        if (has) finish_row<Algebra>(params, first_row + taken * rows_at_once, own);
      }
    }
  }
}

template <class Algebra>
__global__ void __launch_bounds__(kThreads, policy::kNarrowBlocks)
    reduce_narrow(const __grid_constant__ ReduceParams params) {
  if (params.easy) {
    narrow_rows<Algebra, true>(params);
  } else {
    narrow_rows<Algebra, false>(params);
  }
}

template <class Algebra>
ReduceKernels reduce_kernels() {
  return {reinterpret_cast<const void*>(reduce_narrow<Algebra>),
          reinterpret_cast<const void*>(reduce_rows<Algebra>),
          reinterpret_cast<const void*>(reduce_long_rows<Algebra>),
          reinterpret_cast<const void*>(reduce_pieces<Algebra>),
          sizeof(typename Algebra::State) / 4,
          Algebra::kPartialComponents};
}

}  // namespace wprim::cuda
