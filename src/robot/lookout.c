// Where singularities lie for somebody who leads the robot by hand: nearness, kind, lost direction,
// drives that lose it. docs/theory/engine.md, section 5, "Led by hand".
#include "robot/lookout.h"

#include "dynamics/kinematics.h"
#include "math/dense.h"
#include "robot/watch.h"

#include <math.h>
#include <string.h>

static const double WARNED = 0.04; // [robot sizes] distances of which people are warned
static const double MANY = 0.1;    // of rates or forces: 1 / 10 of the tool per unit of the drives

/// 1 at the singularity, 0 where neither the distance is short nor a direction is weak.
static double level_of(const pkm_nearness* near, const pkm_lookout* out)
{
    const double size = near->robot->mech->size;
    const double weak =
        out->kind == PKM_SINGULAR_SERIAL ? near->smallest : 1.0 / near->largest; // 0 at it
    const double by_distance = 1.0 - out->distance / (WARNED * size);
    const double by_strength = 1.0 - weak / MANY;
    return fmin(1.0, fmax(0.0, fmax(by_distance, by_strength)));
}

/// The direction u = J v / |J v| of the tool, spread to its six components, and the drives' v.
static void put_direction(const pkm_nearness* near, const double* v, pkm_lookout* out)
{
    const pkm_robot* robot = near->robot;
    double u[PKM_DENSE_SMALL] = {0.0}, sum = 0.0;
    for (int i = 0; i < near->n; ++i) {
        for (int d = 0; d < near->n; ++d)
            u[i] += near->J[i + d * near->n] * v[d];
        sum += u[i] * u[i];
    }
    for (int k = 0, i = 0; k < PKM_TOOL_ALL; ++k)
        if (robot->structure.moves & (1u << k))
            out->direction[k] = sum > 0.0 ? u[i++] / sqrt(sum) : 0.0;
    memcpy(out->share, v, (size_t)near->n * sizeof(double));
}

// ---- loops that lose a constraint -------------------------------------------------------------

/// The smallest singular value of the independent closures at positions `q`; NAN: memory is out.
static double closures_at(pkm_robot* robot, const double* q)
{
    pkm_singularity s;
    pkm_state* state = robot->state;
    memcpy(state->q, q, (size_t)robot->mech->n_q * sizeof(double));
    pkm_kinematics_position(state);
    const pkm_status status = pkm_singularity_read(state, &robot->structure, PKM_SINGULAR, &s);
    return status == PKM_OK ? s.sigma_closures : NAN;
}

/// Distance sigma / |d sigma / dx| [m] over which the loops, followed straight on, lose rank (5.5):
/// differences along the tangents of the drives, whose closures open by the second order only.
/// `q` [n_q] is where the robot stands, `sigma` its value there.
static double constraint_distance(pkm_nearness* near, const double* q, double sigma)
{
    static const double STEP = 1e-5; // of the drives, in their units
    pkm_robot* robot = near->robot;
    pkm_state* state = robot->state;
    const size_t n_v = (size_t)robot->mech->n_v;
    double g[PKM_DENSE_SMALL], gg = 0.0, sum = 0.0;
    memcpy(robot->crossing_work + robot->mech->n_q, pkm_watch_tangents(robot->watch),
           n_v * (size_t)near->n * sizeof(double));
    const double* X = robot->crossing_work + robot->mech->n_q;
    for (int d = 0; d < near->n; ++d) {
        for (size_t k = 0; k < n_v; ++k)
            state->step[k] = STEP * near->drive_unit[d] * X[(size_t)d * n_v + k];
        memcpy(robot->crossing_work, q, (size_t)robot->mech->n_q * sizeof(double));
        pkm_state_move(robot->mech, robot->crossing_work, state->step);
        g[d] = (closures_at(robot, robot->crossing_work) - sigma) / STEP;
        gg += g[d] * g[d];
    }
    for (int i = 0; i < near->n; ++i) { // the tool's way on the shortest way of the drives
        double u = 0.0;
        for (int d = 0; d < near->n; ++d)
            u += near->J[i + d * near->n] * sigma * g[d] / gg;
        sum += u * u;
    }
    return gg > 0.0 ? robot->mech->size * sqrt(sum) : HUGE_VAL;
}

/// Is a loss of a constraint clearly nearer than what `out` has? The robot stays where it is.
static void look_at_closures(pkm_nearness* near, pkm_lookout* out)
{
    static const double WEAK = 0.3; // of the value at home: below, derivatives are worth their time
    static const double FIRST = 0.5; // of the other distance: nearer than this it comes first
    pkm_robot* robot = near->robot;
    const size_t size = (size_t)robot->mech->n_q * sizeof(double);
    double* q = robot->follow_work; // the positions where the robot stands
    memcpy(q, robot->state->q, size);
    if (near->closures_home == 0.0) near->closures_home = closures_at(robot, robot->q_home);
    const double sigma = closures_at(robot, q), home = near->closures_home;
    double distance = HUGE_VAL;
    if (sigma < WEAK * home) {
        (void)pkm_nearness_stand(robot); // brings the factors back, to which tangents belong
        distance = constraint_distance(near, q, sigma);
    }
    memcpy(robot->state->q, q, size);
    pkm_kinematics_position(robot->state);
    (void)pkm_nearness_stand(robot);
    if (!(distance < FIRST * out->distance)) return;
    out->kind = PKM_SINGULAR_CONSTRAINT;
    out->distance = distance;
    const double by_distance = 1.0 - distance / (WARNED * robot->mech->size);
    out->level = fmin(1.0, fmax(0.0, fmax(by_distance, 1.0 - sigma / (MANY * home))));
    memset(out->direction, 0, sizeof out->direction);
    memset(out->share, 0, sizeof out->share);
}

void pkm_lookout_read(pkm_nearness* near, pkm_lookout* out)
{
    *out = (pkm_lookout){.condition = NAN, .parallel = NAN, .serial = NAN, .distance = NAN};
    if (!pkm_nearness_is_known(near->robot)) return;
    out->known = true;
    const bool regular = pkm_nearness_look(near);
    out->condition = near->condition;
    out->parallel = near->parallel * near->at_largest / near->largest;
    out->serial = near->serial * near->smallest / near->at_smallest;
    const bool exact = !regular || !near->known; // it stands in one
    const bool strong = near->largest * near->smallest > 1.0;
    const bool nearer = out->parallel < out->serial || (out->parallel == out->serial && strong);
    const bool parallel = exact ? !regular || strong : nearer;
    out->kind = parallel ? PKM_SINGULAR_PARALLEL : PKM_SINGULAR_SERIAL;
    out->distance = near->distance;
    if (exact) *(parallel ? &out->parallel : &out->serial) = 0.0;
    out->level = exact ? 1.0 : level_of(near, out);
    if (!regular) return; // no Jacobian: no direction
    double s[PKM_DENSE_SMALL], V[PKM_DENSE_SMALL * PKM_DENSE_SMALL];
    pkm_dense_small_svd(near->J, near->n, near->n, s, V);
    put_direction(near, V + (parallel ? 0 : near->n * (near->n - 1)), out);
    if (!exact && near->robot->mech->n_closure > 0) look_at_closures(near, out);
}
