#include "support.h"

#include <cstdlib>
#include <cstring>

namespace gpu_test {
namespace {

wprim_context* open(wprim_device_kind kind) {
  wprim_context* context = nullptr;
  EXPECT_OK(wprim_context_create(kind, 0, &context));
  return context;
}

bool is_float(wprim_dtype dtype) { return dtype >= WPRIM_F32 && dtype <= WPRIM_BF16; }

wprim_dtype default_output(const wprim_reduce_desc& d) {
  const bool is_signed = d.dtype >= WPRIM_I8 && d.dtype <= WPRIM_I64;
  switch (d.op) {
    case WPRIM_SUM:
    case WPRIM_PROD: return is_float(d.dtype) ? d.dtype : is_signed ? WPRIM_I64 : WPRIM_U64;
    case WPRIM_L1: return is_float(d.dtype) ? d.dtype : WPRIM_U64;
    case WPRIM_MEAN:
    case WPRIM_VAR:
    case WPRIM_STD:
    case WPRIM_L2:
    case WPRIM_LOGSUMEXP: return is_float(d.dtype) ? d.dtype : WPRIM_F64;
    case WPRIM_ARGMIN:
    case WPRIM_ARGMAX: return WPRIM_I64;
    case WPRIM_ANY:
    case WPRIM_ALL: return WPRIM_BOOL;
    case WPRIM_COUNT_NONZERO: return WPRIM_U64;
    default: return d.dtype;  // amax of a signed type has its size too
  }
}

}  // namespace

wprim_context* cpu() {
  static wprim_context* const context = open(WPRIM_CPU);
  return context;
}

wprim_context* cuda() {
  static wprim_context* const context = open(WPRIM_CUDA);
  return context;
}

uint64_t first_seed() {
  const char* seed = std::getenv("WARPPRIM_TEST_SEED");
  return seed ? std::strtoull(seed, nullptr, 10) : 1;
}

DeviceMemory::DeviceMemory(size_t bytes) {
  EXPECT_EQ(cudaMalloc(reinterpret_cast<void**>(&memory_), bytes ? bytes : 1), cudaSuccess);
}

DeviceMemory::DeviceMemory(const Bytes& content) : DeviceMemory(content.size()) {
  EXPECT_EQ(cudaMemcpy(memory_, content.data(), content.size(), cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(),
            cudaSuccess);  // the copy may return early, and our streams do not wait for its stream
}

DeviceMemory::~DeviceMemory() { cudaFree(memory_); }

Bytes DeviceMemory::read(size_t bytes) const {
  Bytes content(bytes);
  EXPECT_EQ(cudaMemcpy(content.data(), memory_, bytes, cudaMemcpyDefault), cudaSuccess);
  return content;
}

wprim_reduce_desc random_desc(std::mt19937_64& random, uint64_t most_elements) {
  const auto pick = [&](uint64_t n) { return random() % n; };
  wprim_reduce_desc d = WPRIM_REDUCE_DESC_INIT;
  d.dtype = static_cast<wprim_dtype>(WPRIM_F32 + pick(13));
  do {
    d.op = static_cast<wprim_op>(WPRIM_SUM + pick(20));
  } while (is_float(d.dtype) && d.op >= WPRIM_AND && d.op <= WPRIM_XOR);
  d.nan = pick(4) == 0 ? WPRIM_NAN_IGNORE : WPRIM_NAN_PROPAGATE;
  if (d.op == WPRIM_VAR || d.op == WPRIM_STD) d.ddof = static_cast<uint32_t>(pick(2));
  // Sizes spread over the powers of two, and often right at one.
  const auto size = [&](uint64_t most) {
    uint64_t log = 0;
    while ((2ull << log) <= most) ++log;
    const uint64_t n = 1ull << pick(log + 1);
    const uint64_t exact = pick(2) ? n : n + pick(n);
    return exact > most ? most : exact;
  };
  d.cols = size(most_elements);
  d.rows = pick(3) == 0 ? 1 : size(most_elements / d.cols);
  if (pick(4) == 0) d.row_stride = d.cols + pick(9);
  return d;
}

size_t input_bytes(const wprim_reduce_desc& d) {
  const uint64_t stride = d.row_stride ? d.row_stride : d.cols;
  return (d.rows * stride + 16) * wprim_dtype_size(d.dtype);  // room for an unaligned start
}

size_t output_bytes(const wprim_reduce_desc& d) {
  return d.rows * wprim_dtype_size(default_output(d)) * (d.op == WPRIM_MINMAX ? 2 : 1);
}

Bytes random_input(std::mt19937_64& random, const wprim_reduce_desc& d) {
  Bytes bytes(input_bytes(d));
  const bool wild = random() % 4 == 0;  // any bits: NaNs, infinities, subnormals
  for (size_t i = 0; i + 8 <= bytes.size(); i += 8) {
    uint64_t word = random();
    if (!wild && d.dtype == WPRIM_F32) word = (word & 0x807fffff807fffff) | 0x3f0000003f000000;
    if (!wild && d.dtype == WPRIM_F64) word = (word & 0x800fffffffffffff) | 0x3fe0000000000000;
    if (!wild && d.dtype == WPRIM_F16) word = (word & 0x83ff83ff83ff83ff) | 0x3800380038003800;
    if (!wild && d.dtype == WPRIM_BF16) word = (word & 0x807f807f807f807f) | 0x3f003f003f003f00;
    std::memcpy(bytes.data() + i, &word, 8);
  }
  return bytes;
}

Bytes on_cpu(wprim_reduce_desc d, const Bytes& input) {
  wprim_stream* stream = nullptr;
  EXPECT_OK(wprim_stream_create(cpu(), nullptr, &stream));
  Bytes output(output_bytes(d), 0xa5);
  // The vector's bytes may begin anywhere, the elements may not.
  std::vector<uint64_t> aligned(input.size() / 8 + 1);
  std::memcpy(aligned.data(), input.data(), input.size());
  std::vector<uint64_t> result(output.size() / 8 + 1);
  d.in = aligned.data();
  d.out = result.data();
  EXPECT_OK(wprim_reduce_ex(stream, &d));
  EXPECT_OK(wprim_stream_synchronize(stream));
  EXPECT_OK(wprim_stream_destroy(stream));
  std::memcpy(output.data(), result.data(), output.size());
  return output;
}

}  // namespace gpu_test
