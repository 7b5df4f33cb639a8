# SUNDIALS from its sources in ${SOURCES}, for targets that Debian has no library for: the library `sundials`.
# ---- SUNDIALS: CVODE and IDA with dense and band matrices, serial
set(S ${SOURCES}/sundials/src)
set(SUNDIALS_SOURCES)
foreach(name cvode cvode_io cvode_ls cvode_nls cvode_proj cvode_direct cvode_fused_stubs)
  list(APPEND SUNDIALS_SOURCES ${S}/cvode/${name}.c)
endforeach()
foreach(name ida ida_ic ida_io ida_ls ida_nls ida_direct)
  list(APPEND SUNDIALS_SOURCES ${S}/ida/${name}.c)
endforeach()
foreach(name band context dense direct iterative linearsolver logger math matrix memory
             nonlinearsolver nvector nvector_senswrapper profiler version)
  list(APPEND SUNDIALS_SOURCES ${S}/sundials/sundials_${name}.c)
endforeach()
list(APPEND SUNDIALS_SOURCES ${S}/nvector/serial/nvector_serial.c ${S}/sunmatrix/dense/sunmatrix_dense.c
     ${S}/sunmatrix/band/sunmatrix_band.c ${S}/sunlinsol/dense/sunlinsol_dense.c
     ${S}/sunlinsol/band/sunlinsol_band.c ${S}/sunnonlinsol/newton/sunnonlinsol_newton.c)
file(WRITE ${CMAKE_BINARY_DIR}/sundials/sundials/sundials_config.h "#include \"sundials/sundials_export.h\"
#define SUNDIALS_VERSION \"6.4.1\"
#define SUNDIALS_VERSION_MAJOR 6
#define SUNDIALS_VERSION_MINOR 4
#define SUNDIALS_VERSION_PATCH 1
#define SUNDIALS_VERSION_LABEL \"\"
#define SUNDIALS_DOUBLE_PRECISION 1
#define SUNDIALS_INT64_T 1
#define SUNDIALS_INDEX_TYPE int64_t
#define SUNDIALS_C_COMPILER_HAS_MATH_PRECISIONS
#define SUNDIALS_CVODE
#define SUNDIALS_IDA
#define SUNDIALS_LOGGING_LEVEL 0
#define SUNDIALS_MPI_ENABLED 0
#define SUNDIALS_MAX_SPRINTF_SIZE 4096
#define SUNDIALS_HAVE_POSIX_TIMERS
#define SUNDIALS_GIT_VERSION \"\"
#define SUN_RCONST(x) x
")
file(WRITE ${CMAKE_BINARY_DIR}/sundials/sundials/sundials_export.h "#ifndef SUNDIALS_EXPORT
#define SUNDIALS_EXPORT
#define SUNDIALS_NO_EXPORT
#define SUNDIALS_DEPRECATED_EXPORT
#define SUNDIALS_DEPRECATED_EXPORT_MSG(msg)
#define SUNDIALS_STATIC_DEFINE
#endif
")
add_library(sundials STATIC ${SUNDIALS_SOURCES})
target_include_directories(sundials PUBLIC ${CMAKE_BINARY_DIR}/sundials ${SOURCES}/sundials/include
                           PRIVATE ${S}/sundials ${S})
target_compile_options(sundials PRIVATE -w)
