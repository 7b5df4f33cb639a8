/// The variables of an FMU, as data: modelDescription.xml of both versions is written from them.
#ifndef PKM_EXPORT_FMU_VARIABLES_H
#define PKM_EXPORT_FMU_VARIABLES_H

#include "export/fmu.h"
#include "export/seed.h"

typedef enum pkm_fmu_role {
    PKM_FMU_TIME,
    PKM_FMU_PARAMETER, ///< fixed, settable before initialisation
    PKM_FMU_DERIVED,   ///< a parameter that follows from others
    PKM_FMU_INPUT,
    PKM_FMU_OUTPUT,
    PKM_FMU_COUNT, ///< an output that is a whole number
    PKM_FMU_STATE,
    PKM_FMU_RATE,
    PKM_FMU_INDICATOR,
} pkm_fmu_role;

typedef struct pkm_fmu_variable {
    char name[160];
    pkm_fmu_role role;
    unsigned reference;
    char unit[64];  ///< SI; "": none
    double start;   ///< of parameters and inputs
    double nominal; ///< of states
    int of;         ///< of a rate: the variable whose rate it is
    bool feeds;     ///< an output that inputs change at once
    char text[160]; ///< what it is
} pkm_fmu_variable;

typedef struct pkm_fmu_variables {
    pkm_fmu_variable* item;
    int n;
    unsigned references; ///< bit d: of drive d, whose controller has no motion
    bool has_end;        ///< the run ends by itself
    double end;          ///< [s]
    double wrench[6];    ///< on the tool at the start
    int n_column, n_signal;
} pkm_fmu_variables;

/// List them; `out` is freed with pkm_fmu_variables_free whatever the status.
PKM_NODISCARD pkm_status pkm_fmu_list_variables(const pkm_fmu_spec* spec, pkm_fmu_variables* out,
                                                pkm_error* err);
void pkm_fmu_variables_free(pkm_fmu_variables* variables);

/// How many have the role.
int pkm_fmu_count(const pkm_fmu_variables* variables, pkm_fmu_role role);

/// modelDescription.xml of the version that the spec asks for, with the files of `sources` that are
/// compiled; freed with pkm_free, NULL: memory.
char* pkm_fmu_describe(const pkm_fmu_spec* spec, const pkm_fmu_variables* variables,
                       const pkm_bundle* sources, const char* name, const char* token);

#endif
