#include "core/recording.h"

#include <algorithm>
#include <iterator>

namespace wprim {

void Recording::add(const Work& work, Place* place) {
  std::lock_guard lock(mutex_);
  Place behind{static_cast<uint32_t>(nodes_.size())};
  nodes_.push_back({work, *place});
  place->swap(behind);
}

Status Recording::check_joined(const Place& place) const {
  std::vector<char> before(nodes_.size());
  for (const uint32_t node : place) before[node] = 1;
  // Nodes come after earlier ones only.
  for (size_t i = nodes_.size(); i-- > 0;) {
    if (!before[i]) continue;
    for (const uint32_t node : nodes_[i].after) before[node] = 1;
  }
  const size_t lost = static_cast<size_t>(std::find(before.begin(), before.end(), 0) - before.begin());
  if (lost == nodes_.size()) return {};
  return invalid(
      "node %zu was recorded on another stream that has not come back: record an event there and wait for it "
      "on "
      "stream",
      lost);
}

Status Recording::end(const Place& place, std::vector<Node>* nodes) {
  std::lock_guard lock(mutex_);
  WPRIM_TRY(check_joined(place));
  *nodes = std::move(nodes_);
  over_ = true;
  return {};
}

void Recording::abandon() {
  std::lock_guard lock(mutex_);
  nodes_.clear();
  over_ = true;
}

bool Recording::over() const {
  std::lock_guard lock(mutex_);
  return over_;
}

Recording::Place Recording::join(const Place& a, const Place& b) {
  Place both;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

}  // namespace wprim
