// Frequency response by modes, docs/theory/modes.md, section 7.
#include "base/error.h"
#include "linear/modes_impl.h"
#include "math/lapack.h"

#include <string.h>

static pkm_status check(const pkm_elastic* elastic, pkm_shaker shaker, pkm_error* err)
{
    const pkm_robot* robot = pkm_elastic_robot(elastic);
    if (robot->mech->tool == PKM_NONE)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: a response needs a tool", robot->desc->name);
    if (shaker.drive == PKM_NONE) return PKM_OK;
    // a locked drive takes every force: nothing answers
    if (pkm_elastic_settings_of(elastic)->drive[shaker.drive].hold == PKM_ELASTIC_LOCKED)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "drive %s is locked: give it a stiffness, or free it, to shake with it",
                        robot->mech->drive[shaker.drive].name);
    return PKM_OK;
}

/// The unit force of the shaker over all coordinates.
static void shake(const pkm_elastic* elastic, pkm_shaker shaker, double* fx)
{
    memset(fx, 0, (size_t)pkm_elastic_most(elastic) * sizeof *fx);
    if (shaker.drive != PKM_NONE) {
        pkm_elastic_add_drive(elastic, shaker.drive, 1.0, fx);
        return;
    }
    const int k = shaker.direction % 3;
    const pkm_vec3 u = {k == 0, k == 1, k == 2}, none = {0.0, 0.0, 0.0};
    const bool is_turn = shaker.direction >= 3;
    pkm_elastic_add_force(elastic, pkm_elastic_robot(elastic)->mech->tool, is_turn ? none : u,
                          is_turn ? u : none, fx);
}

static void tool_motion(const pkm_elastic* elastic, const double* x, double out[6])
{
    pkm_vec3 d, r;
    pkm_elastic_marker_motion(elastic, pkm_elastic_robot(elastic)->mech->tool, x, &d, &r);
    const double all[6] = {d.x, d.y, d.z, r.x, r.y, r.z};
    memcpy(out, all, sizeof all);
}

pkm_status pkm_response_begin(pkm_elastic* elastic, const pkm_modes* m, pkm_shaker shaker,
                              pkm_response* out, pkm_error* err)
{
    const struct pkm_modes_work* w = m->work;
    const int n = w->n_used;
    PKM_TRY(check(elastic, shaker, err));
    *out = (pkm_response){.n = n < PKM_RESPONSE_MODES ? n : PKM_RESPONSE_MODES};
    // Y is free between solutions
    double *fx = w->Y, *x = w->Y + m->n_all, still[6] = {0};
    shake(elastic, shaker, fx);
    // a motion without stiffness has no static answer: the sum over modes alone then (7.1)
    const bool is_held = n == 0 || w->lambda[0] > 0.0;
    if (is_held) {
        PKM_TRY(pkm_elastic_solve(elastic, fx, x, err));
        tool_motion(elastic, x, still);
    }
    memcpy(out->rest, still, sizeof still);
    for (int k = 0; k < out->n; ++k) {
        const double* shape = w->x + (size_t)k * (size_t)m->n_all;
        tool_motion(elastic, shape, out->tool[k]);
        for (int i = 0; i < m->n_all; ++i)
            out->force[k] += fx[i] * shape[i];
        // what the modes yield statically is theirs; the rest stays
        for (int c = 0; is_held && c < 6; ++c)
            out->rest[c] -= out->tool[k][c] * out->force[k] / w->lambda[k];
    }
    return PKM_OK;
}

/// (diag(lambda) - omega^2 + i omega C) z = phi' f.
static bool solve_modal(const struct pkm_modes_work* w, int n, const double* force, double omega,
                        double complex* z)
{
    double complex* A = (double complex*)w->A;
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
            // damping couples modes, also those beyond the answer
            const double re = i == j ? w->lambda[i] - omega * omega : 0.0;
            const double im = w->is_damped ? omega * w->C[j * w->n_used + i] : 0.0;
            A[j * n + i] = CMPLX(re, im);
        }
        z[j] = CMPLX(force[j], 0.0);
    }
    return pkm_zgesv(n, 1, A, n, w->pivot, z, n) == 0;
}

pkm_status pkm_response_at(const pkm_modes* m, const pkm_response* r, double omega, double out[12],
                           pkm_error* err)
{
    double complex z[PKM_RESPONSE_MODES];
    if (r->n > 0 && !solve_modal(m->work, r->n, r->force, omega, z))
        return pkm_fail(err, PKM_ERR_SINGULAR, "response: resonance without damping at %g rad/s",
                        omega);
    for (int c = 0; c < 6; ++c) {
        // component c of (7.1): real and imaginary part side by side
        double re = r->rest[c], im = 0.0;
        for (int k = 0; k < r->n; ++k) {
            re += r->tool[k][c] * creal(z[k]);
            im += r->tool[k][c] * cimag(z[k]);
        }
        out[2 * c] = re;
        out[2 * c + 1] = im;
    }
    return PKM_OK;
}
