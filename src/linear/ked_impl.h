/// The inside of the linear model on a rigid motion, shared by its files.
#ifndef PKM_LINEAR_KED_IMPL_H
#define PKM_LINEAR_KED_IMPL_H

#include "flexible/gauge.h"
#include "linear/elastic_model.h"
#include "linear/ked.h"
#include "robot/column_sums.h"
#include "robot/continuation.h"
#include "robot/limits.h"
#include "robot/motion_table.h"
#include "robot/nearness.h"
#include "robot/peaks.h"
#include "solver/newmark.h"

enum { KED_N_FIELD = 15 }; // numbers that a rigid motion's field of acceleration has

/// A body in coordinates z, x = Q z, of which only the first n_b move its joints.
typedef struct ked_part {
    const elastic_part* from;
    int n, n_b;
    int b_at, i_at;    ///< its first coordinate among all that move joints, and among the others
    double* Q;         ///< n x n
    double *M, *C, *K; ///< n x n
    double* pair;      ///< 9 matrices n x n, integral of rho phi_i,a phi_j,b at a + 3 b
    double* field;     ///< n x 15: what a field of acceleration does (6.4)
    double* map;       ///< 6 x n per frame of the elastic part
    double* squeeze;   ///< n x n per element: geometric stiffness of a unit force; NULL: none
    double *C_now, *K_now, *f_now;
    pkm_flexible_body* body; ///< NULL: rigid
    pkm_flexible_gauge gauge;
} ked_part;

/// Which terms of turning axes are in the matrices.
typedef enum ked_terms {
    KED_ALL_TERMS,     ///< of links, bodies and joints
    KED_BODIES_TURN,   ///< of links and bodies: what a deflection that rests in their axes feels
    KED_NOTHING_TURNS, ///< none: stiffness of the links and joints where they are
} ked_terms;

/// Which boundary coordinates follow from the others, and by which rows.
typedef struct ked_choice {
    int n_dependent;
    int* row;              ///< [n_row_max] those of the dependent coordinates first
    int *dependent, *free; ///< [n_b] boundary coordinates
    double worst;          ///< largest entry of T when it was made
} ked_choice;

typedef struct pkm_ked {
    pkm_limit_watch limits;
    pkm_nearness near;        ///< of the rigid motion
    pkm_peaks* peaks;         ///< at the ends of all steps
    pkm_column_sums* squares; ///< of them
    double* row;              ///< [n_column] work
    pkm_robot* robot;
    const pkm_ked_settings* settings;
    pkm_elastic* elastic;
    pkm_follower follower;
    double duration; ///< of the motion [s]
    int n_part, n_b, n_i, n_free, n;
    ked_part* part;

    // joints: A z_b = 0 with its first two derivatives, and z_b = T y_free
    double* A[3];                    ///< n_row_max x n_b
    double* T[3];                    ///< n_b x n_free
    ked_choice choice, first, other; ///< of now; of the start; work
    double *dependent_lu, *rhs;      ///< n_dependent squared, n_dependent x n_free
    double* row_T;                   ///< n_row_max x n_free
    int* pivot;
    bool wants_choice; ///< T has grown
    ked_terms terms;   ///< of now: fewer for the start and for static forces
    int n_choice;

    double* spring[2];            ///< [n] a spring's row over y, and its rate
    double *product[3], *work;    ///< largest part x n_b, twice that
    double *matrix[3], *force;    ///< n x n, n: for the start and quasi-static forces
    int* n_pivot;                 ///< [n]
    double *y, *v, *start_change; ///< [n] start, and how it changes
    double *z[3], *x[3];          ///< all coordinates and their rates
    double* axial;                ///< largest number of elements
    double *bear, *lambda, *held; ///< [n_b], [n_row]: of now, without vibration
    double* tension;              ///< [n_spring] forces of springs without vibration
    double* frame_J;              ///< 24 x n
    pkm_run_instant now;          ///< of the rigid motion
    pkm_arena* arena;
    pkm_error* err;
} pkm_ked;

// ---- ked_loads.c ------------------------------------------------------------------------------

/// Warn of loads that change within a step, of which its ends do not see all.
void ked_warn_loads(const pkm_ked* ked, double step, double end, pkm_warnings* to);

// ---- ked_part.c -------------------------------------------------------------------------------

/// Make all parts. The elastic model has its rows.
PKM_NODISCARD pkm_status ked_parts_create(pkm_ked* ked);
void ked_parts_free(pkm_ked* ked);
/// C_now and K_now of a part that turns as its body does; those of the part itself when static.
void ked_part_turn(const pkm_ked* ked, ked_part* part);
/// The same and f_now of a part that moves as its body does.
void ked_part_move(const pkm_ked* ked, ked_part* part);
/// The field of acceleration of a part's rigid motion, less gravity, in its axes (6.4).
void ked_part_field(const pkm_ked* ked, const ked_part* part, double s[KED_N_FIELD]);

// ---- ked_joint.c ------------------------------------------------------------------------------

/// Room for rows and choices.
PKM_NODISCARD pkm_status ked_joints_create(pkm_ked* ked);
/// Choose dependent coordinates at the present rows.
void ked_choose(pkm_ked* ked);
void ked_choice_copy(const pkm_ked* ked, const ked_choice* from, ked_choice* to);
/// A of the present rows, then T.
PKM_NODISCARD pkm_status ked_joints_move(pkm_ked* ked, double t);
/// Multipliers of the joints' rows from the forces that they must bear, [n_b] -> [n_row].
void ked_multipliers(const pkm_ked* ked, const double* bear, double* lambda);
/// All coordinates with their rates from the independent ones: z[0..2].
void ked_expand(pkm_ked* ked, const double* y, const double* v, const double* a);

/// Coordinates of one part from those of all, boundary ones first.
void ked_gather(const pkm_ked* ked, const ked_part* part, const double* z, double* out);

// ---- ked_system.c -----------------------------------------------------------------------------

/// A dead force and torque on a marker, world axes.
typedef void (*ked_load)(pkm_ked* ked, int marker, pkm_vec3 force, pkm_vec3 torque, void* user);
/// Those of time t, that of the tool among them.
void ked_for_each_load(pkm_ked* ked, double t, ked_load call, void* user);

/// Bring the rigid robot and everything that moves with it to time t of the run.
PKM_NODISCARD pkm_status ked_go(pkm_ked* ked, double t);
/// The matrices and the force of (6.6) at time t; a function for pkm_ltv.
PKM_NODISCARD pkm_status ked_system(void* user, double t, double* M, double* C, double* K,
                                    double* f);
/// The matrices of the parts where they are.
void ked_assemble(pkm_ked* ked, double* M, double* C, double* K, double* f);
/// Are the terms of turning links and bodies in the matrices? And those of joints?
bool ked_bodies_turn(const pkm_ked* ked);
bool ked_joints_turn(const pkm_ked* ked);
/// Shift of a marker along axis `d` of its body, as a row over y [n].
void ked_marker_row(const pkm_ked* ked, int marker, int d, double* row);
/// Other independent coordinates, where those of now have become bad; a function for pkm_ltv.
void ked_rebase(void* user, bool back, int n_column, double* q, double* v, double* a);

// ---- ked_spring.c -----------------------------------------------------------------------------

/// K += k g g' + c g g_t', C += c g g', f -= g (force of the rigid motion).
void ked_add_springs(pkm_ked* ked, double* C, double* K, double* f);
/// Force of spring s [N, N m], as derivative of its energy by its row, and how far the deflections
/// y, v stretch it; v NULL: at rest.
double ked_spring_force(pkm_ked* ked, int s, const double* y, const double* v, double* stretch);
/// out [n_b] += what springs do to the boundary coordinates.
void ked_bear_springs(pkm_ked* ked, const double* y, const double* v, double* out);

// ---- ked_geometry.c ---------------------------------------------------------------------------

/// Forces in links and joints that carry the rigid motion, without vibration, and what those in
/// links and rigid bodies add to K_now.
PKM_NODISCARD pkm_status ked_find_forces(pkm_ked* ked, double t);
/// K += what the forces of joints, springs and loads of time t add (6.8).
void ked_add_geometry(pkm_ked* ked, double t, double* K);
/// out [n_b] += what these forces do to the boundary coordinates where the deflections x[0] are.
void ked_bear_geometry(pkm_ked* ked, double t, double* out);

// ---- ked_table.c ------------------------------------------------------------------------------

PKM_NODISCARD pkm_status ked_add_columns(const pkm_ked* ked, pkm_table* table);
/// What is known at time t, to `row`, and to the peaks; the model is there. `is_row`: the table has
/// it.
PKM_NODISCARD pkm_status ked_write_row(pkm_ked* ked, double t, const pkm_newmark* nm, bool is_row,
                                       double* row, pkm_ked_report* report);

#endif
