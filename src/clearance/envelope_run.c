#include "base/error.h"
#include "clearance/envelope.h"
#include "robot/continuation.h"
#include "robot/motion_table.h"

static const struct {
    const char *quantity, *unit;
} column[] = {{"x", "m"},
              {"y", "m"},
              {"z", "m"},
              {"ex", "m"},
              {"ey", "m"},
              {"ez", "m"},
              {"erx", "rad"},
              {"ery", "rad"},
              {"erz", "rad"},
              {"shift", "m"},
              {"sx", ""},
              {"sy", ""},
              {"sz", ""},
              {"shift_closed", "m"},
              {"turn", "rad"},
              {"tx", ""},
              {"ty", ""},
              {"tz", ""},
              {"turn_closed", "rad"},
              {"a1", "m"},
              {"a2", "m"},
              {"a3", "m"},
              {"b1", "rad"},
              {"b2", "rad"},
              {"b3", "rad"}};
enum { N_COLUMN = sizeof column / sizeof column[0] };

static pkm_status add_columns(const pkm_robot* robot, pkm_table* table, pkm_error* err)
{
    const char* tool = pkm_short_name(robot->mech->marker[robot->mech->tool].name);
    bool ok = pkm_table_add_item(table, "", "t", "s");
    for (int c = 0; c < N_COLUMN; ++c)
        ok = ok && pkm_table_add_item(table, tool, column[c].quantity, column[c].unit);
    return ok ? PKM_OK : pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
}

static double* put_vec(double* out, pkm_vec3 v)
{
    *out++ = v.x;
    *out++ = v.y;
    *out++ = v.z;
    return out;
}

static void put_row(double t, pkm_vec3 at, const pkm_envelope* e, double* out)
{
    *out++ = t;
    out = put_vec(out, at);
    for (int axis = 0; axis < PKM_ERROR_AXES; ++axis)
        *out++ = e->most[axis];
    *out++ = e->shift;
    out = put_vec(out, e->shift_along);
    *out++ = e->shift_closed;
    *out++ = e->turn;
    out = put_vec(out, e->turn_about);
    *out++ = e->turn_closed;
    for (int k = 0; k < 3; ++k)
        *out++ = e->shifts.semi[k];
    for (int k = 0; k < 3; ++k)
        *out++ = e->turns.semi[k];
}

pkm_status pkm_envelope_run(pkm_error_set* set, const pkm_envelope_settings* settings,
                            pkm_table* table, pkm_envelope_report* report, pkm_error* err)
{
    pkm_robot* robot = set->seat.ideal;
    const pkm_motion* motion = robot->desc->motion[settings->motion].motion;
    const double end = settings->end_time > 0.0 ? settings->end_time : pkm_motion_duration(motion);
    pkm_follower follower;
    *report = (pkm_envelope_report){0};
    PKM_TRY(add_columns(robot, table, err));
    PKM_TRY(pkm_follow_begin(robot, motion, &follower, err));
    for (int i = 0; i < settings->n_instant; ++i) {
        const double t = end * i / (settings->n_instant - 1);
        pkm_envelope envelope;
        PKM_TRY(pkm_follow_to(&follower, t, err));
        pkm_status status = pkm_error_set_find(set);
        if (status == PKM_OK) status = pkm_envelope_at(set, &envelope);
        if (status != PKM_OK)
            return pkm_fail(err, status,
                            "envelope: t = %.6g s: the loops cannot be closed with the journals at "
                            "the walls of their bearings; try less clearance or another motion",
                            t);
        double* row = pkm_table_append(table);
        if (!row) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
        put_row(t, set->tool.p, &envelope, row);
        report->n_done = i + 1;
        report->t_end = t;
        report->nonlinearity =
            fmax(report->nonlinearity, fabs(envelope.shift - envelope.shift_closed));
        if (!settings->progress) continue;
        if (settings->progress(settings->user, (double)(i + 1) / settings->n_instant)) continue;
        report->interrupted = true;
        break;
    }
    return PKM_OK;
}
