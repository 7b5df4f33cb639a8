# The files of SUNDIALS in ${SOURCES} that pkm needs, SUNDIALS_SOURCES: CVODE and IDA with dense and band matrices, serial.
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
