// That the machine can find what it looks for: each broken kernel of the zoo, at its line, under every schedule; and nothing
// in its right twin.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "support.h"
#include "zoo_copies.cuh"

namespace {

using namespace simt;

constexpr unsigned kBlocks = 6, kResident = 3;

// The lines that end with "found: NAME", as "file:line", by name.
std::multimap<std::string, std::string> marked_lines() {
  std::multimap<std::string, std::string> lines;
  for (const std::string file : {"zoo.cuh", "zoo_copies.cuh"}) {
    std::ifstream source(std::string(ZOO_FOLDER) + "/" + file);
    std::string line;
    for (unsigned number = 1; std::getline(source, line); ++number) {
      const size_t mark = line.find("// found: ");
      if (mark != std::string::npos)
        lines.emplace(line.substr(mark + 10), file + ":" + std::to_string(number));
    }
  }
  return lines;
}

struct Outcome {
  std::optional<Finding> finding;
  std::vector<uint32_t> out;
  uint32_t counter;
};

template <class Kernel>
Outcome outcome(const Schedule& schedule) {
  const Array in("the input", kBlocks * zoo::kThreads * 4, Content::input);
  const Array out("the output", (kBlocks + 1) * 4, Content::poison);
  const Array partials("the partials", kBlocks * 4, Content::poison);
  const Array counter("the counter", 4, Content::zero);
  const Array cells("the cells", 8, Content::zero);
  const Array bytes("the bytes", zoo::kThreads * 16 + 16, Content::input);
  for (size_t i = 0; i < in.bytes() / 4; ++i)
    reinterpret_cast<uint32_t*>(in.get())[i] = static_cast<uint32_t>(i % 7);
  const zoo::Params p{reinterpret_cast<const uint32_t*>(in.get()), reinterpret_cast<uint32_t*>(out.get()),
                      reinterpret_cast<uint32_t*>(partials.get()), reinterpret_cast<uint32_t*>(counter.get()),
                      reinterpret_cast<uint64_t*>(cells.get()),    bytes.get()};
  Outcome result;
  result.finding =
      run({reinterpret_cast<const void*>(Kernel::run), kBlocks, zoo::kThreads, [&] { Kernel::run(p); }},
          {schedule, kResident});
  result.out.assign(p.out, p.out + kBlocks + 1);
  result.counter = *p.counter;
  return result;
}

std::vector<Schedule> schedules() {
  std::vector<Schedule> all;
  for (uint64_t i = 0; i < 3 * Schedule::kKinds; ++i) all.push_back(Schedule::of_seed(seeds().front() + i));
  return all;
}

// Of two accesses without order either may come first, and the second is found: so there may be several faults and lines.
template <template <bool> class Kernel>
void expect_found(const char* name, const char* mark, const std::vector<Fault>& faults) {
  static const auto lines = marked_lines();
  ASSERT_GT(lines.count(mark), 0u) << name;
  for (const Schedule& schedule : schedules()) {
    const Outcome right = outcome<Kernel<true>>(schedule);
    ASSERT_FALSE(right.finding) << name << ", the right one: " << right.finding->text << "\n"
                                << schedule.describe();
    const Outcome wrong = outcome<Kernel<false>>(schedule);
    ASSERT_TRUE(wrong.finding) << name << ": nothing found, " << schedule.describe();
    EXPECT_NE(std::find(faults.begin(), faults.end(), wrong.finding->fault), faults.end())
        << name << ": " << wrong.finding->text;
    bool at_line = false;
    for (auto [line, end] = lines.equal_range(mark); line != end; ++line)
      at_line |= wrong.finding->place == line->second;
    EXPECT_TRUE(at_line) << name << ": " << wrong.finding->text << "\n" << schedule.describe();
    if (testing::Test::HasFailure()) return;
  }
}

using enum Fault;
#define FINDS(kernel, ...) \
  TEST(Zoo, kernel) { expect_found<zoo::kernel>(#kernel, #kernel, {__VA_ARGS__}); }
#define FINDS_AT_COPY(kernel, ...) \
  TEST(Zoo, kernel) { expect_found<zoo::kernel>(#kernel, "copy", {__VA_ARGS__}); }

FINDS(MissingBarrier, race, never_written)
FINDS(MissingSecondBarrier, race)
FINDS(ShuffleAsBarrier, race)
FINDS(DivergentShuffle, lane_never_comes)
FINDS(ShuffleAgainstBarrier, lane_never_comes)
FINDS(CallerNotInMask, caller_not_in_mask)
FINDS(DifferentCollectives, different_collectives)
FINDS(DifferentMasks, different_masks)
FINDS(BarrierMissed, barrier_missed)
FINDS(BarrierInBranches, different_barriers)
FINDS(SharedNeverWritten, never_written)
FINDS(PartialNeverWritten, never_written)
FINDS(OutOfBounds, out_of_bounds)
FINDS(BeyondSharedArray, out_of_bounds)
FINDS(MisalignedVector, misaligned)
FINDS(InputWritten, input_written)
FINDS(TicketWithoutFence, race)
FINDS(FlagWithoutFence, race)
FINDS(WaitsForNobody, deadlock)
FINDS(WaitsForLaterBlock, deadlock)
FINDS_AT_COPY(CopyNotAwaited, copy_not_awaited, race, never_written)
FINDS_AT_COPY(WrongPhase, copy_not_awaited, race, never_written)
FINDS_AT_COPY(StageStillRead, race, copy_not_awaited)
FINDS(WritesNotShown, copy_not_shown)
FINDS(CopyOutlivesBlock, copy_outlives_block)
FINDS(MisalignedCopy, misaligned)
FINDS(AnnouncedTwice, arrival_misused)
FINDS(CopyNeverComplete, deadlock)

// Which of several things goes wrong depends on what each lane is told.
TEST(Zoo, MaskOfActiveLanes) {
  for (const Schedule& schedule : schedules()) {
    ASSERT_FALSE(outcome<zoo::MaskOfActiveLanes<true>>(schedule).finding);
    const auto finding = outcome<zoo::MaskOfActiveLanes<false>>(schedule).finding;
    ASSERT_TRUE(finding) << schedule.describe();
    EXPECT_TRUE(finding->fault == Fault::different_masks || finding->fault == Fault::lane_never_comes)
        << finding->text;
    EXPECT_EQ(finding->place, marked_lines().find("MaskOfActiveLanes")->second) << finding->text;
  }
}

// What a test finds from outside, by two schedules or two launches.
template <template <bool> class Kernel>
bool out_depends_on_schedule() {
  const Outcome first = outcome<Kernel<false>>(schedules()[0]), right = outcome<Kernel<true>>(schedules()[0]);
  bool differs = false;
  for (const Schedule& schedule : schedules()) {
    EXPECT_EQ(outcome<Kernel<true>>(schedule).out, right.out) << schedule.describe();
    differs |= outcome<Kernel<false>>(schedule).out != first.out;
  }
  return differs;
}
TEST(Zoo, OrderOfBlocksShows) { EXPECT_TRUE(out_depends_on_schedule<zoo::OrderOfBlocksShows>()); }

TEST(Zoo, CounterLeft) {
  EXPECT_EQ(outcome<zoo::CounterLeft<true>>({}).counter, 0u);
  EXPECT_NE(outcome<zoo::CounterLeft<false>>({}).counter, 0u);
}

// What is printed: the finding, both places with the lines that they were inlined into, and the kernel.
TEST(Zoo, SaysWhoAndWhere) {
  const auto finding = outcome<zoo::MissingBarrier<false>>({Schedule::Kind::reversed, 0}).finding;
  ASSERT_TRUE(finding);
  for (const char* part : {"race: block ", " thread 0 at zoo.cuh:", "a read of byte ", "of shared memory",
                           "zoo::MissingBarrier<false>::run"})
    EXPECT_NE(finding->text.find(part), std::string::npos) << part << "\n" << finding->text;
}

}  // namespace
