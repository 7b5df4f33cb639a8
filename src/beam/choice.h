/// Which modes of a free body are kept: the lowest by number or frequency, chosen ones, all but
/// disabled ones. Modes are numbered as in the list of the free body, where 1 to 6 are the motions
/// of the rigid body.
#ifndef PKM_BEAM_CHOICE_H
#define PKM_BEAM_CHOICE_H

#include "pkm/status.h"

#include <stdbool.h>

enum { PKM_BEAM_MAX_NUMBER = 32, PKM_BEAM_MAX_RANGE = 8, PKM_BEAM_RIGID_MODES = 6 };

/// Modes by their numbers and by ranges of frequency.
typedef struct pkm_beam_list {
    int n_number, n_range;
    int number[PKM_BEAM_MAX_NUMBER];
    double range[PKM_BEAM_MAX_RANGE][2]; ///< from, to [rad/s]
} pkm_beam_list;

typedef struct pkm_beam_choice {
    int n_mode;                    ///< the lowest flexible ones, sets of equal frequency whole; 0:
                                   ///< as many as the others allow
    double below;                  ///< only below this angular frequency [rad/s]; 0: no limit
    const pkm_beam_list* chosen;   ///< instead: these alone; NULL or empty: not
    const pkm_beam_list* disabled; ///< less these; NULL or empty: none
} pkm_beam_choice;

/// `count` of the `n` modes with rising lambda, or as many more as have the frequency of the last
/// of them: of a round or square rod half a pair would bend in a direction that only rounding
/// chooses.
int pkm_beam_whole_sets(int count, int n, const double* lambda);

/// Does it name modes one by one?
bool pkm_beam_choice_is_picky(const pkm_beam_choice* choice);

/// Which of the `n` modes with lambda [n], the rigid ones first, are kept: their places, rising,
/// in kept[n], how many in `n_kept`.
/// @return PKM_ERR_ARGUMENT for more modes than there are, numbers of rigid motions, a range
/// without
///         modes.
PKM_NODISCARD pkm_status pkm_beam_choice_find(const pkm_beam_choice* choice, int n,
                                              const double* lambda, int* kept, int* n_kept,
                                              pkm_error* err);

#endif
