/// Time bars: rows whose state changes over time, each state with its colour, as SVG.
#ifndef PKM_PLOT_TIMELINE_H
#define PKM_PLOT_TIMELINE_H

#include "pkm/status.h"

enum { PKM_TIMELINE_MAX_ROW = 64, PKM_TIMELINE_MAX_STATE = 6 };

/// From time `t` on `row` has the state `state`; ordered by time.
typedef struct pkm_timeline_change {
    double t;
    int row, state;
} pkm_timeline_change;

/// A figure; everything is borrowed. Rows begin at t = 0 with state 0, which stays white.
typedef struct pkm_timeline {
    const char* title;
    const char* note; ///< below; NULL: none
    const char* const* row;
    int n_row;
    const char* const* state; ///< names for the legend
    int n_state;
    const pkm_timeline_change* change;
    int n_change;
    double end; ///< [s]
} pkm_timeline;

/// Write `timeline` to `path`, 160 mm wide.
/// @return PKM_ERR_ARGUMENT for none or too many rows or states; PKM_ERR_FILE; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_timeline_write(const pkm_timeline* timeline, const char* path,
                                            pkm_error* err);

#endif
