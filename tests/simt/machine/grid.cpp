#include "machine/grid.h"

#include <algorithm>
#include <cstring>

namespace simt {

Grid* grid = nullptr;
Thread* running = nullptr;
bool background_copies = true;

namespace {
uint64_t launches = 0;

}  // namespace

Grid::Grid(const Launch& l, const Setting& setting)
    : launch(l),
      number(++launches),
      scheduler(setting.schedule, l.blocks, l.threads),
      resident_(static_cast<unsigned>(std::min<uint64_t>(setting.resident_blocks, l.blocks))) {
  grid = this;
  background_copies = setting.background_copies;
}

Grid::~Grid() {
  for (size_t slot = 0; slot < resident_; ++slot)
    memory().forget(shared_memory(slot), 0, shared_used_, Stamp::kOutside);
  memory().settle();
  grid = nullptr;
}

std::optional<Finding> Grid::run() {
  for (unsigned slot = 0; slot < resident_; ++slot) {
    blocks_.push_back(std::make_unique<Block>());
    blocks_[slot]->shared = shared_memory(slot);
    start_block(*blocks_[slot], begun_++);
  }
  uint64_t stuck_at = ~0ull;
  while (live_ > 0 && !finding) {
    running = scheduler.next();
    if (!running) {
      if (land_something()) continue;
      // Who reads a word twice need not wait for a store: all get another chance before it is called a deadlock.
      if (waiting_[static_cast<unsigned>(Waits::words)] == 0 || progress == stuck_at) {
        finding = deadlock();
      } else {
        stuck_at = progress;
        ++stores_seen;
        wake(Waits::words);
      }
      continue;
    }
    Thread& thread = *running;
    thread.fiber.resume();
    running = nullptr;
    if (finding) break;
    Block& block = *thread.block;
    if (thread.waits == Waits::ended && block.ended == launch.threads && begun_ < launch.blocks) {
      start_block(block, begun_++);
    }
    if (scheduler.lands()) land_something();
  }
  while (!finding && land_something()) {
  }
  return finding;
}

void Grid::start_block(Block& block, uint64_t index) {
  memory().forget(block.shared, 0, shared_used_, Stamp::kNobody);
  const uint64_t poison = scheduler.random() | 1;
  for (size_t i = 0; i < shared_used_; i += 8) std::memcpy(block.shared->begin + i, &poison, 8);
  block.number = index;
  block.arrivals.clear();
  block.at_barrier = block.ended = 0;
  block.threads.clear();
  block.warps.clear();
  for (unsigned first = 0; first < launch.threads; first += 32)
    block.warps.push_back({launch.threads - first < 32 ? (1u << (launch.threads - first)) - 1 : ~0u});
  const auto nothing = std::make_shared<const Epochs>(launch.threads + Block::kArrivals);
  for (unsigned i = 0; i < launch.threads; ++i) {
    auto thread = std::make_unique<Thread>();
    thread->block = &block;
    thread->index = i;
    thread->number = static_cast<uint32_t>(index * launch.threads + i) + Stamp::kFirst;
    thread->clock = Clock(index, nothing);
    thread->fiber.start(run_thread);
    scheduler.add(thread.get());
    block.threads.push_back(std::move(thread));
  }
  live_ += launch.threads;
}

void Grid::run_thread() {
  grid->launch.thread();
  grid->end_thread();
}

void Grid::end_thread() {
  Thread& me = *running;
  Block& block = *me.block;
  if (++block.ended == launch.threads) {
    for (const Arrival& arrival : block.arrivals) {
      if (arrival.copied > arrival.awaited) {
        me.found(Fault::copy_outlives_block, "nobody waited for the last phase of an arrival", me.site);
      }
    }
  }
  Warp& warp = block.warps[me.index / 32];
  warp.ended |= 1u << me.index % 32;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (!(warp.waiting >> lane & 1)) continue;
    const Thread& other = *block.threads[me.index / 32 * 32 + lane];
    if (!(other.collective.mask >> me.index % 32 & 1)) continue;
    other.found(Fault::lane_never_comes,
                "lane " + std::to_string(me.index % 32) + " has ended, last seen at " + describe(me.site),
                other.site);
  }
  if (block.at_barrier > 0) {
    block.first_at_barrier->found(
        Fault::barrier_missed,
        "thread " + std::to_string(me.index) + " has ended, last seen at " + describe(me.site),
        block.first_at_barrier->site);
  }
  --live_;
  ++progress;
  me.waits = Waits::ended;
  Fiber::leave();
}

bool Grid::land_something() {
  const size_t all = stores.size() + copies.size();
  if (all == 0) return false;
  size_t which = scheduler.pick(all);
  if (which >= stores.size()) {
    land_copy(which - stores.size());
    return true;
  }
  // Stores to one word are seen in their order.
  const auto first = std::find_if(stores.begin(), stores.end(),
                                  [&](const Store& store) { return store.place == stores[which].place; });
  const Store store = *first;
  stores.erase(first);
  see(store);
  return true;
}

void Grid::wait(Waits what) {
  running->waits = what;
  ++waiting_[static_cast<unsigned>(what)];
  Fiber::leave();
}

void Grid::go_on(Thread& thread) {
  --waiting_[static_cast<unsigned>(thread.waits)];
  thread.waits = Waits::nothing;
  scheduler.add(&thread);
}

void Grid::wake(Waits what, const Block* block) {
  if (waiting_[static_cast<unsigned>(what)] == 0) return;
  for (const auto& one : blocks_) {
    if (block && one.get() != block) continue;
    for (const auto& thread : one->threads) {
      if (thread->waits == what) go_on(*thread);
    }
  }
}

void Grid::maybe_interrupt() {
  if (!scheduler.interrupts()) return;
  scheduler.add(running);
  Fiber::leave();
}

std::optional<Finding> run(const Launch& launch, const Setting& setting) {
  return Grid(launch, setting).run();
}

}  // namespace simt
