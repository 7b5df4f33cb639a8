// Singularities on the way of a closed form: B, A and C are regular on the straight line between
// two instants at which they differ by less than their smallest singular values (5.3), which are
// bounded from below by 1/|M^-1|_F. docs/theory/engine.md, section 5, "Watching a way".
#include "robot/closed_watch.h"

#include "math/dense.h"
#include "math/dot.h"
#include "math/pair.h"

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

/// Frobenius' norm of the difference of m numbers, two at a time: this is most of what watching
/// costs. Inlined with a constant m the loop unrolls.
static inline double distance_of(const double* M, const double* N, int m)
{
    pkm_pair square = {0.0, 0.0}, other = {0.0, 0.0};
    int i = 0;
    for (; i + 3 < m; i += 4) { // m is 4 k or 4 k + 1
        const pkm_pair d = pkm_pair_load(M + i) - pkm_pair_load(N + i);
        const pkm_pair e = pkm_pair_load(M + i + 2) - pkm_pair_load(N + i + 2);
        square += d * d;
        other += e * e;
    }
    square += other;
    const double last = i < m ? M[i] - N[i] : 0.0;
    return sqrt(square[0] + square[1] + last * last);
}

static double distance(const double* M, const double* N, int n)
{
    return n == 3 ? distance_of(M, N, 9) : distance_of(M, N, n * n);
}

/// A matrix that is watched: kept, with a lower bound of its smallest singular value, and now.
typedef struct item {
    double *kept, *sigma;
    const double* now;
    int n;
    double sigma_now;
} item;

enum { MAX_ITEM = 3 };

/// What is watched: B, A where rates of the drives are asked for, C where there is one.
static int list_items(pkm_closed_watch* w, const pkm_robot* robot, bool rates, double* C_now,
                      item out[MAX_ITEM])
{
    const int n = robot->mech->n_drive;
    int m = 0;
    out[m++] = (item){.kept = w->B, .sigma = &w->sigma_B, .now = w->B_now, .n = n};
    if (rates) out[m++] = (item){.kept = w->A, .sigma = &w->sigma_A, .now = w->A_now, .n = n};
    if (pkm_closed_turns(robot->closed, w->B_now, C_now))
        out[m++] = (item){.kept = w->C, .sigma = &w->sigma_C, .now = C_now, .n = 3};
    return m;
}

static void keep(item* of, int m)
{
    for (int k = 0; k < m; ++k) {
        *of[k].sigma = of[k].sigma_now;
        memcpy(of[k].kept, of[k].now, (size_t)(of[k].n * of[k].n) * sizeof(double));
    }
}

/// Are the present matrices near to those kept? All that are nearer than BALL are regular.
static bool are_near(const item* of, int m)
{
    for (int k = 0; k < m; ++k)
        if (!(distance(of[k].now, of[k].kept, of[k].n) < BALL * *of[k].sigma)) return false;
    return true;
}

/// The test with the singular values of both ends.
static bool are_clear(const item* of, int m)
{
    for (int k = 0; k < m; ++k) {
        const double sigma = fmin(*of[k].sigma, of[k].sigma_now);
        if (!(distance(of[k].now, of[k].kept, of[k].n) < SAFETY * sigma)) return false;
    }
    return true;
}

/// Look at the present matrices; false: one of them is singular.
static bool look(item* of, int m)
{
    bool regular = true;
    for (int k = 0; k < m; ++k) {
        of[k].sigma_now = least_sigma(of[k].now, of[k].n);
        regular =
            regular && of[k].sigma_now > PKM_SINGULAR * pkm_norm(of[k].now, of[k].n * of[k].n);
    }
    return regular;
}

/// Keep `from` instead, the configuration that was clear last.
static void keep_last(pkm_closed_watch* w, const pkm_robot* robot, const pkm_closed_config* from,
                      const item* of, int m)
{
    double B[PKM_CLOSED_MAX_DRIVE * PKM_CLOSED_MAX_DRIVE], C[9];
    double A[PKM_CLOSED_MAX_DRIVE * PKM_CLOSED_MAX_DRIVE];
    item last[MAX_ITEM];
    memcpy(last, of, (size_t)m * sizeof *of);
    pkm_closed_velocity(robot->closed, from, B, A);
    (void)pkm_closed_turns(robot->closed, B, C);
    for (int k = 0; k < m; ++k)
        last[k].now = of[k].kept == w->B ? B : of[k].kept == w->A ? A : C;
    (void)look(last, m);
    keep(last, m);
}

pkm_passage pkm_closed_watch_step(pkm_closed_watch* w, const pkm_robot* robot,
                                  const pkm_closed_config* from, const pkm_closed_config* to,
                                  bool rates)
{
    double C[9];
    item of[MAX_ITEM];
    pkm_closed_velocity(robot->closed, to, w->B_now, w->A_now);
    const int m = list_items(w, robot, rates, C, of);
    if (w->begun && are_near(of, m)) return PKM_PASSAGE_CLEAR;
    if (!look(of, m)) return PKM_PASSAGE_SINGULAR;
    if (w->begun && !are_clear(of, m)) {
        keep_last(w, robot, from, of, m);
        if (!are_clear(of, m)) return PKM_PASSAGE_DOUBT;
    }
    keep(of, m);
    w->begun = true;
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
    double B[MAX * MAX], A[MAX * MAX], C[9], V[MAX * MAX], T[6 * (MAX + 3)] = {0.0};
    const int n = robot->mech->n_drive;
    const unsigned moves = pkm_closed_get_family(robot->closed)->moves;
    *out = (pkm_singularity){.sigma_drives = 1.0, .sigma_tool = 1.0, .sigma_closures = 1.0};
    pkm_closed_velocity(robot->closed, config, B, A);
    out->n_serial = lost_of(A, n, limit, V);
    out->n_parallel = lost_of(B, n, limit, V);
    for (int c = 0; c < out->n_parallel; ++c)
        for (int k = 0, at = 0; k < 6; ++k)
            if (moves & (1u << k)) T[6 * c + k] = V[(n - 1 - c) * n + at++];
    if (pkm_closed_turns(robot->closed, B, C)) out->n_constraint = lost_of(C, 3, limit, V);
    for (int c = 0; c < out->n_constraint; ++c)
        memcpy(T + 6 * (out->n_parallel + c) + 3, V + 3 * (2 - c), 3 * sizeof(double));
    out->kinds = (out->n_serial > 0 ? PKM_SINGULAR_SERIAL : 0u) |
                 (out->n_parallel > 0 ? PKM_SINGULAR_PARALLEL : 0u) |
                 (out->n_constraint > 0 ? PKM_SINGULAR_CONSTRAINT : 0u);
    const int lost = out->n_parallel + out->n_constraint;
    if (lost > 0) pkm_singularity_name_twists(T, lost, out->lost, sizeof out->lost);
}
