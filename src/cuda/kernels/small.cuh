// A whole reduce by one block, a piece after the other: what a resident kernel does in place of a launch.
#pragma once

#include "cuda/kernels/pieces.cuh"

namespace wprim::cuda {

// Shared memory for any small op.
inline constexpr unsigned kSmallScratch = 16384;

// Does what is posted: called by all threads of a block of 256 with the parameters of the op in shared memory, and
// kSmallScratch bytes that nobody uses any more. Thread 0 writes the results, or a barrier follows them: it says that
// they are there.
using SmallFunction = void (*)(const void* parameters, std::byte* scratch);

// Its shared memory.
template <class Algebra>
struct SmallMemory {
  typename Algebra::Local slots[order::kSlots];
  typename Algebra::State partials[machine::kWarp * Algebra::kPartialComponents];
  typename BlockPiece<Algebra>::Scratch scratch;
};

// Any shape.
template <class Algebra>
WPRIM_DEVICE_CALL void reduce_small_any(const ReduceParams& params, SmallMemory<Algebra>& memory) {
  using State = typename Algebra::State;
  const uint64_t cols = present_cols(params);
  const bool lane0 = machine::lane_index() == 0;
  for (uint32_t row = 0; row < params.rows; ++row) {
    for (uint32_t p = 0; p < params.pieces; ++p) {
      if (row + p > 0) machine::block_barrier();  // the slots of the piece before have been read
      const Piece<Algebra> piece(params, row, p, cols);
      const ThreadSlot<Algebra, false> mine(
          Source<Algebra::kBytes>(piece.begin, extent_of<Algebra>(params).end), piece.n);
      memory.slots[machine::thread_index()] = BlockPiece<Algebra>::slot(params, mine, p, memory.scratch);
      machine::block_barrier();  // every slot is there
      if (machine::warp_index() > 0) continue;
      State state = Algebra::state(params, block::fold_shared<Algebra>(params, memory.slots), piece.index);
      if (params.pieces > 1) {
        if (lane0) memory.partials[p] = state;
        machine::warp_barrier();  // lane 0's partial
        if (p == params.pieces - 1) {
          state = fold_own_partials<Algebra>(params, memory.partials, params.pieces);
        }
      }
      if (lane0 && p == params.pieces - 1) Algebra::finish(params, row, state);
    }
  }
}

// One row of one piece in whole vectors has a way of its own: what it does not need, it need not step over, and registers
// that it does not use, it need not save for its caller. That halves the time of the op.
template <class Algebra>
WPRIM_DEVICE_CALL void reduce_small(const void* parameters, std::byte* scratch) {
  static_assert(sizeof(SmallMemory<Algebra>) <= kSmallScratch);
  const ReduceParams& params = *static_cast<const ReduceParams*>(parameters);
  SmallMemory<Algebra>& memory = *reinterpret_cast<SmallMemory<Algebra>*>(scratch);
  if (!params.easy || params.rows > 1 || params.pieces > 1) return reduce_small_any<Algebra>(params, memory);
  const uint32_t n = static_cast<uint32_t>(params.cols);
  const ThreadSlot<Algebra, true> mine(Source<Algebra::kBytes>(params.in, params.in + n * Algebra::kBytes),
                                       n);
  memory.slots[machine::thread_index()] = BlockPiece<Algebra>::slot(params, mine, 0, memory.scratch);
  machine::block_barrier();  // every slot is there
  if (machine::warp_index() > 0) return;
  const auto state = Algebra::state(params, block::fold_shared<Algebra>(params, memory.slots), 0);
  if (machine::lane_index() == 0) finish_row<Algebra>(params, 0, state);
}

}  // namespace wprim::cuda
