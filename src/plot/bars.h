/// Bar charts: rows with a name, panels side by side, one bar per row and panel, written as SVG.
#ifndef PKM_PLOT_BARS_H
#define PKM_PLOT_BARS_H

#include "pkm/status.h"
#include "plot/axis.h"

enum { PKM_BARS_MAX_PANEL = 24, PKM_BARS_MAX_ROW = 64 };

typedef struct pkm_bar {
    double value;     ///< NaN: no bar
    double low, high; ///< of a whisker; NaN: none
    bool pale;        ///< not to be relied on: hollow
} pkm_bar;

typedef struct pkm_bars_panel {
    pkm_axis x;         ///< its label is the title of the panel; 0 is always in its range
    const pkm_bar* bar; ///< [n_row]
} pkm_bars_panel;

/// A figure; everything is borrowed.
typedef struct pkm_bars {
    const char* title;
    const char* note; ///< below the panels; NULL: none
    const char* const* row;
    int n_row;
    const pkm_bars_panel* panel;
    int n_panel;
} pkm_bars;

/// Write `bars` to `path`, 160 mm wide, three panels in a line.
/// @return PKM_ERR_ARGUMENT for too many rows or panels or none; PKM_ERR_FILE; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_bars_write(const pkm_bars* bars, const char* path, pkm_error* err);

#endif
