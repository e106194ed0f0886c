// Measures what a call costs the thread that makes it, what looking a pointer up costs, and how long it takes until a
// value that the GPU computes is on the host.
//
//   gpu_calls [FILTER [COMMIT]] > result.json     a readable table goes to stderr
#include <atomic>
#include <cstring>

#include <cub/device/device_reduce.cuh>

#include "gpu_timing.h"

namespace {

std::string filter;
bool first_row = true;
cudaStream_t stream;

void row(const std::string& name, int batch, const std::function<void()>& f,
         const std::function<void()>& rest) {
  if (!filter.empty() && name.find(filter) == std::string::npos) return;
  const double us = gpu_timing::host_us(batch, f, rest);
  std::fprintf(stderr, "%-60s %8.3f us\n", name.c_str(), us);
  std::printf("%s  {\"name\": \"%s\", \"host_us\": %.4f}", first_row ? "" : ",\n", name.c_str(), us);
  std::fflush(stdout);
  first_row = false;
}

__global__ void empty_kernel() {}

void wait() { CUDA(cudaStreamSynchronize(stream)); }

// A stream of a context that looks pointers up, or does not.
wprim_stream* open_stream(const char* checks) {
  setenv("WARPPRIM_CHECK", checks, 1);
  wprim_context* context;
  wprim_stream* wrapped;
  WPRIM(wprim_context_create(WPRIM_CUDA, 0, &context));
  WPRIM(wprim_stream_wrap(context, stream, &wrapped));
  return wrapped;
}

void measure_calls(const float* in, float* out) {
  row("call: a bare kernel launch", 200, [] { empty_kernel<<<1, 32, 0, stream>>>(); }, wait);
  for (const char* checks : {"0", "1"}) {
    wprim_stream* wrapped = open_stream(checks);
    const std::string suffix = std::string(", WARPPRIM_CHECK=") + checks;
    wprim_reduce_desc d = WPRIM_REDUCE_DESC_INIT;
    d.in = in;
    d.cols = 1024;
    d.out = out;
    row(
        "call: wprim_reduce_ex, sum f32 1024" + suffix, 200, [&] { WPRIM(wprim_reduce_ex(wrapped, &d)); },
        wait);
    d.cols = 1 << 16;  // several pieces
    row(
        "call: wprim_reduce_ex, sum f32 65536" + suffix, 200, [&] { WPRIM(wprim_reduce_ex(wrapped, &d)); },
        wait);
    const float zero = 0;
    row(
        "call: wprim_fill, f32 1" + suffix, 200,
        [&] { WPRIM(wprim_fill(wrapped, WPRIM_F32, out, 1, &zero)); }, wait);
  }
  wprim_stream* wrapped = open_stream("1");
  row(
      "call: wprim_copy within the device, 4096 bytes", 200,
      [&] { WPRIM(wprim_copy(wrapped, out, in, 4096)); }, wait);
  row(
      "call: cudaMemcpyAsync within the device, 4096 bytes", 200,
      [&] { CUDA(cudaMemcpyAsync(out, in, 4096, cudaMemcpyDeviceToDevice, stream)); }, wait);
}

void measure_look_ups(float* device) {
  void *pool, *pinned, *managed, *host = std::malloc(4096);
  CUDA(cudaMallocAsync(&pool, 4096, stream));
  CUDA(cudaMallocHost(&pinned, 4096));
  CUDA(cudaMallocManaged(&managed, 4096));
  // The driver's call for one attribute (CU_POINTER_ATTRIBUTE_DEVICE_POINTER), to see what the runtime adds.
  void* entry;
  cudaDriverEntryPointQueryResult found;
  CUDA(cudaGetDriverEntryPointByVersion("cuPointerGetAttribute", &entry, 12000, cudaEnableDefault, &found));
  const auto driver = reinterpret_cast<int (*)(void*, int, unsigned long long)>(entry);
  for (const auto& [kind, ptr] : {std::pair<const char*, void*>{"device", device},
                                  {"device, far in", device + 50000000},
                                  {"pool", pool},
                                  {"pinned", pinned},
                                  {"managed", managed},
                                  {"ordinary host", host}}) {
    row(
        std::string("look up: cudaPointerGetAttributes, ") + kind, 1000,
        [ptr = ptr] {
          cudaPointerAttributes attributes;
          CUDA(cudaPointerGetAttributes(&attributes, ptr));
        },
        [] {});
    row(
        std::string("look up: cuPointerGetAttribute, ") + kind, 1000,
        [ptr = ptr, driver] {
          void* address;
          driver(&address, 3, reinterpret_cast<unsigned long long>(ptr));
        },
        [] {});
  }
  std::free(host);
}

// From the call to the value on the host.
void measure_values(const float* in, float* out) {
  constexpr int kCount = 1024;
  wprim_stream* wrapped = open_stream("1");
  float* pinned;
  CUDA(cudaMallocHost(reinterpret_cast<void**>(&pinned), 64));
  auto* bits = reinterpret_cast<std::atomic<uint32_t>*>(pinned);
  constexpr uint32_t kNotYet = 0xffffffffu;  // a NaN that no sum gives
  const auto reduce = [&] { WPRIM(wprim_reduce(wrapped, WPRIM_SUM, WPRIM_F32, in, kCount, pinned)); };
  const auto spin = [&] {
    while (bits->load(std::memory_order_acquire) == kNotYet) continue;
  };
  row(
      "value: sum f32 1024, call and synchronize", 20,
      [&] {
        reduce();
        WPRIM(wprim_stream_synchronize(wrapped));
      },
      wait);
  row(
      "value: sum f32 1024, call and spin", 20,
      [&] {
        bits->store(kNotYet);
        reduce();
        spin();
      },
      wait);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  reduce();
  CUDA(cudaStreamEndCapture(stream, &graph));
  CUDA(cudaGraphInstantiate(&exec, graph, 0));
  row(
      "value: sum f32 1024, graph launch and synchronize", 20,
      [&] {
        CUDA(cudaGraphLaunch(exec, stream));
        CUDA(cudaStreamSynchronize(stream));
      },
      wait);
  row(
      "value: sum f32 1024, graph launch and spin", 20,
      [&] {
        bits->store(kNotYet);
        CUDA(cudaGraphLaunch(exec, stream));
        spin();
      },
      wait);
  void* scratch;
  size_t room = 1 << 20;
  CUDA(cudaMalloc(&scratch, room));
  row(
      "value: sum f32 1024, CUB, copy and synchronize", 20,
      [&] {
        CUDA(cub::DeviceReduce::Sum(scratch, room, in, out, kCount, stream));
        CUDA(cudaMemcpyAsync(pinned, out, 4, cudaMemcpyDeviceToHost, stream));
        CUDA(cudaStreamSynchronize(stream));
      },
      wait);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) filter = argv[1];
  CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  float *in, *out;
  CUDA(cudaMalloc(reinterpret_cast<void**>(&in), 256 << 20));
  CUDA(cudaMalloc(reinterpret_cast<void**>(&out), 1 << 20));
  CUDA(cudaMemset(in, 0, 256 << 20));
  CUDA(cudaDeviceSynchronize());
  gpu_timing::begin_report(argc > 2 ? argv[2] : "unknown", "\"cub\": " + std::to_string(CUB_VERSION) + ", ");
  measure_calls(in, out);
  measure_look_ups(in);
  measure_values(in, out);
  std::printf("\n]}\n");
  return 0;
}
