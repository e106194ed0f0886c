// Plans: one op, prepared once. Launching, exchanging its memory, describing it, and what is refused.
#include <atomic>
#include <memory>
#include <thread>

#include "support.h"

namespace wprim::test {
namespace {

// Sums of ones, so that every result is a count.
struct Sums {
  Context context;
  Stream stream{context};
  std::vector<int32_t> ones = std::vector<int32_t>(4000, 1), twos = std::vector<int32_t>(4000, 2);
  int64_t out = -1, other = -1;
  wprim_reduce_desc desc = describe_reduce(WPRIM_SUM, WPRIM_I32, ones.data(), 1000, &out);
};

TEST(Plans, LaunchedOften) {
  Sums s;
  const Plan plan(s.context, s.desc);
  EXPECT_EQ(s.out, -1) << "preparing is not running";
  for (int32_t value = 1; value <= 5; ++value) {
    std::fill(s.ones.begin(), s.ones.end(), value);
    EXPECT_OK(wprim_plan_launch(plan, s.stream));
    EXPECT_OK(wprim_stream_synchronize(s.stream));
    EXPECT_EQ(s.out, 1000 * value);
  }
}

TEST(Plans, KeepTheDescAsItWas) {
  Sums s;
  const Plan plan(s.context, s.desc);
  s.desc.in = nullptr;
  s.desc.cols = 77;
  s.desc.op = static_cast<wprim_op>(0);
  EXPECT_OK(wprim_plan_launch(plan, s.stream));
  EXPECT_OK(wprim_stream_synchronize(s.stream));
  EXPECT_EQ(s.out, 1000);
}

TEST(Plans, EmptyOnesDoNothing) {
  Sums s;
  s.desc.rows = 0;
  const Plan plan(s.context, s.desc);
  EXPECT_OK(wprim_plan_launch(plan, s.stream));
  EXPECT_OK(wprim_stream_synchronize(s.stream));
  EXPECT_EQ(s.out, -1);
}

TEST(Plans, RebindLeavesLaunchesBeforeAlone) {
  Sums s;
  const Plan plan(s.context, s.desc);
  Gate gate;
  gate.block(s.stream);
  EXPECT_OK(wprim_plan_launch(plan, s.stream));
  EXPECT_OK(wprim_plan_rebind(plan, WPRIM_SLOT_OUT, &s.other));
  EXPECT_OK(wprim_plan_rebind(plan, WPRIM_SLOT_IN, s.twos.data()));
  EXPECT_OK(wprim_plan_launch(plan, s.stream));
  gate.open();
  EXPECT_OK(wprim_stream_synchronize(s.stream));
  EXPECT_EQ(s.out, 1000);
  EXPECT_EQ(s.other, 2000);
}

// From one half of an array to the other and back: each step alone would overlap.
TEST(Plans, RebindManyAtOnce) {
  const Context context;
  const Stream stream(context);
  std::vector<uint64_t> memory(64, 1);
  const Plan plan(context, describe_reduce(WPRIM_SUM, WPRIM_U64, memory.data(), 32, &memory[40]));
  EXPECT_EQ(wprim_plan_rebind(plan, WPRIM_SLOT_IN, &memory[32]), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(last_error_has("wprim_plan_rebind: in = ")) << wprim_last_error();
  EXPECT_TRUE(last_error_has("overlaps out")) << wprim_last_error();
  const wprim_binding there[] = {{0, WPRIM_SLOT_IN, &memory[32]}, {0, WPRIM_SLOT_OUT, &memory[8]}};
  EXPECT_OK(wprim_plan_rebind_many(plan, there, 2));
  EXPECT_OK(wprim_plan_launch(plan, stream));
  EXPECT_OK(wprim_stream_synchronize(stream));
  EXPECT_EQ(memory[8], 32u);
  EXPECT_EQ(memory[40], 1u);
}

// The last of several for one slot counts, as if they were made one after the other.
TEST(Plans, RebindManyTakesTheLastOfASlot) {
  Sums s;
  const Plan plan(s.context, s.desc);
  const wprim_binding twice[] = {{0, WPRIM_SLOT_OUT, s.ones.data()}, {0, WPRIM_SLOT_OUT, &s.other}};
  EXPECT_OK(wprim_plan_rebind_many(plan, twice, 2));
  EXPECT_OK(wprim_plan_launch(plan, s.stream));
  EXPECT_OK(wprim_stream_synchronize(s.stream));
  EXPECT_EQ(s.other, 1000);
}

TEST(Plans, ARefusedRebindChangesNothing) {
  Sums s;
  const Plan plan(s.context, s.desc);
  const wprim_binding bad[][2] = {
      {{0, WPRIM_SLOT_OUT, &s.other}, {0, WPRIM_SLOT_IN, nullptr}},
      {{0, WPRIM_SLOT_OUT, &s.other}, {0, WPRIM_SLOT_USER, &s.other}},
      {{0, WPRIM_SLOT_OUT, &s.other}, {0, static_cast<wprim_slot>(7), &s.other}},
      {{0, WPRIM_SLOT_OUT, &s.other}, {1, WPRIM_SLOT_IN, s.twos.data()}},
      {{0, WPRIM_SLOT_IN, s.twos.data()}, {0, WPRIM_SLOT_OUT, reinterpret_cast<char*>(&s.other) + 1}},
      {{0, WPRIM_SLOT_IN, s.twos.data()}, {0, WPRIM_SLOT_COUNT, &s.other}},
  };
  const char* words[] = {"in is NULL", "slot = user: the op was made without one",
                         "slot = 7",   "bindings[1].node",
                         "out = ",     "slot = count: the op was made without one"};
  for (size_t i = 0; i < std::size(bad); ++i) {
    EXPECT_EQ(wprim_plan_rebind_many(plan, bad[i], 2), WPRIM_ERROR_INVALID_ARGUMENT) << i;
    EXPECT_TRUE(last_error_has(words[i])) << i << ": " << wprim_last_error();
  }
  EXPECT_EQ(wprim_plan_rebind_many(plan, nullptr, 3), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(last_error_has("bindings is NULL, but count = 3")) << wprim_last_error();
  EXPECT_OK(wprim_plan_launch(plan, s.stream));
  EXPECT_OK(wprim_stream_synchronize(s.stream));
  EXPECT_EQ(s.out, 1000);
  EXPECT_EQ(s.other, -1);
}

TEST(Plans, ACountOnTheDeviceIsReadWhenItRuns) {
  Sums s;
  uint64_t count = 7, another = 1'000'000;
  s.desc.n_on_device = &count;
  const Plan plan(s.context, s.desc);
  Gate gate;
  gate.block(s.stream);
  EXPECT_OK(wprim_plan_launch(plan, s.stream));
  const uint64_t nine = 9;
  EXPECT_OK(wprim_copy(s.stream, &another, &nine, 8));
  EXPECT_EQ(wprim_plan_rebind(plan, WPRIM_SLOT_COUNT, nullptr), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(last_error_has("pointer is NULL, and slot = count needs one")) << wprim_last_error();
  const wprim_binding bindings[] = {{0, WPRIM_SLOT_COUNT, &another}, {0, WPRIM_SLOT_OUT, &s.other}};
  EXPECT_OK(wprim_plan_rebind_many(plan, bindings, 2));
  EXPECT_OK(wprim_plan_launch(plan, s.stream));
  count = 8;  // nothing has run yet
  gate.open();
  EXPECT_OK(wprim_stream_synchronize(s.stream));
  EXPECT_EQ(s.out, 8);
  EXPECT_EQ(s.other, 9);
}

// A count that an op before it found out.
TEST(Plans, ACountFromTheOpBefore) {
  Sums s;
  uint64_t count = 0;
  s.ones[3] = 0;
  s.desc.n_on_device = &count;
  const Plan plan(s.context, s.desc);
  EXPECT_OK(wprim_reduce(s.stream, WPRIM_COUNT_NONZERO, WPRIM_I32, s.ones.data(), 50, &count));
  EXPECT_OK(wprim_plan_launch(plan, s.stream));
  EXPECT_OK(wprim_stream_synchronize(s.stream));
  EXPECT_EQ(count, 49u);
  EXPECT_EQ(s.out, 48);
}

TEST(Plans, OfAnotherContext) {
  Sums s;
  const Context foreign;
  const Stream stream(foreign);
  const Plan plan(s.context, s.desc);
  EXPECT_EQ(wprim_plan_launch(plan, stream), WPRIM_ERROR_INVALID_HANDLE);
  EXPECT_TRUE(last_error_has("stream belongs to another context than plan")) << wprim_last_error();
  EXPECT_OK(wprim_stream_synchronize(stream));
  EXPECT_EQ(s.out, -1);
}

TEST(Plans, DestroyedInEveryOrderWithALaunchInFlight) {
  int order[] = {0, 1, 2};
  do {
    Sums s;
    std::atomic<bool> done = false;
    Gate gate;
    Plan plan(s.context, s.desc);
    gate.block(s.stream);
    EXPECT_OK(wprim_plan_launch(plan, s.stream));
    EXPECT_OK(wprim_stream_call(
        s.stream,
        [](void* user) {
          *static_cast<std::atomic<bool>*>(user) = true;
          return WPRIM_OK;
        },
        &done));
    wprim_plan* old = plan;
    for (int which : order) {
      if (which == 0) s.context.drop();
      if (which == 1) s.stream.drop();
      if (which == 2) plan.drop();
    }
    EXPECT_EQ(wprim_plan_destroy(old), WPRIM_ERROR_INVALID_HANDLE);
    gate.open();
    while (!done) std::this_thread::yield();
    EXPECT_EQ(s.out, 1000);
  } while (std::next_permutation(std::begin(order), std::end(order)));
}

TEST(Plans, OutliveTheirContextsHandle) {
  Sums s;
  const Plan plan(s.context, s.desc);
  s.context.drop();
  EXPECT_OK(wprim_plan_launch(plan, s.stream));
  EXPECT_OK(wprim_stream_synchronize(s.stream));
  EXPECT_EQ(s.out, 1000);
}

TEST(Plans, OneInFlightOnManyStreamsFromManyThreads) {
  Sums s;
  s.desc.cols = 4000;
  const Plan plan(s.context, s.desc);
  std::vector<std::thread> threads;
  std::atomic<int64_t> wrong = 0;
  // All write the same sum to the same place, one after the other for each stream: an atomic would be in the way, so
  // each stream has its own way through an event.
  std::mutex one_writer;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      const Stream stream(s.context, t % 2 ? WPRIM_STREAM_RESIDENT : WPRIM_STREAM_LAUNCHED);
      for (int i = 0; i < (kSanitized ? 50 : 500); ++i) {
        const std::lock_guard lock(one_writer);
        s.out = 0;
        EXPECT_OK(wprim_plan_launch(plan, stream));
        EXPECT_OK(wprim_stream_synchronize(stream));
        wrong += s.out != 4000;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

// Truly at once: the op writes nothing, as it has no row, or reads what nobody writes.
TEST(Plans, LaunchesSideBySide) {
  Sums s;
  std::vector<std::unique_ptr<Plan>> plans;
  std::vector<int64_t> outs(4, 0);
  for (int64_t& out : outs) {
    plans.push_back(
        std::make_unique<Plan>(s.context, describe_reduce(WPRIM_SUM, WPRIM_I32, s.ones.data(), 4000, &out)));
  }
  s.desc.rows = 0;
  const Plan nothing(s.context, s.desc);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < outs.size(); ++t) {
    threads.emplace_back([&, t] {
      const Stream stream(s.context);
      for (int i = 0; i < 200; ++i) {
        EXPECT_OK(wprim_plan_launch(nothing, stream));
        EXPECT_OK(wprim_plan_launch(*plans[t], stream));
      }
      EXPECT_OK(wprim_stream_synchronize(stream));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int64_t out : outs) EXPECT_EQ(out, 4000);
}

TEST(Plans, ARefusedDescMakesNone) {
  Sums s;
  auto* plan = reinterpret_cast<wprim_plan*>(&s);
  s.desc.out = nullptr;
  EXPECT_EQ(wprim_plan_reduce(s.context, &s.desc, &plan), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(plan, nullptr);
  EXPECT_TRUE(last_error_has("wprim_plan_reduce: out is NULL")) << wprim_last_error();
  EXPECT_EQ(wprim_plan_launch(plan, s.stream), WPRIM_ERROR_INVALID_HANDLE);
}

std::string description(wprim_plan* plan, wprim_format format) {
  uint64_t length = 0;
  EXPECT_OK(wprim_plan_describe(plan, format, nullptr, 0, &length));
  std::string text(length + 1, '?');
  EXPECT_OK(wprim_plan_describe(plan, format, text.data(), text.size(), &length));
  EXPECT_EQ(length + 1, text.size());
  EXPECT_EQ(text.back(), '\0');
  text.pop_back();
  return text;
}

TEST(Plans, Describe) {
  Sums s;
  const Plan plan(s.context, s.desc);
  const std::string text = description(plan, WPRIM_TEXT), json = description(plan, WPRIM_JSON);
  for (const char* part : {"sum", "i32", "1000", "why: "}) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
  EXPECT_EQ(json.front(), '{');
  EXPECT_EQ(json.back(), '}');
  EXPECT_NE(json.find("\"why\": "), std::string::npos) << json;
}

TEST(Plans, DescribeIntoTooLittleRoom) {
  Sums s;
  const Plan plan(s.context, s.desc);
  const std::string whole = description(plan, WPRIM_TEXT);
  for (size_t room = 0; room <= whole.size() + 2; ++room) {
    std::string text(whole.size() + 8, '?');
    uint64_t length = 0;
    EXPECT_OK(wprim_plan_describe(plan, WPRIM_TEXT, text.data(), room, &length));
    EXPECT_EQ(length, whole.size());
    const size_t written = std::min(room, whole.size() + 1);
    if (room > 0) {
      EXPECT_EQ(text[written - 1], '\0');
      EXPECT_EQ(text.substr(0, written - 1), whole.substr(0, written - 1));
    }
    EXPECT_EQ(text.substr(written), std::string(text.size() - written, '?')) << "beyond " << room;
  }
}

}  // namespace
}  // namespace wprim::test
