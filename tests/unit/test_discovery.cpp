// What keeps a machine from using CUDA: there are no devices, the text says why, and the CPU works. A fake driver plays
// the machine, see fake_driver.c; no GPU is needed, and none is seen.
#include "child.h"

namespace wprim::test {
namespace {

#ifdef FAKE_DRIVER

void expect_no_device(const std::string& environment, const std::string& text) {
  const Child child = run(environment + " WARPPRIM_LOG=info " WPRIM_PROBE " --cuda=1");
  EXPECT_EQ(child.value("cuda_count"), "0");
  EXPECT_EQ(child.value("cuda_status"), "WPRIM_ERROR_NO_DEVICE");
  EXPECT_EQ(child.value("cuda_text").rfind("wprim_context_create: " + text, 0), 0u) << child.text;
  EXPECT_NE(child.text.find("warpprim info: cuda: no device: " + text), std::string::npos) << child.text;
  EXPECT_NE(child.value("sum_f32"), "nothing") << "the CPU works: " << child.text;
}

std::string driver(const char* version, const char* init) {
  return std::string("LD_LIBRARY_PATH=" FAKE_DRIVER " FAKE_DRIVER_VERSION=") + version +
         " FAKE_DRIVER_INIT=" + init;
}

TEST(Discovery, NoDriver) { expect_no_device("LD_LIBRARY_PATH=" NO_DRIVER, "no NVIDIA driver is installed"); }

TEST(Discovery, DriverTooOld) {
  expect_no_device(driver("12020", "0"),
                   "the NVIDIA driver is too old: it supports CUDA 12.2, this library needs 13.");
}

TEST(Discovery, NoDevice) { expect_no_device(driver("13000", "100"), "the NVIDIA driver sees no GPU"); }

TEST(Discovery, DriverNotReady) {
  expect_no_device(driver("13000", "802"), "the GPUs are not ready: does the NVIDIA fabric manager run?");
}

TEST(Discovery, DriverOfTwoVersions) {
  expect_no_device(driver("13000", "803"), "the library and the kernel module of the NVIDIA driver");
}

TEST(Discovery, AnythingElse) {
  expect_no_device(driver("13000", "999"), "CUDA cannot be used: unknown error (cudaErrorUnknown)");
}

#else

TEST(Discovery, BuiltWithoutCuda) {
  const Child child = run(WPRIM_PROBE " --cuda=1");
  EXPECT_EQ(child.value("cuda_count"), "0");
  EXPECT_EQ(child.value("cuda_status"), "WPRIM_ERROR_UNSUPPORTED");
  EXPECT_NE(child.value("cuda_text").find("built without CUDA"), std::string::npos) << child.text;
  EXPECT_NE(child.value("sum_f32"), "nothing") << child.text;
}

#endif

}  // namespace
}  // namespace wprim::test
