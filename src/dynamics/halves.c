// Columns of forces half way, by limbs: inner products and sums touch the columns that a limb has
// and no others. docs/theory/integrators.md, (5.7).
#include "dynamics/halves.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/chol.h"
#include "math/dot.h"

#include <string.h>

void pkm_halves_free(pkm_halves* h)
{
    if (!h) return;
    pkm_free(h->part);
    pkm_free(h->rows);
    pkm_free(h->sum);
    pkm_free(h->gram);
    pkm_free(h->block);
    pkm_free(h->columns);
    pkm_free(h);
}

static pkm_status allocate(pkm_halves* h, const int* size)
{
    // rows end on whole fours, zeros behind the last column, so that loops need no rest
    const size_t wide = (size_t)pkm_chol_stride(h->most);
    size_t total = 0;
    for (int i = 0; i < h->n_part; ++i)
        total += (size_t)size[i];
    h->part = pkm_alloc((size_t)h->n_part, sizeof *h->part);
    h->rows = pkm_alloc(total * wide, sizeof(double));
    h->sum = pkm_alloc(wide, sizeof(double));
    h->gram = pkm_alloc(wide * wide, sizeof(double));
    h->block = pkm_alloc(total * wide, sizeof(double));
    h->columns = pkm_alloc((size_t)h->n_part * wide, sizeof(int));
    if (!h->part || !h->rows || !h->sum || !h->gram || !h->block || !h->columns)
        return PKM_ERR_MEMORY;
    // one block of numbers, a part behind the other; column lists likewise
    double* X = h->block;
    for (int i = 0; i < h->n_part; X += (size_t)size[i++] * wide)
        h->part[i] = (pkm_half_part){.sign = 1.0, .column = h->columns + (size_t)i * wide, .X = X};
    return PKM_OK;
}

pkm_status pkm_halves_create(int n_part, const int* size, int most, pkm_halves** out)
{
    *out = NULL;
    pkm_halves* h = pkm_alloc(1, sizeof *h);
    if (!h) return PKM_ERR_MEMORY;
    h->n_part = n_part;
    h->most = most;
    const pkm_status status = allocate(h, size);
    if (status != PKM_OK) {
        pkm_halves_free(h);
        return status;
    }
    *out = h;
    return PKM_OK;
}

void pkm_halves_gram(const pkm_halves* h, int n, double* G)
{
    PKM_ASSERT(n <= h->most); // room for the square of one part
    memset(G, 0, (size_t)n * (size_t)n * sizeof(double));
    for (int e = 0; e < h->n_part; ++e) {
        const pkm_half_part* p = &h->part[e];
        const int wide = pkm_chol_stride(p->m);
        // X'X of this part, of its own columns
        memset(h->gram, 0, (size_t)wide * (size_t)wide * sizeof(double));
        pkm_chol_add_square(p->X, p->n, p->m, h->gram);
        // spread to the columns of all; rows of constraints count with D = -1
        for (int i = 0; i < p->m; ++i)
            for (int j = i; j < p->m; ++j)
                G[p->column[i] * n + p->column[j]] += p->sign * h->gram[i * wide + j];
    }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < i; ++j)
            G[i * n + j] = G[j * n + i];
}

void pkm_halves_dots(const pkm_halves* h, const double* half, double* out)
{
    for (int e = 0; e < h->n_part; ++e) {
        const pkm_half_part* p = &h->part[e];
        const int wide = pkm_chol_stride(p->m);
        memset(h->sum, 0, (size_t)wide * sizeof(double));
        for (int i = 0; i < p->n && wide > 0; ++i)
            pkm_chol_add(h->sum, p->X + i * wide, half[p->at + i], wide);
        for (int k = 0; k < p->m; ++k)
            out[p->column[k]] += p->sign * h->sum[k];
    }
}

void pkm_halves_add(const pkm_halves* h, const double* g, double* half)
{
    for (int e = 0; e < h->n_part; ++e) {
        const pkm_half_part* p = &h->part[e];
        const int wide = pkm_chol_stride(p->m);
        // what is behind m in the stride is not read: the sums end there
        for (int k = 0; k < p->m; ++k)
            h->sum[k] = g[p->column[k]];
        for (int i = 0; i < p->n && wide > 0; ++i)
            half[p->at + i] += pkm_dot_long(p->X + i * wide, h->sum, p->m);
    }
}
