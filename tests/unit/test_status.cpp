// Statuses: names, texts, and who owns them.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "core/status.h"

namespace wprim {
namespace {

TEST(Status, NamesAreTheEnumerators) {
#define WPRIM_NAMED(enumerator) EXPECT_STREQ(status_name(enumerator), #enumerator)
  WPRIM_NAMED(WPRIM_OK);
  WPRIM_NAMED(WPRIM_NOT_READY);
  WPRIM_NAMED(WPRIM_ERROR_INVALID_ARGUMENT);
  WPRIM_NAMED(WPRIM_ERROR_INVALID_HANDLE);
  WPRIM_NAMED(WPRIM_ERROR_UNSUPPORTED);
  WPRIM_NAMED(WPRIM_ERROR_NO_DEVICE);
  WPRIM_NAMED(WPRIM_ERROR_OUT_OF_MEMORY);
  WPRIM_NAMED(WPRIM_ERROR_CALLBACK);
  WPRIM_NAMED(WPRIM_ERROR_DEVICE);
  WPRIM_NAMED(WPRIM_ERROR_INTERNAL);
#undef WPRIM_NAMED
  for (int value : {-1, 10, 1000}) {
    EXPECT_STREQ(status_name(static_cast<wprim_status>(value)), "unknown wprim_status");
  }
}

TEST(Status, StartsOk) {
  const Status status;
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(status.code(), WPRIM_OK);
  EXPECT_STREQ(status.text(), "");
}

TEST(Status, TextsAreFormattedAndMoveAlong) {
  Status status = invalid("rows = %d of %s", 3, "in");
  EXPECT_EQ(status.code(), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(status.text(), "rows = 3 of in");
  const Status moved = std::move(status);
  EXPECT_STREQ(moved.text(), "rows = 3 of in");
  EXPECT_EQ(fail(WPRIM_ERROR_DEVICE, "x").code(), WPRIM_ERROR_DEVICE);
}

TEST(Status, LongTextsAreCut) {
  const std::string text(2000, 'x');
  const Status status = invalid("%s", text.c_str());
  EXPECT_EQ(std::string(status.text()), std::string(511, 'x'));
}

TEST(Status, NotReadyIsNoFailureAndNotOk) {
  EXPECT_EQ(Status::not_ready().code(), WPRIM_NOT_READY);
  EXPECT_FALSE(Status::not_ready().ok());
}

TEST(Status, TryLeavesAtTheFirstFailure) {
  int steps = 0;
  const auto run = [&]() -> Status {
    WPRIM_TRY((++steps, Status()));
    WPRIM_TRY((++steps, invalid("second")));
    WPRIM_TRY((++steps, Status()));
    return {};
  };
  EXPECT_STREQ(run().text(), "second");
  EXPECT_EQ(steps, 2);
}

}  // namespace
}  // namespace wprim
