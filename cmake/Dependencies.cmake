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
    # Those of the GPUs of this machine, else that of the H100 and H200.
    execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader OUTPUT_VARIABLE capabilities
                    RESULT_VARIABLE failed ERROR_QUIET)
    string(REGEX MATCHALL "[0-9]+[.][0-9]+" capabilities "${capabilities}")
    if(failed OR NOT capabilities)
      set(capabilities 9.0)
    endif()
    list(REMOVE_DUPLICATES capabilities)
    list(TRANSFORM capabilities REPLACE "[.]" "")
    list(TRANSFORM capabilities APPEND -real)
    set(CMAKE_CUDA_ARCHITECTURES ${capabilities} CACHE STRING "GPU architectures to compile for")
    message(STATUS "GPU architectures: ${CMAKE_CUDA_ARCHITECTURES}")
  endif()
  enable_language(CUDA)
  set(CMAKE_CUDA_STANDARD 20)
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know that nvcc speaks it
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
  endif()
  if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 13.0)
    message(FATAL_ERROR "nvcc ${CMAKE_CUDA_COMPILER_VERSION} is too old: 13.0 or newer is needed")
  endif()
  # The runtime is linked in, and loads the driver by itself if there is one: a machine without still runs the CPU backend.
  # (Not find_package(CUDAToolkit): it wants the shared runtime too, which toolkits from PyPI lack.)
  find_library(WARPPRIM_CUDART cudart_static HINTS ${CMAKE_CUDA_IMPLICIT_LINK_DIRECTORIES} REQUIRED)
  find_package(Threads REQUIRED)
  add_library(warpprim_cudart INTERFACE)
  target_include_directories(warpprim_cudart SYSTEM INTERFACE ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES})
  target_link_libraries(warpprim_cudart INTERFACE ${WARPPRIM_CUDART} Threads::Threads ${CMAKE_DL_LIBS} rt)
endif()

# NVTX, only a header: profilers see each call. It comes with the CUDA toolkit, and serves the CPU backend as well.
if(NOT WARPPRIM_NVTX STREQUAL OFF)
  find_path(WARPPRIM_NVTX_INCLUDE nvtx3/nvToolsExt.h HINTS ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES} ENV CUDAToolkit_ROOT
            PATH_SUFFIXES include)
  if(WARPPRIM_NVTX STREQUAL ON AND NOT WARPPRIM_NVTX_INCLUDE)
    message(FATAL_ERROR "WARPPRIM_NVTX=ON: nvtx3/nvToolsExt.h was not found")
  endif()
else()
  unset(WARPPRIM_NVTX_INCLUDE CACHE)
endif()
