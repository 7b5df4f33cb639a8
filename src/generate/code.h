/// A robot as C99 source for controllers: straight-line code without allocation, recursion or calls
/// beyond libm, of the closed form where the robot has one, else made from the mechanism
/// (docs/guide/real-time.md).
#ifndef PKM_GENERATE_CODE_H
#define PKM_GENERATE_CODE_H

#include "generate/graph.h"
#include "pkm/robot.h"
#include "pkm/table.h"

enum {
    PKM_CODE_IK = 1,      ///< drives from the tool's pose
    PKM_CODE_FK = 2,      ///< the tool's pose from the drives
    PKM_CODE_INVERSE = 4, ///< drive forces from the motion of the tool, and from that of the drives
    PKM_CODE_FORWARD = 8, ///< accelerations of the drives from their forces
    PKM_CODE_JACOBIAN = 16, ///< tool twist per drive rate
    PKM_CODE_ALL = 31,
};

typedef struct pkm_code_settings {
    unsigned what;
    int passes;     ///< of Newton's method, at most
    bool general;   ///< from the mechanism, also where there is a closed form
    bool latex;     ///< PREFIX.tex too: the derivation
    bool sfunction; ///< PREFIX_torque.c and PREFIX_plant.c too: blocks for Simulink
} pkm_code_settings;

enum { PKM_CODE_MAX_FUNCTION = 8 };

/// What one call of a function costs, at most.
typedef struct pkm_code_cost {
    const char* function;
    pkm_graph_count pass; ///< of one pass of Newton's method
    pkm_graph_count once; ///< beside the passes
    bool iterates;
} pkm_code_cost;

typedef struct pkm_code_report {
    char prefix[64];    ///< of all names, from the robot's name
    const char* family; ///< of the closed form; NULL: the code is made from the mechanism
    int n_function;
    pkm_code_cost function[PKM_CODE_MAX_FUNCTION];
    int passes;   ///< of Newton's method in one call, at most
    int n_vector; ///< instants in the test file
} pkm_code_report;

typedef struct pkm_code pkm_code;

/// Prepare the code of a robot, which stays where it is.
/// @return PKM_ERR_MODEL for robots that drives or tool do not determine, with idle freedoms that
///         move, or with a closed form that differs from the bodies; PKM_ERR_SINGULAR when home is
///         singular; PKM_ERR_FILE, PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_code_create(pkm_robot* robot, const pkm_code_settings* settings,
                                         pkm_code** out, pkm_error* err);
void pkm_code_free(pkm_code* code);

/// Write PREFIX.h, PREFIX.c and PREFIX_test.c, which compares the code with results of the engine,
/// to `folder`. @return PKM_ERR_SINGULAR, PKM_ERR_FILE, PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_code_write(pkm_code* code, const char* folder, pkm_code_report* report,
                                        pkm_error* err);

/// The same code, computed here instead of printed: drive forces at the instants of `rows` (t, and
/// per drive .q .v .a, as pkm_inverse_run writes them) under a wrench on the tool; `general` as in
/// pkm_code_settings. `table`, without columns on entry, gets t and .force of every drive.
/// @return as pkm_code_create; PKM_ERR_SINGULAR with the time when Newton's method does not follow.
PKM_NODISCARD pkm_status pkm_code_forces(pkm_robot* robot, const pkm_table* rows, bool general,
                                         pkm_vec3 force, pkm_vec3 torque, pkm_table* table,
                                         pkm_error* err);

#endif
