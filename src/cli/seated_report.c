#include "cli/seated_report.h"

#include "base/error.h"

#include <math.h>
#include <stdio.h>

enum { MOST_LINES = 40 }; // of reversals, for people

static const double DEGREE = 57.295779513082323;

pkm_status cli_seated_run(cli_sim* sim, const pkm_sim_settings* settings, pkm_table* table,
                          pkm_sim_report* report, pkm_error* err)
{
    static pkm_seated_report verification; // too large for the stack
    pkm_seated_report* seated = table == sim->table ? &sim->seated : &verification;
    const pkm_effects* effects = &sim->run->effects;
    const pkm_status status = pkm_seated_run(sim->robot, settings, effects->clearance,
                                             effects->n_clearance, table, seated, err);
    const pkm_stop stop = seated->interrupted ? PKM_STOP_INTERRUPTED : PKM_STOP_END_TIME;
    *report = (pkm_sim_report){.stop = stop, .n_done = seated->n_done, .t_end = seated->t_end};
    return status;
}

// ---- for people -------------------------------------------------------------------------------

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

static void print_reversals(const cli_sim* sim)
{
    const pkm_seated_report* r = &sim->seated;
    const pkm_mechanism* mech = sim->robot->mech;
    const int n = kept_reversals(r) < MOST_LINES ? kept_reversals(r) : MOST_LINES;
    if (n == 0) {
        printf("\nno load reversal: every journal stays on its side\n");
        return;
    }
    printf("\nload reversals: the journal crosses its bearing        turns by   least load\n");
    for (int k = 0; k < n; ++k) {
        const pkm_reversal* at = &r->reversal[k];
        const pkm_joint* joint = &mech->joint[at->joint];
        printf("  t = %-10.5g s  %-16s %-16s %6.0f deg %10.4g N\n", at->t, joint->name,
               part_name(joint->type, at->part), at->angle * DEGREE, at->load);
    }
    if (r->n_reversal > n) printf("  ... and %d more\n", r->n_reversal - n);
}

void cli_seated_print(const cli_sim* sim)
{
    const pkm_seated_report* r = &sim->seated;
    const int n = sim->run->effects.n_clearance;
    printf("%s, motion %s: %d instants over %.6g s, clearance in %d joint%s, seated\n\n",
           sim->robot->desc->name, cli_sim_motion(sim), r->n_done, r->t_end, n, n == 1 ? "" : "s");
    printf("the tool starts %.6g mm from its ideal place\n", 1e3 * r->drop);
    cli_sim_print_peaks(sim);
    printf("  .dv .da: derivatives of the seated pose, not across load reversals; .dv_held "
           ".da_held: with the offsets held\n");
    print_reversals(sim);
    printf("\n%d seated positions, %d iterations", r->n_instant, r->iterations);
    if (r->n_unsettled > 0) printf(", %d at a load of zero", r->n_unsettled);
    if (r->gap > 0.0) printf("; redundant closures off by at most %.1e m or rad", r->gap);
    cli_print_warnings(pkm_table_get_warnings(sim->table));
    printf("\nresults in %s\n", sim->folder);
}

// ---- for machines -----------------------------------------------------------------------------

static void put_reversals(pkm_json* json, const cli_sim* sim)
{
    const pkm_seated_report* r = &sim->seated;
    pkm_json_put_integer(json, "n_reversals", r->n_reversal);
    pkm_json_key(json, "reversals");
    pkm_json_array_begin(json);
    for (int k = 0; k < kept_reversals(r); ++k) {
        const pkm_reversal* at = &r->reversal[k];
        const pkm_joint* joint = &sim->robot->mech->joint[at->joint];
        pkm_json_object_begin(json);
        pkm_json_put_number(json, "t", at->t);
        pkm_json_put_string(json, "joint", joint->name);
        pkm_json_put_string(json, "part", part_name(joint->type, at->part));
        pkm_json_put_number(json, "angle", at->angle);
        pkm_json_put_number(json, "load", at->load);
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
}

void cli_seated_put(const void* user, pkm_json* json)
{
    const cli_sim* sim = user;
    const pkm_seated_report* r = &sim->seated;
    pkm_json_put_string(json, "name", sim->robot->desc->name);
    pkm_json_put_string(json, "motion", cli_sim_motion(sim));
    pkm_json_put_string(json, "fidelity", "seated");
    pkm_json_put_integer(json, "instants", r->n_done);
    pkm_json_put_number(json, "duration", r->t_end);
    pkm_json_put_integer(json, "clearance_joints", sim->run->effects.n_clearance);
    pkm_json_put_number(json, "start_deviation", r->drop);
    cli_sim_put_peaks(json, sim);
    put_reversals(json, sim);
    cli_put_warnings(json, pkm_table_get_warnings(sim->table));
    pkm_json_put_integer(json, "positions", r->n_instant);
    pkm_json_put_integer(json, "iterations", r->iterations);
    pkm_json_put_integer(json, "unsettled", r->n_unsettled);
    pkm_json_put_number(json, "redundant_gap", r->gap);
    pkm_json_put_number(json, "wall_time", sim->wall_time);
    pkm_json_put_string(json, "folder", sim->folder);
}

int cli_seated_print_json(const cli_sim* sim)
{
    cli_json out;
    if (!cli_json_begin(&out)) return 1;
    cli_seated_put(sim, &out.json);
    return cli_json_end(&out);
}
