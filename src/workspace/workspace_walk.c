// From a grid point to its neighbour: predicted by tangents, corrected by Newton's method, and
// where the way ends, the place at which the tangent grows without bound. Equations:
// docs/theory/workspace.md, section 4.
#include "dynamics/kinematics.h"
#include "dynamics/motion_solve.h"
#include "robot/continuation.h"
#include "workspace/workspace_flood.h"

#include <math.h>
#include <string.h>

/// How well an end is located, of the spacing: for a map, and where only the reach is asked.
static const double FINE = 1.0 / 256.0, COARSE = 1.0 / 16.0;
static const double LOOSE = 1e-9;  // [robot sizes, rad] residual where only the reach is asked
static const double ALMOST = 0.75; // of the way to an expected end, in one step
enum { MOST_STEPS = 64 };

/// A walk from the grid point at `from` towards its neighbour.
typedef struct walk {
    pkm_workspace_engine* engine;
    int axis;
    double h; ///< [m] signed: along the axis to the neighbour
    pkm_vec3 from, way;
    double s, step;    ///< share of the way that is done, and the next one
    double* v;         ///< [n_v] rates of the coordinates by s
    double g;          ///< 1 / |v|^2, robot sizes and rad
    double end, moved; ///< where g will vanish, and by how much the last step changed that
} walk;

static double tolerance(const pkm_workspace_engine* engine)
{
    return engine->reach_only ? COARSE : FINE;
}

/// Rates of the coordinates by the tool's shifts along the axes of the grid, with the factors here.
void pkm_walk_tangents(pkm_workspace_engine* engine, double* T)
{
    pkm_state* state = engine->robot->state;
    pkm_sparse_lu_solve_units(state->system[PKM_GIVEN_TOOL].lu, engine->shift_row, engine->n_axis,
                              T, engine->units);
}

static double inverse_square(const pkm_mechanism* mech, const double* v)
{
    double sum = 0.0;
    for (int k = 0; k < mech->n_v; ++k)
        sum += v[k] / mech->v_unit[k] * (v[k] / mech->v_unit[k]);
    return 1.0 / sum;
}

static walk begin(pkm_workspace_engine* engine, int index, int next, int axis)
{
    const int n_v = engine->robot->mech->n_v;
    walk w = {.engine = engine, .axis = axis, .step = 1.0, .end = INFINITY, .moved = INFINITY};
    w.from = pkm_workspace_grid_point(&engine->grid, index);
    w.way = pkm_vec3_sub(pkm_workspace_grid_point(&engine->grid, next), w.from);
    w.h = axis == 0 ? w.way.x : axis == 1 ? w.way.y : w.way.z;
    w.v = engine->walk_v;
    const double* T =
        engine->from + engine->robot->mech->n_q + (size_t)engine->column[axis] * (size_t)n_v;
    for (int k = 0; k < n_v; ++k)
        w.v[k] = w.h * T[k];
    w.g = inverse_square(engine->robot->mech, w.v);
    memcpy(engine->robot->state->q, engine->from,
           (size_t)engine->robot->mech->n_q * sizeof(double));
    return w;
}

/// How far along the tangent the coordinates go for a step `d` of the way. Before an end they go
/// with the root of what is left, (7).
static double along(const walk* w, double d)
{
    const double left = w->end - w->s;
    return left > 0.0 && left < 1.0 && d < left ? 2.0 * left * (1.0 - sqrt(1.0 - d / left)) : d;
}

/// New tangent, and where (7) ends the way now.
static void arrive(walk* w, double to)
{
    pkm_workspace_engine* engine = w->engine;
    const pkm_mechanism* mech = engine->robot->mech;
    pkm_sparse_lu_solve_units(engine->robot->state->system[PKM_GIVEN_TOOL].lu,
                              &engine->shift_row[engine->column[w->axis]], 1, w->v, engine->units);
    for (int k = 0; k < mech->n_v; ++k)
        w->v[k] *= w->h;
    const double g = inverse_square(mech, w->v);
    const double end = g < w->g ? to + g * (to - w->s) / (w->g - g) : INFINITY;
    w->moved = isfinite(end) && isfinite(w->end) ? fabs(end - w->end) : INFINITY;
    w->g = g;
    w->end = end;
    w->s = to;
}

/// Solve at `to` from the prediction in the state, `length` from the last place.
static bool solve(walk* w, double to, double length)
{
    pkm_workspace_engine* engine = w->engine;
    const pkm_target target = {
        .tool.pose = {pkm_vec3_axpy(w->from, to, w->way), engine->orientation}};
    const double residual = engine->reach_only ? LOOSE : pkm_newton_rule_exact().residual;
    return pkm_follow_prediction(engine->robot, &target, length, residual, engine->walk_q) ==
           PKM_OK;
}

/// One step to `to`; false: the robot stands where it stood.
static bool step_to(walk* w, double to)
{
    pkm_robot* robot = w->engine->robot;
    const double d = along(w, to - w->s);
    memcpy(w->engine->walk_q, robot->state->q, (size_t)robot->mech->n_q * sizeof(double));
    for (int k = 0; k < robot->mech->n_v; ++k)
        robot->state->step[k] = d * w->v[k];
    const double length = pkm_step_length(robot->mech, robot->state->step);
    pkm_state_move(robot->mech, robot->state->q, robot->state->step);
    return solve(w, to, length);
}

/// The whole way in one step, from the point behind: twice the tangent from there is third order,
/// where that point belongs to the same sheet.
static bool leap(walk* w, const double* behind)
{
    pkm_workspace_engine* engine = w->engine;
    pkm_state* state = engine->robot->state;
    const pkm_mechanism* mech = engine->robot->mech;
    double* const simple = engine->robot->follow_work;
    for (int k = 0; k < mech->n_v; ++k)
        state->step[k] = w->v[k];
    const double length = pkm_step_length(mech, state->step);
    memcpy(simple, engine->from, (size_t)mech->n_q * sizeof(double));
    pkm_state_move(mech, simple, state->step);
    for (int k = 0; k < mech->n_v; ++k)
        state->step[k] *= 2.0;
    memcpy(state->q, behind, (size_t)mech->n_q * sizeof(double));
    pkm_state_move(mech, state->q, state->step);
    for (int k = 0; k < mech->n_q; ++k) {
        if (fabs(state->q[k] - simple[k]) > 0.5 * length * mech->q_unit[k]) {
            memcpy(state->q, simple, (size_t)mech->n_q * sizeof(double));
            break;
        }
    }
    memcpy(engine->walk_q, engine->from, (size_t)mech->n_q * sizeof(double));
    return solve(w, 1.0, length);
}

/// The end is where it was a step before, and near: nothing is left to find but that nothing is
/// behind it.
static bool has_end(const walk* w)
{
    const double t = tolerance(w->engine);
    return w->moved < 0.5 * t && w->end - w->s < 4.0 * t && w->end < 1.0;
}

/// Step by step; false: the way ends at w->s, or at w->end where that is known.
static bool go(walk* w)
{
    const double t = tolerance(w->engine);
    for (int n = 0; n < MOST_STEPS && w->s < 1.0; ++n) {
        const bool last = has_end(w);
        double to = fmin(w->s + w->step, 1.0);
        if (last)
            to = fmin(w->end + t, 1.0);
        else if (w->end < to)
            to = w->s + ALMOST * (w->end - w->s);
        const double from = w->s;
        if (step_to(w, to)) {
            arrive(w, to);
            w->step = 2.0 * (to - from);
            continue;
        }
        if (last) return false;
        w->step = 0.5 * (to - from);
        if (w->step < t) return false;
    }
    return w->s >= 1.0;
}

/// The coordinates of the point behind `index`, seen from `next`; NULL: they are not known.
static const double* behind(const pkm_workspace_engine* engine, int index, int next, int axis)
{
    const int* n = engine->grid.n;
    const int stride = axis == 0 ? 1 : axis == 1 ? n[0] : n[0] * n[1];
    const int at = index / stride % n[axis], there = next > index ? at - 1 : at + 1;
    if (!engine->kept || there < 0 || there >= n[axis]) return NULL;
    const int point = 2 * index - next;
    if (!engine->at[point].reachable) return NULL;
    return engine->kept + (size_t)point * (size_t)engine->robot->mech->n_q;
}

bool pkm_walk_to(pkm_workspace_engine* engine, int index, int next, int axis, double* end)
{
    walk w = begin(engine, index, next, axis);
    const double* q = behind(engine, index, next, axis);
    if (q ? leap(&w, q) : step_to(&w, 1.0)) return true;
    w.step = 0.5;
    if (go(&w)) return true;
    pkm_kinematics_position(engine->robot->state);
    *end = w.end - w.s < 4.0 * tolerance(engine) ? fmin(w.end, 1.0) : w.s;
    return false;
}

/// To another place of the way, forward or back.
static bool go_to_place(walk* w, double to)
{
    double step = to - w->s;
    while (w->s != to) {
        const double next = fabs(step) < fabs(to - w->s) ? w->s + step : to;
        if (step_to(w, next)) {
            arrive(w, next);
            step *= 2.0;
        } else {
            step *= 0.5;
            if (fabs(step) < FINE) return false;
        }
    }
    return true;
}

double pkm_walk_to_limit(pkm_workspace_engine* engine, int index, int next, int axis, double high,
                         double margin)
{
    walk w = begin(engine, index, next, axis);
    double low = 0.0, f_low = engine->at[index].margin, f_high = margin, last = INFINITY;
    for (int n = 0; n < MOST_STEPS && high - low > FINE; ++n) {
        // false position; the end that stays counts half, so that both come near
        const double share = isfinite(f_low - f_high) ? f_low / (f_low - f_high) : 0.5;
        const double at = low + share * (high - low);
        if (fabs(at - last) < 0.5 * FINE) return at;
        last = at;
        if (!go_to_place(&w, at)) break;
        const double f = pkm_joint_limits_margin(engine->limits, engine->robot->state);
        if ((f < 0.0) == (f_low < 0.0)) {
            low = at;
            f_low = f;
            f_high *= 0.5;
        } else {
            high = at;
            f_high = f;
            f_low *= 0.5;
        }
    }
    return 0.5 * (low + high);
}
