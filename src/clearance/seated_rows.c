// Columns and rows of a seated run: deviations of drives and tool, derivatives of the deviation
// through seven neighbouring instants, which never reach over a load reversal.
// docs/theory/clearance.md, section 3.5.
#include "base/error.h"
#include "clearance/seated_impl.h"
#include "math/differences.h"

#include <string.h>

enum { STENCIL = 7, COARSE = 5 };

// ---- columns ----------------------------------------------------------------------------------

/// Does region k belong to a joint that has had no columns yet? Universal joints have two.
static bool is_first_of_joint(const pkm_regions* regions, int k)
{
    return !regions->item[k].on_b;
}

typedef struct held_values {
    double dv, da; ///< of the tool, with the offsets held
} held_values;

static const pkm_column held_columns[] = {
    {"dv_held", "m/s", offsetof(held_values, dv), .title = "velocity deviation", .of = "speed"},
    {"da_held", "m/s2", offsetof(held_values, da), .title = "acceleration deviation", .of = "acc"},
};

static const pkm_column joint_columns[] = {
    {"ux", "m", offsetof(pkm_seated_joint, shift.x), .title = "offset in *"},
    {"uy", "m", offsetof(pkm_seated_joint, shift.y), .title = "offset in *"},
    {"uz", "m", offsetof(pkm_seated_joint, shift.z), .title = "offset in *"},
    {"load", "N", offsetof(pkm_seated_joint, load), .title = "load"},
};

static const pkm_column reversing = {"reversing", "", 0,
                                     .title = "journals that cross their bearings"};

/// What stands behind the columns of every run in row i; no values while columns are added.
typedef struct extra {
    const pkm_drive_deviation* drive; ///< [n_drive]
    pkm_tool_deviation tool;
    held_values held;
    const pkm_seated_joint* joint; ///< [joints with clearance]
    double reversing;
} extra;

static void put_extra(const pkm_seated_job* job, const extra* x, pkm_layout* to)
{
    const pkm_mechanism* mech = job->robot->mech;
    const pkm_regions* regions = &job->seat.regions;
    for (int d = 0; d < mech->n_drive; ++d)
        pkm_layout_put_list(to, mech->drive[d].name,
                            &pkm_drive_deviation_columns[mech->drive[d].is_rotary],
                            x->drive ? &x->drive[d] : NULL);
    const char* tool = pkm_tool_item(mech);
    pkm_layout_put_list(to, tool, &pkm_tool_deviation_columns, &x->tool);
    pkm_layout_put(to, tool, held_columns, 2, &x->held);
    for (int k = 0, j = 0; k < regions->n; ++k) {
        if (!is_first_of_joint(regions, k)) continue;
        pkm_layout_put(to, mech->joint[regions->item[k].joint].name, joint_columns, 4,
                       x->joint ? &x->joint[j] : NULL);
        ++j;
    }
    pkm_layout_put_value(to, &reversing, x->reversing);
}

pkm_status pkm_seated_add_columns(const pkm_seated_job* job, pkm_table* table, pkm_error* err)
{
    pkm_layout all = {.table = table}, raw = {.table = job->raw};
    pkm_motion_table_put(&job->columns, &all, 0.0, NULL, NULL);
    put_extra(job, &(extra){.drive = NULL}, &all);
    pkm_motion_table_put(&job->columns, &raw, 0.0, NULL, NULL);
    return all.failed || raw.failed ? pkm_out_of_memory(err) : PKM_OK;
}

/// Shift of b against a in the axes of a: of both pins of a universal joint together.
static pkm_vec3 shift_of(const pkm_seat* seat, int k)
{
    const pkm_joint_region* item = &seat->regions.item[k];
    pkm_vec3 out = pkm_region_offset(&item->region, seat->y + item->y_at).shift;
    if (k + 1 == seat->regions.n || !item[1].on_b) return out;
    const pkm_joint* joint = &seat->ideal->mech->joint[item->joint];
    const pkm_body_state* body = seat->moved->state->body;
    const pkm_vec3 second = pkm_region_offset(&item[1].region, seat->y + item[1].y_at).shift;
    const pkm_vec3 world = pkm_mat3_mul(body[joint->body_b].R, pkm_mat3_mul(joint->axes_b, second));
    const pkm_vec3 in_a = pkm_mat3_tmul(body[joint->body_a].R, world);
    return pkm_vec3_add(out, pkm_mat3_tmul(joint->axes_a, in_a));
}

/// Size of the load that the region carries: that of its reaction, without what free directions
/// carry (drives).
static double load_of(const pkm_seat* seat, int k)
{
    const pkm_joint_region* item = &seat->regions.item[k];
    const double* f = seat->f + item->y_at;
    switch (item->region.kind) {
    case PKM_REGION_BALL:
        return sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
    case PKM_REGION_JOURNAL:
        return hypot(hypot(f[0] + f[2], f[1] + f[3]), f[4]);
    case PKM_REGION_GUIDE:
        return hypot(f[0] + f[1], f[2] + f[3]);
    }
    return 0.0;
}

void pkm_seated_keep_row(pkm_seated_job* job, int i, const pkm_run_instant* ideal,
                         const pkm_run_instant* seated)
{
    pkm_drive_deviation* drive = job->drive + (size_t)i * (size_t)job->robot->mech->n_drive;
    pkm_seated_joint* joint = job->joint + (size_t)i * (size_t)job->n_clearance;
    for (int d = 0; d < job->robot->mech->n_drive; ++d)
        drive[d] =
            (pkm_drive_deviation){seated->q[d] - ideal->q[d], seated->force[d] - ideal->force[d]};
    for (int k = 0; k < job->seat.regions.n; ++k)
        if (is_first_of_joint(&job->seat.regions, k))
            *joint++ = (pkm_seated_joint){shift_of(&job->seat, k), load_of(&job->seat, k)};
    const pkm_quat turn = pkm_quat_mul(seated->tool.pose.q, pkm_quat_conj(ideal->tool.pose.q));
    job->row[i] = (pkm_seated_row){.p = ideal->tool.pose.p,
                                   .v = ideal->tool.v,
                                   .a = ideal->tool.a,
                                   .dv_held = pkm_vec3_sub(seated->tool.v, ideal->tool.v),
                                   .da_held = pkm_vec3_sub(seated->tool.a, ideal->tool.a),
                                   .turn = pkm_quat_to_rotvec(turn)};
}

// ---- derivatives ------------------------------------------------------------------------------

/// The first of `n` neighbouring instants around `i` that no jump separates from it; fewer near
/// jumps and ends: `n` is reduced.
static int find_stencil(const pkm_seated_job* job, int n_instant, int i, int* n)
{
    int first = i, last = i;
    // a jump at instant k lies between k - 1 and k
    while (first > 0 && i - first < STENCIL - 1 && !job->watch.jump[first])
        --first;
    while (last + 1 < n_instant && last - i < STENCIL - 1 && !job->watch.jump[last + 1])
        ++last;
    if (*n > last - first + 1) *n = last - first + 1;
    int at = i - *n / 2;
    if (at < first) at = first;
    if (at + *n - 1 > last) at = last - *n + 1;
    return at;
}

/// Derivatives of the deviation at instant i; false: jumps leave too few instants.
static bool differentiate(const pkm_seated_job* job, int n_instant, int i, int n, pkm_vec3* v,
                          pkm_vec3* a)
{
    double x[PKM_DIFFERENCES_MAX], first[PKM_DIFFERENCES_MAX], second[PKM_DIFFERENCES_MAX];
    const int at = find_stencil(job, n_instant, i, &n);
    if (n < 3) return false;
    for (int k = 0; k < n; ++k)
        // in steps; derivatives over h and h^2
        x[k] = at + k - i;
    pkm_differences(x, n, first, second);
    const double h = job->step;
    *v = *a = (pkm_vec3){0.0, 0.0, 0.0};
    for (int k = 0; k < n; ++k) {
        *v = pkm_vec3_axpy(*v, first[k] / h, job->dp[at + k]);
        *a = pkm_vec3_axpy(*a, second[k] / (h * h), job->dp[at + k]);
    }
    return true;
}

/// The velocity and acceleration of the tool are those of the seated motion.
static void write_row(const pkm_seated_job* job, int i, int n_instant, const pkm_table* table,
                      double* out, pkm_seated_report* report)
{
    const pkm_seated_row* row = &job->row[i];
    const int at = i * job->per_row;
    pkm_vec3 dv, da, dv_coarse, da_coarse;
    if (!differentiate(job, n_instant, at, STENCIL, &dv, &da)) {
        dv = row->dv_held;
        da = row->da_held;
    } else if (differentiate(job, n_instant, at, COARSE, &dv_coarse, &da_coarse)) {
        // five points instead of seven: how much the second derivative hangs on the stencil [m/s2]
        const double off = pkm_vec3_norm(pkm_vec3_sub(da, da_coarse));
        report->roughness = fmax(report->roughness, off);
    }
    const int n_raw = pkm_table_n_column(job->raw);
    for (int c = 0; c < n_raw; ++c)
        out[c] = pkm_table_get(job->raw, i, c);
    pkm_point_values tool = {.v = pkm_vec3_add(row->v, dv), .a = pkm_vec3_add(row->a, da)};
    tool.speed = pkm_vec3_norm(tool.v);
    tool.acc = pkm_vec3_norm(tool.a);
    pkm_table_put(table, out, pkm_tool_item(job->robot->mech), pkm_point_rates.column,
                  pkm_point_rates.n, &tool);
    const pkm_frame_motion ideal = {.pose.p = row->p, .v = row->v, .a = row->a};
    const pkm_frame_motion off = {.pose.p = job->dp[at], .v = dv, .a = da};
    const extra x = {.drive = job->drive + (size_t)i * (size_t)job->robot->mech->n_drive,
                     .tool = pkm_tool_deviation_make(&ideal, &off, row->turn),
                     .held = {pkm_vec3_norm(row->dv_held), pkm_vec3_norm(row->da_held)},
                     .joint = job->joint + (size_t)i * (size_t)job->n_clearance,
                     .reversing = job->watch.reversing[at]};
    put_extra(job, &x, &(pkm_layout){.out = out + n_raw});
}

pkm_status pkm_seated_write(pkm_seated_job* job, pkm_table* table, pkm_seated_report* report,
                            pkm_error* err)
{
    const int n_row = pkm_table_n_row(job->raw);
    for (int i = 0; i < n_row; ++i) {
        double* out = pkm_table_append(table);
        if (!out) return pkm_out_of_memory(err);
        write_row(job, i, (n_row - 1) * job->per_row + 1, table, out, report);
    }
    report->n_done = n_row;
    return PKM_OK;
}
