/// Closed forms: one family of robots per file, all behind the same few functions.
///
/// A family knows its geometry (all branches), its Jacobian and its rate, and its inverse dynamics,
/// written out by hand. It is fast, and it is the oracle of the general engine.
#ifndef PKM_CLOSED_CLOSED_H
#define PKM_CLOSED_CLOSED_H

#include "pkm/kinematics.h"

enum { PKM_CLOSED_MAX_PARAMETER = 40 };

/// One parameter of a family, in SI units.
typedef struct pkm_closed_parameter {
    const char* name; ///< the key under `closed_form:`
    const char* unit; ///< "m", "kg", "kg m2", "rad", "1" ...
    const char* text; ///< what it is, one line
    bool required;
    double fallback; ///< when not required and not given
} pkm_closed_parameter;

typedef struct pkm_closed pkm_closed;

/// Everything about a family. Functions read `self` only and allocate nothing.
typedef struct pkm_closed_family {
    const char* name; ///< as written in the model file, for example "delta"
    const char* text; ///< one line for people
    int n_drive;
    /// Tool components that move freely, a subset of x y z rx ry rz as bits 0..5.
    unsigned moves;
    /// Bits of pkm_closed_config.branch that a motion keeps until it meets a singularity. With the
    /// pose, those of `tool_keeps` (working modes) tell the configuration. With the drive
    /// positions, those of `drives_keep` (assembly modes) tell it; where they are 0, several
    /// configurations remain and continuity decides (robot/closed_continuation.h).
    unsigned tool_keeps, drives_keep;
    int n_parameter;
    const pkm_closed_parameter* parameter;
    size_t size; ///< bytes of the family's own data

    /// Check the values (in the order of `parameter`) and prepare `self`.
    pkm_status (*prepare)(void* self, const double* value, pkm_error* err);
    /// All drive positions for a tool pose, at most `max`. Returns how many; 0: out of reach, and
    /// then `beyond` (may be NULL) receives by how much [m] a limb is too short.
    int (*inverse_geometry)(const void* self, const pkm_pose* pose, pkm_closed_config* out, int max,
                            double* beyond);
    /// All tool poses for drive positions, at most `max`. Returns how many.
    int (*direct_geometry)(const void* self, const double* q, pkm_closed_config* out, int max,
                           double* beyond);
    /// The matrices of the velocity equation  B t = A qd  (both n_drive x n_drive, column-major; t
    /// has the components of `moves` in the order x y z rx ry rz). The family fixes its scaling:
    /// rows are unit where they can be, so that det B = 0 is a parallel and det A = 0 a serial
    /// singularity.
    void (*velocity)(const void* self, const pkm_closed_config* config, double* B, double* A);
    /// The drive positions of the first solution of inverse_geometry with its matrices B and A:
    /// what maps ask at every point, without describing the branch. False: out of reach. NULL: by
    /// the two functions above.
    bool (*first)(const void* self, const pkm_pose* pose, double* q, double* B, double* A);
    /// For families whose platform keeps its orientation by closures alone: the matrix C (3 x 3,
    /// column-major, from B) with C w = 0 for its turns w. Where C loses rank the platform turns,
    /// whatever the drives do: a constraint singularity. NULL: the family has none.
    void (*turns)(const void* self, const double* B, double* C);
    /// Bias of the acceleration equation: B t' = A qdd + c, given qd and the tool twist.
    void (*bias)(const void* self, const pkm_closed_config* config, const double* qd,
                 const pkm_frame_motion* tool, double* c);
    /// Drive forces [N, N m] that make the motion. `tool` has pose, v, w, a, alpha; qd and qdd
    /// belong to it; `force` and `torque` act on the tool at its origin, in world axes (from
    /// outside).
    /// @return PKM_ERR_SINGULAR at a parallel singularity.
    pkm_status (*inverse_dynamics)(const void* self, const pkm_closed_config* config,
                                   const pkm_frame_motion* tool, const double* qd,
                                   const double* qdd, pkm_vec3 force, pkm_vec3 torque,
                                   double* drive_force);
    /// Kinetic plus potential energy [J] of the motion, for the power balance.
    double (*energy)(const void* self, const pkm_closed_config* config,
                     const pkm_frame_motion* tool, const double* qd);
} pkm_closed_family;

/// The families, in a fixed order; n_family of them.
const pkm_closed_family* const* pkm_closed_families(int* n_family);
/// The family called `name`, or NULL.
const pkm_closed_family* pkm_closed_find(const char* name);

/// Bind a family to its parameters. NaN in `value` means "not given". Errors name the parameter.
PKM_NODISCARD pkm_status pkm_closed_create(const pkm_closed_family* family, const double* value,
                                           pkm_closed** out, pkm_error* err);
void pkm_closed_free(pkm_closed* closed);
/// The vector of gravity from the parameters `gravity` (along z), `gravity_x`, `gravity_y`.
pkm_vec3 pkm_closed_gravity(const double value[3]);
const pkm_closed_family* pkm_closed_get_family(const pkm_closed* closed);
/// The family's own constants, which `prepare` made: a pkm_delta, pkm_slide_pairs, ...
const void* pkm_closed_get_self(const pkm_closed* closed);

int pkm_closed_inverse_geometry(const pkm_closed* closed, const pkm_pose* pose,
                                pkm_closed_config* out, int max, double* beyond);
int pkm_closed_direct_geometry(const pkm_closed* closed, const double* q, pkm_closed_config* out,
                               int max, double* beyond);
void pkm_closed_velocity(const pkm_closed* closed, const pkm_closed_config* config, double* B,
                         double* A);

/// Drive positions q, B and A of the first solution of the inverse geometry; false: out of reach.
bool pkm_closed_first(const pkm_closed* closed, const pkm_pose* pose, double* q, double* B,
                      double* A);

/// C of pkm_closed_family.turns from B; false: the family has none.
bool pkm_closed_turns(const pkm_closed* closed, const double* B, double* C);

/// Complete `tool` (v, w, a, alpha) from drive rates and accelerations at `config`.
PKM_NODISCARD pkm_status pkm_closed_tool_motion(const pkm_closed* closed,
                                                const pkm_closed_config* config, const double* qd,
                                                const double* qdd, pkm_frame_motion* tool);
PKM_NODISCARD pkm_status pkm_closed_inverse_dynamics(const pkm_closed* closed,
                                                     const pkm_closed_config* config,
                                                     const pkm_frame_motion* tool, const double* qd,
                                                     const double* qdd, pkm_vec3 force,
                                                     pkm_vec3 torque, double* drive_force);
double pkm_closed_energy(const pkm_closed* closed, const pkm_closed_config* config,
                         const pkm_frame_motion* tool, const double* qd);

#endif
