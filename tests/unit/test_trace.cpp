// NVTX ranges, as a profiler sees them: see fake_profiler.c.
#include "child.h"

namespace wprim::test {
namespace {

size_t count(const std::string& text, const std::string& part) {
  size_t n = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

#ifdef FAKE_PROFILER

TEST(Trace, AProfilerSeesEachCallByOpAndShape) {
  const Child child = run("NVTX_INJECTION64_PATH=" FAKE_PROFILER " " WPRIM_PROBE " --trace=1");
  for (const char* name : {"sum f32 1000", "sum f32 700001", "var f32 1000", "logsumexp f64 700001",
                           "mean u8 -> f64 3x4", "copy 12 bytes", "fill 3 x 4 bytes", "host call"}) {
    EXPECT_EQ(count(child.text, std::string("push=warpprim: ") + name + "\npop=warpprim\n"), 1u)
        << name << '\n'
        << child.text;
  }
  EXPECT_EQ(count(child.text, "push="), count(child.text, "pop="));
}

TEST(Trace, ARefusedCallHasNone) {
  const Child child = run("NVTX_INJECTION64_PATH=" FAKE_PROFILER " " WPRIM_PROBE " --trace=1");
  EXPECT_EQ(count(child.text, "sum f32 77"), 0u) << child.text;
}

#endif

TEST(Trace, NobodyListens) {
  for (const char* path : {"", "/there/is/no/such/library.so", "/dev/null"}) {
    const Child child = run(std::string("NVTX_INJECTION64_PATH=") + path + " " WPRIM_PROBE " --trace=1");
    EXPECT_EQ(count(child.text, "push="), 0u) << child.text;
    EXPECT_NE(child.value("sum_f32"), "nothing") << child.text;
  }
}

}  // namespace
}  // namespace wprim::test
