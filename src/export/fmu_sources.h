/// FMUs as source code: what is written for one robot beside the files of the engine.
#ifndef PKM_EXPORT_FMU_SOURCES_H
#define PKM_EXPORT_FMU_SOURCES_H

#include "export/bundle.h"

/// What stands before every file of the engine, below sources/.
#define PKM_FMU_CONFIG "fmu/config.h"
/// The description as C, below sources/.
#define PKM_FMU_SEED "fmu/seed_data.c"

/// Add sources/: the files of `bundle`, the description `seed` with `used` bytes, names of
/// functions that begin with that of the model; in version 3 buildDescription.xml.
PKM_NODISCARD pkm_status pkm_fmu_add_sources(const pkm_bundle* bundle, int version,
                                             const char* model, const char* seed, size_t used,
                                             pkm_zip* zip, pkm_error* err);

#endif
