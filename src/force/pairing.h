/// Where the moving part of a joint with play can lie: the admissible set of a pairing, without
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
#ifndef PKM_FORCE_PAIRING_H
#define PKM_FORCE_PAIRING_H

#include "force/clearance.h"

typedef enum pkm_pairing_kind {
    PKM_PAIRING_BALL,
    PKM_PAIRING_JOURNAL,
    PKM_PAIRING_GUIDE,
} pkm_pairing_kind;

enum { PKM_PAIRING_COORDINATES = 5, PKM_PAIRING_PARTS = 5 };

typedef struct pkm_pairing {
    pkm_pairing_kind kind;
    double radial, axial; ///< [m]
    double half_length;   ///< of the bearing, or of the slider [m]; 0: nothing tilts
    double half_size;     ///< guide: half of the larger of width and height [m]
    double along_x;       ///< guide: height / larger, what the roll takes from the play along x
    double along_y;       ///< guide: width / larger
} pkm_pairing;

/// A displacement of b against a, in the axes of frame a [m, rad].
typedef struct pkm_play {
    pkm_vec3 shift, turn;
} pkm_play;

/// The pairing of a joint of this type (a universal joint has it twice); has_axial: with stops
/// along z, as revolute and universal joints.
pkm_pairing pkm_pairing_make(const pkm_clearance* clearance, pkm_joint_type type);

/// Number of coordinates: ball 3, journal 5, guide 5.
int pkm_pairing_n(const pkm_pairing* pairing);

/// The displacement that the coordinates y mean.
pkm_play pkm_pairing_play(const pkm_pairing* pairing, const double* y);

/// The load on each coordinate [N] of a force and a moment on b, at the centre of the bearing in
/// the axes of a: force . shift + moment . turn = f . y.
void pkm_pairing_load(const pkm_pairing* pairing, pkm_vec3 force, pkm_vec3 moment, double* f);

/// The place y where the load f presses b: the one with the largest f . y, which is returned.
///
/// Loads that are not well above `floor` [N] do not reach the wall: a part of the set with the
/// load f has y = radial f / sqrt(f^2 + floor^2), so that rounding does not throw b about, and y is
/// a smooth function of f.
double pkm_pairing_extreme(const pkm_pairing* pairing, const double* f, double floor, double* y);

/// dy/df there [m/N], n x n, symmetric and positive semi-definite; for guides without the coupling
/// of roll and shifts. `floor` > 0.
void pkm_pairing_yield(const pkm_pairing* pairing, const double* f, double floor, double* H);

/// How far y is outside of the set [m]; negative: inside by so much.
double pkm_pairing_outside(const pkm_pairing* pairing, const double* y);

/// A part of the set as others bound it: coordinates at .. at + n, |y| <= radius (n = 1: a segment,
/// 2: a disc, 3: a ball). The product of the parts contains the set; it is the set for balls and
/// journals.
typedef struct pkm_pairing_part {
    int at, n;
    double radius; ///< [m]
} pkm_pairing_part;
/// Parts of a pairing into out[PKM_PAIRING_PARTS]; returns how many.
int pkm_pairing_parts(const pkm_pairing* pairing, pkm_pairing_part* out);

/// The product of parts cuts the corners of a guide off by these planes, normal . y <= radial:
/// 16 of them for a guide, none for others. `k`-th normal to out[PKM_PAIRING_COORDINATES].
int pkm_pairing_n_plane(const pkm_pairing* pairing);
void pkm_pairing_plane(const pkm_pairing* pairing, int k, double* out);

#endif
