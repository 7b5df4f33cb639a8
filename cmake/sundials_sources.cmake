# SUNDIALS from its sources in ${SOURCES}, for targets that Debian has no library for: the library `sundials`.
include(${CMAKE_CURRENT_LIST_DIR}/sundials_files.cmake)
add_library(sundials STATIC ${SUNDIALS_SOURCES})
target_include_directories(sundials PUBLIC ${CMAKE_CURRENT_LIST_DIR} ${SOURCES}/sundials/include
                           PRIVATE ${S}/sundials ${S})
target_compile_options(sundials PRIVATE -w)
