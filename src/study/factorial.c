// A term of order k is a difference of differences over k factors, the other ones at their first
// levels or averaged; shares of variance follow from means over the remaining factors.
#include "study/factorial.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

pkm_grid pkm_grid_of(const pkm_study* study)
{
    pkm_grid grid = {.n_factor = study->n_factor, .n_case = study->n_case};
    for (int f = 0; f < study->n_factor; ++f)
        grid.n_level[f] = study->factor[f].n_level;
    return grid;
}

static int count_bits(unsigned set)
{
    int n = 0;
    // each step takes the lowest bit away
    for (; set; set &= set - 1)
        ++n;
    return n;
}

int pkm_term_order(const pkm_term* term)
{
    return count_bits(term->set);
}

// ---- terms ------------------------------------------------------------------------------------

/// The next set of factors: as many, in the order of their bits read from the first factor, or one
/// more.
static bool next_set(const pkm_grid* grid, unsigned* set)
{
    const unsigned end = 1u << grid->n_factor;
    const int order = count_bits(*set);
    // eight factors at most: counting up is fast enough
    for (unsigned next = *set + 1; next < end; ++next)
        if (count_bits(next) == order) {
            *set = next;
            return true;
        }
    for (unsigned next = 1; next < end; ++next)
        if (count_bits(next) == order + 1) {
            *set = next;
            return true;
        }
    return false;
}

bool pkm_term_next(const pkm_grid* grid, pkm_term* term)
{
    for (int f = grid->n_factor - 1; f >= 0; --f) {
        if (!(term->set >> f & 1u)) continue;
        // levels like the digits of a counter, the last factor fastest; level 0 is the reference
        if (++term->level[f] < grid->n_level[f]) return true;
        term->level[f] = 1;
    }
    if (!next_set(grid, &term->set)) return false;
    for (int f = 0; f < PKM_MAX_FACTOR; ++f)
        // a new set begins at the first level off the reference of each of its factors
        term->level[f] = (int)(term->set >> f & 1u);
    return true;
}

int pkm_grid_case(const pkm_grid* grid, const int* level)
{
    int id = 0;
    for (int f = 0; f < grid->n_factor; ++f) {
        PKM_ASSERT(level[f] >= 0 && level[f] < grid->n_level[f]);
        // a number with a base for every digit
        id = id * grid->n_level[f] + level[f];
    }
    return id;
}

int pkm_term_case(const pkm_grid* grid, const pkm_term* term, unsigned corner)
{
    int level[PKM_MAX_FACTOR];
    for (int f = 0; f < grid->n_factor; ++f)
        level[f] = corner >> f & 1u ? term->level[f] : 0;
    return pkm_grid_case(grid, level);
}

/// +1 or -1: the sign of a corner in the difference of differences.
static double sign_of(unsigned set, unsigned corner)
{
    return count_bits(set & ~corner) % 2 ? -1.0 : 1.0;
}

double pkm_term_value(const pkm_grid* grid, const pkm_term* term, const double* y)
{
    double sum = 0.0;
    for (unsigned corner = 0; corner < 1u << grid->n_factor; ++corner)
        if ((corner & ~term->set) == 0)
            // y(11) - y(10) - y(01) + y(00) of two factors: what is left when single effects are
            // taken off
            sum += sign_of(term->set, corner) * y[pkm_term_case(grid, term, corner)];
    return sum;
}

double pkm_term_error(const pkm_grid* grid, const pkm_term* term, const double* bar)
{
    double sum = 0.0;
    for (unsigned corner = 0; corner < 1u << grid->n_factor; ++corner)
        // bars add up without signs: the worst of all corners
        if ((corner & ~term->set) == 0) sum += bar[pkm_term_case(grid, term, corner)];
    return sum;
}

void pkm_grid_levels(const pkm_grid* grid, int id, int* level)
{
    for (int f = grid->n_factor - 1; f >= 0; --f) {
        level[f] = id % grid->n_level[f];
        id /= grid->n_level[f];
    }
}

double pkm_term_average(const pkm_grid* grid, const pkm_term* term, const double* y)
{
    double sum = 0.0;
    int n = 0;
    for (int id = 0; id < grid->n_case; ++id) {
        int level[PKM_MAX_FACTOR];
        unsigned corner = 0, outside = 0;
        pkm_grid_levels(grid, id, level);
        for (int f = 0; f < grid->n_factor; ++f) {
            if (!(term->set >> f & 1u)) continue;
            if (level[f] == term->level[f]) corner |= 1u << f;
            if (level[f] != term->level[f] && level[f] != 0) outside = 1;
        }
        if (outside) continue;
        // over all levels of the other factors, whose mean is taken
        sum += sign_of(term->set, corner) * y[id];
        if (corner == term->set) ++n;
    }
    return sum / n;
}

// ---- analysis of variance ---------------------------------------------------------------------

/// Mean of y over the factors outside `set`, at the levels of each case.
static void means_of(const pkm_grid* grid, unsigned set, const double* y, double* sum, int* count,
                     double* out)
{
    memset(sum, 0, (size_t)grid->n_case * sizeof *sum);
    memset(count, 0, (size_t)grid->n_case * sizeof *count);
    for (int pass = 0; pass < 2; ++pass)
        for (int id = 0; id < grid->n_case; ++id) {
            int level[PKM_MAX_FACTOR];
            pkm_grid_levels(grid, id, level);
            for (int f = 0; f < grid->n_factor; ++f)
                if (!(set >> f & 1u)) level[f] = 0;
            // all cases with the same levels inside the set share one place
            const int at = pkm_grid_case(grid, level);
            if (pass == 0) sum[at] += y[id], ++count[at];
            if (pass == 1) out[id] = sum[at] / count[at];
        }
}

/// The part of y that belongs to `set` alone, squared, summed over the design.
static double part_of(const pkm_grid* grid, unsigned set, const double* mean)
{
    double sum = 0.0;
    for (int id = 0; id < grid->n_case; ++id) {
        double g = 0.0;
        for (unsigned t = 0; t <= set; ++t)
            // inclusion and exclusion: the mean over a set less what belongs to its parts
            if ((t & ~set) == 0) g += sign_of(set, t) * mean[(size_t)t * grid->n_case + id];
        sum += g * g;
    }
    return sum;
}

pkm_status pkm_grid_shares(const pkm_grid* grid, const double* y, double* share, pkm_error* err)
{
    const unsigned n_set = 1u << grid->n_factor;
    const size_t n = (size_t)grid->n_case;
    double* mean = pkm_alloc(n * n_set, sizeof *mean);
    double* sum = pkm_alloc(n, sizeof *sum);
    int* count = pkm_alloc(n, sizeof *count);
    const bool has_memory = mean && sum && count;
    double all = 0.0;
    for (unsigned set = 0; set < n_set && has_memory; ++set)
        means_of(grid, set, y, sum, count, mean + set * n);
    for (unsigned set = 0; set < n_set && has_memory; ++set) {
        share[set] = set ? part_of(grid, set, mean) : 0.0;
        all += share[set];
    }
    for (unsigned set = 0; set < n_set && has_memory; ++set)
        // parts are orthogonal in a full design: their squares sum to the whole
        share[set] = all == 0.0 ? 0.0 : share[set] / all;
    pkm_free(mean);
    pkm_free(sum);
    pkm_free(count);
    return has_memory ? PKM_OK : pkm_out_of_memory(err);
}
