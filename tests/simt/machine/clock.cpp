#include "machine/clock.h"

#include <algorithm>

namespace simt {
namespace {

std::shared_ptr<const Epochs> later(const std::shared_ptr<const Epochs>& a,
                                    const std::shared_ptr<const Epochs>& b) {
  if (!a || a == b) return b;
  auto both = std::make_shared<Epochs>(*a);
  for (size_t i = 0; i < both->size(); ++i) (*both)[i] = std::max((*both)[i], (*b)[i]);
  return both;
}

}  // namespace

void Clock::learn(const News& news) {
  auto more = std::make_shared<Epochs>(*own_);
  for (const auto& [index, epoch] : news) (*more)[index] = std::max((*more)[index], epoch);
  own_ = std::move(more);
}

void Clock::join(const Clock& other) {
  if (other.is_empty()) return;
  if (is_empty()) block_ = other.block_;
  join(other.block_, other.own_);
  if (!other.others_ || other.others_ == others_) return;
  for (const auto& [block, epochs] : *other.others_) join(block, epochs);
}

void Clock::join(uint64_t block, const std::shared_ptr<const Epochs>& epochs) {
  if (block == block_) {
    own_ = later(own_, epochs);
    return;
  }
  auto more = others_ ? std::make_shared<Others>(*others_) : std::make_shared<Others>();
  auto& known = (*more)[block];
  known = later(known, epochs);
  others_ = std::move(more);
}

const Epochs* Clock::of_other(uint64_t block) const {
  if (!others_) return nullptr;
  const auto found = others_->find(block);
  return found == others_->end() ? nullptr : found->second.get();
}

}  // namespace simt
