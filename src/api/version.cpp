#include "core/dtype.h"
#include "warpprim.h"

#define WPRIM_TEXT2(x) #x
#define WPRIM_TEXT(x) WPRIM_TEXT2(x)

uint32_t wprim_version(void) { return WPRIM_VERSION; }

const char* wprim_build_info(void) {
  return "warpprim " WPRIM_TEXT(WPRIM_VERSION_MAJOR) "." WPRIM_TEXT(WPRIM_VERSION_MINOR) "." WPRIM_TEXT(
      WPRIM_VERSION_PATCH) ", backends: cpu"
#if WARPPRIM_CUDA
         ", cuda"
#endif
         ", compiler: "
#if defined(__clang__)
                           "clang " __clang_version__;
#else
                           "gcc " __VERSION__;
#endif
}

size_t wprim_dtype_size(wprim_dtype dtype) {
  const wprim::DtypeInfo* info = wprim::find_dtype(dtype);
  return info ? info->size : 0;
}
