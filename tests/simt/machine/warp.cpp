// Collectives of a warp. A lane that comes waits until every lane of its mask has come to the same one with the same mask.
// Where in the source they are does not matter, as on a GPU.
#include <cstdio>

#include "machine/grid.h"

namespace simt {
namespace {

constexpr unsigned kWarp = 32;

Thread* lane_of(const Thread& me, unsigned lane) {
  const unsigned index = me.index / kWarp * kWarp + lane;
  return index < me.block->thread_count() ? me.block->threads[index].get() : nullptr;
}

std::string text_of(const Collective& c) {
  char text[64];
  std::snprintf(text, sizeof text, "%s with mask %08x", name_of(c.kind), c.mask);
  return text;
}

// One that will never come.
[[noreturn]] void found_missing(const Thread& me, uint32_t never) {
  const unsigned lane = static_cast<unsigned>(__builtin_ctz(never));
  const Thread* other = lane_of(me, lane);
  me.found(Fault::lane_never_comes,
           text_of(me.collective) + ": lane " + std::to_string(lane) +
               (other ? " has ended, last seen at " + describe(other->site) : " does not exist"),
           me.site);
}

// Whether a lane that waits is at the same collective. If it names me and is not, both wait forever.
bool is_with(const Thread& me, unsigned lane) {
  const Collective &mine = me.collective, &theirs = lane_of(me, lane)->collective;
  if (theirs.kind == mine.kind && theirs.mask == mine.mask) return true;
  if (!(theirs.mask >> me.index % kWarp & 1)) return false;  // it may still come, once it is through
  me.found(theirs.kind != mine.kind ? Fault::different_collectives : Fault::different_masks,
           text_of(mine) + ", but lane " + std::to_string(lane) + " is at " + text_of(theirs) + ", " +
               describe(lane_of(me, lane)->site),
           me.site);
}

// Whether all lanes of my mask are here.
bool all_are_here(const Thread& me) {
  const Warp& warp = me.block->warps[me.index / kWarp];
  const uint32_t others = me.collective.mask & ~(1u << me.index % kWarp), here = others & warp.waiting;
  const uint32_t never = others & (warp.ended | ~warp.lanes);
  if (never != 0) found_missing(me, never);
  // Of those that wait already each was compared with another: until all have come, one of them is enough.
  if (here != others) {
    if (here != 0) is_with(me, static_cast<unsigned>(__builtin_ctz(here)));
    return false;
  }
  for (unsigned lane = 0; lane < kWarp; ++lane) {
    if ((here >> lane & 1) && !is_with(me, lane)) return false;
  }
  return true;
}

// What a shuffle reads. From a lane that does not take part: anything.
uint64_t value_of(const Thread& me, unsigned lane) {
  if (lane < kWarp && (me.collective.mask >> lane & 1)) return lane_of(me, lane)->collective.value;
  return grid->scheduler.random();
}

uint64_t shuffled(const Thread& me) {
  const Collective& c = me.collective;
  const unsigned lane = me.index % kWarp, start = lane / c.width * c.width;
  switch (c.kind) {
    case Kind::shuffle_xor: return value_of(me, lane ^ c.lanes);
    case Kind::shuffle_from: return value_of(me, c.lanes % kWarp);
    case Kind::shuffle_down: return value_of(me, lane + c.lanes < start + c.width ? lane + c.lanes : lane);
    default: return value_of(me, lane >= start + c.lanes ? lane - c.lanes : lane);
  }
}

uint64_t folded(const Thread& me) {
  const Collective& mine = me.collective;
  const auto as_signed = [](uint64_t x) { return static_cast<int32_t>(static_cast<uint32_t>(x)); };
  uint64_t result = 0;
  bool first = true;
  for (unsigned lane = 0; lane < kWarp; ++lane) {
    if (!(mine.mask >> lane & 1)) continue;
    const uint64_t x = lane_of(me, lane)->collective.value, before = result;
    const bool equal = x == mine.value, set = first;
    first = false;
    switch (mine.kind) {
      case Kind::ballot: result |= uint64_t{x != 0} << lane; break;
      case Kind::any: result |= x != 0; break;
      case Kind::all: result = (set || before) && x != 0; break;
      case Kind::match_any:
      case Kind::match_any_64: result |= uint64_t{equal} << lane; break;
      case Kind::match_all:
      case Kind::match_all_64: result = (set || before) && equal; break;
      case Kind::redux_add: result += x; break;
      case Kind::redux_min: result = set || x < before ? x : before; break;
      case Kind::redux_max: result = set || x > before ? x : before; break;
      case Kind::redux_min_signed: result = set || as_signed(x) < as_signed(before) ? x : before; break;
      case Kind::redux_max_signed: result = set || as_signed(x) > as_signed(before) ? x : before; break;
      case Kind::redux_and: result = set ? x : before & x; break;
      case Kind::redux_or: result |= x; break;
      case Kind::redux_xor: result ^= x; break;
      default: break;
    }
  }
  return result;
}

}  // namespace

const char* name_of(Kind kind) {
  static const char* const names[] = {
      "shuffle_xor", "shuffle_from", "shuffle_down", "shuffle_up", "ballot",    "any",         "all",
      "match_any",   "match_any",    "match_all",    "match_all",  "redux_add", "redux_min",   "redux_min",
      "redux_max",   "redux_max",    "redux_and",    "redux_or",   "redux_xor", "warp_barrier"};
  return names[static_cast<unsigned>(kind)];
}

uint64_t collective(Kind kind, uint32_t mask, uint64_t value, unsigned lanes, unsigned width) {
  Thread& me = *running;
  me.site = __builtin_return_address(0);
  me.collective = {kind, mask, value, lanes, width, 0};
  if (!(mask >> me.index % kWarp & 1)) {
    me.found(Fault::caller_not_in_mask,
             "lane " + std::to_string(me.index % kWarp) + ", " + text_of(me.collective), me.site);
  }
  uint32_t& waiting = me.block->warps[me.index / kWarp].waiting;
  if (!all_are_here(me)) {
    waiting |= 1u << me.index % kWarp;
    grid->wait(Waits::collective);
    return me.collective.result;
  }
  waiting &= ~mask;
  static std::vector<Thread*> lanes_here;  // kept, for it is made so often
  lanes_here.clear();
  for (unsigned lane = 0; lane < kWarp; ++lane) {
    if (mask >> lane & 1) lanes_here.push_back(lane_of(me, lane));
  }
  for (Thread* lane : lanes_here)
    lane->collective.result = kind <= Kind::shuffle_up ? shuffled(*lane) : folded(*lane);
  // Only a barrier orders memory: a shuffle or a vote tells nothing but its result.
  if (kind == Kind::warp_barrier) grid->meet(lanes_here);
  for (Thread* lane : lanes_here) {
    if (lane != &me) grid->go_on(*lane);
  }
  ++grid->progress;
  grid->maybe_interrupt();
  return me.collective.result;
}

uint32_t active_lanes() {
  Thread& me = *running;
  me.site = __builtin_return_address(0);
  uint32_t here = 1u << me.index % kWarp;
  if (grid->scheduler.pick(2) == 0) return here;
  for (unsigned lane = 0; lane < kWarp; ++lane) {
    const Thread* other = lane_of(me, lane);
    if (other && other->waits == Waits::nothing) here |= 1u << lane;
  }
  return here;
}

}  // namespace simt
