// A link that bends, on its floating frame: integrals over its deformed shape, forces of inertia
// and elasticity, energies. In the axes of the link, wrenches in the world's.
// docs/theory/flexible.md, section 3.
#include "dynamics/modal.h"

#include "base/memory.h"
#include "math/dot.h"
#include "math/tensor.h"

#include <string.h>

void pkm_modal_release(pkm_state* state)
{
    if (!state->modal) return;
    pkm_free(state->modal_block);
    pkm_free(state->modal);
}

/// Numbers that a body needs: for its modes, and for its elements.
static size_t room_of(const pkm_modal_body* modal)
{
    const size_t n = (size_t)modal->n_mode, n_e = (size_t)modal->n_element;
    const size_t rows = (size_t)modal->rows.n_slope + n_e;
    // one block for all links: nothing is allocated later
    // D, c, rate2, work, needed and tangent; elements; slopes, their rates and pulls; bent
    return n * (9 + 3 + 1 + 4 + 2 + n) + 6 * n_e + 3 * rows + 2 * n_e * n;
}

/// Places for them from `at` on.
static struct pkm_modal_state places(const pkm_modal_body* modal, double* at)
{
    const size_t n = (size_t)modal->n_mode, n_e = (size_t)modal->n_element;
    const size_t rows = (size_t)modal->rows.n_slope + n_e;
    struct pkm_modal_state m = {.D = at,
                                .c = at + 9 * n,
                                .rate2 = at + 12 * n,
                                .work = at + 13 * n,
                                .needed = at + 17 * n,
                                .tangent = at + 19 * n};
    m.element = m.tangent + n * n;
    m.slope = m.element + 6 * n_e;
    m.slope_rate = m.slope + rows;
    m.pull = m.slope_rate + rows;
    m.bent = m.pull + rows;
    return m;
}

pkm_status pkm_modal_allocate(pkm_state* state)
{
    const pkm_mechanism* mech = state->mech;
    size_t total = 0;
    for (int i = 1; i < mech->n_body; ++i)
        if (mech->body[i].modal) total += room_of(mech->body[i].modal);
    if (total == 0) return PKM_OK;
    state->modal = pkm_alloc((size_t)mech->n_body, sizeof(struct pkm_modal_state));
    state->modal_block = pkm_alloc(total, sizeof(double));
    if (!state->modal || !state->modal_block) return PKM_ERR_MEMORY;
    double* at = state->modal_block;
    for (int i = 1; i < mech->n_body; ++i) {
        if (!mech->body[i].modal) continue;
        state->modal[i] = places(mech->body[i].modal, at);
        at += room_of(mech->body[i].modal);
    }
    return PKM_OK;
}

// ---- integrals --------------------------------------------------------------------------------

/// out [3 x 3] = sum_j x_j A_j of matrices that stand by entries.
static void sum_matrices(const double* A, const double* x, int n, double* out)
{
    // entry by entry, the modes side by side: sums run along rows
    for (int k = 0; k < 9; ++k)
        out[k] = pkm_dot_long(A + k * n, x, n);
}

/// sum_j x_j a_j of vectors that stand by axes.
static pkm_vec3 sum_vectors(const double* a, const double* x, int n)
{
    return (pkm_vec3){pkm_dot_long(a, x, n), pkm_dot_long(a + n, x, n),
                      pkm_dot_long(a + 2 * n, x, n)};
}

/// sum_j x_j p_j, nothing about the mean axes.
static pkm_vec3 momentum_of(const pkm_modal_body* modal, const double* x)
{
    return modal->is_centred ? (pkm_vec3){0.0, 0.0, 0.0}
                             : sum_vectors(modal->momentum, x, modal->n_mode);
}

/// out_j += a_j . x of them.
static void add_along(const double* a, pkm_vec3 x, int n, double* out)
{
    pkm_add_scaled(out, x.x, a, n);
    pkm_add_scaled(out, x.y, a + n, n);
    pkm_add_scaled(out, x.z, a + 2 * n, n);
}

/// sum_j x_j h_j of the sections that turn.
static pkm_vec3 sum_spins(const pkm_modal_body* modal, const double* x)
{
    pkm_vec3 sum = {0.0, 0.0, 0.0};
    for (int j = 0; j < modal->n_mode; ++j)
        sum = pkm_vec3_axpy(sum, x[j], pkm_vec3_at(modal->integral->spin + 3 * j));
    return sum;
}

static pkm_vec3 times_transposed(const double* A, pkm_vec3 x)
{
    // A by columns
    return (pkm_vec3){A[0] * x.x + A[1] * x.y + A[2] * x.z, A[3] * x.x + A[4] * x.y + A[5] * x.z,
                      A[6] * x.x + A[7] * x.y + A[8] * x.z};
}

/// x in the order of the pairs, in the body's work.
static const double* sort_pairs(const pkm_modal_body* modal, const struct pkm_modal_state* m,
                                const double* x)
{
    // pairs that belong to one sum stand side by side then
    for (int k = 0; k < modal->n_mode; ++k)
        m->work[k] = x[modal->pair_order[k]];
    return m->work;
}

/// sum_i z_i P_ij of one j and entry: integral of rho (sum z_i phi_i) phi_j'; z sorted.
static double sum_pairs(const pkm_modal_body* modal, int row, const double* z)
{
    const pkm_modal_pairs* at = &modal->pairs[row];
    return pkm_dot_long(modal->pair + at->from, z + at->first, at->n);
}

void pkm_modal_update(pkm_state* state, int i)
{
    const pkm_body* body = &state->mech->body[i];
    const pkm_modal_body* modal = body->modal;
    const pkm_beam_integrals* all = modal->integral;
    struct pkm_modal_state* m = &state->modal[i];
    const double* z = state->q + body->z_at;
    const int n = modal->n_mode;
    double *D = m->D, *c = m->c;
    double Q[9];
    // D_j = C_j + sum_i P_ij z_i (1.3), c_j = axial(D_j) + h_j (1.5)
    memcpy(D, modal->cross, (size_t)(9 * n) * sizeof(double));
    const double* sorted = sort_pairs(modal, m, z);
    for (int row = 0; row < modal->n_pairs; ++row)
        D[modal->pairs[row].at] += sum_pairs(modal, row, sorted);
    // D is stored by columns: r_y phi_z is entry 7, r_z phi_y entry 5
    for (int j = 0; j < n; ++j) {
        const double* spin = all->spin + 3 * j;
        c[j] = D[7 * n + j] - D[5 * n + j] + spin[0];
        c[n + j] = D[2 * n + j] - D[6 * n + j] + spin[1];
        c[2 * n + j] = D[3 * n + j] - D[n + j] + spin[2];
    }
    // s = s_0 + sum_j p_j z_j (1.3)
    m->first = pkm_vec3_add(all->first, momentum_of(modal, z));
    // Q = S + sum_j (D_j + C_j') z_j,  J = tr(Q) 1 - Q + J_own (1.4); Q is symmetric
    for (int r = 0; r < 3; ++r)
        for (int k = 0; k <= r; ++k)
            Q[3 * k + r] = Q[3 * r + k] = all->second[3 * k + r] +
                                          pkm_dot_long(D + (3 * k + r) * n, z, n) +
                                          pkm_dot_long(modal->cross + (3 * r + k) * n, z, n);
    const double trace = pkm_tensor_trace(Q);
    m->J = (pkm_mat3){
        {trace - Q[0], -Q[1], -Q[2]}, {-Q[3], trace - Q[4], -Q[5]}, {-Q[6], -Q[7], trace - Q[8]}};
    m->J.x = pkm_vec3_add(m->J.x, all->own.x);
    m->J.y = pkm_vec3_add(m->J.y, all->own.y);
    m->J.z = pkm_vec3_add(m->J.z, all->own.z);
}

// ---- elastic forces ---------------------------------------------------------------------------

/// out += x a + y b
static void add_two(double* out, double x, const double* a, double y, const double* b, int n)
{
    int i = 0;
    for (; i + 2 <= n; i += 2)
        *(pkm_pair_in_array*)(void*)(out + i) +=
            x * pkm_pair_load(a + i) + y * pkm_pair_load(b + i);
    if (i < n) out[i] += x * a[i] + y * b[i];
}

/// Slopes and stretches of all elements that the modes z make, two modes at a time.
static void measure_elements(const pkm_modal_body* modal, const double* z, double* out)
{
    const pkm_modal_rows* rows = &modal->rows;
    const int n = modal->n_mode, n_slope = rows->n_slope, n_row = n_slope + modal->n_element;
    memset(out, 0, (size_t)n_row * sizeof(double));
    // neighbours in `order` have slopes in the same rows, those of bending in one plane
    for (int i = 0; i < n; i += 2) {
        const int a = rows->order[i], b = rows->order[i + 1 < n ? i + 1 : i];
        const double z_b = i + 1 < n ? z[b] : 0.0;
        const double* by_a = rows->by_mode + (size_t)a * (size_t)n_row;
        const double* by_b = rows->by_mode + (size_t)b * (size_t)n_row;
        // the rows in which either has a slope
        const int first = rows->first[a] < rows->first[b] ? rows->first[a] : rows->first[b];
        const int behind = rows->behind[a] > rows->behind[b] ? rows->behind[a] : rows->behind[b];
        add_two(out + first, z[a], by_a + first, z_b, by_b + first, behind - first);
        // bending modes stretch nothing: most end here
        if (rows->stretches[a] || rows->stretches[b])
            add_two(out + n_slope, z[a], by_a + n_slope, z_b, by_b + n_slope, modal->n_element);
    }
}

/// out_e = sum of x_r y_r over the slopes of element e, and what those beside its middle are for
/// the elements from which it has the change of its axial force, (3.10).
void pkm_modal_gather(const pkm_modal_body* modal, const struct pkm_modal_state* m, const double* x,
                      const double* y, const int range[2], double* out)
{
    const pkm_modal_rows* rows = &modal->rows;
    const size_t n_e = (size_t)modal->n_element;
    double* beside = m->element + 3 * n_e;
    memset(out, 0, n_e * sizeof(double));
    memset(beside, 0, n_e * sizeof(double));
    for (int r = range[0]; r < range[1]; ++r) {
        const double both = x[r] * y[r];
        out[rows->element[r]] += both;
        beside[rows->element[r]] += rows->at[r] * both;
    }
    for (size_t e = 0; e < n_e; ++e) {
        const pkm_modal_element* el = &modal->element[e];
        out[el->behind] += el->rise * beside[e];
        out[el->before] -= el->rise * beside[e];
    }
}

/// By how much the axial forces N + more (NULL: N alone) change along each element, (3.9).
const double* pkm_modal_rises(const pkm_modal_body* modal, const struct pkm_modal_state* m,
                              const double* N, const double* more)
{
    double* out = m->element + 4 * (size_t)modal->n_element;
    for (int e = 0; e < modal->n_element; ++e) {
        const pkm_modal_element* el = &modal->element[e];
        const double extra = more ? more[el->behind] - more[el->before] : 0.0;
        out[e] = el->rise * (N[el->behind] - N[el->before] + extra);
    }
    return out;
}

/// Axial forces of the elements [N], tension positive: k_e (b_e.z) + (Q s)_e (3.7), with the
/// shortenings s_e = |y_e|^2 / 2 of the slopes y_e. All three are left in the body's work.
static void find_axial_forces(const pkm_modal_body* modal, const double* z,
                              const struct pkm_modal_state* m)
{
    const int n_e = modal->n_element, n_slope = modal->rows.n_slope;
    double *s = m->element, *N = s + n_e;
    const double *y = m->slope, *stretch = y + n_slope;
    measure_elements(modal, z, m->slope);
    // s_e = |Y_e z|^2 / 2
    pkm_modal_gather(modal, m, y, y, (int[2]){0, n_slope}, s);
    for (int e = 0; e < n_e; ++e)
        s[e] *= 0.5;
    for (int e = 0; e < n_e; ++e)
        N[e] = modal->element[e].stiffness * stretch[e] +
               pkm_dot_long(modal->shorten + (size_t)e * (size_t)n_e, s, n_e);
}

/// force += gradients of the elements' energies: axial forces stiffen (or soften) bending (3.6),
/// energy sum_e k_e (b_e.z) s_e + s'Q s / 2, and damping pushes along the slopes with `push` (6.3;
/// NULL: none). Needs the axial forces.
static void add_gradients(const pkm_modal_body* modal, const struct pkm_modal_state* m,
                          const double* push, double* force)
{
    const pkm_modal_rows* rows = &modal->rows;
    const int n_e = modal->n_element, n_slope = rows->n_slope, n_row = n_slope + n_e;
    const double *s = m->element, *N = s + n_e;
    const double* rise = pkm_modal_rises(modal, m, N, push);
    double* pull = m->pull;
    // N Y z at the place of each slope, and what damping pushes along it
    for (int r = 0; r < n_slope; ++r) {
        const int e = rows->element[r];
        pull[r] = ((push ? N[e] + push[e] : N[e]) + rows->at[r] * rise[e]) * m->slope[r];
    }
    // k_e s_e, which pulls along b_e
    for (int e = 0; e < n_e; ++e)
        pull[n_slope + e] = modal->element[e].stiffness * s[e];
    // force += Y' (N Y z) + sum_e k_e s_e b_e, mode by mode
    for (int k = 0; k < modal->n_mode && n_e > 0; ++k) {
        const double* by = rows->by_mode + (size_t)k * (size_t)n_row;
        const int first = rows->first[k];
        force[k] += pkm_dot_long(by + first, pull + first, rows->behind[k] - first);
        if (rows->stretches[k]) force[k] += pkm_dot_long(by + n_slope, pull + n_slope, n_e);
    }
}

static double stiffening_energy(const pkm_modal_body* modal, const double* z,
                                const struct pkm_modal_state* m)
{
    double energy = 0.0;
    if (modal->n_element == 0) return 0.0;
    find_axial_forces(modal, z, m);
    const double *s = m->element, *N = s + modal->n_element;
    const double* stretch = m->slope + modal->rows.n_slope;
    // sum_e k_e (b_e.z) s_e + s'Q s/2 (3.6): N less its linear part is Q s
    for (int e = 0; e < modal->n_element; ++e) {
        const double linear = modal->element[e].stiffness * stretch[e];
        energy += s[e] * (linear + 0.5 * (N[e] - linear));
    }
    return energy;
}

pkm_modal_axial pkm_modal_axial_forces(const pkm_state* state, int i)
{
    const pkm_body* body = &state->mech->body[i];
    const pkm_modal_body* modal = body->modal;
    const struct pkm_modal_state* m = &state->modal[i];
    const int n_e = modal->n_element;
    if (n_e == 0) return (pkm_modal_axial){NULL, NULL};
    find_axial_forces(modal, state->q + body->z_at, m);
    const pkm_modal_rows* rows = &modal->rows;
    const double *N = m->element + n_e, *y = m->slope, *stretch = y + rows->n_slope;
    double* loose = m->element + 5 * n_e;
    // its force stretches an element and its slopes shorten it: less what the modes have of that
    for (int e = 0; e < n_e; ++e)
        loose[e] = N[e] / modal->element[e].stiffness - stretch[e];
    for (int r = 0; r < rows->n_slope; ++r)
        loose[rows->element[r]] -= 0.5 * y[r] * y[r];
    return (pkm_modal_axial){N, loose};
}

/// Rates u of the modes that mean the rates of strain: an element that bends is stretched by its
/// linear elongation and its shortening together, u = z' + P s' (6.2). Needs the slopes; `shorter`
/// [n_element] is work.
static void strain_rates(const pkm_modal_body* modal, const double* rate,
                         const struct pkm_modal_state* m, double* shorter, double* u)
{
    const int n = modal->n_mode, n_e = modal->n_element;
    memcpy(u, rate, (size_t)n * sizeof(double));
    if (n_e == 0) return;
    measure_elements(modal, rate, m->slope_rate);
    // s_e' = (Y_e z) . (Y_e z')
    pkm_modal_gather(modal, m, m->slope, m->slope_rate, (int[2]){0, modal->rows.n_slope}, shorter);
    // u += P s', P of (6.2) by columns
    for (int e = 0; e < n_e; ++e)
        pkm_add_scaled(u, shorter[e], modal->stretch_of + (size_t)e * (size_t)n, n);
}

/// force += (du/dz')' D u (6.3), of which the part along the slopes is left in `push` [n_element].
/// Needs the slopes of the elements. Returns the power that damping takes.
static double add_damping(const pkm_modal_body* modal, const double* rate,
                          const struct pkm_modal_state* m, double* push, double* force)
{
    const int n = modal->n_mode;
    double *u = m->work + 2 * n, *f = u + n, power = 0.0;
    // after the slopes of z: their products with those of z' are the rates of shortening
    strain_rates(modal, rate, m, push, u);
    for (int k = 0; k < n; ++k) {
        force[k] += f[k] = pkm_modal_damping_force(modal, k, u);
        power += u[k] * f[k];
    }
    // (du/dz')' = 1 + Y' (Y z)' P': the part along the slopes is P' D u
    for (int e = 0; e < modal->n_element; ++e)
        push[e] = pkm_dot(modal->stretch_of + (size_t)e * (size_t)n, f, n);
    return power;
}

static void add_elastic(const pkm_modal_body* modal, const double* z, const double* rate,
                        struct pkm_modal_state* m, double* force)
{
    // behind the shortenings and the axial forces
    double* push = modal->is_damped ? m->element + 2 * modal->n_element : NULL;
    // omega_j^2 z_j, the linear part of (3.3)
    for (int k = 0; k < modal->n_mode; ++k)
        force[k] += modal->stiffness[k] * z[k];
    // slopes and axial forces, which damping and gradients read
    if (modal->n_element > 0) find_axial_forces(modal, z, m);
    m->damped = push ? add_damping(modal, rate, m, push, force) : 0.0;
    add_gradients(modal, m, push, force);
}

// ---- forces of inertia ------------------------------------------------------------------------

/// force = M x in the modes.
static void modal_mass_times(const pkm_modal_body* modal, const double* x, double* force)
{
    const int n = modal->n_mode;
    // without a matrix the modes are orthonormal
    if (!modal->mass) {
        memcpy(force, x, (size_t)n * sizeof(double));
        return;
    }
    for (int j = 0; j < n; ++j)
        force[j] = pkm_dot_long(modal->mass + (size_t)j * (size_t)n, x, n);
}

/// Force and moment about the body's origin, body axes, as a wrench about the world origin.
static pkm_wrench wrench_to_world(const pkm_body_state* s, pkm_vec3 force, pkm_vec3 moment)
{
    return pkm_wrench_at(s->p, pkm_mat3_mul(s->R, force), pkm_mat3_mul(s->R, moment));
}

/// What accelerations need: a of the origin, alpha, z'' in body axes.
static void inertia_part(const pkm_modal_body* modal, const struct pkm_modal_state* m, pkm_vec3 a,
                         pkm_vec3 alpha, const double* x, pkm_vec3* force, pkm_vec3* moment,
                         double* modal_force)
{
    const int n = modal->n_mode;
    // left column of (3.1), rigid part first
    *force =
        pkm_vec3_add(pkm_vec3_scale(modal->integral->mass, a), pkm_vec3_cross(alpha, m->first));
    *moment = pkm_vec3_add(pkm_vec3_cross(m->first, a), pkm_mat3_mul(m->J, alpha));
    *force = pkm_vec3_add(*force, momentum_of(modal, x));
    *moment = pkm_vec3_add(*moment, sum_vectors(m->c, x, n));
    modal_mass_times(modal, x, modal_force);
    // about the mean axes modes have no momentum: p_j = 0
    if (!modal->is_centred) add_along(modal->momentum, a, n, modal_force);
    add_along(m->c, alpha, n, modal_force);
}

/// g_j += D_j : (w w' - |w|^2 1), the centrifugal forces on the modes.
static void add_centrifugal(const double* D, pkm_vec3 w, int n, double* force)
{
    const double w2 = pkm_vec3_dot(w, w);
    const double part[9] = {w.x * w.x - w2, w.x * w.y, w.x * w.z, w.x * w.y,     w.y * w.y - w2,
                            w.y * w.z,      w.x * w.z, w.y * w.z, w.z * w.z - w2};
    for (int k = 0; k < 9; ++k)
        pkm_add_scaled(force, part[k], D + k * n, n);
}

/// g_j += 2 w . integral of rho (sum phi_i z_i') x phi_j, the Coriolis forces on the modes.
static void add_coriolis(const pkm_modal_body* modal, const struct pkm_modal_state* m, pkm_vec3 w,
                         const double* rate, double* force)
{
    // of z', since pairs are summed with rates here
    const double* sorted = sort_pairs(modal, m, rate);
    const double part[9] = {0.0,        -2.0 * w.z, 2.0 * w.y, 2.0 * w.z, 0.0,
                            -2.0 * w.x, -2.0 * w.y, 2.0 * w.x, 0.0}; // 2 w . axial
    // axial parts need the entries off the diagonal alone, which come first among the rows
    for (int row = 0; row < modal->n_skew; ++row) {
        const int at = modal->pairs[row].at;
        force[at % modal->n_mode] += part[at / modal->n_mode] * sum_pairs(modal, row, sorted);
    }
}

/// What velocities need: centrifugal and Coriolis forces (3.2).
static void velocity_part(const pkm_modal_body* modal, const struct pkm_modal_state* m, pkm_vec3 w,
                          const double* rate, pkm_vec3* force, pkm_vec3* moment,
                          double* modal_force)
{
    const int n = modal->n_mode;
    double D[9]; // sum of D_j z_j'
    // right column of (3.1), the modes' forces first
    add_centrifugal(m->D, w, n, modal_force);
    add_coriolis(modal, m, w, rate, modal_force);
    sum_matrices(m->D, rate, n, D);
    const pkm_vec3 P = momentum_of(modal, rate), spin = sum_spins(modal, rate);
    const pkm_vec3 turn = pkm_vec3_cross(w, m->first);
    // w x (w x s + 2 sum p_j z_j')
    *force = pkm_vec3_add(*force, pkm_vec3_cross(w, pkm_vec3_axpy(turn, 2.0, P)));
    // w x (J w + sum h_j z_j'), then 2 (tr D w - D'w) summed over the rates
    const pkm_vec3 gyro = pkm_vec3_cross(w, pkm_vec3_add(pkm_mat3_mul(m->J, w), spin));
    const pkm_vec3 coriolis =
        pkm_vec3_axpy(pkm_vec3_scale(-1.0, times_transposed(D, w)), pkm_tensor_trace(D), w);
    *moment = pkm_vec3_add(*moment, pkm_vec3_axpy(gyro, 2.0, coriolis));
}

/// Inertia at the present accelerations, less gravity.
static void needed_inertia(const pkm_state* state, int i, pkm_vec3* f, pkm_vec3* moment,
                           double* force)
{
    const pkm_body_state* s = &state->body[i];
    const struct pkm_modal_state* m = &state->modal[i];
    // acceleration of the link's origin, less gravity, in its axes
    const pkm_vec3 acc = pkm_twist_acceleration(s->V, s->A, s->p);
    const pkm_vec3 a = pkm_mat3_tmul(s->R, pkm_vec3_sub(acc, state->mech->gravity));
    inertia_part(state->mech->body[i].modal, m, a, pkm_mat3_tmul(s->R, s->A.ang), m->rate2, f,
                 moment, force);
}

pkm_wrench pkm_modal_needed(pkm_state* state, int i, double* force)
{
    const pkm_body* body = &state->mech->body[i];
    const pkm_body_state* s = &state->body[i];
    struct pkm_modal_state* m = &state->modal[i];
    const double *z = state->q + body->z_at, *rate = state->v + body->e_at;
    const size_t n = (size_t)body->modal->n_mode;
    pkm_vec3 *f = &m->need[0], *moment = &m->need[1];
    needed_inertia(state, i, f, moment, force);
    // kept for pkm_modal_needed_again: inertia apart from all that accelerations leave alone
    m->need[2] = *f;
    m->need[3] = *moment;
    memcpy(m->needed + n, force, n * sizeof *force);
    velocity_part(body->modal, m, pkm_mat3_tmul(s->R, s->V.ang), rate, f, moment, force);
    add_elastic(body->modal, z, rate, m, force);
    memcpy(m->needed, force, n * sizeof *force);
    return wrench_to_world(s, *f, *moment);
}

pkm_wrench pkm_modal_needed_again(pkm_state* state, int i, double* force)
{
    const struct pkm_modal_state* m = &state->modal[i];
    const int n = state->mech->body[i].modal->n_mode;
    pkm_vec3 f, moment;
    needed_inertia(state, i, &f, &moment, force);
    // velocities and deflections are those of before: only the part of inertia is new
    for (int k = 0; k < n; ++k)
        force[k] = m->needed[k] + (force[k] - m->needed[n + k]);
    return wrench_to_world(&state->body[i], pkm_vec3_add(m->need[0], pkm_vec3_sub(f, m->need[2])),
                           pkm_vec3_add(m->need[1], pkm_vec3_sub(moment, m->need[3])));
}

pkm_wrench pkm_modal_inertia(const pkm_state* state, int i, const double* x, double* force)
{
    const pkm_body* body = &state->mech->body[i];
    const pkm_body_state* s = &state->body[i];
    // A is that of x alone here, without velocities and gravity
    const pkm_vec3 a = pkm_mat3_tmul(s->R, pkm_twist_at(s->A, s->p));
    pkm_vec3 f, moment;
    inertia_part(body->modal, &state->modal[i], a, pkm_mat3_tmul(s->R, s->A.ang), x, &f, &moment,
                 force);
    return wrench_to_world(s, f, moment);
}

void pkm_modal_momenta(const pkm_state* state, int i, pkm_wrench* out)
{
    const pkm_modal_body* modal = state->mech->body[i].modal;
    for (int j = 0; j < modal->n_mode; ++j)
        // momentum and angular momentum of a unit rate, p_j and c_j
        out[j] =
            wrench_to_world(&state->body[i], pkm_modal_column(modal->momentum, modal->n_mode, j),
                            pkm_modal_column(state->modal[i].c, modal->n_mode, j));
}

pkm_wrench pkm_modal_rigid_inertia(const pkm_state* state, int i, pkm_twist A)
{
    const pkm_body_state* s = &state->body[i];
    const struct pkm_modal_state* m = &state->modal[i];
    const double mass = state->mech->body[i].modal->integral->mass;
    // the rigid columns of the matrix of masses, modes at rest
    const pkm_vec3 a = pkm_mat3_tmul(s->R, pkm_twist_at(A, s->p));
    const pkm_vec3 alpha = pkm_mat3_tmul(s->R, A.ang);
    return wrench_to_world(s,
                           pkm_vec3_add(pkm_vec3_scale(mass, a), pkm_vec3_cross(alpha, m->first)),
                           pkm_vec3_add(pkm_vec3_cross(m->first, a), pkm_mat3_mul(m->J, alpha)));
}

// ---- energy -----------------------------------------------------------------------------------

void pkm_modal_energy(const pkm_state* state, int i, pkm_energy* sum)
{
    const pkm_body* body = &state->mech->body[i];
    const pkm_modal_body* modal = body->modal;
    const pkm_body_state* s = &state->body[i];
    const struct pkm_modal_state* m = &state->modal[i];
    const double *z = state->q + body->z_at, *rate = state->v + body->e_at;
    const pkm_vec3 v = pkm_mat3_tmul(s->R, pkm_twist_at(s->V, s->p));
    pkm_vec3 f, moment;
    // momenta are what inertia needs for velocities in the place of accelerations
    double* momentum = m->work;
    inertia_part(modal, m, v, pkm_mat3_tmul(s->R, s->V.ang), rate, &f, &moment, momentum);
    // T = (V . momentum + z'. momenta of the modes)/2, U = sum omega^2 z^2/2 + U_g (3.5)
    const double moved = pkm_twist_dot(s->V, wrench_to_world(s, f, moment));
    sum->kinetic += 0.5 * (moved + pkm_dot(momentum, rate, modal->n_mode));
    const pkm_vec3 first = pkm_mat3_mul(s->R, m->first);
    // U = -g . (m p + R s)
    sum->potential -=
        pkm_vec3_dot(state->mech->gravity, pkm_vec3_axpy(first, modal->integral->mass, s->p));
    for (int k = 0; k < modal->n_mode; ++k)
        sum->strain += 0.5 * modal->stiffness[k] * z[k] * z[k];
    sum->strain += stiffening_energy(modal, z, m);
}

double pkm_modal_damping(const pkm_state* state)
{
    // found by the last evaluation of elastic forces
    double power = 0.0;
    for (int i = 1; state->modal && i < state->mech->n_body; ++i)
        if (state->mech->body[i].modal) power += state->modal[i].damped;
    return power;
}
