#include "cuda/query.h"

#include "cuda/error.h"

namespace wprim::cuda {
namespace {

// A call of the driver, which knows nothing of the runtime's last error; its results have the runtime's numbers.
template <class Handle>
using DriverQuery = cudaError_t (*)(Handle);

template <class Handle>
DriverQuery<Handle> find(const char* name) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult result;
  ignore(cudaGetDriverEntryPointByVersion(name, &function, 12000, cudaEnableDefault, &result));
  return reinterpret_cast<DriverQuery<Handle>>(function);
}

template <class Handle>
cudaError_t query_with(DriverQuery<Handle> driver, cudaError_t (*runtime)(Handle), Handle handle) {
  const cudaError_t answer = driver ? driver(handle) : cudaErrorUnknown;
  if (answer == cudaSuccess || answer == cudaErrorNotReady) return answer;
  return runtime(
      handle);  // a real error, or a thread on which the runtime has yet to make the device current
}

}  // namespace

cudaError_t query(cudaStream_t stream) {
  static const auto driver = find<cudaStream_t>("cuStreamQuery");
  return query_with(driver, cudaStreamQuery, stream);
}

cudaError_t query(cudaEvent_t event) {
  static const auto driver = find<cudaEvent_t>("cuEventQuery");
  return query_with(driver, cudaEventQuery, event);
}

}  // namespace wprim::cuda
