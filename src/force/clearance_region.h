/// Where the moving part of a joint with clearance can lie: the admissible set of a region, without
/// forces. A universal joint is two journals.
///
/// A set is described by coordinates y [m] whose origin is the centred position; the displacement
/// of b against a, in the axes of frame a, is linear in them (docs/theory/clearance.md, section 3):
///
///     ball      y = shift                                     |y| <= radial
///     journal   y = shifts x, y of the end at +z, of the end at -z, shift along z
///                                                             |each end| <= radial, |z| <= axial
///     guide     y = shifts along x of the ends at +z and -z, along y of both, roll of the corners
///                                                             |x| + roll h/m <= radial,
///                                                             |y| + roll w/m <= radial
///
/// The roll is the turn about z times m/2, m the larger of width w and height h.
#ifndef PKM_FORCE_CLEARANCE_REGION_H
#define PKM_FORCE_CLEARANCE_REGION_H

#include "force/clearance.h"

typedef enum pkm_region_kind {
    PKM_REGION_BALL,
    PKM_REGION_JOURNAL,
    PKM_REGION_GUIDE,
} pkm_region_kind;

enum { PKM_REGION_COORDINATES = 5, PKM_REGION_PARTS = 5 };

typedef struct pkm_region {
    pkm_region_kind kind;
    double radial, axial; ///< [m]
    double half_length;   ///< of the bearing, or of the slider [m]; 0: nothing tilts
    double half_size;     ///< guide: half of the larger of width and height [m]
    double along_x; ///< guide: height / larger, what the roll takes from the clearance along x
    double along_y; ///< guide: width / larger
} pkm_region;

/// A displacement of b against a, in the axes of frame a [m, rad].
typedef struct pkm_clearance_offset {
    pkm_vec3 shift, turn;
} pkm_clearance_offset;

/// The region of a joint of this type (a universal joint has it twice); has_axial: with stops
/// along z, as revolute and universal joints.
pkm_region pkm_region_make(const pkm_clearance* clearance, pkm_joint_type type);

/// Number of coordinates: ball 3, journal 5, guide 5.
int pkm_region_n(const pkm_region* region);

/// The displacement that the coordinates y mean.
pkm_clearance_offset pkm_region_offset(const pkm_region* region, const double* y);

/// The load on each coordinate [N] of a force and a moment on b, at the centre of the bearing in
/// the axes of a: force . shift + moment . turn = f . y.
void pkm_region_load(const pkm_region* region, pkm_vec3 force, pkm_vec3 moment, double* f);

/// The place y where the load f presses b: the one with the largest f . y, which is returned.
///
/// Loads that are not well above `floor` [N] do not reach the wall: a part of the set with the
/// load f has y = radial f / sqrt(f^2 + floor^2), so that rounding does not throw b about, and y is
/// a smooth function of f.
double pkm_region_extreme(const pkm_region* region, const double* f, double floor, double* y);

/// dy/df there [m/N], n x n, symmetric and positive semi-definite; for guides without the coupling
/// of roll and shifts. `floor` > 0.
void pkm_region_yield(const pkm_region* region, const double* f, double floor, double* H);

/// How far y is outside of the set [m]; negative: inside by so much.
double pkm_region_outside(const pkm_region* region, const double* y);

/// A part of the set as others bound it: coordinates at .. at + n, |y| <= radius (n = 1: a segment,
/// 2: a disc, 3: a ball). The product of the parts contains the set; it is the set for balls and
/// journals.
typedef struct pkm_region_part {
    int at, n;
    double radius; ///< [m]
} pkm_region_part;
/// Parts of a region into out[PKM_REGION_PARTS]; returns how many.
int pkm_region_parts(const pkm_region* region, pkm_region_part* out);

/// The product of parts cuts the corners of a guide off by these planes, normal . y <= radial:
/// 16 of them for a guide, none for others. `k`-th normal to out[PKM_REGION_COORDINATES].
int pkm_region_n_plane(const pkm_region* region);
void pkm_region_plane(const pkm_region* region, int k, double* out);

#endif
