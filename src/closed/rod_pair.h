/// What the Deltas share: a platform that only translates, held by three pairs of parallel rods.
///
/// Since the platform keeps its orientation, a limb is one rod from C_i(q_i) to the platform point
/// P: C_i is the driven end of the rods, moved by minus the platform's offset.
/// docs/theory/closed-delta.md has the equations; C, P, n, w, u, A, B, c are its letters.
#ifndef PKM_CLOSED_ROD_PAIR_H
#define PKM_CLOSED_ROD_PAIR_H

#include "closed/closed.h"
#include "math/vec3.h"

/// Bits of pkm_closed_config.branch: the working mode of each limb and the side of the plane
/// C_1 C_2 C_3 on which P is. They change only at a serial and at a parallel singularity.
enum {
    PKM_ROD_BRANCH_LIMB = 1,     ///< shifted by the limb: its second root
    PKM_ROD_BRANCH_ASSEMBLY = 8, ///< the platform is on the side it is not meant to be
    PKM_ROD_TOOL_KEEPS = 7 * PKM_ROD_BRANCH_LIMB,
    PKM_ROD_DRIVES_KEEP = PKM_ROD_BRANCH_ASSEMBLY,
};

/// The parameters that every family has, at the end of its list and in this order.
enum {
    PKM_ROD_LENGTH,   ///< of a rod [m]
    PKM_ROD_MASS,     ///< of one rod [kg]
    PKM_ROD_COUNT,    ///< rods per limb
    PKM_ROD_INERTIA,  ///< of one rod about its centre, transverse [kg m2]; NaN: m L^2 / 12
    PKM_ROD_PLATFORM, ///< mass of the platform [kg]
    PKM_ROD_PAYLOAD,  ///< mass of the payload [kg]
    PKM_ROD_GRAVITY,  ///< acceleration along z, x and y [m/s2], three values
    PKM_ROD_ANGLE = PKM_ROD_GRAVITY + 3, ///< azimuths of the three limbs [rad]
    PKM_ROD_N_PARAMETER = PKM_ROD_ANGLE + 3,
};

/// Their rows, with the usual azimuths [rad] of a family.
// clang-format off
#define PKM_ROD_PARAMETERS(a1, a2, a3)                                                             \
    {"rod_length", "m", "length of a rod between its joints", true, 0.0},                          \
    {"rod_mass", "kg", "mass of one rod", true, 0.0},                                              \
    {"rods_per_limb", "1", "number of parallel rods of a limb", false, 2.0},                       \
    {"rod_inertia", "kg m2", "of one rod about its centre, transverse; else slender", false, NAN}, \
    {"platform_mass", "kg", "mass of the platform", true, 0.0},                                    \
    {"payload_mass", "kg", "mass that the platform carries", false, 0.0},                          \
    {"gravity", "m/s2", "acceleration of gravity along +z", false, -9.80665},                      \
    {"gravity_x", "m/s2", "acceleration of gravity along x", false, 0.0},                          \
    {"gravity_y", "m/s2", "acceleration of gravity along y", false, 0.0},                          \
    {"angle_1", "rad", "azimuth of limb 1", false, a1},                                            \
    {"angle_2", "rad", "azimuth of limb 2", false, a2},                                            \
    {"angle_3", "rad", "azimuth of limb 3", false, a3}
// clang-format on

typedef struct pkm_rod_pairs {
    pkm_vec3 u[3];     ///< outward unit vectors of the limbs
    double length;     ///< rod length [m]
    bool are_pairs;    ///< limbs of two rods
    double m_same;     ///< inertia [kg] of the rods of a limb: of an end to its own acceleration
    double m_cross;    ///< ... and to that of the other end (11)
    double m_half;     ///< half the mass of the rods of a limb [kg]
    double m_platform; ///< platform and payload [kg]
    pkm_vec3 gravity;  ///< acceleration [m/s2]
    double down;       ///< -1 or +1: the platform is meant to be on this side of z
    double first;      ///< sign of A_ii at the first root of a limb
    double normal;     ///< sign of det B where the platform is meant to be
    char label[16][PKM_CLOSED_LABEL];
} pkm_rod_pairs;

/// The driven end of a limb: C(q) [m] and its first and second derivative by q.
typedef struct pkm_rod_end {
    pkm_vec3 c, dc, ddc;
} pkm_rod_end;

/// The drive positions that put a limb's rod to P, and the rod vectors w = P - C(q) there.
typedef struct pkm_rod_roots {
    int n; ///< 1 where both roots coincide
    double q[2];
    pkm_vec3 w[2];
    double along; ///< w . dC/dq at the first root [m2 or m]: zero where both coincide
} pkm_rod_roots;

/// How a family speaks of its working modes: "elbows", "out", "in".
typedef struct pkm_rod_words {
    const char *what, *first, *second;
} pkm_rod_words;

/// Prepare the common part from the common parameters. `down` and `first` as in pkm_rod_pairs.
PKM_NODISCARD pkm_status pkm_rod_pairs_prepare(pkm_rod_pairs* rods, const double* value,
                                               double down, double first, pkm_rod_words words,
                                               pkm_error* err);

/// Row i of C, normal to the pair of rods i (10a). Limbs of other numbers of rods hold the
/// platform's turns otherwise: their C is the unit matrix.
void pkm_rod_pairs_turns(const pkm_rod_pairs* rods, const double* B, double* C);

/// Is a limb that misses its goal by `beyond` [m] still at its reach, up to rounding?
bool pkm_rod_pairs_reach(const pkm_rod_pairs* rods, double beyond);

/// All combinations of the limbs' roots; the label names root k of every limb by k ^ flip.
int pkm_rod_pairs_combine(const pkm_rod_pairs* rods, pkm_vec3 P, const pkm_rod_roots root[3],
                          int flip, pkm_closed_config* out, int max);

/// The first root of every limb with B and A there, (9).
void pkm_rod_pairs_first(const pkm_rod_pairs* rods, const pkm_rod_roots root[3], double* q,
                         double* B, double* A);

/// Direct geometry: the configurations for the ends that belong to `q`, (7), (8), at most `max`.
/// `flips`: labels name the roots of limbs by their other word where the platform is on the side it
/// is not meant to be. Returns 2, 1 (they coincide) or 0, then `beyond` is the missing rod length
/// [m], or 0 where the ends lie on a line.
int pkm_rod_pairs_direct(const pkm_rod_pairs* rods, const double* q, const pkm_rod_end end[3],
                         bool flips, pkm_closed_config* out, int max, double* beyond);

/// B and A of the velocity equation (9).
void pkm_rod_pairs_velocity(const pkm_rod_pairs* rods, const pkm_rod_end end[3], pkm_vec3 P,
                            double* B, double* A);
/// Bias c of the acceleration equation (10).
void pkm_rod_pairs_bias(const pkm_rod_pairs* rods, const pkm_rod_end end[3],
                        const pkm_frame_motion* tool, const double* qd, double* c);
/// Drive forces that move platform, payload and rods against the tool force (12)..(14).
PKM_NODISCARD pkm_status pkm_rod_pairs_forces(const pkm_rod_pairs* rods, const pkm_rod_end end[3],
                                              const pkm_frame_motion* tool, const double* qd,
                                              const double* qdd, pkm_vec3 force,
                                              double* drive_force);
/// Kinetic and potential energy [J] of platform, payload and rods (17).
double pkm_rod_pairs_energy(const pkm_rod_pairs* rods, const pkm_rod_end end[3],
                            const pkm_frame_motion* tool, const double* qd);

#endif
