// Who goes on next. Everything follows from the schedule's kind and seed, so that a seed replays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <random>
#include <string>

namespace simt {

struct Thread;

struct Schedule {
  enum class Kind {
    in_order,  // threads in the order of their numbers, each as far as it gets; what it stores is seen at once
    reversed,      // from the last to the first
    random,        // anybody, and others between any two accesses
    starve_lane,   // as random; one lane of each warp goes on only if nobody else can
    starve_warp,   // so does one warp of each block
    starve_block,  // so does one block
    run_ahead,     // one block goes on as long as it can
    late,          // as random; stores and copies are seen only if nobody can go on
  };
  static constexpr unsigned kKinds = 8;

  Kind kind = Kind::in_order;
  uint64_t seed = 0;

  // The schedules of a seed: eight that follow each other have every kind.
  static Schedule of_seed(uint64_t seed) { return {static_cast<Kind>(seed % kKinds), seed}; }
  std::string describe() const;
};

class Scheduler {
 public:
  Scheduler(const Schedule& schedule, uint64_t blocks, unsigned threads);

  void add(Thread* thread);  // one that can go on
  Thread* next();            // takes one away; null, if nobody can go on
  bool interrupts();         // at an access: is it the turn of others now?
  bool lands();              // does a store or a copy that is on its way arrive now?
  bool is_eager() const { return schedule_.kind == Schedule::Kind::in_order; }
  uint64_t random() { return random_(); }
  size_t pick(size_t n) { return static_cast<size_t>(random_() % n); }

 private:
  bool is_starved(const Thread& thread) const;
  Thread* take(std::deque<Thread*>& ready);

  const Schedule schedule_;
  std::mt19937_64 random_;
  unsigned patience_;  // accesses between two interruptions, more or less
  uint64_t victim_;    // lane, warp or block
  std::deque<Thread*> ready_, starved_;
};

}  // namespace simt
