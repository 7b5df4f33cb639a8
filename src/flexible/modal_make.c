// A reduced link as the engine wants it: frames shared by place, modes seen from a clamped place
// (1.6) to (1.9), slopes and stretches for the strain energy (3.6) to (3.8), pair integrals without
// their zeros. Equations: docs/theory/flexible.md.
#include "flexible/modal_make.h"
#include "math/lapack.h"

#include "base/error.h"
#include "flexible/damping.h"

#include <math.h>
#include <string.h>

/// What is made, and from what.
typedef struct making {
    pkm_arena* arena;
    const pkm_flexible_body* from;
    pkm_modal_body* to;
    int n, n_e;
    pkm_vec3 *at, *shift, *turn;
    const pkm_vec3 *d, *r; ///< [n] motion of the clamped place; NULL: modes of the mean axes
} making;

// ---- frames -----------------------------------------------------------------------------------

/// One frame for each place; joints and markers at the same place share it.
static pkm_status take_frames(making* m)
{
    const pkm_flexible_body* from = m->from;
    const size_t nf = (size_t)from->n_frame, n = (size_t)m->n;
    m->at = pkm_arena_alloc(m->arena, nf, sizeof *m->at);
    m->shift = pkm_arena_alloc(m->arena, nf * n, sizeof *m->shift);
    m->turn = pkm_arena_alloc(m->arena, nf * n, sizeof *m->turn);
    if (!m->at || !m->shift || !m->turn) return PKM_ERR_MEMORY;
    m->to->at = m->at;
    m->to->shift = m->shift;
    m->to->turn = m->turn;
    for (size_t f = 0; f < nf; ++f) {
        if (pkm_modal_frame_at(m->to, from->frame[f].pose.p) != PKM_NONE) continue;
        const size_t k = (size_t)m->to->n_frame++;
        m->at[k] = from->frame[f].pose.p;
        for (size_t j = 0; j < n; ++j) {
            const double *d = from->phi_d + 3 * (f * n + j), *r = from->phi_r + 3 * (f * n + j);
            m->shift[k * n + j] = (pkm_vec3){d[0], d[1], d[2]};
            m->turn[k * n + j] = (pkm_vec3){r[0], r[1], r[2]};
        }
    }
    return PKM_OK;
}

/// Take the motion of the clamped place out of all modes: of frames and of the integrals.
static pkm_status clamp(making* m, pkm_vec3 place, pkm_beam_integrals* integrals)
{
    const int n = m->n, f = pkm_modal_frame_at(m->to, place);
    if (f == PKM_NONE) return PKM_OK;
    pkm_vec3* d = pkm_arena_alloc(m->arena, 2 * (size_t)n, sizeof *d);
    double* mass = pkm_arena_alloc(m->arena, (size_t)n * (size_t)n, sizeof *mass);
    if (!d || !mass) return PKM_ERR_MEMORY;
    pkm_vec3* r = d + n;
    memcpy(d, m->shift + f * n, (size_t)n * sizeof *d);
    memcpy(r, m->turn + f * n, (size_t)n * sizeof *r);
    for (int g = 0; g < m->to->n_frame; ++g) {
        const pkm_vec3 arm = pkm_vec3_sub(m->at[g], place);
        for (int j = 0; j < n; ++j) {
            const pkm_vec3 moved = pkm_vec3_add(d[j], pkm_vec3_cross(r[j], arm));
            m->shift[g * n + j] = pkm_vec3_sub(m->shift[g * n + j], moved);
            m->turn[g * n + j] = pkm_vec3_sub(m->turn[g * n + j], r[j]);
        }
    }
    PKM_TRY(pkm_beam_integrals_clamp(&m->from->integrals, place, d, r, integrals, mass));
    m->to->clamped = f;
    m->to->mass = mass;
    m->to->integral = integrals;
    m->d = d;
    m->r = r;
    return PKM_OK;
}

// ---- elements ---------------------------------------------------------------------------------

/// Integral of slopes over element e per pair of modes, into `bend`. Seen from a clamped place the
/// line of the element turns by -r_j, so that slopes change by -r_j x e across it (1.9).
static void find_bend(const making* m, int e, double* bend)
{
    const pkm_flexible_body* from = m->from;
    const int n = m->n;
    memcpy(bend, from->bend + (size_t)e * (size_t)(n * n), (size_t)(n * n) * sizeof(double));
    if (!m->r) return;
    const pkm_vec3 along = from->sample[1 + 2 * e].axes.x;
    const double* start = from->recover + (size_t)((1 + 2 * e) * n) * PKM_FLEXIBLE_RECOVER;
    const double* end = start + (size_t)n * PKM_FLEXIBLE_RECOVER;
    for (int j = 0; j < n; ++j) {
        const pkm_vec3 tj = pkm_vec3_cross(m->r[j], along);
        for (int i = 0; i < n; ++i) {
            const double *a = start + i * PKM_FLEXIBLE_RECOVER, *b = end + i * PKM_FLEXIBLE_RECOVER;
            const pkm_vec3 rise = {b[0] - a[0], b[1] - a[1],
                                   b[2] - a[2]}; // tj is across: no stretch
            const pkm_vec3 ti = pkm_vec3_cross(m->r[i], along);
            bend[j * n + i] +=
                0.5 * from->length[e] * pkm_vec3_dot(ti, tj) - pkm_vec3_dot(rise, tj);
            bend[i * n + j] +=
                0.5 * from->length[e] * pkm_vec3_dot(ti, tj) - pkm_vec3_dot(rise, tj);
        }
    }
}

/// Rows whose squares sum up to bend: a square root from its eigenvectors. An element bends in few
/// ways, so that there are few rows.
static pkm_status take_slopes(making* m, double* bend, pkm_modal_element* element)
{
    const int n = m->n;
    double* value = pkm_arena_alloc(m->arena, (size_t)n, sizeof *value);
    if (!value) return PKM_ERR_MEMORY;
    PKM_TRY(pkm_lapack_status(pkm_dsyev('V', 'U', n, bend, n, value), PKM_ERR_CONVERGENCE));
    int first = 0;
    while (first < n && !(value[first] > 1e-13 * value[n - 1]))
        ++first;
    for (int r = first; r < n; ++r)
        for (int k = 0; k < n; ++k)
            bend[r * n + k] *= sqrt(value[r]);
    element->rank = n - first;
    element->slope = bend + first * n;
    return PKM_OK;
}

static pkm_status take_elements(making* m)
{
    const size_t n = (size_t)m->n, n_e = (size_t)m->n_e;
    pkm_modal_element* element = pkm_arena_alloc(m->arena, n_e, sizeof *element);
    double* bend = pkm_arena_alloc(m->arena, n_e * n * n, sizeof *bend);
    if (!element || !bend) return PKM_ERR_MEMORY;
    for (int e = 0; e < m->n_e; ++e, bend += n * n) {
        element[e] = (pkm_modal_element){.stiffness = m->from->EA[e] / m->from->length[e],
                                         .stretch = m->from->stretch + (size_t)e * n};
        find_bend(m, e, bend);
        PKM_TRY(take_slopes(m, bend, &element[e]));
    }
    m->to->element = element;
    m->to->n_element = m->n_e;
    return PKM_OK;
}

/// What shortening by bending does to the axial forces, as far as the modes can follow it: with
/// C = k^1/2 b and its left singular vectors U, Q = k^1/2 U U' k^1/2 (3.7). Elongations that no
/// mode has are taken to settle at once, without force. The motion of the modes that stretches the
/// elements by given lengths is P = V sigma^-1 U' k^1/2 of them (6.2).
static pkm_status take_shortening(making* m)
{
    const int n = m->n, n_e = m->n_e, least = n < n_e ? n : n_e;
    const pkm_modal_element* element = m->to->element;
    const size_t size = (size_t)n_e * (size_t)n_e;
    double* C = pkm_arena_alloc(m->arena, (size_t)n_e * (size_t)n, sizeof *C);
    double* U = pkm_arena_alloc(m->arena, size, sizeof *U);
    double* sigma = pkm_arena_alloc(m->arena, (size_t)n_e + (size_t)n, sizeof *sigma);
    double* Q = pkm_arena_alloc(m->arena, size, sizeof *Q);
    double* Vt = pkm_arena_alloc(m->arena, (size_t)n * (size_t)n, sizeof *Vt);
    double* P = pkm_arena_alloc(m->arena, (size_t)n_e * (size_t)n, sizeof *P);
    if (!C || !U || !sigma || !Q || !Vt || !P) return PKM_ERR_MEMORY;
    for (int e = 0; e < n_e; ++e)
        for (int j = 0; j < n; ++j)
            C[j * n_e + e] = sqrt(element[e].stiffness) * element[e].stretch[j];
    PKM_TRY(pkm_lapack_status(pkm_dgesvd_new('A', 'A', n_e, n, C, n_e, sigma, U, n_e, Vt, n),
                              PKM_ERR_CONVERGENCE));
    double highest = 0.0; // a mode's elongations are at most its frequency: below that is rounding
    for (int j = 0; j < n; ++j)
        highest = fmax(highest, m->from->omega[j]);
    for (int k = 0; k < least && sigma[k] > 1e-6 * highest; ++k)
        for (int e = 0; e < n_e; ++e) {
            const double part = U[k * n_e + e] * sqrt(element[e].stiffness);
            for (int f = 0; f < n_e; ++f)
                Q[e * n_e + f] += part * U[k * n_e + f] * sqrt(element[f].stiffness);
            for (int j = 0; j < n; ++j)
                P[e * n + j] += part * Vt[j * n + k] / sigma[k];
        }
    m->to->shorten = Q;
    m->to->stretch_of = P;
    return PKM_OK;
}

// ---- integrals and damping --------------------------------------------------------------------

/// The pairs without their zeros.
static pkm_status take_pairs(making* m)
{
    const double* pair = m->to->integral->pair;
    const int n = m->n, all = 9 * n * n;
    double most = 0.0;
    for (int k = 0; k < all; ++k)
        most = fmax(most, fabs(pair[k]));
    int* start = pkm_arena_alloc(m->arena, (size_t)n + 1, sizeof *start);
    pkm_modal_pair* list = pkm_arena_alloc(m->arena, (size_t)all, sizeof *list);
    if (!start || !list) return PKM_ERR_MEMORY;
    int at = 0;
    for (int j = 0; j < n; ++j) {
        start[j] = at;
        for (int entry = 0; entry < 9; ++entry)
            for (int mode = 0; mode < n; ++mode) {
                const double value = pair[9 * mode + entry];
                if (fabs(value) > 1e-14 * most) list[at++] = (pkm_modal_pair){mode, entry, value};
            }
        pair += 9 * n;
    }
    start[n] = at;
    m->to->pair_at = start;
    m->to->pair = list;
    return PKM_OK;
}

/// Ratios of damping belong to the modes between the joints.
static pkm_status take_damping(making* m, const pkm_flexible_spec* spec)
{
    const bool by_ratio =
        spec->damping == PKM_FLEXIBLE_ADAMS || spec->damping == PKM_FLEXIBLE_RATIO;
    if (!by_ratio || spec->free_damping) return PKM_OK;
    double* D = pkm_arena_alloc(m->arena, (size_t)m->n * (size_t)m->n, sizeof *D);
    m->to->damping_matrix = D;
    return D ? pkm_flexible_held_damping(m->from, spec, D) : PKM_ERR_MEMORY;
}

pkm_status pkm_modal_make(pkm_arena* arena, const pkm_flexible_body* from,
                          const pkm_flexible_spec* spec, const pkm_vec3* clamped,
                          pkm_beam_integrals* integrals, pkm_modal_body* out)
{
    making m = {.arena = arena, .from = from, .to = out, .n = from->n_mode, .n_e = from->n_element};
    double* stiffness = pkm_arena_alloc(arena, (size_t)from->n_mode, sizeof *stiffness);
    if (!stiffness) return PKM_ERR_MEMORY;
    bool is_damped = false;
    for (int k = 0; k < from->n_mode; ++k) {
        stiffness[k] = from->omega[k] * from->omega[k];
        is_damped = is_damped || from->damping[k] != 0.0;
    }
    *out = (pkm_modal_body){.body = from->body,
                            .n_mode = from->n_mode,
                            .stiffness = stiffness,
                            .is_damped = is_damped,
                            .damping = from->damping,
                            .integral = &from->integrals,
                            .clamped = PKM_NONE};
    PKM_TRY(take_frames(&m));
    if (clamped) PKM_TRY(clamp(&m, *clamped, integrals));
    PKM_TRY(take_pairs(&m));
    PKM_TRY(take_damping(&m, spec));
    if (spec->without_stiffening || m.n_e == 0) return PKM_OK;
    PKM_TRY(take_elements(&m));
    return take_shortening(&m);
}
