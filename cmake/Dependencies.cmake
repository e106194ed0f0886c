# What the library is built on: Highway (SIMD chosen at run time) and oneTBB (threads). `tools/setup` installs both.

find_package(hwy CONFIG QUIET)
if(NOT TARGET hwy::hwy)
  # Some distributions ship only the pkg-config file.
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(hwy REQUIRED IMPORTED_TARGET libhwy)
  add_library(hwy::hwy ALIAS PkgConfig::hwy)
endif()
if(hwy_VERSION VERSION_LESS 1.0)
  message(FATAL_ERROR "Highway ${hwy_VERSION} is too old: 1.0 or newer is needed")
endif()

find_package(TBB CONFIG REQUIRED)
if(TBB_VERSION VERSION_LESS 2021)
  message(FATAL_ERROR "TBB ${TBB_VERSION} is too old: oneTBB, 2021 or newer, is needed")
endif()

if(WARPPRIM_CUDA)
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 90-real CACHE STRING "GPU architectures to compile for")
  endif()
  enable_language(CUDA)
  set(CMAKE_CUDA_STANDARD 20)
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
  set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
  find_package(CUDAToolkit 13.0 REQUIRED)
endif()
