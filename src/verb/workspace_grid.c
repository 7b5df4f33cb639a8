// The grid from what was said of it; what was not is chosen from the reach of the robot, so that
// the map ends outside of what can be reached.
#include "verb/workspace_grid.h"

#include "base/error.h"
#include "workspace/workspace.h"
#include "workspace/workspace_choice.h"

#include <string.h>

static double* component(pkm_vec3* v, int axis)
{
    return axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z;
}

/// The next part of `text` before `separator` or its end, copied to `out`; NULL when it is too
/// long. Returns what follows, NULL at the end.
static const char* cut_part(const char* text, char separator, char* out, size_t size)
{
    const char* end = strchr(text, separator);
    const size_t length = end ? (size_t)(end - text) : strlen(text);
    const size_t kept = length < size ? length : size - 1;
    memcpy(out, text, kept);
    out[kept] = '\0';
    return end ? end + 1 : NULL;
}

/// "X0:X1:N", or "X" for one point.
static pkm_status read_axis(const char* text, int axis, pkm_workspace_grid* out, pkm_error* err)
{
    char part[3][64];
    int n = 0;
    const char* rest = text;
    while (rest && n < 3)
        rest = cut_part(rest, ':', part[n++], sizeof part[0]);
    // FROM:TO without a number of points would be a guess
    if (rest || n == 2)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--grid: '%s', expected FROM:TO:POINTS or a value",
                        text);
    PKM_TRY(pkm_verb_number(part[0], "m", "--grid", component(&out->from, axis), err));
    *component(&out->to, axis) = *component(&out->from, axis);
    if (n == 1) return PKM_OK;
    PKM_TRY(pkm_verb_number(part[1], "m", "--grid", component(&out->to, axis), err));
    return pkm_verb_integer(part[2], 1, "--grid", &out->n[axis], err);
}

/// Axes that are not written stay at home.
static pkm_status read_grid(const char* text, pkm_workspace_grid* out, pkm_error* err)
{
    char part[256];
    const char* rest = text;
    for (int axis = 0; rest; ++axis) {
        if (axis == 3)
            return pkm_fail(err, PKM_ERR_ARGUMENT, "--grid: more than three axes in '%s'", text);
        rest = cut_part(rest, ',', part, sizeof part);
        PKM_TRY(read_axis(part, axis, out, err));
    }
    return PKM_OK;
}

/// "z=-0.9" gives axis and value; "z" alone is the one through home.
static pkm_status read_slice(const char* text, pkm_vec3 home, int* axis, double* value,
                             pkm_error* err)
{
    *axis = text[0] - 'x';
    if (*axis < 0 || *axis > 2 || (text[1] != '=' && text[1] != '\0'))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--slice: '%s', expected x=X, y=Y or z=Z", text);
    *value = *component(&home, *axis);
    return text[1] ? pkm_verb_number(text + 2, "m", "--slice", value, err) : PKM_OK;
}

/// What --grid says; a slice takes the points along its axis.
static pkm_status written_grid(const char* text, pkm_vec3 home, const pkm_workspace_choice* choice,
                               pkm_workspace_grid* out, pkm_error* err)
{
    // axes that the text does not name stay at home, one point each
    *out = (pkm_workspace_grid){home, home, {1, 1, 1}};
    PKM_TRY(read_grid(text, out, err));
    if (choice->slice == PKM_NONE) return PKM_OK;
    // the slice says where its axis stands, whatever the grid has for it
    out->n[choice->slice] = 1;
    *component(&out->from, choice->slice) = *component(&out->to, choice->slice) = choice->slice_at;
    return PKM_OK;
}

static pkm_status choose_grid(const pkm_verb_arguments* args, const pkm_workspace_plan* plan,
                              int n_plane, pkm_workspace_grid* out, pkm_error* err)
{
    const char *grid = pkm_verb_get(args, "--grid"), *slice = pkm_verb_get(args, "--slice"),
               *points = pkm_verb_get(args, "--points");
    const pkm_vec3 home = pkm_robot_tool_home(plan->robot).p;
    pkm_workspace_choice choice = {
        .slice = PKM_NONE, .volume = pkm_verb_has(args, "--volume"), .n_plane = n_plane};
    if (slice && choice.volume)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--slice and --volume: expected one of them");
    if (grid && (choice.volume || points))
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "--grid has its own points, expected no --volume or --points");
    if (slice) PKM_TRY(read_slice(slice, home, &choice.slice, &choice.slice_at, err));
    if (grid) return written_grid(grid, home, &choice, out, err);
    if (points) PKM_TRY(pkm_verb_integer(points, 2, "--points", &choice.n_point, err));
    return pkm_workspace_choose_grid(plan, &choice, out, err);
}

pkm_status pkm_verb_workspace_grid(const pkm_verb_arguments* args, const pkm_workspace_plan* plan,
                                   int n_plane, pkm_workspace_grid* out, pkm_error* err)
{
    PKM_TRY(choose_grid(args, plan, n_plane, out, err));
    return pkm_workspace_grid_check(out, err);
}
