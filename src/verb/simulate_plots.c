#include "verb/simulate_plots.h"
#include "table/column.h"

#include <stdio.h>
#include <string.h>

enum { MAX_SERIES = CLI_PLOT_COLUMNS };

/// A column of a plot: one of the run's table, less another one or its own start.
typedef struct series {
    char name[2 * PKM_MAX_NAME];
    int plus, minus; ///< columns; minus may be PKM_NONE
    bool from_start;
} series;

static int column_of(const pkm_table* table, const char* item, const char* quantity)
{
    char name[2 * PKM_MAX_NAME];
    snprintf(name, sizeof name, "%s%s%s", item, *item ? "." : "", quantity);
    return pkm_table_find(table, name);
}

/// A table of these series for plotting, with a plot of all of them.
static pkm_status make_plot(const pkm_table* from, const series* list, int n, const char* file,
                            pkm_table** table, cli_plot* plot)
{
    *plot = (cli_plot){.file = file};
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
            if (list[k].from_start) row[k + 1] -= pkm_table_get(from, 0, list[k].plus);
        }
    }
    return PKM_OK;
}

/// Force of each drive beside that of the ideal motion.
static int force_series(const cli_sim* sim, series* out)
{
    int n = 0;
    for (int d = 0; d < sim->robot->mech->n_drive; ++d) {
        const char* name = sim->robot->mech->drive[d].name;
        const int force = column_of(sim->table, name, "force");
        const int off = column_of(sim->table, name, "dforce");
        if (off == PKM_NONE) return 0;
        out[n] = (series){.plus = force, .minus = PKM_NONE};
        snprintf(out[n++].name, sizeof out->name, "%s.%s", name,
                 sim->is_ked ? "bent" : "simulated");
        out[n] = (series){.plus = force, .minus = off};
        snprintf(out[n++].name, sizeof out->name, "%s.ideal", name);
    }
    return n;
}

/// Changes of energies in one panel, what is left of the balance in another.
static int energy_series(const cli_sim* sim, series* out)
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
static int deviation_series(const cli_sim* sim, series* out)
{
    static const char* const quantity[][2] = {{"dp", "position error"},
                                              {"dv", "velocity error"},
                                              {"da", "acceleration error"},
                                              {"turn", "turn"}};
    const pkm_mechanism* mech = sim->robot->mech;
    int n = 0;
    for (size_t k = 0; mech->tool != PKM_NONE && k < 4; ++k) {
        const int c =
            column_of(sim->table, pkm_short_name(mech->marker[mech->tool].name), quantity[k][0]);
        if (c == PKM_NONE) return 0;
        out[n] = (series){.plus = c, .minus = PKM_NONE};
        snprintf(out[n++].name, sizeof out->name, "%s", quantity[k][1]);
    }
    for (int d = 0; d < mech->n_drive; ++d) {
        const int c = column_of(sim->table, mech->drive[d].name, "dforce");
        if (c == PKM_NONE) continue;
        out[n] = (series){.plus = c, .minus = PKM_NONE};
        snprintf(out[n++].name, sizeof out->name, "force error.%s", mech->drive[d].name);
    }
    return n;
}

/// Deflection, axial force and stress of the first flexible links; a dot would end the panel's
/// name.
static int bend_series(const cli_sim* sim, series* out)
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
            const int c = column_of(sim->table, link, quantity[q][0]);
            if (c == PKM_NONE) continue;
            out[n] = (series){.plus = c, .minus = PKM_NONE};
            char* name = out[n++].name;
            const int before = snprintf(name, sizeof out->name, "%s.", quantity[q][1]);
            snprintf(name + before, sizeof out->name - (size_t)before, "%s", link);
            for (char* at = name + before; (at = strchr(at, '.'));)
                *at = ' ';
        }
    }
    return n;
}

// ---- all --------------------------------------------------------------------------------------

pkm_status cli_sim_plots_make(const cli_sim* sim, cli_sim_plots* out)
{
    static series list[MAX_SERIES];
    static const struct {
        const char* file;
        int (*find)(const cli_sim* sim, series* out);
    } kind[CLI_SIM_PLOTS] = {{"forces.svg", force_series},
                             {"energy.svg", energy_series},
                             {"deviations.svg", deviation_series},
                             {"deflection.svg", bend_series}};
    *out = (cli_sim_plots){.n = 0};
    pkm_status status = PKM_OK;
    for (int k = 0; k < CLI_SIM_PLOTS && status == PKM_OK; ++k) {
        const int n = kind[k].find(sim, list);
        if (n == 0) continue;
        status =
            make_plot(sim->table, list, n, kind[k].file, &out->table[out->n], &out->plot[out->n]);
        ++out->n;
    }
    return status;
}

void cli_sim_plots_free(cli_sim_plots* plots)
{
    for (int k = 0; k < plots->n; ++k)
        pkm_table_free(plots->table[k]);
}
