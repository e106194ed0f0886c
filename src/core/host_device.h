// What core/ shares with kernels is marked so that nvcc compiles it for both sides.
#pragma once

#ifdef __CUDACC__
#define WPRIM_HD __host__ __device__ __forceinline__
#else
#define WPRIM_HD inline
#endif
