// Fill and copy, for every alignment, element and length that differ.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "cuda/copy.h"
#include "cuda/fill.h"
#include "cuda/kernels/memory_params.h"
#include "support.h"

namespace {

using namespace simt;

// Often very short, now and then several blocks of vectors.
uint64_t random_length(std::mt19937_64& random) { return random() % (random() % 4 == 0 ? 9000 : 100) + 1; }

TEST(Memory, Fill) {
  for (const uint64_t first : seeds()) {
    std::mt19937_64 random(first);
    for (unsigned i = 0; i < 10 && !HasFailure(); ++i) {
      wprim::Fill fill{};
      fill.size = 1u << random() % 4;
      fill.n = random_length(random) / fill.size + 1;
      for (std::byte& byte : fill.value) byte = static_cast<std::byte>(random());
      const Array out("the output", fill.n * fill.size, Content::poison, random() % 32 * fill.size);
      fill.dst = out.get();
      const Setting setting{Schedule::of_seed(random())};
      wprim::cuda::Launch launch;
      wprim::cuda::prepare_fill(fill, &launch);
      const Launched launched = run<wprim::cuda::FillParams>(launch, setting);
      EXPECT_FALSE(launched.finding) << launched.finding->text << "\n" << setting.schedule.describe();
      for (uint64_t e = 0; e < fill.n; ++e)
        ASSERT_EQ(std::memcmp(out.get() + e * fill.size, fill.value, fill.size), 0) << "element " << e;
    }
    if (HasFailure()) FAIL() << "to replay: WARPPRIM_SIMT_SEED=" << first;
  }
}

TEST(Memory, Copy) {
  for (const uint64_t first : seeds()) {
    std::mt19937_64 random(first);
    for (unsigned i = 0; i < 20 && !HasFailure(); ++i) {
      const uint64_t bytes = random_length(random);
      const Array in("the input", bytes, Content::input, random() % 32);
      const Array out("the output", bytes, Content::poison, random() % 32);
      for (uint64_t at = 0; at < bytes; ++at) in.get()[at] = static_cast<std::byte>(random());
      const Setting setting{Schedule::of_seed(random())};
      wprim::cuda::Launch launch;
      wprim::cuda::prepare_copy({out.get(), in.get(), bytes}, &launch);
      const Launched launched = run<wprim::cuda::CopyParams>(launch, setting);
      EXPECT_FALSE(launched.finding) << launched.finding->text << "\n" << setting.schedule.describe();
      EXPECT_EQ(std::memcmp(out.get(), in.get(), bytes), 0) << bytes << " bytes";
    }
    if (HasFailure()) FAIL() << "to replay: WARPPRIM_SIMT_SEED=" << first;
  }
}

}  // namespace
