/// What tables and summaries say of links that bend: columns, places, and where a model of small
/// deflections ends.
#ifndef PKM_ANALYSIS_BEND_H
#define PKM_ANALYSIS_BEND_H

#include "analysis/simulation.h"
#include "flexible/gauge.h"

enum { PKM_MAX_BEND_WARNING = 3, PKM_BEND_NAME = 2 * PKM_MAX_NAME };

/// The item of a table that is place `part` (0 .. 1) of a link: "A.left@0.25".
const char* pkm_bend_place_name(const char* link, double part, char out[PKM_BEND_NAME]);

/// Columns of a link and of its places; false when memory is out.
bool pkm_bend_add_columns(const pkm_flexible_body* body, pkm_table* table);

/// Put the columns of a link with the modal coordinates `z` at time t and raise the limits; `axial`
/// as in pkm_flexible_gauge_read. Returns where the next ones go.
double* pkm_bend_put(const pkm_flexible_gauge* gauge, const double* z, const double* axial,
                     double t, pkm_bend_limits* limits, double* out);

/// The k-th warning of a run, in `out`; false: there are no more.
bool pkm_bend_warning(const pkm_bend_limits* limits, int k, char* out, size_t size);

#endif
