// What runs with flexible links tell of them.
#include "api/account_impl.h"

#include "flexible/link_readings.h"
#include "table/column.h"

#include <math.h>

enum { MOST_LINES = 30 }; // of links, for people

/// The largest magnitude of a column of a link.
static double peak_of(const pkm_account* a, const char* link, const char* quantity)
{
    return pkm_table_reduce(a->table, pkm_table_find_item(a->table, link, quantity),
                            PKM_REDUCE_ABSMAX, NULL);
}

/// Rounding of modes that nothing excites is no twist. [mrad]
static void put_twist(pkm_result* in, double twist)
{
    pkm_result_number(in, "_twist", "", fabs(twist) < 1e-9 ? 0.0 : 1e3 * twist);
}

static void put_places(pkm_result* in, const pkm_account* a, const char* link,
                       const pkm_flexible_spec* spec)
{
    char name[PKM_BEND_NAME];
    if (spec->n_place == 0) return;
    pkm_result* list = pkm_result_list(in, "places");
    for (int i = 0; i < spec->n_place; ++i) {
        pkm_result* item = pkm_result_group(list, NULL);
        pkm_deflection_place_name(link, spec->place[i], name);
        pkm_result_text(item, "_name", name);
        pkm_result_number(item, "at", "", spec->place[i]);
        pkm_result_number(item, "deflection", "m", peak_of(a, name, "deflection"));
        pkm_result_number(item, "twist", "rad", peak_of(a, name, "twist"));
        pkm_result_number(item, "stress", "Pa", peak_of(a, name, "stress"));
        put_twist(item, peak_of(a, name, "twist"));
    }
}

void pkm_account_deflection_result(const pkm_account* a, pkm_result* out)
{
    static const char* const quantity[][2] = {
        {"deflection", "m"}, {"twist", "rad"}, {"stress", "Pa"}, {"axial", "N"}, {"buckling", ""}};
    const pkm_effects* effects = &a->run->effects;
    bool has_places = false;
    if (effects->n_flexible == 0) return;
    pkm_result* list = pkm_result_list(out, "flexible_links");
    for (int k = 0; k < effects->n_flexible; ++k) {
        const pkm_effect_flexible* flexible = &effects->flexible[k];
        const char* name = a->robot->desc->body[flexible->body].name;
        pkm_result* item = pkm_result_group(list, NULL);
        pkm_result_text(item, "name", name);
        for (size_t i = 0; i < sizeof quantity / sizeof quantity[0]; ++i)
            pkm_result_number(item, quantity[i][0], quantity[i][1],
                              peak_of(a, name, quantity[i][0]));
        put_twist(item, peak_of(a, name, "twist"));
        pkm_result_bool(item, "_shown", k < MOST_LINES);
        put_places(item, a, name, &flexible->spec);
        has_places = has_places || (k < MOST_LINES && flexible->spec.n_place > 0);
    }
    pkm_result_bool(out, "_has_places", has_places);
    if (effects->n_flexible > MOST_LINES)
        pkm_result_integer(out, "_more_links", effects->n_flexible - MOST_LINES);
}
