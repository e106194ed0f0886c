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

// Blocks a multiprocessor: as many as have registers enough. One that keeps some in memory is far slower, for what it writes
// there goes to memory in the end.
constexpr unsigned row_blocks(unsigned state_bytes) { return state_bytes > 8 ? 4 : 5; }
constexpr unsigned stream_blocks(unsigned state_bytes) { return state_bytes > 12 ? 2 : 3; }

// Most pieces of a single row that get a block each: the GPU deals blocks out more evenly than they could share by
// themselves. An op that works long on a piece does better to have the next one on the way.
constexpr unsigned pieces_of_one_row(unsigned state_bytes) { return state_bytes > 8 ? 4096 : 1u << 18; }

}  // namespace wprim::cuda::policy
