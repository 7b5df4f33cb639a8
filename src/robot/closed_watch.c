#include "robot/closed_watch.h"

#include "math/dense.h"

#include <math.h>
#include <string.h>

static const double SAFETY = 0.7; // of sigma, which is a lower bound here
static const double BALL = 0.5;   // of sigma: no need to look

/// A lower bound of the smallest singular value: 1 / |M^-1| in Frobenius' norm; 0: singular.
static double least_sigma(const double* M, int n)
{
    pkm_dense_lu lu;
    if (pkm_dense_lu_factor(&lu, M, n) <= 0.0) return 0.0;
    double square = 0.0;
    for (int k = 0; k < n; ++k) {
        double x[PKM_DENSE_SMALL] = {0.0};
        x[k] = 1.0;
        pkm_dense_lu_solve(&lu, x, x);
        for (int i = 0; i < n; ++i)
            square += x[i] * x[i];
    }
    return 1.0 / sqrt(square);
}

static double norm(const double* M, int n)
{
    double square = 0.0;
    for (int i = 0; i < n * n; ++i)
        square += M[i] * M[i];
    return sqrt(square);
}

static double distance(const double* M, const double* N, int n)
{
    double square = 0.0;
    for (int i = 0; i < n * n; ++i)
        square += (M[i] - N[i]) * (M[i] - N[i]);
    return sqrt(square);
}

/// Both matrices at one configuration, and lower bounds of their smallest singular values.
typedef struct place {
    const double *B, *A;
    double sigma_B, sigma_A;
} place;

static place look_at(const double* B, const double* A, int n, bool rates)
{
    return (place){B, A, least_sigma(B, n), rates ? least_sigma(A, n) : 1.0};
}

static void keep(pkm_closed_watch* w, const place* p, int n)
{
    w->begun = true;
    w->sigma_B = p->sigma_B;
    w->sigma_A = p->sigma_A;
    memcpy(w->B, p->B, (size_t)(n * n) * sizeof(double));
    memcpy(w->A, p->A, (size_t)(n * n) * sizeof(double));
}

static bool is_singular(const place* p, int n, bool rates)
{
    return p->sigma_B <= PKM_SINGULAR * norm(p->B, n) ||
           (rates && p->sigma_A <= PKM_SINGULAR * norm(p->A, n));
}

/// Are the present matrices within `share` of the smallest singular values from those kept?
static bool is_near(const pkm_closed_watch* w, int n, bool rates, double share)
{
    return distance(w->B_now, w->B, n) < share * w->sigma_B &&
           (!rates || distance(w->A_now, w->A, n) < share * w->sigma_A);
}

/// The test with the singular values of both ends.
static bool is_clear(const pkm_closed_watch* w, const place* there, int n, bool rates)
{
    const double share_B = fmin(1.0, there->sigma_B / w->sigma_B);
    const double share_A = fmin(1.0, there->sigma_A / w->sigma_A);
    return is_near(w, n, rates, SAFETY * fmin(share_B, share_A));
}

pkm_passage pkm_closed_watch_step(pkm_closed_watch* w, const pkm_robot* robot,
                                  const pkm_closed_config* from, const pkm_closed_config* to,
                                  bool rates)
{
    enum { MAX = PKM_CLOSED_MAX_DRIVE };
    const int n = robot->mech->n_drive;
    pkm_closed_velocity(robot->closed, to, w->B_now, w->A_now);
    if (w->begun && is_near(w, n, rates, BALL)) return PKM_PASSAGE_CLEAR;
    const place there = look_at(w->B_now, w->A_now, n, rates);
    if (is_singular(&there, n, rates)) return PKM_PASSAGE_SINGULAR;
    if (w->begun && !is_clear(w, &there, n, rates)) { // from what is nearest
        double B[MAX * MAX], A[MAX * MAX];
        pkm_closed_velocity(robot->closed, from, B, A);
        const place before = look_at(B, A, n, rates);
        keep(w, &before, n);
        if (!is_clear(w, &there, n, rates)) return PKM_PASSAGE_DOUBT;
    }
    keep(w, &there, n);
    return PKM_PASSAGE_CLEAR;
}

/// How many singular values of M vanish; their right vectors V [n x n, the last columns].
static int lost_of(const double* M, int n, double limit, double* V)
{
    double s[PKM_DENSE_SMALL];
    pkm_dense_small_svd(M, n, n, s, V);
    int lost = 0;
    while (lost < n && s[n - 1 - lost] <= limit * s[0])
        ++lost;
    return lost;
}

void pkm_closed_singularity(const pkm_robot* robot, const pkm_closed_config* config, double limit,
                            pkm_singularity* out)
{
    enum { MAX = PKM_CLOSED_MAX_DRIVE };
    double B[MAX * MAX], A[MAX * MAX], V[MAX * MAX], T[6 * MAX] = {0.0};
    const int n = robot->mech->n_drive;
    const unsigned moves = pkm_closed_get_family(robot->closed)->moves;
    *out = (pkm_singularity){.sigma_drives = 1.0, .sigma_tool = 1.0, .sigma_closures = 1.0};
    pkm_closed_velocity(robot->closed, config, B, A);
    out->n_serial = lost_of(A, n, limit, V);
    out->n_parallel = lost_of(B, n, limit, V);
    out->kinds = (out->n_serial > 0 ? PKM_SINGULAR_SERIAL : 0u) |
                 (out->n_parallel > 0 ? PKM_SINGULAR_PARALLEL : 0u);
    for (int c = 0; c < out->n_parallel; ++c)
        for (int k = 0, at = 0; k < 6; ++k)
            if (moves & (1u << k)) T[6 * c + k] = V[(n - 1 - c) * n + at++];
    if (out->n_parallel > 0) pkm_singularity_name_twists(T, out->n_parallel, out->lost, 200);
}
