/// The libraries for FMUs that the program carries within itself (cmake/fmu.cmake), and texts that
/// go along with them.
#ifndef PKM_VERB_FMU_LIBRARY_H
#define PKM_VERB_FMU_LIBRARY_H

#include "export/fmu.h"

/// Those that were built; 0: none.
extern const pkm_fmu_library pkm_verb_fmu_library[];
extern const int pkm_verb_n_fmu_library;
extern const pkm_fmu_text pkm_verb_fmu_licence[];
extern const int pkm_verb_n_fmu_licence;
/// Sources of the engine and of SUNDIALS; 0: the latter were not at hand (tools/sources.sh).
extern const pkm_archive pkm_verb_fmu_sources[];
extern const int pkm_verb_n_fmu_sources;

#endif
