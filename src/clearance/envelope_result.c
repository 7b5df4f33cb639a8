// What the verb `envelope` tells: at a pose bounds, extreme poses and whose clearance counts, along
// a motion the largest bounds. docs/theory/clearance.md, section 4.
#include "clearance/envelope_result.h"

#include "base/error.h"
#include "base/memory.h"
#include "robot/inverse_result.h"
#include "table/column.h"

#include <math.h>
#include <stdio.h>

static const char* axis_name(int axis)
{
    static const char* const name[] = {"x", "y", "z", "rx", "ry", "rz"};
    return name[axis];
}

static const char* axis_unit(int axis)
{
    return axis < 3 ? "m" : "rad";
}

/// People read millimetres and milliradians.
static const char* small_unit(int axis)
{
    return axis < 3 ? "mm" : "mrad";
}

static const char* tool_name(const pkm_envelope_work* env)
{
    const pkm_mechanism* mech = env->robot->mech;
    return pkm_short_name(mech->marker[mech->tool].name);
}

static const char* motion_name(const pkm_envelope_work* env)
{
    return pkm_motion_name(env->robot->desc->motion[env->motion].motion);
}

/// The larger of both ways along an axis, in magnitude.
static double larger_way(const pkm_envelope_work* env, int axis, bool closed)
{
    // poses come in pairs: along the axis and against it
    const pkm_extreme_pose *plus = &env->extreme[2 * axis], *minus = plus + 1;
    if (!closed) return fmax(plus->value, minus->value);
    return fmax(fabs(plus->closed[axis]), fabs(minus->closed[axis]));
}

/// Largest value of a column of the tool, with its time.
static double most(const pkm_envelope_work* env, const char* quantity, double* t)
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

// ---- extreme poses ----------------------------------------------------------------------------

static pkm_status add_columns(const pkm_envelope_work* env, pkm_error* err)
{
    static const char* const quantity[] = {"dx", "dy", "dz", "rx", "ry", "rz"};
    const pkm_mechanism* mech = env->robot->mech;
    const char* tool = pkm_short_name(mech->marker[mech->tool].name);
    // a row per extreme pose: which, its bound, where the tool is, where each journal lies
    bool ok = pkm_table_add_item(env->table, "", "axis", "") &&
              pkm_table_add_item(env->table, "", "way", "") &&
              pkm_table_add_item(env->table, tool, "bound", "");
    for (int axis = 0; axis < PKM_ERROR_AXES; ++axis)
        ok = ok && pkm_table_add_item(env->table, tool, quantity[axis], axis_unit(axis));
    for (int k = 0; k < env->set.seat.regions.n; ++k) {
        const pkm_joint_region* item = &env->set.seat.regions.item[k];
        const char* joint = mech->joint[item->joint].name;
        ok = ok && pkm_table_add_item(env->table, joint, item->on_b ? "ux2" : "ux", "m") &&
             pkm_table_add_item(env->table, joint, item->on_b ? "uy2" : "uy", "m") &&
             pkm_table_add_item(env->table, joint, item->on_b ? "uz2" : "uz", "m");
    }
    return ok ? PKM_OK : pkm_out_of_memory(err);
}

/// In the order of add_columns.
static pkm_status put_extreme(const pkm_envelope_work* env, int k, const double* y, pkm_error* err)
{
    double* row = pkm_table_append(env->table);
    if (!row) return pkm_out_of_memory(err);
    // axes count from 1 in tables; the sign tells the way
    *row++ = k / 2 + 1;
    *row++ = k % 2 ? -1.0 : 1.0;
    *row++ = env->here.most[k / 2];
    for (int axis = 0; axis < PKM_ERROR_AXES; ++axis)
        *row++ = env->extreme[k].closed[axis];
    for (int p = 0; p < env->set.seat.regions.n; ++p) {
        const pkm_joint_region* item = &env->set.seat.regions.item[p];
        // the journals at the walls that make this pose the extreme one
        const pkm_vec3 shift = pkm_region_offset(&item->region, y + item->y_at).shift;
        *row++ = shift.x;
        *row++ = shift.y;
        *row++ = shift.z;
    }
    return PKM_OK;
}

static pkm_status find_extremes(pkm_envelope_work* env, double* y, pkm_error* err)
{
    for (int k = 0; k < PKM_EXTREMES; ++k) {
        // one axis and way of the tool, the w of (4.3)
        double w[PKM_ERROR_AXES] = {0.0};
        w[k / 2] = k % 2 ? -1.0 : 1.0;
        const pkm_status status = pkm_extreme_pose_find(&env->set, w, y, &env->extreme[k]);
        if (status != PKM_OK)
            return pkm_fail(err, status, "envelope: no extreme pose along %s: %s", axis_name(k / 2),
                            pkm_status_text(status));
        PKM_TRY(put_extreme(env, k, y, err));
    }
    return PKM_OK;
}

/// Of each journal: first to the largest shift, then to the largest turn.
static void find_contributions(pkm_envelope_work* env)
{
    const pkm_vec3 s = env->here.shift_along, t = env->here.turn_about;
    const double shift[] = {s.x, s.y, s.z, 0.0, 0.0, 0.0}, turn[] = {0.0, 0.0, 0.0, t.x, t.y, t.z};
    pkm_error_set_contributions(&env->set, shift, env->contribution);
    pkm_error_set_contributions(&env->set, turn, env->contribution + env->set.seat.regions.n);
}

pkm_status pkm_envelope_work_begin(pkm_envelope_work* env, const pkm_run* run, pkm_error* err)
{
    const pkm_effects* e = &run->effects;
    env->n_clearance = e->n_clearance;
    env->motion = run->settings.motion;
    env->along_motion = run->has_motion && env->motion != PKM_NONE;
    if (e->n_clearance == 0)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "envelope: no clearance, expected --clearance (key clearance) 'JOINTS: "
                        "{radial: ...}'");
    if (env->along_motion && run->asked.has_at)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "envelope: at and motion, expected one of them");
    return pkm_error_set_create(env->robot, e->clearance, e->n_clearance, &env->set, err);
}

/// Bounds, extreme poses and shares of the joints where the robot stands.
static pkm_status find_here(pkm_envelope_work* env, pkm_error* err)
{
    const pkm_regions* regions = &env->set.seat.regions;
    pkm_status status = pkm_error_set_find(&env->set);
    if (status == PKM_OK) status = pkm_envelope_at(&env->set, &env->here);
    if (status != PKM_OK)
        return pkm_fail(err, status,
                        "envelope: the loops cannot be closed here with the journals at the walls "
                        "of their bearings; try less clearance or another pose");
    env->contribution = pkm_alloc(2 * (size_t)regions->n, sizeof(double));
    double* y = pkm_alloc((size_t)regions->n_y, sizeof(double));
    status = env->contribution && y ? add_columns(env, err) : pkm_out_of_memory(err);
    if (status == PKM_OK) find_contributions(env);
    if (status == PKM_OK) status = find_extremes(env, y, err);
    pkm_free(y);
    return status;
}

pkm_status pkm_envelope_work_run(pkm_envelope_work* env, const pkm_run* run, pkm_error* err)
{
    const pkm_envelope_settings settings = {.motion = env->motion,
                                            .n_instant = run->settings.n_instant,
                                            .end_time = run->has_end ? run->settings.end_time : 0.0,
                                            .progress = run->progress,
                                            .user = run->user};
    // at a pose all that is known of it, along a motion bounds over time
    if (!env->along_motion) return find_here(env, err);
    return pkm_envelope_run(&env->set, &settings, env->table, &env->report, err);
}

void pkm_envelope_work_free(pkm_envelope_work* env)
{
    pkm_free(env->contribution);
    pkm_error_set_free(&env->set);
}

// ---- at a pose --------------------------------------------------------------------------------

/// A vector, and for people with half of the last digit shown as zero.
static void put_vec(pkm_result* in, const char* key, const char* shown, pkm_vec3 v)
{
    pkm_result_vec(in, key, "", v);
    pkm_result_vec(in, shown, "",
                   (pkm_vec3){fabs(v.x) < 5e-5 ? 0.0 : v.x, fabs(v.y) < 5e-5 ? 0.0 : v.y,
                              fabs(v.z) < 5e-5 ? 0.0 : v.z});
}

static void put_axes(pkm_result* in, const pkm_envelope_work* env)
{
    pkm_result* list = pkm_result_list(in, "axes");
    for (int axis = 0; axis < PKM_ERROR_AXES; ++axis) {
        pkm_result* item = pkm_result_group(list, NULL);
        pkm_result_text(item, "axis", axis_name(axis));
        pkm_result_text(item, "unit", axis_unit(axis));
        pkm_result_text(item, "_unit", small_unit(axis));
        // support of the set, linear program and closed loops: three ways to the same number
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

static void put_joints(pkm_result* in, const pkm_envelope_work* env)
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

static void put_pose(pkm_result* in, const pkm_envelope_work* env)
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

static void put_motion(pkm_result* in, const pkm_envelope_work* env)
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
        pkm_result_text(item, "unit", axis_unit(along[k].axis));
        pkm_result_text(item, "_unit", small_unit(along[k].axis));
        pkm_result_number(item, "value", "", value);
        pkm_result_number(item, "t", "s", t);
    }
}

// ---- all --------------------------------------------------------------------------------------

/// Bounds of the six axes, of shifts and of turns: the headlines.
static void put_headlines(pkm_result* in, const pkm_envelope_work* env)
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
        pkm_headline_result(list, name, value, k == 6 ? "m" : k == 7 ? "rad" : axis_unit(k));
    }
}

void pkm_envelope_result(const pkm_envelope_work* env, pkm_result* out)
{
    pkm_result_text(out, "name", env->robot->desc->name);
    pkm_result_text(out, "tool", tool_name(env));
    pkm_result_integer(out, "clearance_joints", env->n_clearance);
    pkm_result_bool(out, "_one", env->n_clearance == 1);
    pkm_result_integer(out, "redundant", env->set.seat.share.n_free);
    put_headlines(out, env);
    env->along_motion ? put_motion(out, env) : put_pose(out, env);
    pkm_result_number(out, "wall_time", "s", env->wall_time);
}
