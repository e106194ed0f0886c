// Nobody can go on: who waits for what, and whose fault it is most likely.
#include <map>

#include "machine/grid.h"

namespace simt {
namespace {

std::string waits_for(const Thread& thread) {
  char mask[16];
  switch (thread.waits) {
    case Waits::collective:
      std::snprintf(mask, sizeof mask, "%08x", thread.collective.mask);
      return std::string("at ") + name_of(thread.collective.kind) + " with mask " + mask;
    case Waits::barrier: return "at the block's barrier";
    case Waits::words: return "reads a word that nobody stores any more";
    case Waits::arrival: return "waits for a copy that does not come";
    case Waits::ended: return "has ended";
    case Waits::nothing: break;
  }
  return "can go on";
}

// "block 1 threads 32-63 64 ..."
std::string list(const std::vector<const Thread*>& threads) {
  std::string text = "block " + std::to_string(threads[0]->block->number) + " threads";
  for (size_t i = 0; i < threads.size(); ++i) {
    size_t last = i;
    while (last + 1 < threads.size() && threads[last + 1]->index == threads[last]->index + 1) ++last;
    text.append(" ").append(std::to_string(threads[i]->index));
    if (last > i) text.append("-").append(std::to_string(threads[last]->index));
    i = last;
  }
  return text;
}

}  // namespace

Finding Grid::deadlock() const {
  // Threads of a block that wait for the same at the same place, as one line.
  std::map<std::tuple<uint64_t, Waits, Site>, std::vector<const Thread*>> groups;
  const Thread *at_collective = nullptr, *at_barrier = nullptr, *anybody = nullptr;
  for (const auto& block : blocks_) {
    for (const auto& thread : block->threads) {
      groups[{block->number, thread->waits, thread->site}].push_back(thread.get());
      if (thread->waits == Waits::ended) continue;
      if (!anybody) anybody = thread.get();
      if (!at_collective && thread->waits == Waits::collective) at_collective = thread.get();
      if (!at_barrier && thread->waits == Waits::barrier) at_barrier = thread.get();
    }
  }
  std::string text = "nobody can go on:";
  unsigned lines = 0;
  for (const auto& [key, threads] : groups) {
    if (std::get<1>(key) == Waits::ended && !at_collective && !at_barrier) continue;
    if (++lines > 16) break;
    text += "\n    " + list(threads) + ": " + waits_for(*threads[0]);
    if (threads[0]->site) text += ", " + describe(threads[0]->site);
  }
  const Thread& thread = at_collective ? *at_collective : at_barrier ? *at_barrier : *anybody;
  const Fault fault = at_collective ? Fault::lane_never_comes
                      : at_barrier  ? Fault::barrier_missed
                                    : Fault::deadlock;
  return thread.finding(fault, text, thread.site);
}

}  // namespace simt
