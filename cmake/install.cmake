# What `make install` puts into the prefix, and how other programs find it:
# pkg-config (pkm.pc) and CMake (find_package(pkm), target pkm::pkm).
include(CMakePackageConfigHelpers)

set(PKM_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/pkm)
set(PKM_REQUIRED_MODULES "libfyaml openblas sqlite3")
if(BUILD_SHARED_LIBS)
  set_target_properties(pkm PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
  set(PKM_PC_REQUIRES "Requires.private: ${PKM_REQUIRED_MODULES}")
  set(PKM_PC_SUNDIALS "")
else()
  # A static library needs its own libraries at every link.
  set(PKM_PC_REQUIRES "Requires: ${PKM_REQUIRED_MODULES}")
  set(PKM_PC_SUNDIALS "${PKM_SUNDIALS_FLAGS}")
endif()

set_target_properties(pkm PROPERTIES EXPORT_NAME pkm)
install(TARGETS pkm EXPORT pkm-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT pkm-targets NAMESPACE pkm:: DESTINATION ${PKM_CMAKE_DIR})
if(TARGET pkm_cli)
  if(BUILD_SHARED_LIBS)
    set_target_properties(pkm_cli PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  endif()
  install(TARGETS pkm_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  if(TARGET pkm_mpi)
    if(BUILD_SHARED_LIBS)
      set_target_properties(pkm_mpi PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
    endif()
    install(TARGETS pkm_mpi RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
endif()

configure_package_config_file(cmake/pkm-config.cmake.in ${PROJECT_BINARY_DIR}/pkm-config.cmake
                              INSTALL_DESTINATION ${PKM_CMAKE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/pkm-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/pkm-config.cmake ${PROJECT_BINARY_DIR}/pkm-config-version.cmake
        DESTINATION ${PKM_CMAKE_DIR})
# The prefix in pkm.pc is relative to the file, so that an installed tree can be moved.
file(RELATIVE_PATH PKM_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/pkm.pc.in ${PROJECT_BINARY_DIR}/pkm.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/pkm.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(DIRECTORY include/pkm DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
foreach(folder robots schema studies)
  if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/${folder})
    install(DIRECTORY ${folder} DESTINATION ${CMAKE_INSTALL_DATADIR}/pkm)
  endif()
endforeach()
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
