// A reduced link as the engine wants it: frames shared by place, modes seen from a clamped place
// (1.6) to (1.9), slopes and stretches for the strain energy (3.6) to (3.8), pair integrals without
// their zeros. Equations: docs/theory/flexible.md.
#include "flexible/modal_make.h"
#include "math/lapack.h"
#include "math/tensor.h"

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
    pkm_vec3* at;
    pkm_mode_motion* motion;
    const pkm_vec3 *d, *r; ///< [n] motion of the clamped place; NULL: modes of the mean axes
} making;

// ---- frames -----------------------------------------------------------------------------------

/// One frame for each place; joints and markers at the same place share it.
static pkm_status take_frames(making* m)
{
    const pkm_flexible_body* from = m->from;
    const size_t nf = (size_t)from->n_frame, n = (size_t)m->n;
    m->at = pkm_arena_alloc(m->arena, nf, sizeof *m->at);
    m->motion = pkm_arena_alloc(m->arena, nf * n, sizeof *m->motion);
    if (!m->at || !m->motion) return PKM_ERR_MEMORY;
    m->to->at = m->at;
    m->to->motion = m->motion;
    for (size_t f = 0; f < nf; ++f) {
        // the same place: the same frame, whoever touches it
        if (pkm_modal_frame_at(m->to, from->frame[f].pose.p) != PKM_NONE) continue;
        const size_t k = (size_t)m->to->n_frame++;
        m->at[k] = from->frame[f].pose.p;
        for (size_t j = 0; j < n; ++j) {
            const double *d = from->phi_d + 3 * (f * n + j), *r = from->phi_r + 3 * (f * n + j);
            m->motion[k * n + j] = (pkm_mode_motion){pkm_vec3_at(d), pkm_vec3_at(r)};
        }
    }
    return PKM_OK;
}

/// Take the motion of the clamped place out of all modes: of frames and of the integrals.
static pkm_status clamp(making* m, pkm_vec3 place, pkm_beam_integrals* integrals)
{
    const int n = m->n, f = pkm_modal_frame_at(m->to, place);
    // a clamp where nothing is: the modes stay as they are
    if (f == PKM_NONE) return PKM_OK;
    pkm_vec3* d = pkm_arena_alloc(m->arena, 2 * (size_t)n, sizeof *d);
    double* mass = pkm_arena_alloc(m->arena, (size_t)n * (size_t)n, sizeof *mass);
    if (!d || !mass) return PKM_ERR_MEMORY;
    pkm_vec3* r = d + n;
    for (int j = 0; j < n; ++j) {
        d[j] = m->motion[f * n + j].shift;
        r[j] = m->motion[f * n + j].turn;
    }
    for (int g = 0; g < m->to->n_frame; ++g) {
        const pkm_vec3 arm = pkm_vec3_sub(m->at[g], place);
        for (int j = 0; j < n; ++j) {
            const pkm_vec3 moved = pkm_vec3_add(d[j], pkm_vec3_cross(r[j], arm)),
                           none = {0.0, 0.0, 0.0};
            pkm_mode_motion* motion = &m->motion[g * n + j];
            // exactly zero: the joint's frame does not move in its own axes
            motion->shift = g == f ? none : pkm_vec3_sub(motion->shift, moved);
            motion->turn = g == f ? none : pkm_vec3_sub(motion->turn, r[j]);
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

/// A slope of an element before the slopes are sorted.
typedef struct slope {
    int element, first; ///< and the first mode that makes it
    double at;          ///< from the middle of the element, in lengths
    const double* row;  ///< [n]
} slope;

/// Slopes of element e at its points into `row` [n per slope]. Seen from a clamped place the line
/// of the element turns by -r_j, so that slopes change by -r_j x e across it (1.9).
static void see_slopes(const making* m, int e, double* row)
{
    const pkm_flexible_body* from = m->from;
    const size_t n = (size_t)m->n, size = 2 * (size_t)from->n_point * n;
    memcpy(row, from->slope + (size_t)e * size, size * sizeof *row);
    if (!m->r) return;
    const pkm_mat3* axes = &from->sample[1 + 2 * e].axes;
    for (int g = 0; g < from->n_point; ++g, row += 2 * n) {
        const double root = sqrt(from->weight[g] * from->length[e]);
        for (size_t j = 0; j < n; ++j) {
            const pkm_vec3 turned = pkm_vec3_cross(m->r[j], axes->x);
            row[j] -= root * pkm_vec3_dot(turned, axes->y);
            row[n + j] -= root * pkm_vec3_dot(turned, axes->z);
        }
    }
}

/// Take away what rounding has left in the slopes of an element: modes of planes across each other
/// share nothing, modes that stretch or twist do not bend.
static void drop_rounding(size_t n, size_t n_row, double* row)
{
    static const double NOTHING = 1e-20; // of a square: 1e-10 of a slope
    double most = 0.0;
    for (size_t j = 0; j < n; ++j)
        for (size_t r = 0; r < n_row; ++r)
            most = fmax(most, row[r * n + j] * row[r * n + j]);
    for (size_t j = 0; j < n; ++j) {
        double own = 0.0;
        for (size_t r = 0; r < n_row; ++r)
            own += row[r * n + j] * row[r * n + j];
        const double least = own > NOTHING * most ? NOTHING * own : HUGE_VAL;
        for (size_t r = 0; r < n_row; ++r)
            if (!(row[r * n + j] * row[r * n + j] > least)) row[r * n + j] = 0.0;
    }
}

/// The slopes of element e that some mode makes; how many.
static int take_slopes(const making* m, int e, double* row, slope* out)
{
    const int n_row = 2 * m->from->n_point;
    int count = 0;
    see_slopes(m, e, row);
    drop_rounding((size_t)m->n, (size_t)n_row, row);
    for (int r = 0; r < n_row; ++r, row += m->n) {
        int first = 0;
        while (first < m->n && row[first] == 0.0)
            ++first;
        if (first < m->n) out[count++] = (slope){e, first, m->from->at[r / 2], row};
    }
    return count;
}

/// Does mode k stretch elements? Its energy is that of all its strains.
static bool mode_stretches(const pkm_modal_body* modal, int k)
{
    static const double NO_STRETCH = 1e-20;
    double energy = 0.0;
    for (int e = 0; e < modal->n_element; ++e) {
        const pkm_modal_element* el = &modal->element[e];
        energy += el->stiffness * el->stretch[k] * el->stretch[k];
    }
    return energy > NO_STRETCH * modal->stiffness[k];
}

/// All slopes, those that the same modes make together, and the stretches behind them.
static pkm_status sort_slopes(making* m, const slope* all, int n_slope)
{
    const size_t n = (size_t)m->n, rows = (size_t)n_slope + (size_t)m->n_e;
    int* element = pkm_arena_alloc(m->arena, (size_t)n_slope + 3 * n, sizeof *element);
    double* by_mode = pkm_arena_alloc(m->arena, n * rows, sizeof *by_mode);
    double* place = pkm_arena_alloc(m->arena, (size_t)n_slope, sizeof *place);
    if (!element || !by_mode || !place) return PKM_ERR_MEMORY;
    int *first = element + n_slope, *behind = first + n, *order = behind + n, at = 0;
    // slopes of the modes that make them side by side: each mode then has a short range of rows
    for (int mode = 0; mode < m->n; ++mode)
        for (int s = 0; s < n_slope; ++s) {
            if (all[s].first != mode) continue;
            for (int k = 0; k < m->n; ++k) {
                if (all[s].row[k] == 0.0) continue;
                by_mode[(size_t)k * rows + (size_t)at] = all[s].row[k];
                if (behind[k] == 0) first[k] = at;
                behind[k] = at + 1;
            }
            place[at] = all[s].at;
            element[at++] = all[s].element;
        }
    bool* stretches = pkm_arena_alloc(m->arena, n, sizeof *stretches);
    if (!stretches) return PKM_ERR_MEMORY;
    for (int k = 0; k < m->n; ++k) {
        stretches[k] = mode_stretches(m->to, k);
        for (int e = 0; e < m->n_e && stretches[k]; ++e)
            by_mode[(size_t)k * rows + (size_t)(n_slope + e)] = m->to->element[e].stretch[k];
    }
    // modes by their first row, so that neighbours share rows
    at = 0;
    for (int from = 0; from <= n_slope; ++from)
        for (int k = 0; k < m->n; ++k)
            if (first[k] == from) order[at++] = k;
    m->to->rows =
        (pkm_modal_rows){n_slope, element, place, by_mode, first, behind, stretches, order};
    return PKM_OK;
}

static pkm_status take_elements(making* m)
{
    const size_t n = (size_t)m->n, n_e = (size_t)m->n_e;
    pkm_modal_element* element = pkm_arena_alloc(m->arena, n_e, sizeof *element);
    const size_t n_row = 2 * (size_t)m->from->n_point;
    double* row = pkm_arena_alloc(m->arena, n_e * n_row * n, sizeof *row);
    slope* all = pkm_arena_alloc(m->arena, n_e * n_row, sizeof *all);
    if (!element || !row || !all) return PKM_ERR_MEMORY;
    int n_slope = 0;
    m->to->element = element;
    m->to->n_element = m->n_e;
    for (int e = 0; e < m->n_e; ++e, row += n_row * n) {
        const pkm_flexible_rise* rise = &m->from->rise[e];
        element[e] = (pkm_modal_element){.stiffness = m->from->EA[e] / m->from->length[e],
                                         .stretch = m->from->stretch + (size_t)e * n,
                                         .before = rise->before,
                                         .behind = rise->behind,
                                         .rise = rise->part};
        n_slope += take_slopes(m, e, row, all + n_slope);
    }
    return sort_slopes(m, all, n_slope);
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
    // singular values fall
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

/// Modes that move along the same axis most side by side, otherwise as they were.
static void sort_by_axes(int n, const pkm_beam_integrals* all, int* order)
{
    int count = 0;
    for (int axis = 0; axis < 3; ++axis)
        for (int j = 0; j < n; ++j) {
            const double* P = all->pair + 9 * (size_t)((n + 1) * j);
            const double most = fmax(P[0], fmax(P[4], P[8]));
            const int own = P[0] == most ? 0 : P[4] == most ? 1 : 2;
            if (own == axis) order[count++] = j;
        }
}

/// The pairs of one entry without the zeros before and behind them, behind those that are there.
/// `size` [n] are the roots of the masses of the modes, of torsion by turns: what is that much
/// smaller is left of rounding.
static void take_entry(making* m, int entry, const double* size, pkm_modal_pairs* head,
                       double* list, int* n_list)
{
    static const double NOTHING = 1e-11;
    const int n = m->n;
    pkm_modal_body* to = m->to;
    for (int j = 0; j < n; ++j) {
        const double* pair = to->integral->pair + (size_t)(9 * n) * (size_t)j + entry;
        pkm_modal_pairs row = {.at = entry * n + j, .first = n, .from = *n_list};
        int behind = 0;
        for (int k = 0; k < n; ++k) {
            const int mode = to->pair_order[k];
            const bool counts = fabs(pair[9 * mode]) > NOTHING * size[mode] * size[j];
            list[*n_list + k] = counts ? pair[9 * mode] : 0.0;
            if (counts && row.first == n) row.first = k;
            if (counts) behind = k + 1;
        }
        if (behind == 0) continue;
        row.n = behind - row.first;
        memmove(list + *n_list, list + *n_list + row.first, (size_t)row.n * sizeof *list);
        *n_list += row.n;
        head[to->n_pairs++] = row;
    }
}

/// Modes about the mean axes have no momentum; what rounding has left of it goes.
static bool has_no_momentum(size_t n, double mass, double* momentum)
{
    static const double NOTHING = 1e-11; // of what a mode of unit mass can have, sqrt(m)
    for (size_t k = 0; k < 3 * n; ++k)
        if (!(fabs(momentum[k]) <= NOTHING * sqrt(mass))) return false;
    memset(momentum, 0, 3 * n * sizeof *momentum);
    return true;
}

/// The integrals by entries, and the pairs: entries beside the diagonal first.
static pkm_status take_integrals(making* m)
{
    // by columns, entry 3 column + row: those beside the diagonal, then 0, 4, 8
    static const int ENTRY[9] = {1, 2, 3, 5, 6, 7, 0, 4, 8};
    const size_t n = (size_t)m->n;
    const pkm_beam_integrals* all = m->to->integral;
    double* cross = pkm_arena_alloc(m->arena, 13 * n, sizeof *cross);
    pkm_modal_pairs* head = pkm_arena_alloc(m->arena, 9 * n, sizeof *head);
    double* list = pkm_arena_alloc(m->arena, 9 * n * n + n, sizeof *list);
    int *order = pkm_arena_alloc(m->arena, n, sizeof *order), n_list = 0;
    if (!cross || !head || !list || !order) return PKM_ERR_MEMORY;
    double *momentum = cross + 9 * n, *size = momentum + 3 * n;
    for (size_t j = 0; j < n; ++j) {
        for (size_t entry = 0; entry < 9; ++entry)
            cross[entry * n + j] = all->cross[9 * j + entry];
        for (size_t axis = 0; axis < 3; ++axis)
            momentum[axis * n + j] = all->momentum[3 * j + axis];
        // shapes seen from a clamped place are not orthonormal
        size[j] = m->to->mass ? sqrt(fabs(m->to->mass[(n + 1) * j])) : 1.0;
    }
    sort_by_axes(m->n, all, order);
    m->to->pair_order = order;
    for (int k = 0; k < 9; ++k) {
        if (k == 6) m->to->n_skew = m->to->n_pairs;
        take_entry(m, ENTRY[k], size, head, list, &n_list);
    }
    m->to->cross = cross;
    m->to->momentum = momentum;
    m->to->is_centred = !m->to->mass && has_no_momentum(n, all->mass, momentum);
    m->to->pairs = head;
    m->to->pair = list;
    return PKM_OK;
}

/// Ratios of damping belong to the modes between the joints.
static pkm_status take_damping(making* m, const pkm_description* desc,
                               const pkm_flexible_spec* spec)
{
    // Rayleigh's damping is diagonal in the modes of the free link
    const bool by_ratio =
        spec->damping == PKM_FLEXIBLE_ADAMS || spec->damping == PKM_FLEXIBLE_RATIO;
    if (!by_ratio || spec->free_damping) return PKM_OK;
    double* D = pkm_arena_alloc(m->arena, (size_t)m->n * (size_t)m->n, sizeof *D);
    m->to->damping_matrix = D;
    return D ? pkm_flexible_held_damping(desc, m->from, spec, D) : PKM_ERR_MEMORY;
}

pkm_status pkm_modal_make(pkm_arena* arena, const pkm_description* desc,
                          const pkm_flexible_body* from, const pkm_flexible_spec* spec,
                          const pkm_vec3* clamped, pkm_beam_integrals* integrals,
                          pkm_modal_body* out)
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
    PKM_TRY(take_integrals(&m));
    PKM_TRY(take_damping(&m, desc, spec));
    if (spec->without_stiffening || m.n_e == 0) return PKM_OK;
    PKM_TRY(take_elements(&m));
    return take_shortening(&m);
}
