// Sizes and counts of the reduce kernels. They never change a bit; measured on an H200, see docs/performance.md.
#pragma once

#include <cstdint>

namespace wprim::cuda::policy {

inline constexpr unsigned kWarp = 32;

// Rows kernel.
inline constexpr unsigned kRowWarps = 4;          // a block
inline constexpr unsigned kTileBytes = 4096;      // of rows that a warp takes at once: the longest row
inline constexpr unsigned kLaneSlots = 8;         // most slots of a lane
inline constexpr unsigned kSwappedLaneSlots = 1;  // the same where swapped branches would change bits

// Pieces and stream kernels.
inline constexpr unsigned kPieceBlocks = 4;  // a multiprocessor
inline constexpr unsigned kRowsForBlocks =
    2;  // rows of several pieces for each block, from which a block takes whole rows

// Blocks a multiprocessor: as many as there are registers for the op's state.
constexpr unsigned row_blocks(unsigned state_bytes) { return state_bytes > 8 ? 5 : 6; }
constexpr unsigned stream_blocks(unsigned state_bytes) { return state_bytes > 8 ? 3 : 4; }

}  // namespace wprim::cuda::policy
