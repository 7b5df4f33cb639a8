#include "base/error.h"
#include "clearance/seated_impl.h"
#include "math/differences.h"

#include <string.h>

enum { STENCIL = 7, COARSE = 5, PER_DRIVE = 2, PER_JOINT = 4 };

// ---- columns ----------------------------------------------------------------------------------

/// Does region k belong to a joint that has had no columns yet? Universal joints have two.
static bool is_first_of_joint(const pkm_regions* regions, int k)
{
    return !regions->item[k].on_b;
}

pkm_status pkm_seated_add_columns(const pkm_seated_job* job, pkm_table* table, pkm_error* err)
{
    const pkm_robot* robot = job->robot;
    const pkm_mechanism* mech = robot->mech;
    const pkm_regions* regions = &job->seat.regions;
    PKM_TRY(pkm_motion_table_columns(&job->columns, table, err));
    bool ok = true;
    for (int d = 0; d < mech->n_drive; ++d)
        ok = ok &&
             pkm_table_add_item(table, mech->drive[d].name, "dq",
                                pkm_robot_drive_unit(robot, d, 0)) &&
             pkm_table_add_item(table, mech->drive[d].name, "dforce",
                                pkm_robot_drive_unit(robot, d, -1));
    static const char* const quantity[] = {"dx", "dy",   "dz",      "dp",     "dv",
                                           "da", "turn", "dv_held", "da_held"};
    static const char* const unit[] = {"m", "m", "m", "m", "m/s", "m/s2", "rad", "m/s", "m/s2"};
    const char* tool = pkm_short_name(mech->marker[mech->tool].name);
    for (size_t i = 0; i < sizeof quantity / sizeof quantity[0]; ++i)
        ok = ok && pkm_table_add_item(table, tool, quantity[i], unit[i]);
    for (int k = 0; k < regions->n; ++k) {
        const char* name = mech->joint[regions->item[k].joint].name;
        if (!is_first_of_joint(regions, k)) continue;
        ok = ok && pkm_table_add_item(table, name, "ux", "m") &&
             pkm_table_add_item(table, name, "uy", "m") &&
             pkm_table_add_item(table, name, "uz", "m") &&
             pkm_table_add_item(table, name, "load", "N");
    }
    ok = ok && pkm_table_add_item(table, "", "reversing", "");
    return ok ? PKM_OK : pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
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
    double* out = job->extra + (size_t)i * (size_t)job->n_extra;
    for (int d = 0; d < job->robot->mech->n_drive; ++d) {
        *out++ = seated->q[d] - ideal->q[d];
        *out++ = seated->force[d] - ideal->force[d];
    }
    for (int k = 0; k < job->seat.regions.n; ++k) {
        if (!is_first_of_joint(&job->seat.regions, k)) continue;
        const pkm_vec3 shift = shift_of(&job->seat, k);
        *out++ = shift.x;
        *out++ = shift.y;
        *out++ = shift.z;
        *out++ = load_of(&job->seat, k);
    }
    const pkm_quat turn = pkm_quat_mul(seated->tool.pose.q, pkm_quat_conj(ideal->tool.pose.q));
    job->row[i] = (pkm_seated_row){.v = ideal->tool.v,
                                   .a = ideal->tool.a,
                                   .dv_held = pkm_vec3_sub(seated->tool.v, ideal->tool.v),
                                   .da_held = pkm_vec3_sub(seated->tool.a, ideal->tool.a),
                                   .turn = pkm_vec3_norm(pkm_quat_to_rotvec(turn))};
}

// ---- derivatives ------------------------------------------------------------------------------

/// The first of `n` neighbouring instants around `i` that no jump separates from it; fewer near
/// jumps and ends: `n` is reduced.
static int find_stencil(const pkm_seated_job* job, int n_instant, int i, int* n)
{
    int first = i, last = i;
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

static double* put_vec(double* out, pkm_vec3 v)
{
    *out++ = v.x;
    *out++ = v.y;
    *out++ = v.z;
    return out;
}

/// The tool's columns with the velocity and acceleration of the seated motion.
static void put_tool(const pkm_seated_job* job, pkm_vec3 v, pkm_vec3 a, double* row)
{
    double* out = row + 1 + 4 * job->robot->mech->n_drive + 3;
    out = put_vec(put_vec(out, v), a);
    *out++ = pkm_vec3_norm(v);
    *out = pkm_vec3_norm(a);
}

static double* put_deviation(const pkm_seated_job* job, int i, pkm_vec3 dv, pkm_vec3 da,
                             double* out)
{
    const pkm_seated_row* row = &job->row[i];
    const pkm_vec3 dp = job->dp[i * job->per_row];
    out = put_vec(out, dp);
    *out++ = pkm_vec3_norm(dp);
    *out++ = pkm_vec3_norm(dv);
    *out++ = pkm_vec3_norm(da);
    *out++ = row->turn;
    *out++ = pkm_vec3_norm(row->dv_held);
    *out++ = pkm_vec3_norm(row->da_held);
    return out;
}

static void write_row(const pkm_seated_job* job, int i, int n_instant, double* out,
                      pkm_seated_report* report)
{
    const pkm_seated_row* row = &job->row[i];
    const int n_drive = PER_DRIVE * job->robot->mech->n_drive, at = i * job->per_row;
    pkm_vec3 dv, da, dv_coarse, da_coarse;
    if (!differentiate(job, n_instant, at, STENCIL, &dv, &da)) {
        dv = row->dv_held;
        da = row->da_held;
    } else if (differentiate(job, n_instant, at, COARSE, &dv_coarse, &da_coarse)) {
        const double off = pkm_vec3_norm(pkm_vec3_sub(da, da_coarse));
        report->roughness = fmax(report->roughness, off);
    }
    for (int c = 0; c < job->n_raw; ++c)
        out[c] = pkm_table_get(job->raw, i, c);
    put_tool(job, pkm_vec3_add(row->v, dv), pkm_vec3_add(row->a, da), out);
    const double* extra = job->extra + (size_t)i * (size_t)job->n_extra;
    out += job->n_raw;
    memcpy(out, extra, (size_t)n_drive * sizeof(double));
    out = put_deviation(job, i, dv, da, out + n_drive);
    memcpy(out, extra + n_drive, (size_t)(job->n_extra - n_drive) * sizeof(double));
    out[job->n_extra - n_drive] = job->watch.reversing[at];
}

pkm_status pkm_seated_write(pkm_seated_job* job, pkm_table* table, pkm_seated_report* report,
                            pkm_error* err)
{
    const int n_row = pkm_table_n_row(job->raw);
    for (int i = 0; i < n_row; ++i) {
        double* out = pkm_table_append(table);
        if (!out) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
        write_row(job, i, (n_row - 1) * job->per_row + 1, out, report);
    }
    report->n_done = n_row;
    return PKM_OK;
}
