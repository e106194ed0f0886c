// A launch: blocks of threads, each thread a fiber. A fixed number of blocks is resident at once, as on a GPU; they start in
// the order of their numbers, each next one when one has ended.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "machine/clock.h"
#include "machine/fiber.h"
#include "machine/finding.h"
#include "machine/memory.h"
#include "machine/offers.h"
#include "machine/schedule.h"

namespace simt {

struct Block;

enum class Waits : uint8_t { nothing, collective, barrier, words, arrival, ended };

// A lane at a collective.
struct Collective {
  Kind kind;
  uint32_t mask;
  uint64_t value;
  unsigned lanes, width;
  uint64_t result;
};

struct Thread {
  Fiber fiber;
  Block* block = nullptr;
  unsigned index = 0;   // in the block
  uint32_t number = 0;  // of all, from Stamp::kFirst

  Waits waits = Waits::nothing;
  Site site = nullptr;                 // where it came to the machine last
  const char* barrier_file = nullptr;  // at a barrier
  unsigned barrier_line = 0;
  Collective collective{};          // at a collective
  std::vector<const void*> polled;  // words it read since the last store of anybody was seen
  uint64_t polled_at = 0;           // how many stores had been seen then

  Clock clock;         // what it knows of others
  uint32_t epoch = 1;  // its own, which is not complete
  uint32_t shown = 0;  // copies see what it wrote up to this epoch
  Clock at_fence;      // what it knew, itself included, at its last fence
  Clock after_fence;   // what it will know after its next one

  Stamp stamp(bool atomic) const { return {number | (atomic ? Stamp::kAtomic : 0), epoch}; }
  bool knows(const Stamp& stamp) const;

  Finding finding(Fault fault, const std::string& text, Site where) const;
  // Ends the launch. Called by a fiber, about itself or another.
  [[noreturn]] void found(Fault fault, const std::string& text, Site where) const;
};

struct Arrival {
  const void* place;
  Stamp initialised;       // who did it
  bool announced = false;  // the phase that is not complete
  uint32_t phase = 0;      // how many are complete
  int64_t due = 0;         // bytes that were announced and have not arrived
  uint32_t copied = 0;     // the last phase that copies belong to, counted from 1
  uint32_t awaited = 0;    // the last phase that somebody waited for
};

// Lanes of a warp, as masks.
struct Warp {
  uint32_t lanes;                   // that exist
  uint32_t waiting = 0, ended = 0;  // at a collective; for good
};

struct Block {
  static constexpr unsigned kArrivals = 16;  // most of a block

  uint64_t number = 0;
  std::vector<std::unique_ptr<Thread>> threads;
  std::vector<Warp> warps;
  std::vector<Arrival> arrivals;
  Region* shared = nullptr;
  unsigned at_barrier = 0, ended = 0;
  const Thread* first_at_barrier = nullptr;

  unsigned thread_count() const { return static_cast<unsigned>(threads.size()); }
  // Whether who wrote something then has shown it to copies since. Threads of other blocks never do.
  bool has_shown(const Stamp& stamp) const;
};

// On their way to where others see them.
struct Store {
  uint32_t thread;  // its number
  std::byte* place;
  uint64_t value;
  unsigned bytes;
  Clock at_fence;
};
struct Copy {
  Block* block;
  unsigned arrival;
  std::byte* to;
  const std::byte* from;
  uint32_t bytes;
};

struct Launch {
  const void* kernel;  // for its name
  uint64_t blocks;
  unsigned threads;
  std::function<void()> thread;  // what each of them does
};

struct Setting {
  Schedule schedule;
  unsigned resident_blocks = 16;
  bool background_copies = true;
};

class Grid {
 public:
  static constexpr size_t kSharedBytes = 64 << 10;  // of a block, with what lies between variables

  Grid(const Launch& launch, const Setting& setting);
  ~Grid();
  std::optional<Finding> run();

  // For the running thread.
  void wait(Waits what);  // until somebody calls go_on()
  void go_on(Thread& thread);
  void wake(Waits what, const Block* block = nullptr);  // those who wait for that, in a block or anywhere
  void meet(const std::vector<Thread*>& threads);       // block.cpp: from here each knows what all have done
  void maybe_interrupt();
  bool land_something();  // false: nothing was on its way
  size_t shared_offset(size_t bytes);

  void see(const Store& store);                           // relaxed.cpp
  void see_own(const Thread& thread, const void* place);  // what it stored there, or all if null
  void land_copy(size_t index);                           // copies.cpp
  void complete(Block& block, Arrival& arrival);          // the phase, if everything is there
  Finding deadlock() const;                               // deadlock.cpp

  const Launch& launch;
  const uint64_t number;  // of this launch
  Scheduler scheduler;
  std::vector<Store> stores;
  std::vector<Copy> copies;
  uint64_t stores_seen = 0;
  uint64_t progress = 0;                             // counts what may help somebody who waits
  std::unordered_map<const void*, Clock> at_fences;  // by word: what a fence after reading it brings
  std::optional<Finding> finding;

 private:
  void start_block(Block& block, uint64_t index);
  void end_thread();
  static void run_thread();

  std::vector<std::unique_ptr<Block>> blocks_;  // that are resident
  const unsigned resident_;
  uint64_t begun_ = 0, live_ = 0;
  unsigned waiting_[6] = {};  // threads, by what they wait for
  size_t shared_used_ = 0;
};

Region* shared_memory(size_t slot);  // shared.cpp: of a resident block

extern Grid* grid;       // the launch that runs
extern Thread* running;  // the thread that runs; null on the host

// Runs a launch; tells what was wrong with it, if anything was.
std::optional<Finding> run(const Launch& launch, const Setting& setting);

}  // namespace simt
