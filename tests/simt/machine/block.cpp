// The block's barrier, and what threads know of each other after one.
#include <cstring>

#include "machine/grid.h"

namespace simt {

void Grid::meet(const std::vector<Thread*>& threads) {
  Clock all = threads[0]->clock;
  Clock::News news;
  for (const Thread* thread : threads) {
    all.join(thread->clock);
    news.push_back({thread->index, thread->epoch});
  }
  all.learn(news);
  for (Thread* thread : threads) {
    thread->clock = all;
    ++thread->epoch;
  }
  ++progress;
}

void block_barrier(const char* file, unsigned line) {
  Thread& me = *running;
  Block& block = *me.block;
  me.site = __builtin_return_address(0);
  me.barrier_file = file;
  me.barrier_line = line;
  if (block.ended > 0) {
    for (const auto& other : block.threads) {
      if (other->waits != Waits::ended) continue;
      me.found(Fault::barrier_missed,
               "thread " + std::to_string(other->index) + " has ended, last seen at " + describe(other->site),
               me.site);
    }
  }
  // In different branches it would be undefined: all threads of a block come to the same barrier.
  if (block.at_barrier == 0) block.first_at_barrier = &me;
  const Thread& first = *block.first_at_barrier;
  if (first.barrier_line != line || std::strcmp(first.barrier_file, file) != 0) {
    me.found(Fault::different_barriers,
             "thread " + std::to_string(first.index) + " is at " + describe(first.site), me.site);
  }
  if (++block.at_barrier < block.threads.size()) {
    grid->wait(Waits::barrier);
    return;
  }
  block.at_barrier = 0;
  std::vector<Thread*> threads;
  for (const auto& thread : block.threads) threads.push_back(thread.get());
  grid->meet(threads);
  for (Thread* thread : threads) {
    if (thread != &me) grid->go_on(*thread);
  }
  grid->maybe_interrupt();
}

}  // namespace simt
