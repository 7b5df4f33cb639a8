// What all Deltas share: platform point from the ends of the rods, velocity matrices, drive forces.
// Equations: docs/theory/closed-delta.md, (7) to (14), (17).
#include "closed/rod_pair.h"

#include "base/error.h"
#include "closed/families.h"
#include "math/dense.h"

#include <stdio.h>
#include <string.h>

/// Rounding of a position in units of the rod length: a goal missed by less is touched.
static const double touch = 1e-13;

/// "elbows out/in/out, platform below" for every working and assembly mode.
static void write_labels(pkm_rod_pairs* rods, pkm_rod_words words)
{
    const char* limb[2] = {words.first, words.second};
    for (int k = 0; k < 16; ++k) {
        snprintf(rods->label[k], sizeof rods->label[k], "%s %s/%s/%s, platform %s", words.what,
                 limb[k & 1], limb[k >> 1 & 1], limb[k >> 2 & 1], k & 8 ? "above" : "below");
    }
}

static pkm_status set_azimuths(pkm_rod_pairs* rods, const double* angle, pkm_error* err)
{
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3;
        rods->u[i] = (pkm_vec3){cos(angle[i]), sin(angle[i]), 0.0};
        if (fabs(sin(0.5 * (angle[i] - angle[j]))) > 1e-6) continue;
        return pkm_fail(err, PKM_ERR_MODEL,
                        "angle_%d and angle_%d: two limbs at the azimuth %g rad", i + 1, j + 1,
                        angle[i]);
    }
    return PKM_OK;
}

pkm_status pkm_rod_pairs_prepare(pkm_rod_pairs* rods, const double* value, double down,
                                 double first, pkm_rod_words words, pkm_error* err)
{
    rods->are_pairs = value[PKM_ROD_COUNT] == 2.0;
    PKM_TRY(set_azimuths(rods, &value[PKM_ROD_ANGLE], err));
    const double L = value[PKM_ROD_LENGTH], n = value[PKM_ROD_COUNT];
    const double m = n * value[PKM_ROD_MASS];
    const bool uniform = isnan(value[PKM_ROD_INERTIA]);
    const double spread = uniform ? m / 12.0 : n * value[PKM_ROD_INERTIA] / (L * L);

    // inertia of the rods seen from their ends (11): m/3 and m/6 for uniform slender rods
    rods->m_same = 0.25 * m + spread;
    rods->m_cross = 0.25 * m - spread;
    rods->m_half = 0.5 * m;
    rods->m_platform = value[PKM_ROD_PLATFORM] + value[PKM_ROD_PAYLOAD];
    rods->length = L;
    rods->gravity = pkm_closed_gravity(&value[PKM_ROD_GRAVITY]);
    rods->down = down;
    rods->first = first;

    // with P on the side `down`, det B has the sign of `down` for limbs counted counter-clockwise
    const pkm_vec3 a = pkm_vec3_sub(rods->u[1], rods->u[0]),
                   b = pkm_vec3_sub(rods->u[2], rods->u[0]);
    rods->normal = down * copysign(1.0, pkm_vec3_cross(a, b).z);
    write_labels(rods, words);
    return PKM_OK;
}

bool pkm_rod_pairs_reach(const pkm_rod_pairs* rods, double beyond)
{
    return beyond <= touch * rods->length;
}

/// Branch and label from the rod vectors. `limbs` has a bit per limb at its second root.
static void set_branch(const pkm_rod_pairs* rods, const pkm_vec3 w[3], int limbs, int flip,
                       pkm_closed_config* out)
{
    // N is normal to the plane of the ends, and det [w1 w2 w3] = w1 . N.
    const pkm_vec3 N = pkm_vec3_cross(pkm_vec3_sub(w[0], w[1]), pkm_vec3_sub(w[0], w[2]));
    const double det = pkm_vec3_dot(w[0], N);
    const bool other = det * rods->normal < 0.0;
    const bool above = det * N.z * rods->down < 0.0;

    out->branch = limbs | (other ? PKM_ROD_BRANCH_ASSEMBLY : 0);
    const int shown = (flip ? ~limbs & 7 : limbs) | (above ? PKM_ROD_BRANCH_ASSEMBLY : 0);
    memcpy(out->label, rods->label[shown], sizeof out->label);
}

static void set_pose(pkm_closed_config* out, pkm_vec3 P)
{
    out->pose = (pkm_pose){P, {1.0, 0.0, 0.0, 0.0}};
}

/// All combinations of the roots of three limbs: up to eight working modes for one pose.
int pkm_rod_pairs_combine(const pkm_rod_pairs* rods, pkm_vec3 P, const pkm_rod_roots root[3],
                          int flip, pkm_closed_config* out, int max)
{
    int n = 0;
    for (int limbs = 0; limbs < 8 && n < max; ++limbs) {
        pkm_vec3 w[3];
        bool exists = true;
        for (int i = 0; i < 3; ++i) {
            const int k = limbs >> i & 1;
            exists = exists && k < root[i].n;
            out[n].q[i] = root[i].q[k];
            w[i] = root[i].w[k];
        }
        if (!exists) continue;
        set_pose(&out[n], P);
        set_branch(rods, w, limbs, flip, &out[n]);
        ++n;
    }
    return n;
}

void pkm_rod_pairs_first(const pkm_rod_pairs* rods, const pkm_rod_roots root[3], double* q,
                         double* B, double* A)
{
    const double scale = 1.0 / rods->length;
    for (int i = 0; i < 3; ++i) {
        const pkm_vec3 n = pkm_vec3_scale(scale, root[i].w[0]);
        q[i] = root[i].q[0];
        B[i] = n.x;
        B[i + 3] = n.y;
        B[i + 6] = n.z;
    }
    for (int k = 0; k < 9; ++k)
        A[k] = k % 4 == 0 ? scale * root[k / 4].along : 0.0;
}

/// The two platform points for given ends (7), (8), without branch and label.
static int place(const pkm_rod_pairs* rods, const pkm_rod_end end[3], pkm_vec3 P[2], double* beyond)
{
    // circumcentre O of the triangle of the ends (7)
    const pkm_vec3 a = pkm_vec3_sub(end[1].c, end[0].c), b = pkm_vec3_sub(end[2].c, end[0].c);
    const pkm_vec3 N = pkm_vec3_cross(a, b);
    const double aa = pkm_vec3_dot(a, a), bb = pkm_vec3_dot(b, b), NN = pkm_vec3_dot(N, N);
    if (beyond) *beyond = 0.0;
    if (!(NN > 1e-24 * aa * bb)) return 0;
    const pkm_vec3 toward = pkm_vec3_axpy(pkm_vec3_scale(bb, a), -aa, b);
    const pkm_vec3 radius = pkm_vec3_scale(0.5 / NN, pkm_vec3_cross(N, toward));

    const double R = pkm_vec3_norm(radius), missing = R - rods->length;
    if (!pkm_rod_pairs_reach(rods, missing)) {
        if (beyond) *beyond = missing;
        return 0;
    }
    // P = O +- h N / |N|, the side `down` first (8)
    const double hh = -missing * (R + rods->length);
    const double h = hh > 0.0 ? sqrt(hh) : 0.0;
    const double side = copysign(h / sqrt(NN), rods->down * N.z);
    const pkm_vec3 O = pkm_vec3_add(end[0].c, radius);
    P[0] = pkm_vec3_axpy(O, side, N);
    P[1] = pkm_vec3_axpy(O, -side, N);
    return h > 0.0 ? 2 : 1;
}

/// Rod vectors w_i = P - C_i.
static void rod_vectors(const pkm_rod_end end[3], pkm_vec3 P, pkm_vec3 w[3])
{
    for (int i = 0; i < 3; ++i)
        w[i] = pkm_vec3_sub(P, end[i].c);
}

/// Complete `out` (pose, branch, label) for the point P at these ends.
static void describe(const pkm_rod_pairs* rods, const pkm_rod_end end[3], pkm_vec3 P, int flip,
                     pkm_closed_config* out)
{
    pkm_vec3 w[3];
    rod_vectors(end, P, w);
    int limbs = 0;
    for (int i = 0; i < 3; ++i) {
        if (pkm_vec3_dot(w[i], end[i].dc) * rods->first < 0.0) limbs |= PKM_ROD_BRANCH_LIMB << i;
    }
    set_pose(out, P);
    set_branch(rods, w, limbs, flip, out);
}

int pkm_rod_pairs_direct(const pkm_rod_pairs* rods, const double* q, const pkm_rod_end end[3],
                         bool flips, pkm_closed_config* out, int max, double* beyond)
{
    pkm_vec3 P[2];
    const int n_found = place(rods, end, P, beyond);
    const int n = n_found < max ? n_found : max;
    for (int k = 0; k < n; ++k) {
        for (int i = 0; i < 3; ++i)
            out[k].q[i] = q[i];
        describe(rods, end, P[k], flips && rods->down * P[k].z < 0.0, &out[k]);
    }
    return n;
}

/// Row i of B is n_i', A = diag(n_i . C_i') (9).
void pkm_rod_pairs_velocity(const pkm_rod_pairs* rods, const pkm_rod_end end[3], pkm_vec3 P,
                            double* B, double* A)
{
    pkm_vec3 w[3];
    rod_vectors(end, P, w);
    for (int k = 0; k < 9; ++k)
        A[k] = 0.0;
    for (int i = 0; i < 3; ++i) {
        const pkm_vec3 n = pkm_vec3_scale(1.0 / rods->length, w[i]);
        B[i] = n.x;
        B[i + 3] = n.y;
        B[i + 6] = n.z;
        A[4 * i] = pkm_vec3_dot(n, end[i].dc);
    }
}

/// Rows n_i x h_i with the horizontal h_i across limb i, along which its two rods lie apart: where
/// they lose rank the rods no longer keep the platform from turning. Single rods have no such rows;
/// C is the unit matrix then.
void pkm_rod_pairs_turns(const pkm_rod_pairs* rods, const double* B, double* C)
{
    for (int k = 0; k < 9; ++k)
        C[k] = k % 4 == 0 ? 1.0 : 0.0;
    for (int i = 0; i < 3 && rods->are_pairs; ++i) {
        const pkm_vec3 n = {B[i], B[i + 3], B[i + 6]}, u = rods->u[i];
        const pkm_vec3 row = pkm_vec3_cross(n, (pkm_vec3){-u.y, u.x, 0.0});
        C[i] = row.x;
        C[i + 3] = row.y;
        C[i + 6] = row.z;
    }
}

/// c_i = n_i . C_i'' q_i'^2 - |v - C_i' q_i'|^2 / L (10)
void pkm_rod_pairs_bias(const pkm_rod_pairs* rods, const pkm_rod_end end[3],
                        const pkm_frame_motion* tool, const double* qd, double* c)
{
    pkm_vec3 w[3];
    rod_vectors(end, tool->pose.p, w);
    for (int i = 0; i < 3; ++i) {
        const pkm_vec3 turn = pkm_vec3_axpy(tool->v, -qd[i], end[i].dc);
        c[i] = (pkm_vec3_dot(w[i], end[i].ddc) * qd[i] * qd[i] - pkm_vec3_dot(turn, turn)) /
               rods->length;
    }
}

/// Axial forces lambda of the limbs along the unit vectors n: B' lambda = F (13). Near a parallel
/// singularity the volume of the three vectors falls with the product of two lost directions, so
/// that Cramer's rule loses twice the digits that the problem does: there the factors with pivots
/// are used, whose smallest pivot falls like the smallest singular value.
static pkm_status find_axial_forces(const pkm_vec3 n[3], pkm_vec3 F, double lambda[3])
{
    static const double FLAT = 1e-6; // of the volume
    pkm_vec3 axial = {0.0, 0.0, 0.0};
    const double det = pkm_mat3_solve((pkm_mat3){n[0], n[1], n[2]}, F, &axial);
    lambda[0] = axial.x;
    lambda[1] = axial.y;
    lambda[2] = axial.z;
    if (fabs(det) > FLAT) return PKM_OK;
    pkm_dense_lu lu;
    const double B[9] = {n[0].x, n[0].y, n[0].z, n[1].x, n[1].y, n[1].z, n[2].x, n[2].y, n[2].z};
    pkm_dense_lu_factor(&lu, B, 3);
    if (!(lu.smallest > PKM_CLOSED_SINGULAR)) return PKM_ERR_SINGULAR;
    pkm_dense_lu_solve(&lu, (double[]){F.x, F.y, F.z}, lambda);
    return PKM_OK;
}

pkm_status pkm_rod_pairs_forces(const pkm_rod_pairs* rods, const pkm_rod_end end[3],
                                const pkm_frame_motion* tool, const double* qd, const double* qdd,
                                pkm_vec3 force, double* drive_force)
{
    const double ms = rods->m_same, mc = rods->m_cross;
    pkm_vec3 n[3], a_end[3];
    rod_vectors(end, tool->pose.p, n);

    // force F that the rods must exert along themselves on the platform and their lower ends (12)
    pkm_vec3 F = pkm_vec3_scale(rods->m_platform + 3.0 * ms, tool->a);
    F = pkm_vec3_axpy(F, -(rods->m_platform + 3.0 * rods->m_half), rods->gravity);
    F = pkm_vec3_sub(F, force);
    for (int i = 0; i < 3; ++i) {
        n[i] = pkm_vec3_scale(1.0 / rods->length, n[i]);
        a_end[i] = pkm_vec3_scale(qd[i] * qd[i], end[i].ddc);
        a_end[i] = pkm_vec3_axpy(a_end[i], qdd[i], end[i].dc);
        F = pkm_vec3_axpy(F, mc, a_end[i]);
    }

    double lambda[3];
    PKM_TRY(find_axial_forces(n, F, lambda));

    // what the upper ends of the rods ask from the drives (14)
    for (int i = 0; i < 3; ++i) {
        pkm_vec3 f = pkm_vec3_scale(ms, a_end[i]);
        f = pkm_vec3_axpy(f, mc, tool->a);
        f = pkm_vec3_axpy(f, -rods->m_half, rods->gravity);
        f = pkm_vec3_axpy(f, lambda[i], n[i]);
        drive_force[i] = pkm_vec3_dot(end[i].dc, f);
    }
    return PKM_OK;
}

double pkm_rod_pairs_energy(const pkm_rod_pairs* rods, const pkm_rod_end end[3],
                            const pkm_frame_motion* tool, const double* qd)
{
    const pkm_vec3 P = tool->pose.p;
    const double vv = pkm_vec3_dot(tool->v, tool->v);
    double kinetic = 0.5 * rods->m_platform * vv;
    pkm_vec3 moment = pkm_vec3_scale(rods->m_platform, P); // sum of m r
    for (int i = 0; i < 3; ++i) {
        const pkm_vec3 v = pkm_vec3_scale(qd[i], end[i].dc);
        kinetic += 0.5 * rods->m_same * (pkm_vec3_dot(v, v) + vv);
        kinetic += rods->m_cross * pkm_vec3_dot(v, tool->v);
        moment = pkm_vec3_axpy(moment, rods->m_half, pkm_vec3_add(end[i].c, P));
    }
    return kinetic - pkm_vec3_dot(rods->gravity, moment);
}
