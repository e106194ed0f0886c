// The ring that a stream keeps its work in, and the table behind the handles.
#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <random>
#include <set>

#include "api/handle.h"
#include "cpu/ring.h"

namespace wprim {
namespace {

TEST(Ring, IsFirstInFirstOut) {
  cpu::Ring<std::unique_ptr<int>> ring;
  std::deque<int> expected;
  std::mt19937 random(1);
  for (int i = 0; i < 100000; ++i) {
    const bool grow = i / 500 % 2 == 0;  // fills to hundreds and empties again
    if (expected.empty() || random() % 10 < (grow ? 6 : 4)) {
      ring.push(std::make_unique<int>(i));
      expected.push_back(i);
    } else {
      ASSERT_EQ(*ring.pop(), expected.front());
      expected.pop_front();
    }
    ASSERT_EQ(ring.empty(), expected.empty());
  }
}

TEST(Ring, LetsGoOfWhatWasPopped) {
  cpu::Ring<std::shared_ptr<int>> ring;
  auto item = std::make_shared<int>(1);
  ring.push(item);
  EXPECT_EQ(item.use_count(), 2);
  ring.pop();
  EXPECT_EQ(item.use_count(), 1);
}

using Table = api::HandleTable<int>;  // static in every test: it never gives its memory back

TEST(HandleTable, FindsWhatWentIn) {
  static Table table(5, "number");
  std::vector<uint64_t> handles;
  for (int i = 0; i < 5000; ++i) handles.push_back(table.insert(std::make_shared<int>(i)));  // several blocks
  EXPECT_EQ(std::set<uint64_t>(handles.begin(), handles.end()).size(), handles.size());
  for (int i = 0; i < 5000; ++i) ASSERT_EQ(*table.find(handles[i]), i);
}

TEST(HandleTable, TellsStrangers) {
  static Table table(5, "number"), other(6, "other");
  const uint64_t handle = table.insert(std::make_shared<int>(1));
  const uint64_t foreign = other.insert(std::make_shared<int>(2));
  EXPECT_EQ(table.find(0), nullptr);
  EXPECT_EQ(table.find(foreign), nullptr);
  for (int bit = 0; bit < 64; ++bit) EXPECT_EQ(table.find(handle ^ 1ull << bit), nullptr) << bit;
  for (uint64_t garbage : {~0ull, 1ull, 0x7fffdeadbeefull, 5ull << 60})
    EXPECT_EQ(table.find(garbage), nullptr);
  int* object;
  EXPECT_EQ(table.get("x", foreign, &object).code(), WPRIM_ERROR_INVALID_HANDLE);
  EXPECT_EQ(table.remove("x", foreign).code(), WPRIM_ERROR_INVALID_HANDLE);
}

TEST(HandleTable, AReusedSlotHasANewHandle) {
  static Table table(5, "number");
  std::set<uint64_t> seen;
  for (int i = 0; i < 1000; ++i) {
    const uint64_t handle = table.insert(std::make_shared<int>(i));
    EXPECT_TRUE(seen.insert(handle).second);
    EXPECT_TRUE(table.remove("x", handle).ok());
    EXPECT_EQ(table.find(handle), nullptr);
    EXPECT_EQ(table.remove("x", handle).code(), WPRIM_ERROR_INVALID_HANDLE) << "given up twice";
  }
}

TEST(HandleTable, RemoveGivesUpTheTablesShare) {
  static Table table(5, "number");
  auto object = std::make_shared<int>(1);
  const uint64_t handle = table.insert(object);
  EXPECT_EQ(object.use_count(), 2);
  EXPECT_TRUE(table.remove("x", handle).ok());
  EXPECT_EQ(object.use_count(), 1);
}

}  // namespace
}  // namespace wprim
