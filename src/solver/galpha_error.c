#include "base/error.h"
#include "solver/galpha_impl.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double WORTH_FILTERING = 0.1; // smaller errors let the step grow as much as it may
static const double FILTER_GAIN = 0.5;     // a filter that leaves more than this is not worth it
enum { PAUSE = 20 };                       // steps until it is tried again

/// out = (factor M e, 0, 0) at `next`, where r = 0: r is linear in v', so a change of any length
/// does.
static pkm_status mass_times(pkm_galpha* g, const double* e, double factor, double* out)
{
    const pkm_dae* d = &g->dae;
    pkm_dae_point at = pkm_galpha_point(g);
    double size = 0.0, usual = 1.0;
    for (int i = 0; i < d->n_v; ++i) {
        size = fmax(size, fabs(e[i]));
        usual = fmax(usual, fabs(at.vdot[i]));
    }
    memset(out, 0, (size_t)g->n * sizeof *out);
    if (size < DBL_MIN / DBL_EPSILON) return PKM_OK;
    const double s = usual / size;
    for (int i = 0; i < d->n_v; ++i)
        g->x_moved[i] = at.vdot[i] + s * e[i];
    at.vdot = g->x_moved;
    double *phi = out + d->n_v, *zr = phi + d->n_lambda;
    ++g->report.residuals;
    PKM_TRY(pkm_galpha_heard(g, d->residual(d->user, &at, out, phi, zr)));
    for (int i = 0; i < d->n_v; ++i)
        out[i] *= factor / s;
    memset(phi, 0, (size_t)(d->n_lambda + d->n_z) * sizeof *phi);
    return PKM_OK;
}

/// Replace the error `e` [n_v] of position or velocity by what springs and constraints leave of it
/// in a step (3.11).
static pkm_status filter(pkm_galpha* g, double* e)
{
    const double factor = g->h * g->h * pkm_galpha_slopes(g).vdot;
    PKM_TRY(mass_times(g, e, factor, g->solved));
    PKM_TRY(pkm_newton_apply(g->newton, g->solved, g->solved));
    memcpy(e, g->solved, (size_t)g->dae.n_v * sizeof *e);
    return PKM_OK;
}

/// Root mean square of e / (atol + rtol |y|); y may be NULL.
static double size_of(int n, const double* e, const double* atol, double rtol, const double* y)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
        const double part = e[i] / (atol[i] + (y ? rtol * fabs(y[i]) : 0.0));
        sum += part * part;
    }
    return n > 0 ? sqrt(sum / n) : 0.0;
}

/// The larger one of the errors of position and velocity.
static double moving_error(const pkm_galpha* g)
{
    const int n_v = g->dae.n_v;
    const double q = size_of(n_v, g->raw_q, g->atol_q, 0.0, NULL);
    const double v = size_of(n_v, g->raw_v, g->atol_v, g->set.rtol, g->next.v);
    return fmax(q, v);
}

/// Errors by the differences of v' and z' (3.9); that of z into g->solved.
static void find_raw(pkm_galpha* g)
{
    const pkm_galpha_method* m = &g->method;
    const double h = g->h, cube = h * h * h;
    const bool has_turned = h * g->h_last < 0.0; // no second difference then
    const double apart = has_turned ? INFINITY : 0.5 * (h + g->h_last);
    const double v_part = (1.0 / 12.0 - 0.5 * m->delta * m->delta) * cube / apart;
    const double z_part = (1.0 / 12.0 - 0.5 * m->z_delta * m->z_delta) * cube / apart;
    for (int i = 0; i < g->dae.n_v; ++i) {
        const double jerk = (g->next.vdot[i] - g->now.vdot[i]) / h;
        g->raw_q[i] = m->offset * cube * jerk;
        g->raw_v[i] = v_part * (jerk - g->jerk[i]);
    }
    for (int i = 0; i < g->dae.n_z; ++i) {
        const double slope = (g->next.zdot[i] - g->now.zdot[i]) / h;
        g->solved[i] = z_part * (slope - g->z_slope[i]);
    }
}

pkm_status pkm_galpha_error(pkm_galpha* g, double* error)
{
    find_raw(g);
    const double z = size_of(g->dae.n_z, g->solved, g->atol_z, g->set.rtol, g->next.z);
    double moving = moving_error(g);
    if (g->unfiltered > 0 && moving <= 1.0) {
        --g->unfiltered;
    } else if (moving > WORTH_FILTERING && moving < INFINITY) {
        const double raw = moving;
        PKM_TRY(filter(g, g->raw_q));
        for (int pass = 0; pass < 2; ++pass)
            PKM_TRY(filter(g, g->raw_v)); // once more: stiff velocities do not carry far
        moving = moving_error(g);
        if (moving > FILTER_GAIN * raw) g->unfiltered = PAUSE;
    }
    *error = isnan(moving + z) ? INFINITY : fmax(moving, z);
    return PKM_OK;
}
