#include "pkm/inverse.h"

#include "analysis/closed_follow.h"
#include "analysis/follow.h"
#include "analysis/limits.h"
#include "base/error.h"
#include "dynamics/inverse.h"

#include <stdio.h>
#include <string.h>

pkm_inverse_settings pkm_inverse_settings_defaults(void)
{
    return (pkm_inverse_settings){.method = PKM_METHOD_ENGINE, .n_instant = 401};
}

/// All that one instant gives, by whichever method.
typedef struct instant {
    double q[PKM_MAX_DRIVE], v[PKM_MAX_DRIVE], a[PKM_MAX_DRIVE], force[PKM_MAX_DRIVE];
    pkm_frame_motion tool;
    double kinetic, potential, energy_rate, load_power;
} instant;

typedef struct run {
    pkm_robot* robot;
    const pkm_inverse_settings* settings;
    pkm_follower engine;
    pkm_closed_follower closed;
    pkm_reactions* reactions;
    pkm_reaction* reaction; ///< [n_joint]
    int n_point;
    int* point; ///< markers of the output points, the tool first
    bool turns; ///< the tool turns
} run;

// ---- columns ----------------------------------------------------------------------------------

static bool add(pkm_table* table, const char* item, const char* quantity, const char* unit)
{
    char name[2 * PKM_MAX_NAME];
    snprintf(name, sizeof name, "%s%s%s", item, *item ? "." : "", quantity);
    return pkm_table_add_column(table, name, unit) != PKM_NONE;
}

static bool add_drive_columns(const pkm_robot* robot, pkm_table* table)
{
    bool ok = true;
    for (int d = 0; d < robot->mech->n_drive; ++d) {
        const char* name = robot->mech->drive[d].name;
        ok = ok && add(table, name, "q", pkm_robot_drive_unit(robot, d, 0));
        ok = ok && add(table, name, "v", pkm_robot_drive_unit(robot, d, 1));
        ok = ok && add(table, name, "a", pkm_robot_drive_unit(robot, d, 2));
        ok = ok && add(table, name, "force", pkm_robot_drive_unit(robot, d, -1));
    }
    return ok;
}

static bool add_point_columns(const run* r, int k, pkm_table* table)
{
    static const char* const quantity[] = {"x",  "y",  "z",  "vx",    "vy", "vz",
                                           "ax", "ay", "az", "speed", "acc"};
    static const char* const unit[] = {"m",    "m",    "m",    "m/s", "m/s", "m/s",
                                       "m/s2", "m/s2", "m/s2", "m/s", "m/s2"};
    const char* name = pkm_short_name(r->robot->mech->marker[r->point[k]].name);
    bool ok = true;
    for (size_t i = 0; i < sizeof quantity / sizeof quantity[0]; ++i)
        ok = ok && add(table, name, quantity[i], unit[i]);
    if (k > 0 || !r->turns || r->robot->mech->tool == PKM_NONE) return ok;
    return ok && add(table, name, "roll", "rad") && add(table, name, "pitch", "rad") &&
           add(table, name, "yaw", "rad");
}

static bool add_joint_columns(const pkm_robot* robot, pkm_table* table)
{
    static const char* const quantity[] = {"Fx", "Fy", "Fz", "Mx", "My", "Mz"};
    bool ok = true;
    for (int j = 0; j < robot->mech->n_joint; ++j)
        for (int k = 0; k < 6; ++k)
            ok = ok && add(table, robot->mech->joint[j].name, quantity[k], k < 3 ? "N" : "N m");
    return ok;
}

static pkm_status add_columns(const run* r, pkm_table* table, pkm_error* err)
{
    bool ok = add(table, "", "t", "s") && add_drive_columns(r->robot, table);
    for (int k = 0; k < r->n_point; ++k)
        ok = ok && add_point_columns(r, k, table);
    ok = ok && add(table, "energy", "kinetic", "J") && add(table, "energy", "potential", "J") &&
         add(table, "", "power", "W");
    if (r->reactions) ok = ok && add_joint_columns(r->robot, table);
    return ok ? PKM_OK : pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
}

// ---- one instant ------------------------------------------------------------------------------

static pkm_status engine_instant(run* r, double t, instant* out, pkm_error* err)
{
    pkm_state* state = r->robot->state;
    const pkm_mechanism* mech = r->robot->mech;
    PKM_TRY(pkm_follow_to(&r->engine, t, err));
    if (mech->tool != PKM_NONE) {
        out->tool = pkm_state_marker_motion(state, mech->tool);
        state->load[mech->marker[mech->tool].body] =
            pkm_wrench_at(out->tool.pose.p, r->settings->tool_force, r->settings->tool_torque);
    }
    pkm_inverse_forces(state);
    pkm_inverse_drive_forces(state, out->force);
    for (int d = 0; d < mech->n_drive; ++d) {
        out->q[d] = pkm_state_drive_position(state, d);
        pkm_drive_rates(state, d, &out->v[d], &out->a[d]);
    }
    const pkm_energy energy = pkm_energy_now(state);
    out->kinetic = energy.kinetic;
    out->potential = energy.potential;
    out->energy_rate = energy.rate;
    if (r->reactions) pkm_reactions_solve(r->reactions, state, r->reaction, NULL);
    return PKM_OK;
}

static pkm_status closed_instant(run* r, double t, instant* out, pkm_error* err)
{
    PKM_TRY(pkm_closed_follow_to(&r->closed, t, err));
    const pkm_closed_follower* c = &r->closed;
    out->tool = c->tool;
    memcpy(out->q, c->config.q, sizeof c->config.q);
    memcpy(out->v, c->qd, sizeof c->qd);
    memcpy(out->a, c->qdd, sizeof c->qdd);
    const pkm_status status =
        pkm_closed_inverse_dynamics(r->robot->closed, &c->config, &c->tool, c->qd, c->qdd,
                                    r->settings->tool_force, r->settings->tool_torque, out->force);
    if (status != PKM_OK)
        return pkm_fail(err, status, "motion %s: t = %.6g s: a singular configuration",
                        pkm_motion_name(c->motion), t);
    out->kinetic = pkm_closed_energy(r->robot->closed, &c->config, &c->tool, c->qd);
    out->potential = 0.0;
    out->energy_rate = NAN; // a closed form gives the sum of both energies only
    return PKM_OK;
}

static double drive_power(const pkm_robot* robot, const instant* at)
{
    double power = 0.0;
    for (int d = 0; d < robot->mech->n_drive; ++d)
        power += at->force[d] * at->v[d];
    return power;
}

static double load_power(const pkm_inverse_settings* settings, const instant* at)
{
    return pkm_vec3_dot(settings->tool_force, at->tool.v) +
           pkm_vec3_dot(settings->tool_torque, at->tool.w);
}

// ---- rows -------------------------------------------------------------------------------------

static double* put_vec(double* out, pkm_vec3 v)
{
    *out++ = v.x;
    *out++ = v.y;
    *out++ = v.z;
    return out;
}

static double* put_point(const run* r, const instant* at, int k, double* out)
{
    const bool engine = r->settings->method == PKM_METHOD_ENGINE;
    const pkm_frame_motion m =
        engine ? pkm_state_marker_motion(r->robot->state, r->point[k]) : at->tool;
    out = put_vec(put_vec(put_vec(out, m.pose.p), m.v), m.a);
    *out++ = pkm_vec3_norm(m.v);
    *out++ = pkm_vec3_norm(m.a);
    if (k == 0 && r->turns && r->robot->mech->tool != PKM_NONE)
        out = put_vec(out, pkm_quat_to_rpy(m.pose.q));
    return out;
}

static pkm_status put_row(const run* r, double t, const instant* at, pkm_table* table,
                          pkm_error* err)
{
    double* out = pkm_table_append(table);
    if (!out) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    *out++ = t;
    for (int d = 0; d < r->robot->mech->n_drive; ++d) {
        *out++ = at->q[d];
        *out++ = at->v[d];
        *out++ = at->a[d];
        *out++ = at->force[d];
    }
    for (int k = 0; k < r->n_point; ++k)
        out = put_point(r, at, k, out);
    *out++ = at->kinetic;
    *out++ = at->potential;
    *out++ = drive_power(r->robot, at);
    for (int j = 0; r->reactions && j < r->robot->mech->n_joint; ++j)
        out = put_vec(put_vec(out, r->reaction[j].force), r->reaction[j].moment);
    return PKM_OK;
}

// ---- balance ----------------------------------------------------------------------------------

static void note_power(const run* r, const instant* at, pkm_inverse_report* report)
{
    for (int d = 0; d < r->robot->mech->n_drive; ++d)
        report->power_scale = fmax(report->power_scale, fabs(at->force[d] * at->v[d]));
    if (isnan(at->energy_rate)) return;
    const double power = drive_power(r->robot, at) + load_power(r->settings, at);
    report->power_error = fmax(report->power_error, fabs(power - at->energy_rate));
}

/// Integral over the first n of the m evenly spaced samples, by Simpson's rule (the last interval
/// of an even number of samples by the cubic through the last four).
static double integrate(const double* f, int n, double h)
{
    if (n < 2) return 0.0;
    if (n == 2) return 0.5 * h * (f[0] + f[1]);
    double sum = 0.0;
    const int even = n % 2 == 1 ? n : n - 1;
    for (int i = 0; i + 2 < even; i += 2)
        sum += h / 3.0 * (f[i] + 4.0 * f[i + 1] + f[i + 2]);
    if (even == n) return sum;
    if (n < 4) return sum + h / 12.0 * (5.0 * f[n - 1] + 8.0 * f[n - 2] - f[n - 3]);
    return sum + h / 24.0 * (9.0 * f[n - 1] + 19.0 * f[n - 2] - 5.0 * f[n - 3] + f[n - 4]);
}

/// Magnitudes have kinks, so the trapezoidal rule serves: this is only a scale.
static double integrate_magnitude(const pkm_robot* robot, const pkm_table* table, double h)
{
    double sum = 0.0;
    for (int i = 0; i < pkm_table_n_row(table); ++i)
        for (int d = 0; d < robot->mech->n_drive; ++d) // columns: t, then q v a force per drive
            sum +=
                h * fabs(pkm_table_get(table, i, 4 * d + 2) * pkm_table_get(table, i, 4 * d + 4));
    return sum;
}

static void balance(const double* drive, const double* load, double h, const pkm_table* table,
                    pkm_inverse_report* report)
{
    const int n = report->n_done;
    if (n == 0) return;
    const int kinetic = pkm_table_find(table, "energy.kinetic");
    report->drive_work = integrate(drive, n, h);
    report->load_work = integrate(load, n, h);
    report->energy_change = pkm_table_get(table, n - 1, kinetic) +
                            pkm_table_get(table, n - 1, kinetic + 1) -
                            pkm_table_get(table, 0, kinetic) - pkm_table_get(table, 0, kinetic + 1);
}

// ---- the run ----------------------------------------------------------------------------------

static pkm_status prepare(run* r, int motion, pkm_error* err)
{
    const pkm_mechanism* mech = r->robot->mech;
    const pkm_motion* m = r->robot->desc->motion[motion].motion;
    r->turns = (r->robot->structure.moves >> PKM_TOOL_RX) != 0;
    r->point = pkm_alloc((size_t)mech->n_output + 1, sizeof(int));
    if (!r->point) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    if (mech->tool != PKM_NONE) r->point[r->n_point++] = mech->tool;
    if (r->settings->method == PKM_METHOD_CLOSED)
        return pkm_closed_follow_begin(r->robot, m, &r->closed, err);

    for (int k = 0; k < mech->n_output; ++k)
        if (mech->output[k] != mech->tool) r->point[r->n_point++] = mech->output[k];
    PKM_TRY(pkm_follow_begin(r->robot, m, &r->engine, err));
    if (!r->settings->reactions) return PKM_OK;
    r->reactions = pkm_reactions_create(r->robot->state);
    r->reaction = pkm_alloc((size_t)mech->n_joint, sizeof(pkm_reaction));
    return r->reactions && r->reaction ? PKM_OK : pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
}

static pkm_status step_through(run* r, double duration, double* drive, double* load,
                               pkm_table* table, pkm_inverse_report* report, pkm_error* err)
{
    const int n = r->settings->n_instant;
    for (int i = 0; i < n; ++i) {
        const double t = duration * i / (n - 1);
        instant at = {.kinetic = 0.0};
        PKM_TRY(r->settings->method == PKM_METHOD_ENGINE ? engine_instant(r, t, &at, err)
                                                         : closed_instant(r, t, &at, err));
        PKM_TRY(put_row(r, t, &at, table, err));
        drive[i] = drive_power(r->robot, &at);
        load[i] = load_power(r->settings, &at);
        note_power(r, &at, report);
        report->n_done = i + 1;
        report->t_end = t;
        if (!r->settings->progress) continue;
        if (!r->settings->progress(r->settings->user, (double)(i + 1) / n)) {
            report->interrupted = true;
            break;
        }
    }
    return PKM_OK;
}

static pkm_status check_settings(const pkm_robot* robot, int motion,
                                 const pkm_inverse_settings* settings, pkm_error* err)
{
    const pkm_vec3 f = settings->tool_force, t = settings->tool_torque;
    if (!pkm_robot_get_motion(robot, motion))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s has %d motions, number %d is none of them",
                        robot->desc->name, robot->desc->n_motion, motion);
    if (settings->method != PKM_METHOD_ENGINE && settings->method != PKM_METHOD_CLOSED)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "method: %d, expected engine or closed",
                        (int)settings->method);
    if (!isfinite(f.x + f.y + f.z) || !isfinite(t.x + t.y + t.z))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "tool: its force or torque is not finite");
    if (settings->n_instant < 2)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "instants: %d, expected at least 2",
                        settings->n_instant);
    if (settings->method == PKM_METHOD_CLOSED && !robot->closed)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "%s has no closed form, expected `closed_form:` in %s or --method engine",
                        robot->desc->name, robot->desc->file);
    return PKM_OK;
}

static void release(run* r)
{
    memset(r->robot->state->load, 0, (size_t)r->robot->mech->n_body * sizeof(pkm_wrench));
    pkm_reactions_free(r->reactions);
    pkm_free(r->reaction);
    pkm_free(r->point);
}

pkm_status pkm_inverse_run(pkm_robot* robot, int motion, const pkm_inverse_settings* settings,
                           pkm_table* table, pkm_inverse_report* report, pkm_error* err)
{
    const pkm_inverse_settings defaults = pkm_inverse_settings_defaults();
    pkm_inverse_report unread;
    if (!settings) settings = &defaults;
    if (!report) report = &unread;
    *report = (pkm_inverse_report){0};
    if (!robot || !table)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "inverse dynamics: the robot or the table is NULL");
    if (pkm_table_n_column(table) > 0)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "the table has columns already, expected none");
    PKM_TRY(check_settings(robot, motion, settings, err));
    run r = {.robot = robot, .settings = settings};
    const double duration = pkm_motion_duration(robot->desc->motion[motion].motion);
    const size_t n = (size_t)settings->n_instant;
    double* power = pkm_alloc(2 * n, sizeof(double));
    pkm_status status = power ? PKM_OK : pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    if (status == PKM_OK) status = prepare(&r, motion, err);
    if (status == PKM_OK) status = add_columns(&r, table, err);
    if (status == PKM_OK && pkm_table_reserve(table, settings->n_instant) != PKM_OK)
        status = pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    if (status == PKM_OK) {
        status = step_through(&r, duration, power, power + n, table, report, err);
        const double h = duration / (double)(n - 1);
        balance(power, power + n, h, table, report);
        report->exchanged = integrate_magnitude(robot, table, h);
        pkm_limits_check(robot, motion, table, report);
    }
    release(&r);
    pkm_free(power);
    return status;
}

// ---- comparison -------------------------------------------------------------------------------

static void compare_drive(const pkm_robot* robot, int d, const pkm_table* engine,
                          const pkm_table* closed, pkm_compare_row* out)
{
    char name[2 * PKM_MAX_NAME];
    snprintf(name, sizeof name, "%s.force", robot->mech->drive[d].name);
    const int a = pkm_table_find(engine, name), b = pkm_table_find(closed, name);
    *out = (pkm_compare_row){0};
    for (int i = 0; i < pkm_table_n_row(engine) && i < pkm_table_n_row(closed); ++i) {
        const double fa = pkm_table_get(engine, i, a), fb = pkm_table_get(closed, i, b);
        out->largest_force = fmax(out->largest_force, fmax(fabs(fa), fabs(fb)));
        if (fabs(fa - fb) <= out->difference) continue;
        out->difference = fabs(fa - fb);
        out->t = pkm_table_get(engine, i, 0);
    }
}

pkm_status pkm_compare_run(pkm_robot* robot, int motion, const pkm_inverse_settings* settings,
                           pkm_table* engine, pkm_table* closed, pkm_compare_row* out,
                           pkm_error* err)
{
    if (!robot || !engine || !closed || !out)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "compare: an argument is NULL");
    pkm_inverse_settings s = settings ? *settings : pkm_inverse_settings_defaults();
    pkm_inverse_report report;
    s.method = PKM_METHOD_CLOSED;
    PKM_TRY(pkm_inverse_run(robot, motion, &s, closed, &report, err));
    s.method = PKM_METHOD_ENGINE;
    PKM_TRY(pkm_inverse_run(robot, motion, &s, engine, &report, err));
    for (int d = 0; d < robot->mech->n_drive; ++d)
        compare_drive(robot, d, engine, closed, &out[d]);
    return PKM_OK;
}
