/* Stands for libcuda.so.1 in the tests of what keeps a machine from using CUDA: a driver of the version
 * FAKE_DRIVER_VERSION, whose cuInit gives FAKE_DRIVER_INIT. It can do nothing else. */
#include <stdlib.h>

__attribute__((visibility("default"))) int cuDriverGetVersion(int* version) {
  *version = atoi(getenv("FAKE_DRIVER_VERSION"));
  return 0;
}

__attribute__((visibility("default"))) int cuInit(unsigned flags) {
  (void)flags;
  return atoi(getenv("FAKE_DRIVER_INIT"));
}
