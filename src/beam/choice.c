// Which modes of a free body are kept: the lowest by number or frequency, or those that are named
// one by one or by ranges of frequency. lambda = omega^2 [rad2/s2] in rising order, the six rigid
// motions first, so that mode 7 is the first that bends. Asked by reduce.c and reduce_large.c;
// docs/theory/beams.md, section 4.
#include "beam/choice.h"

#include "base/error.h"
#include "math/angle.h"

static const double SAME = 2e-6; // of lambda: one frequency, which rounding splits

int pkm_beam_whole_sets(int count, int n, const double* lambda)
{
    while (count > 0 && count < n && lambda[count] - lambda[count - 1] <= SAME * lambda[count])
        ++count;
    return count;
}

static bool is_empty(const pkm_beam_list* list)
{
    return !list || list->n_number + list->n_range == 0;
}

/// Lists need all modes of the body, number and frequency only the lowest ones.
bool pkm_beam_choice_is_picky(const pkm_beam_choice* choice)
{
    return !is_empty(choice->chosen) || !is_empty(choice->disabled);
}

/// Is mode k (from 0) within the range? Both ends belong to it.
static bool is_within(const double range[2], double lambda)
{
    return lambda >= range[0] * range[0] && lambda <= range[1] * range[1];
}

static bool has(const pkm_beam_list* list, int k, double lambda)
{
    for (int i = 0; i < list->n_number; ++i)
        if (list->number[i] == k + 1) return true;
    for (int i = 0; i < list->n_range; ++i)
        if (is_within(list->range[i], lambda)) return true;
    return false;
}

static pkm_status check_range(const double range[2], int n, const double* lambda, pkm_error* err)
{
    for (int k = PKM_BEAM_RIGID_MODES; k < n; ++k)
        if (is_within(range, lambda[k])) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT,
                    "flexible body: no mode of the free body between %.6g and %.6g Hz",
                    range[0] / PKM_TURN, range[1] / PKM_TURN);
}

/// What is named must be there.
static pkm_status check_list(const pkm_beam_list* list, int n, const double* lambda, pkm_error* err)
{
    for (int i = 0; i < list->n_number; ++i) {
        if (list->number[i] <= PKM_BEAM_RIGID_MODES)
            return pkm_fail(err, PKM_ERR_ARGUMENT,
                            "flexible body: mode %d is a motion of the rigid body; those that bend "
                            "are 7 to %d",
                            list->number[i], n);
        if (list->number[i] > n)
            return pkm_fail(err, PKM_ERR_ARGUMENT, "flexible body: mode %d asked of %d",
                            list->number[i], n);
    }
    for (int i = 0; i < list->n_range; ++i)
        PKM_TRY(check_range(list->range[i], n, lambda, err));
    return PKM_OK;
}

/// How many of the lowest flexible modes number and frequency allow.
static pkm_status find_lowest(const pkm_beam_choice* choice, int n, const double* lambda, int* out,
                              pkm_error* err)
{
    const int n_flexible = n - PKM_BEAM_RIGID_MODES;
    if (choice->n_mode > n_flexible)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "flexible body: %d modes asked of %d flexible coordinates", choice->n_mode,
                        n_flexible);
    *out = choice->n_mode > 0 ? choice->n_mode : n_flexible;
    if (choice->below > 0.0)
        while (*out > 0 && lambda[PKM_BEAM_RIGID_MODES + *out - 1] >= choice->below * choice->below)
            --*out;
    *out = pkm_beam_whole_sets(*out, n_flexible, lambda + PKM_BEAM_RIGID_MODES);
    return PKM_OK;
}

pkm_status pkm_beam_choice_find(const pkm_beam_choice* choice, int n, const double* lambda,
                                int* kept, int* n_kept, pkm_error* err)
{
    const bool is_chosen = !is_empty(choice->chosen), has_disabled = !is_empty(choice->disabled);
    int n_lowest = n - PKM_BEAM_RIGID_MODES;
    *n_kept = 0;
    if (is_chosen)
        PKM_TRY(check_list(choice->chosen, n, lambda, err));
    else
        PKM_TRY(find_lowest(choice, n, lambda, &n_lowest, err));
    if (has_disabled) PKM_TRY(check_list(choice->disabled, n, lambda, err));
    for (int k = PKM_BEAM_RIGID_MODES; k < PKM_BEAM_RIGID_MODES + n_lowest; ++k) {
        if (is_chosen && !has(choice->chosen, k, lambda[k])) continue;
        if (has_disabled && has(choice->disabled, k, lambda[k])) continue;
        kept[(*n_kept)++] = k;
    }
    return PKM_OK;
}
