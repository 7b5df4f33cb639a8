// What a map tells people and programs: keys with `_` are for sentences, the others are data.
#include "workspace/workspace_result.h"

#include "base/error.h"
#include "math/quat.h"
#include "robot/inverse_result.h"

#include <math.h>
#include <stdio.h>

int pkm_workspace_grid_axis(const pkm_workspace_grid* grid, int axis, double* from, double* to)
{
    PKM_ASSERT(axis >= 0 && axis < 3);
    const double first[] = {grid->from.x, grid->from.y, grid->from.z};
    const double last[] = {grid->to.x, grid->to.y, grid->to.z};
    *from = first[axis];
    *to = last[axis];
    return grid->n[axis];
}

void pkm_workspace_method_name(const pkm_workspace_plan* plan, char* out, size_t size)
{
    if (plan->method == PKM_METHOD_CLOSED)
        snprintf(out, size, "closed form %s, %s", pkm_robot_closed_form(plan->robot), plan->label);
    else
        snprintf(out, size, "general engine, from home");
}

static const char* size_unit(int dimension)
{
    static const char* const unit[] = {"", "m", "m2", "m3"};
    return unit[dimension];
}

/// The distance at the grid point nearest to home; -1 where the grid has no trouble.
static double home_distance(const pkm_workspace_work* run)
{
    const int row = pkm_workspace_grid_nearest(&run->grid, pkm_robot_tool_home(run->plan->robot).p);
    return pkm_table_get(run->table, row, pkm_table_find(run->table, "distance"));
}

static void put_grid(pkm_result* in, const pkm_workspace_grid* grid)
{
    static const char* const name[] = {"x", "y", "z"};
    const double n[3] = {grid->n[0], grid->n[1], grid->n[2]};
    pkm_result *out = pkm_result_group(in, "grid"), *axes = pkm_result_list(in, "_axes");
    pkm_result_vec(out, "from", "m", grid->from);
    pkm_result_vec(out, "to", "m", grid->to);
    pkm_result_numbers(out, "points", "", n, 3);
    for (int k = 0; k < 3; ++k) {
        double from, to;
        const int points = pkm_workspace_grid_axis(grid, k, &from, &to);
        pkm_result* item = pkm_result_group(axes, NULL);
        pkm_result_text(item, "what", k == 0 ? "grid" : "");
        pkm_result_text(item, "axis", name[k]);
        pkm_result_integer(item, "points", points);
        // a sentence says "from .. to" or "only"; NaN leaves its part out
        pkm_result_number(item, "_from", "m", points > 1 ? from : NAN);
        pkm_result_number(item, "_to", "m", to);
        pkm_result_number(item, "_only", "m", points > 1 ? NAN : from);
    }
}

/// Is a point at an end of the grid in reach, or in the limits, as the column says? Then the size
/// is that of a part.
static bool goes_beyond(const pkm_workspace_work* run, const char* name)
{
    const int column = pkm_table_find(run->table, name);
    const int* n = run->grid.n;
    const int stride[3] = {1, n[0], n[0] * n[1]};
    for (int row = 0; run->complete && row < pkm_table_n_row(run->table); ++row)
        for (int k = 0; k < 3; ++k) {
            // rows of the table are grid points, x first
            const int place = row / stride[k] % n[k];
            const bool is_end = n[k] > 1 && (place == 0 || place == n[k] - 1);
            if (is_end && pkm_table_get(run->table, row, column) > 0.0) return true;
        }
    return false;
}

static void put_extreme(pkm_result* in, const char* key, const char* what, double value,
                        pkm_vec3 at)
{
    pkm_result* out = pkm_result_group(in, key);
    pkm_result_number(out, what, "", value);
    pkm_result_vec(out, "position", "m", at);
}

/// An error is that of a size: where the set goes on beyond the grid, none is told to people.
static void put_parts(pkm_result* in, const pkm_workspace_work* run)
{
    const bool has_size = run->report.dimension > 0, beyond = goes_beyond(run, "reachable");
    const bool limits_beyond = goes_beyond(run, "in_limits");
    pkm_result_bool(in, "beyond", beyond);
    pkm_result_bool(in, "_whole", has_size && !beyond);
    pkm_result_bool(in, "_part", has_size && beyond);
    pkm_result_bool(in, "_limits_whole", has_size && !limits_beyond);
    pkm_result_bool(in, "_limits_part", has_size && limits_beyond);
}

static void put_report(pkm_result* in, const pkm_workspace_work* run)
{
    const pkm_workspace_report* r = &run->report;
    const char* unit = size_unit(r->dimension);
    pkm_result_integer(in, "points", r->n_point);
    pkm_result_integer(in, "reachable", r->n_reachable);
    pkm_result_integer(in, "in_limits", r->n_in_limits);
    pkm_result_integer(in, "singular", r->n_singular);
    pkm_result_bool(in, "_one", r->n_singular == 1);
    pkm_result_integer(in, "dimension", r->dimension);
    put_parts(in, run);
    pkm_result_text(in, "size_unit", unit);
    pkm_result_number(in, "size", unit, r->size);
    pkm_result_number(in, "size_error", unit, r->size_error);
    pkm_result_number(in, "size_in_limits", unit, r->limits_size);
    pkm_result_number(in, "size_in_limits_error", unit, r->limits_size_error);
    pkm_result_bool(in, "has_limits", pkm_workspace_plan_has_limits(run->plan));
    pkm_result_number(in, "_share", "",
                      r->n_reachable ? 100.0 * r->n_in_limits / r->n_reachable : 0.0);
    pkm_result_number(in, "mean_dexterity", "", r->mean_dexterity);
    if (r->n_reachable == 0) return;
    put_extreme(in, "best", "condition", r->best_condition, r->best_position);
    put_extreme(in, "worst", "condition", r->worst_condition, r->worst_position);
    // (3) has no value on a grid without trouble
    if (isinf(r->largest_distance)) return;
    put_extreme(in, "nearest", "distance", r->least_distance, r->least_position);
    put_extreme(in, "farthest", "distance", r->largest_distance, r->largest_position);
    if (run->complete) pkm_result_number(in, "home_distance", "m", home_distance(run));
}

/// The manifest's results.
static void put_headlines(pkm_result* in, const pkm_workspace_work* run)
{
    const pkm_workspace_report* r = &run->report;
    const char* unit = size_unit(r->dimension);
    pkm_result* list = pkm_result_list(in, "_headlines");
    pkm_headline_result(list, "points", r->n_point, "");
    pkm_headline_result(list, "reachable points", r->n_reachable, "");
    pkm_headline_result(list, "size", r->size, unit);
    pkm_headline_result(list, "size_error", r->size_error, unit);
    pkm_headline_result(list, "size in limits", r->limits_size, unit);
    pkm_headline_result(list, "best condition", r->best_condition, "");
    pkm_headline_result(list, "mean dexterity", r->mean_dexterity, "");
}

void pkm_workspace_result(const pkm_workspace_work* run, pkm_result* out)
{
    char method[128];
    pkm_workspace_method_name(run->plan, method, sizeof method);
    pkm_result_text(out, "name", pkm_robot_name(run->plan->robot));
    pkm_result_text(out, "method", run->plan->method == PKM_METHOD_CLOSED ? "closed" : "engine");
    pkm_result_text(out, "_method", method);
    pkm_result_text(out, "working_mode", run->plan->label);
    pkm_result_vec(out, "rpy", "rad", pkm_quat_to_rpy(run->plan->orientation));
    put_grid(out, &run->grid);
    pkm_result_bool(out, "complete", run->complete);
    put_report(out, run);
    put_headlines(out, run);
}
