// What a process does not survive, or is told once, seen from outside: probe.cu.
#include "child.h"
#include "support.h"

namespace {

using namespace gpu_test;
using wprim::test::Child;
using wprim::test::run;

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

TEST(LostDevice, EveryCallSaysSoAndNothingHangs) {
  const Child child = run(GPU_PROBE " lost");
  for (const char* call : {"synchronize", "again", "other_stream", "query", "reduce", "large_reduce", "copy",
                           "fill", "call", "record", "malloc", "context_create"}) {
    const std::string said = child.value(call);
    EXPECT_EQ(said.rfind("WPRIM_ERROR_DEVICE ", 0), 0u) << call << ": " << said;
    for (const char* part : {"cudaErrorIllegalAddress", "from work enqueued earlier", "it is sticky"})
      EXPECT_TRUE(has(said, part)) << call << ": " << said;
  }
  for (const char* call : {"event_destroy", "wrapped_destroy", "stream_destroy", "context_destroy"})
    EXPECT_EQ(child.value(call), "WPRIM_OK ") << call;
  EXPECT_EQ(child.value("last_error"), "cudaSuccess") << "our failure is not the program's";
  EXPECT_EQ(child.value("cpu"), "6") << "the CPU backend goes on";
  EXPECT_EQ(child.value("end"), "reached");
}

// Also shows that the check is there by default: without it the device is lost.
TEST(LostDevice, AHostPointerThatIsNotChecked) {
  int all = 0;
  ASSERT_CUDA(cudaDeviceGetAttribute(&all, cudaDevAttrPageableMemoryAccess, 0));
  if (all) GTEST_SKIP() << "this GPU reaches all memory of the process: no pointer of a host is bad";
  const Child unchecked = run("WARPPRIM_CHECK=0 " GPU_PROBE " unchecked");
  EXPECT_EQ(unchecked.value("reduce"), "WPRIM_OK ");
  EXPECT_TRUE(has(unchecked.value("synchronize"), "it is sticky")) << unchecked.text;
  for (const char* environment : {"", "WARPPRIM_CHECK=1 ", "WARPPRIM_CHECK=2 WARPPRIM_LOG=warn "}) {
    const Child checked = run(environment + std::string(GPU_PROBE " unchecked"));
    EXPECT_EQ(checked.value("reduce").rfind("WPRIM_ERROR_INVALID_ARGUMENT ", 0), 0u) << checked.text;
    EXPECT_EQ(checked.value("synchronize"), "WPRIM_OK ");
    EXPECT_EQ(has(checked.text, "WARPPRIM_CHECK=2 is neither 0 nor 1"), has(environment, "=2"));
  }
}

TEST(FullDevice, RefusesAndRecovers) {
  const Child child = run(GPU_PROBE " full");
  for (const char* call : {"malloc", "reduce", "captured"})
    EXPECT_EQ(child.value(call).rfind("WPRIM_ERROR_OUT_OF_MEMORY ", 0), 0u) << call << ": " << child.text;
  EXPECT_TRUE(has(child.value("malloc"), "bytes = 1048576")) << child.text;
  EXPECT_EQ(child.value("synchronize"), "WPRIM_OK ");
  EXPECT_EQ(child.value("untouched"), "11111111") << "nothing was enqueued";
  EXPECT_EQ(child.value("last_error"), "cudaSuccess");
  EXPECT_EQ(child.value("capture"), "cudaSuccess");
  EXPECT_EQ(child.value("nodes"), "0") << "nothing was captured";
  for (const char* call : {"old_stream", "old_synchronize", "afterwards", "afterwards_synchronize"})
    EXPECT_EQ(child.value(call), "WPRIM_OK ") << call;
  EXPECT_EQ(child.value("result"), "0");
  EXPECT_EQ(child.value("end"), "reached");
}

TEST(NoDevice, IsToldWithADriverToo) {
  const Child child = run("CUDA_VISIBLE_DEVICES= " GPU_PROBE " devices");
  EXPECT_EQ(child.value("count"), "0");
  EXPECT_EQ(child.value("create").rfind("WPRIM_ERROR_NO_DEVICE ", 0), 0u) << child.text;
  EXPECT_TRUE(has(child.value("create"), "the NVIDIA driver sees no GPU")) << child.text;
  EXPECT_EQ(child.value("cpu"), "6");
}

}  // namespace
