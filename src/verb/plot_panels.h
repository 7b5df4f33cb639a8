/// Chosen columns of several runs as the panels of one figure.
#ifndef PKM_VERB_PLOT_PANELS_H
#define PKM_VERB_PLOT_PANELS_H

#include "plot/plot.h"
#include "table/column.h"
#include "verb/run_table.h"

enum { VERB_MAX_RUN = 16, VERB_MAX_CURVE = 96, VERB_PLOT_WORDS = 192 };

/// One curve: a column of a run.
typedef struct pkm_verb_curve {
    int run, column;
    int panel;
    double factor; ///< its unit over that of its panel
    double offset; ///< taken away before [own unit]
    char label[2 * VERB_PLOT_WORDS];
    pkm_column_words words;
} pkm_verb_curve;

typedef struct pkm_verb_figure {
    pkm_verb_run_table run[VERB_MAX_RUN];
    int n_run;
    pkm_verb_curve curve[VERB_MAX_CURVE];
    int n_curve, n_panel;
    const char* over; ///< the column of the axis; NULL: the first, which is the time
    bool together;    ///< one panel per unit
    bool is_change;   ///< values less that of the first row
    bool is_equal;    ///< see pkm_plot
    double from, to;  ///< of the first column [s]
} pkm_verb_figure;

/// The name of a run, by value.
typedef struct pkm_verb_run_name {
    char text[VERB_RUN_NAME];
} pkm_verb_run_name;
pkm_verb_run_name pkm_verb_figure_name(const pkm_verb_figure* f, int run);

/// Add the columns that `pattern` means in every run.
/// @return PKM_ERR_ARGUMENT with the nearest name where no run has one, or for too many.
PKM_NODISCARD pkm_status pkm_verb_figure_add(pkm_verb_figure* f, const char* pattern,
                                             pkm_error* err);

/// Share the curves out among panels, units matched.
/// @return PKM_ERR_ARGUMENT for too many, for a run without the column of the axis.
PKM_NODISCARD pkm_status pkm_verb_figure_arrange(pkm_verb_figure* f, pkm_error* err);

/// Does a row lie within the chosen times?
bool pkm_verb_figure_shows(const pkm_verb_figure* f, const pkm_table* table, int row);

/// Draw the figure. Statuses of pkm_plot_write.
PKM_NODISCARD pkm_status pkm_verb_figure_write(const pkm_verb_figure* f, const char* title,
                                               const char* path, pkm_error* err);
void pkm_verb_figure_free(pkm_verb_figure* f);

#endif
