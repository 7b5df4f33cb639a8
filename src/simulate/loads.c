#include "dynamics/kinematics.h"
#include "simulate/simulation_impl.h"

/// A place between two rows of the ideal motion.
typedef struct between {
    int row;     ///< the one before
    double h, x; ///< distance of the rows [s], part of it
} between;

static between find_rows(const pkm_sim* s, double t)
{
    const int last = pkm_table_n_row(s->ideal) - 2;
    const double h = s->settings->end_time / (s->settings->n_instant - 1);
    int row = (int)(t / h);
    if (row > last) row = last;
    return (between){row, h, t / h - row};
}

/// Cubic between the rows through the values of one column and the rates of another (Hermite).
static double smooth(const pkm_sim* s, const between* b, int column, int rate)
{
    const double x = b->x, y = 1.0 - x;
    const double p0 = pkm_table_get(s->ideal, b->row, column);
    const double p1 = pkm_table_get(s->ideal, b->row + 1, column);
    const double v0 = b->h * pkm_table_get(s->ideal, b->row, rate);
    const double v1 = b->h * pkm_table_get(s->ideal, b->row + 1, rate);
    return y * y * (1.0 + 2.0 * x) * p0 + x * x * (1.0 + 2.0 * y) * p1 + x * y * (y * v0 - x * v1);
}

static double straight(const pkm_sim* s, const between* b, int column)
{
    return (1.0 - b->x) * pkm_table_get(s->ideal, b->row, column) +
           b->x * pkm_table_get(s->ideal, b->row + 1, column);
}

/// The column `c` is x of the tool; vx is three behind it, ax six.
static void note_deviations(const pkm_sim* s, const between* b, const pkm_frame_motion* tool, int c,
                            double t, pkm_contact_record* record)
{
    double p[3], v[3], a[3];
    for (int i = 0; i < 3; ++i) {
        p[i] = smooth(s, b, c + i, c + 3 + i);
        v[i] = smooth(s, b, c + 3 + i, c + 6 + i);
        a[i] = straight(s, b, c + 6 + i);
    }
    const pkm_vec3 dp = {tool->pose.p.x - p[0], tool->pose.p.y - p[1], tool->pose.p.z - p[2]};
    const pkm_vec3 dv = {tool->v.x - v[0], tool->v.y - v[1], tool->v.z - v[2]};
    const pkm_vec3 da = {tool->a.x - a[0], tool->a.y - a[1], tool->a.z - a[2]};
    pkm_peak_raise(&record->dp, pkm_vec3_norm(dp), t);
    pkm_peak_raise(&record->dv, pkm_vec3_norm(dv), t);
    pkm_peak_raise(&record->da, pkm_vec3_norm(da), t);
}

void pkm_sim_note_loads(pkm_sim* s, double t, pkm_contact_record* record)
{
    const pkm_mechanism* mech = s->robot->mech;
    const double* force = pkm_plant_drive_force(s->plant);
    const bool has_ideal = s->ideal && pkm_table_n_row(s->ideal) == s->settings->n_instant;
    between b = {0, 1.0, 0.0};
    if (has_ideal) b = find_rows(s, t);
    for (int d = 0; d < mech->n_drive; ++d) {
        pkm_peak_raise(&record->drive[d], fabs(force[d]), t);
        if (has_ideal)
            pkm_peak_raise(&record->drive_off[d], fabs(force[d] - straight(s, &b, 4 + 4 * d)), t);
    }
    if (mech->tool == PKM_NONE) return;
    pkm_kinematics_acceleration(s->robot->state, s->robot->state->a);
    const pkm_frame_motion tool = pkm_state_marker_motion(s->robot->state, mech->tool);
    pkm_peak_raise(&record->acc, pkm_vec3_norm(tool.a), t);
    if (has_ideal) note_deviations(s, &b, &tool, 1 + 4 * mech->n_drive, t, record);
}
