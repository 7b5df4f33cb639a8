#include "robot/motion_table.h"

#include "base/error.h"
#include "dynamics/rows.h"
#include "robot/nearness.h"

#include <stdio.h>
#include <string.h>

// ---- columns ----------------------------------------------------------------------------------

static bool add_drive_columns(const pkm_robot* robot, pkm_table* table)
{
    bool ok = true;
    for (int d = 0; d < robot->mech->n_drive; ++d) {
        const char* name = robot->mech->drive[d].name;
        ok = ok && pkm_table_add_item(table, name, "q", pkm_robot_drive_unit(robot, d, 0));
        ok = ok && pkm_table_add_item(table, name, "v", pkm_robot_drive_unit(robot, d, 1));
        ok = ok && pkm_table_add_item(table, name, "a", pkm_robot_drive_unit(robot, d, 2));
        ok = ok && pkm_table_add_item(table, name, "force", pkm_robot_drive_unit(robot, d, -1));
    }
    return ok;
}

/// Points are called by their short names; those that share one with another point of the table by
/// their full names. The tool keeps its short name.
static const char* point_name(const pkm_motion_table* mt, int k)
{
    const pkm_mechanism* mech = mt->robot->mech;
    const char *full = mech->marker[mt->point[k]].name, *name = pkm_short_name(full);
    if (mt->point[k] == mech->tool) return name;
    for (int i = 0; i < mt->n_point; ++i)
        if (i != k && strcmp(pkm_short_name(mech->marker[mt->point[i]].name), name) == 0)
            return full;
    return name;
}

static bool add_point_columns(const pkm_motion_table* mt, int k, pkm_table* table)
{
    static const char* const quantity[] = {"x",  "y",  "z",  "vx",    "vy", "vz",
                                           "ax", "ay", "az", "speed", "acc"};
    static const char* const unit[] = {"m",    "m",    "m",    "m/s", "m/s", "m/s",
                                       "m/s2", "m/s2", "m/s2", "m/s", "m/s2"};
    const char* name = point_name(mt, k);
    bool ok = true;
    for (size_t i = 0; i < sizeof quantity / sizeof quantity[0]; ++i)
        ok = ok && pkm_table_add_item(table, name, quantity[i], unit[i]);
    if (k > 0 || !mt->turns || mt->robot->mech->tool == PKM_NONE) return ok;
    return ok && pkm_table_add_item(table, name, "roll", "rad") &&
           pkm_table_add_item(table, name, "pitch", "rad") &&
           pkm_table_add_item(table, name, "yaw", "rad");
}

static bool add_joint_columns(const pkm_robot* robot, pkm_table* table)
{
    static const char* const quantity[] = {"Fx", "Fy", "Fz", "Mx", "My", "Mz"};
    bool ok = true;
    for (int j = 0; j < robot->mech->n_joint; ++j)
        for (int k = 0; k < 6; ++k)
            ok = ok && pkm_table_add_item(table, robot->mech->joint[j].name, quantity[k],
                                          k < 3 ? "N" : "N m");
    return ok;
}

pkm_status pkm_motion_table_columns(const pkm_motion_table* mt, pkm_table* table, pkm_error* err)
{
    bool ok = pkm_table_add_item(table, "", "t", "s") && add_drive_columns(mt->robot, table);
    for (int k = 0; k < mt->n_point; ++k)
        ok = ok && add_point_columns(mt, k, table);
    ok = ok && pkm_table_add_item(table, "energy", "kinetic", "J") &&
         pkm_table_add_item(table, "energy", "potential", "J") &&
         pkm_table_add_item(table, "", "power", "W");
    if (mt->nearness)
        ok = ok && pkm_table_add_item(table, "", "condition", "") &&
             pkm_table_add_item(table, "", "singularity", "m");
    if (mt->reactions) ok = ok && add_joint_columns(mt->robot, table);
    return ok ? PKM_OK : pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
}

// ---- rows -------------------------------------------------------------------------------------

static double* put_vec(double* out, pkm_vec3 v)
{
    *out++ = v.x;
    *out++ = v.y;
    *out++ = v.z;
    return out;
}

static double* put_point(const pkm_motion_table* mt, const pkm_run_instant* at, int k, double* out)
{
    const bool is_tool = mt->point[k] == mt->robot->mech->tool;
    const pkm_frame_motion m =
        is_tool ? at->tool : pkm_state_marker_motion(mt->robot->state, mt->point[k]);
    out = put_vec(put_vec(put_vec(out, m.pose.p), m.v), m.a);
    *out++ = pkm_vec3_norm(m.v);
    *out++ = pkm_vec3_norm(m.a);
    if (k == 0 && mt->turns && mt->robot->mech->tool != PKM_NONE)
        out = put_vec(out, pkm_quat_to_rpy(m.pose.q));
    return out;
}

double* pkm_motion_table_row(const pkm_motion_table* mt, double t, const pkm_run_instant* at,
                             const pkm_reaction* reaction, double* out)
{
    *out++ = t;
    for (int d = 0; d < mt->robot->mech->n_drive; ++d) {
        *out++ = at->q[d];
        *out++ = at->v[d];
        *out++ = at->a[d];
        *out++ = at->force[d];
    }
    for (int k = 0; k < mt->n_point; ++k)
        out = put_point(mt, at, k, out);
    *out++ = at->kinetic;
    *out++ = at->potential;
    *out++ = pkm_run_instant_power(mt->robot, at);
    if (mt->nearness) {
        *out++ = at->condition;
        *out++ = at->singularity;
    }
    for (int j = 0; mt->reactions && j < mt->robot->mech->n_joint; ++j)
        out = put_vec(put_vec(out, reaction[j].force), reaction[j].moment);
    return out;
}

// ---- instants ---------------------------------------------------------------------------------

void pkm_run_instant_read(const pkm_robot* robot, pkm_run_instant* out)
{
    const pkm_state* state = robot->state;
    for (int d = 0; d < robot->mech->n_drive; ++d) {
        out->q[d] = pkm_state_drive_position(state, d);
        pkm_drive_rates(state, d, &out->v[d], &out->a[d]);
    }
    if (robot->mech->tool != PKM_NONE)
        out->tool = pkm_state_marker_motion(state, robot->mech->tool);
    const pkm_energy energy = pkm_energy_now(state);
    out->kinetic = energy.kinetic;
    out->potential = energy.potential;
}

double pkm_run_instant_power(const pkm_robot* robot, const pkm_run_instant* at)
{
    double power = 0.0;
    for (int d = 0; d < robot->mech->n_drive; ++d)
        power += at->force[d] * at->v[d];
    return power;
}

// ---- begin and end ----------------------------------------------------------------------------

pkm_status pkm_motion_table_begin(pkm_motion_table* out, const pkm_robot* robot, bool all_points,
                                  bool reactions, pkm_error* err)
{
    const pkm_mechanism* mech = robot->mech;
    *out = (pkm_motion_table){
        .robot = robot, .reactions = reactions, .nearness = pkm_nearness_is_known(robot)};
    out->turns = (robot->structure.moves >> PKM_TOOL_RX) != 0;
    out->point = pkm_alloc((size_t)mech->n_output + 1, sizeof(int));
    if (!out->point) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    if (mech->tool != PKM_NONE) out->point[out->n_point++] = mech->tool;
    for (int k = 0; all_points && k < mech->n_output; ++k)
        if (mech->output[k] != mech->tool) out->point[out->n_point++] = mech->output[k];
    return PKM_OK;
}

void pkm_motion_table_end(pkm_motion_table* mt)
{
    pkm_free(mt->point);
    mt->point = NULL;
}
