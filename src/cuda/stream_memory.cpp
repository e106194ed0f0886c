#include "cuda/stream_memory.h"

#include "cuda/error.h"

namespace wprim::cuda {
namespace {

// As cuda.h declares them: pointers of the device are integers there, and the driver's results have the runtime's numbers.
using Call = cudaError_t (*)(cudaStream_t stream, unsigned long long address, uint64_t value, unsigned flags);
constexpr unsigned kWaitGreaterOrEqual = 0;  // CU_STREAM_WAIT_VALUE_GEQ
constexpr unsigned kWriteDefault = 0;  // CU_STREAM_WRITE_VALUE_DEFAULT: a barrier stands before the write

Call find(const char* name) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult result;
  ignore(cudaGetDriverEntryPointByVersion(name, &function, 12000, cudaEnableDefault, &result));
  return reinterpret_cast<Call>(function);
}

Status call(Call function, const char* name, cudaStream_t stream, const uint64_t* word, uint64_t value,
            unsigned flags) {
  if (!function) return fail(WPRIM_ERROR_UNSUPPORTED, "the driver has no %s", name);
  return check(function(stream, reinterpret_cast<uintptr_t>(word), value, flags), name);
}

}  // namespace

Status wait_for_value(cudaStream_t stream, const uint64_t* word, uint64_t value) {
  static const Call function = find("cuStreamWaitValue64");
  return call(function, "cuStreamWaitValue64", stream, word, value, kWaitGreaterOrEqual);
}

Status write_value(cudaStream_t stream, uint64_t* word, uint64_t value) {
  static const Call function = find("cuStreamWriteValue64");
  return call(function, "cuStreamWriteValue64", stream, word, value, kWriteDefault);
}

}  // namespace wprim::cuda
