// What a process starts with: environment variables, affinity, floating-point settings. Each is tried in a
// process of its own, see probe.cpp.
#include "child.h"
#include "support.h"

namespace wprim::test {
namespace {

struct Probe : Child {
  // The lines with results: everything but what describes the process.
  std::string results() const {
    const size_t begin = text.find("sum_f32=");
    return begin == std::string::npos ? "no results: " + text : text.substr(begin);
  }
};

Probe probe(const std::string& environment, const std::string& arguments = "") {
  // Under the thread sanitizer every program would sleep for a second at its end.
  return {run("TSAN_OPTIONS=\"$TSAN_OPTIONS:atexit_sleep_ms=0\" " + environment + " " WPRIM_PROBE " " +
              arguments)};
}

TEST(ThreadsVariable, SetsTheParallelism) {
  for (const char* threads : {"1", "2", "3", "17"}) {
    EXPECT_EQ(probe(std::string("WARPPRIM_NUM_THREADS=") + threads).value("parallelism"), threads);
  }
}

TEST(ThreadsVariable, NonsenseIsIgnoredWithAWarning) {
  const std::string usual = probe("").value("parallelism");
  for (const char* threads : {"''", "0", "-1", "4097", "two", "2x", "99999999999999999999"}) {
    const Probe result = probe(std::string("WARPPRIM_LOG=warn WARPPRIM_NUM_THREADS=") + threads);
    EXPECT_EQ(result.value("parallelism"), usual) << threads;
    EXPECT_NE(result.text.find("warpprim warn: WARPPRIM_NUM_THREADS="), std::string::npos) << result.text;
  }
}

TEST(ThreadsVariable, ByDefaultAsManyAsTheProcessMayRunOn) {
  EXPECT_EQ(probe("", "--affinity=1").value("parallelism"), "1");
}

TEST(ThreadsVariable, MoreThanProcessorsIsNoReasonToPrint) {
  const Probe result = probe("WARPPRIM_NUM_THREADS=64");
  EXPECT_EQ(result.text.rfind("parallelism=64\n", 0), 0u) << result.text;
  EXPECT_EQ(result.text.find("arning"), std::string::npos) << result.text;
}

TEST(LogVariable, Levels) {
  const auto has = [](const Probe& result, const char* level) {
    return result.text.find(std::string("warpprim ") + level + ": ") != std::string::npos;
  };
  for (const char* level : {"", "nonsense", "WARN", "3"}) {
    const Probe result = probe(std::string("WARPPRIM_NUM_THREADS=x WARPPRIM_LOG=") + level);
    EXPECT_EQ(result.text.find("warpprim "), std::string::npos) << result.text;
  }
  const Probe warn = probe("WARPPRIM_NUM_THREADS=x WARPPRIM_LOG=warn");
  const Probe info = probe("WARPPRIM_NUM_THREADS=x WARPPRIM_LOG=info");
  const Probe debug = probe("WARPPRIM_NUM_THREADS=x WARPPRIM_LOG=debug");
  EXPECT_TRUE(has(warn, "warn") && !has(warn, "info") && !has(warn, "debug")) << warn.text;
  EXPECT_TRUE(has(info, "warn") && has(info, "info") && !has(info, "debug")) << info.text;
  EXPECT_TRUE(has(debug, "warn") && has(debug, "info") && has(debug, "debug")) << debug.text;
}

TEST(TargetVariable, EveryInstructionSetGivesTheSameBits) {
  const Probe usual = probe("");
  int taken = 0;
  for (const char* target : {"SSE4", "AVX2", "AVX3"}) {
    const Probe result = probe(std::string("WARPPRIM_LOG=warn WARPPRIM_CPU_TARGET=") + target);
    if (result.text.find("is not built or not supported here: ignored") != std::string::npos) continue;
    EXPECT_EQ(result.value("detail"), target);
    EXPECT_EQ(result.results(), usual.results()) << target;
    ++taken;
  }
#if defined(__x86_64__)
  EXPECT_GE(taken, 1);
#else
  (void)taken;
#endif
  const Probe unknown = probe("WARPPRIM_LOG=warn WARPPRIM_CPU_TARGET=Z80");
  EXPECT_NE(unknown.text.find("WARPPRIM_CPU_TARGET=Z80 is not built"), std::string::npos) << unknown.text;
  EXPECT_EQ(unknown.value("detail"), usual.value("detail"));
}

#if defined(__x86_64__)
// Set before any thread of the library or of TBB starts: threads take the settings of whoever starts them.
TEST(FloatingPointSettings, OfTheWholeProcessDoNotMatter) {
  const std::string usual = probe("").results();
  // Flush to zero, denormals are zero, both; rounding down, up, to zero; all of it.
  for (const char* mxcsr : {"9f80", "1fc0", "9fc0", "3f80", "5f80", "7f80", "ffc0"}) {
    EXPECT_EQ(probe("WARPPRIM_NUM_THREADS=4", std::string("--mxcsr=") + mxcsr).results(), usual) << mxcsr;
  }
}
#endif

TEST(Exit, WithWorkInFlight) {
  for (int i = 0; i < 5; ++i) probe("", "--leave-running=1");
}

}  // namespace
}  // namespace wprim::test
