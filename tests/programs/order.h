// Who comes after whom: tells which streams a stream has to wait for before it may use some cells, so that a program has
// one meaning however its streams overlap.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "op.h"

namespace programs {

class Order {
 public:
  Order(int streams, int cells)
      : issued_(streams), knows_(streams, std::vector<uint64_t>(streams)), cells_(cells) {
    for (Cell& cell : cells_) cell.written.resize(streams), cell.read.resize(streams);
  }

  // Streams with work that a use of these cells on `stream` must come after, and does not yet.
  std::vector<int> missing(int stream, const Uses& uses) const {
    std::vector<int> streams;
    for (int other = 0; other < static_cast<int>(issued_.size()); ++other) {
      uint64_t last = 0;
      for (int cell : uses.reads) last = std::max(last, cells_[cell].written[other]);
      for (int cell : uses.writes) {
        last = std::max({last, cells_[cell].written[other], cells_[cell].read[other]});
      }
      if (other != stream && last > knows_[stream][other]) streams.push_back(other);
    }
    return streams;
  }

  void issued(int stream, const Uses& uses) {
    const uint64_t number = ++issued_[stream];
    for (int cell : uses.reads) cells_[cell].read[stream] = number;
    for (int cell : uses.writes) cells_[cell].written[stream] = number;
  }

  // What `stream` does from now on comes after all that `other` was given so far.
  void waits(int stream, int other) {
    for (size_t i = 0; i < issued_.size(); ++i) {
      knows_[stream][i] = std::max(knows_[stream][i], knows_[other][i]);
    }
    knows_[stream][other] = issued_[other];
  }

  // The host has seen the end of it: everything from now on comes after.
  void done(int stream) {
    for (size_t i = 0; i < issued_.size(); ++i) waits(static_cast<int>(i), stream);
  }

 private:
  // The number of the last op of each stream that did so.
  struct Cell {
    std::vector<uint64_t> written, read;
  };
  std::vector<uint64_t> issued_;
  std::vector<std::vector<uint64_t>> knows_;  // of each stream: how far each other one is known to be done
  std::vector<Cell> cells_;
};

}  // namespace programs
