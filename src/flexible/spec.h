/// How a link is made flexible: mesh, kept modes, damping, section. A choice of the run; line,
/// section and material come from the link's shapes unless they are given here.
#ifndef PKM_FLEXIBLE_SPEC_H
#define PKM_FLEXIBLE_SPEC_H

#include "beam/choice.h"
#include "beam/mesh.h"

typedef enum pkm_flexible_keep {
    PKM_FLEXIBLE_KEEP_DEFAULT, ///< the n_mode (eight) lowest modes, or as many as there are
    PKM_FLEXIBLE_KEEP_BELOW,   ///< modes below a frequency
    PKM_FLEXIBLE_KEEP_COUNT,   ///< a number of modes
    PKM_FLEXIBLE_KEEP_FULL,    ///< every coordinate of the mesh
    PKM_FLEXIBLE_KEEP_CHOSEN,  ///< modes of the free link, one by one
} pkm_flexible_keep;

typedef enum pkm_flexible_damping {
    PKM_FLEXIBLE_UNDAMPED,
    PKM_FLEXIBLE_RATIO,    ///< the same damping ratio in every mode
    PKM_FLEXIBLE_RAYLEIGH, ///< mass M + stiffness K
    PKM_FLEXIBLE_ADAMS,    ///< the ladder of pkm_beam_adams_damping
} pkm_flexible_damping;

enum { PKM_FLEXIBLE_MAX_PLACE = 8, PKM_FLEXIBLE_DEFAULT_MODES = 8, PKM_FLEXIBLE_MAX_START = 8 };

/// A mode that begins off its equilibrium: by its largest displacement, of torsion its rotation.
typedef struct pkm_flexible_start {
    int number;             ///< in the list of the free link
    double shift, velocity; ///< [m], [m/s]
    double turn, turn_rate; ///< [rad], [rad/s]
} pkm_flexible_start;

/// Angular frequencies of a link [rad/s].
typedef struct pkm_flexible_band {
    double lowest;  ///< between its joints, of links without damping; 0: not asked
    double highest; ///< of the modes that are kept
} pkm_flexible_band;

typedef struct pkm_flexible_spec {
    int n_element; ///< of the whole link, shared out by length
    int n_piece;   ///< substructures with a floating frame each, shared out by length; 0, 1: one
    pkm_beam_theory theory;
    pkm_beam_shape shape;
    pkm_beam_torsion torsion; ///< of rectangles
    pkm_flexible_keep keep;
    double below; ///< [rad/s]
    int n_mode;
    pkm_beam_list chosen, disabled; ///< of the modes of the free link
    bool without_static;            ///< leave out the static correction
    bool without_stiffening; ///< axial forces do not stiffen bending, bending does not shorten
    pkm_flexible_damping damping;
    bool free_damping;      ///< ratios belong to the modes of the free body, not of the held one
    double ratio;           ///< of critical damping
    double mass, stiffness; ///< Rayleigh's coefficients [1/s, s]
    int n_section; ///< 0: that of the shapes; 1: section[0]; 2: tapered from one to the other
    pkm_beam_section section[2];
    pkm_vec3 y;  ///< y axis of given sections in body axes; null: that of the shape
    int n_place; ///< where the link is watched besides its middle
    double place[PKM_FLEXIBLE_MAX_PLACE]; ///< parts 0 .. 1 of the way between its ends
    int n_start;
    pkm_flexible_start start[PKM_FLEXIBLE_MAX_START];
    double rigid_end[2]; ///< lengths at both ends of the line that do not bend [m]
    const struct pkm_flexible_imported* outside; ///< made by another program; NULL: beam elements
    int n_turned;      ///< markers that springs, bushings and loads of the run touch
    const int* turned; ///< [n_turned] lent: torques may act there, as at the tool
    int material;      ///< of the description instead of that of the shapes; PKM_NONE
} pkm_flexible_spec;

/// Bodies that are made already: one that equals such a body in all but its name and its place in
/// the robot is a copy of it, and whoever needs its modes alone takes those.
typedef struct pkm_flexible_made {
    int n;
    const struct pkm_flexible_body* const* body; ///< [n] lent
} pkm_flexible_made;

/// Eight elements after Euler and Bernoulli, linear/cubic; the eight lowest modes with static
/// correction; undamped.
pkm_flexible_spec pkm_flexible_spec_defaults(void);

/// Twice the elements, twice the modes or the frequency up to which they are kept; of a link in
/// pieces twice the pieces, whose modes stay.
void pkm_flexible_spec_refine(pkm_flexible_spec* spec, bool elements_only);

/// What is kept of a link with `most` flexible modes; lends the lists of the spec.
pkm_beam_choice pkm_flexible_kept(const pkm_flexible_spec* spec, int most);

/// Is the link a chain of pieces (docs/theory/flexible.md, section 8)?
bool pkm_flexible_is_in_pieces(const pkm_flexible_spec* spec);

/// Damping coefficient 2 zeta omega [1/s] of a mode.
double pkm_flexible_damping_of(const pkm_flexible_spec* spec, double omega);

/// The section at a part 0 <= s <= 1 of the way from section[0] to section[1].
pkm_beam_section pkm_flexible_section_at(const pkm_flexible_spec* spec, double s);

#endif
