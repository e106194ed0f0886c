// Measures reduce on a GPU beside the limit (a kernel that only reads) and CUB, in one run. Device time is that of a
// captured graph of calls over rotating buffers, larger together than the cache from about 512 KiB of input on (what is
// smaller is read from the cache, by us and by the peer); medians of replays.
//
//   gpu_reduce [FILTER [COMMIT]] > result.json     a readable table goes to stderr
#include <algorithm>
#include <cstdint>
#include <cstring>

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "gpu_timing.h"

namespace {

constexpr size_t kBytes = size_t{4} << 30;  // of input in all
char *input, *output, *scratch;
size_t scratch_bytes = 256 << 20;
cudaStream_t stream;
wprim_stream* wrapped;
std::string filter;
bool first_row = true;

double device_us(int batch, const std::function<void(int)>& f) {
  return gpu_timing::device_us(stream, batch, f);
}

__global__ void __launch_bounds__(512) read_kernel(const uint4* in, size_t n, uint4* out) {
  uint4 x{0, 0, 0, 0};
  const size_t step = size_t{gridDim.x} * blockDim.x;
  size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (; i + 3 * step < n; i += 4 * step) {
    const uint4 a = __ldcs(in + i), b = __ldcs(in + i + step), c = __ldcs(in + i + 2 * step),
                d = __ldcs(in + i + 3 * step);
    x.x ^= a.x ^ b.x ^ c.x ^ d.x, x.y ^= a.y ^ b.y ^ c.y ^ d.y, x.z ^= a.z ^ b.z ^ c.z ^ d.z,
        x.w ^= a.w ^ b.w ^ c.w ^ d.w;
  }
  for (; i < n; i += step) {
    const uint4 a = __ldcs(in + i);
    x.x ^= a.x, x.y ^= a.y, x.z ^= a.z, x.w ^= a.w;
  }
  if ((x.x | x.y | x.z | x.w) == 0x12345678u) *out = x;
}

const char* input_at(int i, size_t bytes) {
  const size_t aligned = (bytes + 255) / 256 * 256, room = kBytes / aligned;
  // Small inputs are spread so that a batch does not stay in the cache.
  const size_t gap = std::max<size_t>(aligned, kBytes / 256);
  return input + (room <= 1 ? 0 : (static_cast<size_t>(i) * gap) % (kBytes - aligned) / 256 * 256);
}

int batch_of(size_t bytes) { return bytes < (size_t{32} << 20) ? 96 : bytes < (size_t{256} << 20) ? 16 : 4; }

void row(const std::string& name, size_t bytes, const std::function<void(int)>& ours,
         const std::function<void(int)>& peer) {
  if (!filter.empty() && name.find(filter) == std::string::npos) return;
  const int batch = batch_of(bytes);
  const double limit = device_us(batch, [&](int i) {
    read_kernel<<<static_cast<unsigned>(std::clamp<size_t>(bytes / 16 / 2048, 1, 132 * 4)), 512, 0, stream>>>(
        reinterpret_cast<const uint4*>(input_at(i, bytes)), bytes / 16, reinterpret_cast<uint4*>(output));
  });
  const double us = device_us(batch, ours);
  const double other = peer ? device_us(batch, peer) : 0;
  const double gb = static_cast<double>(bytes) / 1e3;
  std::fprintf(stderr, "%-34s %9.2f us %6.0f GB/s  %5.3f of the read limit (%.0f)", name.c_str(), us, gb / us,
               limit / us, gb / limit);
  if (peer) std::fprintf(stderr, "  %5.2fx CUB (%.2f us)", other / us, other);
  std::fprintf(stderr, "\n");
  std::printf("%s  {\"name\": \"%s\", \"bytes\": %zu, \"us\": %.3f, \"limit_us\": %.3f, \"cub_us\": %.3f}",
              first_row ? "" : ",\n", name.c_str(), bytes, us, limit, other);
  std::fflush(stdout);
  first_row = false;
}

void reduce(wprim_op op, wprim_dtype dtype, const void* in, uint64_t rows, uint64_t cols, int i) {
  wprim_reduce_desc d = WPRIM_REDUCE_DESC_INIT;
  d.op = op;
  d.dtype = dtype;
  d.in = in;
  d.rows = rows;
  d.cols = cols;
  d.out = output + (rows < 4096 ? static_cast<size_t>(i) * 65536 : 0);
  WPRIM(wprim_reduce_ex(wrapped, &d));
}

void whole(const char* op_name, wprim_op op, const char* type, wprim_dtype dtype, size_t n,
           const std::function<void(const void*, int)>& cub = nullptr) {
  const size_t bytes = n * wprim_dtype_size(dtype);
  row(
      std::string(op_name) + " " + type + " " + std::to_string(n), bytes,
      [=](int i) { reduce(op, dtype, input_at(i, bytes), 1, n, i); },
      cub ? std::function<void(int)>([=](int i) { cub(input_at(i, bytes), i); }) : nullptr);
}

struct RowStart {
  int64_t cols;
  __host__ __device__ int64_t operator()(int64_t row) const { return row * cols; }
};

void rows(const char* op_name, wprim_op op, const char* type, wprim_dtype dtype, size_t bytes, size_t cols,
          bool cub = false) {
  const size_t n = bytes / wprim_dtype_size(dtype) / cols, real = n * cols * wprim_dtype_size(dtype);
  std::function<void(int)> peer;
  if (cub) {
    peer = [=](int i) {
      const auto* in = reinterpret_cast<const float*>(input_at(i, real));
      size_t room = scratch_bytes;
      const auto starts = thrust::make_transform_iterator(thrust::make_counting_iterator<int64_t>(0),
                                                          RowStart{static_cast<int64_t>(cols)});
      CUDA(cub::DeviceSegmentedReduce::Sum(scratch, room, in, reinterpret_cast<float*>(output),
                                           static_cast<int64_t>(n), starts, starts + 1, stream));
    };
  }
  row(
      std::string("rows ") + op_name + " " + type + " " + std::to_string(n) + "x" + std::to_string(cols),
      real, [=](int i) { reduce(op, dtype, input_at(i, real), n, cols, i); }, peer);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) filter = argv[1];
  CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CUDA(cudaMalloc(&input, kBytes));
  CUDA(cudaMalloc(&output, 512 << 20));
  CUDA(cudaMalloc(&scratch, scratch_bytes));
  {
    std::vector<uint32_t> host(64 << 20);
    uint32_t z = 1;
    for (uint32_t& x : host) {  // floats in [1, 2) with a few bits, fine as bf16 and f16 too
      z = z * 1664525u + 1013904223u;
      x = 0x3f803f80u | (z >> 9 & 0x007f007fu);
    }
    for (size_t at = 0; at < kBytes; at += host.size() * 4) {
      CUDA(cudaMemcpy(input + at, host.data(), host.size() * 4, cudaMemcpyHostToDevice));
    }
  }
  wprim_context* context;
  WPRIM(wprim_context_create(WPRIM_CUDA, 0, &context));
  WPRIM(wprim_stream_wrap(context, stream, &wrapped));
  gpu_timing::begin_report(argc > 2 ? argv[2] : "unknown", "\"cub\": " + std::to_string(CUB_VERSION) + ", ");

  const auto cub_sum = [](size_t n) {
    return [n](const void* in, int i) {
      size_t room = scratch_bytes;
      CUDA(cub::DeviceReduce::Sum(scratch, room, static_cast<const float*>(in),
                                  reinterpret_cast<float*>(output + static_cast<size_t>(i) * 65536), n,
                                  stream));
    };
  };
  const auto cub_argmax = [](size_t n) {
    return [n](const void* in, int i) {
      size_t room = scratch_bytes;
      auto* value = reinterpret_cast<float*>(output + static_cast<size_t>(i) * 65536);
      CUDA(cub::DeviceReduce::ArgMax(scratch, room, static_cast<const float*>(in), value,
                                     reinterpret_cast<int64_t*>(value + 2), static_cast<int64_t>(n), stream));
    };
  };
  for (int log : {10, 12, 15, 16, 18, 20, 22, 24, 26, 28}) {
    whole("sum", WPRIM_SUM, "f32", WPRIM_F32, size_t{1} << log, cub_sum(size_t{1} << log));
  }
  whole("argmax", WPRIM_ARGMAX, "f32", WPRIM_F32, 1 << 28, cub_argmax(1 << 28));
  whole("max", WPRIM_MAX, "f32", WPRIM_F32, 1 << 28);
  whole("mean", WPRIM_MEAN, "f32", WPRIM_F32, 1 << 28);
  whole("var", WPRIM_VAR, "f32", WPRIM_F32, 1 << 28);
  whole("l2", WPRIM_L2, "f32", WPRIM_F32, 1 << 28);
  whole("logsumexp", WPRIM_LOGSUMEXP, "f32", WPRIM_F32, 1 << 28);
  whole("sum", WPRIM_SUM, "u8", WPRIM_U8, 1 << 30);
  whole("sum", WPRIM_SUM, "f16", WPRIM_F16, 1 << 29);
  whole("sum", WPRIM_SUM, "bf16", WPRIM_BF16, 1 << 29);
  whole("sum", WPRIM_SUM, "i32", WPRIM_I32, 1 << 28);
  whole("sum", WPRIM_SUM, "f64", WPRIM_F64, 1 << 27);
  const size_t gigabyte = size_t{1} << 30;
  for (size_t cols : {32, 128, 1024, 16384}) rows("sum", WPRIM_SUM, "f32", WPRIM_F32, gigabyte, cols, true);
  for (size_t cols : {32, 128, 1024, 16384}) rows("sum", WPRIM_SUM, "bf16", WPRIM_BF16, gigabyte, cols);
  for (size_t cols : {7, 37, 100, 129, 1000, 4097}) rows("sum", WPRIM_SUM, "f32", WPRIM_F32, gigabyte, cols);
  rows("argmax", WPRIM_ARGMAX, "f32", WPRIM_F32, gigabyte, 128);
  rows("argmax", WPRIM_ARGMAX, "bf16", WPRIM_BF16, gigabyte, 128);
  for (size_t cols : {128, 1024, 16384, 131072})
    rows("logsumexp", WPRIM_LOGSUMEXP, "f32", WPRIM_F32, gigabyte, cols);
  for (size_t cols : {128, 1024, 16384, 131072})
    rows("logsumexp", WPRIM_LOGSUMEXP, "bf16", WPRIM_BF16, gigabyte, cols);
  for (const auto& [name, op] : {std::pair{"mean", WPRIM_MEAN}, {"var", WPRIM_VAR}, {"l2", WPRIM_L2}}) {
    rows(name, op, "f32", WPRIM_F32, gigabyte, 1024);
  }
  std::printf("\n]}\n");
  return 0;
}
