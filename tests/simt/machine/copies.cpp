// Copies in the background. The bytes of one arrive late and all at once; until then, and until a thread has waited for the
// phase of the arrival that counts them, the destination is the copy's.
#include <algorithm>

#include "machine/grid.h"

namespace simt {
namespace {

// The arrival at `place`, which this thread knows to have been initialised.
Arrival& arrival_at(Thread& me, const void* place) {
  auto& arrivals = me.block->arrivals;
  const auto found =
      std::find_if(arrivals.begin(), arrivals.end(), [&](const Arrival& one) { return one.place == place; });
  if (found == arrivals.end()) me.found(Fault::arrival_misused, "it was not initialised", me.site);
  if (!me.knows(found->initialised)) {
    me.found(Fault::race, "without order after the arrival's initialisation", me.site);
  }
  return *found;
}

unsigned index_of(const Block& block, const Arrival& arrival) {
  return static_cast<unsigned>(&arrival - block.arrivals.data());
}

}  // namespace

void init_arrival(void* place) {
  Thread& me = *running;
  me.site = __builtin_return_address(0);
  auto& arrivals = me.block->arrivals;
  if (arrivals.size() == Block::kArrivals) me.found(Fault::arrival_misused, "too many of them", me.site);
  for (const Arrival& other : arrivals) {
    if (other.place == place) me.found(Fault::arrival_misused, "it is initialised twice", me.site);
  }
  memory().write(me, place, 8, false, me.site);
  arrivals.push_back({place, me.stamp(false)});
}

void show_copies() {
  Thread& me = *running;
  me.site = __builtin_return_address(0);
  me.shown = me.epoch++;
}

void announce(void* place, uint32_t bytes) {
  Thread& me = *running;
  me.site = __builtin_return_address(0);
  Arrival& arrival = arrival_at(me, place);
  if (arrival.announced) me.found(Fault::arrival_misused, "its phase was announced before", me.site);
  arrival.announced = true;
  arrival.due += bytes;
  grid->complete(*me.block, arrival);
}

void start_copy(void* shared, const void* global, uint32_t bytes, void* place) {
  Thread& me = *running;
  me.site = __builtin_return_address(0);
  Block& block = *me.block;
  Arrival& arrival = arrival_at(me, place);
  auto* to = static_cast<std::byte*>(shared);
  if ((reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(global) | bytes) % 16 != 0) {
    me.found(Fault::misaligned, "a copy of " + std::to_string(bytes) + " bytes", me.site);
  }
  if (to < block.shared->begin || to >= block.shared->end || !memory().has(global)) {
    me.found(Fault::out_of_bounds, "a copy is from memory of kernels to the block's shared memory", me.site);
  }
  if (!block.has_shown(arrival.initialised)) {
    me.found(Fault::copy_not_shown, "the arrival's initialisation", me.site);
  }
  memory().read(me, global, bytes, false, me.site);
  memory().give_to_copy(me, to, bytes,
                        static_cast<uint32_t>(block.number) * Block::kArrivals + index_of(block, arrival),
                        arrival.phase + 1, me.site);
  for (uint32_t i = 0; i < bytes; ++i) to[i] = static_cast<std::byte>(0xa5 ^ i);
  arrival.copied = arrival.phase + 1;
  grid->copies.push_back(
      {&block, index_of(block, arrival), to, static_cast<const std::byte*>(global), bytes});
  grid->maybe_interrupt();
}

void Grid::land_copy(size_t index) {
  const Copy copy = copies[index];
  copies.erase(copies.begin() + static_cast<ptrdiff_t>(index));
  std::copy_n(copy.from, copy.bytes, copy.to);
  Arrival& arrival = copy.block->arrivals[copy.arrival];
  arrival.due -= copy.bytes;
  ++progress;
  complete(*copy.block, arrival);
}

void Grid::complete(Block& block, Arrival& arrival) {
  if (!arrival.announced || arrival.due != 0) return;
  arrival.announced = false;
  ++arrival.phase;
  wake(Waits::arrival, &block);
}

void wait(void* place, uint32_t parity) {
  Thread& me = *running;
  me.site = __builtin_return_address(0);
  while (arrival_at(me, place).phase % 2 == parity) grid->wait(Waits::arrival);
  Arrival& arrival = arrival_at(me, place);
  arrival.awaited = arrival.phase;
  me.clock.learn({{me.block->thread_count() + index_of(*me.block, arrival), arrival.phase}});
  grid->maybe_interrupt();
}

}  // namespace simt
