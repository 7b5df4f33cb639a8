/// The equations of a run in the forms that steppers ask for, and the stepper at work.
#include "base/error.h"
#include "simulate/simulation_impl.h"

#include <string.h>

// ---- y' = f(t, y) -----------------------------------------------------------------------------

static pkm_status rate(void* user, double t, const double* y, double* dydt)
{
    pkm_sim* s = user;
    pkm_sim_load_state(s, y);
    pkm_state_normalise(s->robot->mech, s->robot->state->q);
    const double* z = y + s->n_q + s->n_v;
    double* z_rate = dydt + s->n_q + s->n_v;
    PKM_TRY(pkm_plant_evaluate(s->plant, pkm_sim_left(s, t), z, z_rate));
    // q' = T(q) v, v' = a, z' and integrands behind
    pkm_state_position_rates(s->robot->mech, y, s->robot->state->v, dydt);
    memcpy(dydt + s->n_q, s->robot->state->a, (size_t)s->n_v * sizeof(double));

    pkm_sim_sum_rates(s, t, z_rate + s->n_z);
    memcpy(s->y_rate, y, (size_t)s->n_y * sizeof(double));
    s->t_rate = t;
    s->stands_at_rate = true;
    return PKM_OK;
}

/// Is all at hand that an evaluation of what is stiff finds at time t in the state y? Implicit
/// steps ask for factors where they have just asked for rates. Friction in ideal joints settles
/// from where it was: evaluated twice it is another.
static bool is_evaluated(const pkm_sim* s, double t, const double* y)
{
    return s->stands_at_rate && s->t_rate == t && !pkm_plant_settles(s->plant) &&
           memcmp(s->y_rate, y, (size_t)s->n_y * sizeof(double)) == 0;
}

static pkm_status project(void* user, double t, double* y)
{
    pkm_sim* s = user;
    pkm_sim_load_state(s, y);
    pkm_state_normalise(s->robot->mech, s->robot->state->q);
    PKM_TRY(pkm_plant_project_step(s->plant, t));
    pkm_sim_store_state(s, y);
    return PKM_OK;
}

/// Bristles of surfaces that stop; the state is that of `project`.
static pkm_status jump(void* user, double t, double* y)
{
    pkm_sim* s = user;
    return pkm_plant_take_up(s->plant, pkm_sim_left(s, t), y + s->n_q + s->n_v);
}

pkm_status pkm_sim_evaluate(pkm_sim* s, double t, const double* y)
{
    pkm_sim_load_state(s, y);
    pkm_state_normalise(s->robot->mech, s->robot->state->q);
    return pkm_plant_evaluate(s->plant, pkm_sim_left(s, t), y + s->n_q + s->n_v, s->z_rate);
}

void pkm_sim_find_contacts(pkm_sim* s, const double* y)
{
    pkm_sim_load_state(s, y);
    pkm_state_normalise(s->robot->mech, s->robot->state->q);
    pkm_plant_find_contacts(s->plant, y + s->n_q + s->n_v);
}

static pkm_status prepare(void* user)
{
    return pkm_plant_stiff_create(((pkm_sim*)user)->plant);
}

/// 1 - c J of what is stiff, at the state y; the positions stay at hand for their rates.
static pkm_status factor(void* user, double t, const double* y, double c)
{
    pkm_sim* s = user;
    const double* z = y + s->n_q + s->n_v;
    if (!is_evaluated(s, t, y)) {
        pkm_sim_load_state(s, y);
        pkm_state_normalise(s->robot->mech, s->robot->state->q);
        PKM_TRY(pkm_plant_stiff_evaluate(s->plant, pkm_sim_left(s, t), z, s->z_rate));
    }
    memcpy(s->q_factor, s->robot->state->q, (size_t)s->n_q * sizeof(double));
    s->c_factor = c;
    return pkm_plant_stiff_factor(s->plant, c, z);
}

/// Bristles are states that are stiff; those of controllers, crosses and integrals stay.
static void solve(void* user, double* x)
{
    pkm_sim* s = user;
    const pkm_mechanism* mech = s->robot->mech;
    double *step = s->q_step, *dq = s->q_rate, *v = x + s->n_q;
    // b_x as a velocity-like step, then x_v by (5.2), and x_x = b_x + c x_v, of
    // docs/theory/integrators.md
    pkm_state_position_step(mech, s->q_factor, x, step);
    pkm_plant_stiff_solve(s->plant, step, v, v + s->n_v);
    pkm_state_position_rates(mech, s->q_factor, v, dq);
    for (int k = 0; k < s->n_q; ++k)
        x[k] += s->c_factor * dq[k];
}

static void multipliers(void* user, double* out)
{
    pkm_plant_get_multipliers(((pkm_sim*)user)->plant, out);
}

/// A stage Y = psi + c f(t, Y) tells its accelerations, (Y - psi)/c: what they lack is found by
/// inverse dynamics.
static pkm_status correct(void* user, double t, double c, const double* psi, const double* Y,
                          double* delta)
{
    pkm_sim* s = user;
    const pkm_mechanism* mech = s->robot->mech;
    const int at_z = s->n_q + s->n_v;
    double *dv = delta + s->n_q, *z_rate = delta + at_z;
    pkm_sim_load_state(s, Y);
    pkm_state_normalise(mech, s->robot->state->q);
    for (int k = 0; k < s->n_v; ++k)
        // a = (Y_v - psi_v)/c, lambda likewise from its integral (7.5)
        s->robot->state->a[k] = (Y[s->n_q + k] - psi[s->n_q + k]) / c;
    for (int k = 0; k < pkm_plant_n_multiplier(s->plant); ++k)
        s->lambda[k] = (Y[s->n_y + k] - psi[s->n_y + k]) / c;
    pkm_state_position_rates(mech, Y, s->robot->state->v, s->q_rate);
    for (int k = 0; k < s->n_q; ++k)
        // what the positions lack of q' = T v
        delta[k] = psi[k] + c * s->q_rate[k] - Y[k];
    pkm_state_position_step(mech, s->q_factor, delta, s->q_step);
    PKM_TRY(pkm_plant_stiff_correct(s->plant, pkm_sim_left(s, t), c, s->q_step, Y + at_z, s->lambda,
                                    dv, z_rate, delta + s->n_y));
    pkm_sim_sum_rates(s, t, z_rate + s->n_z);
    for (int k = at_z; k < s->n_y; ++k)
        delta[k] = psi[k] + c * delta[k] - Y[k];
    pkm_state_position_rates(mech, s->q_factor, dv, s->q_rate);
    for (int k = 0; k < s->n_q; ++k)
        delta[k] += s->c_factor * s->q_rate[k];
    return PKM_OK;
}

// ---- F(t, Y, Y') = 0 --------------------------------------------------------------------------
// The stabilised form of index 2 (docs/theory/simulation.md, section 4),
//
//     q' = T(q) (v + G' mu),   r(q, v, v', lambda, z) = 0,   phi(q) = 0,   G v = phi_t,   z' = f
//
// The vector is q, v, z and integrals, then lambda and mu. Locks of idle freedoms are constraints
// of velocities only: their mu is zero.

static const double MULTIPLIER_TOLERANCE = 1e-3; // of the weight, the size

/// q' - T(q) (v + G' mu)
static void position_residual(pkm_sim* s, const double* Y, const double* Yp, const double* mu,
                              double* out)
{
    memcpy(s->q_step, Y + s->n_q, (size_t)s->n_v * sizeof(double));
    pkm_plant_add_constraints(s->plant, mu, s->q_step);
    pkm_state_position_rates(s->robot->mech, Y, s->q_step, s->q_rate);
    for (int i = 0; i < s->n_q; ++i)
        out[i] = Yp[i] - s->q_rate[i];
}

static pkm_status residual(void* user, double t, const double* Y, const double* Yp, double* out)
{
    pkm_sim* s = user;
    const int at_z = s->n_q + s->n_v, n_z = s->n_z + s->n_sum, n_c = s->n_multiplier / 2;
    const double *lambda = Y + s->n_y, *mu = lambda + n_c;
    double *phi = out + s->n_y, *rates = phi + n_c;
    pkm_sim_load_state(s, Y);
    pkm_state_normalise(s->robot->mech, s->robot->state->q);
    memcpy(s->robot->state->a, Yp + s->n_q, (size_t)s->n_v * sizeof(double));
    PKM_TRY(pkm_plant_residual(s->plant, pkm_sim_left(s, t), lambda, Y + at_z, out + s->n_q, phi,
                               out + at_z));
    pkm_sim_sum_rates(s, t, out + at_z + s->n_z);
    for (int i = 0; i < n_z; ++i)
        out[at_z + i] = Yp[at_z + i] - out[at_z + i];
    position_residual(s, Y, Yp, mu, out);
    pkm_plant_constraint_rates(s->plant, Y + s->n_q, rates);
    for (int i = 0; i < n_c; ++i)
        if (pkm_plant_is_lock(s->plant, i)) phi[i] = mu[i];
    return PKM_OK;
}

/// A first step whose error in the positions, a h^2 / 2, is a tenth of the tolerance: far shorter
/// ones drown the multipliers in rounding of the positions, e/h^2, and shrink for ever.
static double first_step(const pkm_sim* s)
{
    // a h^2/2 = tolerance/10
    double most = 0.0;
    for (int k = 0; k < s->n_v; ++k)
        most = fmax(most, fabs(s->robot->state->a[k]) / s->robot->mech->v_unit[k]);
    const double h = sqrt(0.2 * s->tolerance / fmax(most, 1e-3));
    const double longest = 1e-3 * s->settings->end_time;
    return fmin(h, s->settings->max_step > 0.0 ? fmin(longest, s->settings->max_step) : longest);
}

/// Rates, accelerations and multipliers that belong to the state vector y.
static pkm_status complete(void* user, double t, const double* y, double* Y, double* Yp,
                           double* first)
{
    pkm_sim* s = user;
    const int at_z = s->n_q + s->n_v;
    const size_t n = (size_t)(s->n_y + s->n_multiplier);
    if (Y != y) memmove(Y, y, (size_t)s->n_y * sizeof(double));
    memset(Y + s->n_y, 0, (size_t)s->n_multiplier * sizeof(double));
    memset(Yp, 0, n * sizeof(double));
    pkm_sim_load_state(s, Y);
    PKM_TRY(pkm_plant_evaluate(s->plant, t, Y + at_z, Yp + at_z));
    pkm_plant_begin_step(s->plant);
    pkm_plant_multipliers(s->plant, Y + s->n_y);
    pkm_state_position_rates(s->robot->mech, Y, s->robot->state->v, Yp);
    memcpy(Yp + s->n_q, s->robot->state->a, (size_t)s->n_v * sizeof(double));
    pkm_sim_sum_rates(s, t, Yp + at_z + s->n_z);
    *first = first_step(s);
    return PKM_OK;
}

/// In the first, tiny steps rounding in the positions shakes the multipliers: they only have to
/// settle well enough not to hold up the iteration.
static void set_multiplier_tolerances(const pkm_sim* s)
{
    const double weight = 9.81 * fmax(1e-3, s->robot->mech->total_mass);
    const double size = fmax(1e-3, s->robot->mech->size);
    for (int i = 0; i < s->n_multiplier; ++i)
        s->multiplier_atol[i] =
            fmax(s->tolerance, MULTIPLIER_TOLERANCE) * (i < s->n_multiplier / 2 ? weight : size);
}

// An explicit method whose steps are this many radians of a vibration for so many steps is held by
// its stability, which the estimate (1.7) of integrators.md sees in damped ones only.
static const double STIFF_STEP = 2.5;
enum { STIFF_STEPS = 20 };
// Vibrations that a longer step of order 5 passes over have forces all the same: the run changes
// only where it would take that many steps to its end.
static const double MOST_STEPS = 5000.0;

// ---- steps ------------------------------------------------------------------------------------

pkm_ode pkm_sim_ode(pkm_sim* s)
{
    return (pkm_ode){.n = s->n_y, .user = s, .rate = rate, .project = project, .jump = jump};
}

static pkm_status create_stepper(pkm_sim* s)
{
    const pkm_stepper_system system = {
        .ode = pkm_sim_ode(s),
        .solver = {.prepare = prepare,
                   .factor = factor,
                   .solve = solve,
                   .n_more = pkm_plant_n_multiplier(s->plant),
                   .multipliers = multipliers,
                   .correct = pkm_plant_stiff_corrects(s->plant) ? correct : NULL},
        .dae = {.n_more = s->n_multiplier,
                .more_atol = s->multiplier_atol,
                .residual = residual,
                .complete = complete}};
    set_multiplier_tolerances(s);
    return pkm_stepper_create(s->integrator, &system, &s->stepper);
}

/// The highest angular frequency of the modes of flexible links [rad/s].
static double highest_mode(const pkm_mechanism* mech)
{
    double stiffest = 0.0;
    for (int i = 1; i < mech->n_body; ++i)
        for (int k = 0; mech->body[i].modal && k < mech->body[i].modal->n_mode; ++k)
            stiffest = fmax(stiffest, mech->body[i].modal->stiffness[k]);
    return sqrt(stiffest);
}

/// What rests by friction is held to a part of 1e-3 of mu_s: errors of looser steps would shake it
/// loose.
static double resting_tolerance(const pkm_sim* s, double asked)
{
    const double most = pkm_stepper_kind_of(s->integrator)->resting;
    return pkm_plant_can_stop(s->plant) ? fmin(asked, most) : asked;
}

pkm_status pkm_sim_create_steps(pkm_sim* s)
{
    s->n_multiplier = 2 * pkm_plant_n_constraint(s->plant);
    s->q_factor = pkm_alloc((size_t)s->n_q, sizeof(double));
    s->q_rate = pkm_alloc((size_t)s->n_q, sizeof(double));
    s->q_step = pkm_alloc((size_t)s->n_v, sizeof(double));
    s->multiplier_atol = pkm_alloc((size_t)s->n_multiplier, sizeof(double));
    s->lambda = pkm_alloc((size_t)pkm_plant_n_multiplier(s->plant), sizeof(double));
    s->y_rate = pkm_alloc((size_t)s->n_y, sizeof(double));
    if (!s->y_rate || !s->q_factor || !s->q_rate || !s->q_step || !s->multiplier_atol || !s->lambda)
        return PKM_ERR_MEMORY;
    s->highest = highest_mode(s->robot->mech);
    s->integrator = s->settings->integrator;
    s->tolerance = resting_tolerance(s, s->settings->tolerance);
    s->t_change = NAN;
    return create_stepper(s);
}

void pkm_sim_free_steps(pkm_sim* s)
{
    pkm_stepper_free(&s->stepper);
    pkm_free(s->q_factor);
    pkm_free(s->q_rate);
    pkm_free(s->q_step);
    pkm_free(s->multiplier_atol);
    pkm_free(s->lambda);
    pkm_free(s->y_rate);
}

/// Where surfaces touch, iterations go to and fro between sticking and slipping and end just above
/// the tenth of the tolerance that CVODE wants; with a fifth a quarter fewer of them fail, at the
/// same errors (docs/theory/integrators.md, section 5). What has no motion to follow comes to rest
/// and is to hold still: what is left there would creep.
static double newton_share(const pkm_sim* s)
{
    static const double FOLLOWING = 0.2, RESTING = 0.01;
    if (!s->contacts) return 0.0;
    return s->settings->motion == PKM_NONE ? RESTING : FOLLOWING;
}

/// Links that ring on without damping keep their energy whatever their swing: tolerances are parts
/// of the amplitude a with which the robot's mass has the largest energy so far,
/// m (w a)^2/2, of (1.8) in docs/theory/integrators.md. The plant stands where the step ended.
static void follow_swing(pkm_sim* s)
{
    static const double FULL = 1e-2, LEAST = 1e-6; // swings of 1 % of the size have all
    const pkm_mechanism* mech = s->robot->mech;
    if (s->settings->ringing == 0.0) return;
    const pkm_energy now = pkm_plant_energy(s->plant);
    s->most_energy = fmax(s->most_energy, now.kinetic + now.strain);
    const double swing = sqrt(2.0 * s->most_energy / mech->total_mass) / s->settings->ringing;
    s->part = fmin(1.0, fmax(LEAST, swing / (FULL * fmax(1e-3, mech->size))));
}

pkm_status pkm_sim_begin_steps(pkm_sim* s, double t, double longest)
{
    const pkm_rk_settings settings = {.rtol = s->tolerance,
                                      .atol = s->atol,
                                      .reach = s->reach,
                                      .part = s->settings->ringing > 0.0 ? &s->part : NULL,
                                      .newton_share = newton_share(s),
                                      .min_step = s->settings->min_step,
                                      .max_step = longest};
    PKM_TRY(s->stepper.kind->begin(s->stepper.m, &settings, t, s->y));
    follow_swing(s);
    return PKM_OK;
}

bool pkm_sim_is_stiff(pkm_sim* s)
{
    // implicit methods are held by no stability
    if (s->stepper.kind->stable == 0.0) return false;
    const bool is_long = pkm_sim_last_step(s) * s->highest > STIFF_STEP;
    // steps in a row count up, others down: single long steps change nothing
    s->n_stiff = is_long ? s->n_stiff + 1 : s->n_stiff > 0 ? s->n_stiff - 1 : 0;
    if (s->settings->when_stiff == s->integrator) return false;
    if (s->n_stiff < STIFF_STEPS && !s->stepper.kind->counts(s->stepper.m).is_stiff) return false;
    // at this pace the whole run would take more than MOST_STEPS
    return s->n_step * s->settings->end_time > MOST_STEPS * pkm_sim_time(s);
}

pkm_status pkm_sim_resume(pkm_sim* s, double t, double longest)
{
    pkm_stepper_free(&s->stepper);
    pkm_sim_set_tolerances(s);
    PKM_TRY(create_stepper(s));
    return pkm_sim_begin_steps(s, t, longest);
}

pkm_status pkm_sim_change_stepper(pkm_sim* s, double longest)
{
    const double t = pkm_sim_time(s);
    // the other method begins where this one stands; counts of both are told
    memcpy(s->y, pkm_sim_state(s), (size_t)s->n_y * sizeof(double));
    s->before = s->stepper.kind->counts(s->stepper.m);
    s->integrator = s->settings->when_stiff;
    s->tolerance = resting_tolerance(s, s->settings->stiff_tolerance);
    s->t_change = t;
    return pkm_sim_resume(s, t, longest);
}

double pkm_sim_time(const pkm_sim* s)
{
    return s->stepper.kind->time(s->stepper.m);
}

const double* pkm_sim_state(const pkm_sim* s)
{
    return s->stepper.kind->state(s->stepper.m);
}

double pkm_sim_last_step(const pkm_sim* s)
{
    return s->stepper.kind->last_step(s->stepper.m);
}

double pkm_sim_next_step(const pkm_sim* s)
{
    return s->stepper.kind->next_step ? s->stepper.kind->next_step(s->stepper.m)
                                      : pkm_sim_last_step(s);
}

pkm_status pkm_sim_step(pkm_sim* s, double t_limit)
{
    const pkm_step_end end = s->stepper.kind->end;
    PKM_TRY(s->stepper.kind->step(s->stepper.m, t_limit));
    follow_swing(s);
    if (end == PKM_END_ELSEWHERE) return pkm_sim_evaluate(s, pkm_sim_time(s), pkm_sim_state(s));
    // gaps pass zero: they are wanted at the end itself, forces of drives near it; where surfaces
    // slide the search for those that stop has left them there, but for rounding
    if (end == PKM_END_NEAR && s->contacts && !pkm_plant_sees_contacts(s->plant))
        pkm_sim_find_contacts(s, pkm_sim_state(s));
    return PKM_OK;
}

pkm_status pkm_sim_dense(pkm_sim* s, double t, double* y)
{
    return s->stepper.kind->dense(s->stepper.m, t, y);
}

pkm_status pkm_sim_stand_near(pkm_sim* s, double t, double* y, bool* exact)
{
    *exact = true;
    if (!s->stepper.kind->rough) return pkm_sim_stand_at(s, t, y);
    *exact = s->stepper.kind->rough(s->stepper.m, t, y);
    pkm_sim_load_state(s, y);
    pkm_state_normalise(s->robot->mech, s->robot->state->q);
    return PKM_OK;
}

pkm_status pkm_sim_stand_at(pkm_sim* s, double t, double* y)
{
    PKM_TRY(pkm_sim_dense(s, t, y));
    pkm_sim_load_state(s, y);
    pkm_state_normalise(s->robot->mech, s->robot->state->q);
    return PKM_OK;
}

pkm_status pkm_sim_restart(pkm_sim* s, double t, const double* y, double first_step_then)
{
    s->stands_at_rate = false; // what starts anew may have other masses
    return s->stepper.kind->restart(s->stepper.m, t, y, first_step_then);
}

void pkm_sim_count_steps(const pkm_sim* s, pkm_sim_report* report)
{
    const pkm_stepper_counts counts = s->stepper.kind->counts(s->stepper.m);
    report->steps = (int)(s->before.steps + counts.steps);
    report->rejected = (int)(s->before.rejected + counts.rejected);
    report->rates = (int)(s->before.rates + counts.rates);
    report->factors = (int)(s->before.factors + counts.factors);
    report->is_stiff = counts.is_stiff || s->n_stiff >= STIFF_STEPS;
    report->integrator = s->integrator;
    report->tolerance = s->tolerance;
    report->t_change = s->t_change;
}
