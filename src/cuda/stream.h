// A CUDA stream, own or borrowed.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <mutex>
#include <utility>

#include "core/backend.h"
#include "cuda/workspace.h"

namespace wprim::cuda {

class CudaContext;

// The first error of a host callback since it was last reported; shared with callbacks in flight.
class LateError {
 public:
  void keep(Status status) {
    std::lock_guard lock(mutex_);
    if (first_.ok()) first_ = std::move(status);
  }
  Status take() {
    std::lock_guard lock(mutex_);
    return std::exchange(first_, Status());
  }

 private:
  std::mutex mutex_;
  Status first_;
};

class CudaStream final : public Stream {
 public:
  CudaStream(std::shared_ptr<CudaContext> context, cudaStream_t native, bool owned);
  ~CudaStream() override;

  Status submit(const Work& work) override;
  Status record(Event& event) override;
  Status wait(Event& event) override;
  Status synchronize() override;
  Status query() override;

  cudaStream_t native() const { return native_; }
  CudaContext& cuda_context() const;

 private:
  Status check_not_capturing() const;
  Status run(const Reduce& reduce);
  Status run(const Copy& copy);
  Status run(const Fill& fill);
  Status run(const HostCall& call);
  Status run(const Release& release);

  const cudaStream_t native_;
  const bool owned_;
  Workspace workspace_;
  const std::shared_ptr<LateError> late_error_ = std::make_shared<LateError>();
};

}  // namespace wprim::cuda
