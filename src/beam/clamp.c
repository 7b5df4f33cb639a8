// Modes seen from one of their own points, docs/theory/flexible.md, (1.6)-(1.9).
#include "base/memory.h"
#include "beam/reduce.h"
#include "math/tensor.h"

#include <string.h>

/// A += c B [r]' where [r] y = r x y: each row of B, as a vector, is turned: r x row.
static void add_turned(double A[9], double c, const double B[9], pkm_vec3 r)
{
    for (int i = 0; i < 3; ++i) {
        const pkm_vec3 row = pkm_vec3_cross(r, (pkm_vec3){B[i], B[3 + i], B[6 + i]});
        A[i] += c * row.x;
        A[3 + i] += c * row.y;
        A[6 + i] += c * row.z;
    }
}

static void transpose(const double A[9], double out[9])
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            out[3 * j + i] = A[3 * i + j];
}

/// Moments of the body about the clamped point: y = x - at.
typedef struct about {
    pkm_vec3 at, first;
    double second[9];
} about;

/// int rho y = first - m at,   int rho y y' = second - first at' - at first' + m at at'
static about moments_about(const pkm_beam_integrals* from, pkm_vec3 at)
{
    about out = {.at = at, .first = pkm_vec3_axpy(from->first, -from->mass, at)};
    memcpy(out.second, from->second, sizeof out.second);
    pkm_tensor_add(out.second, -1.0, from->first, at);
    pkm_tensor_add(out.second, -1.0, at, from->first);
    pkm_tensor_add(out.second, from->mass, at, at);
    return out;
}

/// pair' = integral of rho (phi_i - d_i - [r_i] y)(phi_j - d_j - [r_j] y)'
static void clamp_pair(const pkm_beam_integrals* from, const about* m, int i, int j,
                       const pkm_vec3* d, const pkm_vec3* r, double* out)
{
    const int n = from->n_mode;
    const pkm_vec3 pi = pkm_vec3_at(from->momentum + 3 * i),
                   pj = pkm_vec3_at(from->momentum + 3 * j);
    double yi[9], yj[9], back[9], turned[9] = {0.0}, both[9] = {0.0};
    memcpy(out, from->pair + 9 * (i + n * j), 9 * sizeof(double));
    memcpy(yi, from->cross + 9 * i, sizeof yi); // integral of rho y phi_i'
    pkm_tensor_add(yi, -1.0, m->at, pi);
    memcpy(yj, from->cross + 9 * j, sizeof yj);
    pkm_tensor_add(yj, -1.0, m->at, pj);

    pkm_tensor_add(out, -1.0, pi, d[j]);
    pkm_tensor_add(out, -1.0, d[i], pj);
    pkm_tensor_add(out, from->mass, d[i], d[j]);
    pkm_tensor_add(out, 1.0, d[i], pkm_vec3_cross(r[j], m->first));
    pkm_tensor_add(out, 1.0, pkm_vec3_cross(r[i], m->first), d[j]);
    transpose(yi, back);
    add_turned(out, -1.0, back, r[j]); // phi_i y' [r_j]'
    transpose(yj, back);
    add_turned(turned, 1.0, back, r[i]); // (phi_j y' [r_i]')' = [r_i] y phi_j'
    transpose(turned, back);
    for (int k = 0; k < 9; ++k)
        out[k] -= back[k];
    memset(turned, 0, sizeof turned);
    add_turned(turned, 1.0, m->second, r[i]); // y y' [r_i]'
    transpose(turned, back);                  // [r_i] y y'
    add_turned(both, 1.0, back, r[j]);
    for (int k = 0; k < 9; ++k)
        out[k] += both[k];
}

/// Mass between two modes: the new shifts, and turns of sections and lumps as they were, less those
/// of the clamped point. The old modes are orthonormal, which gives the old turns.
static double clamp_mass(const pkm_beam_integrals* from, const pkm_beam_integrals* to, int i, int j,
                         const pkm_vec3* r)
{
    const int at = 9 * (i + from->n_mode * j);
    const double turns = (i == j ? 1.0 : 0.0) - pkm_tensor_trace(from->pair + at);
    return pkm_tensor_trace(to->pair + at) + turns -
           pkm_vec3_dot(r[i], pkm_vec3_at(from->spin + 3 * j)) -
           pkm_vec3_dot(r[j], pkm_vec3_at(from->spin + 3 * i)) +
           pkm_vec3_dot(r[i], pkm_mat3_mul(from->own, r[j]));
}

/// The integrals (4.7) of beams.md for modes phi_j - d_j - r_j x y, which are still at the point
/// `at`.
pkm_status pkm_beam_integrals_clamp(const pkm_beam_integrals* from, pkm_vec3 at, const pkm_vec3* d,
                                    const pkm_vec3* r, pkm_beam_integrals* to, double* mass)
{
    const int n = from->n_mode;
    const about m = moments_about(from, at);
    double to_first[9]; // integral of rho x y'
    memcpy(to_first, from->second, sizeof to_first);
    pkm_tensor_add(to_first, -1.0, from->first, at);
    *to = *from;
    to->block = pkm_alloc((size_t)n * (15 + 9 * (size_t)n), sizeof(double));
    if (!to->block) return PKM_ERR_MEMORY;
    to->momentum = to->block;
    to->spin = to->momentum + 3 * n;
    to->cross = to->spin + 3 * n;
    to->pair = to->cross + 9 * n;
    for (int j = 0; j < n; ++j) {
        const pkm_vec3 p =
            pkm_vec3_sub(pkm_vec3_axpy(pkm_vec3_at(from->momentum + 3 * j), -from->mass, d[j]),
                         pkm_vec3_cross(r[j], m.first));
        const pkm_vec3 s =
            pkm_vec3_sub(pkm_vec3_at(from->spin + 3 * j), pkm_mat3_mul(from->own, r[j]));
        memcpy(to->momentum + 3 * j, &p, sizeof p);
        memcpy(to->spin + 3 * j, &s, sizeof s);
        memcpy(to->cross + 9 * j, from->cross + 9 * j, 9 * sizeof(double));
        pkm_tensor_add(to->cross + 9 * j, -1.0, from->first, d[j]);
        add_turned(to->cross + 9 * j, -1.0, to_first, r[j]);
        for (int i = 0; i < n; ++i)
            clamp_pair(from, &m, i, j, d, r, to->pair + 9 * (i + n * j));
    }
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            mass[i + n * j] = clamp_mass(from, to, i, j, r);
    return PKM_OK;
}
