// A device for random programs: a context, streams of both kinds, memory of the device and of the host. It is used by one
// program after the other.
#pragma once

#include <gtest/gtest.h>
#include <warpprim.h>

#include <vector>

#include "op.h"

#define PROGRAM_OK(call) EXPECT_EQ(call, WPRIM_OK) << wprim_last_error()

namespace programs {

constexpr int kLaunched = 3, kStreams = 5;  // the others are resident

class Machine {
 public:
  Machine(wprim_device_kind kind, const Shape& shape);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  const Shape& shape() const { return shape_; }
  wprim_context* context() const { return context_; }
  wprim_stream* stream(int i) const { return streams_[i]; }

  // Gives the stream up, work in flight or not, and makes another.
  void renew(int i);

  // All memory at once; waits.
  void write(const std::vector<uint64_t>& words);
  std::vector<uint64_t> read();

  uint64_t* address(const Place& place) const {
    if (place.cell < 0) return nullptr;
    const bool on_host = place.cell >= shape_.device_cells;
    const uint64_t cell = on_host ? place.cell - shape_.device_cells : place.cell;
    return (on_host ? host_ : device_) + cell * shape_.words + place.at;
  }

 private:
  wprim_stream* make_stream(int i);

  const Shape shape_;
  wprim_context* context_ = nullptr;
  wprim_stream* streams_[kStreams] = {};
  uint64_t *device_ = nullptr, *host_ = nullptr;
};

}  // namespace programs
