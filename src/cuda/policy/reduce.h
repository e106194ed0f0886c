// Sizes and counts of the reduce kernels. They never change a bit; measured on an H200, see docs/performance.md.
#pragma once

#include <cstdint>

namespace wprim::cuda::policy {

inline constexpr unsigned kWarp = 32;
inline constexpr unsigned kWarpsPerBlock = 8;

inline constexpr unsigned kPieceBlocks = 4;  // blocks a multiprocessor, pieces kernel
inline constexpr unsigned kRowsForBlocks =
    2;  // rows of several pieces for each block, from which a block takes whole rows
inline constexpr unsigned kRowBlocks = 3;     // blocks a multiprocessor, rows kernel
inline constexpr unsigned kNarrowBlocks = 3;  // blocks a multiprocessor, narrow kernel
inline constexpr unsigned kRowsInFlight = 8;  // vectors a lane of the narrow kernel has in flight

}  // namespace wprim::cuda::policy
