# The parts of SUNDIALS that libpkm uses: IDA and CVODE with dense matrices. Debian has no pkg-config files for
# it, and its CMake package asks for MPI and all optional solvers, so the libraries are found by name.
find_path(PKM_SUNDIALS_INCLUDE_DIR ida/ida.h REQUIRED)
mark_as_advanced(PKM_SUNDIALS_INCLUDE_DIR)
set(PKM_SUNDIALS_NAMES sundials_ida sundials_cvode sundials_nvecserial sundials_sunmatrixdense
    sundials_sunlinsoldense sundials_sunnonlinsolnewton)
set(PKM_SUNDIALS_LIBRARIES)
set(PKM_SUNDIALS_FLAGS)
foreach(name ${PKM_SUNDIALS_NAMES})
  find_library(PKM_${name} ${name} REQUIRED)
  mark_as_advanced(PKM_${name})
  list(APPEND PKM_SUNDIALS_LIBRARIES ${PKM_${name}})
  string(APPEND PKM_SUNDIALS_FLAGS " -l${name}")
endforeach()
