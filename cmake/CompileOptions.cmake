# How everything below the top folder is compiled: set for the folder, not target by target, so that none is forgotten.

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Off: kernels are compiled per instruction set, and link-time inlining could carry one set's code into another's.
set(CMAKE_INTERPROCEDURAL_OPTIMIZATION OFF)

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug, RelWithDebInfo or MinSizeRel" FORCE)
endif()

# The bits of every result are the product, and they follow the source: a compiler that joins a multiplication and an addition
# into one fma changes them, so contraction is off everywhere, tests included. For the same reason nothing here may ever be
# compiled with -ffast-math or a part of it, and no -march is given: Highway picks the instruction set at run time.
add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:-ffp-contract=off;-Wall;-Wextra>")
if(WARPPRIM_WERROR)
  add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:-Werror>")
endif()
if("${CMAKE_C_FLAGS} ${CMAKE_CXX_FLAGS}" MATCHES "-Ofast|-ffast-math|-funsafe-math-optimizations|-fassociative-math")
  message(FATAL_ERROR "${CMAKE_MATCH_0} changes the bits of results, which is what warpprim promises not to do")
endif()

# The exception: files built on Highway are compiled for the least that they run on, its SSE4 (which takes in AES and
# carry-less multiplication); the better instruction sets they switch on themselves, function by function.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(WARPPRIM_SIMD_OPTIONS -msse4.2 -maes -mpclmul)
endif()

if(WARPPRIM_CUDA)
  # The same rules for nvcc; and core/ calls constexpr functions of the standard library on the device.
  add_compile_options(
    "$<$<COMPILE_LANGUAGE:CUDA>:-fmad=false;--expt-relaxed-constexpr;--compress-mode=size>"
    "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-ffp-contract=off,-Wall,-Wextra>")
  if(WARPPRIM_WERROR)
    add_compile_options("$<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings>")
  endif()
endif()

if(WARPPRIM_SANITIZE)
  string(REPLACE ";" "," sanitizers "${WARPPRIM_SANITIZE}")
  # A finding of any of them ends the program, so that the test fails.
  add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:-fsanitize=${sanitizers};-fno-sanitize-recover=all>")
  add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:-fno-omit-frame-pointer;-g;-O1>")
  add_link_options(-fsanitize=${sanitizers})
endif()

find_program(WARPPRIM_CCACHE ccache)
if(WARPPRIM_CCACHE)
  foreach(language C CXX CUDA)
    if(NOT CMAKE_${language}_COMPILER_LAUNCHER)
      set(CMAKE_${language}_COMPILER_LAUNCHER ${WARPPRIM_CCACHE})
    endif()
  endforeach()
endif()
