// What a thread knows to have happened before: for each thread that it heard of, directly or by way of others, the last of
// its epochs that is complete. Threads of a block hear of each other at barriers, those of other blocks at fences.
//
// Beside the threads of a block stand its arrivals, whose epochs are their phases.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace simt {

using Epochs = std::vector<uint32_t>;  // by index in the block

class Clock {
 public:
  Clock() = default;
  Clock(uint64_t block, std::shared_ptr<const Epochs> epochs) : block_(block), own_(std::move(epochs)) {}

  bool knows(uint64_t block, uint32_t index, uint32_t epoch) const {
    const Epochs* epochs = block == block_ ? own_.get() : of_other(block);
    return epochs && (*epochs)[index] >= epoch;
  }
  bool knows(uint32_t index, uint32_t epoch) const { return (*own_)[index] >= epoch; }  // of the own block
  bool is_empty() const { return !own_; }

  struct Heard {
    uint32_t index;  // in the own block
    uint32_t epoch;
  };
  using News = std::vector<Heard>;
  void learn(const News& news);
  void join(const Clock& other);

 private:
  using Others = std::map<uint64_t, std::shared_ptr<const Epochs>>;

  const Epochs* of_other(uint64_t block) const;
  void join(uint64_t block, const std::shared_ptr<const Epochs>& epochs);

  uint64_t block_ = 0;
  // Shared and never changed: after a barrier all threads of a block have the same.
  std::shared_ptr<const Epochs> own_;
  std::shared_ptr<const Others> others_;
};

}  // namespace simt
