#include "base/error.h"
#include "generate/code_impl.h"
#include "table/column.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The code of pkm export c, computed instead of printed: the third way to the drive forces.

typedef struct follower {
    const pkm_mechanism* mech;
    pkm_code_program pass, forces;
    double* q;     ///< [n_q] the last solution
    double* value; ///< of the nodes of the larger graph
} follower;

static const double* run(follower* f, const pkm_code_program* program, const double* const* input)
{
    pkm_graph_evaluate(&program->graph, input, f->value);
    return f->value;
}

/// Newton's method as in the code, from the last solution.
static bool solve(follower* f, const double* drive)
{
    const double* input[PKM_N_IN] = {[PKM_IN_Q] = f->q, [PKM_IN_DRIVE] = drive};
    const int n_q = f->mech->n_q;
    for (int pass = 0; pass < 20; ++pass) {
        const double* value = run(f, &f->pass, input);
        double largest = 0.0;
        for (int k = 0; k < f->pass.n_output; ++k) {
            const double x = value[f->pass.output[k].node];
            if (k < n_q)
                f->q[k] = x;
            else if (!(fabs(x) <= largest))
                largest = fabs(x);
        }
        if (largest < 1e-7) return true;
        if (!(largest < 10.0)) return false;
    }
    return false;
}

/// On a straight way of the drives, in steps that Newton's method follows.
static bool lead(follower* f, const double* from, const double* to)
{
    enum { STEPS = 16 };
    for (int k = 1; k <= STEPS; ++k) {
        double drive[PKM_MAX_DRIVE];
        for (int d = 0; d < f->mech->n_drive; ++d)
            drive[d] = from[d] + (to[d] - from[d]) * k / STEPS;
        if (!solve(f, drive)) return false;
    }
    return true;
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
            [PKM_IN_Q] = f->q, [PKM_IN_RATE] = rate, [PKM_IN_ACC] = acc, [PKM_IN_WRENCH] = wrench};
        const double* value = run(f, &f->forces, input);
        double* row = pkm_table_append(table);
        if (!row) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
        row[0] = t;
        for (int d = 0; d < f->mech->n_drive; ++d)
            row[1 + d] = value[f->forces.output[d].node];
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
    return done ? PKM_OK : pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
}

pkm_status pkm_code_forces(pkm_robot* robot, const pkm_table* rows, pkm_vec3 force, pkm_vec3 torque,
                           pkm_table* table, pkm_error* err)
{
    const pkm_code_settings settings = {.what = PKM_CODE_INVERSE, .passes = 20};
    const double wrench[6] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
    pkm_code code;
    follower f = {.mech = robot->mech};
    pkm_status status = pkm_code_begin(robot, &settings, &code, err);
    if (status == PKM_OK) status = pkm_code_piece_build(&code, PKM_PIECE_DRIVE_PASS, &f.pass, err);
    if (status == PKM_OK)
        status = pkm_code_piece_build(&code, PKM_PIECE_INVERSE_DRIVES, &f.forces, err);
    const int n = f.pass.graph.n > f.forces.graph.n ? f.pass.graph.n : f.forces.graph.n;
    f.q = malloc((size_t)(robot->mech->n_q + 1) * sizeof(double));
    f.value = malloc((size_t)(n + 1) * sizeof(double));
    if (status == PKM_OK && (!f.q || !f.value))
        status = pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    if (status == PKM_OK) {
        memcpy(f.q, robot->q_home, (size_t)robot->mech->n_q * sizeof(double));
        status = add_columns(robot->mech, table, err);
    }
    if (status == PKM_OK) status = follow(&f, rows, robot->drive_home, wrench, table, err);
    free(f.q);
    free(f.value);
    pkm_code_program_free(&f.pass);
    pkm_code_program_free(&f.forces);
    pkm_code_end(&code);
    return status;
}
