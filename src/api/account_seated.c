// What a run with seated clearance answers: deviations, load reversals.
#include "api/account_impl.h"

enum { MOST_LINES = 40 }; // of reversals, for people

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

static void put_reversals(pkm_result* in, const pkm_account* a)
{
    const pkm_seated_report* r = &a->seated;
    const int shown = kept_reversals(r) < MOST_LINES ? kept_reversals(r) : MOST_LINES;
    pkm_result_integer(in, "n_reversals", r->n_reversal);
    pkm_result* list = pkm_result_list(in, "reversals");
    for (int k = 0; k < kept_reversals(r); ++k) {
        const pkm_reversal* at = &r->reversal[k];
        const pkm_joint* joint = &a->robot->mech->joint[at->joint];
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

void pkm_account_seated_result(const pkm_account* a, pkm_result* out)
{
    const pkm_seated_report* r = &a->seated;
    pkm_result_text(out, "name", a->robot->desc->name);
    pkm_result_text(out, "motion", pkm_account_motion(a));
    pkm_result_text(out, "fidelity", "seated");
    pkm_result_integer(out, "instants", r->n_done);
    pkm_result_number(out, "duration", "s", r->t_end);
    pkm_result_integer(out, "clearance_joints", a->run->effects.n_clearance);
    pkm_result_bool(out, "_one", a->run->effects.n_clearance == 1);
    pkm_result_number(out, "start_deviation", "m", r->drop);
    pkm_account_peaks_result(a, out);
    put_reversals(out, a);
    pkm_result_warnings(out, pkm_table_get_warnings(a->table));
    pkm_result_integer(out, "positions", r->n_instant);
    pkm_result_integer(out, "iterations", r->iterations);
    pkm_result_integer(out, "unsettled", r->n_unsettled);
    pkm_result_number(out, "redundant_gap", "", r->gap);
    pkm_result_number(out, "wall_time", "s", a->wall_time);
}
