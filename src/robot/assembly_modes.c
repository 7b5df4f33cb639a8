// All ways to put a robot together where drives or tool are prescribed: random starts, then the
// curves on which one prescribed row is let go, followed round; wherever that row is met again is a
// further way. How likely unknown ones are is estimated, not proven. docs/theory/engine.md, section
// 3, "All ways to assemble".
#include "robot/assembly_modes.h"

#include "base/error.h"
#include "dynamics/kinematics.h"
#include "math/angle.h"
#include "math/dense.h"
#include "math/dot.h"
#include "mechanism/joint.h"

#include <math.h>
#include <string.h>

static const double MET = 1e-14;       // [robot sizes, rad] rows after Newton's method
static const double SAME_PLACE = 1e-5; // [robot sizes] of a joint: positions of one way

/// A random turn, not quite uniform, which is good enough to start from.
static void random_quat(unsigned* seed, double* q)
{
    pkm_quat r;
    double n;
    do {
        r = (pkm_quat){pkm_noise(seed), pkm_noise(seed), pkm_noise(seed), pkm_noise(seed)};
        n = r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z;
    } while (n < 0.01 || n > 1.0);
    r = pkm_quat_unit(r);
    memcpy(q, &r, sizeof r);
}

/// Coordinates of the tree anywhere within two robot sizes and a full turn.
static void randomise(pkm_robot* robot, unsigned* seed)
{
    const double reach = 2.0 * robot->mech->size;
    for (int i = 1; i < robot->mech->n_body; ++i) {
        const pkm_body* body = &robot->mech->body[i];
        double* q = robot->state->q + body->q_at;
        const int ball = pkm_joint_facts_of(body->type)->quaternion;
        if (ball != PKM_NONE) {
            for (int k = 0; k < ball; ++k)
                q[k] = reach * pkm_noise(seed);
            random_quat(seed, q + ball);
        } else {
            for (int k = 0; k < body->n_q; ++k) {
                const pkm_vec3 w = robot->state->S[body->v_at + k].ang;
                const bool turns = pkm_vec3_dot(w, w) > 0.0;
                q[k] = (turns ? PKM_PI : reach) * pkm_noise(seed);
            }
        }
    }
}

/// Where the joints are: the fingerprint of a configuration, blind to idle spins.
static void read_places(const pkm_robot* robot, pkm_vec3* out)
{
    for (int j = 0; j < robot->mech->n_joint; ++j) {
        const pkm_joint* joint = &robot->mech->joint[j];
        const pkm_body_state* b = &robot->state->body[joint->body_b];
        out[j] = pkm_vec3_add(b->p, pkm_mat3_mul(b->R, joint->frame_b.p));
    }
}

static bool same_places(const pkm_robot* robot, const pkm_vec3* a, const pkm_vec3* b)
{
    for (int j = 0; j < robot->mech->n_joint; ++j)
        if (pkm_vec3_norm(pkm_vec3_sub(a[j], b[j])) > SAME_PLACE * robot->mech->size) return false;
    return true;
}

static int prescribed_rows(const pkm_robot* robot, pkm_given given, int* row)
{
    int n = 0;
    if (given == PKM_GIVEN_DRIVES)
        for (int d = 0; d < robot->mech->n_drive; ++d)
            row[n++] = robot->mech->drive_row_at + d;
    else
        for (int k = 0; k < PKM_TOOL_ALL; ++k)
            if (robot->structure.moves & (1u << k)) row[n++] = robot->mech->tool_row_at + k;
    return n;
}

static void read_mode(const pkm_robot* robot, pkm_assembly_mode* out)
{
    *out = (pkm_assembly_mode){.hits = 1, .tool = robot->tool_home};
    if (robot->mech->tool != PKM_NONE)
        out->tool = pkm_state_marker_pose(robot->state, robot->mech->tool);
    for (int d = 0; d < robot->mech->n_drive; ++d)
        out->drive[d] = pkm_state_drive_position(robot->state, d);
}

/// A search on its way.
typedef struct search {
    pkm_robot* robot;
    const pkm_target* target;
    int row[PKM_MAX_DRIVE + PKM_TOOL_ALL], n_row;
    pkm_assembly_mode* found;
    double budget;     ///< steps along curves that are left
    int n_found, last; ///< how many; the one that was met last
    pkm_vec3* places;  ///< [PKM_MAX_ASSEMBLY_MODE + 1][n_joint]
    double* q;         ///< [PKM_MAX_ASSEMBLY_MODE][n_q]
    bool is_traced[PKM_MAX_ASSEMBLY_MODE][PKM_MAX_DRIVE + PKM_TOOL_ALL];
    int* all;                                 ///< closures, locks and prescribed rows
    double *J, *sigma, *U, *Vt, *work;        ///< of the singular values of their Jacobian
    double *q_start, *q_now, *q_next, *along; ///< of the curve that is traced; its tangent
} search;

static void release(search* s)
{
    pkm_free(s->places);
    pkm_free(s->q);
    pkm_free(s->all);
    pkm_free(s->J);
    pkm_free(s->q_start);
}

/// Most rows that hold a curve.
static int most_rows(const search* s)
{
    return s->robot->mech->n_closure + s->robot->structure.n_lock + s->n_row;
}

static bool allocate(search* s)
{
    const pkm_mechanism* mech = s->robot->mech;
    const size_t n = (size_t)mech->n_v, m = (size_t)most_rows(s), n_q = (size_t)mech->n_q;
    const size_t room = pkm_dense_svd_room((int)m, (int)n);
    s->places =
        pkm_alloc((PKM_MAX_ASSEMBLY_MODE + 1) * (size_t)mech->n_joint + 1, sizeof *s->places);
    s->q = pkm_alloc(PKM_MAX_ASSEMBLY_MODE * n_q + 1, sizeof(double));
    s->all = pkm_alloc(m + 1, sizeof(int));
    s->J = pkm_alloc(m * n + m + n + m * m + n * n + room, sizeof(double));
    s->q_start = pkm_alloc(3 * n_q + n + 1, sizeof(double));
    if (!s->places || !s->q || !s->all || !s->J || !s->q_start) return false;
    s->sigma = s->J + m * n;
    s->U = s->sigma + m + n;
    s->Vt = s->U + m * m;
    s->work = s->Vt + n * n;
    s->q_now = s->q_start + n_q;
    s->q_next = s->q_now + n_q;
    s->along = s->q_next + n_q;
    return true;
}

/// Axis k of a frame on a body, world axes.
static pkm_vec3 axis_of(const pkm_body_state* body, const pkm_mat3* axes, int k)
{
    const pkm_vec3 unit[] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    return pkm_mat3_mul(body->R, pkm_mat3_mul(*axes, unit[k]));
}

/// The rows of held turns say that axes are perpendicular, those of the tool that the sine of the
/// turn to its target is zero: both hold half a turn further too, where a hinge would be put
/// together the wrong way round. No robot can be assembled so.
static bool is_wrong_way_round(const search* s)
{
    const pkm_state* state = s->robot->state;
    const pkm_mechanism* mech = s->robot->mech;
    for (int j = 0; j < mech->n_joint; ++j) {
        const pkm_joint* joint = &mech->joint[j];
        const int n_turn = pkm_joint_facts_of(joint->type)->n_turn;
        if (joint->tree_body != PKM_NONE || joint->released || n_turn < 2) continue;
        for (int k = n_turn == 3 ? 0 : 2; k < 3; ++k) {
            const pkm_vec3 a = axis_of(&state->body[joint->body_a], &joint->axes_a, k),
                           b = axis_of(&state->body[joint->body_b], &joint->axes_b, k);
            if (pkm_vec3_dot(a, b) < 0.0) return true;
        }
    }
    if (s->row[0] < mech->tool_row_at || (s->robot->structure.moves >> 3) == 0) return false;
    const pkm_pose tool = pkm_state_marker_pose(state, mech->tool);
    const pkm_quat turn = pkm_quat_mul(pkm_quat_conj(s->target->tool.pose.q), tool.q);
    return pkm_vec3_norm(pkm_quat_to_rotvec(turn)) > 2.0;
}

/// Note the way in which the robot is assembled now.
static void note(search* s, bool is_random)
{
    pkm_robot* robot = s->robot;
    const size_t n_joint = (size_t)robot->mech->n_joint, n_q = (size_t)robot->mech->n_q;
    s->last = PKM_NONE;
    if (is_wrong_way_round(s)) return;
    pkm_vec3* now = s->places + (size_t)s->n_found * n_joint;
    read_places(robot, now);
    int known = 0;
    while (known < s->n_found && !same_places(robot, s->places + (size_t)known * n_joint, now))
        ++known;
    if (known < s->n_found) {
        s->found[known].hits += is_random;
    } else if (s->n_found < PKM_MAX_ASSEMBLY_MODE) {
        memcpy(s->q + (size_t)known * n_q, robot->state->q, n_q * sizeof(double));
        read_mode(robot, &s->found[s->n_found++]);
        s->found[known].hits = is_random;
    }
    if (known < PKM_MAX_ASSEMBLY_MODE) s->last = known;
}

/// Assemble from the present positions and note where that leads. PKM_ERR_ASSEMBLY: nowhere.
static pkm_status attempt(search* s, bool is_random)
{
    pkm_assembly_report report;
    PKM_TRY(pkm_assemble(s->robot->state, s->row, s->n_row, s->target, 1.0, &report));
    note(s, is_random);
    return s->last == PKM_NONE && is_wrong_way_round(s) ? PKM_ERR_ASSEMBLY : PKM_OK;
}

// ---- curves with one prescribed row left out --------------------------------------------------

/// The rows that hold a curve: closures, locks of idle freedoms, prescribed rows but `out`.
static int fill_rows(search* s, int out)
{
    int m = 0;
    for (int r = 0; r < s->robot->mech->n_closure; ++r)
        s->all[m++] = r;
    for (int r = 0; r < s->robot->structure.n_lock; ++r)
        s->all[m++] = s->robot->structure.lock[r];
    for (int r = 0; r < s->n_row; ++r)
        if (r != out) s->all[m++] = s->row[r];
    return m;
}

/// Residuals, and the Jacobian of the `m` rows with lengths in robot sizes.
static void fill_jacobian(search* s, int m)
{
    const pkm_mechanism* mech = s->robot->mech;
    pkm_rows_all(s->robot->state, s->target);
    pkm_rows_dense(s->robot->state, s->all, m, s->J);
    for (int j = 0; j < mech->n_v; ++j)
        for (int i = 0; i < m; ++i)
            s->J[(size_t)j * (size_t)m + (size_t)i] *=
                mech->row[s->all[i]].weight * mech->v_unit[j];
}

/// The tangent of the curve on which all rows but prescribed row `out` hold, turned along the one
/// before (s->along, which it replaces). False where it is not a curve.
static bool find_tangent(search* s, int out, double* turn)
{
    const int n = s->robot->mech->n_v, m = fill_rows(s, out);
    fill_jacobian(s, m);
    if (pkm_dense_svd_with(s->J, m, n, s->sigma, NULL, s->Vt, s->work) != PKM_OK) return false;
    if (n - pkm_dense_rank(s->sigma, m < n ? m : n, 1e-9) != 1) return false;
    *turn = 0.0;
    for (int i = 0; i < n; ++i)
        *turn += s->along[i] * s->Vt[(size_t)i * (size_t)n + (size_t)(n - 1)];
    for (int i = 0; i < n; ++i)
        s->along[i] = copysign(1.0, *turn) * s->Vt[(size_t)i * (size_t)n + (size_t)(n - 1)];
    *turn = fabs(*turn);
    return true;
}

/// Largest difference of positions [robot sizes, rad].
static double apart(const pkm_mechanism* mech, const double* a, const double* b)
{
    double most = 0.0;
    for (int i = 0; i < mech->n_q; ++i)
        most = fmax(most, fabs(a[i] - b[i]) / mech->q_unit[i]);
    return most;
}

/// One step of length `h` along the curve; false when it is too long.
static bool step_along(search* s, int out, double h)
{
    pkm_state* state = s->robot->state;
    const pkm_mechanism* mech = s->robot->mech;
    int row[PKM_MAX_DRIVE + PKM_TOOL_ALL], n_row = 0;
    for (int r = 0; r < s->n_row; ++r)
        if (r != out) row[n_row++] = s->row[r];
    for (int i = 0; i < mech->n_v; ++i)
        state->step[i] = h * mech->v_unit[i] * s->along[i];
    memcpy(state->q, s->q_now, (size_t)mech->n_q * sizeof(double));
    pkm_state_move(mech, state->q, state->step);
    pkm_assembly_report report;
    if (pkm_assemble(state, row, n_row, s->target, 1.0, &report) != PKM_OK) return false;
    const double way = apart(mech, state->q, s->q_now);
    return way < 2.0 * h;
}

/// Newton's method with singular values: where the robot can almost move with all rows held, damped
/// steps do not arrive. False when it does not arrive either.
static bool polish(search* s)
{
    pkm_state* state = s->robot->state;
    const pkm_mechanism* mech = s->robot->mech;
    const int n = mech->n_v, m = fill_rows(s, PKM_NONE);
    for (int k = 0; k < 3; ++k) {
        fill_jacobian(s, m);
        if (pkm_dense_svd_with(s->J, m, n, s->sigma, s->U, s->Vt, s->work) != PKM_OK) return false;
        const int rank = pkm_dense_rank(s->sigma, m < n ? m : n, 1e-12);
        memset(state->step, 0, (size_t)n * sizeof(double));
        for (int r = 0; r < rank; ++r) {
            double along = 0.0;
            for (int i = 0; i < m; ++i)
                along -= s->U[(size_t)r * (size_t)m + (size_t)i] * mech->row[s->all[i]].weight *
                         state->residual[s->all[i]];
            for (int j = 0; j < n; ++j)
                state->step[j] += along / s->sigma[r] * s->Vt[(size_t)j * (size_t)n + (size_t)r] *
                                  mech->v_unit[j];
        }
        pkm_state_move(mech, state->q, state->step);
        pkm_kinematics_position(state);
    }
    pkm_rows_all(state, s->target);
    for (int i = 0; i < m; ++i)
        if (!(fabs(state->residual[s->all[i]]) * mech->row[s->all[i]].weight < MET)) return false;
    return true;
}

/// The row that was left out changes its sign within a step of length `h` from s->q_now, where it
/// is `c_now`: halve the step until it is met.
static void meet(search* s, int out, double h, double c_now)
{
    double low = 0.0, high = h;
    for (int n = 0; n < 40; ++n) {
        const double middle = 0.5 * (low + high);
        if (!step_along(s, out, middle)) return;
        *(s->robot->state->residual[s->row[out]] * c_now > 0.0 ? &low : &high) = middle;
    }
    if (!polish(s)) return;
    note(s, false);
    if (s->last != PKM_NONE) s->is_traced[s->last][out] = true;
}

/// Follow the curve from mode `k` to one side, until it comes back, and assemble wherever the row
/// that was left out is met or nearly met. True when the curve is closed.
static bool trace_side(search* s, int k, int out, double side)
{
    enum { MOST_STEPS = 5000 };
    static const double LONGEST = 0.02, SHORTEST = 1e-6; // [robot sizes, rad]
    pkm_state* state = s->robot->state;
    const pkm_mechanism* mech = s->robot->mech;
    const size_t size = (size_t)mech->n_q * sizeof(double);
    double h = 0.01, c[3] = {0.0, 0.0, 0.0}, turn;
    memcpy(s->q_start, s->q + (size_t)k * (size_t)mech->n_q, size);
    memcpy(s->q_now, s->q_start, size);
    memcpy(state->q, s->q_start, size);
    pkm_kinematics_position(state);
    memset(s->along, 0, (size_t)mech->n_v * sizeof(double));
    if (!find_tangent(s, out, &turn)) return true; // nothing to follow on the other side either
    for (int i = 0; i < mech->n_v; ++i)
        s->along[i] *= side;
    for (int n = 0; n < MOST_STEPS && h > SHORTEST && s->budget > 0.0; ++n) {
        s->budget -= 1.0;
        if (!step_along(s, out, h)) {
            h *= 0.5;
            continue;
        }
        c[0] = c[1];
        c[1] = c[2];
        c[2] = state->residual[s->row[out]];
        memcpy(s->q_next, state->q, size);
        if (c[1] * c[2] < 0.0) meet(s, out, h, c[1]);
        memcpy(s->q_now, s->q_next, size);
        memcpy(state->q, s->q_now, size);
        // two crossings between two steps
        const bool dips = fabs(c[1]) < fabs(c[0]) && fabs(c[1]) < fabs(c[2]) && n > 2;
        if (dips && attempt(s, false) == PKM_OK && s->last != PKM_NONE)
            s->is_traced[s->last][out] = true;
        memcpy(state->q, s->q_now, size);
        pkm_kinematics_position(state);
        if (!find_tangent(s, out, &turn)) return false;
        if (n > 5 && apart(mech, s->q_now, s->q_start) < h) return true;
        h = turn > 0.99 ? fmin(1.5 * h, LONGEST) : turn < 0.95 ? 0.5 * h : h;
    }
    return false;
}

/// Find what is connected with mode `k` by curves on which one prescribed row is left out.
static void trace(search* s, int k, int* n_curve)
{
    for (int out = 0; out < s->n_row; ++out) {
        if (s->is_traced[k][out] || s->budget <= 0.0) continue;
        s->is_traced[k][out] = true;
        ++*n_curve;
        if (!trace_side(s, k, out, 1.0)) trace_side(s, k, out, -1.0);
    }
}

/// Good and Turing: the share of arrivals that were met once only; 3 over their number when there
/// is none.
static double unseen_share(const search* s, int n_arrived)
{
    int once = 0;
    for (int k = 0; k < s->n_found; ++k)
        once += s->found[k].hits <= 1; // by curves only: as rare as that
    if (n_arrived == 0) return 1.0;
    return fmin(1.0, (once > 0 ? once : 3.0) / n_arrived);
}

static pkm_status run(search* s, int n_start, unsigned seed, pkm_assembly_search* report)
{
    pkm_robot_go_home(s->robot);
    for (int n = 0; n < n_start; ++n) {
        if (n > 0) randomise(s->robot, &seed); // the first start is home itself
        const pkm_status status = attempt(s, true);
        if (status == PKM_ERR_MEMORY) return status;
        report->n_arrived += status == PKM_OK;
    }
    // dense factors of every step: few seconds for any robot
    s->budget = fmax(500.0, 1e8 / pow(s->robot->mech->n_v, 3.0));
    for (int k = 0; k < s->n_found; ++k) // those that are found on the way too
        trace(s, k, &report->n_curve);
    report->is_cut = s->budget <= 0.0;
    report->n = s->n_found;
    report->n_start = n_start;
    report->unseen = unseen_share(s, report->n_arrived);
    return PKM_OK;
}

int pkm_assembly_modes_find(pkm_robot* robot, pkm_given given, const pkm_target* target,
                            int n_start, unsigned seed, pkm_assembly_mode* out,
                            pkm_assembly_search* report)
{
    pkm_assembly_search unread;
    if (!report) report = &unread;
    *report = (pkm_assembly_search){0};
    search* s = pkm_alloc(1, sizeof *s);
    if (!s) return PKM_NONE;
    *s = (search){.robot = robot, .target = target, .found = out};
    s->n_row = prescribed_rows(robot, given, s->row);
    const bool ok = allocate(s) && run(s, n_start, seed, report) == PKM_OK;
    const int n = ok ? s->n_found : PKM_NONE;
    pkm_robot_go_home(robot);
    release(s);
    pkm_free(s);
    return n;
}
