#include "cli/deflection_report.h"

#include "flexible/link_readings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_LINES = 30 }; // of links, for people

// ---- peaks ------------------------------------------------------------------------------------

/// The largest magnitude of a column of a link.
static double peak_of(const cli_sim* sim, const char* link, const char* quantity)
{
    char name[3 * PKM_MAX_NAME];
    snprintf(name, sizeof name, "%s.%s", link, quantity);
    return pkm_table_reduce(sim->table, pkm_table_find(sim->table, name), PKM_REDUCE_ABSMAX, NULL);
}

/// Rounding of modes that nothing excites is no twist.
static double shown_twist(double twist)
{
    return fabs(twist) < 1e-9 ? 0.0 : 1e3 * twist;
}

static const char* link_name(const cli_sim* sim, int k)
{
    return sim->robot->desc->body[sim->run->effects.flexible[k].body].name;
}

/// The name of place i of link k in the table.
static const char* place_name(const cli_sim* sim, int k, int i, char out[PKM_BEND_NAME])
{
    return pkm_deflection_place_name(link_name(sim, k), sim->run->effects.flexible[k].spec.place[i],
                                     out);
}

static void print_places(const cli_sim* sim, int n)
{
    bool is_first = true;
    for (int k = 0; k < n; ++k) {
        for (int i = 0; i < sim->run->effects.flexible[k].spec.n_place; ++i) {
            char name[PKM_BEND_NAME];
            place_name(sim, k, i, name);
            if (is_first)
                printf("\nplace on a link       deflection mm   twist mrad   stress MPa\n");
            is_first = false;
            printf("  %-20s %13.4g %12.4g %12.4g\n", name, 1e3 * peak_of(sim, name, "deflection"),
                   shown_twist(peak_of(sim, name, "twist")), 1e-6 * peak_of(sim, name, "stress"));
        }
    }
}

void cli_deflection_print(const cli_sim* sim)
{
    const int n = sim->run->effects.n_flexible, shown = n < MOST_LINES ? n : MOST_LINES;
    if (n == 0) return;
    printf(
        "\nflexible link        mid-span mm   twist mrad   stress MPa     axial N  of buckling\n");
    for (int k = 0; k < shown; ++k) {
        const char* name = link_name(sim, k);
        printf("  %-18s %11.4g %12.4g %12.4g %11.4g %10.3g %%\n", name,
               1e3 * peak_of(sim, name, "deflection"), shown_twist(peak_of(sim, name, "twist")),
               1e-6 * peak_of(sim, name, "stress"), peak_of(sim, name, "axial"),
               100.0 * peak_of(sim, name, "buckling"));
    }
    if (n > shown) printf("  ... and %d more\n", n - shown);
    print_places(sim, shown);
}

static void put_places(pkm_json* json, const cli_sim* sim, int k)
{
    const pkm_flexible_spec* spec = &sim->run->effects.flexible[k].spec;
    char name[PKM_BEND_NAME];
    if (spec->n_place == 0) return;
    pkm_json_key(json, "places");
    pkm_json_array_begin(json);
    for (int i = 0; i < spec->n_place; ++i) {
        place_name(sim, k, i, name);
        pkm_json_object_begin(json);
        pkm_json_put_number(json, "at", spec->place[i]);
        pkm_json_put_number(json, "deflection", peak_of(sim, name, "deflection"));
        pkm_json_put_number(json, "twist", peak_of(sim, name, "twist"));
        pkm_json_put_number(json, "stress", peak_of(sim, name, "stress"));
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
}

void cli_deflection_put(pkm_json* json, const cli_sim* sim)
{
    static const char* const quantity[] = {"deflection", "twist", "stress", "axial", "buckling"};
    if (sim->run->effects.n_flexible == 0) return;
    pkm_json_key(json, "flexible_links");
    pkm_json_array_begin(json);
    for (int k = 0; k < sim->run->effects.n_flexible; ++k) {
        pkm_json_object_begin(json);
        pkm_json_put_string(json, "name", link_name(sim, k));
        for (size_t i = 0; i < sizeof quantity / sizeof quantity[0]; ++i)
            pkm_json_put_number(json, quantity[i], peak_of(sim, link_name(sim, k), quantity[i]));
        put_places(json, sim, k);
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
}
