# `cmake --install`: the library, the header, and what find_package(warpprim) and pkg-config read.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/warpprim)
set(package_files ${PROJECT_BINARY_DIR}/package)

install(TARGETS warpprim EXPORT warpprim-targets)
install(FILES ${PROJECT_SOURCE_DIR}/include/warpprim.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# The C header and the SONAME keep one major version compatible, so the package does too. What the library itself is linked
# with is its own affair: a consumer needs neither Highway nor oneTBB to build.
install(EXPORT warpprim-targets NAMESPACE warpprim:: DESTINATION ${package_dir})
configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/warpprim-config.cmake.in ${package_files}/warpprim-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${package_files}/warpprim-config-version.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${package_files}/warpprim-config.cmake ${package_files}/warpprim-config-version.cmake
        DESTINATION ${package_dir})

# Relative to where the .pc file lies, so that the tree may be installed to any prefix, or moved.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  set(pc_prefix ${CMAKE_INSTALL_PREFIX})
  set(pc_libdir ${CMAKE_INSTALL_FULL_LIBDIR})
  set(pc_includedir ${CMAKE_INSTALL_FULL_INCLUDEDIR})
else()
  file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(REGEX REPLACE "/$" "" up "${up}")
  set(pc_prefix "\${pcfiledir}/${up}")
  set(pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
  set(pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/warpprim.pc.in ${package_files}/warpprim.pc @ONLY)
install(FILES ${package_files}/warpprim.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
