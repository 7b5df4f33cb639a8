// Idle freedoms that move by themselves in inverse dynamics: they begin in equilibrium (7.2), then
// their accelerations are integrated beside the prescribed drives. docs/theory/simulation.md,
// section 7.
#include "base/error.h"
#include "base/memory.h"
#include "dynamics/inverse.h"
#include "dynamics/kinematics.h"
#include "dynamics/motion_solve.h"
#include "math/dot.h"
#include "robot/idle.h"
#include "solver/explicit_rk.h"

#include <string.h>

static const double TOLERANCE = 1e-11; // of the integration, relative and in robot sizes

struct pkm_idle_run {
    pkm_robot* robot;
    const pkm_motion* motion;
    pkm_robot* twin; ///< follows the motion with idle freedoms held: it watches for singularities
    pkm_follower follower;
    pkm_error failed; ///< of the follower inside a step
    const pkm_structure* structure;
    pkm_plant* plant;
    pkm_loading loading;
    const pkm_effects* effects;
    int n;                   ///< idle freedoms that move
    int* at;                 ///< [n] their rows in the system of the drives
    double *u, *tau, *K, *L; ///< [n], [n], [n x n], [n x n] work of the equilibrium
    double *y, *atol;        ///< [n_q + n_v]
    double* q;               ///< [n_q] work
    const double* near;      ///< what is looked at lies near this place; NULL: times in their order
    pkm_rk* rk;
};

void pkm_idle_run_free(pkm_idle_run* run)
{
    if (!run) return;
    pkm_robot_free(run->twin);
    pkm_rk_free(run->rk);
    double* const memory[] = {run->u, run->tau, run->K, run->L, run->y, run->atol, run->q};
    for (size_t i = 0; i < sizeof memory / sizeof memory[0]; ++i)
        pkm_free(memory[i]);
    pkm_free(run->at);
    pkm_free(run);
}

pkm_status pkm_idle_run_create(pkm_robot* robot, const pkm_motion* motion, pkm_idle_run** out,
                               pkm_error* err)
{
    *out = NULL;
    pkm_idle_run* run = pkm_alloc(1, sizeof *run);
    if (!run) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    run->robot = robot;
    run->motion = motion;
    pkm_status status = pkm_robot_twin(robot, &run->twin, err);
    if (status == PKM_OK) status = pkm_follow_begin(run->twin, motion, &run->follower, err);
    if (status != PKM_OK) {
        pkm_idle_run_free(run);
        return status;
    }
    *out = run;
    return PKM_OK;
}

void pkm_idle_run_reference(void* user, double t, pkm_target* target)
{
    pkm_idle_run* run = user;
    if (pkm_motion_is_drives(run->motion)) {
        pkm_motion_drives(run->motion, t, target->q, target->v, target->a, NULL);
        return;
    }
    if (run->failed.status == PKM_OK)
        run->failed.status = run->near ? pkm_follow_look(&run->follower, t, run->near)
                                       : pkm_follow_to(&run->follower, t, &run->failed);
    if (run->failed.status != PKM_OK) return; // the rates say so
    for (int d = 0; d < run->robot->mech->n_drive; ++d) {
        target->q[d] = pkm_state_drive_position(run->twin->state, d);
        pkm_drive_rates(run->twin->state, d, &target->v[d], &target->a[d]);
    }
}

// ---- equilibrium ------------------------------------------------------------------------------

/// The multipliers tau [n] of the locks that hold the robot at rest: the slopes of its potential
/// energy along the idle freedoms (7.2). Lengths in robot sizes.
static pkm_status holding_forces(pkm_idle_run* run, const pkm_target* target)
{
    pkm_state* state = run->robot->state;
    const pkm_mechanism* mech = state->mech;
    double unread[3] = {0.0, 0.0, 0.0}, force[PKM_MAX_DRIVE];
    PKM_TRY(pkm_solve_position(state, PKM_GIVEN_DRIVES, target));
    memset(state->v, 0, (size_t)mech->n_v * sizeof(double));
    memset(state->a, 0, (size_t)mech->n_v * sizeof(double));
    pkm_kinematics_velocity(state);
    pkm_kinematics_acceleration(state, state->a);
    memset(state->load, 0, (size_t)mech->n_body * sizeof(pkm_wrench));
    PKM_TRY(run->loading.apply(run->loading.user, 0.0, state, state->load, &unread[0], &unread[1],
                               &unread[2]));
    pkm_inverse_forces(state);
    pkm_inverse_drive_forces(state, force);
    memset(state->load, 0, (size_t)mech->n_body * sizeof(pkm_wrench));
    const pkm_system* system = &state->system[PKM_GIVEN_DRIVES];
    for (int k = 0; k < run->n; ++k)
        // over the weight: a force along a unit of a robot size is a moment [N m]
        run->tau[k] = system->multiplier[run->at[k]] / mech->row[system->row[run->at[k]]].weight;
    return PKM_OK;
}

/// Move the idle freedoms by `u` [n] (robot sizes, rad), the drives stay.
static void move(pkm_idle_run* run, const double* u)
{
    pkm_state* state = run->robot->state;
    pkm_system* system = &state->system[PKM_GIVEN_DRIVES];
    memset(system->rhs, 0, (size_t)system->n_row * sizeof(double));
    for (int k = 0; k < run->n; ++k)
        // A dq = u in the rows of the locks, zero in all others (3.1)
        system->rhs[run->at[k]] = u[k] / state->mech->row[system->row[run->at[k]]].weight;
    pkm_sparse_lu_solve(system->lu, system->rhs, state->step);
    pkm_state_move(state->mech, state->q, state->step);
}

/// K = d tau / d u by central differences, made symmetric.
static pkm_status find_stiffness(pkm_idle_run* run, const pkm_target* target)
{
    static const double STEP = 1e-5;
    const int n = run->n;
    const size_t size = (size_t)run->robot->mech->n_q * sizeof(double);
    memcpy(run->q, run->robot->state->q, size);
    for (int k = 0; k < n; ++k)
        for (int side = -1; side <= 1; side += 2) {
            memset(run->u, 0, (size_t)n * sizeof(double));
            run->u[k] = side * STEP;
            memcpy(run->robot->state->q, run->q, size);
            PKM_TRY(pkm_solve_position(run->robot->state, PKM_GIVEN_DRIVES, target));
            move(run, run->u);
            PKM_TRY(holding_forces(run, target));
            for (int i = 0; i < n; ++i) {
                double* K = &run->K[i + k * n];
                *K = (side < 0 ? 0.0 : *K) + side * run->tau[i] / (2.0 * STEP);
            }
        }
    for (int k = 0; k < n; ++k)
        for (int i = 0; i < k; ++i)
            run->K[i + k * n] = run->K[k + i * n] = 0.5 * (run->K[i + k * n] + run->K[k + i * n]);
    memcpy(run->robot->state->q, run->q, size);
    return holding_forces(run, target);
}

/// L L' = K + shift 1; false when that is not positive definite.
static bool factor(pkm_idle_run* run, double shift)
{
    const int n = run->n;
    double* L = run->L;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j) {
            double left = run->K[i + j * n] + (i == j ? shift : 0.0);
            for (int k = 0; k < j; ++k)
                left -= L[i * n + k] * L[j * n + k];
            if (i == j && !(left > 0.0)) return false;
            L[i * n + j] = i == j ? sqrt(left) : left / L[j * n + j];
        }
    return true;
}

/// u = -(K + shift 1)^-1 tau
static void solve(pkm_idle_run* run)
{
    const int n = run->n;
    const double* L = run->L;
    double* x = run->u;
    for (int i = 0; i < n; ++i) {
        x[i] = -run->tau[i];
        for (int k = 0; k < i; ++k)
            x[i] -= L[i * n + k] * x[k];
        x[i] /= L[i * n + i];
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int k = i + 1; k < n; ++k)
            x[i] -= L[k * n + i] * x[k];
        x[i] /= L[i * n + i];
    }
}

/// Downhill by Newton's method with the least shift that makes the tangent positive definite, to
/// where the holding forces vanish; `stable` tells of the tangent there. A freedom without a
/// preferred place (K = 0 and tau = 0) stays.
static pkm_status find_equilibrium(pkm_idle_run* run, const pkm_target* target, bool* stable)
{
    enum { MOST = 200 };
    static const double LONGEST = 0.3, NEAR = 1e-10; // [robot sizes, rad]
    const pkm_mechanism* mech = run->robot->mech;
    const double weight = 9.81 * (mech->total_mass + 1e-9) * mech->size; // [N m]
    for (int iteration = 0; iteration < MOST; ++iteration) {
        PKM_TRY(holding_forces(run, target));
        PKM_TRY(find_stiffness(run, target));
        // freedoms without stiffness of their own make K singular by nature: a little is always
        // added
        const double least = 1e-9 * fmax(weight, pkm_largest(run->K, run->n * run->n));
        double shift = least;
        while (!factor(run, shift))
            shift *= 4.0;
        solve(run);
        const double longest = pkm_largest(run->u, run->n);
        if (!(longest < HUGE_VAL)) return PKM_ERR_CONVERGENCE;
        for (int k = 0; longest > LONGEST && k < run->n; ++k)
            run->u[k] *= LONGEST / longest;
        // shifts beyond the rounding of the tangent tell of directions that lead downhill
        *stable = shift <= 1e3 * least;
        if (longest < NEAR || pkm_largest(run->tau, run->n) <= 1e-13 * weight) return PKM_OK;
        move(run, run->u);
    }
    return PKM_ERR_CONVERGENCE;
}

/// The start: in the stable equilibrium nearest to the poses of the file, at the speed of the
/// drives. An unstable one is refused: rounding would decide where it falls.
static pkm_status settle(pkm_idle_run* run, pkm_error* err)
{
    bool stable = true;
    pkm_target target = {.tool.pose = run->robot->tool_home};
    pkm_idle_run_reference(run, 0.0, &target);
    if (run->failed.status != PKM_OK) {
        if (err) *err = run->failed;
        return run->failed.status;
    }
    const pkm_status status = find_equilibrium(run, &target, &stable);
    char name[2 * PKM_MAX_NAME];
    pkm_idle_name(run->robot, run->structure, run->structure->n_harmless, name, sizeof name);
    if (status == PKM_OK && !stable)
        return pkm_fail(err, PKM_ERR_UNDETERMINED,
                        "idle: integrate: %s: its equilibrium at the start is unstable, expected "
                        "poses nearer to a stable one",
                        name);
    if (status == PKM_OK) { // at the speed of the drives, the idle freedoms held
        pkm_solve_velocity(run->robot->state, PKM_GIVEN_DRIVES, &target);
        return PKM_OK;
    }
    return pkm_fail(err, status == PKM_ERR_MEMORY ? status : PKM_ERR_UNDETERMINED,
                    "idle: integrate: %s: no equilibrium was found from which it could start",
                    name);
}

// ---- motion -----------------------------------------------------------------------------------

static void load_state(pkm_idle_run* run, const double* y)
{
    const pkm_mechanism* mech = run->robot->mech;
    memcpy(run->robot->state->q, y, (size_t)mech->n_q * sizeof(double));
    memcpy(run->robot->state->v, y + mech->n_q, (size_t)mech->n_v * sizeof(double));
    pkm_state_normalise(mech, run->robot->state->q);
}

static pkm_status rate(void* user, double t, const double* y, double* dydt)
{
    pkm_idle_run* run = user;
    const pkm_mechanism* mech = run->robot->mech;
    load_state(run, y);
    PKM_TRY(pkm_plant_evaluate(run->plant, t, NULL, NULL));
    if (run->failed.status != PKM_OK) return run->failed.status;
    pkm_state_position_rates(mech, y, run->robot->state->v, dydt);
    memcpy(dydt + mech->n_q, run->robot->state->a, (size_t)mech->n_v * sizeof(double));
    return PKM_OK;
}

static pkm_status project(void* user, double t, double* y)
{
    pkm_idle_run* run = user;
    const pkm_mechanism* mech = run->robot->mech;
    load_state(run, y);
    PKM_TRY(pkm_plant_project(run->plant, t));
    memcpy(y, run->robot->state->q, (size_t)mech->n_q * sizeof(double));
    memcpy(y + mech->n_q, run->robot->state->v, (size_t)mech->n_v * sizeof(double));
    return PKM_OK;
}

static pkm_status allocate(pkm_idle_run* run)
{
    const pkm_mechanism* mech = run->robot->mech;
    const size_t n = (size_t)run->n, n_y = (size_t)(mech->n_q + mech->n_v);
    run->u = pkm_alloc(n, sizeof(double));
    run->tau = pkm_alloc(n, sizeof(double));
    run->K = pkm_alloc(n * n, sizeof(double));
    run->L = pkm_alloc(n * n, sizeof(double));
    run->y = pkm_alloc(n_y, sizeof(double));
    run->atol = pkm_alloc(n_y, sizeof(double));
    run->q = pkm_alloc((size_t)mech->n_q, sizeof(double));
    run->at = pkm_alloc(n, sizeof(int));
    const bool ok = run->u && run->tau && run->K && run->L && run->y && run->atol && run->q;
    if (!ok || !run->at) return PKM_ERR_MEMORY;
    for (int k = 0; k < run->n; ++k)
        run->at[k] = pkm_idle_place(&run->robot->state->system[PKM_GIVEN_DRIVES],
                                    run->structure->lock[run->structure->n_harmless + k]);
    return pkm_rk_create((int)n_y, &run->rk);
}

static pkm_status begin_steps(pkm_idle_run* run)
{
    const pkm_mechanism* mech = run->robot->mech;
    const int n_y = mech->n_q + mech->n_v;
    const double size = fmax(1e-3, mech->size);
    for (int i = 0; i < n_y; ++i)
        run->atol[i] = TOLERANCE * (i < mech->n_q ? size : 10.0 * size);
    memcpy(run->y, run->robot->state->q, (size_t)mech->n_q * sizeof(double));
    memcpy(run->y + mech->n_q, run->robot->state->v, (size_t)mech->n_v * sizeof(double));
    const pkm_ode ode = {.n = n_y, .user = run, .rate = rate, .project = project};
    const pkm_rk_settings settings = {.rtol = TOLERANCE, .atol = run->atol};
    return pkm_rk_begin(run->rk, &ode, &settings, 0.0, run->y);
}

static pkm_status fail_step(pkm_idle_run* run, pkm_status status, double t, pkm_error* err)
{
    if (run->failed.status != PKM_OK) {
        if (err) *err = run->failed;
        return run->failed.status;
    }
    return pkm_fail(err, status == PKM_ERR_MEMORY ? status : PKM_ERR_SINGULAR,
                    "motion %s: t = %.6g s: idle freedoms cannot be followed any further (%s)",
                    pkm_motion_name(run->motion), t, pkm_status_text(status));
}

pkm_status pkm_idle_run_begin(pkm_idle_run* run, const pkm_structure* s, pkm_plant* plant,
                              const pkm_loading* loading, const pkm_effects* effects,
                              pkm_error* err)
{
    run->structure = s;
    run->plant = plant;
    run->loading = *loading;
    run->effects = effects;
    run->n = s->n_lock - s->n_harmless;
    if (allocate(run) != PKM_OK) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    if (run->n > 0) PKM_TRY(settle(run, err));
    const pkm_status status = begin_steps(run);
    return status == PKM_OK ? PKM_OK : fail_step(run, status, 0.0, err);
}

/// The state at the time that the steps have reached, with all that follows from it.
static pkm_status read_state(pkm_idle_run* run, double t)
{
    pkm_state* state = run->robot->state;
    load_state(run, pkm_rk_state(run->rk));
    PKM_TRY(pkm_plant_project(run->plant, t));
    PKM_TRY(pkm_plant_evaluate(run->plant, t, NULL, NULL));
    pkm_kinematics_acceleration(state, state->a);
    return pkm_solve_factor(state, PKM_GIVEN_DRIVES);
}

pkm_status pkm_idle_run_to(pkm_idle_run* run, double t, pkm_error* err)
{
    pkm_status status = pkm_follow_to(&run->follower, t, &run->failed);
    while (status == PKM_OK && pkm_rk_time(run->rk) < t) {
        const double jump = pkm_effects_next_break(run->effects, pkm_rk_time(run->rk));
        const double limit = fmin(t, jump);
        status = pkm_rk_step(run->rk, limit);
        if (status == PKM_OK && pkm_rk_time(run->rk) == jump)
            status = pkm_rk_restart(run->rk, NULL);
    }
    if (status == PKM_OK) status = read_state(run, t);
    return status == PKM_OK ? PKM_OK : fail_step(run, status, t, err);
}

// ---- looks ------------------------------------------------------------------------------------

int pkm_idle_run_n_place(const pkm_idle_run* run)
{
    const pkm_mechanism* mech = run->robot->mech;
    return pkm_follow_n_place(run->twin) + mech->n_q + mech->n_v;
}

void pkm_idle_run_save(const pkm_idle_run* run, double* place)
{
    const pkm_mechanism* mech = run->robot->mech;
    const size_t n_y = (size_t)(mech->n_q + mech->n_v);
    pkm_follow_save(&run->follower, place); // which begins with its time
    memcpy(place + pkm_follow_n_place(run->twin), pkm_rk_state(run->rk), n_y * sizeof(double));
}

pkm_status pkm_idle_run_look(pkm_idle_run* run, double t, const double* place)
{
    const double way = fabs(t - place[0]);
    run->near = place;
    run->failed = (pkm_error){.status = PKM_OK};
    PKM_TRY(pkm_follow_look(&run->follower, t, place));
    PKM_TRY(pkm_rk_move(run->rk, place[0], place + pkm_follow_n_place(run->twin), way));
    while (pkm_rk_time(run->rk) != t)
        PKM_TRY(pkm_rk_step(run->rk, t));
    return read_state(run, t);
}
