// Why a run ended: the words and the status of each reason.
#include "base/error.h"
#include "simulate/simulation_impl.h"
#include "table/warnings.h"

#include <stdio.h>

const char* pkm_stop_reason(pkm_stop stop)
{
    static const char* const why[] = {
        [PKM_STOP_END_TIME] = "",
        [PKM_STOP_INTERRUPTED] = "interrupted",
        [PKM_STOP_SINGULAR] = "no step leads on: a singular position (a freedom comes or goes); "
                              "try another motion",
        [PKM_STOP_JAMMED] = "friction jams: it makes nearly all of the reactions that make it, and "
                            "these grow so fast that no step leads on; "
                            "try less friction, flexible links or another start",
        [PKM_STOP_PARADOX] = "Painleve's paradox: no reactions make the friction that belongs to "
                             "them, so that rigid parts have no motion here; try less friction, "
                             "flexible links or another start",
        [PKM_STOP_UNSETTLED] = "friction and the reactions that make it were not found together, "
                               "and it is not proven that there are none; try a smaller "
                               "--tolerance, another --integrator or less friction",
        [PKM_STOP_STEP_LIMIT] = "steps shrink to nothing: a singular position (a freedom comes or "
                                "goes), or a tolerance that is too small; try another motion, a "
                                "larger --tolerance or --integrator bdf",
        [PKM_STOP_UNDECIDED] = "the loops lose rank here and more than one motion leads on: a "
                               "constraint singularity that inertia does not decide; try another "
                               "start, a small load that breaks the symmetry, or clearance",
        [PKM_STOP_DRIVEN] = "the motion leads through a singular position, where the forces of "
                            "the drives are not determined; try another motion, home or working "
                            "mode",
        [PKM_STOP_ENERGY] =
            "more than a twentieth of the energy exchanged came from nowhere or went "
            "nowhere; try a smaller --tolerance or another --integrator",
        [PKM_STOP_BENT] = "a flexible link, or a piece of one, turned so far within itself that "
                          "displacements are off by more than 30 %; try pieces (flexible: {pieces: "
                          "n}) or more of them",
        [PKM_STOP_DIVERGED] = "velocities grow beyond 1e5 rad/s or sizes/s: the run diverges; try "
                              "a controller, other gains or smaller forces",
        [PKM_STOP_CONTROLLER] = "the controller of the program gave a force that is not a finite "
                                "number",
        [PKM_STOP_BUDGET] = "the budget of steps or time is used up; try a larger --budget"};
    return why[stop];
}

pkm_status pkm_stop_status(pkm_stop stop)
{
    switch (stop) {
    case PKM_STOP_END_TIME:
        return PKM_OK;
    case PKM_STOP_INTERRUPTED:
        return PKM_ERR_INTERRUPTED;
    case PKM_STOP_BUDGET:
        return PKM_ERR_BUDGET;
    case PKM_STOP_SINGULAR:
    case PKM_STOP_DRIVEN:
        return PKM_ERR_SINGULAR;
    case PKM_STOP_UNDECIDED:
        return PKM_ERR_UNDETERMINED;
    case PKM_STOP_ENERGY:
    case PKM_STOP_BENT:
    case PKM_STOP_DIVERGED:
    case PKM_STOP_CONTROLLER:
        return PKM_ERR_NUMBERS;
    default:
        return PKM_ERR_CONVERGENCE;
    }
}

void pkm_sim_warn_jam(const pkm_sim* s, const pkm_sim_report* report, pkm_table* table)
{
    const pkm_jam* jam = &report->jam;
    pkm_warnings* to = pkm_table_warnings(table);
    if (jam->kind == PKM_JAM_NONE) return;
    const char* name = s->robot->mech->joint[jam->joint].name;
    char beyond[120] = "it is not proven that no other reactions lead on";
    if (jam->paradox > 1.0)
        snprintf(beyond, sizeof beyond,
                 "with %.4g times the friction no loads up to %.4g N make it (proven)",
                 jam->paradox, jam->bound);
    if (jam->kind == PKM_JAM_GROWS)
        pkm_warn(to, "friction", report->t_stop,
                 "t = %.6g s: %s is loaded with %.4g N, where the largest load without friction "
                 "were %.4g N: friction adds %.4g N to every 1 N; %s",
                 report->t_stop, name, jam->load, jam->without, jam->gain - 1.0, beyond);
    if (jam->kind == PKM_JAM_PARADOX)
        pkm_warn(to, "friction", report->t_stop,
                 "t = %.6g s: no loads up to %.4g N make the friction that makes them; without "
                 "friction the largest were %.4g N, in %s",
                 report->t_stop, jam->load, jam->without, name);
}

pkm_status pkm_sim_watch_slides(pkm_sim* s, pkm_table* table)
{
    pkm_slid slid;
    const double *y = pkm_sim_state(s), t = pkm_sim_time(s);
    if (!s->has_bristles) return PKM_OK;
    pkm_sim_load_state(s, y);
    PKM_TRY(pkm_plant_watch_slides(s->plant, pkm_sim_left(s, t), y + s->n_q + s->n_v));
    if (!pkm_plant_has_slid(s->plant, &slid)) return PKM_OK;
    pkm_warn(pkm_table_warnings(table), "friction", slid.t,
             "t = %.6g s: %s slides from rest although %.4g of its static friction could hold it: "
             "presliding swings beyond that under loads that grow within milliseconds, or where "
             "something shakes the surfaces; expected that it rests; try a load that grows slower",
             slid.t, s->robot->mech->joint[slid.joint].name, slid.part);
    return PKM_OK;
}
