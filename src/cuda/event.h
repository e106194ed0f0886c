// A point in a CUDA stream.
#pragma once

#include <cuda_runtime_api.h>

#include "core/backend.h"

namespace wprim::cuda {

class CudaEvent final : public Event {
 public:
  CudaEvent(std::shared_ptr<Context> context, cudaEvent_t native)
      : Event(std::move(context)), native_(native) {}
  ~CudaEvent() override;

  Status synchronize() override;
  Status query() override;
  Status elapsed(Event& end, float* milliseconds) override;

  cudaEvent_t native() const { return native_; }

 private:
  const cudaEvent_t native_;
};

}  // namespace wprim::cuda
