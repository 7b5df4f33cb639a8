// Which integrator a run takes where none is named, and why: by its effects and the highest
// frequency of its links.
#include "run/run_impl.h"

#include <math.h>

/// Contacts that last after a slow touch are damped with F chi / v0, v0 of some mm/s: beyond this
/// chi [1] (a restitution of 0.6) the explicit method is held to steps of some microseconds.
static const double STIFF_DAMPING = 1.0;

/// Steps [1] beyond which flexible links are left to an implicit method at once; fewer where all
/// coordinates of a mesh are kept, whose evaluations are long. Below, the explicit method follows
/// even vibrations that no tolerance asks for.
static const double MOST_STEPS = 10000.0, MOST_FULL_STEPS = 1000.0;

/// Links that ring on without damping: the explicit method keeps the energy of whole ones to 1e-8
/// in a hundred periods, sdirk to 1e-6, and takes as many seconds for a steel rod of 100 diameters.
static const double MOST_RINGING_STEPS = 300000.0;

/// The same where friction has bristles, which ask for an implicit method anyway. BDF of high order
/// cannot damp the vibrations of stiff links and follows them; sdirk steps over those that the
/// tolerance does not ask for. SIAX with friction in its balls, 0.2 s [s of a processor]: with 1200
/// steps of the explicit method bdf 6.8 and sdirk 9.0; with 3800 sdirk 6.7, bdf more than 10 for
/// three quarters of the motion; with 38000 bdf more than 10 for a tenth of it.
static const double MOST_BRISTLE_STEPS = 2000.0;

/// The explicit method takes some six radians of the highest mode of a flexible link per step,
/// whether or not anything excites it.
static double explicit_steps(const pkm_run* run)
{
    double highest = 0.0;
    for (int k = 0; k < run->effects.n_flexible; ++k)
        highest = fmax(highest, run->effects.flexible[k].band.highest);
    return highest * run->settings.end_time / 6.0;
}

static bool needs_many_steps(const pkm_run* run)
{
    double most = pkm_sim_ringing(&run->settings) > 0.0 ? MOST_RINGING_STEPS : MOST_STEPS;
    for (int k = 0; k < run->effects.n_flexible; ++k)
        if (run->effects.flexible[k].spec.keep == PKM_FLEXIBLE_KEEP_FULL) most = MOST_FULL_STEPS;
    return explicit_steps(run) > most;
}

/// The law that rubs in a joint with clearance: that of its contacts, or of the joint; false: none.
static bool friction_of(const pkm_run* run, const pkm_joint_clearance* clearance,
                        pkm_friction_law* law)
{
    *law = clearance->clearance.friction;
    if (clearance->clearance.has_friction) return true;
    for (int k = 0; k < run->effects.n_friction; ++k) {
        if (run->effects.friction[k].joint != clearance->joint) continue;
        *law = pkm_effects_friction_law(&run->effects, k);
        return true;
    }
    return false;
}

/// Is a link in pieces? Each is short and stiff.
static bool has_pieces(const pkm_run* run)
{
    for (int k = 0; k < run->effects.n_flexible; ++k)
        if (pkm_flexible_is_in_pieces(&run->effects.flexible[k].spec)) return true;
    return false;
}

/// What the run has that may be stiff.
typedef struct features {
    bool contacts, bristles, slow_touch, rubbing;
} features;

bool pkm_run_leaves_free(const pkm_run* run)
{
    const pkm_structure* structure = &run->robot->structure;
    bool any = run->settings.motion == PKM_NONE || run->effects.n_flexible > 0 ||
               structure->n_uncontrolled > 0 || structure->n_idle > structure->n_harmless;
    for (int d = 0; d < run->robot->mech->n_drive; ++d)
        any = any || !pkm_drive_is_prescribed(&run->settings.drive[d]);
    for (int k = 0; k < run->effects.n_clearance; ++k)
        any = any || run->effects.clearance[k].clearance.fidelity == PKM_FIDELITY_CONTACT;
    return any;
}

static features features_of(const pkm_run* run)
{
    features out = {0};
    for (int k = 0; k < run->effects.n_friction; ++k) {
        const pkm_friction_law law = pkm_effects_friction_law(&run->effects, k);
        // a law for rest is used without its state where nothing is free: there forces follow
        // motions, and bristles would only cost steps
        const bool has_state = pkm_friction_law_has_state(&law) &&
                               (!pkm_friction_law_is_for_rest(&law) || pkm_run_leaves_free(run));
        out.bristles = out.bristles || has_state;
    }
    for (int k = 0; k < run->effects.n_clearance; ++k) {
        const pkm_joint_clearance* clearance = &run->effects.clearance[k];
        if (clearance->clearance.fidelity != PKM_FIDELITY_CONTACT) continue;
        pkm_friction_law law;
        const bool rubs = friction_of(run, clearance, &law);
        out.contacts = true;
        out.bristles = out.bristles || (rubs && pkm_friction_law_has_state(&law));
        out.rubbing = out.rubbing || rubs;
        out.slow_touch = out.slow_touch || clearance->clearance.law.chi > STIFF_DAMPING;
    }
    return out;
}

static void choose(pkm_run* run, pkm_integrator integrator, const char* why)
{
    run->settings.integrator = integrator;
    run->chosen = why;
}

/// Bristles are stiff: 1e7 per second in fast sliding. Impacts set the steps of joints with
/// clearance and the explicit method follows them well, unless surfaces stay together and rub or
/// ring. BDF has no derivatives for the crosses of universal joints and iterates a little more
/// there; IDA takes hundreds of differences for each of its matrices instead, at twenty times the
/// cost (docs/theory/integrators.md, section 5).
void pkm_run_choose_integrator(pkm_run* run)
{
    const features has = features_of(run);
    if (has.bristles && !has.contacts && explicit_steps(run) > MOST_BRISTLE_STEPS)
        choose(run, PKM_INTEGRATOR_SDIRK, "bristles and flexible links are stiff");
    else if (has.bristles)
        choose(run, PKM_INTEGRATOR_BDF, "bristles are stiff");
    else if (has.slow_touch)
        choose(run, PKM_INTEGRATOR_BDF, "contacts with little restitution are stiff");
    else if (has.rubbing)
        choose(run, PKM_INTEGRATOR_BDF, "friction between surfaces that come to rest is stiff");
    else if (has.contacts && run->effects.n_flexible > 0)
        choose(run, PKM_INTEGRATOR_BDF, "light ends of flexible links touch hard surfaces");
    else if (!has.contacts && has_pieces(run))
        choose(run, PKM_INTEGRATOR_SDIRK, "pieces of flexible links are short and stiff");
    else if (!has.contacts && needs_many_steps(run))
        choose(run, PKM_INTEGRATOR_SDIRK,
               "the highest modes of flexible links would need many short steps");
    else
        choose(run, PKM_INTEGRATOR_EXPLICIT, NULL);
    // on the way an explicit run may find that stability sets its steps, and change once
    // (simulate/run_loop.c). Not with contacts, whose impacts set them, nor where links are to ring
    // on.
    run->settings.when_stiff = run->settings.integrator;
    if (run->settings.integrator == PKM_INTEGRATOR_EXPLICIT && !has.contacts &&
        pkm_sim_ringing(&run->settings) == 0.0)
        run->settings.when_stiff =
            run->effects.n_flexible > 0 ? PKM_INTEGRATOR_SDIRK : PKM_INTEGRATOR_IDA;
}
