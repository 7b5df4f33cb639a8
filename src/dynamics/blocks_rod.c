// Factors of a rod that floats: a body, rigid or with modes that are orthonormal and have no
// momentum (mean axes), with shifts along the world's axes and turns about its own. Only the turns
// couple with the modes, and the mass of shifts is a number, so that three pivots are left.
// docs/theory/flexible.md, (4.4).
#include "dynamics/blocks_impl.h"

#include "base/error.h"
#include "math/pair.h"

#include <math.h>

typedef pkm_pair_in_array pair;

enum { ROW = 4 }; // numbers of a mode

/// U of the modes: c_j/sqrt(d_j) with the turns. Returns false where a mode has no mass.
static bool factor_modes(pkm_rod* rod, const double* c, const double* more)
{
    // d: of M + c C + c^2 K, on the diagonal as long as nothing couples modes; c by components
    const int n = rod->n_mode;
    for (int j = 0; j < n; ++j) {
        const double d = more ? 1.0 + more[j * (n + 1)] : 1.0, r = more ? 1.0 / sqrt(d) : 1.0;
        double* row = rod->mode + ROW * j;
        if (!(d > 0.0)) return false;
        row[0] = r * c[j];
        row[1] = r * c[n + j];
        row[2] = r * c[2 * n + j];
        row[3] = r;
    }
    return true;
}

/// U of the turns, T = J - sum_j u_j u_j' - W'W with u_j of the modes and W of the shifts.
static bool factor_turns(pkm_rod* rod, pkm_mat3 J, double least)
{
    const double* W = rod->couple;
    // the lower triangle (xx, yx, zx, yy, zy, zz); each pivot against its whole
    double T[6] = {J.x.x, J.y.x, J.z.x, J.y.y, J.z.y, J.z.z};
    const double whole[3] = {T[0], T[3], T[5]};
    // shifts first, then modes: each takes its square off the turns
    for (int k = 0; k < rod->n_mode + 3; ++k) {
        const double* u = k < 3 ? W + 3 * k : rod->mode + ROW * (k - 3);
        T[0] -= u[0] * u[0];
        T[1] -= u[0] * u[1];
        T[2] -= u[0] * u[2];
        T[3] -= u[1] * u[1];
        T[4] -= u[1] * u[2];
        T[5] -= u[2] * u[2];
    }
    double* U = rod->turn;
    // put so that a NaN fails as well
    if (!(T[0] > least * fabs(whole[0]))) return false;
    U[0] = 1.0 / sqrt(T[0]);
    U[1] = T[1] * U[0];
    U[2] = T[2] * U[0];
    const double second = T[3] - U[1] * U[1];
    if (!(second > least * fabs(whole[1]))) return false;
    // on the diagonal of U inverses are kept: solutions multiply
    U[3] = 1.0 / sqrt(second);
    U[4] = (T[4] - U[1] * U[2]) * U[3];
    const double third = T[5] - U[2] * U[2] - U[4] * U[4];
    if (!(third > least * fabs(whole[2]))) return false;
    U[5] = 1.0 / sqrt(third);
    return true;
}

bool pkm_rod_factor(pkm_block* to, const pkm_state* state, const double* more, double least)
{
    pkm_rod* rod = &to->rod;
    const pkm_mat3 R = state->body[rod->body].R;
    pkm_vec3 first;
    pkm_mat3 J;
    const double mass = pkm_block_inertia(state, rod->body, &first, &J);
    if (!(mass > 0.0)) return false;
    PKM_ASSERT(rod->n_mode == 0 || state->modal); // modes have their integrals in the state
    // W = (R [s]')/sqrt(m): columns R (e_k x s)
    const pkm_vec3 s = pkm_vec3_scale(1.0 / sqrt(mass), first);
    const pkm_vec3 W[3] = {pkm_mat3_mul(R, (pkm_vec3){0.0, -s.z, s.y}),
                           pkm_mat3_mul(R, (pkm_vec3){s.z, 0.0, -s.x}),
                           pkm_mat3_mul(R, (pkm_vec3){-s.y, s.x, 0.0})};
    for (int k = 0; k < 3; ++k) {
        rod->couple[k] = W[k].x;
        rod->couple[3 + k] = W[k].y;
        rod->couple[6 + k] = W[k].z;
    }
    rod->shift = 1.0 / sqrt(mass);
    rod->is_now = true;
    // a rigid body has no modes to take off: its shifts alone couple with the turns
    if (rod->n_mode > 0 && !factor_modes(rod, state->modal[rod->body].c, more)) return false;
    return factor_turns(rod, J, least);
}

/// Four right hand sides side by side: those of the modes and shifts are scaled and taken off the
/// turns, which have three pivots left.
static void solve_four(const pkm_rod* rod, double* Z, size_t wide)
{
    const size_t n = (size_t)rod->n_mode;
    // pairs of numbers: right sides side by side, two in each register
    double *shift = Z + n * wide, *turn = shift + 3 * wide;
    // their sums stay in registers
    pair x0 = *(pair*)turn, x1 = *(pair*)(turn + 2);
    pair y0 = *(pair*)(turn + wide), y1 = *(pair*)(turn + wide + 2);
    pair z0 = *(pair*)(turn + 2 * wide), z1 = *(pair*)(turn + 2 * wide + 2);
    for (size_t k = 0; k < n + 3; ++k) {
        const double* u = k < n ? rod->mode + ROW * k : rod->couple + 3 * (k - n);
        const double r = k < n ? u[3] : rod->shift;
        pair* at = (pair*)(Z + k * wide);
        pair* more = (pair*)(Z + k * wide + 2);
        const pair a = r * *at, b = r * *more;
        *at = a;
        *more = b;
        x0 -= u[0] * a;
        x1 -= u[0] * b;
        y0 -= u[1] * a;
        y1 -= u[1] * b;
        z0 -= u[2] * a;
        z1 -= u[2] * b;
    }
    // what is left is a factor of three by three; its diagonal is kept inverted
    const double* U = rod->turn;
    x0 *= U[0], x1 *= U[0];
    y0 = U[3] * (y0 - U[1] * x0), y1 = U[3] * (y1 - U[1] * x1);
    z0 = U[5] * (z0 - U[2] * x0 - U[4] * y0), z1 = U[5] * (z1 - U[2] * x1 - U[4] * y1);
    *(pair*)turn = x0, *(pair*)(turn + 2) = x1;
    *(pair*)(turn + wide) = y0, *(pair*)(turn + wide + 2) = y1;
    *(pair*)(turn + 2 * wide) = z0, *(pair*)(turn + 2 * wide + 2) = z1;
}

void pkm_rod_solve_many(const pkm_rod* rod, int width, double* X)
{
    const int wide = pkm_chol_stride(width);
    for (int at = 0; at < wide; at += PKM_CHOL_WIDTH)
        solve_four(rod, X + at, (size_t)wide);
}

void pkm_rod_solve_lower(const pkm_rod* rod, double* y)
{
    const int n = rod->n_mode;
    const double* U = rod->turn;
    // U'^-1: modes and shifts are scaled, then taken off the turns
    double x0 = y[n + 3], x1 = y[n + 4], x2 = y[n + 5];
    for (int k = 0; k < n + 3; ++k) {
        const double* u = k < n ? rod->mode + ROW * k : rod->couple + 3 * (k - n);
        y[k] *= k < n ? u[3] : rod->shift;
        x0 -= u[0] * y[k];
        x1 -= u[1] * y[k];
        x2 -= u[2] * y[k];
    }
    y[n + 3] = x0 * U[0];
    y[n + 4] = (x1 - U[1] * y[n + 3]) * U[3];
    y[n + 5] = (x2 - U[2] * y[n + 3] - U[4] * y[n + 4]) * U[5];
}

void pkm_rod_solve_upper(const pkm_rod* rod, double* y)
{
    const int n = rod->n_mode;
    // U^-1: turns from the last one back, then what hangs on them
    const double* U = rod->turn;
    const double x2 = y[n + 5] * U[5], x1 = (y[n + 4] - U[4] * x2) * U[3];
    const double x0 = (y[n + 3] - U[1] * x1 - U[2] * x2) * U[0];
    for (int k = 0; k < n + 3; ++k) {
        const double* u = k < n ? rod->mode + ROW * k : rod->couple + 3 * (k - n);
        y[k] = (k < n ? u[3] : rod->shift) * (y[k] - u[0] * x0 - u[1] * x1 - u[2] * x2);
    }
    y[n + 3] = x0;
    y[n + 4] = x1;
    y[n + 5] = x2;
}
