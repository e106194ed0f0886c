// A whole reduce by one block: what a resident kernel does in place of a launch.
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
  typename BlockPiece<Algebra>::Scratch scratch;
};

// One row of one piece. The end is out of line where it is not plain: registers that this does not use, it need not save for its
// caller.
template <class Algebra>
WPRIM_DEVICE_CALL void reduce_small(const void* parameters, std::byte* scratch) {
  static_assert(sizeof(SmallMemory<Algebra>) <= kSmallScratch);
  const ReduceParams& params = *static_cast<const ReduceParams*>(parameters);
  SmallMemory<Algebra>& memory = *reinterpret_cast<SmallMemory<Algebra>*>(scratch);
  const uint64_t cols = present_cols(params);
  const ThreadSlot<Algebra, false> mine(
      Source<Algebra::kBytes>(params.in, params.in + params.cols * Algebra::kBytes),
      static_cast<uint32_t>(cols));
  memory.slots[machine::thread_index()] = BlockPiece<Algebra>::slot(params, mine, 0, memory.scratch);
  machine::block_barrier();  // every slot is there
  if (machine::warp_index() > 0) return;
  const auto state = Algebra::state(params, block::fold_shared<Algebra>(params, memory.slots), 0);
  if (machine::lane_index() == 0) finish_row<Algebra>(params, 0, state);
}

}  // namespace wprim::cuda
