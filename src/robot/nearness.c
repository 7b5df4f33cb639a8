// How near every row of a motion is to singularities: condition of J~ (5.2) and the distance d =
// m/|dm/dx| (5.5), for engine and closed forms. Derivatives are taken anew only where a measure has
// changed much. docs/theory/engine.md, section 5, "How near".
#include "robot/nearness.h"

#include "dynamics/kinematics.h"
#include "dynamics/modal.h"
#include "dynamics/motion_solve.h"
#include "math/dense.h"
#include "math/pair.h"
#include "robot/closed_continuation.h"
#include "robot/watch.h"

#include <math.h>
#include <string.h>

static const double FRESH = 0.2; // change of a singular value after which derivatives are old
static const double NEAR_FACTOR = 100.0; // forces, rates or errors magnified more are told
static const double SHIFT = 1e-6;        // [robot sizes] for differences

/// J without units in the directions of the tool, at a place near the present one.
typedef bool (*jacobian_fn)(pkm_nearness* near, const void* user, int component, double shift,
                            double* J);

/// Rotary drives per size of the robot.
static double per_drive(const pkm_robot* robot, int d)
{
    return robot->mech->drive[d].is_rotary ? 1.0 / robot->mech->size : 1.0;
}

bool pkm_nearness_is_known(const pkm_robot* robot)
{
    return robot->structure.tool_mode && robot->mech->n_drive <= PKM_DENSE_SMALL;
}

/// Turns of the tool times the size of the robot, drives as per_drive has them.
static void fill_units(pkm_nearness* near)
{
    const pkm_robot* robot = near->robot;
    const int n = near->n;
    for (int k = 0, row = 0; k < PKM_TOOL_ALL; ++k) {
        if (!(robot->structure.moves & (1u << k))) continue;
        const double tool = k < PKM_TOOL_RX ? 1.0 : robot->mech->size;
        for (int d = 0; d < n; ++d) {
            const double unit = tool * (near->drive_unit[d] = per_drive(robot, d));
            near->unit[d * n + row] = unit;
            near->inverse_unit[row * n + d] = 1.0 / unit;
        }
        ++row;
    }
}

void pkm_nearness_begin(pkm_robot* robot, const pkm_motion* motion, pkm_nearness* out)
{
    *out = (pkm_nearness){
        .robot = robot, .motion = motion, .n = robot->mech->n_drive, .least = HUGE_VAL};
    if (pkm_nearness_is_known(robot)) fill_units(out);
    if (motion && pkm_nearness_is_known(robot) && pkm_motion_is_drives(motion))
        out->passes.n = out->n; // a motion given at the tool is refused at a serial singularity
}

// ---- numbers of a Jacobian --------------------------------------------------------------------

/// Largest and smallest singular value of J, which is given by itself or inverted.
static void read_values(pkm_nearness* near, const double* M, double* largest, double* smallest)
{
    pkm_dense_small_extremes_near(M, near->n, &near->extremes, largest, smallest);
    if (!near->inverted) return;
    const double swap = *largest;
    *largest = 1.0 / *smallest;
    *smallest = 1.0 / swap;
}

/// First-order distances to where 1 / largest and smallest vanish (5.5): value by the length of its
/// gradient over the directions of the tool.
static bool find_distances(pkm_nearness* near, jacobian_fn jacobian, const void* user)
{
    const double shift = SHIFT * near->robot->mech->size;
    const bool inverted = near->inverted; // that of near->J
    double parallel = 0.0, serial = 0.0;
    for (int k = 0; k < near->n; ++k) {
        double J[36], largest, smallest;
        if (!jacobian(near, user, k, shift, J)) return near->inverted = inverted, false;
        read_values(near, J, &largest, &smallest);
        const double a = (1.0 / largest - 1.0 / near->largest) / shift;
        const double b = (smallest - near->smallest) / shift;
        parallel += a * a;
        serial += b * b;
    }
    near->inverted = inverted;
    near->parallel = 1.0 / (near->largest * sqrt(parallel));
    near->serial = near->smallest / sqrt(serial);
    near->at_largest = near->largest;
    near->at_smallest = near->smallest;
    return true;
}

static bool changed(double now, double then)
{
    return fabs(now - then) > FRESH * then;
}

/// Condition and distance of near->J. The derivatives are found anew where the singular values have
/// changed much; between, the distances follow the values.
static void judge(pkm_nearness* near, jacobian_fn jacobian, const void* user)
{
    read_values(near, near->J, &near->largest, &near->smallest);
    const double far = PKM_NEARNESS_FAR * near->robot->mech->size;
    const bool infinite = near->smallest * PKM_NEARNESS_LARGE <= near->largest;
    near->condition = infinite ? PKM_NEARNESS_LARGE : near->largest / near->smallest;
    if (!near->known || changed(near->largest, near->at_largest) ||
        changed(near->smallest, near->at_smallest))
        near->known = !infinite && find_distances(near, jacobian, user);
    const double parallel = near->parallel * near->at_largest / near->largest;
    const double serial = near->serial * near->smallest / near->at_smallest;
    const double least = serial < parallel ? serial : parallel;
    near->distance = !near->known ? 0.0 : least < far ? least : far; // far too for NaN: no change
}

void pkm_nearness_save(const pkm_nearness* near, double place[PKM_NEARNESS_N_PLACE])
{
    place[0] = near->known ? near->at_largest : 0.0;
    place[1] = near->at_smallest;
    place[2] = near->parallel;
    place[3] = near->serial;
}

void pkm_nearness_go_back(pkm_nearness* near, const double place[PKM_NEARNESS_N_PLACE])
{
    near->known = place[0] > 0.0;
    near->at_largest = place[0];
    near->at_smallest = place[1];
    near->parallel = place[2];
    near->serial = place[3];
}

// ---- along the motion -------------------------------------------------------------------------

/// `M` loses rank at serial singularities; an analysis that can go back gives it itself.
static void note_row(pkm_nearness* near, double t, const double* M)
{
    if (near->passes.n > 0 && !near->passes.place) pkm_serial_sample(&near->passes, t, M, NULL);
    ++near->n_row;
    if (near->largest > near->most) {
        near->most = near->largest;
        near->t_most = t;
        near->at_most = near->distance;
    }
    if (near->smallest < near->least) {
        near->least = near->smallest;
        near->t_least = t;
        near->at_least = near->distance;
    }
}

void pkm_nearness_warn(const pkm_nearness* near, pkm_warnings* to)
{
    const pkm_serial* serial = &near->passes;
    const char* name = pkm_motion_name(near->motion);
    for (int i = 0; i < serial->n_passed; ++i)
        pkm_warn(to, "singularity", serial->passed[i],
                 "motion %s: t = %.6g s: a serial singularity is passed (a direction in which the "
                 "drives cannot move the tool there); computed, as the motion is given in drive "
                 "values",
                 name, serial->passed[i]);
    if (near->n_row == 0) return;
    if (near->most > NEAR_FACTOR)
        pkm_warn(to, "singularity", near->t_most,
                 "motion %s: t = %.6g s: near a parallel singularity (about %.3g m away): forces "
                 "of the drives and errors of the tool are magnified by up to %.3g",
                 name, near->t_most, near->at_most, near->most);
    if (near->least * NEAR_FACTOR < 1.0 && serial->n_passed == 0)
        pkm_warn(to, "singularity", near->t_least,
                 "motion %s: t = %.6g s: near a serial singularity (about %.3g m away): rates of "
                 "the drives are magnified by up to %.3g",
                 name, near->t_least, near->at_least, 1.0 / near->least);
}

// ---- the engine -------------------------------------------------------------------------------

/// The rates (v, w) of the tool per unit rate of each drive, two numbers at a time.
typedef pkm_pair tool_rates[PKM_DENSE_SMALL][PKM_TOOL_ALL / 2];

/// Rates of the tool at the point `at`, per unit rate of each drive: those of its chain's columns
/// S, each times the rates `x` [n_drive, n_v apart] of its coordinate.
static void add_column(const pkm_mechanism* mech, pkm_twist S, pkm_vec3 at, const double* x,
                       tool_rates T)
{
    const pkm_vec3 v = pkm_twist_at(S, at);
    const pkm_pair a = {v.x, v.y}, b = {v.z, S.ang.x}, c = {S.ang.y, S.ang.z};
    for (int d = 0; d < mech->n_drive; ++d) {
        const pkm_pair rate = pkm_pair_of(x[(size_t)d * (size_t)mech->n_v]);
        T[d][0] += rate * a;
        T[d][1] += rate * b;
        T[d][2] += rate * c;
    }
}

static void fill_twists(const pkm_state* state, pkm_vec3 at, const double* X, tool_rates T)
{
    const pkm_mechanism* mech = state->mech;
    for (int i = mech->marker[mech->tool].body; i > 0; i = mech->body[i].parent) {
        const pkm_body* body = &mech->body[i];
        for (int k = body->v_at; k < body->v_at + body->n_v; ++k)
            add_column(mech, state->S[k], at, X + k, T);
        if (body->frame == PKM_NONE) continue;
        for (int k = 0; k < mech->body[body->parent].modal->n_mode; ++k)
            add_column(mech, state->S[body->s_at + k], at, X + body->e_at + k, T);
    }
}

/// Components of the tool that move without units: turns times the size of the robot.
static void pick(const pkm_robot* robot, pkm_vec3 v, pkm_vec3 w, double over, double* out)
{
    const double size = robot->mech->size;
    const double all[PKM_TOOL_ALL] = {v.x, v.y, v.z, size * w.x, size * w.y, size * w.z};
    for (int k = 0; k < PKM_TOOL_ALL; ++k)
        if (robot->structure.moves & (1u << k)) *out++ = over * all[k];
}

static void fill_jacobian(pkm_robot* robot, double* J)
{
    const pkm_state* state = robot->state;
    const pkm_mechanism* mech = robot->mech;
    const double* X = pkm_watch_tool_tangents(robot->watch);
    tool_rates T = {{{0.0}}};
    fill_twists(state, pkm_state_marker_point(state, mech->tool), X, T);
    for (int d = 0; d < mech->n_drive; ++d) {
        const pkm_pair* t = T[d];
        pick(robot, (pkm_vec3){t[0][0], t[0][1], t[1][0]}, (pkm_vec3){t[1][1], t[2][0], t[2][1]},
             per_drive(robot, d), J + d * mech->n_drive);
    }
}

bool pkm_nearness_stand(pkm_robot* robot)
{
    pkm_kinematics_position(robot->state);
    pkm_rows_closures(robot->state);
    pkm_watch_moved(robot->watch);
    return pkm_solve_factor(robot->state, PKM_GIVEN_DRIVES) == PKM_OK;
}

/// Where shifts begin: positions, and the rates of all coordinates per unit rate of each drive.
static void keep_place(const pkm_robot* robot)
{
    const size_t n_q = (size_t)robot->mech->n_q;
    const size_t n_x = (size_t)robot->mech->n_v * (size_t)robot->mech->n_drive;
    memcpy(robot->crossing_work, robot->state->q, n_q * sizeof(double));
    memcpy(robot->crossing_work + n_q, pkm_watch_tangents(robot->watch), n_x * sizeof(double));
}

/// The tool shifted by `shift` along a component: the drives go by J^-1 of it, all coordinates by X
/// of that. The loops close to the square of the shift, which is enough for derivatives. Components
/// come in their order; after the last one the robot stands where it stood.
static bool shifted(pkm_nearness* near, const void* user, int component, double shift, double* J)
{
    (void)user;
    pkm_robot* robot = near->robot;
    const pkm_mechanism* mech = robot->mech;
    const double *q = robot->crossing_work, *X = q + mech->n_q;
    double a[PKM_DENSE_SMALL] = {0.0};
    pkm_dense_lu lu;
    if (component == 0) keep_place(robot);
    bool there = pkm_dense_lu_factor(&lu, near->J, near->n) > 0.0;
    a[component] = shift;
    if (there) pkm_dense_lu_solve(&lu, a, a);
    for (int k = 0; k < mech->n_v; ++k) {
        robot->state->step[k] = 0.0;
        for (int d = 0; d < mech->n_drive; ++d)
            robot->state->step[k] +=
                X[(size_t)d * (size_t)mech->n_v + (size_t)k] * a[d] * per_drive(robot, d);
    }
    memcpy(robot->state->q, q, (size_t)mech->n_q * sizeof(double));
    pkm_state_move(mech, robot->state->q, robot->state->step);
    there = there && pkm_nearness_stand(robot);
    if (there) fill_jacobian(robot, J);
    if (there && component + 1 < near->n) return true;
    memcpy(robot->state->q, q, (size_t)mech->n_q * sizeof(double));
    return pkm_nearness_stand(robot) && there;
}

void pkm_nearness_jacobian(pkm_robot* robot, double* J)
{
    fill_jacobian(robot, J);
}

void pkm_nearness_glance(pkm_nearness* near)
{
    fill_jacobian(near->robot, near->J);
    judge(near, shifted, NULL);
}

void pkm_nearness_read(pkm_nearness* near, double t)
{
    pkm_nearness_glance(near);
    note_row(near, t, near->J);
}

void pkm_nearness_warn_pose(pkm_robot* robot, pkm_warnings* to)
{
    pkm_nearness near;
    pkm_nearness_begin(robot, NULL, &near);
    if (!pkm_nearness_is_known(robot) || !pkm_nearness_look(&near)) return;
    if (near.largest > NEAR_FACTOR)
        pkm_warn(to, "singularity", NAN,
                 "this pose is near a parallel singularity (about %.3g m away): forces of the "
                 "drives and errors of the tool are magnified by up to %.3g",
                 near.distance, near.largest);
    if (near.smallest * NEAR_FACTOR < 1.0)
        pkm_warn(to, "singularity", NAN,
                 "this pose is near a serial singularity (about %.3g m away): rates of the drives "
                 "are magnified by up to %.3g",
                 near.distance, 1.0 / near.smallest);
}

bool pkm_nearness_look(pkm_nearness* near)
{
    if (!pkm_nearness_stand(near->robot)) {
        near->condition = PKM_NEARNESS_LARGE;
        near->distance = 0.0;
        return near->known = false;
    }
    pkm_nearness_glance(near);
    return true;
}

// ---- the closed form --------------------------------------------------------------------------

static void exchange(double* M, int n, int a, int b)
{
    for (int j = 0; a != b && j < n; ++j) {
        const double swap = M[j * n + a];
        M[j * n + a] = M[j * n + b];
        M[j * n + b] = swap;
    }
}

/// Row `r` of A and K, less the row of the pivot `k` so that A has a zero there.
static void clear_entry(double* A, double* K, int n, int k, int r)
{
    const double factor = A[k * n + r] / A[k * n + k];
    if (factor == 0.0) return; // most of them: a limb has few drives
    for (int j = k; j < n; ++j)
        A[j * n + r] -= factor * A[j * n + k];
    for (int j = 0; j < n; ++j)
        K[j * n + r] -= factor * K[j * n + k];
}

/// K <- A^-1 K, with A destroyed; false where A is nearly singular. Zeros of A cost nothing.
static bool divide(double* A, double* K, int n)
{
    double least = HUGE_VAL, most = 0.0;
    for (int k = 0; k < n; ++k) {
        int best = k;
        for (int i = k + 1; i < n; ++i)
            if (fabs(A[k * n + i]) > fabs(A[k * n + best])) best = i;
        exchange(A, n, k, best);
        exchange(K, n, k, best);
        const double pivot = fabs(A[k * n + k]);
        least = pivot < least ? pivot : least;
        most = pivot > most ? pivot : most;
        if (!(least > 1e-9 * most)) return false;
        for (int r = 0; r < n; ++r)
            if (r != k) clear_entry(A, K, n, k, r);
    }
    for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j)
            K[j * n + k] /= A[k * n + k];
    return true;
}

/// J^-1 = A^-1 B without units; false next to a serial singularity.
static bool inverse_jacobian(const pkm_robot* robot, const double* B, const double* A, double* K)
{
    const int n = robot->mech->n_drive;
    const unsigned moves = pkm_closed_get_family(robot->closed)->moves;
    double work[PKM_CLOSED_MAX_DRIVE * PKM_CLOSED_MAX_DRIVE];
    memcpy(work, A, (size_t)(n * n) * sizeof(double));
    memcpy(K, B, (size_t)(n * n) * sizeof(double));
    if (!divide(work, K, n)) return false;
    for (int k = 0, j = 0; k < PKM_TOOL_ALL; ++k) {
        if (!(moves & (1u << k))) continue;
        const double unit = k < PKM_TOOL_RX ? 1.0 : 1.0 / robot->mech->size;
        for (int d = 0; d < n; ++d)
            K[j * n + d] *= unit / per_drive(robot, d);
        ++j;
    }
    return true;
}

/// J = B^-1 A without units, or its inverse; false at a parallel singularity.
static bool closed_jacobian(pkm_nearness* near, const double* B, const double* A, double* J)
{
    const pkm_robot* robot = near->robot;
    const int n = robot->mech->n_drive;
    const unsigned moves = pkm_closed_get_family(robot->closed)->moves;
    pkm_dense_lu lu;
    near->inverted = inverse_jacobian(robot, B, A, J);
    if (near->inverted) return true;
    if (pkm_dense_lu_factor(&lu, B, n) <= 0.0) return false;
    for (int d = 0; d < n; ++d) {
        double t[PKM_CLOSED_MAX_DRIVE], all[PKM_TOOL_ALL] = {0.0};
        pkm_dense_lu_solve(&lu, A + d * n, t);
        for (int k = 0, at = 0; k < PKM_TOOL_ALL; ++k)
            if (moves & (1u << k)) all[k] = t[at++];
        pick(robot, (pkm_vec3){all[0], all[1], all[2]}, (pkm_vec3){all[3], all[4], all[5]},
             per_drive(robot, d), J + d * n);
    }
    return true;
}

static bool closed_shifted(pkm_nearness* near, const void* user, int component, double shift,
                           double* J)
{
    const pkm_closed_config* from = user;
    const pkm_robot* robot = near->robot;
    double v[PKM_TOOL_ALL] = {0.0};
    for (int k = 0, at = 0; k < PKM_TOOL_ALL; ++k)
        if (robot->structure.moves & (1u << k) && at++ == component)
            v[k] = k < 3 ? shift : shift / robot->mech->size;
    const pkm_pose pose = {
        pkm_vec3_add(from->pose.p, (pkm_vec3){v[0], v[1], v[2]}),
        pkm_quat_mul(pkm_quat_from_rotvec((pkm_vec3){v[3], v[4], v[5]}), from->pose.q)};
    pkm_closed_config there;
    double B[PKM_CLOSED_MAX_DRIVE * PKM_CLOSED_MAX_DRIVE];
    double A[PKM_CLOSED_MAX_DRIVE * PKM_CLOSED_MAX_DRIVE];
    if (pkm_closed_step_tool(robot, from, &pose, &there) != PKM_OK) return false;
    pkm_closed_velocity(robot->closed, &there, B, A);
    return closed_jacobian(near, B, A, J);
}

/// J^-1 = A^-1 B or J = B^-1 A without units, by the factors with which the rates have been found.
static void jacobian_at_hand(pkm_nearness* near, const pkm_closed_watch* watch)
{
    const int n = near->n;
    const double* unit = watch->is_B ? near->unit : near->inverse_unit;
    near->inverted = !watch->is_B;
    pkm_dense_lu_solve_all(&watch->lu, watch->is_B ? watch->A_now : watch->B_now, near->J);
    for (int k = 0; k < n * n; ++k)
        near->J[k] *= unit[k];
}

void pkm_nearness_glance_closed(pkm_nearness* near, const pkm_closed_config* config,
                                const pkm_closed_watch* watch)
{
    jacobian_at_hand(near, watch);
    judge(near, closed_shifted, config);
}

void pkm_nearness_read_closed(pkm_nearness* near, double t, const pkm_closed_config* config,
                              const pkm_closed_watch* watch)
{
    pkm_nearness_glance_closed(near, config, watch);
    note_row(near, t, watch->A_now);
}
