/// A plain formulation of the dynamics of mechanisms, to check the engine by: absolute coordinates
/// of every body, one multiplier per constraint, dense least squares, classical Runge-Kutta steps
/// with projection. It shares no code with the engine.
///
///     M a = Q + J' lambda,   J a = gamma          x, R, v, w of the centre of mass in world axes
#ifndef PKM_TESTS_PLAIN_MECHANISM_H
#define PKM_TESTS_PLAIN_MECHANISM_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { PLAIN_BODY = 16, PLAIN_JOINT = 24, PLAIN_ROW = 6 * PLAIN_JOINT, PLAIN_SPRING = 4 };

typedef struct vec {
    double x, y, z;
} vec;

static inline vec add(vec a, vec b)
{
    return (vec){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline vec sub(vec a, vec b)
{
    return (vec){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline vec scale(double s, vec a)
{
    return (vec){s * a.x, s * a.y, s * a.z};
}
static inline double dot(vec a, vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline vec cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline double norm(vec a)
{
    return sqrt(dot(a, a));
}
static inline vec unit(vec a)
{
    return scale(1.0 / norm(a), a);
}

// ---- mechanisms -------------------------------------------------------------------------------

/// The joint types of model files.
typedef enum plain_type {
    PLAIN_FIXED,
    PLAIN_REVOLUTE,
    PLAIN_PRISMATIC,
    PLAIN_CYLINDRICAL,
    PLAIN_UNIVERSAL,
    PLAIN_SPHERICAL,
    PLAIN_PLANAR,
    PLAIN_DISTANCE,
    PLAIN_N_TYPE
} plain_type;

/// A joint: a point and an axis on each side, in the axes of its body, which at home are those of
/// the world. Body 0 is the ground.
typedef struct plain_joint {
    plain_type type;
    int a, b;
    vec pa, pb; ///< from the body's origin
    vec za, zb; ///< the same direction at home, but for universal joints
    vec xa, ya; ///< complete za
    vec xb;     ///< the direction xa on b
    double length;
    bool driven;
    double from, by; ///< of its motion
} plain_joint;

typedef struct plain_body {
    vec origin; ///< at home
    double mass, inertia[6];
    vec com;   ///< from the origin
    vec point; ///< that is watched, from the origin
} plain_body;

typedef struct plain_spring {
    int a, b;
    vec pa, pb;
    double stiffness, damping, length;
} plain_spring;

typedef struct plain {
    int n_body; ///< the ground among them
    plain_body body[PLAIN_BODY];
    int n_joint;
    plain_joint joint[PLAIN_JOINT];
    int n_spring;
    plain_spring spring[PLAIN_SPRING];
    vec gravity;
    double duration; ///< of the drives' motion [s]
} plain;

/// Where the bodies are and how they move: 13 numbers each, x, quaternion, v, w.
typedef struct plain_state {
    vec x[PLAIN_BODY], v[PLAIN_BODY], w[PLAIN_BODY];
    double q[PLAIN_BODY][4];
} plain_state;

/// Accelerations, and the forces of the drives in the order of the joints.
typedef struct plain_answer {
    vec a[PLAIN_BODY], alpha[PLAIN_BODY];
    double force[PLAIN_JOINT];
    int rank;
    double least; ///< smallest pivot by the largest: how well the rows determine the multipliers
} plain_answer;

static inline vec turned(const double* q, vec a)
{
    const vec u = {q[1], q[2], q[3]};
    const vec t = scale(2.0, cross(u, a));
    return add(add(a, scale(q[0], t)), cross(u, t));
}

static inline vec turned_back(const double* q, vec a)
{
    const double c[4] = {q[0], -q[1], -q[2], -q[3]};
    return turned(c, a);
}

static inline plain_state plain_home(const plain* p)
{
    plain_state s;
    memset(&s, 0, sizeof s);
    for (int i = 0; i < p->n_body; ++i) {
        s.x[i] = add(p->body[i].origin, p->body[i].com);
        s.q[i][0] = 1.0;
    }
    return s;
}

// ---- constraints ------------------------------------------------------------------------------

/// The rows at a state: residuals, Jacobian [row][6 body + k], minus the bias of accelerations.
typedef struct plain_rows {
    int n, n_closure;
    double c[PLAIN_ROW], rate[PLAIN_ROW], gamma[PLAIN_ROW];
    double J[PLAIN_ROW][6 * PLAIN_BODY];
} plain_rows;

static inline int new_row(plain_rows* r, double c, double gamma)
{
    r->c[r->n] = c;
    r->rate[r->n] = 0.0;
    r->gamma[r->n] = gamma;
    memset(r->J[r->n], 0, sizeof r->J[0]);
    return r->n++;
}

static inline void put(plain_rows* r, int row, int body, vec on_v, vec on_w)
{
    double* J = r->J[row] + 6 * body;
    const double value[6] = {on_v.x, on_v.y, on_v.z, on_w.x, on_w.y, on_w.z};
    for (int k = 0; k < 6; ++k)
        J[k] += value[k];
}

/// A joint at a state, in the world.
typedef struct plain_place {
    vec ra, rb; ///< from the centres of mass
    vec d;      ///< from a's point to b's
    vec dv;     ///< its rate
    vec bend;   ///< its second derivative without accelerations
    vec xa, ya, za, xb, zb;
} plain_place;

static inline plain_place place_of(const plain* p, const plain_state* s, const plain_joint* j)
{
    plain_place at;
    const double *qa = s->q[j->a], *qb = s->q[j->b];
    const vec wa = s->w[j->a], wb = s->w[j->b];
    at.ra = turned(qa, sub(j->pa, p->body[j->a].com));
    at.rb = turned(qb, sub(j->pb, p->body[j->b].com));
    at.d = sub(add(s->x[j->b], at.rb), add(s->x[j->a], at.ra));
    at.dv = sub(add(s->v[j->b], cross(wb, at.rb)), add(s->v[j->a], cross(wa, at.ra)));
    at.bend = sub(cross(wb, cross(wb, at.rb)), cross(wa, cross(wa, at.ra)));
    at.xa = turned(qa, j->xa);
    at.ya = turned(qa, j->ya);
    at.za = turned(qa, j->za);
    at.xb = turned(qb, j->xb);
    at.zb = turned(qb, j->zb);
    return at;
}

/// e . d = 0 with e on body a (or standing still): the points do not part along e.
static inline int shift_row(plain_rows* r, const plain_state* s, const plain_joint* j,
                            const plain_place* at, vec e, bool on_a)
{
    const vec wa = on_a ? s->w[j->a] : (vec){0.0, 0.0, 0.0};
    const vec e1 = cross(wa, e), e2 = cross(wa, e1);
    const double bias = dot(e, at->bend) + 2.0 * dot(e1, at->dv) + dot(e2, at->d);
    const int row = new_row(r, dot(e, at->d), -bias);
    put(r, row, j->b, e, cross(at->rb, e));
    put(r, row, j->a, scale(-1.0, e), scale(-1.0, cross(at->ra, e)));
    if (on_a) put(r, row, j->a, (vec){0.0, 0.0, 0.0}, cross(e, at->d));
    return row;
}

/// f . g = 0 with f on body a and g on body b: they stay perpendicular.
static inline void turn_row(plain_rows* r, const plain_state* s, const plain_joint* j, vec f, vec g)
{
    const vec wa = s->w[j->a], wb = s->w[j->b];
    const vec f1 = cross(wa, f), g1 = cross(wb, g);
    const double bias = dot(cross(wa, f1), g) + 2.0 * dot(f1, g1) + dot(f, cross(wb, g1));
    const int row = new_row(r, dot(f, g), -bias);
    put(r, row, j->a, (vec){0.0, 0.0, 0.0}, cross(f, g));
    put(r, row, j->b, (vec){0.0, 0.0, 0.0}, cross(g, f));
}

static inline void joint_rows(plain_rows* r, const plain* p, const plain_state* s,
                              const plain_joint* j)
{
    static const vec axis[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    const plain_place at = place_of(p, s, j);
    switch (j->type) {
    case PLAIN_FIXED:
    case PLAIN_REVOLUTE:
    case PLAIN_UNIVERSAL:
    case PLAIN_SPHERICAL:
        for (int k = 0; k < 3; ++k)
            shift_row(r, s, j, &at, axis[k], false);
        break;
    case PLAIN_PRISMATIC:
    case PLAIN_CYLINDRICAL:
        shift_row(r, s, j, &at, at.xa, true);
        shift_row(r, s, j, &at, at.ya, true);
        break;
    case PLAIN_PLANAR:
        shift_row(r, s, j, &at, at.za, true);
        break;
    case PLAIN_DISTANCE: {
        const vec e = scale(1.0 / j->length, at.d);
        const double gamma = -(dot(at.dv, at.dv) + dot(at.d, at.bend)) / j->length;
        const int row = new_row(r, 0.5 * (dot(at.d, at.d) / j->length - j->length), gamma);
        put(r, row, j->b, e, cross(at.rb, e));
        put(r, row, j->a, scale(-1.0, e), scale(-1.0, cross(at.ra, e)));
        break;
    }
    default:
        break;
    }
    if (j->type == PLAIN_UNIVERSAL) turn_row(r, s, j, at.za, at.zb);
    const bool keeps_axis = j->type == PLAIN_FIXED || j->type == PLAIN_REVOLUTE ||
                            j->type == PLAIN_PRISMATIC || j->type == PLAIN_CYLINDRICAL ||
                            j->type == PLAIN_PLANAR;
    if (keeps_axis) {
        turn_row(r, s, j, at.xa, at.zb);
        turn_row(r, s, j, at.ya, at.zb);
    }
    if (j->type == PLAIN_FIXED || j->type == PLAIN_PRISMATIC) turn_row(r, s, j, at.ya, at.xb);
}

/// Position, rate and acceleration of the motion of a drive (a quintic from rest to rest).
static inline void drive_law(const plain* p, const plain_joint* j, double t, double* out)
{
    const double T = p->duration, s = t / T;
    out[0] = j->from + j->by * s * s * s * (10.0 - 15.0 * s + 6.0 * s * s);
    out[1] = j->by / T * 30.0 * s * s * (1.0 - 2.0 * s + s * s);
    out[2] = j->by / (T * T) * 60.0 * s * (1.0 - 3.0 * s + 2.0 * s * s);
}

static inline void drive_row(plain_rows* r, const plain* p, const plain_state* s,
                             const plain_joint* j, double t)
{
    double law[3];
    const plain_place at = place_of(p, s, j);
    drive_law(p, j, t, law);
    if (j->type == PLAIN_PRISMATIC) {
        const int row = shift_row(r, s, j, &at, at.za, true);
        r->c[row] -= law[0];
        r->gamma[row] += law[2];
        r->rate[row] = law[1];
        return;
    }
    const vec wa = s->w[j->a], wb = s->w[j->b];
    double off = atan2(dot(at.ya, at.xb), dot(at.xa, at.xb)) - law[0];
    off -= 2.0 * acos(-1.0) * round(off / (2.0 * acos(-1.0)));
    const int row = new_row(r, off, law[2] - dot(cross(wa, at.za), sub(wb, wa)));
    r->rate[row] = law[1];
    put(r, row, j->a, (vec){0.0, 0.0, 0.0}, scale(-1.0, at.za));
    put(r, row, j->b, (vec){0.0, 0.0, 0.0}, at.za);
}

static inline void all_rows(plain_rows* r, const plain* p, const plain_state* s, double t)
{
    r->n = 0;
    for (int j = 0; j < p->n_joint; ++j)
        joint_rows(r, p, s, &p->joint[j]);
    r->n_closure = r->n;
    for (int j = 0; j < p->n_joint; ++j)
        if (p->joint[j].driven) drive_row(r, p, s, &p->joint[j], t);
}

// ---- least squares ----------------------------------------------------------------------------

/// Lower Cholesky factor of a body's inertia in world axes.
static inline void world_inertia(const plain_body* body, const double* q, double I[3][3])
{
    const double* J = body->inertia;
    const double local[3][3] = {{J[0], J[3], J[4]}, {J[3], J[1], J[5]}, {J[4], J[5], J[2]}};
    const vec axis[3] = {turned(q, (vec){1.0, 0.0, 0.0}), turned(q, (vec){0.0, 1.0, 0.0}),
                         turned(q, (vec){0.0, 0.0, 1.0})};
    double R[3][3];
    for (int k = 0; k < 3; ++k) {
        R[0][k] = axis[k].x;
        R[1][k] = axis[k].y;
        R[2][k] = axis[k].z;
    }
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            I[i][j] = 0.0;
            for (int k = 0; k < 3; ++k)
                for (int l = 0; l < 3; ++l)
                    I[i][j] += R[i][k] * local[k][l] * R[j][l];
        }
}

static inline void cholesky(double I[3][3], double L[3][3])
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            double left = I[i][j];
            for (int k = 0; k < (i < j ? i : j); ++k)
                left -= L[i][k] * L[j][k];
            L[i][j] = j > i ? 0.0 : j == i ? sqrt(left) : left / L[j][j];
        }
}

/// Columns of L^-1 J' with M = L L', and their orthogonal factors by modified Gram-Schmidt with
/// pivots: A P = Q R.
typedef struct plain_factor {
    int n, m, rank;
    double least;
    double A[PLAIN_ROW][6 * PLAIN_BODY]; ///< column per row of the constraints
    double Q[PLAIN_ROW][6 * PLAIN_BODY];
    double R[PLAIN_ROW][PLAIN_ROW]; ///< R[k][col]
    int pivot[PLAIN_ROW];
    double L[PLAIN_BODY][3][3], root[PLAIN_BODY];
} plain_factor;

/// y = L^-1 x for all bodies.
static inline void forward_root(const plain_factor* f, const double* x, double* y)
{
    for (int i = 0; i < f->n / 6; ++i) {
        const double(*L)[3] = f->L[i];
        for (int k = 0; k < 3; ++k)
            y[6 * i + k] = x[6 * i + k] / f->root[i];
        for (int k = 0; k < 3; ++k) {
            double left = x[6 * i + 3 + k];
            for (int l = 0; l < k; ++l)
                left -= L[k][l] * y[6 * i + 3 + l];
            y[6 * i + 3 + k] = left / L[k][k];
        }
    }
}

/// y = L'^-1 x.
static inline void backward_root(const plain_factor* f, const double* x, double* y)
{
    for (int i = 0; i < f->n / 6; ++i) {
        const double(*L)[3] = f->L[i];
        for (int k = 0; k < 3; ++k)
            y[6 * i + k] = x[6 * i + k] / f->root[i];
        for (int k = 2; k >= 0; --k) {
            double left = x[6 * i + 3 + k];
            for (int l = k + 1; l < 3; ++l)
                left -= L[l][k] * y[6 * i + 3 + l];
            y[6 * i + 3 + k] = left / L[k][k];
        }
    }
}

static inline double square_of(const double* x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i)
        sum += x[i] * x[i];
    return sum;
}

/// Take the part along `q` out of `x`; returns it.
static inline double take_out(const double* q, double* x, int n)
{
    double part = 0.0;
    for (int i = 0; i < n; ++i)
        part += q[i] * x[i];
    for (int i = 0; i < n; ++i)
        x[i] -= part * q[i];
    return part;
}

/// Rows up to 1e-7 of the largest count as dependent. The rows have the size 1, or a lever's.
static inline void orthogonalise(plain_factor* f)
{
    bool done[PLAIN_ROW] = {false};
    double first = 0.0, size[PLAIN_ROW], full[PLAIN_ROW]; // squares of lengths, left and at first
    memcpy(f->Q, f->A, sizeof f->A[0] * (size_t)f->m);
    for (int i = 0; i < f->m; ++i)
        size[i] = full[i] = square_of(f->Q[i], f->n);
    f->rank = 0;
    f->least = 1.0;
    for (int k = 0; k < f->m; ++k) {
        int best = -1;
        for (int i = 0; i < f->m; ++i)
            if (!done[i] && (best < 0 || size[i] > size[best])) best = i;
        const double most = best < 0 ? 0.0 : sqrt(square_of(f->Q[best], f->n));
        if (k == 0) first = most;
        if (best < 0 || most <= 1e-7 * first) break;
        f->least = most / first;
        done[best] = true;
        f->pivot[k] = best;
        ++f->rank;
        double* q = f->Q[best];
        for (int i = 0; i < f->n; ++i)
            q[i] /= most;
        f->R[k][best] = most;
        for (int i = 0; i < f->m; ++i) {
            if (done[i]) continue;
            f->R[k][i] = take_out(q, f->Q[i], f->n);
            size[i] -= f->R[k][i] * f->R[k][i];
            if (size[i] < 1e-8 * full[i]) size[i] = square_of(f->Q[i], f->n); // digits are lost
        }
    }
}

static inline void factor_rows(plain_factor* f, const plain* p, const plain_state* s,
                               const plain_rows* r)
{
    f->n = 6 * p->n_body;
    f->m = r->n;
    for (int i = 0; i < p->n_body; ++i) {
        double I[3][3];
        world_inertia(&p->body[i], s->q[i], I);
        cholesky(I, f->L[i]);
        f->root[i] = sqrt(p->body[i].mass);
    }
    for (int k = 0; k < r->n; ++k) {
        double J[6 * PLAIN_BODY];
        memcpy(J, r->J[k], sizeof(double) * (size_t)f->n);
        memset(J, 0, 6 * sizeof(double)); // the ground does not move
        forward_root(f, J, f->A[k]);
    }
    orthogonalise(f);
}

/// The multipliers with J M^-1 J' lambda = b (those of dependent rows are zero) and y = L^-1 J'
/// lambda, the shortest y with A' y = b.
static inline void solve_rows(const plain_factor* f, const double* b, double* lambda, double* y)
{
    double z[PLAIN_ROW];
    const int r = f->rank;
    memset(y, 0, sizeof(double) * (size_t)f->n);
    memset(lambda, 0, sizeof(double) * (size_t)f->m);
    for (int k = 0; k < r; ++k) { // R' z = b
        z[k] = b[f->pivot[k]];
        for (int l = 0; l < k; ++l)
            z[k] -= f->R[l][f->pivot[k]] * z[l];
        z[k] /= f->R[k][f->pivot[k]];
        for (int i = 0; i < f->n; ++i)
            y[i] += z[k] * f->Q[f->pivot[k]][i];
    }
    for (int k = r - 1; k >= 0; --k) { // R lambda = z
        double left = z[k];
        for (int l = k + 1; l < r; ++l)
            left -= f->R[k][f->pivot[l]] * lambda[f->pivot[l]];
        lambda[f->pivot[k]] = left / f->R[k][f->pivot[k]];
    }
}

// ---- dynamics ---------------------------------------------------------------------------------

static inline void spring_force(const plain* p, const plain_state* s, const plain_spring* k,
                                double* force)
{
    const plain_joint as_joint = {.a = k->a, .b = k->b, .pa = k->pa, .pb = k->pb};
    const plain_place at = place_of(p, s, &as_joint);
    const double length = norm(at.d);
    const vec e = scale(1.0 / length, at.d);
    const vec f =
        scale(-k->stiffness * (length - k->length) - k->damping * dot(e, at.dv), e); // on b
    const vec ma = cross(at.ra, scale(-1.0, f)), mb = cross(at.rb, f);
    const double on_a[6] = {-f.x, -f.y, -f.z, ma.x, ma.y, ma.z};
    const double on_b[6] = {f.x, f.y, f.z, mb.x, mb.y, mb.z};
    for (int i = 0; i < 6; ++i) {
        force[6 * k->a + i] += on_a[i];
        force[6 * k->b + i] += on_b[i];
    }
}

static inline void find_forces(const plain* p, const plain_state* s, double* force)
{
    memset(force, 0, sizeof(double) * 6 * (size_t)p->n_body);
    for (int i = 1; i < p->n_body; ++i) {
        double I[3][3];
        world_inertia(&p->body[i], s->q[i], I);
        const vec w = s->w[i];
        const vec Iw = {I[0][0] * w.x + I[0][1] * w.y + I[0][2] * w.z,
                        I[1][0] * w.x + I[1][1] * w.y + I[1][2] * w.z,
                        I[2][0] * w.x + I[2][1] * w.y + I[2][2] * w.z};
        const vec gyro = cross(Iw, w), g = scale(p->body[i].mass, p->gravity);
        const double value[6] = {g.x, g.y, g.z, gyro.x, gyro.y, gyro.z};
        memcpy(force + 6 * i, value, sizeof value);
    }
    for (int k = 0; k < p->n_spring; ++k)
        spring_force(p, s, &p->spring[k], force);
    memset(force, 0, 6 * sizeof(double));
}

/// Work memory; too large for the stack.
typedef struct plain_work {
    plain_rows rows;
    plain_factor factor;
} plain_work;

static inline void plain_solve(const plain* p, const plain_state* s, double t, plain_work* work,
                               plain_answer* out)
{
    double force[6 * PLAIN_BODY], free[6 * PLAIN_BODY], b[PLAIN_ROW], lambda[PLAIN_ROW];
    double y[6 * PLAIN_BODY], a[6 * PLAIN_BODY];
    plain_rows* r = &work->rows;
    plain_factor* f = &work->factor;
    all_rows(r, p, s, t);
    factor_rows(f, p, s, r);
    find_forces(p, s, force);
    forward_root(f, force, free);
    for (int k = 0; k < r->n; ++k) {
        b[k] = r->gamma[k];
        for (int i = 0; i < f->n; ++i)
            b[k] -= f->A[k][i] * free[i];
    }
    solve_rows(f, b, lambda, y);
    for (int i = 0; i < f->n; ++i)
        y[i] += free[i];
    backward_root(f, y, a);
    for (int i = 0; i < p->n_body; ++i) {
        out->a[i] = (vec){a[6 * i], a[6 * i + 1], a[6 * i + 2]};
        out->alpha[i] = (vec){a[6 * i + 3], a[6 * i + 4], a[6 * i + 5]};
    }
    for (int j = 0, k = r->n_closure; j < p->n_joint; ++j)
        out->force[j] = p->joint[j].driven ? lambda[k++] : 0.0;
    out->rank = f->rank;
    out->least = f->least;
}

/// x += h v, q turned by h w.
static inline void plain_move(const plain* p, plain_state* s, const vec* v, const vec* w, double h)
{
    for (int i = 1; i < p->n_body; ++i) {
        s->x[i] = add(s->x[i], scale(h, v[i]));
        const double angle = h * norm(w[i]);
        const vec e =
            angle == 0.0 ? (vec){0.0, 0.0, 0.0} : scale(sin(0.5 * angle) * h / angle, w[i]);
        const double d[4] = {cos(0.5 * angle), e.x, e.y, e.z}, *q = s->q[i];
        const double n[4] = {d[0] * q[0] - d[1] * q[1] - d[2] * q[2] - d[3] * q[3],
                             d[0] * q[1] + d[1] * q[0] + d[2] * q[3] - d[3] * q[2],
                             d[0] * q[2] - d[1] * q[3] + d[2] * q[0] + d[3] * q[1],
                             d[0] * q[3] + d[1] * q[2] - d[2] * q[1] + d[3] * q[0]};
        const double size = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] + n[3] * n[3]);
        for (int k = 0; k < 4; ++k)
            s->q[i][k] = n[k] / size;
    }
}

/// The shortest change, in the metric of the masses, that the right hand sides `b` ask for.
static inline void shortest(const plain* p, plain_work* work, const double* b, vec* v, vec* w)
{
    double lambda[PLAIN_ROW], y[6 * PLAIN_BODY], x[6 * PLAIN_BODY];
    solve_rows(&work->factor, b, lambda, y);
    backward_root(&work->factor, y, x);
    for (int i = 0; i < p->n_body; ++i) {
        v[i] = (vec){x[6 * i], x[6 * i + 1], x[6 * i + 2]};
        w[i] = (vec){x[6 * i + 3], x[6 * i + 4], x[6 * i + 5]};
    }
}

/// Put positions and velocities back on the constraints at time t; returns the largest residual
/// that is left.
static inline double plain_project(const plain* p, plain_state* s, double t, plain_work* work)
{
    vec v[PLAIN_BODY], w[PLAIN_BODY];
    double b[PLAIN_ROW], most = 0.0;
    plain_rows* r = &work->rows;
    for (int n = 0; n < 2; ++n) {
        all_rows(r, p, s, t);
        factor_rows(&work->factor, p, s, r);
        for (int k = 0; n == 0 && k < r->n; ++k)
            b[k] = -r->c[k];
        if (n > 0) break;
        shortest(p, work, b, v, w);
        plain_move(p, s, v, w, 1.0);
    }
    for (int k = 0; k < r->n; ++k) {
        most = fmax(most, fabs(r->c[k]));
        b[k] = r->rate[k];
        for (int i = 1; i < p->n_body; ++i) {
            const double* J = r->J[k] + 6 * i;
            const vec jv = {J[0], J[1], J[2]}, jw = {J[3], J[4], J[5]};
            b[k] -= dot(jv, s->v[i]) + dot(jw, s->w[i]);
        }
    }
    shortest(p, work, b, v, w);
    for (int i = 1; i < p->n_body; ++i) {
        s->v[i] = add(s->v[i], v[i]);
        s->w[i] = add(s->w[i], w[i]);
    }
    return most;
}

/// s + h times the rates at the state `at` with accelerations `k`; q' = (0, w) q / 2. Quaternions
/// are made unit at the end of a step.
static inline plain_state plain_ahead(const plain* p, const plain_state* s, const plain_state* at,
                                      const plain_answer* k, double h)
{
    plain_state out = *s;
    for (int i = 1; i < p->n_body; ++i) {
        const double* q = at->q[i];
        const vec u = {q[1], q[2], q[3]}, w = at->w[i];
        const vec du = add(scale(q[0], w), cross(w, u));
        const double dq[4] = {-dot(w, u), du.x, du.y, du.z};
        for (int c = 0; c < 4; ++c)
            out.q[i][c] += 0.5 * h * dq[c];
        out.x[i] = add(s->x[i], scale(h, at->v[i]));
        out.v[i] = add(s->v[i], scale(h, k->a[i]));
        out.w[i] = add(s->w[i], scale(h, k->alpha[i]));
    }
    return out;
}

/// s += weight from, all but the ground.
static inline void plain_sum(const plain* p, plain_state* s, const plain_state* from, double weight)
{
    for (int i = 1; i < p->n_body; ++i) {
        s->x[i] = add(s->x[i], scale(weight, from->x[i]));
        s->v[i] = add(s->v[i], scale(weight, from->v[i]));
        s->w[i] = add(s->w[i], scale(weight, from->w[i]));
        for (int c = 0; c < 4; ++c)
            s->q[i][c] += weight * from->q[i][c];
    }
}

/// One step of the classical method of Runge and Kutta, s1 = (2 a + 4 b + 2 c + d - 3 s) / 6 with
/// the states a, b, c, d ahead of s by its four rates, at h/2, h/2, h and h. False where the
/// constraints cannot be met any more.
static inline bool plain_step(const plain* p, plain_state* s, double t, double h, plain_work* work,
                              double* least)
{
    plain_answer k1, k2, k3, k4;
    plain_solve(p, s, t, work, &k1);
    *least = fmin(*least, k1.least);
    const plain_state a = plain_ahead(p, s, s, &k1, 0.5 * h);
    plain_solve(p, &a, t + 0.5 * h, work, &k2);
    const plain_state b = plain_ahead(p, s, &a, &k2, 0.5 * h);
    plain_solve(p, &b, t + 0.5 * h, work, &k3);
    const plain_state c = plain_ahead(p, s, &b, &k3, h);
    plain_solve(p, &c, t + h, work, &k4);
    const plain_state d = plain_ahead(p, s, &c, &k4, h);
    plain_state out;
    memset(&out, 0, sizeof out);
    out.q[0][0] = 1.0;
    out.x[0] = s->x[0];
    plain_sum(p, &out, s, -0.5);
    plain_sum(p, &out, &a, 1.0 / 3.0);
    plain_sum(p, &out, &b, 2.0 / 3.0);
    plain_sum(p, &out, &c, 1.0 / 3.0);
    plain_sum(p, &out, &d, 1.0 / 6.0);
    *s = out;
    for (int i = 1; i < p->n_body; ++i) {
        double *q = s->q[i], size = 0.0;
        for (int n = 0; n < 4; ++n)
            size += q[n] * q[n];
        for (int n = 0; n < 4; ++n)
            q[n] /= sqrt(size);
    }
    return plain_project(p, s, t + h, work) < 1e-6;
}

/// Where the watched point of body i is, its velocity and acceleration.
static inline void plain_point(const plain* p, const plain_state* s, const plain_answer* k, int i,
                               vec* out)
{
    const vec r = turned(s->q[i], sub(p->body[i].point, p->body[i].com)), w = s->w[i];
    out[0] = add(s->x[i], r);
    out[1] = add(s->v[i], cross(w, r));
    out[2] = add(k->a[i], add(cross(k->alpha[i], r), cross(w, cross(w, r))));
}

#endif
