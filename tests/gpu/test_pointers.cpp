// Pointers that the GPU cannot reach are refused before anything is enqueued; all that it can reach are taken.
#include "support.h"

namespace {

using namespace gpu_test;

// Where the GPU reaches all memory of the process (HMM, or one memory for both), a host pointer is as good as any.
bool reaches_all() {
  int all = 0;
  EXPECT_EQ(cudaDeviceGetAttribute(&all, cudaDevAttrPageableMemoryAccess, 0), cudaSuccess);
  return all != 0;
}

bool last_error_has(const char* text) {
  return std::string(wprim_last_error()).find(text) != std::string::npos;
}

class Pointers : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_CUDA(cudaStreamCreateWithFlags(&native_, cudaStreamNonBlocking));
    ASSERT_OK(wprim_stream_wrap(cuda(), native_, &stream_));
  }
  void TearDown() override {
    EXPECT_OK(wprim_stream_destroy(stream_));
    ASSERT_CUDA(cudaStreamDestroy(native_));
  }

  // 64 ones at `in`, summed to `out`, both as the GPU sees them.
  void expect_works(float* in, float* out) {
    const float one = 1;
    ASSERT_OK(wprim_fill(stream_, WPRIM_F32, in, 64, &one));
    ASSERT_OK(wprim_reduce(stream_, WPRIM_SUM, WPRIM_F32, in, 64, out));
    float sum = 0;
    ASSERT_OK(wprim_copy(stream_, &sum, out, sizeof sum));
    ASSERT_OK(wprim_stream_synchronize(stream_));
    EXPECT_EQ(sum, 64);
  }

  cudaStream_t native_ = nullptr;
  wprim_stream* stream_ = nullptr;
};

TEST_F(Pointers, OrdinaryHostMemory) {
  std::vector<float> host(64), result(1);
  const DeviceMemory device(4096);
  auto* in = reinterpret_cast<float*>(device.get());
  if (reaches_all()) return expect_works(host.data(), result.data());
  const float one = 1;
  EXPECT_EQ(wprim_reduce(stream_, WPRIM_SUM, WPRIM_F32, host.data(), 64, in), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(last_error_has("wprim_reduce: in = 0x") && last_error_has("host memory")) << wprim_last_error();
  EXPECT_EQ(wprim_reduce(stream_, WPRIM_SUM, WPRIM_F32, in, 64, host.data()), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(last_error_has("wprim_reduce: out = 0x")) << wprim_last_error();
  EXPECT_EQ(wprim_fill(stream_, WPRIM_F32, host.data(), 64, &one), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(last_error_has("wprim_fill: dst = 0x")) << wprim_last_error();
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess) << "our failure is not the program's";
  expect_works(in, in + 64);  // the device is as well as before
}

TEST_F(Pointers, AllThatTheDeviceReaches) {
  void *memory, *from_pool, *pinned, *host_alloc, *managed;
  ASSERT_OK(wprim_malloc(stream_, 4096, &memory));
  ASSERT_CUDA(cudaMallocAsync(&from_pool, 4096, native_));
  ASSERT_OK(wprim_malloc_host(cuda(), 4096, &pinned));
  ASSERT_CUDA(cudaHostAlloc(&host_alloc, 4096, cudaHostAllocDefault));
  ASSERT_CUDA(cudaMallocManaged(&managed, 4096));
  std::vector<float> registered(2048);
  ASSERT_CUDA(cudaHostRegister(registered.data(), 8192, cudaHostRegisterDefault));
  const DeviceMemory device(4096);
  for (void* ptr : {memory, from_pool, pinned, host_alloc, managed, static_cast<void*>(registered.data()),
                    static_cast<void*>(device.get())}) {
    expect_works(static_cast<float*>(ptr), static_cast<float*>(ptr) + 100);
  }
  ASSERT_CUDA(cudaHostUnregister(registered.data()));
  ASSERT_OK(wprim_free(stream_, memory));
  ASSERT_CUDA(cudaFreeAsync(from_pool, native_));
  ASSERT_OK(wprim_free_host(cuda(), pinned));
  ASSERT_CUDA(cudaFreeHost(host_alloc));
  ASSERT_CUDA(cudaFree(managed));
}

TEST_F(Pointers, NothingIsNeededWhereThereIsNothing) {
  const DeviceMemory out(8);
  std::vector<float> host(1);
  EXPECT_OK(wprim_reduce(stream_, WPRIM_SUM, WPRIM_F32, nullptr, 0, out.get()));
  EXPECT_OK(wprim_reduce(stream_, WPRIM_SUM, WPRIM_F32, host.data(), 0, out.get()));
  EXPECT_OK(wprim_stream_synchronize(stream_));
}

// Whatever the mode of the capture: memory that the graph itself will allocate is let pass, though CUDA knows nothing of
// it yet.
TEST_F(Pointers, WhileCapturing) {
  for (cudaStreamCaptureMode mode :
       {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed}) {
    const DeviceMemory out(8);
    void* of_graph;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    const float one = 1;
    ASSERT_CUDA(cudaStreamBeginCapture(native_, mode));
    ASSERT_CUDA(cudaMallocAsync(&of_graph, 4096, native_));
    EXPECT_OK(wprim_fill(stream_, WPRIM_F32, of_graph, 64, &one));
    EXPECT_OK(wprim_reduce(stream_, WPRIM_SUM, WPRIM_F32, of_graph, 64, out.get()));
    EXPECT_OK(wprim_copy(stream_, out.get() + 4, of_graph, 4));
    ASSERT_CUDA(cudaFreeAsync(of_graph, native_));
    ASSERT_CUDA(cudaStreamEndCapture(native_, &graph));
    ASSERT_CUDA(cudaGraphInstantiate(&exec, graph, 0));
    ASSERT_CUDA(cudaGraphLaunch(exec, native_));
    ASSERT_CUDA(cudaStreamSynchronize(native_));
    float results[2];
    ASSERT_CUDA(cudaMemcpy(results, out.get(), 8, cudaMemcpyDefault));
    EXPECT_EQ(results[0], 64);
    EXPECT_EQ(results[1], 1);
    ASSERT_CUDA(cudaGraphExecDestroy(exec));
    ASSERT_CUDA(cudaGraphDestroy(graph));
  }
}

TEST_F(Pointers, MemoryOfAnotherDevice) {
  int devices = 0, peers = 0;
  ASSERT_CUDA(cudaGetDeviceCount(&devices));
  if (devices < 2) GTEST_SKIP() << "needs two GPUs";
  ASSERT_CUDA(cudaDeviceCanAccessPeer(&peers, 0, 1));
  if (!peers) GTEST_SKIP() << "needs two GPUs that can be peers";
  ASSERT_CUDA(cudaSetDevice(1));
  float* there;
  ASSERT_CUDA(cudaMalloc(reinterpret_cast<void**>(&there), 4096));
  ASSERT_CUDA(cudaSetDevice(0));
  const DeviceMemory out(8);
  EXPECT_EQ(wprim_reduce(stream_, WPRIM_SUM, WPRIM_F32, there, 64, out.get()), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(last_error_has("in = 0x") && last_error_has("memory of device 1")) << wprim_last_error();
  EXPECT_OK(wprim_copy(stream_, out.get(), there, 4)) << "the driver knows how";
  ASSERT_CUDA(cudaDeviceEnablePeerAccess(1, 0));
  expect_works(there, there + 100);
  ASSERT_CUDA(cudaDeviceDisablePeerAccess(1));
  ASSERT_CUDA(cudaFree(there));
}

}  // namespace
