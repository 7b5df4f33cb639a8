/// Modes of one flexible link alone: free, or with its joints held.
#ifndef PKM_FLEXIBLE_LINK_MODES_H
#define PKM_FLEXIBLE_LINK_MODES_H

#include "flexible/link.h"

typedef enum pkm_link_ends {
    PKM_LINK_FREE,    ///< nothing is held: six modes of the rigid body come first
    PKM_LINK_PINNED,  ///< the points of its joints are held, their turns are free
    PKM_LINK_CLAMPED, ///< points and turns are held
} pkm_link_ends;

/// Their words: "free", "pinned", "clamped", NULL.
extern const char* const pkm_link_ends_name[];

/// One mode, its shape scaled so that the largest displacement of a node is 1 m; where no node is
/// displaced (torsion), so that the largest rotation is 1 rad.
typedef struct pkm_link_mode {
    double omega;     ///< [rad/s]; 0: a motion of the rigid body
    double mass;      ///< generalised mass x' M x [kg, kg m2]
    double stiffness; ///< omega^2 mass [N/m, N m/rad]
    bool turns;       ///< scaled by its rotation
    double share[3];  ///< of the strain energy: axial, bending, torsion; 0 without strain
    double side[2];   ///< of the squared displacements across: along y and z of the first section
} pkm_link_mode;

/// The `n_mode` lowest modes; `n` receives how many there are at most.
/// @return PKM_ERR_MODEL for a link whose joint is beside its line, with pinned ends;
/// PKM_ERR_MEMORY;
///         statuses of pkm_eigen_lowest.
PKM_NODISCARD pkm_status pkm_link_modes(const pkm_flexible_link* link, pkm_link_ends ends,
                                        int n_mode, pkm_link_mode* out, int* n, pkm_error* err);

/// Which of ALL `n` modes of the free link a run with `spec` keeps: enabled[n].
/// @return statuses of pkm_beam_choice_find; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_link_modes_enabled(const pkm_flexible_spec* spec, int n,
                                                const pkm_link_mode* mode, bool* enabled,
                                                pkm_error* err);

#endif
