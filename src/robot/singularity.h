/// The rule of singularities: which kind a position has, how many directions are lost and which
/// (docs/theory/engine.md, section 5). Exact, by singular values of all rows; crossing.h watches a
/// way cheaply and asks here where it becomes doubtful.
///
/// With J_c the closures, A_D the closures with the drives' rows and A_T those with the tool's rows
/// (both with the locks of idle freedoms), lengths in robot sizes:
///
///     constraint  J_c has a lower rank than in general                (Zlatanov, Bonev, Gosselin)
///     parallel    A_D loses more: the tool moves with locked drives   (Gosselin, Angeles: type 2)
///     serial      A_T loses more: drives move while the tool stands   (type 1)
///
/// Several at once are possible.
#ifndef PKM_ROBOT_SINGULARITY_H
#define PKM_ROBOT_SINGULARITY_H

#include "dynamics/structure.h"

/// Scaled singular values up to this count as zero: the position is singular for a robot whose
/// lengths are known to a ten millionth of its size.
#define PKM_SINGULAR 1e-7
/// Those up to this vanish at the same place as one that has been found to be zero.
#define PKM_SINGULAR_TOGETHER 1e-5

enum { PKM_SINGULAR_SERIAL = 1, PKM_SINGULAR_PARALLEL = 2, PKM_SINGULAR_CONSTRAINT = 4 };

typedef struct pkm_singularity {
    unsigned kinds;        ///< bits of PKM_SINGULAR_...; 0: none
    double sigma_drives;   ///< smallest scaled singular value of A_D; 1 without drives
    double sigma_tool;     ///< of A_T; 1 where the tool cannot be prescribed
    double sigma_closures; ///< of the independent closures; 1 without closures
    int n_parallel, n_serial, n_constraint; ///< directions lost
    int n_idle;     ///< idle freedoms whose locks hold them no more: no singularity of the robot
    char lost[200]; ///< in words: "the tool moves along (1, 0, 0) with locked drives"; "" for none
} pkm_singularity;

/// Are all kinds further than `limit` from the present positions, by the factors there? False: they
/// cannot tell (pkm_singularity_read can). Factors of both systems belong to the positions then.
/// @return PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_singularity_is_far(pkm_state* state, const pkm_structure* structure,
                                                double limit, bool* is_far);

/// Judge the present positions of `state`; singular values up to `limit` are zero. Rows are
/// evaluated, positions, velocities and factors are left alone. Allocates.
/// @return PKM_ERR_MEMORY; PKM_ERR_ARGUMENT for positions that are not finite.
PKM_NODISCARD pkm_status pkm_singularity_read(pkm_state* state, const pkm_structure* structure,
                                              double limit, pkm_singularity* out);

/// The kinds with order and lost directions, for messages: "parallel singularity of order 2 (the
/// tool moves along (1, 0, 0) and (0, 1, 0) with locked drives)".
void pkm_singularity_words(const pkm_singularity* s, char* out, size_t size);

/// Append what the tool does with locked drives, in the `n` twists T [6 x n: shift, turn], which
/// are changed. False, with nothing appended, when it stands in all of them.
bool pkm_singularity_name_twists(double* T, int n, char* out, size_t size);

#endif
