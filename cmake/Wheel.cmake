# What `pip install ./bindings/python` builds and carries: scikit-build-core runs CMake with SKBUILD set.
#
# warpprim/lib/ in the wheel gets the library under its SONAME, and beside it what it needs of oneTBB and Highway, which
# it finds there ($ORIGIN). The C and C++ libraries are those of the system.

set_target_properties(
  warpprim
  PROPERTIES VERSION ${PROJECT_VERSION_MAJOR}  # one file: a wheel has no links
             INSTALL_RPATH $ORIGIN)
install(TARGETS warpprim LIBRARY DESTINATION warpprim/lib COMPONENT wheel NAMELINK_SKIP)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION warpprim COMPONENT wheel)
install(
  CODE [[
    set(folder "${CMAKE_INSTALL_PREFIX}/warpprim/lib")
    file(GLOB library "${folder}/libwarpprim.so.*")
    file(GET_RUNTIME_DEPENDENCIES LIBRARIES ${library} RESOLVED_DEPENDENCIES_VAR found
         POST_INCLUDE_REGEXES "lib(tbb|hwy)\\.so" POST_EXCLUDE_REGEXES ".*")
    foreach(file IN LISTS found)
      cmake_path(GET file FILENAME name)
      file(REAL_PATH "${file}" file)
      message(STATUS "Bundling: ${file} as ${name}")
      file(COPY_FILE "${file}" "${folder}/${name}")
    endforeach()
  ]]
  COMPONENT wheel)
