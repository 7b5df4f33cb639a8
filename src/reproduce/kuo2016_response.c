// Kuo's Delta in time: (3.7) by Newmark's method, all matrices made anew at each instant.
// docs/theory/elastodynamics.md, section 3.
#include "reproduce/kuo2016_response.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/lapack.h"
#include "reproduce/kuo2016_impl.h"
#include "solver/newmark.h"

#include <string.h>

/// A response on its way.
typedef struct response {
    pkm_kuo2016* kuo;
    const pkm_kuo2016_path* path;
    pkm_error* err;
} response;

static pkm_status make_system(void* user, double t, double* M, double* C, double* K, double* f)
{
    const response* r = user;
    const size_t n = (size_t)r->kuo->n, nn = n * n;
    // t is a sum of steps: rounded, it names its instant
    const int i = (int)lround(t / r->path->step) % r->path->n;
    PKM_TRY(pkm_kuo2016_matrices(r->kuo, r->path->P[i], f, r->err));
    memcpy(M, r->kuo->M, nn * sizeof *M);
    memcpy(K, r->kuo->K, nn * sizeof *K);
    // no damping in (3.7)
    memset(C, 0, nn * sizeof *C);
    return PKM_OK;
}

/// K q = f at the first instant.
static pkm_status solve_static(response* r, double* q, int* pivot)
{
    // the force is written to q, where the solver leaves the deflection
    PKM_TRY(pkm_kuo2016_matrices(r->kuo, r->path->P[0], q, r->err));
    const int n = r->kuo->n;
    if (pkm_dgesv(n, 1, r->kuo->K, n, pivot, q, n) == 0) return PKM_OK;
    return pkm_fail(r->err, PKM_ERR_SINGULAR, "Kuo's Delta: the stiffness has no inverse");
}

static pkm_status find_start(response* r, const pkm_ltv* ltv, pkm_kuo2016_start start, double* q,
                             double* v, int* pivot)
{
    const int n_step = r->path->n - 1;
    switch (start) {
    case PKM_KUO2016_STATIC:
        return solve_static(r, q, pivot);
    case PKM_KUO2016_PERIODIC:
        return pkm_newmark_periodic(ltv, 0.0, n_step * r->path->step, n_step, q, v);
    case PKM_KUO2016_UNDEFORMED:
        break; // q = v = 0, as allocated
    }
    return PKM_OK;
}

static pkm_status run(response* r, pkm_kuo2016_start start, pkm_newmark* newmark, double* q,
                      int* pivot, double (*out)[6])
{
    const size_t n = (size_t)r->kuo->n;
    const pkm_ltv ltv = {.n = r->kuo->n, .user = r, .system = make_system};
    // positions and velocities side by side, [2 n]
    PKM_TRY(find_start(r, &ltv, start, q, q + n, pivot));
    PKM_TRY(pkm_newmark_begin(newmark, &ltv, 0.0, q, q + n));
    // the platform's coordinates come first
    memcpy(out[0], q, sizeof out[0]);
    for (int i = 1; i < r->path->n; ++i) {
        PKM_TRY(pkm_newmark_step(newmark, r->path->step));
        memcpy(out[i], pkm_newmark_position(newmark), sizeof out[i]);
    }
    return PKM_OK;
}

pkm_status pkm_kuo2016_respond(pkm_kuo2016* kuo, const pkm_kuo2016_path* path,
                               pkm_kuo2016_start start, double (*out)[6], pkm_error* err)
{
    // the field of accelerations is exact with linear-cubic elements only
    if (kuo->settings.shape != PKM_BEAM_LINEAR_CUBIC || path->n < 2 || !(path->step > 0.0))
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "Kuo's Delta in time: expected the shape linear-cubic and two instants");
    response r = {kuo, path, err};
    pkm_newmark* newmark = NULL;
    double* q = pkm_alloc(2 * (size_t)kuo->n, sizeof *q);
    int* pivot = pkm_alloc((size_t)kuo->n, sizeof *pivot);
    pkm_status status = q && pivot ? pkm_newmark_create(kuo->n, &newmark) : PKM_ERR_MEMORY;
    if (status == PKM_OK) status = run(&r, start, newmark, q, pivot, out);
    pkm_newmark_free(newmark);
    pkm_free(pivot);
    pkm_free(q);
    if (status == PKM_ERR_MEMORY) return pkm_fail(err, status, "out of memory");
    // a stiffness without inverse has told so itself
    if (status == PKM_ERR_SINGULAR && err && !err->text[0])
        return pkm_fail(err, status, "Kuo's Delta: no response repeats itself with the motion");
    return status;
}
