// How the tool yields: compliance by unit forces and torques, stiffness, principal directions, and
// which part of which body yields most. Called by the verb `stiffness`, pkm_answer and the page.
// Equations: docs/theory/modes.md, section 8.
#include "linear/stiffness.h"
#include "math/lapack.h"

#include "base/error.h"
#include "linear/sweep.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A pivot of the scaled compliance below this is a direction that does not yield.
static const double RIGID = 1e-11;
static const double LARGEST = 1e15; // stiffness in a table: infinity for people who read files

// ---- compliance -------------------------------------------------------------------------------

static void tool_motion(const pkm_elastic* e, const double* x, double out[6])
{
    pkm_vec3 d, r;
    pkm_elastic_marker_motion(e, pkm_elastic_robot(e)->mech->tool, x, &d, &r);
    const double all[6] = {d.x, d.y, d.z, r.x, r.y, r.z};
    memcpy(out, all, sizeof all);
}

/// Displacement of all coordinates under a force and torque on the tool.
static pkm_status push(pkm_elastic* e, pkm_vec3 force, pkm_vec3 torque, double* f, double* x,
                       pkm_error* err)
{
    memset(f, 0, (size_t)pkm_elastic_most(e) * sizeof *f);
    pkm_elastic_add_force(e, pkm_elastic_robot(e)->mech->tool, force, torque, f);
    return pkm_elastic_solve(e, f, x, err);
}

/// C = J K^-1 J' column by column (8.1).
static pkm_status find_compliance(pkm_elastic* e, double* f, double* x, pkm_stiffness* out,
                                  pkm_error* err)
{
    const pkm_vec3 none = {0.0, 0.0, 0.0};
    for (int k = 0; k < 6; ++k) {
        const pkm_vec3 u = {k % 3 == 0, k % 3 == 1, k % 3 == 2};
        // forces of 1 N, torques of 1 N m: columns of C [m/N, rad/N; m/(N m), rad/(N m)]
        PKM_TRY(push(e, k < 3 ? u : none, k < 3 ? none : u, f, x, err));
        tool_motion(e, x, out->C + 6 * k);
    }
    for (int j = 0; j < 6; ++j) // symmetric but for rounding
        for (int i = 0; i < j; ++i)
            out->C[6 * j + i] = out->C[6 * i + j] = 0.5 * (out->C[6 * j + i] + out->C[6 * i + j]);
    return PKM_OK;
}

/// K = C^-1, scaled so that metres and radians compare.
static void invert(pkm_stiffness* out)
{
    double s[6], A[36];
    out->has_K = true;
    for (int i = 0; i < 6; ++i) {
        out->has_K = out->has_K && out->C[7 * i] > 0.0;
        s[i] = 1.0 / sqrt(out->C[7 * i]);
    }
    if (!out->has_K) return;
    // D C D with a unit diagonal: its Cholesky pivots tell a rigid direction whatever the units
    for (int k = 0; k < 36; ++k)
        A[k] = s[k % 6] * out->C[k] * s[k / 6];
    out->has_K = pkm_dpotrf('L', 6, A, 6) == 0;
    for (int i = 0; i < 6 && out->has_K; ++i)
        out->has_K = A[7 * i] * A[7 * i] > RIGID;
    if (!out->has_K) return;
    // K = D (D C D)^-1 D
    pkm_dpotri('L', 6, A, 6);
    for (int j = 0; j < 6; ++j)
        for (int i = j; i < 6; ++i)
            out->K[6 * j + i] = out->K[6 * i + j] = s[i] * A[6 * j + i] * s[j];
}

/// Principal directions of the block of C from (at, at) on.
static void find_yield(const double* C, int at, pkm_yield* out)
{
    double A[9], value[3], work[32];
    for (int k = 0; k < 9; ++k)
        A[k] = C[6 * (at + k / 3) + at + k % 3];
    pkm_dsyev_with('V', 'L', 3, A, 3, value, work, 32);
    for (int k = 0; k < 3; ++k) {
        const double* v = A + 3 * (2 - k); // rising order: the last yields most
        double sign = 1.0;
        for (int i = 0; i < 3; ++i) // the largest component is positive
            if (fabs(v[i]) >= fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2]))))
                sign = v[i] < 0 ? -1 : 1;
        out->compliance[k] = value[2 - k] > 0.0 ? value[2 - k] : 0.0;
        out->axis[k] = (pkm_vec3){sign * v[0], sign * v[1], sign * v[2]};
    }
}

// ---- where it yields --------------------------------------------------------------------------

/// The largest shares so far, in falling order.
static void add_share(pkm_stiffness* out, pkm_yield_share share)
{
    int k = out->n_share;
    if (share.share < 1e-6) return;
    if (k == PKM_YIELD_SHARES && share.share <= out->share[k - 1].share) return;
    if (k < PKM_YIELD_SHARES)
        ++out->n_share;
    else
        --k;
    for (; k > 0 && out->share[k - 1].share < share.share; --k)
        out->share[k] = out->share[k - 1];
    out->share[k] = share;
}

static void find_shares(const pkm_elastic* e, const double* x, double* room, pkm_stiffness* out)
{
    const int n = pkm_elastic_parts(e);
    pkm_elastic_energy energy = {.strain = room, .kinetic = room + PKM_N_STRAIN * n};
    pkm_elastic_energies(e, x, &energy);
    double sum = energy.drives + energy.springs;
    for (int k = 0; k < PKM_N_STRAIN * n; ++k)
        sum += energy.strain[k];
    if (!(sum > 0.0)) return;
    // shares of the strain energy, largest first
    for (int k = 0; k < PKM_N_STRAIN * n; ++k)
        add_share(out,
                  (pkm_yield_share){k / PKM_N_STRAIN, k % PKM_N_STRAIN, energy.strain[k] / sum});
    add_share(out, (pkm_yield_share){PKM_NONE, 0, energy.drives / sum});
    add_share(out, (pkm_yield_share){PKM_NONE, 1, energy.springs / sum});
}

/// `room` has 2 n_all + 4 n_part numbers.
static pkm_status find_all(pkm_elastic* e, pkm_vec3 force, pkm_vec3 torque, double* room,
                           pkm_stiffness* out, pkm_error* err)
{
    double *f = room, *x = room + pkm_elastic_most(e), *parts = x + pkm_elastic_most(e);
    *out = (pkm_stiffness){0};
    PKM_TRY(find_compliance(e, f, x, out, err));
    invert(out);
    find_yield(out->C, 0, &out->shift);
    find_yield(out->C, 3, &out->turn);
    // sag under the weight alone, then the force that was asked for; without one a unit force along
    // the softest direction tells who yields
    memset(f, 0, (size_t)pkm_elastic_most(e) * sizeof *f);
    pkm_elastic_add_weight(e, f);
    PKM_TRY(pkm_elastic_solve(e, f, x, err));
    tool_motion(e, x, out->sag);
    const bool is_pushed = pkm_vec3_norm(force) + pkm_vec3_norm(torque) > 0.0;
    PKM_TRY(push(e, is_pushed ? force : out->shift.axis[0], torque, f, x, err));
    if (is_pushed) tool_motion(e, x, out->deflection);
    find_shares(e, x, parts, out);
    return PKM_OK;
}

static size_t room_for(const pkm_elastic* e)
{
    return 2 * (size_t)pkm_elastic_most(e) + (PKM_N_STRAIN + 1) * (size_t)pkm_elastic_parts(e);
}

static pkm_status check_tool(const pkm_robot* robot, pkm_error* err)
{
    if (robot->mech->tool != PKM_NONE) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: the stiffness of a tool needs one",
                    robot->desc->name);
}

pkm_status pkm_stiffness_at(pkm_elastic* elastic, pkm_vec3 force, pkm_vec3 torque,
                            pkm_stiffness* out, pkm_error* err)
{
    PKM_TRY(check_tool(pkm_elastic_robot(elastic), err));
    double* room = pkm_alloc(room_for(elastic), sizeof *room);
    if (!room) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    const pkm_status status = find_all(elastic, force, torque, room, out, err);
    pkm_free(room);
    return status;
}

pkm_status pkm_stiffness_here(pkm_robot* robot, const pkm_elastic_settings* settings,
                              pkm_elastic** elastic, pkm_stiffness* out, pkm_error* err)
{
    PKM_TRY(pkm_elastic_create(robot, settings, elastic, err));
    PKM_TRY(pkm_elastic_place(*elastic, robot->state, err));
    return pkm_stiffness_at(*elastic, settings->tool_force, settings->tool_torque, out, err);
}

bool pkm_stiffness_table(const double* A, const char* prefix, const char* shift_unit,
                         const char* turn_unit, pkm_table* table)
{
    static const char* const direction[] = {"x", "y", "z", "rx", "ry", "rz"};
    for (int k = 0; k < 6; ++k) {
        char name[24];
        snprintf(name, sizeof name, "%s%s%s", prefix, *prefix ? "." : "", direction[k]);
        if (pkm_table_add_column(table, name, k < 3 ? shift_unit : turn_unit) == PKM_NONE)
            return false;
    }
    for (int i = 0; i < 6; ++i) {
        double* row = pkm_table_append(table);
        if (!row) return false;
        for (int k = 0; k < 6; ++k)
            row[k] = A[6 * k + i]; // column-major
    }
    return true;
}

// ---- over a grid ------------------------------------------------------------------------------

/// A map being filled.
typedef struct map_work {
    const pkm_robot* robot;
    pkm_elastic* elastic;
    double* room;
} map_work;

static double inverse(double compliance)
{
    return compliance > 1.0 / LARGEST ? 1.0 / compliance : LARGEST;
}

static pkm_status fill_point(void* user, double* row, pkm_error* err)
{
    map_work* w = user;
    const pkm_elastic_settings* settings = pkm_elastic_settings_of(w->elastic);
    pkm_stiffness s;
    PKM_TRY(pkm_elastic_place(w->elastic, w->robot->state, err));
    PKM_TRY(find_all(w->elastic, settings->tool_force, settings->tool_torque, w->room, &s, err));
    const double all[] = {inverse(s.shift.compliance[0]),
                          inverse(s.shift.compliance[2]),
                          inverse(s.turn.compliance[0]),
                          inverse(s.turn.compliance[2]),
                          s.deflection[0],
                          s.deflection[1],
                          s.deflection[2]};
    memcpy(row + 4, all, sizeof all);
    return PKM_OK;
}

pkm_status pkm_stiffness_map(pkm_robot* robot, const pkm_modes_sweep* sweep,
                             const pkm_workspace_grid* grid, pkm_table* table, pkm_error* err)
{
    static const char* const column[][2] = {{"x", "m"},
                                            {"y", "m"},
                                            {"z", "m"},
                                            {"reachable", ""},
                                            {"k_min", "N/m"},
                                            {"k_max", "N/m"},
                                            {"turn_min", "N m/rad"},
                                            {"turn_max", "N m/rad"},
                                            {"dx", "m"},
                                            {"dy", "m"},
                                            {"dz", "m"}};
    map_work w = {.robot = robot};
    const pkm_sweep points = {.robot = robot,
                              .grid = grid,
                              .fill = fill_point,
                              .user = &w,
                              .progress = sweep->progress,
                              .progress_user = sweep->user};
    PKM_TRY(check_tool(robot, err));
    pkm_elastic_settings settings = sweep->elastic;
    settings.is_reduced = true;
    PKM_TRY(pkm_elastic_create(robot, &settings, &w.elastic, err));
    w.room = pkm_alloc(room_for(w.elastic), sizeof *w.room);
    bool is_there = w.room != NULL;
    for (size_t c = 0; c < sizeof column / sizeof column[0] && is_there; ++c)
        is_there = pkm_table_add_column(table, column[c][0], column[c][1]) != PKM_NONE;
    const pkm_status status = is_there ? pkm_sweep_run(&points, table, err)
                                       : pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    pkm_free(w.room);
    pkm_elastic_free(w.elastic);
    return status;
}
