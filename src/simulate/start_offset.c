/// Where joints start: offsets from the pose that the robot stands in, loops kept closed.
#include "base/error.h"
#include "dynamics/kinematics.h"
#include "math/dense.h"
#include "math/quat.h"
#include "math/tensor.h"
#include "simulate/simulation_impl.h"

#include <math.h>
#include <string.h>

/// The longest step of the way: turns, and shifts in sizes of the robot. Loops are closed after
/// each.
static const double STEP = 0.01;
/// What a step may move any coordinate by, in steps: more is the neighbourhood of a singularity.
static const double MOST = 20.0;

static pkm_pose pose_of(const double* q, bool flies)
{
    pkm_pose out = {.p = {0.0, 0.0, 0.0}};
    if (flies) memcpy(&out.p, q, sizeof out.p);
    memcpy(&out.q, flies ? q + 3 : q, sizeof out.q);
    return out;
}

/// The coordinates of a ball or a free body that was at `q0`, b moved against a by `part` of the
/// offset: shift before turn, both in the axes of a. Where the tree runs from b to a, it stores the
/// pose of a against b.
static void set_spatial(const pkm_body* tree, const double* q0, const double* offset, double part,
                        double* q)
{
    const bool flies = tree->n_v == 6;
    pkm_pose x = pose_of(q0, flies);
    if (tree->reversed) x = pkm_pose_inverse(x);
    if (flies) x.p = pkm_vec3_axpy(x.p, part, pkm_vec3_at(offset));
    const pkm_vec3 turn = pkm_vec3_scale(part, pkm_vec3_at(flies ? offset + 3 : offset));
    x.q = pkm_quat_mul(pkm_quat_from_rotvec(turn), x.q);
    if (tree->reversed) x = pkm_pose_inverse(x);
    if (flies) memcpy(q, &x.p, sizeof x.p);
    memcpy(flies ? q + 3 : q, &x.q, sizeof x.q);
}

/// Coordinates of all given joints at `part` of their offsets from `home` [n_q].
static void set_part(const pkm_sim_settings* given, pkm_state* state, const double* home,
                     double part)
{
    for (int k = 0; k < given->n_start;) {
        const pkm_body* tree =
            &state->mech->body[state->mech->joint[given->start_joint[k]].tree_body];
        const double *offset = &given->start_offset[k], *q0 = home + tree->q_at;
        if (tree->n_v == 1)
            state->q[tree->q_at] = *q0 + part * (tree->reversed ? -*offset : *offset);
        else
            set_spatial(tree, q0, offset, part, state->q + tree->q_at);
        k += tree->n_v;
    }
}

static double longest(const pkm_sim_settings* given, double size)
{
    double most = 0.0;
    for (int k = 0; k < given->n_start; ++k) {
        const double one = fabs(given->start_offset[k]);
        most = fmax(most, given->start_slides[k] ? one / size : one);
    }
    return most;
}

/// Has a coordinate jumped since `before`? Behind a singularity loops close in other ways.
static bool has_jumped(const pkm_state* state, const double* before)
{
    for (int i = 0; i < state->mech->n_q; ++i)
        if (fabs(state->q[i] - before[i]) > MOST * STEP * fmax(1.0, state->mech->size)) return true;
    return false;
}

// ---- the watch --------------------------------------------------------------------------------

/// The rows that hold the robot while it is led: the constraints of the plant, and the joints
/// given. They lose rank where the joints do not tell the pose, or where loops close in several
/// ways; none does between two positions whose rows differ by less than the smallest singular value
/// of both (docs/theory/engine.md, 5.3).
typedef struct way {
    const pkm_sim_settings* given;
    pkm_plant* plant;
    pkm_state* state;
    int m, n;                   ///< of the matrices; m = 0: too large to be watched
    double *rows, *before;      ///< [m x n] here, and where it stood last
    double sigma, sigma_before; ///< smallest singular values of them
    double *home, *q_before;    ///< [n_q]
    double *raw, *values, *svd; ///< work
    double* memory;
} way;

static pkm_status make_way(way* w)
{
    const int n_row = pkm_plant_rows(w->plant, NULL);
    w->n = w->state->mech->n_v;
    w->m = n_row == PKM_NONE ? 0 : n_row + w->given->n_start;
    const size_t n_q = (size_t)w->state->mech->n_q, n = (size_t)w->n, m = (size_t)w->m;
    const size_t svd = m > 0 ? pkm_dense_svd_room(w->m, w->n) : 0;
    w->memory = pkm_alloc(2 * n_q + 3 * m * n + m + n + svd, sizeof(double));
    if (!w->memory) return PKM_ERR_MEMORY;
    w->home = w->memory;
    w->q_before = w->home + n_q;
    w->rows = w->q_before + n_q;
    w->before = w->rows + m * n;
    w->raw = w->before + m * n;
    w->values = w->raw + m * n;
    w->svd = w->values + m + n;
    memcpy(w->home, w->state->q, n_q * sizeof(double));
    return PKM_OK;
}

/// The rows at the present position, and their smallest singular value; 0: singular.
static void stand(way* w)
{
    // of the largest; nearer to where branches meet the loops tell less of the pose than they close
    static const double SINGULAR = 1e-4;
    const int m = w->m, n = w->n, n_row = m - w->given->n_start;
    if (m == 0) return;
    (void)pkm_plant_rows(w->plant, w->raw);
    for (int k = 0; k < n; ++k) {
        double* column = w->rows + (size_t)k * (size_t)m;
        memcpy(column, w->raw + (size_t)k * (size_t)n_row, (size_t)n_row * sizeof(double));
        memset(column + n_row, 0, (size_t)w->given->n_start * sizeof(double));
    }
    for (int k = 0; k < w->given->n_start;) {
        const pkm_mechanism* mech = w->state->mech;
        const pkm_body* tree = &mech->body[mech->joint[w->given->start_joint[k]].tree_body];
        for (int i = 0; i < tree->n_v; ++i, ++k)
            w->rows[(size_t)(tree->v_at + i) * (size_t)m + (size_t)(n_row + k)] = 1.0;
    }
    const pkm_status status = pkm_dense_svd_with(w->rows, m, n, w->values, NULL, NULL, w->svd);
    w->sigma = status == PKM_OK && m >= n ? w->values[n - 1] : 0.0;
    if (!(w->sigma > SINGULAR * w->values[0])) w->sigma = 0.0;
}

/// Where the robot stands becomes where it stood last.
static void keep(way* w)
{
    double* rows = w->rows;
    w->rows = w->before;
    w->before = rows;
    w->sigma_before = w->sigma;
    memcpy(w->q_before, w->state->q, (size_t)w->state->mech->n_q * sizeof(double));
}

/// Is no singularity between here and where it stood last? Half of sigma is left for the bend.
static bool is_clear(const way* w)
{
    double sum = 0.0;
    for (size_t i = 0; i < (size_t)w->m * (size_t)w->n; ++i)
        sum += (w->rows[i] - w->before[i]) * (w->rows[i] - w->before[i]);
    return w->m == 0 || sqrt(sum) < 0.5 * fmin(w->sigma, w->sigma_before);
}

/// To `part` of the offsets from where it stood last. PKM_RETRY: not so far at once.
static pkm_status go(way* w, double part)
{
    set_part(w->given, w->state, w->home, part);
    pkm_kinematics_position(w->state);
    const pkm_status status = pkm_plant_project(w->plant, 0.0);
    if (status == PKM_OK) stand(w);
    if (status == PKM_OK && !has_jumped(w->state, w->q_before) && is_clear(w)) {
        keep(w);
        return PKM_OK;
    }
    memcpy(w->state->q, w->q_before, (size_t)w->state->mech->n_q * sizeof(double));
    pkm_kinematics_position(w->state);
    return status == PKM_OK ? PKM_RETRY : status;
}

/// As far as it goes: the part of the offsets that is reached, less than 1 in front of a
/// singularity or of the end of the reach.
static pkm_status lead(way* w, double step, double* part)
{
    const double shortest = ldexp(step, -20), longest_step = step;
    stand(w);
    keep(w);
    *part = 0.0;
    while (*part < 1.0) {
        const double to = *part + 1.000001 * step < 1.0 ? *part + step : 1.0;
        const pkm_status status = go(w, to);
        if (status == PKM_OK) {
            *part = to;
            step = fmin(2.0 * step, longest_step);
        } else if (status != PKM_RETRY) {
            return status;
        } else if ((step = 0.5 * (to - *part)) < shortest) {
            return PKM_RETRY;
        }
    }
    return PKM_OK;
}

pkm_status pkm_sim_start_offset(const pkm_sim* s, pkm_plant* plant, pkm_state* state,
                                pkm_error* err)
{
    way w = {.given = s->settings, .plant = plant, .state = state};
    const double length = longest(w.given, fmax(state->mech->size, 1e-9));
    double part;
    if (length == 0.0) return PKM_OK;
    pkm_status status = make_way(&w);
    if (status == PKM_OK) status = lead(&w, fmin(STEP / length, 1.0), &part);
    pkm_free(w.memory);
    if (status == PKM_ERR_MEMORY) return pkm_fail(err, status, "out of memory");
    if (status != PKM_RETRY) return status;
    return pkm_fail(err, PKM_ERR_UNREACHABLE,
                    "start: beyond %.3g of the offsets (joint %s and others) loops cannot be kept "
                    "closed, or a singularity bars the way; expected smaller offsets",
                    part, state->mech->joint[w.given->start_joint[0]].name);
}
