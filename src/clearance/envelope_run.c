// The error set at instants of a motion: one row of bounds each, and how far first order is off.
// Called by the verb `envelope` and by pkm_answer; docs/theory/clearance.md, section 4.
#include "base/error.h"
#include "clearance/envelope.h"
#include "robot/continuation.h"
#include "robot/motion_table.h"
#include "robot/nearness.h"

typedef struct row_values {
    pkm_vec3 tool;
    pkm_envelope envelope;
    double condition, distance; ///< see robot/nearness.h
} row_values;

static const pkm_column columns[] = {
    {"x", "m", offsetof(row_values, tool.x), .title = "position of *"},
    {"y", "m", offsetof(row_values, tool.y), .title = "position of *"},
    {"z", "m", offsetof(row_values, tool.z), .title = "position of *"},
    {"ex", "m", offsetof(row_values, envelope.most[0]), .title = "largest shift of *"},
    {"ey", "m", offsetof(row_values, envelope.most[1]), .title = "largest shift of *"},
    {"ez", "m", offsetof(row_values, envelope.most[2]), .title = "largest shift of *"},
    {"erx", "rad", offsetof(row_values, envelope.most[3]), .title = "largest turn of *"},
    {"ery", "rad", offsetof(row_values, envelope.most[4]), .title = "largest turn of *"},
    {"erz", "rad", offsetof(row_values, envelope.most[5]), .title = "largest turn of *"},
    {"shift", "m", offsetof(row_values, envelope.shift), .title = "largest shift of *"},
    {"sx", "", offsetof(row_values, envelope.shift_along.x),
     .title = "direction of the largest shift of *"},
    {"sy", "", offsetof(row_values, envelope.shift_along.y),
     .title = "direction of the largest shift of *"},
    {"sz", "", offsetof(row_values, envelope.shift_along.z),
     .title = "direction of the largest shift of *"},
    {"shift_closed", "m", offsetof(row_values, envelope.shift_closed),
     .title = "largest shift of *"},
    {"turn", "rad", offsetof(row_values, envelope.turn), .title = "largest turn of *"},
    {"tx", "", offsetof(row_values, envelope.turn_about.x),
     .title = "axis of the largest turn of *"},
    {"ty", "", offsetof(row_values, envelope.turn_about.y),
     .title = "axis of the largest turn of *"},
    {"tz", "", offsetof(row_values, envelope.turn_about.z),
     .title = "axis of the largest turn of *"},
    {"turn_closed", "rad", offsetof(row_values, envelope.turn_closed),
     .title = "largest turn of *"},
    {"a1", "m", offsetof(row_values, envelope.shifts.semi[0]), .title = "ellipsoid of *"},
    {"a2", "m", offsetof(row_values, envelope.shifts.semi[1]), .title = "ellipsoid of *"},
    {"a3", "m", offsetof(row_values, envelope.shifts.semi[2]), .title = "ellipsoid of *"},
    {"b1", "rad", offsetof(row_values, envelope.turns.semi[0]), .title = "ellipsoid of *"},
    {"b2", "rad", offsetof(row_values, envelope.turns.semi[1]), .title = "ellipsoid of *"},
    {"b3", "rad", offsetof(row_values, envelope.turns.semi[2]), .title = "ellipsoid of *"},
};
enum { N_COLUMN = sizeof columns / sizeof columns[0] };

static void put_row(const pkm_robot* robot, double t, const row_values* values, pkm_layout* to)
{
    pkm_layout_put_value(to, &pkm_time_column, t);
    pkm_layout_put(to, pkm_tool_item(robot->mech), columns, N_COLUMN, values);
    if (pkm_nearness_is_known(robot))
        pkm_motion_table_put_nearness(to, values ? values->condition : 0.0,
                                      values ? values->distance : 0.0);
}

pkm_status pkm_envelope_run(pkm_error_set* set, const pkm_envelope_settings* settings,
                            pkm_table* table, pkm_envelope_report* report, pkm_error* err)
{
    pkm_robot* robot = set->seat.ideal;
    const pkm_motion* motion = robot->desc->motion[settings->motion].motion;
    const double end = settings->end_time > 0.0 ? settings->end_time : pkm_motion_duration(motion);
    const bool is_known = pkm_nearness_is_known(robot);
    pkm_follower follower;
    pkm_nearness near;
    pkm_nearness_begin(robot, motion, &near);
    *report = (pkm_envelope_report){0};
    pkm_layout head = {.table = table};
    // names the columns
    put_row(robot, 0.0, NULL, &head);
    if (head.failed) return pkm_out_of_memory(err);
    PKM_TRY(pkm_follow_begin(robot, motion, &follower, err));
    for (int i = 0; i < settings->n_instant; ++i) {
        const double t = end * i / (settings->n_instant - 1);
        pkm_envelope envelope;
        PKM_TRY(pkm_follow_to(&follower, t, err));
        if (is_known) pkm_nearness_read(&near, t);
        pkm_status status = pkm_error_set_find(set);
        if (status == PKM_OK) status = pkm_envelope_at(set, &envelope);
        if (status != PKM_OK)
            return pkm_fail(err, status,
                            "envelope: t = %.6g s: the loops cannot be closed with the journals at "
                            "the walls of their bearings; try less clearance or another motion",
                            t);
        double* row = pkm_table_append(table);
        if (!row) return pkm_out_of_memory(err);
        put_row(robot, t, &(row_values){set->tool.p, envelope, near.condition, near.distance},
                &(pkm_layout){.out = row});
        report->n_done = i + 1;
        report->t_end = t;
        // how far first order is off: the report tells the largest
        report->nonlinearity =
            fmax(report->nonlinearity, fabs(envelope.shift - envelope.shift_closed));
        if (!settings->progress) continue;
        if (settings->progress(settings->user, (double)(i + 1) / settings->n_instant)) continue;
        report->interrupted = true;
        break;
    }
    pkm_nearness_warn(&near, pkm_table_warnings(table));
    return PKM_OK;
}
