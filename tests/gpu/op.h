// A random reduce on the GPU with memory of its own, and streams to run it on.
#pragma once

#include <memory>

#include "support.h"

namespace gpu_test {

// A random reduce with memory of its own, and what it must give.
struct Op {
  wprim_reduce_desc desc;
  Bytes input, expected;
  std::unique_ptr<DeviceMemory> in, out;

  Op(uint64_t seed, uint64_t most_elements) {
    std::mt19937_64 random(seed);
    desc = random_desc(random, most_elements);
    input = random_input(random, desc);
    expected = on_cpu(desc, input);
    in = std::make_unique<DeviceMemory>(input);
    out = std::make_unique<DeviceMemory>(output_bytes(desc));
    desc.in = in->get();
    desc.out = out->get();
    poison();
  }
  void poison() const { EXPECT_EQ(cudaMemset(out->get(), 0xa5, expected.size()), cudaSuccess); }
  void expect() const { EXPECT_EQ(out->read(expected.size()), expected); }
};

inline std::vector<Op> ops_of(uint64_t seed, int n, uint64_t small = 1 << 14, uint64_t large = 1 << 21) {
  std::vector<Op> ops;
  for (int i = 0; i < n; ++i)
    ops.emplace_back(first_seed() * 1000 + seed + static_cast<uint64_t>(i), i % 4 ? small : large);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  return ops;
}

inline wprim_stream* new_stream(wprim_stream_kind kind = WPRIM_STREAM_LAUNCHED) {
  wprim_stream_desc desc = WPRIM_STREAM_DESC_INIT;
  desc.kind = kind;
  wprim_stream* stream = nullptr;
  EXPECT_OK(wprim_stream_create(cuda(), &desc, &stream));
  return stream;
}

}  // namespace gpu_test
