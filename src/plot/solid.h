/// Pictures of bodies in space: bars, faces and balls seen from one side, drawn from the back to
/// the front, with lines over them; written as SVG.
#ifndef PKM_PLOT_SOLID_H
#define PKM_PLOT_SOLID_H

#include "pkm/status.h"
#include "pkm/types.h"

enum { PKM_SOLID_CORNERS = 4 };

typedef enum pkm_solid_kind {
    PKM_SOLID_BAR,  ///< from at[0] to at[1], as wide as 2 radius
    PKM_SOLID_FACE, ///< n corners
    PKM_SOLID_BALL, ///< about at[0]
} pkm_solid_kind;

typedef struct pkm_solid {
    pkm_solid_kind kind;
    int n; ///< corners of a face
    pkm_vec3 at[PKM_SOLID_CORNERS];
    double radius;      ///< [m]
    const char* colour; ///< "#0072b2"; lives as long as the picture is written
    double opacity;     ///< 0 .. 1
} pkm_solid;

/// A line over all bodies, a path.
typedef struct pkm_solid_line {
    int n;
    const pkm_vec3* at;
    const char* colour;
    const char* name; ///< in a legend under the title; NULL: none
} pkm_solid_line;

typedef struct pkm_solid_picture {
    const char* title;
    pkm_vec3 right, up; ///< of the page, in space; perpendicular unit vectors
    pkm_solid* solid;   ///< they are sorted
    int n_solid;
    const pkm_solid_line* line;
    int n_line;
} pkm_solid_picture;

/// Directions of the page for a view: "x", "y", "z" along that axis, "space" from the side and a
/// little from above; `up` is what is up in space. False: there is no such view.
bool pkm_solid_view(const char* name, pkm_vec3 up, pkm_vec3* right, pkm_vec3* upward);

/// The same for a view from the side, turned by `round` about up, and from above by `rise` [rad].
void pkm_view_turned(pkm_vec3 up, double round, double rise, pkm_vec3* right, pkm_vec3* upward);

/// Write the picture, with a bar of length and the axes of the world, to `path`.
/// @return PKM_ERR_ARGUMENT when there is nothing to draw; PKM_ERR_FILE; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_solid_write(const pkm_solid_picture* picture, const char* path,
                                         pkm_error* err);

#endif
