// Copy and fill: every alignment, every kind of memory, captured, and more than four gigabytes.
#include "support.h"

namespace {

using namespace gpu_test;

constexpr size_t kSizes[] = {1, 7, 15, 16, 31, 32, 47, 63, 64, 65, 79, 95, 100, 4096, 100003};

class Memory : public testing::Test {
 protected:
  void SetUp() override { ASSERT_OK(wprim_stream_create(cuda(), nullptr, &stream_)); }
  void TearDown() override { EXPECT_OK(wprim_stream_destroy(stream_)); }
  wprim_stream* stream_ = nullptr;
};

Bytes random_bytes(size_t n) {
  std::mt19937_64 random(n);
  Bytes bytes(n);
  for (unsigned char& b : bytes) b = static_cast<unsigned char>(random());
  return bytes;
}

TEST_F(Memory, CopyFromAnyAddressToAny) {
  for (size_t bytes : kSizes) {
    // All copies of a size at once, side by side, with bytes between them that must stay.
    const size_t room = bytes + 64;
    const Bytes content = random_bytes(room);
    const DeviceMemory src(content), dst(Bytes(256 * room, 0xa5));
    for (size_t i = 0; i < 256; ++i) {
      ASSERT_OK(wprim_copy(stream_, dst.get() + i * room + i % 16 + 16, src.get() + i / 16, bytes));
    }
    ASSERT_OK(wprim_stream_synchronize(stream_));
    const Bytes result = dst.read(256 * room);
    Bytes expected(256 * room, 0xa5);
    for (size_t i = 0; i < 256; ++i) {
      std::copy_n(content.begin() + static_cast<ptrdiff_t>(i / 16), bytes,
                  expected.begin() + static_cast<ptrdiff_t>(i * room + i % 16 + 16));
    }
    ASSERT_TRUE(result == expected) << bytes << " bytes";
  }
}

// The ends of the source are the ends of the allocation: for compute-sanitizer, which sees a read beyond them.
TEST_F(Memory, CopyReadsNothingElse) {
  for (size_t bytes : {size_t{67}, size_t{4097}}) {
    const Bytes content = random_bytes(bytes);
    const DeviceMemory src(content), dst(bytes + 16);
    for (size_t to = 0; to < 16; ++to) {
      ASSERT_OK(wprim_copy(stream_, dst.get() + to, src.get(), bytes));
      ASSERT_OK(wprim_stream_synchronize(stream_));
      Bytes result = dst.read(bytes + to);
      result.erase(result.begin(), result.begin() + static_cast<ptrdiff_t>(to));
      ASSERT_TRUE(result == content);
    }
  }
}

TEST_F(Memory, CopyBetweenAllKinds) {
  constexpr size_t kBytes = 100003;
  const Bytes content = random_bytes(kBytes);
  Bytes pageable(kBytes);
  void *device, *pinned, *managed;
  ASSERT_OK(wprim_malloc(stream_, kBytes, &device));
  ASSERT_OK(wprim_malloc_host(cuda(), kBytes, &pinned));
  ASSERT_CUDA(cudaMallocManaged(&managed, kBytes));
  void* all[] = {pageable.data(), device, pinned, managed};
  for (void* from : all) {
    for (void* to : all) {
      if (from == to) continue;
      Bytes result(kBytes);
      const unsigned char zero = 0;
      ASSERT_OK(wprim_copy(stream_, from, content.data(), kBytes));
      ASSERT_OK(wprim_stream_synchronize(stream_));
      if (to == pageable.data()) {
        pageable.assign(kBytes, zero);
      } else {
        ASSERT_OK(wprim_fill(stream_, WPRIM_U8, to, kBytes, &zero));
      }
      ASSERT_OK(wprim_copy(stream_, to, from, kBytes));
      ASSERT_OK(wprim_copy(stream_, result.data(), to, kBytes));
      ASSERT_OK(wprim_stream_synchronize(stream_));
      ASSERT_TRUE(result == content);
    }
  }
  ASSERT_OK(wprim_free(stream_, device));
  ASSERT_OK(wprim_free_host(cuda(), pinned));
  ASSERT_CUDA(cudaFree(managed));
}

TEST_F(Memory, FillAtAnyAddress) {
  const uint64_t value = 0x0123456789abcdef;
  for (const wprim_dtype dtype : {WPRIM_U8, WPRIM_I16, WPRIM_F32, WPRIM_F64}) {
    const size_t size = wprim_dtype_size(dtype);
    for (size_t n : kSizes) {
      const size_t room = n * size + 64;
      const DeviceMemory memory(Bytes(16 * room, 0xa5));
      Bytes expected(16 * room, 0xa5);
      for (size_t i = 0; i < 16 / size; ++i) {
        const size_t at = (i * room / 16 + 1) * 16 + i * size;
        ASSERT_OK(wprim_fill(stream_, dtype, memory.get() + at, n, &value));
        for (size_t b = 0; b < n * size; ++b) {
          expected[at + b] = static_cast<unsigned char>(value >> 8 * (b % size));
        }
      }
      ASSERT_OK(wprim_stream_synchronize(stream_));
      ASSERT_TRUE(memory.read(16 * room) == expected) << n << " of " << size << " bytes";
    }
  }
}

TEST_F(Memory, CapturedAndReplayed) {
  constexpr size_t kBytes = 1 << 20;
  const Bytes content = random_bytes(kBytes);
  const DeviceMemory src(content), dst(kBytes);
  cudaStream_t native;
  wprim_stream* stream;
  ASSERT_CUDA(cudaStreamCreateWithFlags(&native, cudaStreamNonBlocking));
  ASSERT_OK(wprim_stream_wrap(cuda(), native, &stream));
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  const uint32_t seven = 7;
  ASSERT_CUDA(cudaStreamBeginCapture(native, cudaStreamCaptureModeGlobal));
  EXPECT_OK(wprim_copy(stream, dst.get(), src.get(), kBytes));
  EXPECT_OK(wprim_fill(stream, WPRIM_U32, dst.get() + 4, 1, &seven));
  ASSERT_CUDA(cudaStreamEndCapture(native, &graph));
  ASSERT_CUDA(cudaGraphInstantiate(&exec, graph, 0));
  Bytes expected = content;
  for (size_t i = 4; i < 8; ++i) expected[i] = i == 4 ? 7 : 0;
  for (int i = 0; i < 3; ++i) {
    ASSERT_CUDA(cudaMemset(dst.get(), 0xa5, kBytes));
    ASSERT_CUDA(cudaDeviceSynchronize());
    ASSERT_CUDA(cudaGraphLaunch(exec, native));
    ASSERT_CUDA(cudaStreamSynchronize(native));
    ASSERT_TRUE(dst.read(kBytes) == expected);
  }
  ASSERT_CUDA(cudaGraphExecDestroy(exec));
  ASSERT_CUDA(cudaGraphDestroy(graph));
  ASSERT_OK(wprim_stream_destroy(stream));
  ASSERT_CUDA(cudaStreamDestroy(native));
}

TEST_F(Memory, BeyondFourGigabytes) {
  const uint64_t n = (5ull << 30) + 5;
  const DeviceMemory src(n + 1), dst(n);
  const unsigned char one = 1, two = 2;
  const DeviceMemory sum(8);
  for (size_t shift : {0, 1}) {  // the sum sees a byte that was missed
    ASSERT_OK(wprim_fill(stream_, WPRIM_U8, dst.get(), n, &one));
    ASSERT_OK(wprim_fill(stream_, WPRIM_U8, src.get(), n + 1, &two));
    ASSERT_OK(wprim_copy(stream_, dst.get(), src.get() + shift, n));
    ASSERT_OK(wprim_reduce(stream_, WPRIM_SUM, WPRIM_U8, dst.get(), n, sum.get()));
    uint64_t result;
    ASSERT_OK(wprim_copy(stream_, &result, sum.get(), 8));
    ASSERT_OK(wprim_stream_synchronize(stream_));
    EXPECT_EQ(result, 2 * n);
  }
}

}  // namespace
