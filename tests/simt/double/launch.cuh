// The double of the launch.cuh of tests/gpu: its tests run on the machine, unchanged.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "support.h"

namespace gpu_test {

inline uint64_t first_seed() { return simt::seeds().front(); }

template <class T>
class OnDevice {
 public:
  explicit OnDevice(const std::vector<T>& values)
      : count_(values.size()), array_("an array of the test", count_ * sizeof(T), simt::Content::zero) {
    std::memcpy(array_.get(), values.data(), count_ * sizeof(T));
  }
  T* get() const { return reinterpret_cast<T*>(array_.get()); }
  std::vector<T> read() const { return std::vector<T>(get(), get() + count_); }

 private:
  size_t count_;
  simt::Array array_;
};

// Runs Kernel::run(args...) on each thread, under a schedule that changes from launch to launch.
template <class Kernel, class... Args>
void launch(unsigned blocks, unsigned threads, Args... args) {
  static uint64_t launches = 0;
  const simt::Schedule schedule = simt::Schedule::of_seed(first_seed() + launches++);
  const simt::Launch launch{reinterpret_cast<const void*>(Kernel::run), blocks, threads,
                            [&] { Kernel::run(args...); }};
  const auto finding = simt::run(launch, {schedule});
  EXPECT_FALSE(finding.has_value()) << finding->text << "\n" << schedule.describe();
}

}  // namespace gpu_test
