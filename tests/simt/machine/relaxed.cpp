// Words that are stored and loaded by themselves. A store is on its way for a while before others see it; stores to
// different words may be seen in any order. Nothing else is ordered by them, unless there are fences at both ends.
#include <algorithm>
#include <cstring>

#include "machine/grid.h"

namespace simt {
namespace {

void check_alignment(const Thread& me, const void* place, unsigned bytes) {
  if (!memory().has(place) || reinterpret_cast<uintptr_t>(place) % bytes != 0) {
    me.found(Fault::misaligned, "a word of " + std::to_string(bytes) + " bytes, or no memory of kernels",
             me.site);
  }
}

uint64_t peek(const void* place, unsigned bytes) {
  uint64_t value = 0;
  const auto* from = static_cast<const unsigned char*>(place);
  for (unsigned i = 0; i < bytes; ++i) value |= static_cast<uint64_t>(from[i]) << 8 * i;
  return value;
}

// A thread that reads a word again although nobody's store was seen since would do so forever: it waits for a store.
void wait_for_news(Thread& me, const void* place) {
  for (;;) {
    if (me.polled_at != grid->stores_seen) me.polled.clear();
    me.polled_at = grid->stores_seen;
    if (std::find(me.polled.begin(), me.polled.end(), place) == me.polled.end()) break;
    grid->wait(Waits::words);
  }
  me.polled.push_back(place);
}

}  // namespace

void Grid::see(const Store& store) {
  for (unsigned i = 0; i < store.bytes; ++i) store.place[i] = static_cast<std::byte>(store.value >> 8 * i);
  if (store.at_fence.is_empty()) {
    at_fences.erase(store.place);
  } else {
    at_fences[store.place] = store.at_fence;
  }
  ++stores_seen;
  ++progress;
  wake(Waits::words);
}

void Grid::see_own(const Thread& thread, const void* place) {
  for (size_t i = 0; i < stores.size();) {
    if (stores[i].thread != thread.number || (place && stores[i].place != place)) {
      ++i;
      continue;
    }
    const Store store = stores[i];
    stores.erase(stores.begin() + static_cast<ptrdiff_t>(i));
    see(store);
  }
}

void store_relaxed(void* place, uint64_t value, unsigned bytes) {
  Thread& me = *running;
  me.site = __builtin_return_address(0);
  check_alignment(me, place, bytes);
  memory().write(me, place, bytes, true, me.site);
  const Store store{me.number, static_cast<std::byte*>(place), value, bytes, me.at_fence};
  if (grid->scheduler.is_eager()) {
    grid->see(store);
  } else {
    grid->stores.push_back(store);
  }
  grid->maybe_interrupt();
}

namespace {

uint64_t load(Thread& me, const void* place, unsigned bytes) {
  const auto known = grid->at_fences.find(place);
  if (known != grid->at_fences.end()) me.after_fence.join(known->second);
  for (auto own = grid->stores.rbegin(); own != grid->stores.rend(); ++own) {
    if (own->thread == me.number && own->place == place) return own->value;
  }
  return peek(place, bytes);
}

}  // namespace

uint64_t load_relaxed(const void* place, unsigned bytes) {
  Thread& me = *running;
  me.site = __builtin_return_address(0);
  check_alignment(me, place, bytes);
  memory().read(me, place, bytes, true, me.site);
  wait_for_news(me, place);
  grid->maybe_interrupt();
  return load(me, place, bytes);
}

uint64_t look_at(const void* place, unsigned bytes) {
  Thread& me = *running;
  me.site = __builtin_return_address(0);
  check_alignment(me, place, bytes);
  memory().read(me, place, bytes, true, me.site);
  grid->maybe_interrupt();
  return load(me, place, bytes);
}

uint64_t look_at_clock() {
  static uint64_t now = 0;
  return ++now;
}

uint32_t count_to(uint32_t* counter, uint32_t last) {
  Thread& me = *running;
  me.site = __builtin_return_address(0);
  check_alignment(me, counter, 4);
  grid->maybe_interrupt();
  memory().read(me, counter, 4, true, me.site);
  memory().write(me, counter, 4, true, me.site);
  grid->see_own(me, counter);
  const uint32_t before = static_cast<uint32_t>(peek(counter, 4));
  // What others have released by this word stays released.
  Clock at_fence = grid->at_fences[counter];
  me.after_fence.join(at_fence);
  at_fence.join(me.at_fence);
  grid->see({me.number, reinterpret_cast<std::byte*>(counter), before >= last ? 0 : before + 1, 4, at_fence});
  return before;
}

void fence() {
  Thread& me = *running;
  me.site = __builtin_return_address(0);
  grid->see_own(me, nullptr);
  me.clock.join(me.after_fence);
  me.after_fence = {};
  me.at_fence = me.clock;
  me.at_fence.learn({{me.index, me.epoch}});
  ++me.epoch;
}

}  // namespace simt
