// Serial singularities that drives lead through: zeros of the signed smallest singular value
// between two samples, excluded by (5.7) or found by halving. docs/theory/engine.md, section 5,
// "Passed by drives".
#include "robot/serial.h"

#include "base/memory.h"
#include "math/dot.h"
#include "robot/singularity.h"

#include <math.h>
#include <string.h>

static const double BALL = 0.4;    // of sigma: no need to look, all matrices so near are regular
static const double SAFETY = 0.5;  // of sigma, for ways that bend
static const double SHORT = 1e-10; // of the run: a step in doubt that is shorter is a passage
enum { MAX_LOOK = 20000 };         // of one stretch, a guard

pkm_status pkm_serial_begin(pkm_serial* s, int n, int n_place)
{
    *s = (pkm_serial){.n = n, .n_place = n_place};
    if (n_place == 0) return PKM_OK;
    s->place = pkm_alloc((size_t)(PKM_SERIAL_MAX + 3) * (size_t)n_place, sizeof(double));
    return s->place ? PKM_OK : PKM_ERR_MEMORY;
}

void pkm_serial_end(pkm_serial* s)
{
    pkm_free(s->place);
    s->place = NULL;
}

/// Places: of span k, then of the sample kept, then two for work.
static double* place_of(const pkm_serial* s, int k)
{
    return s->place + (size_t)k * (size_t)s->n_place;
}

/// Inlined with a constant m the loop unrolls.
static inline double change_of_all(const double* M, const double* N, int m)
{
    double sum = 0.0;
    for (int i = 0; i < m; ++i)
        sum += (M[i] - N[i]) * (M[i] - N[i]);
    return sqrt(sum);
}

static double change_of(const double* M, const double* N, int n)
{
    return n == 3 ? change_of_all(M, N, 9) : change_of_all(M, N, n * n);
}

static bool is_negative(const double* M, int n)
{
    pkm_dense_lu lu;
    pkm_dense_lu_factor(&lu, M, n);
    return pkm_dense_lu_det(&lu) < 0.0;
}

static pkm_serial_point point_of(const double* M, int n, double t)
{
    double s[PKM_DENSE_SMALL];
    pkm_serial_point p = {.t = t};
    memcpy(p.M, M, (size_t)(n * n) * sizeof(double));
    pkm_dense_small_svd(M, n, n, s, NULL);
    p.sigma = is_negative(M, n) ? -s[n - 1] : s[n - 1];
    p.next = n > 1 ? s[n - 2] : HUGE_VAL;
    p.zero = PKM_SINGULAR * pkm_norm(M, n * n);
    return p;
}

static bool is_zero(const pkm_serial_point* p)
{
    return !(fabs(p->sigma) > p->zero);
}

/// How far sigma can leave the straight line between two instants at which M differs by `change`:
/// its second derivative is |M'|^2 over the gap to the next singular value (5.7).
static double bend_of(const pkm_serial_point* a, const pkm_serial_point* b, double change)
{
    return change * change / fmin(a->next, b->next);
}

/// Is M regular between two instants? `rate` and `turn` are those of sigma and M on the way before.
static bool is_clear(const pkm_serial_point* a, const pkm_serial_point* b, int n, double rate,
                     double turn)
{
    const double h = b->t - a->t, least = fmin(fabs(a->sigma), fabs(b->sigma));
    const double change = fmax(change_of(a->M, b->M, n), turn * h);
    if (is_zero(a) || is_zero(b) || a->sigma * b->sigma < 0.0) return false;
    if (change < SAFETY * least) return true;
    return fmax(fabs(b->sigma - a->sigma), rate * h) < SAFETY * least &&
           bend_of(a, b, change) < least;
}

static void note(pkm_serial* s, double t)
{
    if (s->n_passed < PKM_SERIAL_MAX) s->passed[s->n_passed++] = t;
}

// ---- samples ----------------------------------------------------------------------------------

static void keep(pkm_serial* s, const pkm_serial_point* p, const double* place)
{
    const double h = s->begun ? p->t - s->kept.t : 0.0;
    s->rate = h > 0.0 ? fabs(p->sigma - s->kept.sigma) / h : 0.0;
    s->turn = h > 0.0 ? change_of(p->M, s->kept.M, s->n) / h : 0.0;
    s->begun = true;
    s->kept = *p;
    if (place) memcpy(place_of(s, PKM_SERIAL_MAX), place, (size_t)s->n_place * sizeof(double));
}

/// The way from the sample kept to time `t` is in doubt: a new stretch, or more of the last one.
static void add_span(pkm_serial* s, double t)
{
    const bool is_new = s->n_span == 0 || (!s->is_open && s->n_span < PKM_SERIAL_MAX);
    if (is_new) {
        const double* from = place_of(s, PKM_SERIAL_MAX);
        memcpy(place_of(s, s->n_span), from, (size_t)s->n_place * sizeof(double));
        s->from[s->n_span++] = s->kept.t;
    }
    s->to[s->n_span - 1] = t;
}

void pkm_serial_sample(pkm_serial* s, double t, const double* M, const double* place)
{
    const double h = t - s->kept.t;
    const double ball = BALL * fabs(s->kept.sigma);
    if (s->begun && s->turn * h < ball && change_of(M, s->kept.M, s->n) < ball) return;
    const pkm_serial_point now = point_of(M, s->n, t);
    const bool clear = s->begun && is_clear(&s->kept, &now, s->n, s->rate, s->turn);
    if (s->begun && s->place && !clear) add_span(s, t);
    if (s->begun && !s->place && s->kept.sigma * now.sigma < 0.0)
        note(s, t - h * now.sigma / (now.sigma - s->kept.sigma));
    s->is_open = !clear;
    keep(s, &now, place);
}

// ---- the walk ---------------------------------------------------------------------------------

/// A walk along a stretch.
typedef struct walker {
    pkm_serial* s;
    pkm_serial_look look;
    void* user;
    pkm_serial_point here, next;
    double *place, *place_next; ///< of them
    bool inside;                ///< M is singular here: a pass that is not noted yet
    double least, when;         ///< smallest |sigma| of it, and its time
} walker;

static bool stand(walker* w, double t, const double* place)
{
    double M[PKM_DENSE_SMALL * PKM_DENSE_SMALL];
    if (w->look(w->user, t, place, M, w->place_next) != PKM_OK) return false;
    w->next = point_of(M, w->s->n, t);
    return true;
}

static void step_on(walker* w)
{
    double* swap = w->place;
    w->place = w->place_next;
    w->place_next = swap;
    w->here = w->next;
}

/// The pass is at the zero between here and next, or at the smallest sigma so far.
static void see_pass(walker* w)
{
    const double a = w->here.sigma, b = w->next.sigma;
    if (!w->inside) w->least = HUGE_VAL;
    w->inside = true;
    if (a * b < 0.0 && w->least > 0.0) {
        w->least = 0.0;
        w->when = w->here.t + (w->next.t - w->here.t) * a / (a - b);
    }
    if (!(fmin(fabs(a), fabs(b)) < w->least)) return;
    w->least = fmin(fabs(a), fabs(b));
    w->when = fabs(a) < fabs(b) ? w->here.t : w->next.t;
}

static void end_pass(walker* w)
{
    if (w->inside) note(w->s, w->when);
    w->inside = false;
}

/// Inside a pass the next point still is, and nothing else happens between.
static bool stays(const walker* w, double change)
{
    return w->inside && is_zero(&w->here) && is_zero(&w->next) &&
           bend_of(&w->here, &w->next, change) < w->here.zero;
}

static void walk(walker* w, double end)
{
    const double least = SHORT * w->s->kept.t;
    double step = 0.25 * (end - w->here.t), rate = 0.0, turn = 0.0;
    if (is_zero(&w->here)) {
        w->next = w->here;
        see_pass(w);
    }
    for (int i = 0; i < MAX_LOOK && w->here.t < end; ++i) {
        const double to = w->here.t + 1.000001 * step < end ? w->here.t + step : end;
        const double h = to - w->here.t;
        const bool there = stand(w, to, w->place);
        const double change = there ? change_of(w->here.M, w->next.M, w->s->n) : HUGE_VAL;
        const bool clear = there && is_clear(&w->here, &w->next, w->s->n, rate, turn);
        if (!clear && h > least && !(there && stays(w, change))) {
            step = 0.5 * h;
            continue;
        }
        if (!there) break;
        if (clear)
            end_pass(w);
        else
            see_pass(w);
        rate = fabs(w->next.sigma - w->here.sigma) / h;
        turn = change / h;
        step = 2.0 * h;
        step_on(w);
    }
    end_pass(w);
}

void pkm_serial_locate(pkm_serial* s, pkm_serial_look look, void* user)
{
    for (int k = 0; k < s->n_span; ++k) {
        walker w = {.s = s,
                    .look = look,
                    .user = user,
                    .place = place_of(s, PKM_SERIAL_MAX + 1),
                    .place_next = place_of(s, PKM_SERIAL_MAX + 2)};
        if (!stand(&w, s->from[k], place_of(s, k))) continue;
        step_on(&w);
        walk(&w, s->to[k]);
    }
}
