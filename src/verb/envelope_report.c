#include "verb/envelope_report.h"

#include "robot/inverse_result.h"
#include "table/column.h"
#include "verb/run_folder.h"

#include <math.h>
#include <stdio.h>

const char* pkm_verb_envelope_axis(int axis)
{
    static const char* const name[] = {"x", "y", "z", "rx", "ry", "rz"};
    return name[axis];
}

const char* pkm_verb_envelope_unit(int axis)
{
    return axis < 3 ? "m" : "rad";
}

/// People read millimetres and milliradians.
static const char* small_unit(int axis)
{
    return axis < 3 ? "mm" : "mrad";
}

static const char* tool_name(const pkm_verb_envelope_work* env)
{
    const pkm_mechanism* mech = env->robot->mech;
    return pkm_short_name(mech->marker[mech->tool].name);
}

static const char* motion_name(const pkm_verb_envelope_work* env)
{
    return pkm_motion_name(env->robot->desc->motion[env->motion].motion);
}

/// The larger of both ways along an axis, in magnitude.
static double larger_way(const pkm_verb_envelope_work* env, int axis, bool closed)
{
    const pkm_extreme_pose *plus = &env->extreme[2 * axis], *minus = plus + 1;
    if (!closed) return fmax(plus->value, minus->value);
    return fmax(fabs(plus->closed[axis]), fabs(minus->closed[axis]));
}

/// Largest value of a column of the tool, with its time.
static double most(const pkm_verb_envelope_work* env, const char* quantity, double* t)
{
    int row = 0;
    const int column = pkm_table_find_item(env->table, tool_name(env), quantity);
    const double value = pkm_table_reduce(env->table, column, PKM_REDUCE_MAX, &row);
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

// ---- at a pose --------------------------------------------------------------------------------

static const char pose_text[] =
    "{name}, clearance in {clearance_joints:d} joint[{!_one}s], drives held, {tool} at "
    "({_at:.4f/, }) m\n\n"
    "largest error along    first order   linear program     loops closed\n"
    "{*axes}  {axis:-16s} {bound:15.6g|1e3} {linear_program:16.6g|1e3} {closed:16.6g|1e3}  "
    "{_unit}\n{/}"
    "\nlargest shift {shift:.6g|1e3} mm along ({_shift_along:.4f/, }), loops closed "
    "{shift_closed:.6g|1e3} mm\n"
    "largest turn  {turn:.6g|1e3} mrad about ({_turn_about:.4f/, }), loops closed "
    "{turn_closed:.6g|1e3} mrad\n"
    "all shifts lie in the ellipsoid with the half axes\n"
    "{*shift_ellipsoid}  {semi_axis:-12.6g|1e3} mm   along ({_along:.4f/, })\n{/}"
    "all turns lie in the ellipsoid with the half axes\n"
    "{*turn_ellipsoid}  {semi_axis:-12.6g|1e3} mrad along ({_along:.4f/, })\n{/}"
    "\njoint             adds to the largest shift       to the largest turn\n"
    "{*joints}  {name:-16s} {shift:10.4g|1e3} mm {_shift:6.1f} %   {turn:12.4g|1e3} mrad "
    "{_turn:6.1f} %[{?_second}  second pin]\n{/}"
    "[\nresults in {folder}\n]";

/// A vector, and for people with half of the last digit shown as zero.
static void put_vec(pkm_result* in, const char* key, const char* shown, pkm_vec3 v)
{
    pkm_result_vec(in, key, "", v);
    pkm_result_vec(in, shown, "",
                   (pkm_vec3){fabs(v.x) < 5e-5 ? 0.0 : v.x, fabs(v.y) < 5e-5 ? 0.0 : v.y,
                              fabs(v.z) < 5e-5 ? 0.0 : v.z});
}

static void put_axes(pkm_result* in, const pkm_verb_envelope_work* env)
{
    pkm_result* list = pkm_result_list(in, "axes");
    for (int axis = 0; axis < PKM_ERROR_AXES; ++axis) {
        pkm_result* item = pkm_result_group(list, NULL);
        pkm_result_text(item, "axis", pkm_verb_envelope_axis(axis));
        pkm_result_text(item, "unit", pkm_verb_envelope_unit(axis));
        pkm_result_text(item, "_unit", small_unit(axis));
        pkm_result_number(item, "bound", "", env->here.most[axis]);
        pkm_result_number(item, "linear_program", "", larger_way(env, axis, false));
        pkm_result_number(item, "closed", "", larger_way(env, axis, true));
    }
}

static void put_ellipsoid(pkm_result* in, const char* key, const pkm_ellipsoid* e)
{
    pkm_result* list = pkm_result_list(in, key);
    for (int k = 0; k < 3; ++k) {
        pkm_result* item = pkm_result_group(list, NULL);
        pkm_result_number(item, "semi_axis", "", e->semi[k]);
        put_vec(item, "along", "_along", e->axis[k]);
    }
}

static void put_joints(pkm_result* in, const pkm_verb_envelope_work* env)
{
    const pkm_regions* regions = &env->set.seat.regions;
    const pkm_envelope* e = &env->here;
    pkm_result* list = pkm_result_list(in, "joints");
    for (int k = 0; k < regions->n; ++k) {
        const pkm_joint_region* joint = &regions->item[k];
        const double shift = env->contribution[k], turn = env->contribution[regions->n + k];
        pkm_result* item = pkm_result_group(list, NULL);
        pkm_result_text(item, "name", env->robot->mech->joint[joint->joint].name);
        pkm_result_integer(item, "pin", joint->on_b ? 2 : 1);
        pkm_result_bool(item, "_second", joint->on_b);
        pkm_result_number(item, "shift", "m", shift);
        pkm_result_number(item, "turn", "", turn);
        pkm_result_number(item, "_shift", "", e->shift > 0.0 ? 100.0 * shift / e->shift : 0.0);
        pkm_result_number(item, "_turn", "", e->turn > 0.0 ? 100.0 * turn / e->turn : 0.0);
    }
}

static void put_pose(pkm_result* in, const pkm_verb_envelope_work* env)
{
    const pkm_envelope* e = &env->here;
    put_vec(in, "at", "_at", env->set.tool.p);
    put_axes(in, env);
    pkm_result_number(in, "shift", "m", e->shift);
    pkm_result_number(in, "shift_closed", "m", e->shift_closed);
    put_vec(in, "shift_along", "_shift_along", e->shift_along);
    pkm_result_number(in, "turn", "", e->turn);
    pkm_result_number(in, "turn_closed", "", e->turn_closed);
    put_vec(in, "turn_about", "_turn_about", e->turn_about);
    put_ellipsoid(in, "shift_ellipsoid", &e->shifts);
    put_ellipsoid(in, "turn_ellipsoid", &e->turns);
    put_joints(in, env);
}

// ---- along a motion ---------------------------------------------------------------------------

static const char motion_text[] =
    "{name}, motion {motion}: {instants:d} instants over {duration:.6g} s, clearance in "
    "{clearance_joints:d} joint[{!_one}s], drives held\n\n"
    "largest of {tool:-20s}      bound   at t \\[s\\]\n"
    "{*bounds}  {_words:-26s} {value:12.6g|1e3}   {t:8.4g}  {_unit}\n{/}"
    "[\nresults in {folder}\n]";

static void put_motion(pkm_result* in, const pkm_verb_envelope_work* env)
{
    pkm_result_text(in, "motion", motion_name(env));
    pkm_result_integer(in, "instants", env->report.n_done);
    pkm_result_number(in, "duration", "s", env->report.t_end);
    pkm_result_number(in, "nonlinearity", "m", env->report.nonlinearity);
    pkm_result* list = pkm_result_list(in, "bounds");
    for (int k = 0; k < N_ALONG; ++k) {
        double t;
        const double value = most(env, along[k].column, &t);
        pkm_result* item = pkm_result_group(list, NULL);
        pkm_result_text(item, "name", along[k].column);
        pkm_result_text(item, "_words", along[k].words);
        pkm_result_text(item, "unit", pkm_verb_envelope_unit(along[k].axis));
        pkm_result_text(item, "_unit", small_unit(along[k].axis));
        pkm_result_number(item, "value", "", value);
        pkm_result_number(item, "t", "s", t);
    }
}

// ---- all --------------------------------------------------------------------------------------

/// Bounds of the six axes, of shifts and of turns: the headlines.
static void put_headlines(pkm_result* in, const pkm_verb_envelope_work* env)
{
    static const char* const quantity[] = {"ex", "ey", "ez", "erx", "ery", "erz", "shift", "turn"};
    pkm_result* list = pkm_result_list(in, "_headlines");
    for (int k = 0; k < PKM_ERROR_AXES + 2; ++k) {
        char name[PKM_MAX_NAME + 32];
        double t, value = k < PKM_ERROR_AXES ? env->here.most[k]
                          : k == 6           ? env->here.shift
                                             : env->here.turn;
        if (env->along_motion) value = most(env, quantity[k], &t);
        snprintf(name, sizeof name, "max %s.%s", tool_name(env), quantity[k]);
        pkm_headline_result(list, name, value,
                            k == 6   ? "m"
                            : k == 7 ? "rad"
                                     : pkm_verb_envelope_unit(k));
    }
}

const char* pkm_verb_envelope_result(const pkm_verb_envelope_work* env, pkm_result* out)
{
    pkm_result_text(out, "name", env->robot->desc->name);
    pkm_result_text(out, "tool", tool_name(env));
    pkm_result_integer(out, "clearance_joints", env->run->effects.n_clearance);
    pkm_result_bool(out, "_one", env->run->effects.n_clearance == 1);
    pkm_result_integer(out, "redundant", env->set.seat.share.n_free);
    put_headlines(out, env);
    env->along_motion ? put_motion(out, env) : put_pose(out, env);
    pkm_result_number(out, "wall_time", "s", env->wall_time);
    pkm_verb_folder_result(env->folder, out);
    return env->along_motion ? motion_text : pose_text;
}
