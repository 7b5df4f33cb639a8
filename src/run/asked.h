/// What single analyses are told beside the choices of a run file: the keys of pkm_run_choose.
#ifndef PKM_RUN_ASKED_H
#define PKM_RUN_ASKED_H

#include "pkm/workspace.h"

/// Analyses by bits, as their keys are listed.
typedef enum pkm_task_kind {
    PKM_TASK_INVERSE = 1,
    PKM_TASK_SIMULATE = 2,
    PKM_TASK_MODES = 4,
    PKM_TASK_STIFFNESS = 8,
    PKM_TASK_ELASTODYNAMICS = 16,
    PKM_TASK_ENVELOPE = 32,
    PKM_TASK_WORKSPACE = 64,
    PKM_TASK_STUDY = 128, ///< has a file of its own, no run
} pkm_task_kind;

/// Their names, by the list of analyses (run/takes.c): "inverse"; NULL for others.
const char* pkm_task_name(pkm_task_kind kind);
/// The kind called `name`; 0: none is.
pkm_task_kind pkm_task_find(const char* name);

/// Zeroed: nothing was said.
typedef struct pkm_asked {
    unsigned given; ///< bits of keys, in the order of the table in asked.c
    pkm_method method;
    bool has_method;
    bool verify, weight, stiffening, periodic, volume;
    bool uncoupled; ///< `coupling: false`
    bool has_at, has_rpy, has_orientation, has_grid;
    double at[6];          ///< position [m] and, with has_rpy, roll, pitch, yaw [rad]
    double orientation[3]; ///< roll, pitch, yaw [rad]
    int n_mode, n_repeat, n_point, branch; ///< 0: not said
    double step;                           ///< [s]; 0: not said
    int slice;                             ///< 1 x, 2 y, 3 z; 0: none
    double slice_at;                       ///< [m]
    pkm_workspace_grid grid;
} pkm_asked;

/// PKM_OK when all that was said is for the analysis; else PKM_ERR_ARGUMENT naming the key and the
/// analyses it is for.
PKM_NODISCARD pkm_status pkm_asked_require(const pkm_asked* asked, pkm_task_kind kind,
                                           pkm_error* err);

#endif
