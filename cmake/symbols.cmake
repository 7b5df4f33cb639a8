# The shared libraries export the functions of cmake/symbols.txt: `both` are in pkm-core and pkm, `pkm` in pkm only.
# The list is the ABI: it grows, and what leaves it or changes its meaning needs another PKM_ABI. The test
# house.symbols compares it with the public headers and with the libraries.
set(PKM_ABI 1)

# Link `name` so that it exports its part of the list.
function(pkm_export_symbols name)
  if(NOT BUILD_SHARED_LIBS)
    return()
  endif()
  file(STRINGS ${PROJECT_SOURCE_DIR}/cmake/symbols.txt lines)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/symbols.txt)
  if(name STREQUAL pkm-core)
    list(FILTER lines INCLUDE REGEX "^both ")
  endif()
  list(TRANSFORM lines REPLACE "^[a-z]+ " "    ")
  string(JOIN ";\n" symbols ${lines})
  set(script ${PROJECT_BINARY_DIR}/${name}.map)
  file(CONFIGURE OUTPUT ${script} CONTENT "PKM_${PKM_ABI} {\n  global:\n${symbols};\n  local:\n    *;\n};\n")
  target_link_options(${name} PRIVATE LINKER:--version-script=${script},-Bsymbolic-functions)
  set_target_properties(${name} PROPERTIES LINK_DEPENDS ${script} VERSION ${PKM_ABI}.${PROJECT_VERSION}
                                           SOVERSION ${PKM_ABI})
endfunction()
