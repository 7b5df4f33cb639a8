/// What is read off a bent link: deflection, twist, stress, axial force and how near it is to the
/// limits of a model of small deflections. docs/theory/flexible.md, section 7.
#ifndef PKM_FLEXIBLE_GAUGE_H
#define PKM_FLEXIBLE_GAUGE_H

#include "flexible/body.h"
#include "mechanism/modal_body.h"

/// How a link is measured. Deflections count from the line between its two joints that are farthest
/// apart; from the tangent at `first` when a drive carries the link there, or when there is no
/// other joint.
typedef struct pkm_flexible_gauge {
    const pkm_flexible_body* body;
    int first, last;   ///< frames; PKM_NONE: the far end is a free one
    int tip;           ///< the sample that is farthest from `first`
    int root;          ///< the end of an element that is nearest to it
    bool from_tangent; ///< at `first`
    bool hangs;        ///< a drive carries the link at `first`, whose axes are those of its shapes
    pkm_vec3 along;    ///< unit vector from first to last, body axes
    double length;     ///< between them [m]
    double buckling;   ///< Euler's load [N]; infinite for bodies made elsewhere
} pkm_flexible_gauge;

/// The gauge of a body that is clamped at `clamped` [body axes], NULL: it floats.
pkm_flexible_gauge pkm_flexible_gauge_make(const pkm_flexible_body* body, const pkm_vec3* clamped);

/// Least E I of all elements [N m2]; infinite where it is not known, of bodies made elsewhere.
double pkm_flexible_least_bending_stiffness(const pkm_flexible_body* body);

/// How near bending in the stiff plane is to tipping a flat link over sideways, (7.6), which small
/// deflections do not know, and by what part displacements are off for that.
typedef struct pkm_flexible_tipping {
    double part, off;
} pkm_flexible_tipping;

/// Of a link or piece of the length `length` [m], at modal coordinates z.
pkm_flexible_tipping pkm_flexible_tipping_of(const pkm_flexible_body* body, double length,
                                             const double* z);

/// Axial force at a sample [N], tension positive.
double pkm_flexible_force(const pkm_flexible_body* body, int sample, const double* z,
                          pkm_modal_axial axial);

typedef struct pkm_flexible_reading {
    double deflection;  ///< of the middle across the line [m]
    double twist;       ///< of the far end against the first, about the line [rad]
    double stress;      ///< largest magnitude of the normal stress [Pa]
    double axial;       ///< force in the middle, tension positive [N]
    double compression; ///< largest, >= 0 [N]
    double largest;     ///< deflection of any place [m]
    double turn;        ///< largest rotation of any place [rad]
    pkm_flexible_tipping tipping;
} pkm_flexible_reading;

/// Read the gauge at modal coordinates z. `axial` is how the elements stretch with what bending
/// takes from their length, NULL: as in the linear model, to the first order.
pkm_flexible_reading pkm_flexible_gauge_read(const pkm_flexible_gauge* gauge, const double* z,
                                             pkm_modal_axial axial);
/// The same without `largest`, `turn` and `tipping`, which are 0: a third of the work.
pkm_flexible_reading pkm_flexible_gauge_read_loads(const pkm_flexible_gauge* gauge, const double* z,
                                                   pkm_modal_axial axial);

/// A displacement from the line of a link, with signs.
typedef struct pkm_link_bend {
    double stretch; ///< along the line, away from its first joint [m]
    double y, z;    ///< across it, along the axes of the section [m]
} pkm_link_bend;

/// The displacement `off` of a place whose element has the axes `axes` (x along it), on a link
/// whose line is `along`; all in the same axes. y is that of the section, made square to the line.
pkm_link_bend pkm_link_bend_make(pkm_vec3 off, pkm_vec3 along, const pkm_mat3* axes);

typedef struct pkm_flexible_place_reading {
    double deflection; ///< across the line [m]
    double twist;      ///< against the first frame, about the line [rad]
    double stress;     ///< largest magnitude of the normal stress of the section [Pa]
    pkm_link_bend bend;
} pkm_flexible_place_reading;

/// Read place k of the body's spec.
pkm_flexible_place_reading pkm_flexible_gauge_place(const pkm_flexible_gauge* gauge, int k,
                                                    const double* z, pkm_modal_axial axial);

#endif
