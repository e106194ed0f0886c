// Work that is written down in place of being enqueued: what becomes a graph. It knows no device.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/status.h"
#include "core/work.h"

namespace wprim {

struct Node {
  Work work;
  std::vector<uint32_t> after;  // nodes before it, directly
};

class Recording {
 public:
  // Where a stream of the recording is: what it does next comes after these nodes.
  using Place = std::vector<uint32_t>;

  // Adds a node at a place, which from then on is behind it.
  void add(const Work& work, Place* place);

  // Gives the nodes away, if all of them come before `place`; then the recording is over.
  Status end(const Place& place, std::vector<Node>* nodes);

  // Ends it, and forgets all.
  void abandon();

  bool over() const;

  // Behind both.
  static Place join(const Place& a, const Place& b);

 private:
  Status check_joined(const Place& place) const;

  mutable std::mutex mutex_;  // streams of one recording may be used by different threads
  std::vector<Node> nodes_;
  bool over_ = false;
};

// Where a stream or an event is in a recording, if it is in one.
struct Recorded {
  std::shared_ptr<Recording> recording;
  Recording::Place place;

  explicit operator bool() const { return recording && !recording->over(); }
};

}  // namespace wprim
