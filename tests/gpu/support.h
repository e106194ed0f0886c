// What the GPU tests share: one context each for the CPU and the GPU, and reduces on both.
#pragma once

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "warpprim.h"

#define EXPECT_OK(call) EXPECT_EQ(call, WPRIM_OK) << wprim_last_error()
#define ASSERT_OK(call) ASSERT_EQ(call, WPRIM_OK) << wprim_last_error()
#define ASSERT_CUDA(call) ASSERT_EQ(call, cudaSuccess) << cudaGetErrorString(cudaGetLastError())

namespace gpu_test {

wprim_context* cpu();   // opened once, never closed
wprim_context* cuda();  // fails the test where there is no GPU: these tests are not run without one

uint64_t first_seed();  // WARPPRIM_TEST_SEED, or 1

using Bytes = std::vector<unsigned char>;

// Device memory that frees itself.
class DeviceMemory {
 public:
  explicit DeviceMemory(size_t bytes);
  explicit DeviceMemory(const Bytes& content);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  unsigned char* get() const { return memory_; }
  Bytes read(size_t bytes) const;

 private:
  unsigned char* memory_ = nullptr;
};

// A reduce without its pointers, of any shape that the rules allow.
wprim_reduce_desc random_desc(std::mt19937_64& random, uint64_t most_elements);
Bytes random_input(std::mt19937_64& random, const wprim_reduce_desc& desc);
size_t input_bytes(const wprim_reduce_desc& desc);
size_t output_bytes(const wprim_reduce_desc& desc);

// The reduce on the CPU backend: the expectation.
Bytes on_cpu(wprim_reduce_desc desc, const Bytes& input);

}  // namespace gpu_test
