// A CUDA stream, own or borrowed.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>

#include "core/backend.h"
#include "cuda/host_call.h"
#include "cuda/prepare.h"
#include "cuda/workspace.h"

namespace wprim::cuda {

class CudaContext;

class CudaStream : public Stream {
 public:
  CudaStream(std::shared_ptr<CudaContext> context, cudaStream_t native, bool owned);
  ~CudaStream() override;

  cudaStream_t native() const { return native_; }

  // For what is put on the CUDA stream by others: work of this stream from now on comes behind it.
  virtual Status give_way() { return {}; }

  CudaContext& cuda_context() const;

 protected:
  Status enqueue(const Work& work) override;
  Status enqueue(const Plan& plan) override;
  Status enqueue(Graph& graph) override;
  Status enqueue_record(Event& event) override;
  Status enqueue_wait(Event& event) override;
  Status wait_until_idle() override;
  Status ask() override;

  // Puts a step on the CUDA stream. A launch is told its workspace here.
  Status run(Step& step);
  Status take_late_error() { return late_error_->take(); }

 private:
  Status check_not_capturing() const;
  Status run(std::monostate) { return {}; }
  Status run(Launch& launch);
  Status run(const Copy& copy);
  Status run(const HostCall& call);
  Status run(const Release& release);

  const cudaStream_t native_;
  const bool owned_;
  Workspace workspace_;
  const std::shared_ptr<LateError> late_error_ = std::make_shared<LateError>();
};

}  // namespace wprim::cuda
