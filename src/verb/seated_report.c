#include "verb/seated_report.h"

#include "base/error.h"
#include "report/render.h"

enum { MOST_LINES = 40 }; // of reversals, for people

pkm_status pkm_verb_seated_run(pkm_verb_sim* sim, const pkm_sim_settings* settings,
                               pkm_table* table, pkm_sim_report* report, pkm_error* err)
{
    pkm_seated_report* seated =
        table == sim->table ? &sim->seated
                            : pkm_verb_work(sim->args, sizeof *seated, err); // of a verification
    if (!seated) return PKM_ERR_MEMORY;
    const pkm_effects* effects = &sim->run->effects;
    const pkm_status status = pkm_seated_run(sim->robot, settings, effects->clearance,
                                             effects->n_clearance, table, seated, err);
    const pkm_stop stop = seated->interrupted ? PKM_STOP_INTERRUPTED : PKM_STOP_END_TIME;
    *report = (pkm_sim_report){.stop = stop, .n_done = seated->n_done, .t_end = seated->t_end};
    return status;
}

// ---- the result -------------------------------------------------------------------------------

static int kept_reversals(const pkm_seated_report* r)
{
    return r->n_reversal < PKM_MAX_REVERSAL ? r->n_reversal : PKM_MAX_REVERSAL;
}

/// Which part of a joint: the ends of a pin, its stop, the shifts of a guide.
static const char* part_name(pkm_joint_type type, int part)
{
    static const char* const journal[] = {"end +z", "end -z", "stop"};
    static const char* const second[] = {"2nd pin end +z", "2nd pin end -z", "2nd pin stop"};
    static const char* const guide[] = {"x at end +z", "x at end -z", "y at end +z", "y at end -z",
                                        "roll"};
    if (type == PKM_JOINT_SPHERICAL) return "";
    if (type == PKM_JOINT_PRISMATIC) return guide[part];
    return part < 3 ? journal[part] : second[part - 3];
}

static void put_reversals(pkm_result* in, const pkm_verb_sim* sim)
{
    const pkm_seated_report* r = &sim->seated;
    const int shown = kept_reversals(r) < MOST_LINES ? kept_reversals(r) : MOST_LINES;
    pkm_result_integer(in, "n_reversals", r->n_reversal);
    pkm_result* list = pkm_result_list(in, "reversals");
    for (int k = 0; k < kept_reversals(r); ++k) {
        const pkm_reversal* at = &r->reversal[k];
        const pkm_joint* joint = &sim->robot->mech->joint[at->joint];
        pkm_result* item = pkm_result_group(list, NULL);
        pkm_result_number(item, "t", "s", at->t);
        pkm_result_text(item, "joint", joint->name);
        pkm_result_text(item, "part", part_name(joint->type, at->part));
        pkm_result_number(item, "angle", "rad", at->angle);
        pkm_result_number(item, "load", "N", at->load);
        pkm_result_bool(item, "_shown", k < MOST_LINES);
    }
    if (r->n_reversal > shown) pkm_result_integer(in, "_more", r->n_reversal - shown);
}

void pkm_verb_seated_result(const pkm_verb_sim* sim, pkm_result* out)
{
    const pkm_seated_report* r = &sim->seated;
    pkm_result_text(out, "name", sim->robot->desc->name);
    pkm_result_text(out, "motion", pkm_verb_sim_motion(sim));
    pkm_result_text(out, "fidelity", "seated");
    pkm_result_integer(out, "instants", r->n_done);
    pkm_result_number(out, "duration", "s", r->t_end);
    pkm_result_integer(out, "clearance_joints", sim->run->effects.n_clearance);
    pkm_result_bool(out, "_one", sim->run->effects.n_clearance == 1);
    pkm_result_number(out, "start_deviation", "m", r->drop);
    pkm_verb_peaks_result(sim, out);
    put_reversals(out, sim);
    pkm_result_warnings(out, pkm_table_get_warnings(sim->table));
    pkm_result_integer(out, "positions", r->n_instant);
    pkm_result_integer(out, "iterations", r->iterations);
    pkm_result_integer(out, "unsettled", r->n_unsettled);
    pkm_result_number(out, "redundant_gap", "", r->gap);
    pkm_result_number(out, "wall_time", "s", sim->wall_time);
}

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
