/// Orbits: the path of a journal in the circle of its clearance, one cell per bearing, as SVG.
#ifndef PKM_PLOT_ORBIT_H
#define PKM_PLOT_ORBIT_H

#include "pkm/status.h"
#include "pkm/types.h"

enum { PKM_ORBITS_MAX = 24 };

/// One bearing; everything is borrowed.
typedef struct pkm_orbit {
    const char* name;
    double clearance;     ///< radius of the circle, or half of the square [m]
    bool is_square;       ///< a slider in a guide
    bool is_ball;         ///< seen from two sides, x y and x z
    bool is_points;       ///< points of a section, not joined
    const pkm_vec3* path; ///< offsets from the centre [m], `stride` apart
    int n, stride;
} pkm_orbit;

/// A figure: at most PKM_ORBITS_MAX bearings.
typedef struct pkm_orbits {
    const char* title;
    const char* note; ///< below; NULL: none
    const pkm_orbit* orbit;
    int n_orbit;
} pkm_orbits;

/// Write `orbits` to `path`, 160 mm wide.
/// @return PKM_ERR_ARGUMENT for none or too many; PKM_ERR_FILE; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_orbits_write(const pkm_orbits* orbits, const char* path,
                                          pkm_error* err);

#endif
