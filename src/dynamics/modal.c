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

static size_t n_slopes(const pkm_modal_body* modal)
{
    size_t n = 0;
    for (int e = 0; e < modal->n_element; ++e)
        n += (size_t)modal->element[e].rank;
    return n;
}

/// Memory that a body needs for its elements.
static size_t element_room(const pkm_modal_body* modal)
{
    const size_t n_e = (size_t)modal->n_element, rows = n_slopes(modal) + n_e;
    return 2 * n_e + (2 + (size_t)modal->n_mode) * rows;
}

/// Places for what elements do, from `at` on; slopes and stretches stand mode by mode.
static void set_elements(const pkm_modal_body* modal, double* at, struct pkm_modal_state* m)
{
    const size_t n = (size_t)modal->n_mode, n_e = (size_t)modal->n_element;
    const size_t n_slope = n_slopes(modal), rows = n_slope + n_e;
    m->n_slope = (int)n_slope;
    m->element = at;
    m->slope = at + 2 * n_e;
    m->slope_rate = m->slope + rows;
    m->by_mode = m->slope_rate + rows;
    for (size_t k = 0; k < n; ++k) {
        size_t row = 0;
        for (size_t e = 0; e < n_e; ++e) {
            const pkm_modal_element* el = &modal->element[e];
            for (size_t r = 0; r < (size_t)el->rank; ++r, ++row)
                m->by_mode[k * rows + row] = el->slope[r * n + k];
            m->by_mode[k * rows + n_slope + e] = el->stretch[k];
        }
    }
}

pkm_status pkm_modal_allocate(pkm_state* state)
{
    const pkm_mechanism* mech = state->mech;
    size_t n_mode = 0, for_elements = 0;
    for (int i = 1; i < mech->n_body; ++i) {
        if (!mech->body[i].modal) continue;
        n_mode += (size_t)mech->body[i].modal->n_mode;
        for_elements += element_room(mech->body[i].modal);
    }
    if (n_mode == 0) return PKM_OK;
    state->modal = pkm_alloc((size_t)mech->n_body, sizeof(struct pkm_modal_state));
    state->modal_block = pkm_alloc(n_mode * (9 + 3 + 1 + 4) + for_elements, sizeof(double));
    if (!state->modal || !state->modal_block) return PKM_ERR_MEMORY;
    double* at = state->modal_block;
    for (int i = 1; i < mech->n_body; ++i) {
        if (!mech->body[i].modal) continue;
        const size_t n = (size_t)mech->body[i].modal->n_mode;
        state->modal[i] = (struct pkm_modal_state){.D = at,
                                                   .c = (pkm_vec3*)(void*)(at + 9 * n),
                                                   .rate2 = at + 12 * n,
                                                   .work = at + 13 * n};
        set_elements(mech->body[i].modal, at + 17 * n, &state->modal[i]);
        at += 17 * n + element_room(mech->body[i].modal);
    }
    return PKM_OK;
}

// ---- integrals --------------------------------------------------------------------------------

/// The vector of the skew part of integral a b': integral of a x b.
static pkm_vec3 cross_of(const double* A)
{
    return (pkm_vec3){A[7] - A[5], A[2] - A[6], A[3] - A[1]};
}

static pkm_vec3 times(const double* A, pkm_vec3 x)
{
    return (pkm_vec3){A[0] * x.x + A[3] * x.y + A[6] * x.z, A[1] * x.x + A[4] * x.y + A[7] * x.z,
                      A[2] * x.x + A[5] * x.y + A[8] * x.z};
}

static pkm_vec3 times_transposed(const double* A, pkm_vec3 x)
{
    return (pkm_vec3){A[0] * x.x + A[1] * x.y + A[2] * x.z, A[3] * x.x + A[4] * x.y + A[5] * x.z,
                      A[6] * x.x + A[7] * x.y + A[8] * x.z};
}

/// out += sum_i z_i pair_ij: integral of rho (sum z_i phi_i) phi_j'. Most entries are zero, since a
/// mode moves along few axes.
static void add_pairs(const pkm_modal_body* modal, const double* z, int j, double* out)
{
    const pkm_modal_pair *pair = modal->pair + modal->pair_at[j],
                         *end = modal->pair + modal->pair_at[j + 1];
    while (pair < end) {
        const int entry = pair->entry;
        double sum = out[entry];
        for (; pair < end && pair->entry == entry; ++pair)
            sum += z[pair->mode] * pair->value;
        out[entry] = sum;
    }
}

void pkm_modal_update(pkm_state* state, int i)
{
    const pkm_body* body = &state->mech->body[i];
    const pkm_beam_integrals* all = body->modal->integral;
    struct pkm_modal_state* m = &state->modal[i];
    const double* z = state->q + body->z_at;
    double Q[9], bent[9] = {0.0}, straight[9] = {0.0}; // sums of D_j z_j and C_j z_j
    m->first = all->first;
    for (int j = 0; j < all->n_mode; ++j) {
        double* D = m->D + 9 * j;
        const double* C = all->cross + 9 * j;
        // D_j = C_j + sum_i P_ij z_i (1.3), c_j = axial(D_j) + h_j (1.5)
        memcpy(D, C, 9 * sizeof(double));
        add_pairs(body->modal, z, j, D);
        m->c[j] = pkm_vec3_add(cross_of(D), pkm_vec3_at(all->spin + 3 * j));
        m->first = pkm_vec3_axpy(m->first, z[j], pkm_vec3_at(all->momentum + 3 * j));
        for (int k = 0; k < 9; ++k) {
            bent[k] += z[j] * D[k];
            straight[k] += z[j] * C[k];
        }
    }
    // Q = S + sum_j (D_j + C_j') z_j,  J = tr(Q) 1 - Q + J_own (1.4)
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            Q[3 * c + r] = all->second[3 * c + r] + bent[3 * c + r] + straight[3 * r + c];
    const double trace = pkm_tensor_trace(Q);
    m->J = (pkm_mat3){
        {trace - Q[0], -Q[1], -Q[2]}, {-Q[3], trace - Q[4], -Q[5]}, {-Q[6], -Q[7], trace - Q[8]}};
    m->J.x = pkm_vec3_add(m->J.x, all->own.x);
    m->J.y = pkm_vec3_add(m->J.y, all->own.y);
    m->J.z = pkm_vec3_add(m->J.z, all->own.z);
}

// ---- elastic forces ---------------------------------------------------------------------------

/// Slopes and stretches of all elements that the modes z make: four modes at a time, so that sums
/// of several rows run side by side.
static void measure_elements(const pkm_modal_body* modal, const struct pkm_modal_state* m,
                             const double* z, double* restrict out)
{
    const int n = modal->n_mode, rows = m->n_slope + modal->n_element;
    memset(out, 0, (size_t)rows * sizeof(double));
    int k = 0;
    for (; k + 4 <= n; k += 4) {
        const double *a = m->by_mode + (size_t)k * (size_t)rows, *b = a + rows, *c = b + rows;
        const double *d = c + rows, za = z[k], zb = z[k + 1], zc = z[k + 2], zd = z[k + 3];
        for (int r = 0; r < rows; ++r)
            out[r] = out[r] + za * a[r] + zb * b[r] + zc * c[r] + zd * d[r];
    }
    for (; k < n; ++k) {
        const double* a = m->by_mode + (size_t)k * (size_t)rows;
        for (int r = 0; r < rows; ++r)
            out[r] += z[k] * a[r];
    }
}

/// Axial forces of the elements [N], tension positive: k_e (b_e.z) + (Q s)_e (3.7), with the
/// shortenings s_e = |y_e|^2 / 2 of the slopes y_e. All three are left in the body's work.
static void find_axial_forces(const pkm_modal_body* modal, const double* z,
                              const struct pkm_modal_state* m)
{
    const int n_e = modal->n_element;
    double *s = m->element, *N = s + n_e;
    const double *y = m->slope, *stretch = y + m->n_slope;
    measure_elements(modal, m, z, m->slope);
    for (int e = 0; e < n_e; ++e) {
        s[e] = 0.0;
        for (int r = 0; r < modal->element[e].rank; ++r, ++y)
            s[e] += 0.5 * *y * *y;
        N[e] = modal->element[e].stiffness * stretch[e];
    }
    for (int e = 0; e < n_e; ++e)
        N[e] += pkm_dot(modal->shorten + (size_t)e * (size_t)n_e, s, n_e);
}

/// force += gradients of the elements' energies: axial forces stiffen (or soften) bending (3.6),
/// energy sum_e k_e (b_e.z) s_e + s'Q s / 2, and damping pushes along the slopes with `push` (6.3;
/// NULL: none). Needs the axial forces.
static void add_gradients(const pkm_modal_body* modal, const struct pkm_modal_state* m,
                          const double* push, double* restrict force)
{
    const int n = modal->n_mode;
    const double *s = m->element, *N = s + modal->n_element, *y = m->slope;
    for (int e = 0; e < modal->n_element; ++e) {
        const pkm_modal_element* el = &modal->element[e];
        const double along = el->stiffness * s[e], across = N[e] + (push ? push[e] : 0.0);
        for (int k = 0; k < n; ++k)
            force[k] += along * el->stretch[k];
        for (int r = 0; r < el->rank; ++r, ++y) {
            const double part = across * *y;
            for (int k = 0; k < n; ++k)
                force[k] += part * el->slope[r * n + k];
        }
    }
}

static double stiffening_energy(const pkm_modal_body* modal, const double* z,
                                const struct pkm_modal_state* m)
{
    double energy = 0.0;
    if (modal->n_element == 0) return 0.0;
    find_axial_forces(modal, z, m);
    const double *s = m->element, *N = s + modal->n_element, *stretch = m->slope + m->n_slope;
    for (int e = 0; e < modal->n_element; ++e) {
        const double linear = modal->element[e].stiffness * stretch[e];
        energy += s[e] * (linear + 0.5 * (N[e] - linear));
    }
    return energy;
}

const double* pkm_modal_axial_forces(const pkm_state* state, int i)
{
    const pkm_body* body = &state->mech->body[i];
    if (body->modal->n_element == 0) return NULL;
    find_axial_forces(body->modal, state->q + body->z_at, &state->modal[i]);
    return state->modal[i].element + body->modal->n_element;
}

/// Row k of D times a rate.
static double damping_force(const pkm_modal_body* modal, int k, const double* rate)
{
    const double* D = modal->damping_matrix;
    if (!D) return modal->damping[k] * rate[k];
    return pkm_dot(D + (size_t)k * (size_t)modal->n_mode, rate, modal->n_mode);
}

void pkm_modal_step_matrix(const pkm_modal_body* modal, double c, double* out)
{
    const int n = modal->n_mode;
    for (int k = 0; k < n * n; ++k)
        out[k] = modal->damping_matrix ? c * modal->damping_matrix[k] : 0.0;
    for (int k = 0; k < n; ++k)
        out[k * (n + 1)] +=
            c * c * modal->stiffness[k] + (modal->damping_matrix ? 0.0 : c * modal->damping[k]);
}

void pkm_modal_step_force(const pkm_modal_body* modal, double c, const double* v, const double* x,
                          double* out)
{
    for (int k = 0; k < modal->n_mode; ++k)
        out[k] = -c * modal->stiffness[k] * x[k];
    for (int k = 0; v && k < modal->n_mode; ++k)
        out[k] -= c * (damping_force(modal, k, v) + modal->stiffness[k] * c * v[k]);
}

/// Rates u of the modes that mean the rates of strain: an element that bends is stretched by its
/// linear elongation and its shortening together, u = z' + P s' (6.2). Needs the slopes.
static void strain_rates(const pkm_modal_body* modal, const double* rate,
                         const struct pkm_modal_state* m, double* restrict u)
{
    const int n = modal->n_mode;
    const double *y = m->slope, *y_rate = m->slope_rate;
    memcpy(u, rate, (size_t)n * sizeof(double));
    if (modal->n_element > 0) measure_elements(modal, m, rate, m->slope_rate);
    for (int e = 0; e < modal->n_element; ++e) {
        const double* P = modal->stretch_of + (size_t)e * (size_t)n;
        double shorter = 0.0;
        for (int r = 0; r < modal->element[e].rank; ++r, ++y, ++y_rate)
            shorter += *y * *y_rate;
        for (int k = 0; k < n; ++k)
            u[k] += shorter * P[k];
    }
}

/// force += (du/dz')' D u (6.3), of which the part along the slopes is left in `push` [n_element].
/// Needs the slopes of the elements. Returns the power that damping takes.
static double add_damping(const pkm_modal_body* modal, const double* rate,
                          const struct pkm_modal_state* m, double* push, double* force)
{
    const int n = modal->n_mode;
    double *u = m->work + 2 * n, *f = u + n, power = 0.0;
    strain_rates(modal, rate, m, u);
    for (int k = 0; k < n; ++k) {
        force[k] += f[k] = damping_force(modal, k, u);
        power += u[k] * f[k];
    }
    for (int e = 0; e < modal->n_element; ++e)
        push[e] = pkm_dot(modal->stretch_of + (size_t)e * (size_t)n, f, n);
    return power;
}

static void add_elastic(const pkm_modal_body* modal, const double* z, const double* rate,
                        struct pkm_modal_state* m, double* force)
{
    double* push = modal->is_damped ? m->slope_rate : NULL; // the rates have been used by then
    for (int k = 0; k < modal->n_mode; ++k)
        force[k] += modal->stiffness[k] * z[k];
    if (modal->n_element > 0) find_axial_forces(modal, z, m);
    m->damped = push ? add_damping(modal, rate, m, push, force) : 0.0;
    add_gradients(modal, m, push, force);
}

// ---- forces of inertia ------------------------------------------------------------------------

/// force = M x in the modes.
static void modal_mass_times(const pkm_modal_body* modal, const double* x, double* force)
{
    const int n = modal->n_mode;
    if (!modal->mass) {
        memcpy(force, x, (size_t)n * sizeof(double));
        return;
    }
    for (int j = 0; j < n; ++j)
        force[j] = pkm_dot(modal->mass + (size_t)j * (size_t)n, x, n);
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
    const pkm_beam_integrals* all = modal->integral;
    *force = pkm_vec3_add(pkm_vec3_scale(all->mass, a), pkm_vec3_cross(alpha, m->first));
    *moment = pkm_vec3_add(pkm_vec3_cross(m->first, a), pkm_mat3_mul(m->J, alpha));
    modal_mass_times(modal, x, modal_force);
    for (int j = 0; j < modal->n_mode; ++j) {
        const pkm_vec3 momentum = pkm_vec3_at(all->momentum + 3 * j);
        *force = pkm_vec3_axpy(*force, x[j], momentum);
        *moment = pkm_vec3_axpy(*moment, x[j], m->c[j]);
        modal_force[j] += pkm_vec3_dot(momentum, a) + pkm_vec3_dot(m->c[j], alpha);
    }
}

/// What velocities need: centrifugal and Coriolis forces (3.2).
static void velocity_part(const pkm_modal_body* modal, const struct pkm_modal_state* m, pkm_vec3 w,
                          const double* rate, pkm_vec3* force, pkm_vec3* moment,
                          double* modal_force)
{
    const pkm_beam_integrals* all = modal->integral;
    pkm_vec3 P = {0.0, 0.0, 0.0}, spin = P, coriolis = P;
    double trace = 0.0;
    const double w2 = pkm_vec3_dot(w, w);
    for (int j = 0; j < modal->n_mode; ++j) {
        const double* D = m->D + 9 * j;
        P = pkm_vec3_axpy(P, rate[j], pkm_vec3_at(all->momentum + 3 * j));
        spin = pkm_vec3_axpy(spin, rate[j], pkm_vec3_at(all->spin + 3 * j));
        trace += rate[j] * pkm_tensor_trace(D);
        coriolis = pkm_vec3_axpy(coriolis, -rate[j], times_transposed(D, w));
        modal_force[j] += pkm_vec3_dot(w, times(D, w)) - w2 * pkm_tensor_trace(D);
        // 2 w . integral of rho (sum phi_i z_i') x phi_j
        double moved[9] = {0.0};
        add_pairs(modal, rate, j, moved);
        modal_force[j] += 2.0 * pkm_vec3_dot(w, cross_of(moved));
    }
    coriolis = pkm_vec3_axpy(coriolis, trace, w);
    const pkm_vec3 turn = pkm_vec3_cross(w, m->first);
    *force = pkm_vec3_add(*force, pkm_vec3_cross(w, pkm_vec3_axpy(turn, 2.0, P)));
    const pkm_vec3 gyro = pkm_vec3_cross(w, pkm_vec3_add(pkm_mat3_mul(m->J, w), spin));
    *moment = pkm_vec3_add(*moment, pkm_vec3_axpy(gyro, 2.0, coriolis));
}

pkm_wrench pkm_modal_needed(pkm_state* state, int i, double* force)
{
    const pkm_body* body = &state->mech->body[i];
    const pkm_body_state* s = &state->body[i];
    struct pkm_modal_state* m = &state->modal[i];
    const double *z = state->q + body->z_at, *rate = state->v + body->e_at;
    const pkm_vec3 acc = pkm_twist_acceleration(s->V, s->A, s->p);
    const pkm_vec3 a = pkm_mat3_tmul(s->R, pkm_vec3_sub(acc, state->mech->gravity));
    pkm_vec3 f, moment;
    inertia_part(body->modal, m, a, pkm_mat3_tmul(s->R, s->A.ang), m->rate2, &f, &moment, force);
    velocity_part(body->modal, m, pkm_mat3_tmul(s->R, s->V.ang), rate, &f, &moment, force);
    add_elastic(body->modal, z, rate, m, force);
    return wrench_to_world(s, f, moment);
}

pkm_wrench pkm_modal_inertia(const pkm_state* state, int i, const double* x, double* force)
{
    const pkm_body* body = &state->mech->body[i];
    const pkm_body_state* s = &state->body[i];
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
        out[j] = wrench_to_world(&state->body[i], pkm_vec3_at(modal->integral->momentum + 3 * j),
                                 state->modal[i].c[j]);
}

pkm_wrench pkm_modal_rigid_inertia(const pkm_state* state, int i, pkm_twist A)
{
    const pkm_body_state* s = &state->body[i];
    const struct pkm_modal_state* m = &state->modal[i];
    const double mass = state->mech->body[i].modal->integral->mass;
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
    double* momentum = m->work;
    inertia_part(modal, m, v, pkm_mat3_tmul(s->R, s->V.ang), rate, &f, &moment, momentum);
    // T = (V . momentum + z'. momenta of the modes)/2, U = sum omega^2 z^2/2 + U_g (3.5)
    const double moved = pkm_twist_dot(s->V, wrench_to_world(s, f, moment));
    sum->kinetic += 0.5 * (moved + pkm_dot(momentum, rate, modal->n_mode));
    const pkm_vec3 first = pkm_mat3_mul(s->R, m->first);
    sum->potential -=
        pkm_vec3_dot(state->mech->gravity, pkm_vec3_axpy(first, modal->integral->mass, s->p));
    for (int k = 0; k < modal->n_mode; ++k)
        sum->strain += 0.5 * modal->stiffness[k] * z[k] * z[k];
    sum->strain += stiffening_energy(modal, z, m);
}

double pkm_modal_damping(const pkm_state* state)
{
    double power = 0.0;
    for (int i = 1; state->modal && i < state->mech->n_body; ++i)
        if (state->mech->body[i].modal) power += state->modal[i].damped;
    return power;
}
