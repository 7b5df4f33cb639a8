/// What tables and summaries say of flexible links: columns, places, and where a model of small
/// deflections ends.
#ifndef PKM_FLEXIBLE_LINK_READINGS_H
#define PKM_FLEXIBLE_LINK_READINGS_H

#include "flexible/gauge.h"
#include "table/column.h"
#include "table/warnings.h"

/// The largest value of a flexible link.
typedef struct pkm_deflection_peak {
    const char* link; ///< its name, lent by the description; NULL: there is none
    double value, t;
} pkm_deflection_peak;

/// How near flexible links came to the limits of a model of small deflections, at the rows.
typedef struct pkm_deflection_limits {
    pkm_deflection_peak buckling;   ///< compression over Euler's load between the joints
    pkm_deflection_peak deflection; ///< over the distance of the joints
    pkm_deflection_peak turn;       ///< rotation of a place on the link [rad], by what it does:
    double off;                     ///< the part by which displacements are too large then
    pkm_deflection_peak tipping;    ///< bending moment over that which tips a flat link sideways
    double tipping_off;             ///< the part by which displacements are off for that
} pkm_deflection_limits;

/// Beyond these the model is no longer to be trusted.
#define PKM_BEND_BUCKLING   0.3
#define PKM_BEND_DEFLECTION 0.05
#define PKM_BEND_OFF        0.0046
#define PKM_BEND_TIPPING    0.3

enum { PKM_BEND_NAME = 2 * PKM_MAX_NAME };

/// The item of a table that is place `part` (0 .. 1) of a link: "A.left@0.25".
const char* pkm_deflection_place_name(const char* link, double part, char out[PKM_BEND_NAME]);

/// What a table has of a link: all but `bend`; of places on it the first three and that.
typedef struct pkm_link_values {
    double deflection, twist; ///< [m], [rad]
    double stress, axial;     ///< [Pa], [N]
    double buckling;          ///< compression over Euler's load
    pkm_link_bend bend;
} pkm_link_values;

/// Lay out a link called `name` and its places at the parts `part` [n_place] of its length; values
/// may be NULL while columns are added.
void pkm_deflection_lay_out(const char* name, const double* part, int n_place,
                            const pkm_link_values* link, const pkm_link_values* place,
                            pkm_layout* to);
/// Raise the limits by what the link `name`, or one of its `n_piece` pieces, has at time t:
/// compression over Euler's load, deflection over length, largest rotation [rad] of what is
/// modelled with small deflections.
void pkm_deflection_raise(pkm_deflection_limits* limits, const char* name, double t, int n_piece,
                          double buckling, double deflection, double turn);
/// The same for tipping over.
void pkm_deflection_raise_tipping(pkm_deflection_limits* limits, const char* name, double t,
                                  pkm_flexible_tipping tipping);

/// Add the columns of a link and of its places.
void pkm_deflection_add_columns(const pkm_flexible_body* body, pkm_layout* to);

/// Is `column` a displacement or twist of the link called `link`, or of a place on it? Those are 0
/// while the link is rigid, whose tables have no such column.
bool pkm_deflection_is_displacement(const char* link, const char* column);

/// Write them with the modal coordinates `z` at time t and raise the limits, NULL: nobody asks for
/// them; `axial` as in pkm_flexible_gauge_read.
void pkm_deflection_put(const pkm_flexible_gauge* gauge, const double* z, pkm_modal_axial axial,
                        double t, pkm_deflection_limits* limits, pkm_layout* to);

/// Do displacements mean nothing any more: off by more than 30 %, (7.5)?
bool pkm_deflection_is_lost(const pkm_deflection_limits* limits);

/// Warn where links came beyond these limits.
void pkm_deflection_warn(const pkm_deflection_limits* limits, pkm_warnings* to);

#endif
