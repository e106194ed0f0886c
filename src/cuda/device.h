// The current device of the calling thread, for the time of a call.
#pragma once

#include "cuda/error.h"

namespace wprim::cuda {

class DeviceScope {
 public:
  explicit DeviceScope(int device) : changed_(cudaGetDevice(&before_) == cudaSuccess && before_ != device) {
    if (changed_) ignore(cudaSetDevice(device));
  }
  ~DeviceScope() {
    if (changed_) ignore(cudaSetDevice(before_));
  }
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

 private:
  int before_ = 0;
  const bool changed_;
};

}  // namespace wprim::cuda
