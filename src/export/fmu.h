/// FMUs: a robot and its run as one file for programs that know the Functional Mock-up Interface,
/// version 2.0 or 3.0 (docs/guide/fmu.md).
#ifndef PKM_EXPORT_FMU_H
#define PKM_EXPORT_FMU_H

#include "export/bundle.h"
#include "run/run.h"

/// The library that goes into every FMU, for one platform: its description is empty (seed.h).
typedef struct pkm_fmu_library {
    const char* folder[2]; ///< in binaries/, of FMI 2.0 and 3.0: "linux64", "x86_64-linux"
    const char* suffix;    ///< ".so"
    const unsigned char *bytes, *end;
} pkm_fmu_library;

/// A text that goes along.
typedef struct pkm_fmu_text {
    const char* name; ///< in the archive
    const unsigned char *bytes, *end;
} pkm_fmu_text;

typedef struct pkm_fmu_spec {
    pkm_robot* robot;
    const pkm_run* run;
    int version;          ///< 2 or 3
    bool steps, exchange; ///< co-simulation, model exchange
    const pkm_fmu_library* library;
    int n_library;
    const pkm_fmu_text* text;
    int n_text;
    const pkm_archive* sources; ///< of the engine, to go along; NULL: binaries only
    int n_sources;
    const char* path;
} pkm_fmu_spec;

/// What it has become.
typedef struct pkm_fmu_report {
    char name[64]; ///< of the model inside
    int n_parameter, n_input, n_output, n_state;
    int n_source; ///< files of the engine that can be compiled
    size_t seed;  ///< bytes of the description
    double end;   ///< default of the experiment [s]
} pkm_fmu_report;

/// Write the FMU. The run is begun once, so that what cannot be simulated is refused here.
/// @return PKM_ERR_ARGUMENT for what an FMU cannot carry; PKM_ERR_FILE; what beginning a simulation
///         returns.
PKM_NODISCARD pkm_status pkm_fmu_write(const pkm_fmu_spec* spec, pkm_fmu_report* report,
                                       pkm_error* err);

#endif
