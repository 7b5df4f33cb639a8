/// The robot as a linear system about a pose: flexible links as beam meshes, the other bodies
/// rigid, joints as exact linear constraints, drives locked, free or elastic.
///
///     M y'' + C y' + K y = f        y: independent coordinates        docs/theory/modes.md
///
/// Coordinates of a body are in its own axes, so that its matrices do not change with the pose;
/// only the constraints do.
#ifndef PKM_LINEAR_ELASTIC_H
#define PKM_LINEAR_ELASTIC_H

#include "dynamics/effects.h"
#include "robot/robot.h"
#include "run/settings.h"

typedef struct pkm_elastic_settings {
    const pkm_effects* effects; ///< flexible links, springs, bushings; NULL: none
    pkm_elastic_drive drive[PKM_MAX_DRIVE];
    bool is_weighted;     ///< with the geometric stiffness of the static forces
    bool without_gravity; ///< the static forces are those of loads only
    pkm_vec3 tool_force;  ///< static, on the tool, world axes [N]
    pkm_vec3 tool_torque; ///< [N m]
    bool is_reduced;      ///< for many poses: links whose modes are not chosen keep 20
    bool is_modal;        ///< links move as in simulations: six rigid motions and their modes
} pkm_elastic_settings;

typedef struct pkm_elastic pkm_elastic;

/// @return PKM_ERR_MODEL naming a body that cannot bend; PKM_ERR_ARGUMENT; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_elastic_create(const pkm_robot* robot,
                                            const pkm_elastic_settings* settings, pkm_elastic** out,
                                            pkm_error* err);
void pkm_elastic_free(pkm_elastic* elastic);

/// Put the model where `state` is (of this robot or a twin): constraints, K and M; with
/// is_weighted also the static forces. Allocates nothing.
/// @return PKM_ERR_MODEL when nothing can move or something has neither mass nor stiffness,
///         PKM_ERR_ARGUMENT naming a spring that bears a force where it is not weighted,
///         PKM_ERR_SINGULAR for static forces on a robot that is not held, PKM_ERR_CONVERGENCE
///         where they take a cable over the edge of slackness.
PKM_NODISCARD pkm_status pkm_elastic_place(pkm_elastic* elastic, const pkm_state* state,
                                           pkm_error* err);

/// Move the model with `state`, velocities and accelerations included: constraints and springs with
/// their rates, but neither K nor M. For linear models on a rigid motion, see ked.h.
void pkm_elastic_move(pkm_elastic* elastic, const pkm_state* state);

const pkm_robot* pkm_elastic_robot(const pkm_elastic* elastic);
const pkm_elastic_settings* pkm_elastic_settings_of(const pkm_elastic* elastic);
int pkm_elastic_size(const pkm_elastic* elastic); ///< independent coordinates; after placing
int pkm_elastic_most(const pkm_elastic* elastic); ///< coordinates of all bodies: the upper bound
const double* pkm_elastic_stiffness(const pkm_elastic* elastic); ///< size x size
const double* pkm_elastic_mass(const pkm_elastic* elastic);

/// All coordinates from the independent ones: x = T y.
void pkm_elastic_expand(const pkm_elastic* elastic, const double* y, double* x);
/// f_y = T' f_x.
void pkm_elastic_restrict(const pkm_elastic* elastic, const double* fx, double* fy);

/// Motion of a marker, world axes, when all coordinates are x.
void pkm_elastic_marker_motion(const pkm_elastic* elastic, int marker, const double* x, pkm_vec3* d,
                               pkm_vec3* r);
/// fx += force and torque on a marker, world axes.
void pkm_elastic_add_force(const pkm_elastic* elastic, int marker, pkm_vec3 force, pkm_vec3 torque,
                           double* fx);
/// fx += `force` of a drive [N, N m], positive along its coordinate.
void pkm_elastic_add_drive(const pkm_elastic* elastic, int drive, double force, double* fx);
/// fx += weight.
void pkm_elastic_add_weight(const pkm_elastic* elastic, double* fx);

/// Solve K y = T' fx and expand: the static displacement of all coordinates.
/// @return PKM_ERR_SINGULAR naming what is not held.
PKM_NODISCARD pkm_status pkm_elastic_solve(pkm_elastic* elastic, const double* fx, double* x,
                                           pkm_error* err);

// ---- what is in it ----------------------------------------------------------------------------

int pkm_elastic_parts(const pkm_elastic* elastic); ///< moving bodies
const char* pkm_elastic_part_name(const pkm_elastic* elastic, int part);
bool pkm_elastic_part_bends(const pkm_elastic* elastic, int part);
/// The mesh of a part that bends, lent; NULL for one made by another program.
const struct pkm_flexible_link* pkm_elastic_part_link(const pkm_elastic* elastic, int part);
/// Coordinates of the mesh of a part that bends, from all coordinates; `q` has room for them.
void pkm_elastic_part_mesh(const pkm_elastic* elastic, int part, const double* x, double* q);
/// Displacement and rotation, world axes, of the point `at` of a rigid part (body axes).
void pkm_elastic_part_motion(const pkm_elastic* elastic, int part, const double* x, pkm_vec3 at,
                             pkm_vec3* d, pkm_vec3* r);
pkm_pose pkm_elastic_part_pose(const pkm_elastic* elastic, int part);

/// Energies of a displacement x of all coordinates: strain of each part [3 per part: axial,
/// bending, torsion], of all drives and of all springs [J]; kinetic 1/2 x'Mx of each part for a
/// rate x.
typedef struct pkm_elastic_energy {
    double* strain;  ///< [3 n_part], given by the caller
    double* kinetic; ///< [n_part], given by the caller
    double drives, springs;
} pkm_elastic_energy;
enum { PKM_STRAIN_AXIAL, PKM_STRAIN_BENDING, PKM_STRAIN_TORSION, PKM_N_STRAIN };
void pkm_elastic_energies(const pkm_elastic* elastic, const double* x, pkm_elastic_energy* out);

/// x_i' C x_j for the damping of links, drives and springs.
double pkm_elastic_damping(const pkm_elastic* elastic, const double* xi, const double* xj);
bool pkm_elastic_is_damped(const pkm_elastic* elastic);

/// Largest rotation of a node [rad] and largest compression over Euler's load of the link, in the
/// static state of the last placement; 0 when it is not weighted.
void pkm_elastic_static_state(const pkm_elastic* elastic, double* rotation, double* compression);

/// Spins of rods between ball joints are left out; how many and of which body.
int pkm_elastic_idle(const pkm_elastic* elastic);
const char* pkm_elastic_idle_name(const pkm_elastic* elastic, int i);

#endif
