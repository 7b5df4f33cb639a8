// The workspace of a robot: closed form where there is one and only drives have limits, else the
// engine; branch, orientation, units and axes that the tool moves along. The door of
// pkm/workspace.h, used by the verb `workspace`, pkm_answer and the page.
#include "pkm/workspace.h"

#include "base/error.h"
#include "robot/closed_continuation.h"
#include "robot/guard.h"
#include "robot/instant.h"
#include "robot/joint_limits.h"
#include "workspace/workspace_engine.h"
#include "workspace/workspace_reach.h"

#include <math.h>
#include <string.h>

unsigned pkm_workspace_plan_axes(const pkm_workspace_plan* plan)
{
    // bits 0 to 2: shifts along x, y, z
    return plan && plan->robot ? plan->robot->structure.moves & 7u : 0u;
}

bool pkm_workspace_plan_has_limits(const pkm_workspace_plan* plan)
{
    return plan && plan->robot && pkm_joint_limits_any(plan->robot);
}

static pkm_status fail_null(pkm_error* err)
{
    return pkm_fail(err, PKM_ERR_ARGUMENT, "workspace: NULL, expected a robot, a plan, a result");
}

// ---- the plan ---------------------------------------------------------------------------------

/// The solutions of the closed form at home and which of them home itself is.
static int home_solutions(const pkm_robot* robot, pkm_closed_config* list, int* home)
{
    const int n = pkm_closed_inverse_geometry(robot->closed, &robot->tool_home, list,
                                              PKM_CLOSED_MAX_BRANCH, NULL);
    *home = pkm_closed_find_branch(list, n, pkm_closed_get_family(robot->closed)->tool_keeps,
                                   robot->closed_home.branch);
    return n;
}

static void take_solution(pkm_workspace_plan* plan, const pkm_closed_config* list, int solution)
{
    plan->solution = solution;
    memcpy(plan->label, list[solution].label, sizeof plan->label);
}

pkm_status pkm_workspace_plan_make(pkm_robot* robot, pkm_workspace_plan* out, pkm_error* err)
{
    if (!robot || !out) return fail_null(err);
    PKM_HOLD(robot, err);
    *out = (pkm_workspace_plan){
        .robot = robot, .method = PKM_METHOD_ENGINE, .orientation = robot->tool_home.q};
    PKM_TRY(pkm_robot_require_tool(robot, err));
    if (pkm_workspace_plan_axes(out) == 0)
        return pkm_fail(err, PKM_ERR_MODEL,
                        "%s: the tool point does not move, expected x, y or z under `moves:`",
                        robot->desc->name);
    // closed forms know the limits of drives only (section 5 of docs/theory/workspace.md)
    if (!robot->closed || pkm_joint_limits_passive(robot)) return PKM_OK;
    return pkm_workspace_plan_set_method(out, PKM_METHOD_CLOSED, err);
}

pkm_status pkm_workspace_plan_set_method(pkm_workspace_plan* plan, pkm_method method,
                                         pkm_error* err)
{
    if (!plan || !plan->robot) return fail_null(err);
    const pkm_robot* robot = plan->robot;
    // what is refused below leaves the engine, which always serves
    plan->label[0] = '\0';
    plan->method = PKM_METHOD_ENGINE;
    if (method == PKM_METHOD_ENGINE) return PKM_OK;
    if (!robot->closed)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: no closed form, expected the engine",
                        robot->desc->name);
    if (pkm_joint_limits_passive(robot))
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "%s: joints without a drive have limits, which the closed form does not "
                        "know, expected the engine",
                        robot->desc->name);
    pkm_closed_config list[PKM_CLOSED_MAX_BRANCH];
    int home;
    if (home_solutions(robot, list, &home) == 0)
        return pkm_fail(err, PKM_ERR_UNREACHABLE, "%s: the closed form does not reach home",
                        robot->desc->name);
    take_solution(plan, list, home);
    plan->method = method;
    return PKM_OK;
}

pkm_status pkm_workspace_plan_set_branch(pkm_workspace_plan* plan, int number, pkm_error* err)
{
    if (!plan || !plan->robot) return fail_null(err);
    if (plan->method != PKM_METHOD_CLOSED)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "branch: the engine stays in home's working mode, expected another home "
                        "or a closed form");
    pkm_closed_config list[PKM_CLOSED_MAX_BRANCH];
    int home;
    const int n = home_solutions(plan->robot, list, &home);
    if (number < 1 || number > n)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "branch: %d, expected 1 to %d", number, n);
    take_solution(plan, list, number - 1);
    return PKM_OK;
}

pkm_status pkm_workspace_plan_set_orientation(pkm_workspace_plan* plan, pkm_quat orientation,
                                              pkm_error* err)
{
    if (!plan || !plan->robot) return fail_null(err);
    const pkm_robot* robot = plan->robot;
    const double norm = orientation.w * orientation.w + orientation.x * orientation.x +
                        orientation.y * orientation.y + orientation.z * orientation.z;
    // norm is |q|^2
    if (!(fabs(norm - 1.0) < 1e-9))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "orientation: expected a unit quaternion");
    const int axis = pkm_turn_refused(robot, orientation, 1e-9);
    if (axis != PKM_NONE)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "orientation: the tool of %s does not turn about %c, expected home's "
                        "orientation up to turns that it moves in",
                        robot->desc->name, 'x' + axis);
    plan->orientation = orientation;
    return PKM_OK;
}

// ---- the map ----------------------------------------------------------------------------------

/// The closed-form sampler with somebody watching.
typedef struct watched {
    pkm_workspace_closed closed;
    const pkm_workspace_plan* plan;
    double n_point;
    int n_done;
    bool stopped;
} watched;

static pkm_status sample_watched(void* user, const pkm_vec3* position, pkm_workspace_sample* out)
{
    watched* w = user;
    if (w->stopped) return PKM_RETRY;
    // a sample takes a microsecond: asked at each, progress would cost more than the map
    if (w->n_done++ % 4096 == 0 && w->plan->progress &&
        !w->plan->progress(w->plan->user, w->n_done / w->n_point)) {
        w->stopped = true;
        return PKM_RETRY;
    }
    return pkm_workspace_sample_closed(&w->closed, position, out);
}

/// The same for borders.
static pkm_status reach_watched(void* user, const pkm_vec3* position, pkm_workspace_sample* out)
{
    const watched* w = user;
    if (w->stopped) return PKM_RETRY;
    pkm_workspace_reach_closed(&w->closed, position, out);
    return PKM_OK;
}

void pkm_workspace_plan_closed(const pkm_workspace_plan* plan, pkm_workspace_closed* out,
                               double* lower, double* upper)
{
    const pkm_robot* robot = plan->robot;
    *out = (pkm_workspace_closed){.closed = robot->closed,
                                  .orientation = plan->orientation,
                                  .branch = PKM_NONE,
                                  .solution = plan->solution,
                                  .lower = lower,
                                  .upper = upper};
    for (int d = 0; d < robot->mech->n_drive; ++d) {
        pkm_drive_range(robot, d, &lower[d], &upper[d]);
        // angles are limited modulo a turn, lengths are not
        if (robot->mech->drive[d].is_rotary) out->rotary |= 1u << d;
    }
}

static pkm_status map_closed(const pkm_workspace_plan* plan, const pkm_workspace_settings* settings,
                             pkm_table* table, pkm_workspace_report* report, pkm_error* err)
{
    const int* n = settings->grid.n;
    double lower[PKM_MAX_DRIVE], upper[PKM_MAX_DRIVE];
    watched w = {.plan = plan, .n_point = (double)n[0] * n[1] * n[2]};
    pkm_workspace_plan_closed(plan, &w.closed, lower, upper);
    return pkm_workspace_map(settings, sample_watched, &w, table, report, err);
}

static pkm_status map_engine(const pkm_workspace_plan* plan, const pkm_workspace_settings* settings,
                             pkm_table* table, pkm_workspace_report* report, pkm_error* err)
{
    pkm_workspace_engine* engine = NULL;
    PKM_TRY(
        pkm_workspace_engine_create(plan->robot, &settings->grid, plan->orientation, &engine, err));
    pkm_status status = pkm_workspace_engine_run(engine, plan->progress, plan->user, err);
    if (status == PKM_OK)
        status =
            pkm_workspace_map(settings, pkm_workspace_sample_engine, engine, table, report, err);
    pkm_workspace_engine_free(engine);
    // samples between points moved it
    pkm_robot_go_home(plan->robot);
    return status;
}

/// Unit of the singular values of J: of the tool's speed per drive rate.
static const char* sigma_unit(const pkm_mechanism* mech)
{
    int n_rotary = 0;
    for (int d = 0; d < mech->n_drive; ++d)
        n_rotary += mech->drive[d].is_rotary;
    // of lengths it is a number; mixed drives have no unit in common
    return n_rotary == mech->n_drive ? "m/rad" : "";
}

/// The tool point stays where it is along the axes in which it does not move.
static pkm_status check_axes(const pkm_workspace_plan* plan, const pkm_workspace_grid* grid,
                             pkm_error* err)
{
    const pkm_vec3 home = plan->robot->tool_home.p;
    const double at[3] = {grid->from.x, grid->from.y, grid->from.z};
    const double only[3] = {home.x, home.y, home.z};
    // a place that was told with the nine digits of the message below
    const double least = 1e-9 * fmax(1.0, plan->robot->mech->size);
    for (int k = 0; k < 3; ++k) {
        if (pkm_workspace_plan_axes(plan) >> k & 1u) continue;
        if (grid->n[k] == 1 && fabs(at[k] - only[k]) <= least) continue;
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "workspace: the tool point of %s does not move along %c, expected %c = "
                        "%.9g m only",
                        plan->robot->desc->name, 'x' + k, 'x' + k, only[k]);
    }
    return PKM_OK;
}

pkm_status pkm_workspace_plan_check(const pkm_workspace_plan* plan, const pkm_workspace_grid* grid,
                                    pkm_error* err)
{
    PKM_TRY(pkm_workspace_grid_check(grid, err));
    return check_axes(plan, grid, err);
}

pkm_status pkm_workspace_plan_map(const pkm_workspace_plan* plan, const pkm_workspace_grid* grid,
                                  pkm_table* table, pkm_workspace_report* report, pkm_error* err)
{
    if (!plan || !plan->robot || !grid || !table) return fail_null(err);
    PKM_HOLD(plan->robot, err);
    PKM_TRY(pkm_workspace_plan_check(plan, grid, err));
    pkm_workspace_settings settings = pkm_workspace_settings_defaults();
    settings.grid = *grid;
    settings.sigma_unit = sigma_unit(plan->robot->mech);
    settings.reach_edge = plan->reach_edge;
    settings.limits_edge = plan->limits_edge;
    // the flood has noted where its ways ended; closed forms bisect by their samples
    if (plan->method == PKM_METHOD_CLOSED) settings.reach = reach_watched;
    if (plan->method == PKM_METHOD_ENGINE) settings.edge = pkm_workspace_engine_edge;
    if (plan->method == PKM_METHOD_ENGINE) settings.between = pkm_workspace_engine_between;
    return plan->method == PKM_METHOD_CLOSED ? map_closed(plan, &settings, table, report, err)
                                             : map_engine(plan, &settings, table, report, err);
}
