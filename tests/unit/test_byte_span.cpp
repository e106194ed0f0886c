// How copy and fill on a GPU cut a range of bytes: every byte is written once, vectors are aligned, and a source that
// is read across two aligned vectors is not left.
#include "cuda/kernels/byte_span.h"

#include <gtest/gtest.h>

namespace wprim::cuda {
namespace {

constexpr uintptr_t kPage = 1 << 20;

TEST(ByteSpan, EveryByteOnceAndVectorsAligned) {
  for (uint64_t start = 0; start < 16; ++start) {
    for (bool spare : {false, true}) {
      for (uint64_t bytes = 1; bytes < 200; ++bytes) {
        const ByteSpan span = split(reinterpret_cast<std::byte*>(kPage + start), bytes, spare);
        ASSERT_EQ(span.head + 16 * span.vectors + span.tail, bytes);
        ASSERT_LE(span.head, 32u);
        ASSERT_LE(span.tail, 32u);
        ASSERT_EQ(blocks_of(span), 1u) << "so that the first block has a thread for each single byte";
        ASSERT_TRUE(span.vectors == 0 || (start + span.head) % 16 == 0);
        ASSERT_TRUE(span.vectors > 0 || bytes < 64);
      }
    }
  }
}

TEST(ByteSpan, ASourceReadAcrossTwoVectorsIsNotLeft) {
  for (uint64_t from = 0; from < 16; ++from) {
    for (uint64_t to = 0; to < 16; ++to) {
      for (uint64_t bytes = 1; bytes < 200; ++bytes) {
        const ByteSpan span = split(reinterpret_cast<std::byte*>(kPage + to), bytes, true);
        if (span.vectors == 0) continue;
        const uint64_t first = from + span.head, last = first + 16 * (span.vectors - 1);
        ASSERT_GE(first - first % 16, from);
        ASSERT_LE(last - last % 16 + 32, from + bytes);
      }
    }
  }
}

TEST(ByteSpan, ManyBlocks) {
  const ByteSpan span = split(reinterpret_cast<std::byte*>(kPage), uint64_t{5} << 32, false);
  EXPECT_EQ(blocks_of(span), (uint64_t{5} << 32) / 16 / policy::kMemoryThreads);
  EXPECT_EQ(blocks_of(split(reinterpret_cast<std::byte*>(kPage), 16 * policy::kMemoryThreads + 16, false)),
            2u);
}

}  // namespace
}  // namespace wprim::cuda
