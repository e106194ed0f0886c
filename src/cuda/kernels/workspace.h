// The memory through which the blocks of a launch meet. Plain data, shared by host and device.
#pragma once

#include <cstdint>

namespace wprim::cuda {

// Cells and counters of one stream (or of one captured op): zero before first use, left ready for the next launch.
struct CellSpace {
  uint32_t* epoch;  // the number of launches that used the cells so far
  uint32_t* done;   // blocks that have finished, 0 between launches
  uint64_t* cells;
};

}  // namespace wprim::cuda
