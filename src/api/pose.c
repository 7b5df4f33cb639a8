/// Analyses at a pose and over a grid: modes, stiffness, envelope, workspace.
#include "api/work.h"

#include "base/error.h"
#include "clearance/envelope.h"
#include "linear/modes_report.h"
#include "linear/stiffness.h"
#include "math/quat.h"
#include "pkm/workspace.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static pkm_status out_of_memory(pkm_error* err)
{
    return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
}

static const char* const direction[] = {"x", "y", "z", "rx", "ry", "rz"};

// ---- flexible links about a pose --------------------------------------------------------------

static pkm_status make_elastic(const pkm_work* work, pkm_elastic** out, pkm_error* err)
{
    const pkm_run* run = work->run;
    pkm_elastic_settings settings = {.effects = &run->effects,
                                     .is_weighted = run->asked.weight,
                                     .tool_force = run->settings.tool_force,
                                     .tool_torque = run->settings.tool_torque};
    memcpy(settings.drive, run->hold, sizeof settings.drive);
    PKM_TRY(pkm_work_go(work, err));
    PKM_TRY(pkm_elastic_create(work->robot, &settings, out, err));
    return pkm_elastic_place(*out, work->robot->state, err);
}

static pkm_status list_modes(const pkm_work* work, pkm_elastic* elastic, pkm_error* err)
{
    enum { DEFAULT_MODES = 10 };
    const int n = work->run->asked.n_mode > 0 ? work->run->asked.n_mode : DEFAULT_MODES;
    pkm_modes* modes = NULL;
    pkm_table* table = pkm_answer_add_table(work->answer, "modes");
    if (!table || pkm_modes_create(elastic, n, &modes) != PKM_OK) return out_of_memory(err);
    pkm_status status = pkm_modes_solve(elastic, modes, err);
    if (status == PKM_OK) status = pkm_modes_report(elastic, modes, table, err);
    const int f = pkm_table_find(table, "f");
    for (int k = 0; status == PKM_OK && k < pkm_table_n_row(table); ++k) {
        char name[16];
        snprintf(name, sizeof name, "f%d", k + 1);
        pkm_answer_add(work->answer, name, "Hz", pkm_table_get(table, k, f));
    }
    pkm_modes_free(modes);
    return status;
}

pkm_status pkm_run_modes(pkm_robot* robot, const pkm_run* run, pkm_answer** out, pkm_error* err)
{
    pkm_work work;
    pkm_elastic* elastic = NULL;
    pkm_status status = pkm_work_begin(PKM_TASK_MODES, true, robot, run, out, &work, err);
    if (status == PKM_OK) status = make_elastic(&work, &elastic, err);
    if (status == PKM_OK) status = list_modes(&work, elastic, err);
    pkm_elastic_free(elastic);
    return pkm_work_end(&work, status, out, err);
}

/// A 6 x 6 matrix, column-major, as a table: one row per direction of the answer.
static void add_matrix(pkm_answer* to, const char* name, const char* const unit[6], const double* A)
{
    pkm_table* table = pkm_answer_add_table(to, name);
    for (int k = 0; k < 6 && table; ++k)
        if (pkm_table_add_column(table, direction[k], unit[k]) == PKM_NONE) to->is_short = true;
    for (int i = 0; i < 6 && table && !to->is_short; ++i) {
        double* row = pkm_table_append(table);
        to->is_short = !row;
        for (int k = 0; row && k < 6; ++k)
            row[k] = A[6 * k + i];
    }
}

static void add_yield(pkm_answer* to, const char* name, const char* unit, const pkm_yield* y)
{
    static const char* const axis[] = {"x", "y", "z"};
    for (int k = 0; k < 3; ++k) {
        char full[24];
        const double along[] = {y->axis[k].x, y->axis[k].y, y->axis[k].z};
        snprintf(full, sizeof full, "%s%d", name, k + 1);
        pkm_answer_add(to, full, unit, y->compliance[k]);
        for (int c = 0; c < 3; ++c)
            pkm_answer_add_of(to, full, axis[c], "", along[c]);
    }
}

static void add_shares(pkm_answer* to, const pkm_elastic* elastic, const pkm_stiffness* s)
{
    static const char* const word[] = {"stretch", "bending", "torsion"};
    for (int k = 0; k < s->n_share; ++k) {
        const pkm_yield_share* share = &s->share[k];
        char name[2 * PKM_MAX_NAME];
        if (share->part == PKM_NONE)
            snprintf(name, sizeof name, "%s", share->kind == 0 ? "drives" : "springs");
        else
            snprintf(name, sizeof name, "%s.%s", pkm_elastic_part_name(elastic, share->part),
                     word[share->kind]);
        pkm_answer_add_of(to, "share", name, "", share->share);
    }
}

static pkm_status stiffness(const pkm_work* work, pkm_elastic* elastic, pkm_error* err)
{
    static const char* const yields[] = {"1/N", "1/N", "1/N", "1/(N m)", "1/(N m)", "1/(N m)"};
    static const char* const holds[] = {"N/m", "N/m", "N/m", "N/rad", "N/rad", "N/rad"};
    pkm_stiffness s = {0};
    pkm_answer* to = work->answer;
    PKM_TRY(pkm_stiffness_at(elastic, work->run->settings.tool_force,
                             work->run->settings.tool_torque, &s, err));
    add_matrix(to, "compliance", yields, s.C);
    if (s.has_K) add_matrix(to, "stiffness", holds, s.K);
    add_yield(to, "shift", "m/N", &s.shift);
    add_yield(to, "turn", "rad/(N m)", &s.turn);
    for (int k = 0; k < 6; ++k) {
        pkm_answer_add_of(to, "deflection", direction[k], k < 3 ? "m" : "rad", s.deflection[k]);
        pkm_answer_add_of(to, "sag", direction[k], k < 3 ? "m" : "rad", s.sag[k]);
    }
    add_shares(to, elastic, &s);
    return PKM_OK;
}

pkm_status pkm_run_stiffness(pkm_robot* robot, const pkm_run* run, pkm_answer** out, pkm_error* err)
{
    pkm_work work;
    pkm_elastic* elastic = NULL;
    pkm_status status = pkm_work_begin(PKM_TASK_STIFFNESS, true, robot, run, out, &work, err);
    if (status == PKM_OK) status = make_elastic(&work, &elastic, err);
    if (status == PKM_OK) status = stiffness(&work, elastic, err);
    pkm_elastic_free(elastic);
    return pkm_work_end(&work, status, out, err);
}

// ---- envelope ---------------------------------------------------------------------------------

static void add_ellipsoid(pkm_answer* to, const char* name, const char* unit,
                          const pkm_ellipsoid* e)
{
    for (int k = 0; k < 3; ++k) {
        char full[24];
        snprintf(full, sizeof full, "%s%d", name, k + 1);
        pkm_answer_add(to, full, unit, e->semi[k]);
    }
}

static void add_envelope(pkm_answer* to, const pkm_envelope* e)
{
    static const char* const most[] = {"ex", "ey", "ez", "erx", "ery", "erz"};
    for (int k = 0; k < PKM_ERROR_AXES; ++k)
        pkm_answer_add(to, most[k], k < 3 ? "m" : "rad", e->most[k]);
    pkm_answer_add(to, "shift", "m", e->shift);
    pkm_answer_add(to, "shift.x", "", e->shift_along.x);
    pkm_answer_add(to, "shift.y", "", e->shift_along.y);
    pkm_answer_add(to, "shift.z", "", e->shift_along.z);
    pkm_answer_add(to, "shift_closed", "m", e->shift_closed);
    pkm_answer_add(to, "turn", "rad", e->turn);
    pkm_answer_add(to, "turn.x", "", e->turn_about.x);
    pkm_answer_add(to, "turn.y", "", e->turn_about.y);
    pkm_answer_add(to, "turn.z", "", e->turn_about.z);
    pkm_answer_add(to, "turn_closed", "rad", e->turn_closed);
    add_ellipsoid(to, "a", "m", &e->shifts);
    add_ellipsoid(to, "b", "rad", &e->turns);
}

static pkm_status envelope_here(const pkm_work* work, pkm_error_set* set, pkm_error* err)
{
    pkm_envelope here;
    PKM_TRY(pkm_work_go(work, err));
    pkm_status status = pkm_error_set_find(set);
    if (status == PKM_OK) status = pkm_envelope_at(set, &here);
    if (status != PKM_OK)
        return pkm_fail(err, status,
                        "envelope: the loops cannot be closed here with the journals at the walls "
                        "of their bearings; try less clearance or another pose");
    add_envelope(work->answer, &here);
    return PKM_OK;
}

static pkm_status envelope_along(pkm_work* work, pkm_error_set* set, pkm_error* err)
{
    const pkm_run* run = work->run;
    const pkm_envelope_settings settings = {.motion = run->settings.motion,
                                            .n_instant = run->settings.n_instant,
                                            .end_time = run->has_end ? run->settings.end_time : 0.0,
                                            .progress = run->progress,
                                            .user = run->user};
    pkm_envelope_report r = {0};
    pkm_table* table = pkm_answer_add_table(work->answer, "rows");
    if (!table) return out_of_memory(err);
    PKM_TRY(pkm_envelope_run(set, &settings, table, &r, err));
    pkm_answer_add(work->answer, "t_end", "s", r.t_end);
    pkm_answer_add(work->answer, "nonlinearity", "m", r.nonlinearity);
    return r.interrupted ? pkm_work_interrupted(work, r.t_end, err) : PKM_OK;
}

static pkm_status envelope(pkm_work* work, pkm_error_set* set, pkm_error* err)
{
    const pkm_effects* e = &work->run->effects;
    const bool is_along = work->run->has_motion && work->run->settings.motion != PKM_NONE;
    if (e->n_clearance == 0)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "envelope: no clearance, expected some");
    if (is_along && work->run->asked.has_at)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "envelope: 'at' and 'motion', expected one of them");
    PKM_TRY(pkm_error_set_create(work->robot, e->clearance, e->n_clearance, set, err));
    return is_along ? envelope_along(work, set, err) : envelope_here(work, set, err);
}

pkm_status pkm_run_envelope(pkm_robot* robot, const pkm_run* run, pkm_answer** out, pkm_error* err)
{
    pkm_work work;
    pkm_error_set set = {0};
    pkm_status status = pkm_work_begin(PKM_TASK_ENVELOPE, false, robot, run, out, &work, err);
    if (status == PKM_OK) status = envelope(&work, &set, err);
    pkm_error_set_free(&set);
    return pkm_work_end(&work, status, out, err);
}

// ---- workspace --------------------------------------------------------------------------------

static pkm_status make_plan(const pkm_work* work, pkm_workspace_plan* plan, pkm_error* err)
{
    const pkm_asked* t = &work->run->asked;
    PKM_TRY(pkm_workspace_plan_make(work->robot, plan, err));
    if (t->has_method) PKM_TRY(pkm_workspace_plan_set_method(plan, t->method, err));
    if (t->branch > 0) PKM_TRY(pkm_workspace_plan_set_branch(plan, t->branch, err));
    plan->progress = work->run->progress;
    plan->user = work->run->user;
    if (!t->has_orientation) return PKM_OK;
    const double* o = t->orientation;
    return pkm_workspace_plan_set_orientation(plan, pkm_quat_from_rpy((pkm_vec3){o[0], o[1], o[2]}),
                                              err);
}

/// The grid that was asked for: as written, a slice, all of it, or the slice through home.
static pkm_status make_grid(const pkm_asked* t, const pkm_workspace_plan* plan,
                            pkm_workspace_grid* out, pkm_error* err)
{
    enum { SLICE_POINTS = 101, VOLUME_POINTS = 61 };
    if (t->has_grid + (t->slice > 0) + t->volume > 1)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "workspace: expected one of grid, slice, volume");
    *out = t->grid;
    if (t->has_grid) return PKM_OK;
    unsigned axes = pkm_workspace_plan_axes(plan);
    pkm_vec3 through = pkm_robot_tool_home(plan->robot).p;
    double* const coordinate[] = {&through.x, &through.y, &through.z};
    if (t->slice > 0) {
        if (!(axes & 1u << (t->slice - 1)))
            return pkm_fail(err, PKM_ERR_ARGUMENT, "slice: the tool point does not move along %s",
                            direction[t->slice - 1]);
        *coordinate[t->slice - 1] = t->slice_at;
        axes &= ~(1u << (t->slice - 1));
    } else if (axes == 7u && !t->volume) {
        axes = 3u;
    }
    const int n = t->n_point > 0 ? t->n_point : axes == 7u ? VOLUME_POINTS : SLICE_POINTS;
    if (axes != 0u) return pkm_workspace_plan_grid(plan, axes, through, n, out, err);
    *out = (pkm_workspace_grid){through, through, {1, 1, 1}};
    return PKM_OK;
}

static void add_place(pkm_answer* to, const char* name, pkm_vec3 at)
{
    pkm_answer_add_of(to, name, "x", "m", at.x);
    pkm_answer_add_of(to, name, "y", "m", at.y);
    pkm_answer_add_of(to, name, "z", "m", at.z);
}

static void add_workspace(pkm_answer* to, const pkm_workspace_report* r)
{
    static const char* const unit[] = {"", "m", "m2", "m3"};
    pkm_answer_add(to, "points", "", r->n_point);
    pkm_answer_add(to, "reachable", "", r->n_reachable);
    pkm_answer_add(to, "singular", "", r->n_singular);
    pkm_answer_add(to, "in_limits", "", r->n_in_limits);
    pkm_answer_add(to, "size", unit[r->dimension], r->size);
    pkm_answer_add(to, "size_error", unit[r->dimension], r->size_error);
    pkm_answer_add(to, "limits_size", unit[r->dimension], r->limits_size);
    pkm_answer_add(to, "limits_size_error", unit[r->dimension], r->limits_size_error);
    pkm_answer_add(to, "condition.best", "", r->best_condition);
    add_place(to, "condition.best_at", r->best_position);
    pkm_answer_add(to, "condition.worst", "", r->worst_condition);
    add_place(to, "condition.worst_at", r->worst_position);
    pkm_answer_add(to, "mean_dexterity", "", r->mean_dexterity);
    pkm_answer_add(to, "distance.least", "m", r->least_distance);
    add_place(to, "distance.least_at", r->least_position);
    pkm_answer_add(to, "distance.largest", "m", r->largest_distance);
    add_place(to, "distance.largest_at", r->largest_position);
}

static pkm_status workspace(pkm_work* work, pkm_error* err)
{
    pkm_workspace_plan plan;
    pkm_workspace_grid grid;
    pkm_workspace_report r = {0};
    pkm_robot_go_home(work->robot);
    PKM_TRY(make_plan(work, &plan, err));
    PKM_TRY(make_grid(&work->run->asked, &plan, &grid, err));
    pkm_table* table = pkm_answer_add_table(work->answer, "points");
    if (!table) return out_of_memory(err);
    PKM_TRY(pkm_workspace_plan_map(&plan, &grid, table, &r, err));
    add_workspace(work->answer, &r);
    if (r.n_point < grid.n[0] * grid.n[1] * grid.n[2])
        return pkm_fail(err, PKM_ERR_INTERRUPTED, "workspace: stopped after %d points", r.n_point);
    if (r.n_reachable > 0) return PKM_OK;
    return pkm_fail(err, PKM_ERR_UNREACHABLE,
                    "workspace: none of the %d points of the grid is in reach", r.n_point);
}

pkm_status pkm_run_workspace(pkm_robot* robot, const pkm_run* run, pkm_answer** out, pkm_error* err)
{
    pkm_work work;
    pkm_status status = pkm_work_begin(PKM_TASK_WORKSPACE, false, robot, run, out, &work, err);
    if (status == PKM_OK) status = workspace(&work, err);
    return pkm_work_end(&work, status, out, err);
}
