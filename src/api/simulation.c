// Simulations step by step (pkm/simulation.h): sessions with inputs, events, saved states.
#include "pkm/simulation.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/lapack.h"
#include "robot/instant.h"
#include "run/takes.h"
#include "simulate/session.h"
#include "table/warnings.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

struct pkm_simulation {
    pkm_robot* robot; ///< its own
    pkm_run* run;     ///< its own, completed
    pkm_session* session;
    atomic_flag busy;
};

/// The end of time where nothing else ends a run [s].
static const double FOREVER = 1e6;

/// The caller's run may be used again: this is a copy, completed.
static pkm_status make_run(pkm_simulation* sim, const pkm_run* run, pkm_error* err)
{
    PKM_TRY(pkm_run_repeat(run, sim->robot, PKM_TASK_SIMULATE, &sim->run, err));
    PKM_TRY(pkm_run_complete(sim->run, err));
    PKM_TRY(pkm_asked_require(&sim->run->asked, PKM_TASK_SIMULATE, err));
    // somebody else steps: nothing ends it but the caller
    if (!sim->run->has_end && sim->run->settings.motion == PKM_NONE)
        sim->run->settings.end_time = FOREVER;
    sim->run->settings.progress = sim->run->progress;
    sim->run->settings.user = sim->run->user;
    return pkm_run_require(sim->run, PKM_ANALYSIS_SIMULATE, err);
}

pkm_status pkm_simulation_create(const pkm_robot* robot, const pkm_run* run, pkm_simulation** out,
                                 pkm_error* err)
{
    if (out) *out = NULL;
    if (!robot || !out)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "simulation: a robot or `out` is NULL");
    pkm_simulation* sim = pkm_alloc(1, sizeof *sim);
    if (!sim) return pkm_out_of_memory(err);
    atomic_flag_clear(&sim->busy);
    // the simulation stands somewhere else than the caller's robot, which may go on and be used by
    // others
    pkm_lapack_begin();
    pkm_status status = pkm_robot_copy(robot, &sim->robot, err);
    if (status == PKM_OK) status = make_run(sim, run, err);
    if (status == PKM_OK)
        status = pkm_session_create(sim->robot, &sim->run->settings, &sim->session, err);
    pkm_lapack_end();
    if (status == PKM_OK)
        *out = sim;
    else
        pkm_simulation_free(sim);
    return status;
}

void pkm_simulation_free(pkm_simulation* sim)
{
    if (!sim) return;
    pkm_session_free(sim->session);
    pkm_run_free(sim->run);
    pkm_robot_free(sim->robot);
    pkm_free(sim);
}

/// Take `sim` for one call; the other half is leave.
static pkm_status enter(pkm_simulation* sim, pkm_error* err)
{
    if (!sim) return pkm_fail(err, PKM_ERR_ARGUMENT, "simulation: it is NULL");
    if (atomic_flag_test_and_set(&sim->busy))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "simulation: another thread is at work with it");
    pkm_lapack_begin();
    // a rewind that failed for memory leaves none; it can be tried again
    if (sim->session) return PKM_OK;
    pkm_lapack_end();
    atomic_flag_clear(&sim->busy);
    return pkm_fail(err, PKM_ERR_ARGUMENT, "simulation: it could not be rewound");
}

/// Every way out goes by here: a call that kept `busy` would lock the simulation for good.
static pkm_status leave(pkm_simulation* sim, pkm_status status)
{
    pkm_lapack_end();
    atomic_flag_clear(&sim->busy);
    return status;
}

/// A state between steps has no file and line: one sentence for all.
static pkm_status told(pkm_status status, pkm_error* err)
{
    if (status == PKM_OK) return PKM_OK;
    return pkm_fail(err, status == PKM_RETRY ? PKM_ERR_SINGULAR : status,
                    "simulation: it stands where its equations have no solution");
}

pkm_status pkm_simulation_step(pkm_simulation* sim, double dt, pkm_error* err)
{
    PKM_TRY(enter(sim, err));
    return leave(sim, pkm_session_step(sim->session, dt, err));
}

pkm_status pkm_simulation_step_to_event(pkm_simulation* sim, double dt, bool* early, pkm_error* err)
{
    if (!early) return pkm_fail(err, PKM_ERR_ARGUMENT, "simulation: `early` is NULL");
    PKM_TRY(enter(sim, err));
    return leave(sim, pkm_session_step_to_event(sim->session, dt, early, err));
}

size_t pkm_simulation_state_size(pkm_simulation* sim)
{
    return sim && sim->session ? pkm_session_memo_size(sim->session) : 0;
}

pkm_status pkm_simulation_save(pkm_simulation* sim, void* bytes, size_t size, pkm_error* err)
{
    PKM_TRY(enter(sim, err));
    // bytes of another run would be taken for positions: the size is what tells them apart
    if (!bytes || size != pkm_session_memo_size(sim->session))
        return leave(sim, pkm_fail(err, PKM_ERR_ARGUMENT,
                                   "simulation: no room for a state, or not of its size"));
    return leave(sim, told(pkm_session_save(sim->session, bytes), err));
}

pkm_status pkm_simulation_restore(pkm_simulation* sim, const void* bytes, size_t size,
                                  pkm_error* err)
{
    if (!bytes) return pkm_fail(err, PKM_ERR_ARGUMENT, "simulation: the state is NULL");
    PKM_TRY(enter(sim, err));
    return leave(sim, pkm_session_restore(sim->session, bytes, size, err));
}

pkm_status pkm_simulation_rewind(pkm_simulation* sim, pkm_error* err)
{
    PKM_TRY(enter(sim, err));
    pkm_session* session = NULL;
    // the session holds the robot, and gives it back as it found it
    pkm_session_free(sim->session);
    sim->session = NULL;
    // inputs begin as the run file says, not where the last round has left them
    for (int i = 0; i < pkm_simulation_n_input(sim); ++i)
        sim->run->settings.input[i].value = sim->run->settings.input[i].start;
    const pkm_status status = pkm_session_create(sim->robot, &sim->run->settings, &session, err);
    sim->session = session;
    return leave(sim, status);
}

double pkm_simulation_time(const pkm_simulation* sim)
{
    return sim && sim->session ? pkm_session_time(sim->session) : NAN;
}

pkm_status pkm_simulation_get(pkm_simulation* sim, pkm_instant* now, pkm_error* err)
{
    if (!now) return pkm_fail(err, PKM_ERR_ARGUMENT, "simulation: `now` is NULL");
    PKM_TRY(enter(sim, err));
    return leave(sim, told(pkm_session_get(sim->session, now), err));
}

pkm_status pkm_simulation_body_poses(pkm_simulation* sim, pkm_pose* pose, pkm_error* err)
{
    if (!pose) return pkm_fail(err, PKM_ERR_ARGUMENT, "simulation: `pose` is NULL");
    PKM_TRY(enter(sim, err));
    return leave(sim, told(pkm_session_poses(sim->session, pose), err));
}

pkm_status pkm_simulation_set_forces(pkm_simulation* sim, const double* force, pkm_error* err)
{
    PKM_TRY(enter(sim, err));
    if (!force || !pkm_all_finite(force, sim->robot->mech->n_drive))
        return leave(sim, pkm_fail(err, PKM_ERR_ARGUMENT,
                                   "simulation: expected a finite force for every drive"));
    // held until the next call, as a controller with a clock holds them
    pkm_session_set_forces(sim->session, force);
    return leave(sim, PKM_OK);
}

/// Finite, and only for drives that follow them; NaN leaves a drive to its motion.
static pkm_status check_references(const pkm_simulation* sim, const double* q, const double* v,
                                   const double* a, pkm_error* err)
{
    const pkm_mechanism* mech = sim->robot->mech;
    bool fits = q && v && a;
    for (int d = 0; fits && d < mech->n_drive; ++d)
        // NaN for a position leaves the drive alone: its rates are then not looked at
        fits = isnan(q[d]) || (isfinite(q[d]) && isfinite(v[d]) && isfinite(a[d]));
    if (!fits)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "simulation: expected finite references for every drive");
    for (int d = 0; d < mech->n_drive; ++d) {
        if (isnan(q[d]) || sim->run->settings.drive[d].kind == PKM_DRIVE_SERVO) continue;
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "simulation: drive %s has no controller that follows a reference, expected "
                        "NaN for it, or a controller in `drives` of the run",
                        mech->drive[d].name);
    }
    return PKM_OK;
}

pkm_status pkm_simulation_set_references(pkm_simulation* sim, const double* q, const double* v,
                                         const double* a, pkm_error* err)
{
    PKM_TRY(enter(sim, err));
    // all or none: a refused call has changed nothing
    const pkm_status status = check_references(sim, q, v, a, err);
    if (status == PKM_OK) pkm_session_set_references(sim->session, q, v, a);
    return leave(sim, status);
}

pkm_status pkm_simulation_set_wrench(pkm_simulation* sim, pkm_vec3 force, pkm_vec3 torque,
                                     pkm_error* err)
{
    const double all[] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
    PKM_TRY(enter(sim, err));
    if (!pkm_all_finite(all, 6))
        return leave(sim, pkm_fail(err, PKM_ERR_ARGUMENT, "simulation: expected a finite wrench"));
    // in place of the constant tool force of the run
    pkm_session_set_wrench(sim->session, force, torque);
    return leave(sim, PKM_OK);
}

// ---- inputs of the run file -------------------------------------------------------------------

int pkm_simulation_n_input(const pkm_simulation* sim)
{
    return sim ? sim->run->settings.n_input : 0;
}

static const pkm_run_input* input_of(const pkm_simulation* sim, int i)
{
    return i >= 0 && i < pkm_simulation_n_input(sim) ? &sim->run->settings.input[i] : NULL;
}

const char* pkm_simulation_input_name(const pkm_simulation* sim, int input)
{
    return input_of(sim, input) ? input_of(sim, input)->name : NULL;
}

const char* pkm_simulation_input_unit(const pkm_simulation* sim, int input)
{
    return input_of(sim, input) ? input_of(sim, input)->unit : NULL;
}

double pkm_simulation_input_start(const pkm_simulation* sim, int input)
{
    return input_of(sim, input) ? input_of(sim, input)->start : NAN;
}

pkm_status pkm_simulation_set_input(pkm_simulation* sim, const char* name, double value,
                                    pkm_error* err)
{
    int i = 0;
    if (!name || !isfinite(value))
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "simulation: expected the name of an input and a finite number");
    PKM_TRY(enter(sim, err));
    // a run has a handful of inputs: by a walk
    while (i < pkm_simulation_n_input(sim) && strcmp(input_of(sim, i)->name, name) != 0)
        ++i;
    if (i == pkm_simulation_n_input(sim))
        return leave(sim, pkm_fail(err, PKM_ERR_ARGUMENT, "simulation: no input '%.60s'", name));
    pkm_session_set_input(sim->session, i, value);
    return leave(sim, PKM_OK);
}

static const pkm_table* columns(const pkm_simulation* sim)
{
    return sim && sim->session ? pkm_session_table(sim->session) : NULL;
}

int pkm_simulation_n_column(const pkm_simulation* sim)
{
    return pkm_table_n_column(columns(sim));
}

const char* pkm_simulation_column_name(const pkm_simulation* sim, int column)
{
    return pkm_table_name(columns(sim), column);
}

const char* pkm_simulation_column_unit(const pkm_simulation* sim, int column)
{
    return pkm_table_unit(columns(sim), column);
}

pkm_status pkm_simulation_read(pkm_simulation* sim, double* out, pkm_error* err)
{
    if (!out) return pkm_fail(err, PKM_ERR_ARGUMENT, "simulation: `out` is NULL");
    PKM_TRY(enter(sim, err));
    return leave(sim, told(pkm_session_read(sim->session, out), err));
}

// ---- as an ordinary differential equation -----------------------------------------------------

/// Take `sim` for a call that needs somebody else to integrate, and a pointer.
static pkm_status enter_ode(pkm_simulation* sim, const void* pointer, pkm_error* err)
{
    PKM_TRY(enter(sim, err));
    // before begin_ode the simulation integrates itself, and there are no such states
    if (pointer && pkm_session_n_x(sim->session) > 0) return PKM_OK;
    return leave(sim, pkm_fail(err, PKM_ERR_ARGUMENT,
                               "simulation: a pointer is NULL, or pkm_simulation_begin_ode was not "
                               "called"));
}

pkm_status pkm_simulation_begin_ode(pkm_simulation* sim, pkm_error* err)
{
    PKM_TRY(enter(sim, err));
    // its states are somebody else's from the first call on: there is no second one
    if (pkm_session_n_x(sim->session) > 0)
        return leave(sim,
                     pkm_fail(err, PKM_ERR_ARGUMENT, "simulation: somebody integrates it already"));
    return leave(sim, pkm_session_begin_exchange(sim->session, err));
}

int pkm_simulation_ode_size(const pkm_simulation* sim)
{
    return sim && sim->session ? pkm_session_n_x(sim->session) : 0;
}

pkm_status pkm_simulation_ode_get(pkm_simulation* sim, double* x, double* nominal, pkm_error* err)
{
    PKM_TRY(enter_ode(sim, sim, err));
    if (x) pkm_session_get_x(sim->session, x);
    if (nominal) pkm_session_get_nominal(sim->session, nominal);
    return leave(sim, PKM_OK);
}

pkm_status pkm_simulation_ode_set(pkm_simulation* sim, double t, const double* x, pkm_error* err)
{
    PKM_TRY(enter_ode(sim, x, err));
    if (!isfinite(t) || !pkm_all_finite(x, pkm_session_n_x(sim->session)))
        return leave(sim, pkm_fail(err, PKM_ERR_ARGUMENT, "simulation: expected finite states"));
    return leave(sim, told(pkm_session_set_x(sim->session, t, x), err));
}

pkm_status pkm_simulation_ode_rates(pkm_simulation* sim, double* rate, pkm_error* err)
{
    PKM_TRY(enter_ode(sim, rate, err));
    return leave(sim, told(pkm_session_rates(sim->session, rate), err));
}

pkm_status pkm_simulation_ode_indicator(pkm_simulation* sim, double* indicator, pkm_error* err)
{
    PKM_TRY(enter_ode(sim, indicator, err));
    return leave(sim, told(pkm_session_indicator(sim->session, indicator), err));
}

pkm_status pkm_simulation_ode_accept(pkm_simulation* sim, pkm_error* err)
{
    PKM_TRY(enter_ode(sim, sim, err));
    // surfaces, breaks and watches take notice: the step will not be taken back
    pkm_session_accept(sim->session);
    return leave(sim, PKM_OK);
}

pkm_status pkm_simulation_ode_event(pkm_simulation* sim, bool* changed, double* next,
                                    pkm_error* err)
{
    // both pointers are needed: one of them NULL is refused as a NULL would be
    PKM_TRY(enter_ode(sim, changed ? next : NULL, err));
    return leave(sim, told(pkm_session_pass_event(sim->session, changed, next), err));
}

// ---- warnings ---------------------------------------------------------------------------------

static const pkm_warnings* warnings(const pkm_simulation* sim)
{
    return pkm_table_get_warnings(columns(sim));
}

int pkm_simulation_n_warning(const pkm_simulation* sim)
{
    return warnings(sim) ? warnings(sim)->n : 0;
}

const char* pkm_simulation_warning(const pkm_simulation* sim, int warning)
{
    if (warning < 0 || warning >= pkm_simulation_n_warning(sim)) return NULL;
    return warnings(sim)->item[warning].text;
}
