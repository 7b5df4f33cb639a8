/// Natural frequencies and modes of a robot with flexible links at a pose.
#ifndef PKM_LINEAR_MODES_H
#define PKM_LINEAR_MODES_H

#include "linear/elastic.h"

/// Results, in memory for `n_max` modes. Shares are parts of the strain or kinetic energy of a
/// mode.
typedef struct pkm_modes {
    int n_max, n_all, n_part;
    int n_mode;               ///< found: as many as asked, or as there are
    double* omega;            ///< [n_mode] rising [rad/s]; 0: a motion without stiffness
    double* shape;            ///< n_all per mode: all coordinates, x'Mx = 1
    double* strain;           ///< [3 n_part] per mode: axial, bending, torsion of each body
    double* kinetic;          ///< [n_part] per mode
    double *drives, *springs; ///< [n_mode] shares of the strain energy
    double* prestress;        ///< [n_mode] work of the static forces over the strain energy
    int n_damped;
    double* damped; ///< [n_damped] damped frequencies [rad/s], rising
    double* ratio;  ///< [n_damped] damping ratios
    struct pkm_modes_work* work;
} pkm_modes;

/// Room for up to `n_mode` modes of `elastic`. @return PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_modes_create(const pkm_elastic* elastic, int n_mode, pkm_modes** out);
void pkm_modes_free(pkm_modes* modes);

/// The lowest modes where `elastic` is placed, energies and, with damping, damped frequencies.
/// Allocates nothing.
/// @return PKM_ERR_SINGULAR when static forces buckle the robot; PKM_ERR_MODEL for a coordinate
/// with
///         neither mass nor stiffness; PKM_ERR_CONVERGENCE.
PKM_NODISCARD pkm_status pkm_modes_solve(pkm_elastic* elastic, pkm_modes* modes, pkm_error* err);

/// The frequencies alone, quicker: omega[n_mode], n_mode <= n_max; how many there are.
PKM_NODISCARD pkm_status pkm_modes_frequencies(pkm_elastic* elastic, pkm_modes* modes,
                                               pkm_error* err);

/// How many frequencies are found where nobody says.
enum { PKM_MODES_WANTED = 10 };

/// Both steps at the present configuration of `robot`.
PKM_NODISCARD pkm_status pkm_modes_at(const pkm_robot* robot, const pkm_elastic_settings* settings,
                                      int n_mode, pkm_elastic** elastic, pkm_modes** modes,
                                      pkm_error* err);

// ---- frequency response -----------------------------------------------------------------------

/// What shakes, and what is watched: a drive's force, or a force or torque on the tool; the tool's
/// displacement or rotation. Directions 0..5 for x y z rx ry rz.
typedef struct pkm_shaker {
    int drive;     ///< PKM_NONE: the tool
    int direction; ///< of the force on the tool
} pkm_shaker;

enum { PKM_RESPONSE_MODES = 64 };

/// A response prepared: modes as seen by shaker and tool.
typedef struct pkm_response {
    int n;                              ///< modes
    double force[PKM_RESPONSE_MODES];   ///< of the shaker on each mode
    double tool[PKM_RESPONSE_MODES][6]; ///< motion of the tool in each mode
    double rest[6];                     ///< what all other modes yield, statically
} pkm_response;

/// Prepare the response to `shaker`; call pkm_modes_solve first. Allocates nothing.
/// @return PKM_ERR_ARGUMENT for a locked drive or a robot without tool.
PKM_NODISCARD pkm_status pkm_response_begin(pkm_elastic* elastic, const pkm_modes* modes,
                                            pkm_shaker shaker, pkm_response* out, pkm_error* err);

/// Displacement and rotation of the tool per unit of the shaker at `omega` [rad/s]: six complex
/// numbers, real and imaginary parts [m, rad per N or N m].
/// @return PKM_ERR_SINGULAR at an undamped resonance.
PKM_NODISCARD pkm_status pkm_response_at(const pkm_modes* modes, const pkm_response* response,
                                         double omega, double out[12], pkm_error* err);

#endif
