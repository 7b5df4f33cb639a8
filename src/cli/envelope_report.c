#include "cli/envelope_report.h"

#include <math.h>
#include <stdio.h>

const char* cli_envelope_axis(int axis)
{
    static const char* const name[] = {"x", "y", "z", "rx", "ry", "rz"};
    return name[axis];
}

const char* cli_envelope_unit(int axis)
{
    return axis < 3 ? "m" : "rad";
}

/// People read millimetres and milliradians.
static const char* small_unit(int axis)
{
    return axis < 3 ? "mm" : "mrad";
}

static const char* tool_name(const cli_envelope_work* env)
{
    const pkm_mechanism* mech = env->robot->mech;
    return pkm_short_name(mech->marker[mech->tool].name);
}

static const char* motion_name(const cli_envelope_work* env)
{
    return pkm_motion_name(env->robot->desc->motion[env->motion].motion);
}

/// The larger of both ways along an axis, in magnitude.
static double larger_way(const cli_envelope_work* env, int axis, bool closed)
{
    const pkm_extreme_pose *plus = &env->extreme[2 * axis], *minus = plus + 1;
    if (!closed) return fmax(plus->value, minus->value);
    return fmax(fabs(plus->closed[axis]), fabs(minus->closed[axis]));
}

// ---- for people -------------------------------------------------------------------------------

static void print_vec(const char* words, pkm_vec3 v)
{
    // half of the last digit is zero, without a sign
    const double x = fabs(v.x) < 5e-5 ? 0.0 : v.x, y = fabs(v.y) < 5e-5 ? 0.0 : v.y;
    printf("%s(%.4f, %.4f, %.4f)", words, x, y, fabs(v.z) < 5e-5 ? 0.0 : v.z);
}

static void print_axes(const cli_envelope_work* env)
{
    printf("largest error along    first order   linear program     loops closed\n");
    for (int axis = 0; axis < PKM_ERROR_AXES; ++axis)
        printf("  %-16s %15.6g %16.6g %16.6g  %s\n", cli_envelope_axis(axis),
               1e3 * env->here.most[axis], 1e3 * larger_way(env, axis, false),
               1e3 * larger_way(env, axis, true), small_unit(axis));
}

static void print_longest(const char* what, double value, double closed, const char* unit,
                          const char* words, pkm_vec3 along)
{
    printf("%s %.6g %s ", what, 1e3 * value, unit);
    print_vec(words, along);
    printf(", loops closed %.6g %s\n", 1e3 * closed, unit);
}

static void print_ellipsoid(const char* what, const pkm_ellipsoid* e, const char* unit)
{
    printf("all %s lie in the ellipsoid with the half axes\n", what);
    for (int k = 0; k < 3; ++k) {
        printf("  %-12.6g %-4s ", 1e3 * e->semi[k], unit);
        print_vec("along ", e->axis[k]);
        printf("\n");
    }
}

static void print_contributions(const cli_envelope_work* env)
{
    const pkm_regions* regions = &env->set.seat.regions;
    printf("\njoint             adds to the largest shift       to the largest turn\n");
    for (int k = 0; k < regions->n; ++k) {
        const pkm_joint_region* item = &regions->item[k];
        const double shift = env->contribution[k], turn = env->contribution[regions->n + k];
        printf("  %-16s %10.4g mm %6.1f %%   %12.4g mrad %6.1f %%%s\n",
               env->robot->mech->joint[item->joint].name, 1e3 * shift,
               env->here.shift > 0.0 ? 100.0 * shift / env->here.shift : 0.0, 1e3 * turn,
               env->here.turn > 0.0 ? 100.0 * turn / env->here.turn : 0.0,
               item->on_b ? "  second pin" : "");
    }
}

static void print_pose(const cli_envelope_work* env)
{
    const pkm_envelope* e = &env->here;
    const int n = env->run->effects.n_clearance;
    printf("%s, clearance in %d joint%s, drives held, %s at ", env->robot->desc->name, n,
           n == 1 ? "" : "s", tool_name(env));
    print_vec("", env->set.tool.p);
    printf(" m\n\n");
    print_axes(env);
    printf("\n");
    print_longest("largest shift", e->shift, e->shift_closed, "mm", "along ", e->shift_along);
    print_longest("largest turn ", e->turn, e->turn_closed, "mrad", "about ", e->turn_about);
    print_ellipsoid("shifts", &e->shifts, "mm");
    print_ellipsoid("turns", &e->turns, "mrad");
    print_contributions(env);
}

/// Largest value of a column of the tool, with its time.
static double most(const cli_envelope_work* env, const char* quantity, double* t)
{
    char name[2 * PKM_MAX_NAME];
    int row = 0;
    snprintf(name, sizeof name, "%s.%s", tool_name(env), quantity);
    const double value =
        pkm_table_reduce(env->table, pkm_table_find(env->table, name), PKM_REDUCE_MAX, &row);
    *t = pkm_table_get(env->table, row, 0);
    return value;
}

static const struct {
    const char *column, *words;
    int axis;
} along[] = {{"ex", "error along x", 0},
             {"ey", "error along y", 1},
             {"ez", "error along z", 2},
             {"erx", "turn about x", 3},
             {"ery", "turn about y", 4},
             {"erz", "turn about z", 5},
             {"shift", "shift in any direction", 0},
             {"shift_closed", "the same, loops closed", 0},
             {"turn", "turn about any axis", 3},
             {"turn_closed", "the same, loops closed", 3},
             {"a1", "longest axis of ellipsoid", 0}};
enum { N_ALONG = sizeof along / sizeof along[0] };

static void print_motion(const cli_envelope_work* env)
{
    const int n = env->run->effects.n_clearance;
    printf("%s, motion %s: %d instants over %.6g s, clearance in %d joint%s, drives held\n\n",
           env->robot->desc->name, motion_name(env), env->report.n_done, env->report.t_end, n,
           n == 1 ? "" : "s");
    printf("largest of %-20s      bound   at t [s]\n", tool_name(env));
    for (int k = 0; k < N_ALONG; ++k) {
        double t;
        const double value = most(env, along[k].column, &t);
        printf("  %-26s %12.6g   %8.4g  %s\n", along[k].words, 1e3 * value, t,
               small_unit(along[k].axis));
    }
}

void cli_envelope_print(const cli_envelope_work* env)
{
    env->along_motion ? print_motion(env) : print_pose(env);
    printf("\nresults in %s\n", env->folder);
}

// ---- for machines -----------------------------------------------------------------------------

static void put_vec(pkm_json* json, const char* key, pkm_vec3 v)
{
    pkm_json_key(json, key);
    pkm_json_array_begin(json);
    pkm_json_number(json, v.x);
    pkm_json_number(json, v.y);
    pkm_json_number(json, v.z);
    pkm_json_array_end(json);
}

static void put_ellipsoid(pkm_json* json, const char* key, const pkm_ellipsoid* e)
{
    pkm_json_key(json, key);
    pkm_json_array_begin(json);
    for (int k = 0; k < 3; ++k) {
        pkm_json_object_begin(json);
        pkm_json_put_number(json, "semi_axis", e->semi[k]);
        put_vec(json, "along", e->axis[k]);
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
}

static void put_pose(pkm_json* json, const cli_envelope_work* env)
{
    const pkm_envelope* e = &env->here;
    const pkm_regions* regions = &env->set.seat.regions;
    put_vec(json, "at", env->set.tool.p);
    pkm_json_key(json, "axes");
    pkm_json_array_begin(json);
    for (int axis = 0; axis < PKM_ERROR_AXES; ++axis) {
        pkm_json_object_begin(json);
        pkm_json_put_string(json, "axis", cli_envelope_axis(axis));
        pkm_json_put_string(json, "unit", cli_envelope_unit(axis));
        pkm_json_put_number(json, "bound", e->most[axis]);
        pkm_json_put_number(json, "linear_program", larger_way(env, axis, false));
        pkm_json_put_number(json, "closed", larger_way(env, axis, true));
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
    pkm_json_put_number(json, "shift", e->shift);
    pkm_json_put_number(json, "shift_closed", e->shift_closed);
    put_vec(json, "shift_along", e->shift_along);
    pkm_json_put_number(json, "turn", e->turn);
    pkm_json_put_number(json, "turn_closed", e->turn_closed);
    put_vec(json, "turn_about", e->turn_about);
    put_ellipsoid(json, "shift_ellipsoid", &e->shifts);
    put_ellipsoid(json, "turn_ellipsoid", &e->turns);
    pkm_json_key(json, "joints");
    pkm_json_array_begin(json);
    for (int k = 0; k < regions->n; ++k) {
        const pkm_joint_region* item = &regions->item[k];
        pkm_json_object_begin(json);
        pkm_json_put_string(json, "name", env->robot->mech->joint[item->joint].name);
        pkm_json_put_integer(json, "pin", item->on_b ? 2 : 1);
        pkm_json_put_number(json, "shift", env->contribution[k]);
        pkm_json_put_number(json, "turn", env->contribution[regions->n + k]);
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
}

static void put_motion(pkm_json* json, const cli_envelope_work* env)
{
    pkm_json_put_string(json, "motion", motion_name(env));
    pkm_json_put_integer(json, "instants", env->report.n_done);
    pkm_json_put_number(json, "duration", env->report.t_end);
    pkm_json_put_number(json, "nonlinearity", env->report.nonlinearity);
    pkm_json_key(json, "bounds");
    pkm_json_array_begin(json);
    for (int k = 0; k < N_ALONG; ++k) {
        double t;
        const double value = most(env, along[k].column, &t);
        pkm_json_object_begin(json);
        pkm_json_put_string(json, "name", along[k].column);
        pkm_json_put_string(json, "unit", cli_envelope_unit(along[k].axis));
        pkm_json_put_number(json, "value", value);
        pkm_json_put_number(json, "t", t);
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
}

void cli_envelope_put(const void* user, pkm_json* json)
{
    const cli_envelope_work* env = user;
    pkm_json_put_string(json, "name", env->robot->desc->name);
    pkm_json_put_string(json, "tool", tool_name(env));
    pkm_json_put_integer(json, "clearance_joints", env->run->effects.n_clearance);
    pkm_json_put_integer(json, "redundant", env->set.seat.share.n_free);
    env->along_motion ? put_motion(json, env) : put_pose(json, env);
    pkm_json_put_number(json, "wall_time", env->wall_time);
    pkm_json_put_string(json, "folder", env->folder);
}

int cli_envelope_print_json(const cli_envelope_work* env)
{
    cli_json out;
    if (!cli_json_begin(&out)) return 1;
    cli_envelope_put(env, &out.json);
    return cli_json_end(&out);
}
