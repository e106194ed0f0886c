// CUDA's errors as statuses and texts. Needs no GPU: the errors are handed in.
#include <gtest/gtest.h>

#include "cuda/error.h"

namespace wprim::cuda {
namespace {

void expect(cudaError_t error, wprim_status code, const char* text) {
  const Status status = check(error, "cudaCall(one, two)");
  EXPECT_EQ(status.code(), code);
  EXPECT_EQ(std::string(status.text()).rfind(text, 0), 0u) << status.text();
}

TEST(CudaErrors, Success) { EXPECT_TRUE(check(cudaSuccess, "cudaCall").ok()); }

TEST(CudaErrors, OfMemory) {
  expect(cudaErrorMemoryAllocation, WPRIM_ERROR_OUT_OF_MEMORY, "cudaCall: device memory is exhausted");
}

TEST(CudaErrors, OfEarlierWorkAreStickyAndSaySo) {
  for (cudaError_t error : {cudaErrorIllegalAddress, cudaErrorLaunchFailure, cudaErrorAssert,
                            cudaErrorMisalignedAddress, cudaErrorECCUncorrectable, cudaErrorContained}) {
    expect(error, WPRIM_ERROR_DEVICE, "cudaCall: ");
    const Status status = check(error, "cudaCall");
    for (const char* part : {cudaGetErrorName(error), "from work enqueued earlier", "it is sticky"})
      EXPECT_NE(std::string(status.text()).find(part), std::string::npos) << status.text();
  }
}

TEST(CudaErrors, OfTheCallItselfAreNot) {
  expect(cudaErrorInvalidValue, WPRIM_ERROR_DEVICE, "cudaCall: invalid argument (cudaErrorInvalidValue)");
  EXPECT_EQ(std::string(check(cudaErrorInvalidValue, "cudaCall").text()).find("earlier"), std::string::npos);
}

TEST(CudaErrors, OfAGpuThatTheBuildIsNotFor) {
  expect(cudaErrorNoKernelImageForDevice, WPRIM_ERROR_UNSUPPORTED,
         "cudaCall: this library was compiled for GPUs of the architectures " WPRIM_CUDA_ARCHITECTURES ", ");
}

TEST(CudaErrors, OfCapture) {
  expect(cudaErrorStreamCaptureUnsupported, WPRIM_ERROR_UNSUPPORTED,
         "cudaCall: the stream is being captured");
  expect(cudaErrorStreamCaptureImplicit, WPRIM_ERROR_UNSUPPORTED,
         "cudaCall: the legacy default stream would wait");
}

}  // namespace
}  // namespace wprim::cuda
