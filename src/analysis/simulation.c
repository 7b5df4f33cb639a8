#include "analysis/simulation.h"

#include "analysis/follow.h"
#include "analysis/simulation_parts.h"
#include "base/error.h"
#include "dynamics/kinematics.h"
#include "dynamics/motion_solve.h"

#include <string.h>

pkm_sim_settings pkm_sim_settings_defaults(void)
{
    return (pkm_sim_settings){.motion = PKM_NONE,
                              .end_time = 1.0,
                              .n_instant = 401,
                              .integrator = PKM_INTEGRATOR_EXPLICIT};
}

double pkm_integrator_tolerance(pkm_integrator integrator)
{
    return integrator == PKM_INTEGRATOR_EXPLICIT ? 1e-12 : 1e-6;
}

bool pkm_integrator_is_available(pkm_integrator integrator)
{
    return integrator == PKM_INTEGRATOR_EXPLICIT || integrator == PKM_INTEGRATOR_GALPHA;
}

// ---- state vector and rates -------------------------------------------------------------------

void pkm_sim_load_state(pkm_sim* s, const double* y)
{
    memcpy(s->robot->state->q, y, (size_t)s->n_q * sizeof(double));
    memcpy(s->robot->state->v, y + s->n_q, (size_t)s->n_v * sizeof(double));
}

void pkm_sim_store_state(const pkm_sim* s, double* y)
{
    memcpy(y, s->robot->state->q, (size_t)s->n_q * sizeof(double));
    memcpy(y + s->n_q, s->robot->state->v, (size_t)s->n_v * sizeof(double));
}

void pkm_sim_sum_rates(const pkm_sim* s, double* out)
{
    const pkm_ledger_rates now = pkm_plant_ledger(s->plant);
    out[0] = now.drive;
    out[1] = now.load;
    out[2] = now.friction;
    out[3] = now.damping;
    out[4] = fabs(now.drive) + fabs(now.load) + now.friction + now.damping;
}

static pkm_status rate(void* user, double t, const double* y, double* dydt)
{
    pkm_sim* s = user;
    pkm_sim_load_state(s, y);
    pkm_state_normalise(s->robot->mech, s->robot->state->q);
    const double* z = y + s->n_q + s->n_v;
    double* z_rate = dydt + s->n_q + s->n_v;
    PKM_TRY(pkm_plant_evaluate(s->plant, t, z, z_rate));
    pkm_state_position_rates(s->robot->mech, y, s->robot->state->v, dydt);
    memcpy(dydt + s->n_q, s->robot->state->a, (size_t)s->n_v * sizeof(double));

    pkm_sim_sum_rates(s, z_rate + s->n_z);
    return PKM_OK;
}

static pkm_status project(void* user, double t, double* y)
{
    pkm_sim* s = user;
    pkm_sim_load_state(s, y);
    pkm_state_normalise(s->robot->mech, s->robot->state->q);
    PKM_TRY(pkm_plant_project(s->plant, t));
    pkm_sim_store_state(s, y);
    return PKM_OK;
}

/// Absolute tolerances: positions and velocities in robot sizes, integrals loosely.
static void set_tolerances(pkm_sim* s)
{
    const double size = fmax(1e-3, s->robot->mech->size), tol = s->settings->tolerance;
    for (int i = 0; i < s->n_y; ++i)
        s->atol[i] = tol * (i < s->n_q ? size : i < s->n_q + s->n_v ? 10.0 * size : size);
    for (int i = s->n_y - PKM_SIM_SUMS; i < s->n_y; ++i)
        s->atol[i] = 1e3 * tol * (1.0 + s->robot->mech->total_mass);
}

// ---- columns and rows -------------------------------------------------------------------------

static bool add_deviation_columns(const pkm_sim* s, pkm_table* table)
{
    bool ok = true;
    for (int d = 0; d < s->robot->mech->n_drive; ++d) {
        const char* name = s->robot->mech->drive[d].name;
        ok = ok && pkm_table_add_item(table, name, "dq", pkm_robot_drive_unit(s->robot, d, 0));
        ok = ok && pkm_table_add_item(table, name, "dforce", pkm_robot_drive_unit(s->robot, d, -1));
    }
    if (s->robot->mech->tool == PKM_NONE) return ok;
    static const char* const quantity[] = {"dx", "dy", "dz", "dp", "dv", "da", "turn"};
    static const char* const unit[] = {"m", "m", "m", "m", "m/s", "m/s2", "rad"};
    const char* tool = pkm_short_name(s->robot->mech->marker[s->robot->mech->tool].name);
    for (size_t i = 0; i < sizeof quantity / sizeof quantity[0]; ++i)
        ok = ok && pkm_table_add_item(table, tool, quantity[i], unit[i]);
    return ok;
}

static pkm_status add_columns(const pkm_sim* s, pkm_table* table, pkm_error* err)
{
    PKM_TRY(pkm_motion_table_columns(&s->columns, table, err));
    bool ok = pkm_table_add_item(table, "energy", "spring", "J") &&
              pkm_table_add_item(table, "loss", "friction", "W") &&
              pkm_table_add_item(table, "loss", "damping", "W") &&
              pkm_table_add_item(table, "work", "drive", "J") &&
              pkm_table_add_item(table, "work", "load", "J") &&
              pkm_table_add_item(table, "work", "lost", "J") &&
              pkm_table_add_item(table, "", "balance", "J");
    if (ok && s->ideal) ok = add_deviation_columns(s, table);
    return ok ? PKM_OK : pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
}

static pkm_vec3 ideal_vec(const pkm_sim* s, int row, int column)
{
    return (pkm_vec3){pkm_table_get(s->ideal, row, column),
                      pkm_table_get(s->ideal, row, column + 1),
                      pkm_table_get(s->ideal, row, column + 2)};
}

static double* put_deviations(const pkm_sim* s, int row, const pkm_run_instant* at, double* out)
{
    const int n_drive = s->robot->mech->n_drive;
    for (int d = 0; d < n_drive; ++d) {
        *out++ = at->q[d] - pkm_table_get(s->ideal, row, 1 + 4 * d);
        *out++ = at->force[d] - pkm_table_get(s->ideal, row, 4 + 4 * d);
    }
    if (s->robot->mech->tool == PKM_NONE) return out;
    const int c = 1 + 4 * n_drive; // the tool's columns follow the drives'
    const pkm_vec3 dp = pkm_vec3_sub(at->tool.pose.p, ideal_vec(s, row, c));
    *out++ = dp.x;
    *out++ = dp.y;
    *out++ = dp.z;
    *out++ = pkm_vec3_norm(dp);
    *out++ = pkm_vec3_norm(pkm_vec3_sub(at->tool.v, ideal_vec(s, row, c + 3)));
    *out++ = pkm_vec3_norm(pkm_vec3_sub(at->tool.a, ideal_vec(s, row, c + 6)));
    pkm_quat want = s->robot->tool_home.q;
    if (s->columns.turns) want = pkm_quat_from_rpy(ideal_vec(s, row, c + 11));
    const pkm_quat turn = pkm_quat_mul(at->tool.pose.q, pkm_quat_conj(want));
    *out++ = pkm_vec3_norm(pkm_quat_to_rotvec(turn));
    return out;
}

/// Largest closure residual and rate at the present state.
static void note_drift(const pkm_sim* s, pkm_sim_report* report)
{
    const pkm_state* state = s->robot->state;
    for (int r = 0; r < s->robot->mech->n_closure; ++r) {
        const pkm_row* row = &s->robot->mech->row[r];
        double speed = 0.0;
        for (int e = row->at; e < row->at + row->n_a + row->n_b; ++e)
            speed += state->jacobian[e] * state->v[s->robot->mech->column[e]];
        report->drift_position = fmax(report->drift_position, fabs(state->residual[r]));
        report->drift_velocity = fmax(report->drift_velocity, fabs(speed));
    }
}

static void fill_ledger(pkm_sim* s, const double* y, pkm_ledger* out)
{
    const double* sum = y + s->n_y - PKM_SIM_SUMS;
    const pkm_energy now = pkm_plant_energy(s->plant);
    s->most_kinetic = fmax(s->most_kinetic, fabs(now.kinetic - s->start.kinetic));
    *out = (pkm_ledger){.drive = sum[0],
                        .load = sum[1],
                        .friction = sum[2],
                        .damping = sum[3],
                        .exchanged = sum[4] + s->most_kinetic,
                        .kinetic = now.kinetic - s->start.kinetic,
                        .potential = now.potential - s->start.potential,
                        .spring = pkm_plant_ledger(s->plant).stored - s->spring_start};
    out->residual = out->drive + out->load - out->friction - out->damping - out->kinetic -
                    out->potential - out->spring;
}

/// Evaluate at (t, y), which lies on the constraints, and write row `i`.
pkm_status pkm_sim_put_row(pkm_sim* s, int i, double t, double* y, pkm_table* table,
                           pkm_sim_report* report, pkm_error* err)
{
    pkm_status status = project(s, t, y);
    if (status == PKM_OK)
        status = pkm_plant_evaluate(s->plant, t, y + s->n_q + s->n_v, s->y + s->n_q + s->n_v);
    if (status == PKM_OK && s->reaction) status = pkm_plant_reactions(s->plant, s->reaction);
    if (status != PKM_OK) return status;
    note_drift(s, report);
    pkm_kinematics_acceleration(s->robot->state, s->robot->state->a);
    pkm_run_instant at = {.kinetic = 0.0};
    pkm_run_instant_read(s->robot, &at);
    memcpy(at.force, pkm_plant_drive_force(s->plant), sizeof at.force);
    const pkm_energy energy = pkm_plant_energy(s->plant);
    at.kinetic = energy.kinetic;
    double* out = pkm_table_append(table);
    if (!out) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    out = pkm_motion_table_row(&s->columns, t, &at, s->reaction, out);

    const pkm_ledger_rates now = pkm_plant_ledger(s->plant);
    if (i == 0) {
        s->start = energy;
        s->spring_start = now.stored;
    }
    fill_ledger(s, y, &report->ledger);
    *out++ = now.stored;
    *out++ = now.friction;
    *out++ = now.damping;
    *out++ = report->ledger.drive;
    *out++ = report->ledger.load;
    *out++ = report->ledger.friction + report->ledger.damping;
    *out++ = report->ledger.residual;
    if (s->ideal) put_deviations(s, i, &at, out);
    report->n_done = i + 1;
    report->t_end = t;
    return PKM_OK;
}

// ---- integration ------------------------------------------------------------------------------

pkm_stop pkm_sim_stop_for(pkm_status status)
{
    return status == PKM_RETRY || status == PKM_ERR_SINGULAR ? PKM_STOP_SINGULAR
                                                             : PKM_STOP_STEP_LIMIT;
}

double pkm_sim_time_of(const pkm_sim* s, int i)
{
    return s->settings->end_time * i / (s->settings->n_instant - 1);
}

static pkm_status run_explicit(pkm_sim* s, pkm_table* table, pkm_sim_report* report, pkm_error* err)
{
    const pkm_ode ode = {.n = s->n_y, .user = s, .rate = rate, .project = project};
    const pkm_rk_settings settings = {.rtol = s->settings->tolerance,
                                      .atol = s->atol,
                                      .min_step = s->settings->min_step,
                                      .max_step = s->settings->max_step};
    pkm_status status = pkm_rk_begin(s->rk, &ode, &settings, 0.0, s->y);
    double* y = s->y; // rows are read off dense output here
    int i = 1;
    if (status == PKM_OK) status = pkm_sim_put_row(s, 0, 0.0, y, table, report, err);
    while (status == PKM_OK && i < s->settings->n_instant) {
        status = pkm_rk_step(s->rk, s->settings->end_time);
        while (status == PKM_OK && i < s->settings->n_instant &&
               pkm_sim_time_of(s, i) <= pkm_rk_time(s->rk)) {
            status = pkm_rk_dense(s->rk, pkm_sim_time_of(s, i), y);
            if (status == PKM_OK)
                status = pkm_sim_put_row(s, i, pkm_sim_time_of(s, i), y, table, report, err);
            ++i;
        }
        if (status != PKM_OK || !s->settings->progress) continue;
        if (s->settings->progress(s->settings->user, pkm_rk_time(s->rk) / s->settings->end_time))
            continue;
        report->stop = PKM_STOP_INTERRUPTED;
        break;
    }
    const pkm_rk_report counts = pkm_rk_get_report(s->rk);
    report->steps = counts.steps;
    report->rejected = counts.rejected + counts.retries;
    report->rates = counts.rates;
    if (status == PKM_OK || status == PKM_ERR_MEMORY) return status;
    report->stop = pkm_sim_stop_for(status);
    report->t_stop = pkm_rk_time(s->rk);
    return PKM_OK;
}

// ---- preparation ------------------------------------------------------------------------------

/// The ideal motion at the same instants.
static pkm_status find_ideal(pkm_sim* s, pkm_error* err)
{
    if (s->settings->motion == PKM_NONE) return PKM_OK;
    s->ideal = pkm_table_create();
    if (!s->ideal) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    pkm_inverse_settings settings = pkm_inverse_settings_defaults();
    settings.n_instant = s->settings->n_instant;
    settings.end_time = s->settings->end_time;
    settings.tool_force = s->settings->tool_force;
    settings.tool_torque = s->settings->tool_torque;
    return pkm_inverse_run(s->robot, s->settings->motion, &settings, s->ideal, NULL, err);
}

/// The state at t = 0: on the motion with its velocities, or at home at rest.
static pkm_status go_to_start(pkm_sim* s, pkm_error* err)
{
    pkm_robot_go_home(s->robot);
    if (s->settings->motion == PKM_NONE) return PKM_OK;
    pkm_follower follower;
    const pkm_motion* motion = s->robot->desc->motion[s->settings->motion].motion;
    PKM_TRY(pkm_follow_begin(s->robot, motion, &follower, err));
    return pkm_follow_to(&follower, 0.0, err);
}

static pkm_status tool_load(void* user, double t, const pkm_state* state, pkm_wrench* load,
                            double* stored, double* dissipated, double* fed)
{
    const pkm_sim* s = user;
    const pkm_mechanism* mech = state->mech;
    (void)t, (void)stored, (void)dissipated;
    if (mech->tool == PKM_NONE) return PKM_OK;
    const pkm_marker* tool = &mech->marker[mech->tool];
    const pkm_vec3 at = pkm_state_marker_pose(state, mech->tool).p;
    const pkm_wrench f = pkm_wrench_at(at, s->settings->tool_force, s->settings->tool_torque);
    load[tool->body] = pkm_wrench_add(load[tool->body], f);
    *fed += pkm_twist_dot(state->body[tool->body].V, f);
    return PKM_OK;
}

/// Joints whose rate is given at the start: their velocities are independent and set.
static pkm_status read_start(const pkm_sim* s, int* preferred, pkm_error* err)
{
    for (int k = 0; k < s->settings->n_start; ++k) {
        const pkm_joint* joint = &s->robot->mech->joint[s->settings->start_joint[k]];
        const pkm_body* body =
            joint->tree_body == PKM_NONE ? NULL : &s->robot->mech->body[joint->tree_body];
        if (!body || body->n_v != 1)
            return pkm_fail(err, PKM_ERR_ARGUMENT,
                            "start: joint %s cannot be given a rate, expected a revolute or "
                            "prismatic joint that does not close a loop",
                            joint->name);
        preferred[k] = body->v_at;
        s->robot->state->v[body->v_at] =
            body->reversed ? -s->settings->start_rate[k] : s->settings->start_rate[k];
    }
    return PKM_OK;
}

static pkm_status start_velocities(pkm_sim* s, pkm_error* err)
{
    if (s->settings->n_start == 0) return PKM_OK;
    if (s->settings->n_start != pkm_plant_n_free(s->plant))
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "start: %d rates for %d freedoms, expected one for each freedom",
                        s->settings->n_start, pkm_plant_n_free(s->plant));
    return pkm_plant_project(s->plant, 0.0);
}

static pkm_status make_plant(pkm_sim* s, pkm_error* err)
{
    int preferred[PKM_MAX_DRIVE];
    PKM_TRY(read_start(s, preferred, err));
    const pkm_effects* effects = s->settings->effects;
    const pkm_loading loading = {.user = s, .apply = tool_load};
    const pkm_plant_spec spec = {.structure = &s->robot->structure,
                                 .prescribed = pkm_actuator_prescribed(s->actuator),
                                 .preferred = preferred,
                                 .n_preferred = s->settings->n_start,
                                 .actuation = pkm_actuator_get(s->actuator),
                                 .loading = &loading,
                                 .n_friction = effects ? effects->n_friction : 0,
                                 .friction = effects ? effects->friction : NULL};
    PKM_TRY(pkm_plant_create(s->robot->state, &spec, &s->plant, err));
    return start_velocities(s, err);
}

static pkm_status allocate(pkm_sim* s)
{
    s->n_q = s->robot->mech->n_q;
    s->n_v = s->robot->mech->n_v;
    s->n_z = pkm_plant_n_state(s->plant);
    s->n_y = s->n_q + s->n_v + s->n_z + PKM_SIM_SUMS;
    s->y = pkm_alloc((size_t)s->n_y, sizeof(double));
    s->atol = pkm_alloc((size_t)s->n_y, sizeof(double));
    if (s->settings->reactions)
        s->reaction = pkm_alloc((size_t)s->robot->mech->n_joint, sizeof(pkm_reaction));
    if (!s->y || !s->atol || (s->settings->reactions && !s->reaction)) return PKM_ERR_MEMORY;
    return pkm_rk_create(s->n_y, &s->rk);
}

static pkm_status prepare(pkm_sim* s, pkm_table* table, pkm_error* err)
{
    PKM_TRY(pkm_motion_table_begin(&s->columns, s->robot, true, s->settings->reactions, err));
    PKM_TRY(find_ideal(s, err));
    PKM_TRY(pkm_actuator_create(s->robot, s->settings->motion, s->settings->end_time,
                                s->settings->drive, &s->actuator, err));
    PKM_TRY(go_to_start(s, err));
    PKM_TRY(make_plant(s, err));
    if (allocate(s) != PKM_OK) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    set_tolerances(s);
    pkm_sim_store_state(s, s->y);
    PKM_TRY(add_columns(s, table, err));
    if (pkm_table_reserve(table, s->settings->n_instant) != PKM_OK)
        return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    return PKM_OK;
}

static void release(pkm_sim* s)
{
    memset(s->robot->state->load, 0, (size_t)s->robot->mech->n_body * sizeof(pkm_wrench));
    pkm_motion_table_end(&s->columns);
    pkm_rk_free(s->rk);
    pkm_plant_free(s->plant);
    pkm_actuator_free(s->actuator);
    pkm_table_free(s->ideal);
    pkm_free(s->reaction);
    pkm_free(s->y);
    pkm_free(s->atol);
}

pkm_status pkm_simulate(pkm_robot* robot, const pkm_sim_settings* settings, pkm_table* table,
                        pkm_sim_report* report, pkm_error* err)
{
    *report = (pkm_sim_report){.stop = PKM_STOP_END_TIME};
    pkm_sim_settings complete = *settings;
    if (complete.tolerance == 0.0)
        complete.tolerance = pkm_integrator_tolerance(settings->integrator);
    pkm_sim s = {.robot = robot, .settings = &complete};
    if (!pkm_integrator_is_available(settings->integrator))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "integrator: this one is not built in");
    pkm_status status = prepare(&s, table, err);
    if (status == PKM_OK)
        status = settings->integrator == PKM_INTEGRATOR_GALPHA
                     ? pkm_sim_run_galpha(&s, table, report, err)
                     : run_explicit(&s, table, report, err);
    release(&s);
    return status;
}
