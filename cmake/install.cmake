# What `make install` puts into the prefix, and how other programs find it:
# pkg-config (pkm, pkm-core) and CMake (find_package(pkm), targets pkm::pkm and pkm::pkm-core).
include(CMakePackageConfigHelpers)

set(PKM_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/pkm)
set(PKM_CORE_MODULES "libfyaml")
if(PKM_LAPACK)
  string(APPEND PKM_CORE_MODULES " openblas")
endif()
install(TARGETS pkm-core pkm EXPORT pkm-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT pkm-targets NAMESPACE pkm:: DESTINATION ${PKM_CMAKE_DIR})
foreach(name pkm_cli pkm_mpi)
  if(TARGET ${name})
    install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
endforeach()

configure_package_config_file(cmake/pkm-config.cmake.in ${PROJECT_BINARY_DIR}/pkm-config.cmake
                              INSTALL_DESTINATION ${PKM_CMAKE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/pkm-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/pkm-config.cmake ${PROJECT_BINARY_DIR}/pkm-config-version.cmake
        DESTINATION ${PKM_CMAKE_DIR})
# The prefix in the .pc files is relative to the file, so that an installed tree can be moved.
file(RELATIVE_PATH PKM_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
# A static library needs its own libraries at every link.
foreach(name pkm-core pkm)
  set(PKM_PC_MODULES ${PKM_CORE_MODULES})
  if(name STREQUAL pkm)
    string(APPEND PKM_PC_MODULES " sqlite3")
  endif()
  set(PKM_PC_NAME ${name})
  set(PKM_PC_REQUIRES "Requires: ${PKM_PC_MODULES}")
  set(PKM_PC_LIBS "${PKM_SUNDIALS_FLAGS} -lm")
  if(BUILD_SHARED_LIBS)
    set(PKM_PC_REQUIRES "Requires.private: ${PKM_PC_MODULES}")
    set(PKM_PC_LIBS "")
  endif()
  configure_file(cmake/pkm.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

install(DIRECTORY include/pkm DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
foreach(folder robots schema studies)
  if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/${folder})
    install(DIRECTORY ${folder} DESTINATION ${CMAKE_INSTALL_DATADIR}/pkm)
  endif()
endforeach()
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
