// The numbers of the fronts: sums, factors, solutions. Their order is fronts_order.c.
#include "base/memory.h"
#include "math/chol.h"
#include "solver/fronts_impl.h"

#include <math.h>
#include <string.h>

/// The loops below, counted.
double pkm_fronts_cost(const pkm_fronts* fronts)
{
    double sum = 0.0;
    for (int s = 0; s < fronts->n_front; ++s) {
        const pkm_front* at = &fronts->front[s];
        for (int k = 0; k < at->n; ++k) {
            sum += 2.0 * (at->width - k - 1); // both solutions
            for (int i = k + 1; i < at->width; ++i)
                sum += at->stride - pkm_chol_whole(i);
        }
    }
    return sum;
}

void pkm_fronts_clear(pkm_fronts* fronts)
{
    memset(fronts->value, 0, fronts->n_value * sizeof(double));
    memset(fronts->diagonal, 0, (size_t)fronts->n * sizeof(double));
}

/// All rows of a part stand in the front of the one that is eliminated first.
void pkm_fronts_add(pkm_fronts* fronts, int part, const double* T)
{
    const pkm_fronts_target* to = &fronts->target[part];
    const pkm_front* front = &fronts->front[to->front];
    const int stride = pkm_chol_stride(to->n);
    for (int k = 0; k < to->n; ++k) {
        const double* Tk = T + (size_t)k * (size_t)stride;
        fronts->diagonal[front->row[to->place[k]]] += Tk[k];
        for (int l = k; l < to->n; ++l) {
            const int i = to->place[k], j = to->place[l]; // in the order of elimination
            front->U[i < j ? i * front->stride + j : j * front->stride + i] += Tk[l];
        }
    }
}

/// The own rows of a front, each taken off those below it, own and others.
static bool eliminate(const pkm_fronts* fronts, const pkm_front* at, double least)
{
    for (int k = 0; k < at->n; ++k) {
        double* Uk = at->U + k * at->stride;
        if (!(Uk[k] > least * fabs(fronts->diagonal[at->row[k]]))) return false;
        const double pivot = sqrt(Uk[k]);
        for (int i = k + 1; i < at->width; ++i)
            Uk[i] /= pivot;
        Uk[k] = pivot;
        for (int i = k + 1; i < at->width; ++i) {
            const int from = pkm_chol_whole(i);
            pkm_chol_add(at->U + i * at->stride + from, Uk + from, -Uk[i], at->stride - from);
        }
    }
    return true;
}

/// What is left of a front is part of the next one that has its rows.
static void pass_on(const pkm_fronts* fronts, const pkm_front* at)
{
    if (at->n == at->width) return;
    const pkm_front* next = &fronts->front[at->next];
    for (int i = at->n; i < at->width; ++i) {
        const double* from = at->U + i * at->stride;
        double* to = next->U + at->place[i - at->n] * next->stride;
        for (int j = i; j < at->width; ++j)
            to[at->place[j - at->n]] += from[j];
    }
}

bool pkm_fronts_factor(pkm_fronts* fronts, double least)
{
    for (int s = 0; s < fronts->n_front; ++s) {
        if (!eliminate(fronts, &fronts->front[s], least)) return false;
        pass_on(fronts, &fronts->front[s]);
    }
    return true;
}

void pkm_fronts_solve_lower(const pkm_fronts* fronts, double* x)
{
    for (int s = 0; s < fronts->n_front; ++s) {
        const pkm_front* at = &fronts->front[s];
        for (int k = 0; k < at->n; ++k) {
            const double* Uk = at->U + k * at->stride;
            const double known = x[at->row[k]] /= Uk[k];
            for (int i = k + 1; i < at->width; ++i)
                x[at->row[i]] -= Uk[i] * known;
        }
    }
}

void pkm_fronts_solve_lower_many(const pkm_fronts* fronts, int width, double* X)
{
    const int wide = pkm_chol_stride(width);
    for (int s = 0; s < fronts->n_front; ++s) {
        const pkm_front* at = &fronts->front[s];
        for (int k = 0; k < at->n; ++k) {
            const double* Uk = at->U + k * at->stride;
            double* Xk = X + at->row[k] * wide;
            for (int r = 0; r < wide; ++r)
                Xk[r] /= Uk[k];
            for (int i = k + 1; i < at->width; ++i)
                pkm_chol_add(X + at->row[i] * wide, Xk, -Uk[i], wide);
        }
    }
}

void pkm_fronts_solve_upper(const pkm_fronts* fronts, double* x)
{
    for (int s = fronts->n_front - 1; s >= 0; --s) {
        const pkm_front* at = &fronts->front[s];
        for (int k = at->n - 1; k >= 0; --k) {
            const double* Uk = at->U + k * at->stride;
            double left = x[at->row[k]];
            for (int i = k + 1; i < at->width; ++i)
                left -= Uk[i] * x[at->row[i]];
            x[at->row[k]] = left / Uk[k];
        }
    }
}
