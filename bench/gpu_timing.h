// What the GPU benchmarks share: device time of a captured batch of calls, host time of a call, and how a report begins.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "warpprim.h"

#define CUDA(call)                                                                                   \
  do {                                                                                               \
    if (cudaError_t e_ = (call); e_ != cudaSuccess) {                                                \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)), std::exit(1); \
    }                                                                                                \
  } while (0)
#define WPRIM(call)                                                                         \
  do {                                                                                      \
    if ((call) != WPRIM_OK) std::fprintf(stderr, "%s\n", wprim_last_error()), std::exit(1); \
  } while (0)

namespace gpu_timing {

inline double median(std::vector<double> times) {
  std::nth_element(times.begin(), times.begin() + static_cast<long>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

// Microseconds of device time for one of `batch` calls, `enqueue` all of them: the median of 11 after two that warm up.
inline double batch_us(cudaStream_t stream, int batch, const std::function<void()>& enqueue) {
  cudaEvent_t a, b;
  CUDA(cudaEventCreate(&a));
  CUDA(cudaEventCreate(&b));
  std::vector<double> times;
  for (int r = 0; r < 13; ++r) {
    CUDA(cudaEventRecord(a, stream));
    enqueue();
    CUDA(cudaEventRecord(b, stream));
    CUDA(cudaEventSynchronize(b));
    float ms;
    CUDA(cudaEventElapsedTime(&ms, a, b));
    if (r > 1) times.push_back(ms * 1e3 / batch);
  }
  CUDA(cudaEventDestroy(a));
  CUDA(cudaEventDestroy(b));
  return median(times);
}

// The same for a batch that is captured and replayed; `f(i)` is the i-th call.
inline double device_us(cudaStream_t stream, int batch, const std::function<void(int)>& f) {
  f(0);
  CUDA(cudaStreamSynchronize(stream));
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  for (int i = 0; i < batch; ++i) f(i);
  CUDA(cudaStreamEndCapture(stream, &graph));
  CUDA(cudaGraphInstantiate(&exec, graph, 0));
  const double us = batch_us(stream, batch, [&] { CUDA(cudaGraphLaunch(exec, stream)); });
  CUDA(cudaGraphExecDestroy(exec));
  CUDA(cudaGraphDestroy(graph));
  return us;
}

// Microseconds that the calling thread spends in one call of f. `rest` comes after each batch, and is not counted.
inline double host_us(int batch, const std::function<void()>& f, const std::function<void()>& rest) {
  std::vector<double> times;
  for (int r = 0; r < 51; ++r) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < batch; ++i) f();
    const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - start;
    rest();
    if (r > 10) times.push_back(spent.count() / batch);
  }
  return median(times);
}

// What a report begins with, up to its rows. `peer`: one more field, or nothing.
inline void begin_report(const char* commit, const std::string& peer = "") {
  cudaDeviceProp properties;
  CUDA(cudaGetDeviceProperties(&properties, 0));
  int driver;
  CUDA(cudaDriverGetVersion(&driver));
  std::printf("{\"device\": \"%s\", \"driver\": %d, %s\"build\": \"%s\", \"commit\": \"%s\", \"rows\": [\n",
              properties.name, driver, peer.c_str(), wprim_build_info(), commit);
}

}  // namespace gpu_timing
