/// The scalar equations: residuals, wrenches, Jacobian entries and acceleration bias of the rows.
#ifndef PKM_DYNAMICS_ROWS_H
#define PKM_DYNAMICS_ROWS_H

#include "dynamics/state.h"

/// What the prescribed rows want at one instant.
typedef struct pkm_target {
    double q[PKM_MAX_DRIVE], v[PKM_MAX_DRIVE], a[PKM_MAX_DRIVE]; ///< drives
    pkm_frame_motion tool;
} pkm_target;

/// Residuals, wrenches and Jacobian entries of the closures; needs the positions.
void pkm_rows_closures(pkm_state* state);
/// The same for all rows of one system beside the closures.
void pkm_rows_prescribed(pkm_state* state, pkm_given given, const pkm_target* target);
/// The same for `n` rows; those of closures are passed over.
void pkm_rows_some(pkm_state* state, const int* row, int n, const pkm_target* target);
/// Wrenches and entries of the drive rows (their residuals are against 0).
void pkm_rows_drives(pkm_state* state);
/// The same for the six tool rows, the drive rows and the spin rows, whatever is given.
void pkm_rows_all(pkm_state* state, const pkm_target* target);
/// c'' at the present A of the bodies, of all closures and the rows of `given`; with the bodies' A
/// computed without accelerations this is the bias.
void pkm_rows_bias(pkm_state* state, pkm_given given);

/// Rate and acceleration of drive `d`, from the present motion of the bodies.
void pkm_drive_rates(const pkm_state* state, int d, double* v, double* a);

/// Words for a row: "Dc: turn about x of 4".
void pkm_row_name(const pkm_mechanism* mech, int row, char* out, size_t size);

#endif
