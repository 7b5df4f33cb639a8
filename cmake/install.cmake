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
foreach(folder robots motors schema studies)
  if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/${folder})
    install(DIRECTORY ${folder} DESTINATION ${CMAKE_INSTALL_DATADIR}/pkm)
  endif()
endforeach()
# The manual page and what shells complete are said by the program itself.
if(TARGET pkm_cli AND NOT CMAKE_CROSSCOMPILING)
  set(PKM_SAID ${PROJECT_BINARY_DIR}/generated/said)
  set(PKM_SAID_FILES)
  foreach(kind man bash zsh fish)
    add_custom_command(OUTPUT ${PKM_SAID}/${kind} COMMAND ${CMAKE_COMMAND} -E make_directory ${PKM_SAID}
                       COMMAND pkm_cli completion ${kind} > ${PKM_SAID}/${kind} DEPENDS pkm_cli)
    list(APPEND PKM_SAID_FILES ${PKM_SAID}/${kind})
  endforeach()
  add_custom_target(pkm_said ALL DEPENDS ${PKM_SAID_FILES})
  install(FILES ${PKM_SAID}/man RENAME pkm.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${PKM_SAID}/bash RENAME pkm DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${PKM_SAID}/zsh RENAME _pkm DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${PKM_SAID}/fish RENAME pkm.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
