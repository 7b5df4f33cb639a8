// Error bars by repetition: smaller tolerances and other methods where runs converge, other starts
// where impacts part them, parameters that nobody knows better a percent off, finer links.
#include "run/verify.h"

#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- which runs -------------------------------------------------------------------------------

pkm_verify_kind pkm_verify_kind_of(const pkm_run* run)
{
    const pkm_effects* effects = &run->effects;
    bool has_contact = false, is_seated = false;
    for (int k = 0; k < effects->n_clearance; ++k) {
        const pkm_fidelity fidelity = effects->clearance[k].clearance.fidelity;
        has_contact = has_contact || fidelity == PKM_FIDELITY_CONTACT;
        is_seated = is_seated || fidelity == PKM_FIDELITY_SEATED;
    }
    if (has_contact) return PKM_VERIFY_CONTACT;
    if (is_seated) return PKM_VERIFY_QUASI_STATIC;
    for (int k = 0; k < effects->n_flexible; ++k)
        if (!effects->flexible[k].spec.outside) return PKM_VERIFY_FLEXIBLE;
    return PKM_VERIFY_SMOOTH;
}

/// The rule. Smooth runs converge: a much smaller tolerance and a second method tell the error;
/// with flexible links a finer mesh does too.
/// Impacts part neighbouring runs, so that smaller tolerances tell no more than other starts do.
int pkm_verify_plan(pkm_verify_kind kind, bool parameters, pkm_verify_means* out)
{
    static const struct {
        int n, n_parameter;
        pkm_verify_means means[PKM_MAX_REPEAT];
    } plan[] = {
        [PKM_VERIFY_SMOOTH] = {2, 0, {PKM_VERIFY_HUNDREDTH, PKM_VERIFY_OTHER}},
        [PKM_VERIFY_FLEXIBLE] =
            {4, 0, {PKM_VERIFY_HUNDREDTH, PKM_VERIFY_OTHER, PKM_VERIFY_ELEMENTS, PKM_VERIFY_MESH}},
        [PKM_VERIFY_CONTACT] = {3,
                                3,
                                {PKM_VERIFY_HALF, PKM_VERIFY_FASTER, PKM_VERIFY_SLOWER,
                                 PKM_VERIFY_RESTITUTION, PKM_VERIFY_STIFFNESS,
                                 PKM_VERIFY_CLEARANCE}},
        [PKM_VERIFY_QUASI_STATIC] = {1, 0, {PKM_VERIFY_INSTANTS}},
        [PKM_VERIFY_LINEAR] = {1, 0, {PKM_VERIFY_STEPS}},
    };
    const int n = plan[kind].n + (parameters ? plan[kind].n_parameter : 0);
    memcpy(out, plan[kind].means, (size_t)n * sizeof *out);
    return n;
}

const char* pkm_verify_parameter(pkm_verify_means means)
{
    static const char* const name[PKM_N_VERIFY] = {
        [PKM_VERIFY_RESTITUTION] = "restitution",
        [PKM_VERIFY_STIFFNESS] = "contact stiffness",
        [PKM_VERIFY_CLEARANCE] = "clearance",
    };
    return name[means];
}

bool pkm_verify_is_numerical(pkm_verify_means means)
{
    return !pkm_verify_parameter(means);
}

// ---- their settings ---------------------------------------------------------------------------

/// Change one parameter of a joint's contacts. A restitution near 1 is made smaller; IMPACT has a
/// damping in its place.
static pkm_status change(pkm_clearance* c, pkm_verify_means means, pkm_error* err)
{
    // one percent: nobody knows these parameters better, and differences stay far above rounding
    const double more = 1.0 + PKM_VERIFY_CHANGE;
    pkm_contact_law* law = &c->law;
    if (means == PKM_VERIFY_STIFFNESS) law->stiffness *= more;
    if (means == PKM_VERIFY_RESTITUTION) {
        law->restitution *= law->restitution * more <= 1.0 ? more : 1.0 - PKM_VERIFY_CHANGE;
        law->damping *= more;
    }
    if (means == PKM_VERIFY_CLEARANCE) {
        c->radial *= more;
        c->axial *= more;
        law->clearance *= more;
    }
    return pkm_contact_law_finish(law, err);
}

static pkm_status change_contacts(const pkm_run* run, pkm_verify_means means, pkm_verify_run* out,
                                  pkm_error* err)
{
    const int n = run->effects.n_clearance;
    pkm_joint_clearance* clearance = pkm_alloc((size_t)n + 1, sizeof *clearance);
    if (!clearance) return pkm_out_of_memory(err);
    memcpy(clearance, run->effects.clearance, (size_t)n * sizeof *clearance);
    out->effects = run->effects;
    out->effects.clearance = out->clearance = clearance;
    out->settings.effects = &out->effects;
    for (int k = 0; k < n; ++k)
        if (clearance[k].clearance.fidelity == PKM_FIDELITY_CONTACT)
            PKM_TRY(change(&clearance[k].clearance, means, err));
    return PKM_OK;
}

/// Twice the elements, and twice the modes or the frequency up to which they are kept.
static pkm_status refine(const pkm_run* run, bool elements_only, pkm_verify_run* out,
                         pkm_error* err)
{
    const int n = run->effects.n_flexible;
    pkm_effect_flexible* flexible = pkm_alloc((size_t)n, sizeof *flexible);
    if (!flexible) return pkm_out_of_memory(err);
    if (n > 0) memcpy(flexible, run->effects.flexible, (size_t)n * sizeof *flexible);
    out->effects = run->effects;
    out->effects.flexible = out->flexible = flexible;
    out->settings.effects = &out->effects;
    for (int k = 0; k < n; ++k)
        if (!flexible[k].spec.outside) pkm_flexible_spec_refine(&flexible[k].spec, elements_only);
    return PKM_OK;
}

static bool has_pieces(const pkm_effects* effects)
{
    for (int k = 0; effects && k < effects->n_flexible; ++k)
        if (pkm_flexible_is_in_pieces(&effects->flexible[k].spec)) return true;
    return false;
}

/// IDA's equations are formulated apart: the best second opinion. But along the many stiff modes of
/// links in pieces it creeps, and BDF leaves noise in their accelerations; the explicit method
/// takes as many steps as they need and no more. Where bristles move what drives do not prescribe,
/// IDA's steps shrink, in places to nothing, and the explicit method needs a hundred times more:
/// there it is the other one of the methods that have the derivatives of bristles.
static pkm_integrator second_integrator(const pkm_run* run)
{
    const pkm_integrator first = run->settings.integrator;
    if (pkm_effects_have_bristles(&run->effects) && pkm_run_leaves_free(run))
        return first == PKM_INTEGRATOR_BDF ? PKM_INTEGRATOR_SDIRK : PKM_INTEGRATOR_BDF;
    if (has_pieces(&run->effects))
        return first == PKM_INTEGRATOR_EXPLICIT ? PKM_INTEGRATOR_SDIRK : PKM_INTEGRATOR_EXPLICIT;
    return first == PKM_INTEGRATOR_IDA ? PKM_INTEGRATOR_EXPLICIT : PKM_INTEGRATOR_IDA;
}

static void change_integrator(const pkm_run* run, pkm_sim_settings* s)
{
    s->integrator = s->when_stiff = second_integrator(run);
    s->tolerance = pkm_integrator_tolerance(s->integrator, s);
}

static void tighten(pkm_sim_settings* s, double factor)
{
    // below this a step is rejected for rounding alone
    static const double LEAST = 1e-14;
    s->tolerance = fmax(factor * s->tolerance, LEAST);
    s->stiff_tolerance = fmax(factor * s->stiff_tolerance, LEAST);
}

static void change_settings(const pkm_run* run, pkm_verify_means means, pkm_sim_settings* s)
{
    if (means == PKM_VERIFY_HUNDREDTH) tighten(s, 1e-2);
    if (means == PKM_VERIFY_HALF) tighten(s, 0.5);
    if (means == PKM_VERIFY_FASTER) s->jitter = PKM_VERIFY_JITTER;
    if (means == PKM_VERIFY_SLOWER) s->jitter = -PKM_VERIFY_JITTER;
    // the old rows are among the new ones
    if (means == PKM_VERIFY_INSTANTS) s->n_instant = 4 * (s->n_instant - 1) + 1;
    if (means == PKM_VERIFY_OTHER) change_integrator(run, s);
}

static bool is_finer(pkm_verify_means means)
{
    return means == PKM_VERIFY_ELEMENTS || means == PKM_VERIFY_MESH;
}

static void describe(const pkm_sim_settings* s, pkm_verify_means means, char* out, size_t size)
{
    static const char* const fixed[PKM_N_VERIFY] = {
        [PKM_VERIFY_FASTER] = "velocities at the start moved by 1e-9",
        [PKM_VERIFY_SLOWER] = "by -1e-9",
        [PKM_VERIFY_INSTANTS] = "four times as many instants",
        [PKM_VERIFY_STEPS] = "half the step (difference times 4/3)",
        [PKM_VERIFY_ELEMENTS] = "twice the elements of flexible links (difference times 2)",
        [PKM_VERIFY_MESH] =
            "twice the elements and modes (or pieces) of flexible links (difference times 2)",
    };
    if (pkm_verify_parameter(means))
        snprintf(out, size, "%s changed by 1 %%", pkm_verify_parameter(means));
    else if (means == PKM_VERIFY_OTHER)
        snprintf(out, size, "the %s integrator, tolerance %.0e", pkm_integrator_name[s->integrator],
                 s->tolerance);
    else if (fixed[means])
        snprintf(out, size, "%s", fixed[means]);
    else
        snprintf(out, size, "tolerance %.0e", s->tolerance);
}

pkm_status pkm_verify_run_make(const pkm_run* run, pkm_verify_means means, pkm_verify_run* out,
                               pkm_error* err)
{
    *out = (pkm_verify_run){.settings = run->settings};
    change_settings(run, means, &out->settings);
    describe(&out->settings, means, out->words, sizeof out->words);
    if (is_finer(means)) return refine(run, means == PKM_VERIFY_ELEMENTS, out, err);
    return pkm_verify_is_numerical(means) ? PKM_OK : change_contacts(run, means, out, err);
}

void pkm_verify_run_free(pkm_verify_run* run)
{
    pkm_free(run->clearance);
    pkm_free(run->flexible);
    run->clearance = NULL;
    run->flexible = NULL;
}

// ---- what they say ----------------------------------------------------------------------------

const char* pkm_verdict_name(pkm_verdict verdict)
{
    static const char* const name[] = {NULL, "repeatable", "chaotic", "not converged"};
    return name[verdict];
}

bool pkm_verdict_is_apart(pkm_verdict verdict)
{
    return verdict >= PKM_VERDICT_CHAOTIC;
}

pkm_spread pkm_spread_none(void)
{
    return (pkm_spread){.error_bar = NAN, .low = NAN, .high = NAN, .sensitivity = NAN};
}

/// The error that the value of a repetition tells of. Half the step leaves a quarter of it, order
/// 2: the difference is 3/4 of it. Elements and modes are two sources whose errors may go against
/// each other, so that what either changes adds up; and errors of modes fall as slowly as with
/// their number, so that it counts twice.
static double error_of(pkm_spread* spread, double value, pkm_verify_means means, double other)
{
    const double off = fabs(other - value);
    if (!is_finer(means)) return means == PKM_VERIFY_STEPS ? 4.0 / 3.0 * off : off;
    spread->changed += fabs(other - (spread->n_finer++ > 0 ? spread->finer : value));
    spread->finer = other;
    return 2.0 * spread->changed;
}

void pkm_spread_add(pkm_spread* spread, double value, pkm_verify_means means, double other)
{
    const double off = fabs(other - value);
    // a column that is not known in one of the runs says nothing
    if (isnan(off)) return;
    if (!pkm_verify_is_numerical(means)) {
        if (spread->sensitivity >= off) return;
        spread->sensitivity = off;
        spread->most_moving = means;
        return;
    }
    if (isnan(spread->error_bar))
        // the first repetition opens the range at the value itself
        spread->error_bar = 0.0, spread->low = spread->high = value;
    spread->error_bar = fmax(spread->error_bar, error_of(spread, value, means, other));
    spread->low = fmin(spread->low, other);
    spread->high = fmax(spread->high, other);
}

/// Differences of large numbers are not known better than this part of them.
static const double ROUNDING = 1e-9;

pkm_verdict pkm_spread_judge(const pkm_spread* spread, pkm_verify_kind kind, double value,
                             double size, double above)
{
    if (isnan(spread->error_bar)) return PKM_VERDICT_NONE;
    const double apart = spread->high - spread->low;
    if (!(apart > above * fabs(value) && apart > ROUNDING * fabs(size)))
        return PKM_VERDICT_REPEATABLE;
    // impacts part neighbouring motions exponentially: finer steps do not help there. Elsewhere
    // they would.
    return kind == PKM_VERIFY_CONTACT ? PKM_VERDICT_CHAOTIC : PKM_VERDICT_NOT_CONVERGED;
}
