/// The elastic model with its parts, rows and springs: for its own files, and for elastodynamics,
/// which sets them on a rigid motion.
#ifndef PKM_LINEAR_ELASTIC_MODEL_H
#define PKM_LINEAR_ELASTIC_MODEL_H

#include "beam/jet.h"
#include "flexible/body.h"
#include "flexible/imported.h"
#include "linear/elastic.h"

/// A joint frame or marker on a part.
typedef struct elastic_frame {
    int joint, side; ///< joint PKM_NONE: a marker
    int marker;
    pkm_vec3 at;   ///< body axes
    pkm_mat3 axes; ///< body axes
    pkm_vec3 arm;  ///< from the node, or from the centre of a rigid part, to the frame
    double* map;   ///< 6 x n: displacement and rotation in body axes
} elastic_frame;

/// A moving body. Rigid: six coordinates, displacement of its centre of mass and rotation.
/// Flexible: those of its mesh, or six rigid motions and modes, x_mesh = X x.
typedef struct elastic_part {
    int body; ///< of the mechanism
    const char* name;
    int at, n;
    pkm_flexible_link* link;              ///< NULL: rigid, or made by another program
    const pkm_flexible_imported* outside; ///< NULL: ours
    const pkm_flexible_spec* spec;
    int n_mesh;
    char content[PKM_SHA256_SIZE]; ///< digest of what the modes are made from
    pkm_beam_modes modes;          ///< lent by what has reduced the link; X NULL: none
    pkm_beam_modes* reduced;       ///< it was this part; NULL: a body of the run, an equal part
    double* X;                     ///< n_mesh x n; NULL: the coordinates are those of the mesh
    double *K, *M, *G;             ///< n x n; G: geometric stiffness, NULL: never
    double* coupling;              ///< n x n; what of G couples stretch and bending, NULL: never
    double* damping;               ///< [n] of modes; NULL: none
    double* held_damping;          ///< n_mode x n_mode of the modes, instead; NULL: none
    double rayleigh[2];            ///< C = mass M + stiffness K of a mesh
    double euler;                  ///< Euler's load of the link as it is held [N]
    double *turn, *chord; ///< [2 n] turns of the line between its joints, how a motion has them
    double* unit;         ///< [n] sizes of the coordinates, for choosing pivots
    int n_frame;
    elastic_frame* frame;
    pkm_mat3 R;          ///< present axes
    pkm_vec3 p;          ///< present origin
    pkm_vec3 v, a;       ///< its velocity and acceleration [m/s, m/s2], for models on a motion
    pkm_vec3 w, turning; ///< angular velocity and acceleration, world axes [rad/s, rad/s2]
} elastic_part;

typedef enum elastic_row_kind {
    ROW_POINT,    ///< u . (p_b - p_a), u fixed in a
    ROW_PAIR,     ///< u . w, u fixed in a, w in b
    ROW_DISTANCE, ///< |p_b - p_a|
    ROW_VECTOR,   ///< a given row over the coordinates of part b (spins)
} elastic_row_kind;

typedef struct elastic_row {
    elastic_row_kind kind;
    int part_a, frame_a, part_b, frame_b; ///< part PKM_NONE: the ground
    pkm_beam_jet u, w, gap;               ///< world axes, with their rates; gap: p_b - p_a
    double pitch; ///< of a screw: turns about u count as ways [m/rad]; else 0
} elastic_row;

/// A spring on one scalar row: stiffness and damping.
typedef struct elastic_spring {
    elastic_row row;
    double stiffness, damping;
    double force;               ///< static: derivative of its energy by the row
    const pkm_element* element; ///< lent; NULL: a drive
} elastic_spring;

struct pkm_elastic {
    const pkm_robot* robot;
    const pkm_mechanism* mech;
    pkm_elastic_settings settings;
    pkm_mass* mass; ///< [n_body] of rigid bodies, with what they carry
    int n_part, n_all;
    elastic_part* part;
    int* part_of;         ///< [n_body] of the mechanism; ground PKM_NONE
    pkm_vec3 gravity;     ///< world axes
    double size;          ///< a length of the robot [m]
    int n_row_max, n_row; ///< constraints
    elastic_row* row;
    int n_spring_max, n_spring;
    elastic_spring* spring;
    int n_idle;
    int* idle; ///< parts

    // elimination: x = T y. Coordinate k is independent (index[k] >= 0) or dependent, then its row
    // of D is -index[k] - 1.
    double* A; ///< n_row_max x n_all, row after row
    int* index;
    int n_dependent, n;
    double* D;      ///< dependent x independent: row after row, leading dimension n_all
    int* free;      ///< [n] the independent coordinates
    int* touched;   ///< [n_all] work
    int* filled;    ///< [n_all] work: where the row of a pivot is not zero
    double* lead;   ///< [n_row_max] work: largest entry of a row, in the column pivot[]
    int* dependent; ///< [n_dependent] which
    int* pivot;     ///< [n_row_max] work

    double *K, *M, *L; ///< n x n, and the factor of K
    bool is_factored;
    double *local_T, *local_A, *local_B;                    ///< work of the reduction of a part
    double *static_x, *static_f, *work_x, *work_y, *work_f; ///< n_all each
    double *lambda, *normal;    ///< multipliers, and the rows they belong to
    double *frame_J, *frame_HJ; ///< 12 x n: motion of the two frames of a row
    double* mesh_q;             ///< largest mesh
    double* mesh_f;             ///< axial forces
    double* mesh_K;             ///< largest mesh squared
    double rotation, compression;
    pkm_arena* arena;
};

// ---- elastic_part.c ---------------------------------------------------------------------------

/// Make all parts. They have no pose yet.
PKM_NODISCARD pkm_status elastic_parts_create(pkm_elastic* e, pkm_error* err);
void elastic_parts_free(pkm_elastic* e);
/// The frame of a joint's side or of a marker; PKM_NONE.
int elastic_frame_of_joint(const elastic_part* part, int joint, int side);
int elastic_frame_of_marker(const elastic_part* part, int marker);
/// Spin of a rod about the line of its balls as coordinates of the part.
void elastic_spin(const elastic_part* part, pkm_vec3 axis, pkm_vec3 through, double* s);

// ---- elastic_row.c ----------------------------------------------------------------------------

/// Rows of all joints, locked drives and spins, and springs, at the present pose.
void elastic_rows_make(pkm_elastic* e, const pkm_state* state);
int elastic_rows_most(const pkm_elastic* e);
/// The linear row over all coordinates: value += c dx. `out` has n_all numbers.
void elastic_row_add(const pkm_elastic* e, const elastic_row* row, double c, double* out);
double elastic_row_dot(const pkm_elastic* e, const elastic_row* row, const double* x);
/// The row that a drive prescribes.
elastic_row elastic_drive_row(const pkm_elastic* e, int drive);
/// Coefficients of a row, with their rates, in the axes of its parts: value = a . (d_a, r_a) +
/// b . (d_b, r_b), six numbers for each part.
typedef struct elastic_jets {
    pkm_beam_jet1 a[6], b[6];
} elastic_jets;
elastic_jets elastic_row_jets(const pkm_elastic* e, const elastic_row* row);
/// World displacement and rotation of a frame.
void elastic_frame_motion(const pkm_elastic* e, int part, int frame, const double* x, pkm_vec3* d,
                          pkm_vec3* r);
void elastic_frame_force(const pkm_elastic* e, int part, int frame, pkm_vec3 force, pkm_vec3 torque,
                         double* fx);

// ---- elastic_reduce.c -------------------------------------------------------------------------

/// The spin of a rod is left out by asking x for no momentum in it: (M s)' x = 0; a rod without
/// inertia about its line does not turn instead. `out` has n_all zeros.
void elastic_spin_row(const pkm_elastic* e, const elastic_row* row, double* out);
/// Choose dependent coordinates and make T.
void elastic_eliminate(pkm_elastic* e);
/// K and M of the independent coordinates.
void elastic_reduce(pkm_elastic* e);
/// K += geometric stiffness of the links.
void elastic_add_geometry(pkm_elastic* e);

// ---- elastic_bend.c ---------------------------------------------------------------------------

/// The static state x follows from f = static_f with bending that shortens the links; on entry it
/// is that of the linear model. work_f is f - K x less what bending adds: what constraints bear.
PKM_NODISCARD pkm_status elastic_bend_statically(pkm_elastic* e, pkm_error* err);
/// Room for the turns of a link, and the turns.
PKM_NODISCARD pkm_status elastic_bend_prepare(pkm_elastic* e, elastic_part* part, pkm_error* err);
/// The geometric stiffness of all links in the static state, and how near they are to limits.
void elastic_bend_stiffness(pkm_elastic* e);

// ---- elastic_geometry.c -----------------------------------------------------------------------

/// Forces that springs have before anything bends, spring[].force, in their order: those of drives
/// are zero.
void elastic_spring_forces(pkm_elastic* e, const pkm_state* state);

/// Without static forces: refuse springs whose `force` is not zero, naming the first, where it is
/// so ("at this pose") and the option that counts it.
PKM_NODISCARD pkm_status elastic_require_rest(const pkm_elastic* e, const char* where,
                                              const char* choice, pkm_error* err);

/// A symmetric form over (d_a, r_a, d_b, r_b), world axes.
typedef struct elastic_form {
    double H[12][12];
} elastic_form;

/// The second derivative of a row, for kinds other than ROW_VECTOR.
void elastic_row_form(const pkm_elastic* e, const elastic_row* row, elastic_form* f);
/// That of the energy of a dead force on a frame, V = -f . p, over (d_a, r_a).
void elastic_load_form(const pkm_elastic* e, int part, int frame, pkm_vec3 force, elastic_form* f);

/// Static state under weight and loads, and the geometric stiffness of its forces, added to K.
PKM_NODISCARD pkm_status elastic_prestress(pkm_elastic* e, const pkm_state* state, pkm_error* err);

#endif
