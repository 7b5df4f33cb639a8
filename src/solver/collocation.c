// Stages by iteration to rounding, since order 24 needs them so; constraints hold at every stage.
#include "solver/collocation.h"

#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { S = PKM_COLLOCATION_STAGES, MAX_ITERATION = 40 };
static const double FAR = 1e-2;   // while stages move more, nothing is judged
static const double STALL = 1e-7; // below that, stages that move no less than before have settled

struct pkm_collocation {
    int n;
    double node[S], weight[S]; ///< on [0, 1]
    double A[S][S];            ///< integrals of the Lagrange polynomials from 0 to the nodes (6.1)
    double t, h;
    double *y0, *end, *trial; ///< [n]
    double *stage[S], *rate[S];
    double* block;
};

// ---- the method -------------------------------------------------------------------------------

/// Roots of the Legendre polynomial of degree S by Newton's method, and the weights (6.1).
static void find_nodes(pkm_collocation* c)
{
    for (int k = 0; k < S; ++k) {
        // a start from which Newton's method finds the k-th root from above
        double x = cos(M_PI * (k + 0.75) / (S + 0.5)), slope = 1.0;
        for (int n = 0; n < 20; ++n) {
            // j P_j = (2 j - 1) x P_j-1 - (j - 1) P_j-2, and P' = S (x P_S - P_S-1)/(x^2 - 1)
            double p = 1.0, before = 0.0;
            for (int j = 1; j <= S; ++j) {
                const double next = ((2 * j - 1) * x * p - (j - 1) * before) / j;
                before = p;
                p = next;
            }
            slope = S * (x * p - before) / (x * x - 1.0);
            x -= p / slope;
        }
        // from [-1, 1] to [0, 1]: the weights 2/((1 - x^2) P'^2) are halved
        c->node[S - 1 - k] = 0.5 * (1.0 + x);
        c->weight[S - 1 - k] = 1.0 / ((1.0 - x * x) * slope * slope);
    }
}

/// L_j(x), 1 at node j and 0 at the others.
static double lagrange(const pkm_collocation* c, int j, double x)
{
    double out = 1.0;
    for (int k = 0; k < S; ++k)
        if (k != j) out *= (x - c->node[k]) / (c->node[j] - c->node[k]);
    return out;
}

/// Integrals of the Lagrange polynomials from 0 to x, exact by the nodes themselves.
static void integrals(const pkm_collocation* c, double x, double* out)
{
    // degree S - 1, where S Gauss points are exact up to 2 S - 1
    for (int j = 0; j < S; ++j) {
        out[j] = 0.0;
        for (int k = 0; k < S; ++k)
            out[j] += x * c->weight[k] * lagrange(c, j, x * c->node[k]);
    }
}

pkm_status pkm_collocation_create(int n, pkm_collocation** out)
{
    *out = NULL;
    if (n < 1) return PKM_ERR_ARGUMENT;
    pkm_collocation* c = pkm_alloc(1, sizeof *c);
    if (!c) return PKM_ERR_MEMORY;
    c->n = n;
    c->block = pkm_alloc((size_t)n * (3 + 2 * S), sizeof(double));
    if (!c->block) {
        pkm_collocation_free(c);
        return PKM_ERR_MEMORY;
    }
    double* next = c->block;
    double** const vector[] = {&c->y0, &c->end, &c->trial};
    for (int i = 0; i < 3; ++i, next += n)
        *vector[i] = next;
    for (int k = 0; k < S; ++k, next += 2 * n) {
        c->stage[k] = next;
        c->rate[k] = next + n;
    }
    find_nodes(c);
    for (int k = 0; k < S; ++k)
        integrals(c, c->node[k], c->A[k]);
    *out = c;
    return PKM_OK;
}

void pkm_collocation_free(pkm_collocation* c)
{
    if (!c) return;
    pkm_free(c->block);
    pkm_free(c);
}

// ---- a step -----------------------------------------------------------------------------------

/// y = y0 + h (sum of w f)
static void combine(const pkm_collocation* c, const double* w, double* y)
{
    for (int i = 0; i < c->n; ++i) {
        double sum = 0.0;
        for (int j = 0; j < S; ++j)
            sum += w[j] * c->rate[j][i];
        y[i] = c->y0[i] + c->h * sum;
    }
}

/// The largest difference of two states; infinite for NaN.
static double distance(const pkm_collocation* c, const double* a, const double* b,
                       const double* scale)
{
    double most = 0.0;
    for (int i = 0; i < c->n; ++i) {
        const double d = fabs(a[i] - b[i]) / (scale[i] + fabs(b[i]));
        if (!(d <= most)) most = isnan(d) ? HUGE_VAL : d;
    }
    return most;
}

/// All stages anew from the rates, put on the constraints; `moved`: how far from where they were.
static pkm_status find_stages(pkm_collocation* c, const pkm_ode* ode, const double* scale,
                              double* moved, double* off)
{
    *moved = *off = 0.0;
    for (int k = 0; k < S; ++k) {
        // Y_k = P(y_0 + h sum_j a_kj f_j) (6.1)
        combine(c, c->A[k], c->trial);
        memcpy(c->end, c->trial, (size_t)c->n * sizeof(double));
        if (ode->project) PKM_TRY(ode->project(ode->user, c->t + c->h * c->node[k], c->trial));
        *off = fmax(*off, distance(c, c->trial, c->end, scale));
        *moved = fmax(*moved, distance(c, c->trial, c->stage[k], scale));
        memcpy(c->stage[k], c->trial, (size_t)c->n * sizeof(double));
    }
    return PKM_OK;
}

static pkm_status find_rates(pkm_collocation* c, const pkm_ode* ode)
{
    for (int k = 0; k < S; ++k)
        PKM_TRY(ode->rate(ode->user, c->t + c->h * c->node[k], c->stage[k], c->rate[k]));
    return PKM_OK;
}

/// Rates that grow along a straight line: the first stages lie on a parabola.
static void guess(pkm_collocation* c, const pkm_collocation_start* start)
{
    for (int k = 0; k < S; ++k) {
        memcpy(c->stage[k], start->y, (size_t)c->n * sizeof(double));
        for (int i = 0; i < c->n; ++i)
            c->rate[k][i] =
                start->rate[i] + (start->second ? c->h * c->node[k] * start->second[i] : 0.0);
    }
}

pkm_status pkm_collocation_step(pkm_collocation* c, const pkm_ode* ode,
                                const pkm_collocation_start* start, double h, const double* scale,
                                double tolerance, double* off)
{
    double moved = HUGE_VAL, before = HUGE_VAL;
    c->t = start->t;
    c->h = h;
    memcpy(c->y0, start->y, (size_t)c->n * sizeof(double));
    guess(c, start);
    bool settled = false;
    for (int n = 0; n < MAX_ITERATION && !settled; ++n) {
        PKM_TRY(find_stages(c, ode, scale, &moved, off));
        PKM_TRY(find_rates(c, ode));
        if (n > 3 && moved > FAR && moved > before) return PKM_ERR_CONVERGENCE;
        // done, or as near as rounding lets it come
        settled = moved <= tolerance || (moved < STALL && moved > 0.5 * before);
        before = moved;
    }
    if (!settled) return PKM_ERR_CONVERGENCE;
    // y_1 = P(y_0 + h sum b_j f_j) (6.1); what the projection P moves counts as off
    combine(c, c->weight, c->end);
    memcpy(c->trial, c->end, (size_t)c->n * sizeof(double));
    if (ode->project) PKM_TRY(ode->project(ode->user, c->t + h, c->end));
    *off = fmax(*off, distance(c, c->end, c->trial, scale));
    return PKM_OK;
}

// ---- what is known of it ----------------------------------------------------------------------

const double* pkm_collocation_stage(const pkm_collocation* c, int k, double* t)
{
    *t = c->t + c->h * c->node[k];
    return c->stage[k];
}

void pkm_collocation_dense(const pkm_collocation* c, double t, double* y)
{
    double w[S];
    integrals(c, (t - c->t) / c->h, w);
    combine(c, w, y);
}

const double* pkm_collocation_end(const pkm_collocation* c)
{
    return c->end;
}

void pkm_collocation_weights(const pkm_collocation* c, double t, double* weight)
{
    for (int j = 0; j < S; ++j)
        weight[j] = lagrange(c, j, (t - c->t) / c->h);
}
