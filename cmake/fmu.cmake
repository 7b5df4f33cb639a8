# The library that goes into every FMU (docs/guide/fmu.md): the engine with its own dense algebra and SUNDIALS within
# itself, without YAML, files and HDF5. It needs libc and libm only. Its objects are those of the engine, so it is
# linked, not compiled; the program carries it as bytes.
set(PKM_FMU_LIBRARIES)
if(CMAKE_SYSTEM_NAME STREQUAL Linux AND CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64 AND NOT PKM_SANITIZE AND NOT PKM_FUZZ)
  set(PKM_FMU_SUNDIALS)
  foreach(name ${PKM_SUNDIALS_NAMES} sundials_generic)
    find_library(PKM_STATIC_${name} lib${name}.a)
    mark_as_advanced(PKM_STATIC_${name})
    if(PKM_STATIC_${name})
      list(APPEND PKM_FMU_SUNDIALS ${PKM_STATIC_${name}})
    else()
      message(STATUS "FMUs: lib${name}.a is missing, pkm export fmu is left out")
      set(PKM_FMU_INCOMPLETE TRUE)
    endif()
  endforeach()
  if(NOT PKM_FMU_INCOMPLETE)
    # What the engine asks of the world is answered by fmu/inside.c.
    set(PKM_FMU_WITHOUT "/(math/lapack_(system|plain)|model/(yaml|source|source_notes|h5|h5_read)|base/isolate)\\.c")
    add_library(pkm_fmu_engine STATIC $<FILTER:$<TARGET_OBJECTS:pkm_core_objects>,EXCLUDE,${PKM_FMU_WITHOUT}>)
    set_target_properties(pkm_fmu_engine PROPERTIES LINKER_LANGUAGE C)
    file(GLOB PKM_FMU_SOURCES CONFIGURE_DEPENDS fmu/*.c)
    add_library(pkm_fmu MODULE ${PKM_FMU_SOURCES} src/export/seed.c src/write/number.c src/math/lapack_plain.c)
    set_target_properties(pkm_fmu PROPERTIES PREFIX "" C_VISIBILITY_PRESET hidden
                          LINK_DEPENDS ${PROJECT_SOURCE_DIR}/fmu/exports.map)
    target_include_directories(pkm_fmu PRIVATE ${PROJECT_SOURCE_DIR} include src)
    target_link_libraries(pkm_fmu PRIVATE pkm_options pkm_fmu_engine ${PKM_FMU_SUNDIALS} m)
    target_link_options(pkm_fmu PRIVATE LINKER:--version-script=${PROJECT_SOURCE_DIR}/fmu/exports.map
                        LINKER:-Bsymbolic,--no-undefined,--gc-sections,-s)
    set(PKM_FMU_LIBRARIES linux64)
    set(PKM_FMU_FILE_linux64 ${PROJECT_BINARY_DIR}/pkm_fmu.so)
    set(PKM_FMU_TARGET_linux64 pkm_fmu)
    set(PKM_FMU_WORDS_linux64 "{\"linux64\", \"x86_64-linux\"}, \".so\"")
  endif()
endif()

# The one for Windows, where tools/windows.sh has made it.
set(PKM_FMU_FILE_win64 ${PROJECT_SOURCE_DIR}/build/windows/pkm_fmu.dll)
file(GLOB windows CONFIGURE_DEPENDS ${PKM_FMU_FILE_win64})
if(windows AND PKM_FMU_LIBRARIES)
  list(APPEND PKM_FMU_LIBRARIES win64)
  set(PKM_FMU_WORDS_win64 "{\"win64\", \"x86_64-windows\"}, \".dll\"")
endif()

# The bytes of the libraries and of the licences of what is inside, and the lists of them in C.
enable_language(ASM)
# Put the file FILE into the program as pkm_fmu_NAME; it is made by the target behind it, if any.
function(pkm_carry SYMBOL FILE)
  set(source ${PROJECT_BINARY_DIR}/${SYMBOL}.S)
  configure_file(${PROJECT_SOURCE_DIR}/fmu/library.S.in ${source} @ONLY)
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS ${FILE})
  target_sources(pkm_more_objects PRIVATE ${source})
  if(ARGN)
    add_dependencies(pkm_more_objects ${ARGN})
  endif()
endfunction()

set(PKM_FMU_DECLARED "")
set(libraries "")
set(n_library 0)
foreach(platform ${PKM_FMU_LIBRARIES})
  set(symbol pkm_fmu_${platform})
  pkm_carry(${symbol} ${PKM_FMU_FILE_${platform}} ${PKM_FMU_TARGET_${platform}})
  string(APPEND PKM_FMU_DECLARED "extern const unsigned char ${symbol}[], ${symbol}_end[];\n")
  string(APPEND libraries "    {${PKM_FMU_WORDS_${platform}}, ${symbol}, ${symbol}_end},\n")
  math(EXPR n_library "${n_library} + 1")
endforeach()

set(licences "")
set(n_licence 0)
set(PKM_LICENCE_pkm ${PROJECT_SOURCE_DIR}/LICENSE)
set(PKM_LICENCE_sundials /usr/share/doc/libsundials-dev/copyright)
foreach(name pkm sundials)
  if(EXISTS ${PKM_LICENCE_${name}})
    set(symbol pkm_fmu_licence_${name})
    pkm_carry(${symbol} ${PKM_LICENCE_${name}})
    string(APPEND PKM_FMU_DECLARED "extern const unsigned char ${symbol}[], ${symbol}_end[];\n")
    string(APPEND licences "    {\"documentation/licenses/${name}.txt\", ${symbol}, ${symbol}_end},\n")
    math(EXPR n_licence "${n_licence} + 1")
  endif()
endforeach()

# Sources for `pkm export fmu --sources`: two archives, of the engine and of SUNDIALS, where its sources are at hand.
set(sources "")
set(n_sources 0)
# Put FILES below FOLDER into the program as the archive SYMBOL.
function(pkm_carry_sources SYMBOL FOLDER)
  set(names)
  foreach(file ${ARGN})
    file(RELATIVE_PATH name ${FOLDER} ${file})
    list(APPEND names ${name})
  endforeach()
  list(SORT names)
  list(JOIN names "\n" lines)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${SYMBOL}.txt CONTENT "${lines}\n")
  set(archive ${PROJECT_BINARY_DIR}/${SYMBOL}.tar)
  add_custom_command(OUTPUT ${archive}
    COMMAND ${CMAKE_COMMAND} -E tar cf ${archive} --format=gnutar --files-from=${PROJECT_BINARY_DIR}/${SYMBOL}.txt
    WORKING_DIRECTORY ${FOLDER} DEPENDS ${ARGN} ${PROJECT_BINARY_DIR}/${SYMBOL}.txt VERBATIM)
  pkm_carry(${SYMBOL} ${archive})
endfunction()
set(SOURCES ${PROJECT_SOURCE_DIR}/build/sources)
file(GLOB has_sundials CONFIGURE_DEPENDS ${SOURCES}/.done)
if(has_sundials AND PKM_FMU_LIBRARIES)
  include(cmake/sundials_files.cmake)
  set(ROOT ${PROJECT_SOURCE_DIR})
  include(cmake/fmu_files.cmake)
  file(GLOB config CONFIGURE_DEPENDS cmake/sundials/*.h)
  file(GLOB_RECURSE headers ${SOURCES}/sundials/include/sundials/*.h ${SOURCES}/sundials/src/sundials/*.h ${SOURCES}/sundials/*/ida/*.h
       ${SOURCES}/sundials/*/cvode/*.h)
  file(GLOB more ${SOURCES}/sundials/include/nvector/nvector_serial.h ${SOURCES}/sundials/include/sunmatrix/*.h
       ${SOURCES}/sundials/include/sunlinsol/*.h ${SOURCES}/sundials/include/sunnonlinsol/*.h)
  pkm_carry_sources(pkm_fmu_sources_engine ${PROJECT_SOURCE_DIR} ${FMU_FILES} ${config})
  pkm_carry_sources(pkm_fmu_sources_sundials ${SOURCES}/sundials ${SUNDIALS_SOURCES} ${headers} ${more})
  foreach(name engine sundials)
    set(symbol pkm_fmu_sources_${name})
    string(COMPARE EQUAL ${name} engine is_engine)
    string(APPEND PKM_FMU_DECLARED "extern const unsigned char ${symbol}[], ${symbol}_end[];\n")
    string(APPEND sources "    {${symbol}, ${symbol}_end, ${is_engine}},\n")
    math(EXPR n_sources "${n_sources} + 1")
  endforeach()
endif()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/fmu_library.c CONTENT "#include \"verb/fmu_library.h\"

${PKM_FMU_DECLARED}
const int pkm_verb_n_fmu_library = ${n_library};
const pkm_fmu_library pkm_verb_fmu_library[] = {
${libraries}    {{NULL, NULL}, NULL, NULL, NULL},
};
const int pkm_verb_n_fmu_licence = ${n_licence};
const pkm_fmu_text pkm_verb_fmu_licence[] = {
${licences}    {NULL, NULL, NULL},
};
const int pkm_verb_n_fmu_sources = ${n_sources};
const pkm_archive pkm_verb_fmu_sources[] = {
${sources}    {NULL, NULL, 0},
};
")
target_sources(pkm_more_objects PRIVATE ${PROJECT_BINARY_DIR}/fmu_library.c)
