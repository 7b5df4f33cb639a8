// Columns that every run along a motion writes, declared as data: time, drives, points, energy,
// reactions, nearness. Simulations, inverse dynamics and seated runs share them.
#include "robot/motion_table.h"

#include "base/error.h"
#include "dynamics/rows.h"

#include <stddef.h>
#include <string.h>

// ---- what the columns are ---------------------------------------------------------------------

const pkm_column pkm_time_column = {"t", "s", 0, .title = "time"};

static const char FORCE[] = "drive force deviation";

/// Of a drive that slides, of one that turns: the index is `is_rotary`.
static const pkm_column drive_columns[][4] = {
    {{"q", "m", offsetof(pkm_drive_values, q), .title = "position"},
     {"v", "m/s", offsetof(pkm_drive_values, v), "velocity", NULL, PKM_PEAK_LOCATED},
     {"a", "m/s2", offsetof(pkm_drive_values, a), "acceleration", NULL, PKM_PEAK_LOCATED},
     {"force", "N", offsetof(pkm_drive_values, force), "force", NULL, PKM_PEAK_LOCATED}},
    {{"q", "rad", offsetof(pkm_drive_values, q), .title = "angle"},
     {"v", "rad/s", offsetof(pkm_drive_values, v), "angular velocity", NULL, PKM_PEAK_LOCATED},
     {"a", "rad/s2", offsetof(pkm_drive_values, a), "angular acceleration", NULL, PKM_PEAK_LOCATED},
     {"force", "N m", offsetof(pkm_drive_values, force), "torque", NULL, PKM_PEAK_LOCATED}},
};
const pkm_column_list pkm_drive_columns[2] = {PKM_COLUMN_LIST(drive_columns[0]),
                                              PKM_COLUMN_LIST(drive_columns[1])};

static const pkm_column drive_deviation_columns[][2] = {
    {{"dq", "m", offsetof(pkm_drive_deviation, dq), "drive deviation", "q", PKM_PEAK_LOCATED},
     {"dforce", "N", offsetof(pkm_drive_deviation, dforce), FORCE, "force", PKM_PEAK_LOCATED}},
    {{"dq", "rad", offsetof(pkm_drive_deviation, dq), "drive deviation", "q", PKM_PEAK_LOCATED},
     {"dforce", "N m", offsetof(pkm_drive_deviation, dforce), FORCE, "force", PKM_PEAK_LOCATED}},
};
const pkm_column_list pkm_drive_deviation_columns[2] = {
    PKM_COLUMN_LIST(drive_deviation_columns[0]), PKM_COLUMN_LIST(drive_deviation_columns[1])};

static const pkm_column positions[] = {
    {"x", "m", offsetof(pkm_point_values, p.x), .title = "position of *"},
    {"y", "m", offsetof(pkm_point_values, p.y), .title = "position of *"},
    {"z", "m", offsetof(pkm_point_values, p.z), .title = "position of *"},
    {"r", "m", offsetof(pkm_point_values, r), .title = "position of *"},
};
const pkm_column_list pkm_point_positions = PKM_COLUMN_LIST(positions);

static const pkm_column rates[] = {
    {"vx", "m/s", offsetof(pkm_point_values, v.x), .title = "velocity of *"},
    {"vy", "m/s", offsetof(pkm_point_values, v.y), .title = "velocity of *"},
    {"vz", "m/s", offsetof(pkm_point_values, v.z), .title = "velocity of *"},
    {"ax", "m/s2", offsetof(pkm_point_values, a.x), .title = "acceleration of *"},
    {"ay", "m/s2", offsetof(pkm_point_values, a.y), .title = "acceleration of *"},
    {"az", "m/s2", offsetof(pkm_point_values, a.z), .title = "acceleration of *"},
    {"speed", "m/s", offsetof(pkm_point_values, speed), "velocity of *", NULL, PKM_PEAK_LOCATED},
    {"acc", "m/s2", offsetof(pkm_point_values, acc), "acceleration of *", NULL, PKM_PEAK_LOCATED},
};
const pkm_column_list pkm_point_rates = PKM_COLUMN_LIST(rates);

static const char OMEGA[] = "angular velocity of *", ALPHA[] = "angular acceleration of *";

static const pkm_column orientation[] = {
    {"roll", "rad", offsetof(pkm_point_values, rpy.x), .title = "orientation of *"},
    {"pitch", "rad", offsetof(pkm_point_values, rpy.y), .title = "orientation of *"},
    {"yaw", "rad", offsetof(pkm_point_values, rpy.z), .title = "orientation of *"},
    {"wx", "rad/s", offsetof(pkm_point_values, w.x), .title = OMEGA},
    {"wy", "rad/s", offsetof(pkm_point_values, w.y), .title = OMEGA},
    {"wz", "rad/s", offsetof(pkm_point_values, w.z), .title = OMEGA},
    {"alx", "rad/s2", offsetof(pkm_point_values, al.x), .title = ALPHA},
    {"aly", "rad/s2", offsetof(pkm_point_values, al.y), .title = ALPHA},
    {"alz", "rad/s2", offsetof(pkm_point_values, al.z), .title = ALPHA},
    {"omega", "rad/s", offsetof(pkm_point_values, omega), .title = OMEGA},
    {"alpha", "rad/s2", offsetof(pkm_point_values, alpha), .title = ALPHA},
};
enum { N_ORIENTATION = sizeof orientation / sizeof orientation[0] };

static const char OFF[] = "tool deviation", ROTATION[] = "rotation of *";

/// Small differences of large numbers are computed as such (change_of_size) and say of what: their
/// plots and error bars are relative to that.
static const pkm_column tool_deviations[] = {
    {"dx", "m", offsetof(pkm_tool_deviation, d.x), .title = OFF, .of = "x y z"},
    {"dy", "m", offsetof(pkm_tool_deviation, d.y), .title = OFF, .of = "x y z"},
    {"dz", "m", offsetof(pkm_tool_deviation, d.z), .title = OFF, .of = "x y z"},
    {"dp", "m", offsetof(pkm_tool_deviation, dp), OFF, "x y z", PKM_PEAK_LOCATED},
    {"dv", "m/s", offsetof(pkm_tool_deviation, dv), "velocity deviation", "speed",
     PKM_PEAK_LOCATED},
    {"da", "m/s2", offsetof(pkm_tool_deviation, da), "acceleration deviation", "acc",
     PKM_PEAK_LOCATED},
    {"turn", "rad", offsetof(pkm_tool_deviation, turn), "tool tilt", "1", PKM_PEAK_LOCATED},
    {"dr", "m", offsetof(pkm_tool_deviation, dr), .title = "deviation of the distance", .of = "r"},
    {"dspeed", "m/s", offsetof(pkm_tool_deviation, dspeed), .title = "deviation of the speed",
     .of = "speed"},
    {"dacc", "m/s2", offsetof(pkm_tool_deviation, dacc), .title = "deviation of the acceleration",
     .of = "acc"},
    {"rx", "rad", offsetof(pkm_tool_deviation, rotation.x), .title = ROTATION, .of = "1"},
    {"ry", "rad", offsetof(pkm_tool_deviation, rotation.y), .title = ROTATION, .of = "1"},
    {"rz", "rad", offsetof(pkm_tool_deviation, rotation.z), .title = ROTATION, .of = "1"},
};
const pkm_column_list pkm_tool_deviation_columns = PKM_COLUMN_LIST(tool_deviations);

typedef struct energy_values {
    double kinetic, potential;
} energy_values;

static const pkm_column energies[] = {
    {"kinetic", "J", offsetof(energy_values, kinetic), .title = "*"},
    {"potential", "J", offsetof(energy_values, potential), .title = "*"},
};

static const pkm_column power_column = {"power", "W", 0, .title = "power of the drives"};
static const pkm_column condition = {"condition", "", 0, .title = "condition"};
static const pkm_column singularity = {"singularity", "m", 0, .title = "distance to singularities"};

static const pkm_column joint_columns[] = {
    {"Fx", "N", offsetof(pkm_reaction, force.x), .title = "force in *"},
    {"Fy", "N", offsetof(pkm_reaction, force.y), .title = "force in *"},
    {"Fz", "N", offsetof(pkm_reaction, force.z), .title = "force in *"},
    {"Mx", "N m", offsetof(pkm_reaction, moment.x), .title = "moment in *"},
    {"My", "N m", offsetof(pkm_reaction, moment.y), .title = "moment in *"},
    {"Mz", "N m", offsetof(pkm_reaction, moment.z), .title = "moment in *"},
};

const char* pkm_tool_item(const pkm_mechanism* mech)
{
    return pkm_short_name(mech->marker[mech->tool].name);
}

/// |X + d| - |X| = d.(2 X + d) / (|X + d| + |X|), without the rounding of two large numbers.
static double change_of_size(pkm_vec3 X, pkm_vec3 d)
{
    const double sum = pkm_vec3_norm(pkm_vec3_add(X, d)) + pkm_vec3_norm(X);
    return sum > 0.0 ? pkm_vec3_dot(d, pkm_vec3_axpy(d, 2.0, X)) / sum : 0.0;
}

pkm_tool_deviation pkm_tool_deviation_make(const pkm_frame_motion* ideal,
                                           const pkm_frame_motion* off, pkm_vec3 turn)
{
    // sizes of vectors, and beside them changes of sizes as papers print them
    return (pkm_tool_deviation){.d = off->pose.p,
                                .dp = pkm_vec3_norm(off->pose.p),
                                .dv = pkm_vec3_norm(off->v),
                                .da = pkm_vec3_norm(off->a),
                                .turn = pkm_vec3_norm(turn),
                                .dr = change_of_size(ideal->pose.p, off->pose.p),
                                .dspeed = change_of_size(ideal->v, off->v),
                                .dacc = change_of_size(ideal->a, off->a),
                                .rotation = turn};
}

// ---- the walk ---------------------------------------------------------------------------------

/// Points are called by their short names; those that share one with another point of the table by
/// their full names. The tool keeps its short name.
static const char* point_name(const pkm_motion_table* mt, int k)
{
    const pkm_mechanism* mech = mt->of.mech;
    const char *full = mech->marker[mt->point[k]].name, *name = pkm_short_name(full);
    if (mt->point[k] == mech->tool) return name;
    for (int i = 0; i < mt->n_point; ++i)
        // two limbs may both have a point P
        if (i != k && strcmp(pkm_short_name(mech->marker[mt->point[i]].name), name) == 0)
            return full;
    return name;
}

static pkm_point_values point_values(const pkm_motion_table* mt, const pkm_run_instant* at, int k)
{
    const bool is_tool = mt->point[k] == mt->of.mech->tool;
    const pkm_frame_motion m =
        is_tool ? at->tool : pkm_state_marker_motion(mt->of.state, mt->point[k]);
    return (pkm_point_values){.p = m.pose.p,
                              .w = m.w,
                              .al = m.alpha,
                              .omega = pkm_vec3_norm(m.w),
                              .alpha = pkm_vec3_norm(m.alpha),
                              .v = m.v,
                              .a = m.a,
                              .r = pkm_vec3_norm(m.pose.p),
                              .speed = pkm_vec3_norm(m.v),
                              .acc = pkm_vec3_norm(m.a),
                              // only the tool has columns of orientation
                              .rpy = is_tool && mt->turns ? pkm_quat_to_rpy(m.pose.q)
                                                          : (pkm_vec3){0.0, 0.0, 0.0}};
}

static void put_point(const pkm_motion_table* mt, pkm_layout* to, const pkm_run_instant* at, int k)
{
    // names are compared with all others: once, not in every row
    const char* name = to->table ? point_name(mt, k) : "";
    pkm_point_values values = {.speed = 0.0};
    // with a table the walk names columns only, and there is no state yet
    if (!to->table) values = point_values(mt, at, k);
    pkm_layout_put_list(to, name, &pkm_point_positions, &values);
    pkm_layout_put_list(to, name, &pkm_point_rates, &values);
    if (mt->turns && mt->point[k] == mt->of.mech->tool)
        pkm_layout_put(to, name, orientation, N_ORIENTATION, &values);
}

static void put_drives(const pkm_mechanism* mech, pkm_layout* to, const pkm_run_instant* at)
{
    for (int d = 0; d < mech->n_drive; ++d) {
        const pkm_drive* drive = &mech->drive[d];
        const pkm_drive_values values = {at->q[d], at->v[d], at->a[d], at->force[d]};
        pkm_layout_put_list(to, drive->name, &pkm_drive_columns[drive->is_rotary], &values);
    }
}

void pkm_motion_table_put_nearness(pkm_layout* to, double value, double distance)
{
    pkm_layout_put_value(to, &condition, value);
    pkm_layout_put_value(to, &singularity, distance);
}

void pkm_motion_table_put(const pkm_motion_table* mt, pkm_layout* to, double t,
                          const pkm_run_instant* at, const pkm_reaction* reaction)
{
    const pkm_run_instant none = {.kinetic = 0.0};
    const pkm_run_instant* now = at ? at : &none;
    const pkm_mechanism* mech = mt->of.mech;
    // without an instant the walk names columns; what it takes for values is not read
    const energy_values energy = {now->kinetic, now->potential};
    // in the order in which people read: time, drives, points, energies, reactions
    pkm_layout_put_value(to, &pkm_time_column, t);
    put_drives(mech, to, now);
    for (int k = 0; k < mt->n_point; ++k)
        put_point(mt, to, now, k);
    pkm_layout_put(to, "energy", energies, 2, &energy);
    pkm_layout_put_value(to, &power_column, pkm_run_instant_power(mech, now));
    if (mt->nearness) pkm_motion_table_put_nearness(to, now->condition, now->singularity);
    for (int j = 0; mt->reactions && j < mech->n_joint; ++j)
        // welds between the pieces of a link are no joints of the user
        if (!mt->of.desc->joint[j].is_weld)
            pkm_layout_put(to, mech->joint[j].name, joint_columns, 6,
                           reaction ? &reaction[j] : NULL);
}

// ---- instants ---------------------------------------------------------------------------------

double pkm_run_instant_read(const pkm_state* state, pkm_run_instant* out)
{
    const pkm_mechanism* mech = state->mech;
    for (int d = 0; d < mech->n_drive; ++d) {
        out->q[d] = pkm_state_drive_position(state, d);
        pkm_drive_rates(state, d, &out->v[d], &out->a[d]);
    }
    // of a robot without a tool all of it stays zero, and has no columns
    if (mech->tool != PKM_NONE) out->tool = pkm_state_marker_motion(state, mech->tool);
    const pkm_energy energy = pkm_energy_now(state);
    // both of the whole robot, payloads included
    out->kinetic = energy.kinetic;
    out->potential = energy.potential;
    return energy.rate;
}

double pkm_run_instant_power(const pkm_mechanism* mech, const pkm_run_instant* at)
{
    double power = 0.0;
    for (int d = 0; d < mech->n_drive; ++d)
        // N m/s or N m rad/s [W]
        power += at->force[d] * at->v[d];
    return power;
}

// ---- begin and end ----------------------------------------------------------------------------

pkm_status pkm_motion_table_begin(pkm_motion_table* out, pkm_machine of, bool all_points,
                                  bool reactions, pkm_error* err)
{
    const pkm_mechanism* mech = of.mech;
    *out = (pkm_motion_table){.of = of, .reactions = reactions, .turns = of.structure.tool_turns};
    out->point = pkm_alloc((size_t)mech->n_output + 1, sizeof(int));
    if (!out->point) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    // the tool first: its columns stand where people look
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
