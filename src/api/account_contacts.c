// What a run tells of joints with clearance: touches, peaks, wear, times of contact.
#include "api/account_impl.h"

static double part(const pkm_bearing_record* b, pkm_touch phase, double total)
{
    return total > 0.0 ? 100.0 * b->time[phase] / total : 0.0;
}

static void put_peak(pkm_result* in, const char* key, const char* unit, const pkm_peak* peak)
{
    pkm_result* out = pkm_result_group(in, key);
    pkm_result_number(out, "value", unit, peak->value);
    pkm_result_number(out, "t", "s", peak->t);
}

static void put_bearing(pkm_result* in, const pkm_bearing_record* b, double total)
{
    char name[PKM_MAX_NAME + 8];
    pkm_bearing_name(b, name, sizeof name);
    pkm_result_text(in, "joint", b->name);
    pkm_result_text(in, "_name", name);
    pkm_result_integer(in, "pin", b->pin + 1);
    pkm_result_number(in, "radial", "m", b->radial);
    pkm_result_integer(in, "touches", b->n_impact);
    put_peak(in, "fastest", "m/s", &b->impact);
    put_peak(in, "deepest", "m", &b->penetration);
    put_peak(in, "largest_force", "N", &b->force);
    put_peak(in, "largest_offset", "m", &b->offset);
    pkm_result_number(in, "sliding_work", "J", b->sliding);
    pkm_result* time = pkm_result_group(in, "time");
    for (int m = 0; m < PKM_N_TOUCH; ++m)
        pkm_result_number(time, pkm_touch_name((pkm_touch)m), "s", b->time[m]);
    pkm_result_number(in, "_flight", "", part(b, PKM_TOUCH_FLIGHT, total));
    pkm_result_number(in, "_impact", "", part(b, PKM_TOUCH_IMPACT, total));
    pkm_result_number(in, "_contact", "",
                      part(b, PKM_TOUCH_SLIDING, total) + part(b, PKM_TOUCH_STICKING, total));
}

void pkm_account_contact_result(const pkm_account* a, pkm_result* out)
{
    const pkm_contact_record* r = a->record;
    pkm_result_integer(out, "clearance_joints", a->run->effects.n_clearance);
    pkm_result* list = pkm_result_list(out, "contacts");
    for (int k = 0; k < r->n_bearing; ++k)
        put_bearing(pkm_result_group(list, NULL), &r->bearing[k], r->t_end);
    if (r->n_moved > 0)
        pkm_result_format(
            out, "_moved", "%d joint%s began outside the clearance and moved into it, %s by %.3g m",
            r->n_moved, r->n_moved == 1 ? "" : "s", r->bearing[r->most_moved].name, r->moved);
}
