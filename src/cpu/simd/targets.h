// Which instruction sets the kernels are compiled for; the best one that the processor has is chosen at run time.
// On x86-64 the kernels need SSE4 (the build compiles them with it), and get AVX2 and AVX-512 versions beside it. On Arm the
// scalable vectors are left out: the kernels keep vectors in arrays.
#pragma once

#if defined(__x86_64__)
#define HWY_DISABLED_TARGETS (~(HWY_SSE4 | HWY_AVX2 | HWY_AVX3))
#else
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#endif
