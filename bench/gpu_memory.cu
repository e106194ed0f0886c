// Measures copy and fill in device memory beside cudaMemcpyAsync and cudaMemsetAsync, captured in a graph and eager.
// Rotating buffers, larger together than the cache from about 512 KiB on; medians.
//
//   gpu_memory [FILTER [COMMIT]] > result.json     a readable table goes to stderr
#include "gpu_timing.h"

namespace {

using gpu_timing::batch_us;
using gpu_timing::device_us;

constexpr size_t kBytes = size_t{4} << 30;  // of each of the two buffers
char *from, *to;
cudaStream_t stream;
wprim_stream* wrapped;
std::string filter;
bool first_row = true;

// Where the i-th call works: spread over the buffer.
size_t place(int i, size_t bytes) {
  const size_t gap = std::max((bytes + 511) / 256 * 256, kBytes / 256);
  return static_cast<size_t>(i) * gap % (kBytes - bytes - 256) / 256 * 256;
}

// `moved`: bytes read and written by a call that is for `bytes`.
void row(const std::string& name, size_t bytes, size_t moved, const std::function<void(size_t)>& ours,
         const std::function<void(size_t)>& theirs) {
  if (!filter.empty() && name.find(filter) == std::string::npos) return;
  const int batch = bytes < (size_t{16} << 20) ? 96 : bytes < (size_t{256} << 20) ? 16 : 4;
  const auto captured = [&](const auto& f) {
    return device_us(stream, batch, [&](int i) { f(place(i, bytes)); });
  };
  const auto eager = [&](const auto& f) {
    return batch_us(stream, batch, [&] {
      for (int i = 0; i < batch; ++i) f(place(i, bytes));
    });
  };
  const double us = captured(ours), cuda_us = captured(theirs);
  const double eager_us = eager(ours), cuda_eager_us = eager(theirs);
  const double gb = static_cast<double>(moved) / 1e3;
  std::fprintf(stderr,
               "%-24s graph %9.2f us %5.0f GB/s, CUDA's %9.2f us %5.0f | eager %9.2f us %5.0f, CUDA's %9.2f "
               "us %5.0f\n",
               name.c_str(), us, gb / us, cuda_us, gb / cuda_us, eager_us, gb / eager_us, cuda_eager_us,
               gb / cuda_eager_us);
  std::printf(
      "%s  {\"name\": \"%s\", \"bytes\": %zu, \"us\": %.3f, \"cuda_us\": %.3f, \"eager_us\": %.3f, "
      "\"cuda_eager_us\": %.3f}",
      first_row ? "" : ",\n", name.c_str(), moved, us, cuda_us, eager_us, cuda_eager_us);
  std::fflush(stdout);
  first_row = false;
}

// `shift`: how the source is aligned beside the destination.
void copy(size_t bytes, size_t shift) {
  row(
      "copy " + std::to_string(bytes) + (shift ? " shifted by " + std::to_string(shift) : ""), bytes,
      2 * bytes, [=](size_t at) { WPRIM(wprim_copy(wrapped, to + at, from + at + shift, bytes)); },
      [=](size_t at) {
        CUDA(cudaMemcpyAsync(to + at, from + at + shift, bytes, cudaMemcpyDeviceToDevice, stream));
      });
}

void fill(const char* type, wprim_dtype dtype, size_t bytes) {
  row(
      "fill " + std::string(type) + " " + std::to_string(bytes), bytes, bytes,
      [=](size_t at) {
        const uint64_t value = 0;
        WPRIM(wprim_fill(wrapped, dtype, to + at, bytes / wprim_dtype_size(dtype), &value));
      },
      [=](size_t at) { CUDA(cudaMemsetAsync(to + at, 0, bytes, stream)); });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) filter = argv[1];
  CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CUDA(cudaMalloc(&from, kBytes));
  CUDA(cudaMalloc(&to, kBytes));
  CUDA(cudaMemset(from, 0x5a, kBytes));
  wprim_context* context;
  WPRIM(wprim_context_create(WPRIM_CUDA, 0, &context));
  WPRIM(wprim_stream_wrap(context, stream, &wrapped));
  gpu_timing::begin_report(argc > 2 ? argv[2] : "unknown");
  for (int log : {10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30}) copy(size_t{1} << log, 0);
  for (int log : {12, 20, 26, 30}) copy(size_t{1} << log, 1);
  copy(size_t{1} << 30, 4);
  copy(size_t{1} << 30, 8);
  for (int log : {10, 16, 20, 24, 26, 28, 30}) fill("f32", WPRIM_F32, size_t{1} << log);
  fill("u8", WPRIM_U8, size_t{1} << 30);
  std::printf("\n]}\n");
  return 0;
}
