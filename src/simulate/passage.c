/// Positions in which the loops lose rank, passed on the smooth branch by inertia
/// (docs/theory/simulation.md, section 8).
#include "base/error.h"
#include "dynamics/kinematics.h"
#include "robot/snapshots.h"
#include "simulate/simulation_impl.h"
#include "solver/collocation.h"
#include "table/warnings.h"

#include <string.h>

// A passage begins this far before the singularity [rad, sizes]: where the motion changes fast
// nearer, by halves down to the last one. Digits fall with the square of the distance.
static const double HALF_WAY = 0.03, LEAST_WAY = 0.03 / 256.0;
static const double NEAR_WAY = 0.25;  // of that: nearer, the step before is the better start
static const double LOOK_AHEAD = 6.0; // steps in which a singularity ahead is searched
static const double LONGEST = 4.0;    // of half a passage, in steps: a robot that stands is not led
static const double LOOK_INSIDE = 0.15; // [rad, sizes] of long steps
enum { MOST_LOOKS = 200, MOST_BACK = 30 };
static const double EDGE = 0.02;     // of a step: looks next to its ends
static const double VANISHED = 0.05; // of the values beside it
static const double LOST = 0.2;      // the same inside a passage, whose tip is found by a line
static const double SETTLED = 1e-12; // of the stages of a passage [sizes, rad]
static const double SMOOTH = 1e-7;   // what the projection may move on a smooth branch
// Two branches cross when the straight way misses the loops by less than this between them [sizes,
// rad]; then the singular value on any way round the corner stays below SIGMA_FLOOR, where loops
// that close to rounding do not tell the branches apart.
static const double CROSSING = 1e-11;
static const double SIGMA_FLOOR = 1e-5;

struct pkm_sim_passage {
    double* x;          ///< [n_v] direction of the smallest singular value
    double* svd;        ///< work of pkm_plant_sigma; NULL: the mechanism is too large for it
    double *y, *before; ///< [n_y] at the end and at the start of the last step
    double t_before;
    double *rate, *second, *scale; ///< [n_y]
    double sigma;                  ///< at the end of the step before; NaN: not known
    double quiet;                  ///< nothing is tried before this time
    double way;                    ///< at which distance a passage begins
    int n_back;                    ///< steps taken back since the last passage
    double limit;                  ///< the next step ends here at the latest: a passage begins
    pkm_collocation* leap;
};
typedef struct pkm_sim_passage passage;

// ---- begin and end ----------------------------------------------------------------------------

void pkm_sim_end_passages(pkm_sim* s)
{
    passage* p = s->passage;
    if (!p) return;
    void* const blocks[] = {p->x, p->svd, p->y, p->before, p->rate, p->second, p->scale};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; ++i)
        pkm_free(blocks[i]);
    pkm_collocation_free(p->leap);
    pkm_free(p);
}

static pkm_status allocate(passage* p, const pkm_sim* s)
{
    const size_t n = (size_t)s->n_y, room = pkm_plant_sigma_room(s->plant);
    p->x = pkm_alloc((size_t)s->n_v, sizeof(double));
    p->svd = room > 0 ? pkm_alloc(room, sizeof(double)) : NULL;
    p->y = pkm_alloc(n, sizeof(double));
    p->before = pkm_alloc(n, sizeof(double));
    p->rate = pkm_alloc(n, sizeof(double));
    p->second = pkm_alloc(n, sizeof(double));
    p->scale = pkm_alloc(n, sizeof(double));
    if (!p->x || (room > 0 && !p->svd) || !p->y || !p->before || !p->rate || !p->second ||
        !p->scale)
        return PKM_ERR_MEMORY;
    return pkm_collocation_create(s->n_y, &p->leap);
}

/// Links that stretch let their loops keep the rank: there is nothing to pass, and rigid_loops.c
/// watches the rigid ones.
static bool has_flexible(const pkm_mechanism* mech)
{
    for (int b = 0; b < mech->n_body; ++b)
        if (mech->body[b].modal) return true;
    return false;
}

pkm_status pkm_sim_begin_passages(pkm_sim* s)
{
    const pkm_mechanism* mech = s->robot->mech;
    if (mech->n_closure == 0 || has_flexible(mech)) return PKM_OK;
    passage* p = s->passage = pkm_alloc(1, sizeof *p);
    if (!p) return PKM_ERR_MEMORY;
    PKM_TRY(allocate(p, s));
    p->sigma = NAN;
    p->limit = HUGE_VAL;
    p->way = HALF_WAY;
    for (int k = 0; k < s->n_v; ++k) // any direction: the steps turn it
        p->x[k] = sin(1.0 + 0.7 * k) / sqrt(0.5 * s->n_v);
    memcpy(p->before, s->y, (size_t)s->n_y * sizeof(double));
    return PKM_OK;
}

void pkm_sim_forget_passages(pkm_sim* s)
{
    if (!s->passage) return;
    s->passage->sigma = NAN;
    s->passage->t_before = pkm_sim_time(s); // on the loops: events restart from there
    memcpy(s->passage->before, pkm_sim_state(s), (size_t)s->n_y * sizeof(double));
}

double pkm_sim_passage_limit(const pkm_sim* s, double next)
{
    if (!s->passage) return next;
    // the passage may have to begin further back: only explicit steps lead there
    const bool goes_back = s->stepper.kind->stable > 0.0;
    return s->passage->limit > pkm_sim_time(s) || goes_back ? fmin(next, s->passage->limit) : next;
}

// ---- watching ---------------------------------------------------------------------------------

/// The smallest singular value at positions q1 moved by dt along v and half dt^2 along a.
static double sigma_ahead(pkm_sim* s, const double* y, double dt)
{
    passage* p = s->passage;
    pkm_state* state = s->robot->state;
    const double *v = y + s->n_q, *a = p->rate + s->n_q;
    pkm_sim_load_state(s, y);
    pkm_state_normalise(s->robot->mech, state->q);
    for (int k = 0; k < s->n_v; ++k)
        state->step[k] = dt * (v[k] + 0.5 * dt * a[k]);
    pkm_state_move(s->robot->mech, state->q, state->step);
    if (p->svd) return pkm_plant_sigma(s->plant, p->svd);
    double sigma = NAN;
    if (pkm_plant_factor(s->plant) != PKM_OK) return 0.0;
    for (int n = 0; n < 4; ++n)
        sigma = pkm_plant_estimate_sigma(s->plant, p->x);
    return sigma;
}

/// How fast the robot moves [sizes/s, rad/s].
static double pace(const pkm_sim* s, const double* y)
{
    double most = 0.0;
    for (int k = 0; k < s->n_v; ++k)
        most = fmax(most, fabs(y[s->n_q + k]) / s->robot->mech->v_unit[k]);
    return most;
}

/// The time from state y to where the smallest singular value vanishes, by its slope along the
/// motion; negative when it rises.
static double time_to_singularity(pkm_sim* s, const double* y, double dt, double* sigma)
{
    *sigma = sigma_ahead(s, y, 0.0);
    const double next = sigma_ahead(s, y, dt);
    return next != *sigma ? dt * *sigma / (*sigma - next) : HUGE_VAL;
}

/// Positions inside the last step, at the part x of it, by the cubic of both ends, and the estimate
/// of their smallest singular value; 0 where there are no factors.
static double sigma_inside(pkm_sim* s, double x, double h)
{
    passage* p = s->passage;
    const double y = 1.0 - x;
    const double a = y * y * (1.0 + 2.0 * x), b = x * x * (1.0 + 2.0 * y);
    const double c = h * x * y * y, d = -h * x * x * y;
    pkm_state_position_rates(s->robot->mech, p->before, p->before + s->n_q, p->rate);
    pkm_state_position_rates(s->robot->mech, p->y, p->y + s->n_q, p->second);
    for (int i = 0; i < s->n_q; ++i)
        s->robot->state->q[i] = a * p->before[i] + b * p->y[i] + c * p->rate[i] + d * p->second[i];
    pkm_state_normalise(s->robot->mech, s->robot->state->q);
    if (pkm_plant_factor(s->plant) != PKM_OK) return 0.0;
    pkm_plant_estimate_sigma(s->plant, p->x);
    return pkm_plant_estimate_sigma(s->plant, p->x);
}

/// The least value between the parts `low` and `high` of the step, by golden sections, and where.
static double least_inside(pkm_sim* s, double h, double low, double high, double* x)
{
    enum { CUTS = 12 };
    static const double GOLD = 0.6180339887498949;
    double a = high - GOLD * (high - low), b = low + GOLD * (high - low);
    double at_a = sigma_inside(s, a, h), at_b = sigma_inside(s, b, h);
    for (int n = 0; n < CUTS; ++n) {
        if (at_a < at_b) {
            high = b;
            b = a;
            at_b = at_a;
            at_a = sigma_inside(s, a = high - GOLD * (high - low), h);
        } else {
            low = a;
            a = b;
            at_a = at_b;
            at_b = sigma_inside(s, b = low + GOLD * (high - low), h);
        }
    }
    *x = 0.5 * (low + high);
    return fmin(at_a, at_b);
}

/// Was a singularity passed inside a long step, whose error estimate saw nothing of it? The value
/// falls to nothing there and rises again.
static bool find_inside(pkm_sim* s, double t, double* t_singular)
{
    passage* p = s->passage;
    const double h = t - p->t_before;
    const double n = ceil(fmax(pace(s, p->before), pace(s, p->y)) * h / LOOK_INSIDE);
    if (!(n > 1.0)) return false;
    const int parts = n < MOST_LOOKS ? (int)n : MOST_LOOKS;
    double x[MOST_LOOKS + 3], sigma[MOST_LOOKS + 3]; // near the ends too: which way does it go?
    for (int k = 0; k < parts + 3; ++k) {
        x[k] = k == 1 ? EDGE : k == parts + 1 ? 1.0 - EDGE : (k == 0 ? 0.0 : k - 1.0) / parts;
        if (k == parts + 2) x[k] = 1.0;
        sigma[k] = sigma_inside(s, x[k], h);
    }
    for (int k = 1; k < parts + 2; ++k) {
        double at;
        if (!(sigma[k] <= sigma[k - 1] && sigma[k] <= sigma[k + 1])) continue;
        const double least = least_inside(s, h, x[k - 1], x[k + 1], &at);
        if (least > VANISHED * fmax(sigma[k - 1], sigma[k + 1])) continue;
        *t_singular = p->t_before + h * at;
        return true;
    }
    return false;
}

/// After a step to time t: is a passage due? `t_singular` is infinite when not.
static pkm_status look(pkm_sim* s, double t, double* t_singular)
{
    passage* p = s->passage;
    const double h = t - p->t_before, sigma_before = p->sigma;
    const double sigma = p->sigma = pkm_plant_estimate_sigma(s->plant, p->x);
    *t_singular = HUGE_VAL;
    if (!(p->limit > t)) p->limit = HUGE_VAL; // reached
    if (t < p->quiet && sigma > 10.0 * SIGMA_FLOOR) return PKM_OK;
    if (!(sigma < sigma_before) || !(h > 0.0)) return PKM_OK;
    const double ahead = sigma * h / (sigma_before - sigma);
    const double half = fmin(p->way / pace(s, p->y), LONGEST * h);
    if (!(ahead < LOOK_AHEAD * h + half)) return PKM_OK;

    // the factors know of the held velocities too: ask the loops themselves
    double exact;
    const pkm_ode ode = pkm_sim_ode(s);
    PKM_TRY(ode.rate(s, t, p->y, p->rate));
    const double left = time_to_singularity(s, p->y, 0.1 * fmin(ahead, half), &exact);
    if (exact < SIGMA_FLOOR && t < p->quiet) {
        s->why = PKM_STOP_UNDECIDED;
        s->t_why = t;
        return PKM_ERR_SINGULAR;
    }
    if (!(left < LOOK_AHEAD * h + half && left > -EDGE * h) || t < p->quiet) return PKM_OK;
    if (left > 1.2 * half)
        p->limit = t + left - half;
    else
        *t_singular = t + left;
    return PKM_OK;
}

// ---- passing ----------------------------------------------------------------------------------

/// Put a stage on the loops, to rounding: near the singularity what they miss is magnified.
static pkm_status polish(void* user, double t, double* y)
{
    pkm_sim* s = user;
    pkm_sim_load_state(s, y);
    pkm_state_normalise(s->robot->mech, s->robot->state->q);
    PKM_TRY(pkm_plant_polish(s->plant, t));
    pkm_sim_store_state(s, y);
    return PKM_OK;
}

/// By how much the polynomial of the passage misses the loops between its middle stages [sizes].
static double middle_gap(pkm_sim* s)
{
    enum { LOOKS = 7 };
    passage* p = s->passage;
    const pkm_mechanism* mech = s->robot->mech;
    double from, to, most = 0.0;
    pkm_collocation_stage(p->leap, PKM_COLLOCATION_STAGES / 2 - 1, &from);
    pkm_collocation_stage(p->leap, PKM_COLLOCATION_STAGES / 2, &to);
    for (int i = 0; i < LOOKS; ++i) {
        pkm_collocation_dense(p->leap, from + (to - from) * i / (LOOKS - 1), s->y);
        pkm_sim_load_state(s, s->y);
        pkm_state_normalise(mech, s->robot->state->q);
        pkm_kinematics_position(s->robot->state);
        pkm_rows_closures(s->robot->state);
        for (int r = 0; r < mech->n_closure; ++r)
            most = fmax(most, fabs(s->robot->state->residual[r]) * mech->row[r].weight);
    }
    return most;
}

/// Where it lies: the singular value falls and rises linearly between the middle stages.
static double middle(pkm_sim* s)
{
    double t[2], sigma[2];
    for (int k = 0; k < 2; ++k) {
        const int stage = PKM_COLLOCATION_STAGES / 2 - 1 + k;
        sigma[k] = sigma_ahead(s, pkm_collocation_stage(s->passage->leap, stage, &t[k]), 0.0);
    }
    return t[0] + (t[1] - t[0]) * sigma[0] / (sigma[0] + sigma[1]);
}

/// Is it one? There the singular value falls to nothing between the middle stages and rises again,
/// while a way past a position that is only nearly singular leaves most of it.
static bool loses_rank(pkm_sim* s)
{
    double t, beside = 0.0;
    for (int k = 0; k < 2; ++k) {
        const int stage = PKM_COLLOCATION_STAGES / 2 - 1 + k;
        beside =
            fmax(beside, sigma_ahead(s, pkm_collocation_stage(s->passage->leap, stage, &t), 0.0));
    }
    pkm_collocation_dense(s->passage->leap, middle(s), s->y);
    return sigma_ahead(s, s->y, 0.0) < LOST * beside;
}

/// What stages are compared by: sizes, how fast the robot moves, its kinetic energy.
static void set_scale(pkm_sim* s, const double* y)
{
    const pkm_mechanism* mech = s->robot->mech;
    const double fast = pace(s, y), speed = fast * mech->size;
    double* scale = s->passage->scale;
    memcpy(scale, mech->q_unit, (size_t)s->n_q * sizeof(double));
    for (int k = 0; k < s->n_v; ++k)
        scale[s->n_q + k] = mech->v_unit[k] * fast;
    for (int i = s->n_q + s->n_v; i < s->n_y; ++i)
        scale[i] = mech->total_mass * speed * speed;
}

/// Step from (t, y) over the singularity by collocation; false: no smooth branch leads across.
static pkm_status leap(pkm_sim* s, double t, const double* y, double h, bool* passed)
{
    passage* p = s->passage;
    pkm_ode ode = pkm_sim_ode(s);
    double off = HUGE_VAL;
    ode.project = polish;
    set_scale(s, y);
    const pkm_collocation_start start = {t, y, p->rate, p->second};
    const pkm_status status =
        pkm_collocation_step(p->leap, &ode, &start, h, p->scale, SETTLED, &off);
    *passed = status == PKM_OK && off < SMOOTH && middle_gap(s) < CROSSING;
    return status == PKM_ERR_MEMORY ? status : PKM_OK;
}

/// Rates at the start of the passage, and how they change, by a difference backwards.
static pkm_status find_rates(pkm_sim* s, double t, const double* y, double h)
{
    passage* p = s->passage;
    const pkm_ode ode = pkm_sim_ode(s);
    const double back = 1e-3 * h;
    PKM_TRY(ode.rate(s, t, y, p->rate));
    for (int i = 0; i < s->n_y; ++i)
        s->y[i] = y[i] - back * p->rate[i];
    PKM_TRY(ode.project(s, t - back, s->y));
    PKM_TRY(ode.rate(s, t - back, s->y, p->second));
    for (int i = 0; i < s->n_y; ++i)
        p->second[i] = (p->rate[i] - p->second[i]) / back;
    return PKM_OK;
}

static bool has_prescribed(const pkm_sim* s)
{
    for (int d = 0; d < s->robot->mech->n_drive; ++d)
        if (pkm_actuator_prescribed(s->actuator)[d]) return true;
    return false;
}

static void warn(const pkm_sim* s, double t, pkm_table* table)
{
    pkm_warn(pkm_table_warnings(table), "singularity", t,
             "t = %.6g s: the robot passes a position in which its loops lose rank (a %s "
             "singularity, branches cross); it goes straight on, by inertia",
             t, has_prescribed(s) ? "constraint or parallel" : "constraint");
}

/// Rows with deviations from an ideal motion, which exist only beside a singularity of it.
static pkm_status put_rows_directly(pkm_sim* s, double end, int* i, pkm_table* table,
                                    pkm_sim_report* report, pkm_error* err)
{
    for (; *i < s->settings->n_instant && pkm_sim_time_of(s, *i) <= end; ++*i) {
        pkm_collocation_dense(s->passage->leap, pkm_sim_time_of(s, *i), s->y);
        PKM_TRY(pkm_sim_put_row(s, *i, pkm_sim_time_of(s, *i), s->y, table, report, err));
    }
    return PKM_OK;
}

/// Forces are not determined where loops lose rank, but their limits are: rows inside a passage
/// are read off the polynomials through those at its stages.
static pkm_status put_rows(pkm_sim* s, double end, int* i, pkm_table* table, pkm_sim_report* report,
                           pkm_error* err)
{
    const passage* p = s->passage;
    const pkm_sim_settings* settings = s->settings;
    pkm_sim_settings quiet = *settings;
    pkm_sim_report unread = {0};
    if (s->ideal) return put_rows_directly(s, end, i, table, report, err);
    if (*i >= settings->n_instant || pkm_sim_time_of(s, *i) > end) return PKM_OK;
    pkm_table* at_stages = pkm_table_create();
    if (!at_stages) return PKM_ERR_MEMORY;
    pkm_status status = pkm_sim_add_columns(s, at_stages, err);
    quiet.snapshots = NULL;
    s->settings = &quiet;
    for (int k = 0; status == PKM_OK && k < PKM_COLLOCATION_STAGES; ++k) {
        double t;
        memcpy(s->y, pkm_collocation_stage(p->leap, k, &t), (size_t)s->n_y * sizeof(double));
        status = pkm_sim_put_row(s, *i, t, s->y, at_stages, &unread, err);
    }
    s->settings = settings;
    while (status == PKM_OK && *i < settings->n_instant && pkm_sim_time_of(s, *i) <= end) {
        double weight[PKM_COLLOCATION_STAGES];
        const double t = pkm_sim_time_of(s, *i);
        pkm_collocation_weights(p->leap, t, weight);
        pkm_collocation_dense(p->leap, t, s->y);
        double* out = pkm_table_append(table);
        if (!out) status = PKM_ERR_MEMORY;
        for (int c = 0; out && c < pkm_table_n_column(table); ++c) {
            out[c] = 0.0;
            for (int k = 0; k < PKM_COLLOCATION_STAGES; ++k)
                out[c] += weight[k] * pkm_table_get(at_stages, k, c);
        }
        if (out) out[0] = t;
        pkm_sim_load_state(s, s->y);
        pkm_state_normalise(s->robot->mech, s->robot->state->q);
        pkm_kinematics_position(s->robot->state);
        pkm_snapshots_take(settings->snapshots, s->robot->state, t);
        report->n_done = ++*i;
        report->t_end = t;
    }
    pkm_table_free(at_stages);
    return status;
}

/// Take the last step back; the next ones end before the singularity, where a passage begins.
static pkm_status go_back(pkm_sim* s, double singular)
{
    passage* p = s->passage;
    const double half = p->way / pace(s, p->before), left = singular - p->t_before;
    PKM_TRY(pkm_sim_restart(s, p->t_before, p->before, 0.0));
    p->limit = p->t_before + fmax(left - half, 0.5 * left);
    p->sigma = NAN;
    if (++p->n_back < MOST_BACK) return PKM_OK;
    p->quiet = singular + left; // it is not to be had
    p->limit = HUGE_VAL;
    return PKM_OK;
}

/// Try to pass it from `from` at time t; from nearer the next time when that fails.
static pkm_status try_leap(pkm_sim* s, double t, const double* from, double singular, double next,
                           bool* passed)
{
    passage* p = s->passage;
    const double end = 2.0 * singular - t;
    *passed = false;
    if (end <= next || next >= s->settings->end_time) {
        PKM_TRY(find_rates(s, t, from, end - t));
        PKM_TRY(leap(s, t, from, end - t, passed));
        if (*passed && !loses_rank(s)) { // nothing to pass: the steps go on
            *passed = false;
            p->way = 0.0;
        }
    } else { // the equations change soon: from nearer
        p->way = 1.8 * (next - singular) * pace(s, from);
    }
    p->way *= 0.5;
    p->limit = singular - p->way / pace(s, from);
    if (!*passed && p->way >= LEAST_WAY) return PKM_OK;
    p->quiet = end;
    p->way = HALF_WAY;
    p->limit = HUGE_VAL;
    p->n_back = 0;
    return PKM_OK;
}

/// The steps go on behind the passage that has been made from time t.
static pkm_status go_on(pkm_sim* s, double t, int* i, pkm_table* table, pkm_sim_report* report,
                        pkm_error* err)
{
    passage* p = s->passage;
    const double end = p->quiet;
    PKM_TRY(pkm_sim_put_rows(s, t, i, table, report, err));
    if (pkm_plant_n_free(s->plant) == 0) {
        s->why = PKM_STOP_DRIVEN;
        s->t_why = middle(s);
        return PKM_ERR_SINGULAR;
    }
    PKM_TRY(put_rows(s, end, i, table, report, err));
    warn(s, middle(s), table);
    memcpy(p->before, pkm_collocation_end(p->leap), (size_t)s->n_y * sizeof(double));
    p->t_before = end;
    p->sigma = NAN;
    return pkm_sim_restart(s, end, p->before, 0.0);
}

pkm_status pkm_sim_pass_singularity(pkm_sim* s, double next, int* i, bool* passed, pkm_table* table,
                                    pkm_sim_report* report, pkm_error* err)
{
    passage* p = s->passage;
    const size_t size = (size_t)s->n_y * sizeof(double);
    const double t = pkm_sim_time(s);
    double singular;
    *passed = false;
    if (!p) return PKM_OK;
    memcpy(p->y, pkm_sim_state(s), size);
    if (!s->stepper.kind->projects) { // what the loops miss is magnified: start from none
        PKM_TRY(pkm_sim_project(s, t, p->y));
        PKM_TRY(pkm_sim_evaluate(s, t, p->y));
    }
    if (!(t > p->quiet && find_inside(s, t, &singular))) PKM_TRY(look(s, t, &singular));
    if (singular < HUGE_VAL) {
        const bool here = pace(s, p->y) * (singular - t) > NEAR_WAY * p->way;
        const bool far = pace(s, p->before) * (singular - p->t_before) > 1.5 * p->way;
        if (here || !far) {
            PKM_TRY(try_leap(s, here ? t : p->t_before, here ? p->y : p->before, singular, next,
                             passed));
            if (*passed) return go_on(s, here ? t : p->t_before, i, table, report, err);
        }
        if (!here && p->t_before < t && t > p->quiet) {
            *passed = true;
            return go_back(s, singular);
        }
    }
    memcpy(p->before, p->y, size);
    p->t_before = t;
    return PKM_OK;
}
