# The files below ${ROOT} that an FMU is compiled from where the engine is not at hand as objects (Windows, `pkm export fmu
# --sources`), FMU_FILES with headers: the interface and the layers of the engine that a simulation needs. What the engine
# asks of the world is answered by fmu/inside.c.
file(GLOB FMU_FILES CONFIGURE_DEPENDS ${ROOT}/fmu/*.[ch] ${ROOT}/include/pkm/*.h ${ROOT}/src/api/simulation.c
     ${ROOT}/src/export/seed.[ch] ${ROOT}/src/write/number.[ch])
foreach(folder base math table motion solver beam model closed mechanism force flexible dynamics robot run clearance simulate)
  file(GLOB files CONFIGURE_DEPENDS ${ROOT}/src/${folder}/*.[ch])
  list(APPEND FMU_FILES ${files})
endforeach()
list(FILTER FMU_FILES EXCLUDE REGEX "/(math/lapack_system|model/(yaml|source|source_notes|h5|h5_read)|base/isolate)\\.c$")
