/// Robots with flexible links: where would the loops of their rigid links lose rank? The links let
/// the loops keep it, but what they do there hangs on how they stretch (docs/theory/simulation.md,
/// section 8).
#include "base/error.h"
#include "dynamics/kinematics.h"
#include "math/dense.h"
#include "simulate/simulation_impl.h"
#include "table/warnings.h"

#include <string.h>

static const double STRIDE = 0.02;   // [rad, sizes] between two looks
static const double FALLEN = 0.6;    // of the values beside it: looked at more closely
static const double VANISHED = 0.05; // of the values beside it: what bent links leave of zero
static const double LIMIT = 1e-9;    // of a singular value that is there, as freedoms are counted
enum { LARGEST = 150 };              // columns of the rigid links: larger robots are not watched

/// The robot at one instant.
typedef struct look {
    double t, sigma;
    double* y; ///< [n_q + n_v]
} look;

struct pkm_sim_loops {
    int m, n;          ///< rows and columns
    int rank;          ///< of the loops that close with straight links
    int* row;          ///< [m] closures, prescribed drives
    int* column;       ///< [n_v] where it stands; PKM_NONE: of a mode
    bool* bends;       ///< [n_q] is a modal coordinate
    double *B, *value; ///< [m x n], [n + m] singular values
    double* room;      ///< of their decomposition
    look seen[3];      ///< the last ones, the newest first
    int n_seen;
    double* rate[2]; ///< [n_q] work
};
typedef struct pkm_sim_loops loops;

void pkm_sim_end_loops(pkm_sim* s)
{
    loops* w = s->loops;
    if (!w) return;
    for (int k = 0; k < 3; ++k)
        pkm_free(w->seen[k].y);
    void* const blocks[] = {w->row,   w->column, w->bends,   w->B,
                            w->value, w->room,   w->rate[0], w->rate[1]};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; ++i)
        pkm_free(blocks[i]);
    pkm_free(w);
}

// ---- singular values --------------------------------------------------------------------------

/// Rows by their weights, columns by the units of their velocities, those of the modes left out.
static void fill_matrix(const pkm_sim* s, loops* w)
{
    const pkm_state* state = s->robot->state;
    const pkm_mechanism* mech = state->mech;
    memset(w->B, 0, (size_t)w->m * (size_t)w->n * sizeof(double));
    for (int i = 0; i < w->m; ++i) {
        const pkm_row* row = &mech->row[w->row[i]];
        for (int e = row->at; e < row->at + row->n_a + row->n_b; ++e) {
            const int k = mech->column[e], at = w->column[k];
            if (at == PKM_NONE) continue;
            w->B[(size_t)at * (size_t)w->m + (size_t)i] +=
                row->weight * mech->v_unit[k] * state->jacobian[e];
        }
    }
}

/// Singular values at the present positions to w->value.
static bool decompose(pkm_sim* s)
{
    static const pkm_target anywhere;
    loops* w = s->loops;
    pkm_kinematics_position(s->robot->state);
    pkm_rows_all(s->robot->state, &anywhere);
    fill_matrix(s, w);
    return pkm_dense_svd_with(w->B, w->m, w->n, w->value, NULL, NULL, w->room) == PKM_OK;
}

/// The smallest one of the rank; NaN: unknown.
static double least_value(pkm_sim* s)
{
    return decompose(s) ? s->loops->value[s->loops->rank - 1] : NAN;
}

/// At the part x between two looks, by the cubic of their positions and velocities.
static double value_between(pkm_sim* s, const look* from, const look* to, double x)
{
    const pkm_mechanism* mech = s->robot->mech;
    const double h = to->t - from->t, y = 1.0 - x;
    const double a = y * y * (1.0 + 2.0 * x), b = x * x * (1.0 + 2.0 * y);
    const double c = h * x * y * y, d = -h * x * x * y;
    double* const* rate = s->loops->rate;
    pkm_state_position_rates(mech, from->y, from->y + mech->n_q, rate[0]);
    pkm_state_position_rates(mech, to->y, to->y + mech->n_q, rate[1]);
    for (int i = 0; i < mech->n_q; ++i)
        s->robot->state->q[i] = a * from->y[i] + b * to->y[i] + c * rate[0][i] + d * rate[1][i];
    pkm_state_normalise(mech, s->robot->state->q);
    return least_value(s);
}

// ---- begin ------------------------------------------------------------------------------------

/// Which columns and coordinates belong to modes; returns how many columns do not.
static int sort_columns(const pkm_mechanism* mech, loops* w)
{
    int n = 0;
    for (int b = 0; b < mech->n_body; ++b) {
        const pkm_body* body = &mech->body[b];
        for (int k = 0; body->modal && k < body->modal->n_mode; ++k) {
            w->column[body->e_at + k] = PKM_NONE;
            w->bends[body->z_at + k] = true;
        }
    }
    for (int k = 0; k < mech->n_v; ++k)
        if (w->column[k] != PKM_NONE) w->column[k] = n++;
    return n;
}

static void list_rows(const pkm_sim* s, loops* w)
{
    const pkm_mechanism* mech = s->robot->mech;
    for (int i = 0; i < mech->n_closure; ++i)
        w->row[w->m++] = i;
    for (int d = 0; d < mech->n_drive; ++d)
        if (pkm_actuator_prescribed(s->actuator)[d]) w->row[w->m++] = mech->drive_row_at + d;
}

static pkm_status allocate(pkm_sim* s, loops* w)
{
    const pkm_mechanism* mech = s->robot->mech;
    const size_t n_q = (size_t)mech->n_q, n_v = (size_t)mech->n_v;
    w->row = pkm_alloc((size_t)(mech->n_closure + mech->n_drive), sizeof(int));
    w->column = pkm_alloc(n_v, sizeof(int));
    w->bends = pkm_alloc(n_q, sizeof(bool));
    if (!w->row || !w->column || !w->bends) return PKM_ERR_MEMORY;
    list_rows(s, w);
    w->n = sort_columns(mech, w);
    if (w->n > LARGEST || w->n == 0) return PKM_OK;
    w->B = pkm_alloc((size_t)w->m * (size_t)w->n, sizeof(double));
    w->value = pkm_alloc((size_t)(w->m + w->n), sizeof(double));
    w->room = pkm_alloc(pkm_dense_svd_room(w->m, w->n), sizeof(double));
    bool ok = w->B && w->value && w->room;
    for (int k = 0; k < 3; ++k)
        ok = (w->seen[k].y = pkm_alloc(n_q + n_v, sizeof(double))) && ok;
    for (int k = 0; k < 2; ++k)
        ok = (w->rate[k] = pkm_alloc(n_q, sizeof(double))) && ok;
    return ok ? PKM_OK : PKM_ERR_MEMORY;
}

/// With all drives prescribed the ideal motion is the one of the rigid links, and it was watched.
static bool is_led(const pkm_sim* s)
{
    for (int d = 0; d < s->robot->mech->n_drive; ++d)
        if (!pkm_actuator_prescribed(s->actuator)[d]) return false;
    return s->ideal != NULL;
}

pkm_status pkm_sim_begin_loops(pkm_sim* s)
{
    const pkm_mechanism* mech = s->robot->mech;
    if (mech->n_closure == 0 || !s->robot->state->modal || is_led(s)) return PKM_OK;
    loops* w = s->loops = pkm_alloc(1, sizeof *w);
    if (!w) return PKM_ERR_MEMORY;
    PKM_TRY(allocate(s, w));
    const int most = w->m < w->n ? w->m : w->n;
    if (w->B && decompose(s))
        while (w->rank < most && w->value[w->rank] > LIMIT * w->value[0])
            ++w->rank;
    return PKM_OK;
}

// ---- along the motion -------------------------------------------------------------------------

/// How far the rigid coordinates are from the newest look [rad, sizes].
static double moved(const pkm_sim* s, const double* y)
{
    const loops* w = s->loops;
    double most = 0.0;
    for (int i = 0; i < s->n_q; ++i)
        if (!w->bends[i])
            most = fmax(most, fabs(y[i] - w->seen[0].y[i]) / s->robot->mech->q_unit[i]);
    return most;
}

static void note(pkm_sim* s, double t, const double* y)
{
    loops* w = s->loops;
    const look oldest = w->seen[2];
    w->seen[2] = w->seen[1];
    w->seen[1] = w->seen[0];
    w->seen[0] = oldest;
    memcpy(w->seen[0].y, y, (size_t)(s->n_q + s->n_v) * sizeof(double));
    pkm_sim_load_state(s, y);
    pkm_state_normalise(s->robot->mech, s->robot->state->q);
    w->seen[0].t = t;
    w->seen[0].sigma = least_value(s);
    w->n_seen = w->n_seen < 3 ? w->n_seen + 1 : 3;
}

/// The least value between two looks, by golden sections, and when.
static double least_between(pkm_sim* s, const look* from, const look* to, double* t)
{
    enum { CUTS = 24 };
    static const double GOLD = 0.6180339887498949;
    double low = 0.0, high = 1.0, a = 1.0 - GOLD, b = GOLD;
    double at_a = value_between(s, from, to, a), at_b = value_between(s, from, to, b);
    for (int n = 0; n < CUTS; ++n) {
        if (at_a < at_b) {
            high = b;
            b = a;
            at_b = at_a;
            at_a = value_between(s, from, to, a = high - GOLD * (high - low));
        } else {
            low = a;
            a = b;
            at_a = at_b;
            at_b = value_between(s, from, to, b = low + GOLD * (high - low));
        }
    }
    *t = from->t + 0.5 * (low + high) * (to->t - from->t);
    return fmin(at_a, at_b);
}

/// Does the value vanish next to the look before, or, as it falls, between that and the newest one?
static bool vanishes(pkm_sim* s, double* t)
{
    const look *to = &s->loops->seen[0], *mid = &s->loops->seen[1], *from = &s->loops->seen[2];
    const double beside = fmax(from->sigma, to->sigma);
    const double fall = (from->sigma - mid->sigma) / (mid->t - from->t) * (to->t - mid->t);
    const bool is_least = mid->sigma <= from->sigma && mid->sigma <= to->sigma;
    const bool is_low = is_least && mid->sigma < FALLEN * beside;
    if (is_low && least_between(s, from, mid, t) < VANISHED * beside) return true;
    return (is_low || fall > FALLEN * mid->sigma) &&
           least_between(s, mid, to, t) < VANISHED * beside;
}

void pkm_sim_watch_loops(pkm_sim* s, bool is_last, pkm_table* table)
{
    loops* w = s->loops;
    const double t = pkm_sim_time(s);
    const double* y = pkm_sim_state(s);
    double when;
    if (!w || w->rank == 0) return;
    if (w->n_seen > 0 && t <= w->seen[0].t) return; // back to an event
    if (w->n_seen > 0 && !is_last && moved(s, y) < STRIDE) return;
    note(s, t, y);
    if (w->n_seen < 3 || !vanishes(s, &when)) return;
    w->n_seen = 1; // the next ones are judged beside those behind it
    pkm_warn(pkm_table_warnings(table), "singularity", when,
             "t = %.6g s: a position in which the loops of rigid links would lose rank is passed; "
             "the flexible links alone decide how the motion goes on, and small changes may lead "
             "onto another branch",
             when);
}
