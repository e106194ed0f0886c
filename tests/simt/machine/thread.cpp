// What a thread is, knows and says.
#include <cstdlib>

#include "machine/grid.h"

namespace simt {

unsigned thread_index() { return running->index; }
uint64_t block_index() { return running->block->number; }
uint64_t grid_blocks() { return grid->launch.blocks; }

bool Thread::knows(const Stamp& stamp) const {
  if (stamp.is_copy()) {
    return clock.knows(stamp.number() / Block::kArrivals,
                       block->thread_count() + stamp.number() % Block::kArrivals, stamp.epoch);
  }
  if (stamp.number() == number) return true;
  const uint32_t neighbour = stamp.number() - (number - index);  // of the same block, most often
  if (neighbour < block->thread_count()) return clock.knows(neighbour, stamp.epoch);
  const uint32_t other = stamp.number() - Stamp::kFirst;
  return clock.knows(other / block->thread_count(), other % block->thread_count(), stamp.epoch);
}

Finding Thread::finding(Fault fault, const std::string& text, Site where) const {
  return {fault, lines_of(where)[0],
          std::string(name_of(fault)) + ": block " + std::to_string(block->number) + " thread " +
              std::to_string(index) + " at " + describe(where) + "\n  " + text + "\n  in " +
              function_name(grid->launch.kernel)};
}

void Thread::found(Fault fault, const std::string& text, Site where) const {
  grid->finding = finding(fault, text, where);
  Fiber::leave();
  std::abort();  // a launch with a finding goes no further
}

bool Block::has_shown(const Stamp& stamp) const {
  const uint32_t index = stamp.number() - Stamp::kFirst;
  return index / thread_count() == number && threads[index % thread_count()]->shown >= stamp.epoch;
}

}  // namespace simt
