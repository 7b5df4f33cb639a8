#include "analysis/actuation.h"

#include "base/error.h"
#include "pkm/inverse.h"

#include <string.h>

enum {
    N_SAMPLE = 2001
}; // splines of order 6 through these are exact to rounding for smooth motions

struct pkm_actuator {
    const pkm_robot* robot;
    pkm_drive_plan plan[PKM_MAX_DRIVE];
    bool prescribed[PKM_MAX_DRIVE];
    double start[PKM_MAX_DRIVE]; ///< drive positions at the start
    pkm_actuation actuation;
    const pkm_motion* motion; ///< of the drives, NULL: none
    pkm_motion* own_motion;   ///< spline of a tool motion
    pkm_motion* force;        ///< spline of the forces of inverse dynamics
    double end_time;
};

void pkm_actuator_reference(const pkm_actuator* a, double t, pkm_target* target)
{
    const size_t size = (size_t)a->robot->mech->n_drive * sizeof(double);
    if (a->motion) {
        pkm_motion_drives(a->motion, t, target->q, target->v, target->a, NULL);
    } else {
        memcpy(target->q, a->start, size);
        memset(target->v, 0, size);
        memset(target->a, 0, size);
    }
    for (int d = 0; d < a->robot->mech->n_drive; ++d) {
        if (a->plan[d].mode != PKM_DRIVE_LOCKED) continue;
        target->q[d] = a->start[d];
        target->v[d] = target->a[d] = 0.0;
    }
}

static void reference(void* user, double t, pkm_target* target)
{
    pkm_actuator_reference(user, t, target);
}

static pkm_status force(void* user, double t, const pkm_state* state, const double* z, double* out,
                        double* z_rate)
{
    const pkm_actuator* a = user;
    double played[PKM_MAX_DRIVE] = {0.0}, rate[PKM_MAX_DRIVE], second[PKM_MAX_DRIVE];
    (void)state, (void)z, (void)z_rate;
    if (a->force) pkm_motion_drives(a->force, t, played, rate, second, NULL);
    for (int d = 0; d < a->robot->mech->n_drive; ++d)
        if (!a->prescribed[d]) out[d] = a->plan[d].mode == PKM_DRIVE_PLAYBACK ? played[d] : 0.0;
    return PKM_OK;
}

// ---- splines through inverse dynamics ---------------------------------------------------------

/// A spline per drive through column `quantity` (0 q, 3 force) of a table of inverse dynamics.
static pkm_status make_spline(const pkm_robot* robot, const pkm_table* table, int quantity,
                              pkm_motion** out, pkm_error* err)
{
    const int n = pkm_table_n_row(table), n_drive = robot->mech->n_drive;
    double* t = pkm_alloc((size_t)n * (size_t)(1 + n_drive), sizeof(double));
    if (!t) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    double* value = t + n;
    for (int i = 0; i < n; ++i) {
        t[i] = pkm_table_get(table, i, 0);
        for (int d = 0; d < n_drive; ++d)
            value[(size_t)d * (size_t)n + (size_t)i] =
                pkm_table_get(table, i, 1 + 4 * d + quantity);
    }
    pkm_motion_spec spec = pkm_motion_spec_defaults();
    spec.name = "reference";
    spec.path = PKM_PATH_SAMPLES;
    spec.n_drive = n_drive;
    spec.n_sample = n;
    spec.sample_t = t;
    spec.n_sample_column = n_drive;
    spec.sample = value;
    spec.sample_is_drives = true;
    spec.sample_free_ends = true;
    const pkm_status status = pkm_motion_create(&spec, out, err);
    pkm_free(t);
    return status;
}

static bool needs_playback(const pkm_actuator* a)
{
    for (int d = 0; d < a->robot->mech->n_drive; ++d)
        if (a->plan[d].mode == PKM_DRIVE_PLAYBACK) return true;
    return false;
}

static pkm_status make_splines(pkm_actuator* a, pkm_robot* robot, int motion, pkm_error* err)
{
    const pkm_motion* given = robot->desc->motion[motion].motion;
    const bool drives = pkm_motion_is_drives(given);
    if (drives) a->motion = given;
    if (drives && !needs_playback(a)) return PKM_OK;
    pkm_table* table = pkm_table_create();
    if (!table) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    pkm_inverse_settings settings = pkm_inverse_settings_defaults();
    settings.n_instant = N_SAMPLE;
    settings.end_time = a->end_time;
    pkm_status status = pkm_inverse_run(robot, motion, &settings, table, NULL, err);
    if (status == PKM_OK && !drives) {
        status = make_spline(robot, table, 0, &a->own_motion, err);
        a->motion = a->own_motion;
    }
    if (status == PKM_OK && needs_playback(a))
        status = make_spline(robot, table, 3, &a->force, err);
    pkm_table_free(table);
    return status;
}

// ---- creation ---------------------------------------------------------------------------------

pkm_status pkm_actuator_create(pkm_robot* robot, int motion, double end_time,
                               const pkm_drive_plan* plan, pkm_actuator** out, pkm_error* err)
{
    *out = NULL;
    pkm_actuator* a = pkm_alloc(1, sizeof *a);
    if (!a) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    a->robot = robot;
    a->end_time = end_time;
    memcpy(a->start, robot->drive_home, sizeof a->start);
    for (int d = 0; d < robot->mech->n_drive; ++d) {
        a->plan[d] = plan[d];
        a->prescribed[d] = plan[d].mode == PKM_DRIVE_PRESCRIBED || plan[d].mode == PKM_DRIVE_LOCKED;
    }
    a->actuation = (pkm_actuation){.user = a, .reference = reference, .force = force};
    pkm_status status = PKM_OK;
    if (motion != PKM_NONE) status = make_splines(a, robot, motion, err);
    if (status != PKM_OK) {
        pkm_actuator_free(a);
        return status;
    }
    *out = a;
    return PKM_OK;
}

void pkm_actuator_free(pkm_actuator* a)
{
    if (!a) return;
    pkm_motion_free(a->own_motion);
    pkm_motion_free(a->force);
    pkm_free(a);
}

const pkm_actuation* pkm_actuator_get(const pkm_actuator* a)
{
    return &a->actuation;
}

const bool* pkm_actuator_prescribed(const pkm_actuator* a)
{
    return a->prescribed;
}
