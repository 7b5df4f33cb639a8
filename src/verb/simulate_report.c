// What belongs to a run in time beside its tree: contacts and links as tables and pictures.
#include "verb/simulate_report.h"

#include "base/clock.h"
#include "base/error.h"
#include "report/render.h"
#include "robot/inverse_result.h"

// ---- while it runs ----------------------------------------------------------------------------

static void begin(void* user, bool again)
{
    pkm_verb_sim* sim = user;
    sim->start = pkm_clock();
    sim->progress = pkm_verb_progress_begin(sim->args, again ? "verification" : sim->what);
}

static void end(void* user, bool again)
{
    pkm_verb_sim* sim = user;
    pkm_verb_progress_end(&sim->progress);
    if (!again) sim->account.wall_time = pkm_clock() - sim->start;
}

/// Who waits long for impacts is told of a shorter way.
static bool tick(void* user, double fraction)
{
    pkm_verb_sim* sim = user;
    if (sim->account.record && !sim->account.is_seated && pkm_clock() - sim->start > VERB_LONG_WAIT)
        sim->progress.what = "impacts (fidelity: seated, quasi-static, answers in 0.1 s):";
    return pkm_verb_progress_tick(&sim->progress, fraction);
}

pkm_status pkm_verb_sim_watch(pkm_verb_sim* sim, const char* what, pkm_error* err)
{
    pkm_account* a = &sim->account;
    sim->what = what;
    a->watch = (pkm_account_watch){.begin = begin, .end = end, .progress = tick, .user = sim};
    a->table = pkm_verb_table(sim->args, "rows");
    return a->table ? PKM_OK : pkm_out_of_memory(err);
}

// ---- texts ------------------------------------------------------------------------------------

const char pkm_verb_sim_text[] =
    "{name}, motion {motion}: {instants:d} instants over {duration:.6g} "
    "s{_heading}\n" PKM_CYCLE_TEXT "\n"
    "energy residual {energy.residual:.2e} J: {energy.relative_residual:.1e} of the "
    "{energy._exchanged:.6g} {energy._exchanged_unit} exchanged\n"
    "{*_ledger}  {what:-28s} {value:14.7g} {unit}\n{/}" VERB_PEAKS_TEXT VERB_FLEXIBLE_TEXT
    "[{?clearance_joints}"
    "\njoint with clearance touches  fastest m/s  deepest um  largest N  at t \\[s\\]   slides J "
    " flight impact contact\n]"
    "{*contacts}  {_name:-20s} {touches:5d} {fastest.value:12.4g} {deepest.value:11.4g|1e6} "
    "{largest_force.value:10.4g}  {largest_force.t:8.4g} {sliding_work:10.4g} {_flight:6.0f}% "
    "{_impact:5.0f}% {_contact:6.0f}%\n{/}[  {_moved}\n]" PKM_RENDER_WARNINGS
    "[{?_uses}\ndrive        tracking error  at t \\[s\\]          rms       at limits   "
    "energy use\n]"
    "{*drives}[{?_has_more}  {name:-12s} {_error:12.4g}  {tracking_error_time:8.4g} "
    "{_error_rms:12.4g} {_unit:-4s} {saturated_time:8.4g} s {_use:10.5g} "
    "{_use_unit}\n]{/}" PKM_MOTORS_TEXT
    "\n{integration.integrator} integrator, tolerance {integration.tolerance:.1e}: "
    "{integration.steps:d} steps, {integration.rejected:d} rejected; closures off by at most "
    "{integration.drift_position:.1e} m, {integration.drift_velocity:.1e} m/s\n"
    "[  chosen since {integration.chosen_since}; --integrator names another\n]"
    "[  {_hint}\n]"
    "[results in {folder}\n]";

const char pkm_verb_seated_text[] =
    "{name}, motion {motion}: {instants:d} instants over {duration:.6g} s, clearance in "
    "{clearance_joints:d} joint[{!_one}s], seated\n\n"
    "the tool starts {start_deviation:.6g|1e3} mm from its ideal place\n" VERB_PEAKS_TEXT
    "  .dv .da: derivatives of the seated pose, not across load reversals; .dv_held "
    ".da_held: with the offsets held\n"
    "[{!reversals}\nno load reversal: every journal stays on its side\n]"
    "[{?reversals}"
    "\nload reversals: the journal crosses its bearing        turns by   least load\n]"
    "{*reversals}[{?_shown}  t = {t:-10.5g} s  {joint:-16s} {part:-16s} {angle:6.0f|shown} deg "
    "{load:10.4g} N\n]{/}[  ... and {_more:d} more\n]"
    "\n{positions:d} seated positions, {iterations:d} iterations"
    "[{?unsettled}, {unsettled:d} at a load of zero]"
    "[{?redundant_gap}; redundant closures off by at most {redundant_gap:.1e} m or "
    "rad]" PKM_RENDER_WARNINGS "[\nresults in {folder}\n]";
