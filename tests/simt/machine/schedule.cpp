#include "machine/schedule.h"

#include "machine/grid.h"

namespace simt {

using Order = Schedule::Kind;

std::string Schedule::describe() const {
  static const char* const names[] = {"in order",      "reversed",       "random",    "starve a lane",
                                      "starve a warp", "starve a block", "run ahead", "late"};
  return std::string("schedule '") + names[static_cast<unsigned>(kind)] + "', seed " + std::to_string(seed);
}

Scheduler::Scheduler(const Schedule& schedule, uint64_t blocks, unsigned threads)
    : schedule_(schedule), random_(schedule.seed), patience_(16u << pick(6)), victim_(random_()) {
  const unsigned warps = (threads + 31) / 32;
  victim_ %= schedule.kind == Order::starve_lane ? 32 : schedule.kind == Order::starve_warp ? warps : blocks;
}

bool Scheduler::is_starved(const Thread& thread) const {
  switch (schedule_.kind) {
    case Order::starve_lane: return thread.index % 32 == victim_;
    case Order::starve_warp: return thread.index / 32 == victim_;
    case Order::starve_block: return thread.block->number == victim_;
    case Order::run_ahead: return thread.block->number != victim_;
    default: return false;
  }
}

void Scheduler::add(Thread* thread) { (is_starved(*thread) ? starved_ : ready_).push_back(thread); }

Thread* Scheduler::next() {
  if (!ready_.empty()) return take(ready_);
  if (!starved_.empty()) return take(starved_);
  return nullptr;
}

Thread* Scheduler::take(std::deque<Thread*>& ready) {
  if (schedule_.kind == Order::reversed) {
    Thread* last = ready.back();
    ready.pop_back();
    return last;
  }
  if (schedule_.kind != Order::in_order) std::swap(ready.front(), ready[pick(ready.size())]);
  Thread* first = ready.front();
  ready.pop_front();
  return first;
}

bool Scheduler::interrupts() {
  if (schedule_.kind == Order::in_order || schedule_.kind == Order::reversed) return false;
  return pick(patience_) == 0;
}

bool Scheduler::lands() {
  if (schedule_.kind == Order::late) return false;
  return is_eager() || pick(4) == 0;
}

}  // namespace simt
