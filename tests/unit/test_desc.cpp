// Descs that grow: structs of an older and of a newer header than the library's.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>

#include "core/desc.h"

namespace wprim {
namespace {

// A desc in its third version: `second` and `third` came later, each with its default.
struct Desc {
  uint32_t struct_size;
  uint32_t first;
  uint64_t second;
  uint64_t third;
};
constexpr size_t kOldest = offsetof(Desc, second);
const Desc kDefaults = {sizeof(Desc), 1, 2, 3};

// The same in a later version that the library does not know.
struct NewerDesc {
  Desc known;
  uint64_t fourth;
  uint32_t fifth;
  uint32_t reserved;
};

// Not inlined: the compiler would see that the loop for newer descs cannot stay within this one, and warn.
[[gnu::noinline]] Status read(const void* user, Desc* desc) {
  return read_desc("desc", static_cast<const Desc*>(user), kOldest, kDefaults, desc);
}

bool has(const Status& status, const char* part) { return std::strstr(status.text(), part) != nullptr; }

TEST(Desc, OwnVersion) {
  const Desc user = {sizeof(Desc), 10, 20, 30};
  Desc desc;
  ASSERT_TRUE(read(&user, &desc).ok());
  EXPECT_EQ(std::memcmp(&user, &desc, sizeof desc), 0);
}

TEST(Desc, OlderVersionsGetTheDefaultsOfWhatTheyLack) {
  Desc user = {offsetof(Desc, second), 10, 20, 30};
  Desc desc;
  ASSERT_TRUE(read(&user, &desc).ok());
  EXPECT_EQ(desc.first, 10u);
  EXPECT_EQ(desc.second, 2u);
  EXPECT_EQ(desc.third, 3u);

  user.struct_size = offsetof(Desc, third);
  ASSERT_TRUE(read(&user, &desc).ok());
  EXPECT_EQ(desc.second, 20u);
  EXPECT_EQ(desc.third, 3u);
  EXPECT_EQ(desc.struct_size, sizeof(Desc)) << "what is read is of this version";
}

TEST(Desc, SmallerThanTheFirstVersionIsRefused) {
  for (uint32_t size : {0u, 1u, 4u, static_cast<uint32_t>(kOldest) - 1}) {
    const Desc user = {size, 10, 20, 30};
    Desc desc = {7, 7, 7, 7};
    const Status status = read(&user, &desc);
    EXPECT_EQ(status.code(), WPRIM_ERROR_INVALID_ARGUMENT) << size;
    EXPECT_TRUE(has(status, "desc->struct_size")) << status.text();
    EXPECT_EQ(desc.first, 7u) << "touched on failure";
  }
}

TEST(Desc, NewerVersionWithZerosBeyond) {
  NewerDesc user = {{sizeof(NewerDesc), 10, 20, 30}, 0, 0, 0};
  Desc desc;
  ASSERT_TRUE(read(&user, &desc).ok());
  EXPECT_EQ(desc.first, 10u);
  EXPECT_EQ(desc.third, 30u);
  EXPECT_EQ(desc.struct_size, sizeof(Desc));
}

TEST(Desc, NewerVersionThatAsksForMoreIsRefused) {
  for (size_t byte = sizeof(Desc); byte < sizeof(NewerDesc); ++byte) {
    NewerDesc user = {{sizeof(NewerDesc), 10, 20, 30}, 0, 0, 0};
    reinterpret_cast<unsigned char*>(&user)[byte] = 1;
    Desc desc;
    const Status status = read(&user, &desc);
    EXPECT_EQ(status.code(), WPRIM_ERROR_INVALID_ARGUMENT) << byte;
    EXPECT_TRUE(has(status, ("byte " + std::to_string(byte) + " ").c_str())) << status.text();
    // What lies beyond struct_size is not looked at.
    user.known.struct_size = static_cast<uint32_t>(byte);
    EXPECT_TRUE(read(&user, &desc).ok()) << byte;
  }
}

TEST(Desc, Null) {
  Desc desc;
  const Status status = read(nullptr, &desc);
  EXPECT_EQ(status.code(), WPRIM_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(status.text(), "desc is NULL");
}

}  // namespace
}  // namespace wprim
