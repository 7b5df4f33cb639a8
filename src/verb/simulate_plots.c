// Pictures that a run in time is told with: drives, deviations, energy, links, contacts, each where
// the table has its columns.
#include "verb/simulate_plots.h"

#include "base/error.h"
#include "flexible/link_readings.h"
#include "table/column.h"

#include <stdio.h>
#include <string.h>

enum { MAX_SERIES = VERB_PLOT_COLUMNS };

/// A column of a plot: one of the run's table, less another one or its own start.
typedef struct series {
    char name[2 * PKM_MAX_NAME];
    int plus, minus; ///< columns; minus may be PKM_NONE
    bool from_start;
} series;

/// A table of these series for plotting, with a plot of all of them.
static pkm_status make_plot(const pkm_table* from, const series* list, int n, const char* file,
                            pkm_table** table, pkm_verb_plot* plot)
{
    *plot = (pkm_verb_plot){.file = file};
    plot->table = *table = pkm_table_create();
    if (!*table || pkm_table_add_column(*table, "t", "s") == PKM_NONE) return PKM_ERR_MEMORY;
    for (int k = 0; k < n; ++k) {
        const char* unit = pkm_table_unit(from, list[k].plus);
        plot->column[plot->n_column++] = k + 1;
        if (pkm_table_add_column(*table, list[k].name, unit) == PKM_NONE) return PKM_ERR_MEMORY;
    }
    pkm_table_walk walk;
    pkm_table_walk_begin(&walk, from);
    for (int i = pkm_table_walk_next(&walk); i != PKM_NONE; i = pkm_table_walk_next(&walk)) {
        double* row = pkm_table_append(*table);
        if (!row) return PKM_ERR_MEMORY;
        row[0] = pkm_table_get(from, i, 0);
        for (int k = 0; k < n; ++k) {
            row[k + 1] = pkm_table_get(from, i, list[k].plus);
            if (list[k].minus != PKM_NONE) row[k + 1] -= pkm_table_get(from, i, list[k].minus);
            // changes: the level of an energy says nothing
            if (list[k].from_start) row[k + 1] -= pkm_table_get(from, 0, list[k].plus);
        }
    }
    return PKM_OK;
}

/// Force of each drive beside that of the ideal motion.
static int force_series(const pkm_account* sim, series* out)
{
    int n = 0;
    for (int d = 0; d < sim->robot->mech->n_drive; ++d) {
        const char* name = sim->robot->mech->drive[d].name;
        const int force = pkm_table_find_item(sim->table, name, "force");
        const int off = pkm_table_find_item(sim->table, name, "dforce");
        if (off == PKM_NONE) return 0;
        out[n] = (series){.plus = force, .minus = PKM_NONE};
        snprintf(out[n++].name, sizeof out->name, "%s.%s", name,
                 sim->is_ked ? "bent" : "simulated");
        // ideal = simulated - difference
        out[n] = (series){.plus = force, .minus = off};
        snprintf(out[n++].name, sizeof out->name, "%s.ideal", name);
    }
    return n;
}

/// Changes of energies in one panel, what is left of the balance in another.
static int energy_series(const pkm_account* sim, series* out)
{
    static const char* const column[][2] = {{"energy.kinetic", "energy.kinetic"},
                                            {"energy.potential", "energy.potential"},
                                            {"energy.spring", "energy.spring"},
                                            {"energy.strain", "energy.strain"},
                                            {"work.drive", "energy.work of drives"},
                                            {"work.load", "energy.work of loads"},
                                            {"work.lost", "energy.lost"},
                                            {"balance", "balance"}};
    int n = 0;
    for (size_t k = 0; k < sizeof column / sizeof column[0]; ++k) {
        const int c = pkm_table_find(sim->table, column[k][0]);
        if (c == PKM_NONE || pkm_table_reduce(sim->table, c, PKM_REDUCE_RANGE, NULL) == 0.0)
            continue;
        out[n] = (series){.plus = c, .minus = PKM_NONE, .from_start = true};
        snprintf(out[n++].name, sizeof out->name, "%s", column[k][1]);
    }
    return n;
}

/// Deviations from the ideal motion.
static int deviation_series(const pkm_account* sim, series* out)
{
    static const char* const quantity[][2] = {{"dp", "position error"},
                                              {"dv", "velocity error"},
                                              {"da", "acceleration error"},
                                              {"turn", "turn"}};
    const pkm_mechanism* mech = sim->robot->mech;
    int n = 0;
    for (size_t k = 0; mech->tool != PKM_NONE && k < 4; ++k) {
        const int c = pkm_table_find_item(sim->table, pkm_short_name(mech->marker[mech->tool].name),
                                          quantity[k][0]);
        if (c == PKM_NONE) return 0;
        out[n] = (series){.plus = c, .minus = PKM_NONE};
        snprintf(out[n++].name, sizeof out->name, "%s", quantity[k][1]);
    }
    for (int d = 0; d < mech->n_drive; ++d) {
        const int c = pkm_table_find_item(sim->table, mech->drive[d].name, "dforce");
        if (c == PKM_NONE) continue;
        out[n] = (series){.plus = c, .minus = PKM_NONE};
        snprintf(out[n++].name, sizeof out->name, "force error.%s", mech->drive[d].name);
    }
    return n;
}

/// A column of the panel `panel`, called `label` in its legend: a dot would end the panel's name.
static bool add_series(int column, const char* panel, const char* label, series* out)
{
    if (column == PKM_NONE) return false;
    *out = (series){.plus = column, .minus = PKM_NONE};
    const int before = snprintf(out->name, sizeof out->name, "%s.", panel);
    snprintf(out->name + before, sizeof out->name - (size_t)before, "%s", label);
    for (char* at = out->name + before; (at = strchr(at, '.'));)
        *at = ' ';
    return true;
}

/// Deflection, axial force and stress of the first flexible links.
static int bend_series(const pkm_account* sim, series* out)
{
    static const char* const quantity[][2] = {{"deflection", "mid-span deflection"},
                                              {"axial", "axial force"},
                                              {"stress", "largest stress"}};
    enum { MOST_LINKS = 8 };
    const pkm_effects* effects = &sim->run->effects;
    int n = 0;
    for (size_t q = 0; q < sizeof quantity / sizeof quantity[0]; ++q) {
        for (int k = 0; k < effects->n_flexible && k < MOST_LINKS; ++k) {
            const char* link = sim->robot->desc->body[effects->flexible[k].body].name;
            n += add_series(pkm_table_find_item(sim->table, link, quantity[q][0]), quantity[q][1],
                            link, &out[n]);
        }
    }
    return n;
}

/// Rounding of modes that nothing excites is no twist.
static bool is_seen(const pkm_table* table, int column)
{
    return column != PKM_NONE && (strcmp(pkm_table_unit(table, column), "rad") != 0 ||
                                  pkm_table_reduce(table, column, PKM_REDUCE_ABSMAX, NULL) > 1e-9);
}

/// Signed displacements at the first places on links.
static int place_series(const pkm_account* sim, series* out)
{
    static const char* const quantity[][2] = {{"bend_y", "transverse displacement y"},
                                              {"bend_z", "transverse displacement z"},
                                              {"stretch", "axial displacement"},
                                              {"twist", "twist"}};
    enum { MOST_PLACES = 12 };
    const pkm_effects* effects = &sim->run->effects;
    int n = 0;
    for (size_t q = 0; q < sizeof quantity / sizeof quantity[0]; ++q) {
        int n_place = 0;
        for (int k = 0; k < effects->n_flexible; ++k) {
            const pkm_effect_flexible* link = &effects->flexible[k];
            for (int i = 0; i < link->spec.n_place && n_place < MOST_PLACES; ++i, ++n_place) {
                const char* body = sim->robot->desc->body[link->body].name;
                const double part = link->spec.place[i];
                char name[PKM_BEND_NAME], label[PKM_BEND_NAME];
                pkm_deflection_place_name(body, part, name);
                snprintf(label, sizeof label, "%s, %.0f %%", body, 100.0 * part);
                const int column = pkm_table_find_item(sim->table, name, quantity[q][0]);
                if (!is_seen(sim->table, column)) continue;
                n += add_series(column, quantity[q][1], label, &out[n]);
            }
        }
    }
    return n;
}

// ---- all --------------------------------------------------------------------------------------

/// Those that the run has columns for.
static pkm_status make_plots(const pkm_account* sim, pkm_verb_sim_plots* out)
{
    series list[MAX_SERIES];
    static const struct {
        const char* file;
        int (*find)(const pkm_account* sim, series* out);
    } kind[VERB_SIM_PLOTS] = {{"forces.svg", force_series},
                              {"energy.svg", energy_series},
                              {"deviations.svg", deviation_series},
                              {"deflection.svg", bend_series},
                              {"places.svg", place_series}};
    *out = (pkm_verb_sim_plots){.n = 0};
    pkm_status status = PKM_OK;
    for (int k = 0; k < VERB_SIM_PLOTS && status == PKM_OK; ++k) {
        const int n = kind[k].find(sim, list);
        if (n == 0) continue;
        status =
            make_plot(sim->table, list, n, kind[k].file, &out->table[out->n], &out->plot[out->n]);
        ++out->n;
    }
    return status;
}

pkm_status pkm_verb_sim_write(pkm_verb_sim* sim, pkm_verb_sim_writer write, pkm_error* err)
{
    pkm_verb_sim_plots* plots = pkm_verb_work(sim->args, sizeof *plots, err);
    if (!plots) return PKM_ERR_MEMORY;
    pkm_status status = make_plots(&sim->account, plots);
    if (status == PKM_OK)
        status = write(sim, plots, err);
    else
        pkm_out_of_memory(err);
    for (int k = 0; k < plots->n; ++k)
        pkm_table_free(plots->table[k]);
    return status;
}
