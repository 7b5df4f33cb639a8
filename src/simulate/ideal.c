// The ideal motion of a run as a table, and values between its rows; exact ones by a second robot
// that is led along the motion.
#include "simulate/ideal.h"

#include "base/error.h"
#include "base/memory.h"
#include "dynamics/inverse.h"
#include "robot/motion_table.h"

#include <stdio.h>

/// With fewer rows the cubics of pkm_ideal_near would be too rough.
enum { LEAST_INTERVALS = 100, N_NEAR = 4 };

struct pkm_ideal {
    pkm_robot* robot;
    const pkm_motion* motion;
    pkm_inverse_settings settings;
    pkm_table* table;
    int per_row;                                ///< instants of the table per row of the run
    double h;                                   ///< distance of the instants [s]
    int q[PKM_MAX_DRIVE], force[PKM_MAX_DRIVE]; ///< columns
    int p[3], v[3], a[3], rpy[3];               ///< rpy: PKM_NONE when the tool does not turn
    int nearness[2];                            ///< condition, singularity
    pkm_robot* twin;                            ///< NULL: not needed yet
    pkm_follower follower;
};

// ---- creation ---------------------------------------------------------------------------------

static int column_of(const pkm_ideal* ideal, const char* item, const char* quantity)
{
    char name[2 * PKM_MAX_NAME];
    snprintf(name, sizeof name, "%s.%s", item, quantity);
    return pkm_table_find(ideal->table, name);
}

static void find_columns(pkm_ideal* ideal)
{
    static const char* const name[4][3] = {
        {"x", "y", "z"}, {"vx", "vy", "vz"}, {"ax", "ay", "az"}, {"roll", "pitch", "yaw"}};
    const pkm_mechanism* mech = ideal->robot->mech;
    int* const to[4] = {ideal->p, ideal->v, ideal->a, ideal->rpy};
    for (int d = 0; d < mech->n_drive; ++d) {
        ideal->q[d] = column_of(ideal, mech->drive[d].name, "q");
        ideal->force[d] = column_of(ideal, mech->drive[d].name, "force");
    }
    ideal->nearness[0] = pkm_table_find(ideal->table, "condition");
    ideal->nearness[1] = pkm_table_find(ideal->table, "singularity");
    if (mech->tool == PKM_NONE) return;
    for (int k = 0; k < 4; ++k)
        for (int i = 0; i < 3; ++i)
            to[k][i] = column_of(ideal, pkm_short_name(mech->marker[mech->tool].name), name[k][i]);
}

/// Runs with few rows have a finer table; the snapshots is taken at the rows.
static pkm_status fill_table(pkm_ideal* ideal, int motion, pkm_error* err)
{
    pkm_inverse_settings fine = ideal->settings;
    const int n = fine.n_instant - 1;
    // whole numbers of intervals: rows of the run are rows of the table
    ideal->per_row = n < LEAST_INTERVALS ? (LEAST_INTERVALS + n - 1) / n : 1;
    fine.n_instant = n * ideal->per_row + 1;
    // snapshots are wanted at the rows of the run, not at those of the finer table
    if (ideal->per_row > 1 && fine.snapshots) {
        pkm_table* unread = pkm_table_create();
        if (!unread) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
        const pkm_status status =
            pkm_inverse_run(ideal->robot, motion, &ideal->settings, unread, NULL, NULL);
        pkm_table_free(unread);
        if (status == PKM_ERR_MEMORY) return pkm_fail(err, status, "out of memory");
        fine.snapshots = NULL;
    }
    return pkm_inverse_run(ideal->robot, motion, &fine, ideal->table, NULL, err);
}

pkm_status pkm_ideal_create(pkm_robot* robot, int motion, const pkm_inverse_settings* settings,
                            pkm_ideal** out, pkm_error* err)
{
    pkm_ideal* ideal = *out = pkm_alloc(1, sizeof *ideal);
    if (!ideal) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    *ideal = (pkm_ideal){.robot = robot,
                         .motion = robot->desc->motion[motion].motion,
                         .settings = *settings,
                         .table = pkm_table_create()};
    if (!ideal->table) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    const pkm_status status = fill_table(ideal, motion, err);
    find_columns(ideal);
    // equal distances: weights of four neighbours are then those of whole numbers
    ideal->h = settings->end_time / (ideal->per_row * (settings->n_instant - 1));
    // the twin is made here, since nothing allocates inside a step
    if (pkm_robot_twin(robot, &ideal->twin, err) != PKM_OK) return PKM_ERR_MEMORY;
    PKM_TRY(pkm_follow_begin(ideal->twin, ideal->motion, &ideal->follower, err));
    return status;
}

const pkm_table* pkm_ideal_table(const pkm_ideal* ideal)
{
    return ideal ? ideal->table : NULL;
}

int pkm_ideal_n_row(const pkm_ideal* ideal)
{
    const int n = pkm_table_n_row(ideal->table);
    return n < N_NEAR ? 0 : (n - 1) / ideal->per_row + 1;
}

double pkm_ideal_end(const pkm_ideal* ideal)
{
    return (pkm_ideal_n_row(ideal) - 1) * ideal->per_row * ideal->h;
}

void pkm_ideal_free(pkm_ideal* ideal)
{
    if (!ideal) return;
    pkm_table_free(ideal->table);
    pkm_robot_free(ideal->twin);
    pkm_free(ideal);
}

// ---- reading ----------------------------------------------------------------------------------

/// Weights of four neighbouring instants, from `first` on (Lagrange).
typedef struct weights {
    int first;
    double w[4];
} weights;

static weights weights_at(const pkm_ideal* ideal, double t)
{
    const int n = pkm_table_n_row(ideal->table);
    // t may lie on the last row: the four last ones then
    int first = (int)(t / ideal->h) - 1;
    // two on each side, but at the ends
    first = first < 0 ? 0 : first > n - 4 ? n - 4 : first;
    const double x = t / ideal->h - first;
    return (weights){first,
                     {-(x - 1.0) * (x - 2.0) * (x - 3.0) / 6.0, x * (x - 2.0) * (x - 3.0) / 2.0,
                      -x * (x - 1.0) * (x - 3.0) / 2.0, x * (x - 1.0) * (x - 2.0) / 6.0}};
}

static double value_at(const pkm_ideal* ideal, const weights* at, int column)
{
    double sum = 0.0;
    for (int k = 0; k < 4; ++k)
        sum += at->w[k] * pkm_table_get(ideal->table, at->first + k, column);
    return sum;
}

static pkm_vec3 vec_at(const pkm_ideal* ideal, const weights* at, const int* column)
{
    return (pkm_vec3){value_at(ideal, at, column[0]), value_at(ideal, at, column[1]),
                      value_at(ideal, at, column[2])};
}

static pkm_quat turn_of_row(const pkm_ideal* ideal, int row)
{
    if (ideal->rpy[0] == PKM_NONE) return ideal->robot->tool_home.q;
    return pkm_quat_from_rpy((pkm_vec3){pkm_table_get(ideal->table, row, ideal->rpy[0]),
                                        pkm_table_get(ideal->table, row, ideal->rpy[1]),
                                        pkm_table_get(ideal->table, row, ideal->rpy[2])});
}

/// Rotations are interpolated as small turns from one of them.
static pkm_quat turn_at(const pkm_ideal* ideal, const weights* at)
{
    // turns between neighbours are far below half a turn
    const pkm_quat from = turn_of_row(ideal, at->first + 1);
    if (ideal->rpy[0] == PKM_NONE) return from;
    pkm_vec3 sum = {0.0, 0.0, 0.0};
    for (int k = 0; k < 4; ++k) {
        const pkm_quat off = pkm_quat_mul(turn_of_row(ideal, at->first + k), pkm_quat_conj(from));
        sum = pkm_vec3_axpy(sum, at->w[k], pkm_quat_to_rotvec(off));
    }
    return pkm_quat_mul(pkm_quat_from_rotvec(sum), from);
}

static void read(const pkm_ideal* ideal, const weights* at, pkm_ideal_point* out)
{
    const pkm_mechanism* mech = ideal->robot->mech;
    for (int d = 0; d < mech->n_drive; ++d) {
        out->q[d] = value_at(ideal, at, ideal->q[d]);
        out->force[d] = value_at(ideal, at, ideal->force[d]);
    }
    out->condition = value_at(ideal, at, ideal->nearness[0]);
    out->singularity = value_at(ideal, at, ideal->nearness[1]);
    if (mech->tool == PKM_NONE) return;
    out->p = vec_at(ideal, at, ideal->p);
    out->v = vec_at(ideal, at, ideal->v);
    out->a = vec_at(ideal, at, ideal->a);
    out->turn = turn_at(ideal, at);
}

void pkm_ideal_near(const pkm_ideal* ideal, double t, pkm_ideal_point* out)
{
    const weights at = weights_at(ideal, t);
    read(ideal, &at, out);
}

void pkm_ideal_row(const pkm_ideal* ideal, int i, pkm_ideal_point* out)
{
    const int row = i * ideal->per_row, last = pkm_table_n_row(ideal->table) - 4;
    PKM_ASSERT(row >= 0 && row < last + 4);
    weights at = {.first = row < last ? row : last, .w = {0.0}};
    // weight 1 on its own instant: no interpolation
    at.w[row - at.first] = 1.0;
    read(ideal, &at, out);
    if (ideal->rpy[0] != PKM_NONE) out->turn = turn_of_row(ideal, row);
}

pkm_status pkm_ideal_exact(pkm_ideal* ideal, double t, pkm_ideal_point* out)
{
    pkm_robot* twin = ideal->twin;
    const pkm_mechanism* mech = twin->mech;
    pkm_run_instant at = {.kinetic = 0.0};
    PKM_TRY(pkm_follow_to(&ideal->follower, t, NULL));
    pkm_run_instant_read(twin->state, &at);
    // forces are those of the rigid robot under the tool's force alone
    if (mech->tool != PKM_NONE)
        twin->state->load[mech->marker[mech->tool].body] =
            pkm_wrench_at(at.tool.pose.p, ideal->settings.tool_force, ideal->settings.tool_torque);
    pkm_inverse_forces(twin->state);
    pkm_inverse_drive_forces(twin->state, out->force);
    for (int d = 0; d < mech->n_drive; ++d)
        out->q[d] = at.q[d];
    out->p = at.tool.pose.p;
    out->v = at.tool.v;
    out->a = at.tool.a;
    out->turn = at.tool.pose.q;
    return PKM_OK;
}
