// Shared memory: each resident block has a piece of its own, and every variable the same place in all of them.
#include "machine/grid.h"

namespace simt {

Region* shared_memory(size_t slot) {
  static std::vector<Region*> regions;
  while (regions.size() <= slot) {
    regions.push_back(memory().allocate("shared memory", Grid::kSharedBytes, Content::shared));
    memory().forget(regions.back(), 0, Grid::kSharedBytes, Stamp::kOutside);
  }
  return regions[slot];
}

size_t Grid::shared_offset(size_t bytes) {
  constexpr size_t alignment = SharedVariable::kAlignment;
  const size_t offset = shared_used_, rounded = (bytes + alignment - 1) / alignment * alignment;
  // A line between two variables is nobody's.
  shared_used_ += rounded + alignment;
  if (shared_used_ > kSharedBytes) {
    running->found(Fault::out_of_bounds, "more shared memory than a block has", running->site);
  }
  for (const auto& block : blocks_) memory().forget(block->shared, offset, bytes, Stamp::kNobody);
  return offset;
}

void* SharedVariable::place(size_t bytes) {
  if (launch_ != grid->number) {
    launch_ = grid->number;
    offset_ = grid->shared_offset(bytes);
  }
  return running->block->shared->begin + offset_;
}

}  // namespace simt
