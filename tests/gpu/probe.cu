// A program for the tests of what a process does not survive, or sees once: a GPU that is lost, memory that is gone,
// environment variables. Prints what it saw, one "name=value" a line.
//
//   gpu_probe lost | unchecked | full | devices
#include <cuda_runtime.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "warpprim.h"

namespace {

void say(const char* name, wprim_status status) {
  std::printf("%s=%s %s\n", name, wprim_status_name(status), status == WPRIM_OK ? "" : wprim_last_error());
  std::fflush(stdout);
}

void must(wprim_status status) {
  if (status == WPRIM_OK) return;
  std::printf("failed=%s\n", wprim_last_error());
  std::exit(1);
}

void must(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::printf("failed=%s\n", cudaGetErrorName(error));
  std::exit(1);
}

__global__ void store(int* where) { *where = 1; }

struct Gpu {
  wprim_context* context;
  wprim_stream* stream;
  Gpu() {
    must(wprim_context_create(WPRIM_CUDA, 0, &context));
    must(wprim_stream_create(context, nullptr, &stream));
  }
};

void say_cpu_works() {
  wprim_context* context;
  wprim_stream* stream;
  const float x[3] = {1, 2, 3};
  float sum = 0;
  must(wprim_context_create(WPRIM_CPU, 0, &context));
  must(wprim_stream_create(context, nullptr, &stream));
  must(wprim_reduce(stream, WPRIM_SUM, WPRIM_F32, x, 3, &sum));
  must(wprim_stream_synchronize(stream));
  must(wprim_stream_destroy(stream));
  must(wprim_context_destroy(context));
  std::printf("cpu=%g\n", sum);
}

// A kernel of the program writes where there is nothing.
void lost() {
  const Gpu gpu;
  void *memory, *pinned;
  wprim_event *event, *fresh_event;
  wprim_stream *wrapped, *fresh_stream;
  cudaStream_t native;
  must(cudaStreamCreateWithFlags(&native, cudaStreamNonBlocking));
  must(wprim_stream_wrap(gpu.context, native, &wrapped));
  must(wprim_malloc(gpu.stream, 1 << 20, &memory));
  must(wprim_malloc_host(gpu.context, 8, &pinned));
  must(wprim_event_create(gpu.context, &event));
  must(wprim_reduce(gpu.stream, WPRIM_SUM, WPRIM_F32, memory, 1 << 18, pinned));
  must(wprim_event_record(event, gpu.stream));
  must(wprim_stream_synchronize(gpu.stream));

  store<<<1, 1, 0, native>>>(reinterpret_cast<int*>(16));
  say("synchronize", wprim_stream_synchronize(wrapped));
  std::printf("last_error=%s\n", cudaGetErrorName(cudaPeekAtLastError()));
  const float one = 1;
  const auto callback = [](void*) -> wprim_status { return WPRIM_OK; };
  say("again", wprim_stream_synchronize(wrapped));
  say("other_stream", wprim_stream_synchronize(gpu.stream));
  say("query", wprim_stream_query(gpu.stream));
  say("reduce", wprim_reduce(gpu.stream, WPRIM_SUM, WPRIM_F32, memory, 100, pinned));
  say("large_reduce", wprim_reduce(wrapped, WPRIM_SUM, WPRIM_F32, memory, 1 << 18, pinned));
  say("copy", wprim_copy(gpu.stream, pinned, memory, 8));
  say("fill", wprim_fill(gpu.stream, WPRIM_F32, memory, 100, &one));
  say("call", wprim_stream_call(gpu.stream, callback, nullptr));
  say("record", wprim_event_record(event, gpu.stream));
  say("malloc", wprim_malloc(gpu.stream, 1 << 20, &memory));
  say("stream_create", wprim_stream_create(gpu.context, nullptr, &fresh_stream));
  say("event_create", wprim_event_create(gpu.context, &fresh_event));
  say("event_destroy", wprim_event_destroy(event));
  say("wrapped_destroy", wprim_stream_destroy(wrapped));
  say("stream_destroy", wprim_stream_destroy(gpu.stream));
  say("context_destroy", wprim_context_destroy(gpu.context));
  wprim_context* next;
  say("context_create", wprim_context_create(WPRIM_CUDA, 0, &next));
  say_cpu_works();
}

// A host pointer, with WARPPRIM_CHECK as the environment has it.
void unchecked() {
  const Gpu gpu;
  std::vector<float> host(64, 1.0f);
  void* out;
  must(wprim_malloc(gpu.stream, 8, &out));
  say("reduce", wprim_reduce(gpu.stream, WPRIM_SUM, WPRIM_F32, host.data(), 64, out));
  say("synchronize", wprim_stream_synchronize(gpu.stream));
}

// Everything that the device has, from the program's own allocator and from both pools that the library takes from.
void take_all(const Gpu& gpu, cudaStream_t native) {
  void* memory;
  for (size_t size = size_t{1} << 36; size >= 1 << 12; size /= 2) {
    while (cudaMalloc(&memory, size) == cudaSuccess) continue;
  }
  for (size_t size = size_t{1} << 30; size >= 1 << 12; size /= 2) {
    while (cudaMallocAsync(&memory, size, native) == cudaSuccess) continue;
  }
  for (size_t size = size_t{1} << 30; size >= 1 << 12; size /= 2) {
    while (wprim_malloc(gpu.stream, size, &memory) == WPRIM_OK) continue;
  }
  cudaGetLastError();
  must(cudaStreamSynchronize(native));
}

// A reduce of so many pieces that a new stream needs memory for it.
void full() {
  const Gpu gpu;
  constexpr uint64_t kCount = uint64_t{1} << 30;
  float *in, *out, *spare;
  wprim_stream *fresh, *captured;
  cudaStream_t native;
  must(cudaMalloc(reinterpret_cast<void**>(&in), kCount * 4));
  must(cudaMalloc(reinterpret_cast<void**>(&out), 4));
  must(cudaMalloc(reinterpret_cast<void**>(&spare), 256 << 20));
  must(cudaMemset(in, 0, kCount * 4));
  must(cudaMemset(out, 0x11, 4));
  must(cudaStreamCreateWithFlags(&native, cudaStreamNonBlocking));
  must(wprim_stream_create(gpu.context, nullptr, &fresh));
  must(wprim_stream_wrap(gpu.context, native, &captured));
  // The stream of this one has its workspace, and the kernel is loaded.
  must(wprim_reduce(gpu.stream, WPRIM_SUM, WPRIM_F32, in, kCount, out));
  must(wprim_stream_synchronize(gpu.stream));
  must(cudaMemset(out, 0x11, 4));
  take_all(gpu, native);

  void* memory;
  say("malloc", wprim_malloc(gpu.stream, 1 << 20, &memory));
  say("reduce", wprim_reduce(fresh, WPRIM_SUM, WPRIM_F32, in, kCount, out));
  say("synchronize", wprim_stream_synchronize(fresh));
  uint32_t bits;
  must(cudaMemcpy(&bits, out, 4, cudaMemcpyDefault));
  std::printf("untouched=%x\nlast_error=%s\n", bits, cudaGetErrorName(cudaPeekAtLastError()));
  cudaGraph_t graph;
  must(cudaStreamBeginCapture(native, cudaStreamCaptureModeGlobal));
  say("captured", wprim_reduce(captured, WPRIM_SUM, WPRIM_F32, in, kCount, out));
  const cudaError_t ended = cudaStreamEndCapture(native, &graph);
  size_t nodes = 99;
  must(cudaGraphGetNodes(graph, nullptr, &nodes));
  std::printf("capture=%s\nnodes=%zu\n", cudaGetErrorName(ended), nodes);
  say("old_stream", wprim_reduce(gpu.stream, WPRIM_SUM, WPRIM_F32, in, kCount, out));
  say("old_synchronize", wprim_stream_synchronize(gpu.stream));
  must(cudaMemcpy(&bits, out, 4, cudaMemcpyDefault));
  std::printf("result=%x\n", bits);
  must(cudaFree(spare));
  say("afterwards", wprim_reduce(fresh, WPRIM_SUM, WPRIM_F32, in, kCount, out));
  say("afterwards_synchronize", wprim_stream_synchronize(fresh));
}

void devices() {
  int32_t count = -1;
  wprim_context* context;
  must(wprim_device_count(WPRIM_CUDA, &count));
  std::printf("count=%d\n", count);
  say("create", wprim_context_create(WPRIM_CUDA, 0, &context));
  say_cpu_works();
}

}  // namespace

int main(int argc, char** argv) {
  alarm(300);  // whatever hangs ends here, and fails
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "lost") {
    lost();
  } else if (what == "unchecked") {
    unchecked();
  } else if (what == "full") {
    full();
  } else if (what == "devices") {
    devices();
  } else {
    return 2;
  }
  std::printf("end=reached\n");
  return 0;
}
