// Between two calls the forces stay as they are, as in a controller with a clock; the calls are
// events of the run, so that steps end there.
#include "simulate/program.h"

#include "base/error.h"
#include "dynamics/rows.h"
#include "robot/instant.h"

#include <math.h>
#include <string.h>

pkm_status pkm_program_begin(pkm_program* p, const pkm_program_plan* plan,
                             const pkm_mechanism* mech, const bool* prescribed, pkm_error* err)
{
    *p = (pkm_program){.plan = *plan};
    if (!plan->control) return PKM_OK;
    bool acts = false;
    // a controller of a program needs a drive that takes forces
    for (int d = 0; d < mech->n_drive; ++d)
        acts = acts || !prescribed[d];
    if (!acts)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "pkm_run_set_controller: all drives are prescribed or locked, expected one "
                        "that takes forces (`drives: free`)");
    PKM_TRY(pkm_sampler_create(plan->period, 0.0, mech->n_drive, &p->sampler, err));
    pkm_sampler_reset(p->sampler, 0.0, NULL);
    return PKM_OK;
}

void pkm_program_end(pkm_program* p)
{
    pkm_sampler_free(p->sampler);
}

void pkm_program_forces(const pkm_program* p, int n_drive, double* force)
{
    if (!p->sampler) return;
    const double* held = pkm_sampler_get(p->sampler);
    for (int d = 0; d < n_drive; ++d)
        // beside what else acts on the drives, and as it was sampled last
        force[d] += held[d];
}

double pkm_program_next_event(const pkm_program* p)
{
    return p->sampler ? pkm_sampler_next_event(p->sampler) : HUGE_VAL;
}

/// What a controller measures: positions and rates, of the drives and of the tool.
static pkm_instant measure(const pkm_state* state)
{
    const pkm_mechanism* mech = state->mech;
    pkm_instant now = {.q = {0.0}};
    for (int d = 0; d < mech->n_drive; ++d) {
        double unknown;
        now.q[d] = pkm_state_drive_position(state, d);
        pkm_drive_rates(state, d, &now.v[d], &unknown);
    }
    if (mech->tool == PKM_NONE) return now;
    // the tool as it moves now
    now.tool = pkm_state_marker_motion(state, mech->tool);
    // accelerations follow from the forces that are asked for here: nothing measures them
    now.tool.a = now.tool.alpha = (pkm_vec3){0.0, 0.0, 0.0};
    return now;
}

pkm_status pkm_program_sample(pkm_program* p, double t, const pkm_state* state)
{
    if (!p->sampler) return PKM_OK;
    const int n = state->mech->n_drive;
    double force[PKM_MAX_DRIVE];
    pkm_sampler_advance(p->sampler, t);
    if (!pkm_sampler_is_due(p->sampler, t)) return PKM_OK;
    const pkm_instant now = measure(state);
    // what the program does not write stays as it was
    memcpy(force, pkm_sampler_get(p->sampler), (size_t)n * sizeof(double));
    if (!p->plan.control(p->plan.user, t, &now, force)) return PKM_ERR_INTERRUPTED;
    if (!pkm_all_finite(force, n)) return PKM_ERR_NUMBERS;
    pkm_sampler_put(p->sampler, force);
    return PKM_OK;
}

void pkm_program_memo(pkm_program* p, pkm_memo* memo)
{
    if (p->sampler) pkm_sampler_memo(p->sampler, memo);
}
