// Inverse and forward dynamics as functions of a controller: positions by code_follow.c, then rates
// and forces without iteration.
#include "base/error.h"
#include "generate/code_impl.h"
#include "table/column.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The code of pkm export c, computed instead of printed: the third way to the drive forces.

typedef struct follower {
    const pkm_code* code;
    const pkm_mechanism* mech;
    pkm_code_program pass, forces; ///< pass: none where the closed form leads to the tool
    double* q;     ///< [n_q] the last solution; of a closed form the pose: a point, axes by rows
    double* value; ///< of the nodes of the larger graph
} follower;

static const double* run(follower* f, const pkm_code_program* program, const double* const* input)
{
    pkm_graph_evaluate(&program->graph, input, f->value);
    return f->value;
}

/// Axes by rows that rounding has bent, straightened.
static void straighten(double* R)
{
    const pkm_mat3 bent = {{R[0], R[3], R[6]}, {R[1], R[4], R[7]}, {R[2], R[5], R[8]}};
    const pkm_mat3 m = pkm_mat3_from_quat(pkm_quat_from_mat3(bent));
    const double straight[9] = {m.x.x, m.y.x, m.z.x, m.x.y, m.y.y, m.z.y, m.x.z, m.y.z, m.z.z};
    memcpy(R, straight, sizeof straight);
}

/// One pass of Newton's method; the largest step, in units of the robot.
static double pass(follower* f, const double* const* input)
{
    const int n_q = f->code->is_closed ? 12 : f->mech->n_q;
    // outputs: the new coordinates, then the steps
    const double* value = run(f, &f->pass, input);
    double largest = 0.0;
    for (int k = 0; k < f->pass.n_output; ++k) {
        double x = value[f->pass.output[k].node];
        // steps of the closed form are a shift [m] and a turn [rad]
        if (f->code->is_closed && k >= n_q && k < n_q + 3) x /= f->mech->size;
        if (k < n_q)
            f->q[f->pass.output[k].index] = x;
        else if (fabs(x) > largest || isnan(x)) // NaN stays
            largest = fabs(x);
    }
    if (f->code->is_closed) straighten(f->q + 3);
    return largest;
}

/// Newton's method as in the code, from the last solution.
static bool solve(follower* f, const double* drive)
{
    const double* input[PKM_N_IN] = {
        [PKM_IN_Q] = f->q, [PKM_IN_P] = f->q, [PKM_IN_R] = f->q + 3, [PKM_IN_DRIVE] = drive};
    for (int k = 0; k < 20; ++k) {
        const double largest = pass(f, input);
        // quadratic convergence: the next step would be 1e-14
        if (largest < 1e-7) return true;
        if (!(largest < 10.0)) return false;
    }
    return false;
}

/// On a straight way of the drives, in steps that Newton's method follows.
static bool lead(follower* f, const double* from, const double* to)
{
    enum { STEPS = 16 };
    for (int k = 1; k <= STEPS && f->pass.n_output > 0; ++k) {
        double drive[PKM_MAX_DRIVE];
        for (int d = 0; d < f->mech->n_drive; ++d)
            drive[d] = from[d] + (to[d] - from[d]) * k / STEPS;
        if (!solve(f, drive)) return false;
    }
    return true;
}

/// Forces of the drives into `force`; false where a condition of the closed form is not met.
static bool read_forces(follower* f, const double* const* input, double* force)
{
    const double* value = run(f, &f->forces, input);
    bool holds = true;
    for (int k = 0; k < f->forces.n_output; ++k) {
        const pkm_graph_output* out = &f->forces.output[k];
        if (strcmp(out->array, "force") == 0) force[out->index] = value[out->node];
        if (strcmp(out->array, "ok") == 0 && !(value[out->node] > f->forces.least[out->index]))
            holds = false;
    }
    return holds;
}

static void read_drives(const pkm_table* rows, const pkm_mechanism* mech, int i, const char* item,
                        double* out)
{
    for (int d = 0; d < mech->n_drive; ++d)
        out[d] = pkm_table_get(rows, i, pkm_table_find_item(rows, mech->drive[d].name, item));
}

static pkm_status follow(follower* f, const pkm_table* rows, const double* home,
                         const double* wrench, pkm_table* table, pkm_error* err)
{
    double last[PKM_MAX_DRIVE], drive[PKM_MAX_DRIVE], rate[PKM_MAX_DRIVE], acc[PKM_MAX_DRIVE];
    memcpy(last, home, sizeof last);
    for (int i = 0; i < pkm_table_n_row(rows); ++i) {
        const double t = pkm_table_get(rows, i, 0);
        read_drives(rows, f->mech, i, "q", drive);
        read_drives(rows, f->mech, i, "v", rate);
        read_drives(rows, f->mech, i, "a", acc);
        if (!lead(f, last, drive))
            return pkm_fail(err, PKM_ERR_SINGULAR,
                            "t = %.6g s: the generated code does not follow the motion from the "
                            "instant before; try more --instants",
                            t);
        const double* input[PKM_N_IN] = {
            [PKM_IN_Q] = f->q,       [PKM_IN_P] = f->q,    [PKM_IN_R] = f->q + 3,
            [PKM_IN_DRIVE] = drive,  [PKM_IN_RATE] = rate, [PKM_IN_ACC] = acc,
            [PKM_IN_WRENCH] = wrench};
        double* row = pkm_table_append(table);
        if (!row) return pkm_out_of_memory(err);
        row[0] = t;
        if (!read_forces(f, input, row + 1))
            return pkm_fail(err, PKM_ERR_SINGULAR,
                            "t = %.6g s: out of reach of the generated code, or singular", t);
        memcpy(last, drive, sizeof last);
    }
    return PKM_OK;
}

static pkm_status add_columns(const pkm_mechanism* mech, pkm_table* table, pkm_error* err)
{
    bool done = pkm_table_add_column(table, "t", "s") != PKM_NONE;
    for (int d = 0; done && d < mech->n_drive; ++d) {
        char name[PKM_MAX_NAME + 8];
        snprintf(name, sizeof name, "%s.force", mech->drive[d].name);
        done =
            pkm_table_add_column(table, name, mech->drive[d].is_rotary ? "N m" : "N") != PKM_NONE;
    }
    return done ? PKM_OK : pkm_out_of_memory(err);
}

/// The pieces of the code that lead from drive positions to forces.
static pkm_status build(follower* f, pkm_error* err)
{
    const pkm_code* code = f->code;
    if (code->is_closed) {
        if (!pkm_code_form_has_fk(code))
            PKM_TRY(pkm_code_form_build(code, PKM_FORM_PASS, &f->pass, err));
        return pkm_code_form_build(code, PKM_FORM_INVERSE_DRIVES, &f->forces, err);
    }
    PKM_TRY(pkm_code_piece_build(code, PKM_PIECE_DRIVE_PASS, &f->pass, err));
    return pkm_code_piece_build(code, PKM_PIECE_INVERSE_DRIVES, &f->forces, err);
}

static void begin_at_home(follower* f)
{
    const pkm_robot* robot = f->code->robot;
    const pkm_vec3 p = robot->tool_home.p;
    const pkm_mat3 R = pkm_mat3_from_quat(robot->tool_home.q);
    const double pose[12] = {p.x,   p.y,   p.z,   R.x.x, R.y.x, R.z.x,
                             R.x.y, R.y.y, R.z.y, R.x.z, R.y.z, R.z.z};
    if (f->code->is_closed)
        memcpy(f->q, pose, sizeof pose);
    else
        memcpy(f->q, robot->q_home, (size_t)f->mech->n_q * sizeof(double));
}

pkm_status pkm_code_forces(pkm_robot* robot, const pkm_table* rows, bool general, pkm_vec3 force,
                           pkm_vec3 torque, pkm_table* table, pkm_error* err)
{
    const pkm_code_settings settings = {.what = PKM_CODE_INVERSE, .passes = 20, .general = general};
    const double wrench[6] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
    pkm_code* code;
    follower f = {.mech = robot->mech};
    PKM_TRY(pkm_code_create(robot, &settings, &code, err));
    f.code = code;
    pkm_status status = build(&f, err);
    // one array of values serves both programs, one after the other
    const int n = f.pass.graph.n > f.forces.graph.n ? f.pass.graph.n : f.forces.graph.n;
    f.q = malloc((size_t)(robot->mech->n_q + 12) * sizeof(double));
    f.value = malloc((size_t)(n + 1) * sizeof(double));
    if (status == PKM_OK && (!f.q || !f.value)) status = pkm_out_of_memory(err);
    if (status == PKM_OK) {
        begin_at_home(&f);
        status = add_columns(robot->mech, table, err);
    }
    if (status == PKM_OK) status = follow(&f, rows, robot->drive_home, wrench, table, err);
    free(f.q);
    free(f.value);
    pkm_code_program_free(&f.pass);
    pkm_code_program_free(&f.forces);
    pkm_code_free(code);
    return status;
}
