// The double of src/cuda/context.h: a GPU of a size that a test chooses, so that few fibers reach every path of the policy.
#pragma once

namespace wprim::cuda {

class CudaContext {
 public:
  explicit CudaContext(unsigned multiprocessors) : multiprocessors_(multiprocessors) {}
  unsigned multiprocessors() const { return multiprocessors_; }

 private:
  const unsigned multiprocessors_;
};

}  // namespace wprim::cuda
