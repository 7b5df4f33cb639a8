// What a run on a rigid motion writes: deviations, forces of drives, links.
#include "base/error.h"
#include "flexible/link_readings.h"
#include "linear/ked_impl.h"
#include "math/lapack.h"
#include "math/tensor.h"
#include "robot/motion_table.h"

#include <string.h>

// ---- columns ----------------------------------------------------------------------------------

static void put_drive(const pkm_drive* drive, const pkm_drive_values* values,
                      const pkm_drive_deviation* off, pkm_layout* to)
{
    pkm_layout_put_list(to, drive->name, &pkm_drive_columns[drive->is_rotary], values);
    pkm_layout_put_list(to, drive->name, &pkm_drive_deviation_columns[drive->is_rotary], off);
}

static void put_tool(const pkm_mechanism* mech, const pkm_point_values* values,
                     const pkm_tool_deviation* off, pkm_layout* to)
{
    if (mech->tool == PKM_NONE) return;
    const char* tool = pkm_tool_item(mech);
    pkm_layout_put_list(to, tool, &pkm_point_positions, values);
    pkm_layout_put_list(to, tool, &pkm_tool_deviation_columns, off);
}

pkm_status ked_add_columns(const pkm_ked* ked, pkm_table* table)
{
    const pkm_mechanism* mech = ked->robot->mech;
    pkm_layout to = {.table = table};
    pkm_layout_put_value(&to, &pkm_time_column, 0.0);
    for (int d = 0; d < mech->n_drive; ++d)
        put_drive(&mech->drive[d], NULL, NULL, &to);
    put_tool(mech, NULL, NULL, &to);
    if (pkm_nearness_is_known(ked->robot)) pkm_motion_table_put_nearness(&to, 0.0, 0.0);
    for (int p = 0; p < ked->n_part; ++p)
        if (ked->part[p].body) pkm_deflection_add_columns(ked->part[p].body, &to);
    return to.failed ? PKM_ERR_MEMORY : PKM_OK;
}

// ---- drives -----------------------------------------------------------------------------------

/// What the joints bear of the parts: M z'' + C z' + K z - f of the boundary coordinates.
static void bear(pkm_ked* ked, double* out)
{
    for (int p = 0; p < ked->n_part; ++p) {
        const ked_part* part = &ked->part[p];
        // in the order of ked->z: positions, rates, second rates
        const double* const B[3] = {part->K_now, part->C_now, part->M};
        for (int k = 0; k < part->n_b; ++k)
            // inertia less loads, as M z'' + ... - f
            out[part->b_at + k] = -part->f_now[k];
        for (int k = 0; k < 3 && part->n_b > 0; ++k) {
            ked_gather(ked, part, ked->z[k], ked->work);
            pkm_dgemv('N', part->n_b, part->n, 1.0, B[k], part->n, ked->work, 1, 1.0,
                      out + part->b_at, 1);
        }
    }
}

/// Rigid forces of the drives, under the loads of now.
static void rigid_forces(pkm_ked* ked, double t, double* force)
{
    pkm_state* state = ked->robot->state;
    const pkm_mechanism* mech = ked->robot->mech;
    double unread[3] = {0.0, 0.0, 0.0};
    memset(state->load, 0, (size_t)mech->n_body * sizeof *state->load);
    if (mech->tool != PKM_NONE)
        state->load[mech->marker[mech->tool].body] =
            pkm_wrench_at(pkm_state_marker_point(state, mech->tool), ked->settings->tool_force,
                          ked->settings->tool_torque);
    pkm_effects_apply(ked->settings->effects, t, state, state->load, &unread[0], &unread[1],
                      &unread[2]);
    pkm_inverse_forces(state);
    pkm_inverse_drive_forces(state, force);
    memset(state->load, 0, (size_t)mech->n_body * sizeof *state->load);
}

static void put_drives(pkm_ked* ked, double t, const double* y, const double* v, pkm_layout* to)
{
    const pkm_mechanism* mech = ked->robot->mech;
    const pkm_elastic* e = ked->elastic;
    double rigid[PKM_MAX_DRIVE] = {0};
    int n_locked = 0, s = 0;
    rigid_forces(ked, t, rigid);
    bear(ked, ked->bear);
    ked_bear_springs(ked, y, v, ked->bear);
    if (ked->settings->has_stiffening) ked_bear_geometry(ked, t, ked->bear);
    ked_multipliers(ked, ked->bear, ked->lambda);
    for (int d = 0; d < mech->n_drive; ++d)
        n_locked += ked->settings->drive[d].hold == PKM_ELASTIC_LOCKED;
    int row = e->n_row - e->n_idle - n_locked; // locked drives stand behind the joints
    for (int d = 0; d < mech->n_drive; ++d) {
        double dq = 0.0, force = 0.0;
        if (ked->settings->drive[d].hold == PKM_ELASTIC_LOCKED)
            force = ked->lambda[row++];
        else
            // the spring pushes the robot with its opposite
            force = -ked_spring_force(ked, s++, y, v, &dq);
        // position of the rigid motion and what the drive gives way; rates are those of the rigid
        // motion
        const double q = pkm_state_drive_position(ked->robot->state, d) + dq;
        put_drive(&mech->drive[d], &(pkm_drive_values){q, ked->now.v[d], ked->now.a[d], force},
                  &(pkm_drive_deviation){dq, force - rigid[d]}, to);
    }
}

// ---- the tool ---------------------------------------------------------------------------------

/// R (a, b) for the two halves of six numbers.
static pkm_vec3 turned(const elastic_part* part, pkm_vec3 a)
{
    return pkm_mat3_mul(part->R, a);
}

static void read_tool(const pkm_ked* ked, pkm_layout* to)
{
    const pkm_mechanism* mech = ked->robot->mech;
    if (mech->tool == PKM_NONE) return;
    const int p = ked->elastic->part_of[mech->marker[mech->tool].body];
    const elastic_part* part = p == PKM_NONE ? NULL : &ked->elastic->part[p];
    double m[3][6] = {{0.0}};
    const int frame = part ? elastic_frame_of_marker(part, mech->tool) : PKM_NONE;
    for (int k = 0; part && k < 3; ++k)
        pkm_dgemv('N', 6, part->n, 1.0, part->frame[frame].map, 6, ked->x[k] + part->at, 1, 0.0,
                  m[k], 1);
    pkm_vec3 d = {0}, v = {0}, a = {0}, r = {0};
    if (part) {
        // m: displacement and rotation with two derivatives in body axes, which turn with w:
        //
        //     v = R m' + w x d,    a = R m'' + 2 w x R m' + w' x d + w x (w x d)
        //
        const pkm_vec3 w = part->w, e = part->turning;
        d = turned(part, pkm_vec3_at(m[0]));
        r = turned(part, pkm_vec3_at(m[0] + 3));
        const pkm_vec3 rate = turned(part, pkm_vec3_at(m[1]));
        const pkm_vec3 wd = pkm_vec3_cross(w, d);
        v = pkm_vec3_add(rate, wd);
        a = pkm_vec3_axpy(turned(part, pkm_vec3_at(m[2])), 2.0, pkm_vec3_cross(w, rate));
        a = pkm_vec3_add(a, pkm_vec3_add(pkm_vec3_cross(e, d), pkm_vec3_cross(w, wd)));
    }
    const pkm_frame_motion* ideal = &ked->now.tool;
    const pkm_frame_motion shift = {.pose.p = d, .v = v, .a = a};
    const pkm_vec3 at = pkm_vec3_add(ideal->pose.p, d);
    const pkm_tool_deviation off = pkm_tool_deviation_make(ideal, &shift, r);
    put_tool(mech, &(pkm_point_values){.p = at, .r = pkm_vec3_norm(at)}, &off, to);
}

// ---- links ------------------------------------------------------------------------------------

static void put_links(const pkm_ked* ked, double t, pkm_deflection_limits* limits, pkm_layout* to)
{
    for (int p = 0; p < ked->n_part; ++p) {
        const ked_part* part = &ked->part[p];
        if (!part->body) continue;
        // modes behind six rigid motions; no axial forces: this model is linear
        pkm_deflection_put(&part->gauge, ked->x[0] + part->from->at + 6,
                           (pkm_modal_axial){NULL, NULL}, t, limits, to);
    }
}

/// Of the rigid motion, on which the deflections are.
static void put_nearness(pkm_ked* ked, double t, bool is_row, pkm_layout* to)
{
    if (!pkm_nearness_is_known(ked->robot)) return;
    if (pkm_nearness_stand(ked->robot)) {
        if (is_row)
            pkm_nearness_read(&ked->near, t);
        else
            pkm_nearness_glance(&ked->near);
    }
    pkm_motion_table_put_nearness(to, ked->near.condition, ked->near.distance);
}

pkm_status ked_write_row(pkm_ked* ked, double t, const pkm_newmark* nm, bool is_row, double* row,
                         pkm_ked_report* report)
{
    pkm_layout to = {.out = row};
    const double *y = pkm_newmark_position(nm), *v = pkm_newmark_velocity(nm);
    ked_expand(ked, y, v, pkm_newmark_acceleration(nm));
    for (int k = 0; k < 3; ++k)
        for (int p = 0; p < ked->n_part; ++p) {
            const ked_part* part = &ked->part[p];
            ked_gather(ked, part, ked->z[k], ked->work);
            pkm_dgemv('N', part->n, part->n, 1.0, part->Q, part->n, ked->work, 1, 0.0,
                      ked->x[k] + part->from->at, 1);
        }
    // x = Q z of each part is known with its derivatives
    pkm_layout_put_value(&to, &pkm_time_column, t);
    if (is_row) PKM_TRY(pkm_limits_note(&ked->limits, t, ked->robot->state));
    pkm_run_instant_read(ked->robot->state, &ked->now);
    put_drives(ked, t, y, v, &to);
    read_tool(ked, &to);
    put_nearness(ked, t, is_row, &to);
    put_links(ked, t, &report->bend, &to);
    pkm_peaks_sample(ked->peaks, row, row, is_row);
    pkm_column_sums_sample(ked->squares, row, NULL, NULL);
    return PKM_OK;
}
