/// Joint reactions on every robot: against an independent solution of the balance of all bodies,
/// and whether joints carry only what they can.
#include "base/memory.h"
#include "engine.h"
#include "linkages.h"
#include "robot/continuation.h"

#include <lapacke.h>

enum { MAX_BODY = 24, MAX_JOINT = 24, N_POINT = 5 };

// ---- momentum ---------------------------------------------------------------------------------

/// Momentum of a body and its moment about the world origin, from poses and twists alone.
static pkm_wrench momentum(const pkm_state* state, int b)
{
    const pkm_body* body = &state->mech->body[b];
    const pkm_body_state* s = &state->body[b];
    const double* J = body->inertia;
    const pkm_vec3 c = pkm_vec3_add(s->p, pkm_mat3_mul(s->R, body->com));
    const pkm_vec3 w = pkm_mat3_tmul(s->R, s->V.ang);
    const pkm_vec3 spin = {J[0] * w.x + J[3] * w.y + J[4] * w.z,
                           J[3] * w.x + J[1] * w.y + J[5] * w.z,
                           J[4] * w.x + J[5] * w.y + J[2] * w.z};
    const pkm_vec3 p = pkm_vec3_scale(body->mass, pkm_twist_at(s->V, c));
    return pkm_wrench_at(c, p, pkm_mat3_mul(s->R, spin));
}

/// What the joints must give each body: rate of momentum less weight and load. The rates are
/// differences of fourth order over the motion, so nothing of the accelerations enters.
static bool needed(pkm_robot* robot, const pkm_motion* motion, double t, pkm_wrench* out)
{
    static const double weight[N_POINT] = {1.0 / 12.0, -8.0 / 12.0, 0.0, 8.0 / 12.0, -1.0 / 12.0};
    const double h = 4e-4 * pkm_motion_duration(motion);
    const pkm_wrench none = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    pkm_follower f;
    for (int b = 0; b < robot->mech->n_body; ++b)
        out[b] = none;
    if (pkm_follow_begin(robot, motion, &f, NULL) != PKM_OK) return false;
    for (int k = 0; k < N_POINT; ++k) {
        if (pkm_follow_to(&f, t + (k - 2) * h, NULL) != PKM_OK) return false;
        for (int b = 1; b < robot->mech->n_body; ++b)
            out[b] = pkm_wrench_axpy(out[b], weight[k] / h, momentum(robot->state, b));
    }
    if (pkm_follow_begin(robot, motion, &f, NULL) != PKM_OK) return false;
    if (pkm_follow_to(&f, t, NULL) != PKM_OK) return false;
    for (int b = 1; b < robot->mech->n_body; ++b) {
        const pkm_body* body = &robot->mech->body[b];
        const pkm_body_state* s = &robot->state->body[b];
        const pkm_vec3 c = pkm_vec3_add(s->p, pkm_mat3_mul(s->R, body->com));
        const pkm_vec3 g = pkm_vec3_scale(body->mass, robot->mech->gravity);
        out[b] = pkm_wrench_axpy(out[b], -1.0, pkm_wrench_at(c, g, none.force));
        out[b] = pkm_wrench_axpy(out[b], -1.0, robot->state->load[b]);
    }
    return true;
}

// ---- the balance of all bodies as one linear system -------------------------------------------

/// Where the reaction of a joint acts, and in which axes it is given.
typedef struct place {
    pkm_vec3 at, d;
    pkm_mat3 A, B;
} place;

static place joint_place(const pkm_state* state, int j)
{
    const pkm_joint* joint = &state->mech->joint[j];
    const pkm_body_state *a = &state->body[joint->body_a], *b = &state->body[joint->body_b];
    const pkm_vec3 pa = pkm_vec3_add(a->p, pkm_mat3_mul(a->R, joint->frame_a.p));
    place at = {.at = pkm_vec3_add(b->p, pkm_mat3_mul(b->R, joint->frame_b.p)),
                .A = pkm_mat3_matmul(a->R, pkm_mat3_from_quat(joint->frame_a.q)),
                .B = pkm_mat3_matmul(b->R, pkm_mat3_from_quat(joint->frame_b.q))};
    at.d = pkm_vec3_unit(pkm_vec3_sub(at.at, pa));
    return at;
}

/// Unit force or moment k of a joint as a wrench about the world origin.
static pkm_wrench unit_wrench(const place* at, int k)
{
    const pkm_vec3 axis[3] = {at->A.x, at->A.y, at->A.z}, zero = {0.0, 0.0, 0.0};
    return k < 3 ? pkm_wrench_at(at->at, axis[k], zero) : (pkm_wrench){zero, axis[k - 3]};
}

/// A direction in which a joint carries nothing: of forces or of moments.
typedef struct passive {
    bool moment;
    pkm_vec3 axis;
} passive;

static bool is_driven(const pkm_robot* robot, int j, int coordinate)
{
    for (int d = 0; d < robot->desc->n_drive; ++d)
        if (robot->desc->drive[d].joint == j && robot->desc->drive[d].coordinate == coordinate)
            return true;
    return false;
}

static int passive_directions(const pkm_robot* robot, int j, const place* at, passive* out)
{
    int n = 0;
    const pkm_mat3 A = at->A;
    switch (robot->mech->joint[j].type) {
    case PKM_JOINT_REVOLUTE:
        if (!is_driven(robot, j, 0)) out[n++] = (passive){true, A.z};
        break;
    case PKM_JOINT_PRISMATIC:
        if (!is_driven(robot, j, 0)) out[n++] = (passive){false, A.z};
        break;
    case PKM_JOINT_CYLINDRICAL:
        if (!is_driven(robot, j, 0)) out[n++] = (passive){true, A.z};
        if (!is_driven(robot, j, 1)) out[n++] = (passive){false, A.z};
        break;
    case PKM_JOINT_UNIVERSAL:
        out[n++] = (passive){true, A.z};
        out[n++] = (passive){true, at->B.z};
        break;
    case PKM_JOINT_PLANAR:
        if (!is_driven(robot, j, 0)) out[n++] = (passive){false, A.x};
        if (!is_driven(robot, j, 1)) out[n++] = (passive){false, A.y};
        if (!is_driven(robot, j, 2)) out[n++] = (passive){true, A.z};
        break;
    case PKM_JOINT_DISTANCE:
        out[n++] = (passive){false, pkm_vec3_perpendicular(at->d)};
        out[n++] = (passive){false, pkm_vec3_cross(at->d, out[0].axis)};
        out[n++] = (passive){true, A.x};
        out[n++] = (passive){true, A.y};
        out[n++] = (passive){true, A.z};
        break;
    case PKM_JOINT_SPHERICAL:
        out[n++] = (passive){true, A.x};
        out[n++] = (passive){true, A.y};
        out[n++] = (passive){true, A.z};
        break;
    case PKM_JOINT_FIXED:
    case PKM_JOINT_FREE:
    case PKM_JOINT_LOOSE:
    case PKM_JOINT_SCREW: // none of the robots here has one
        break;
    }
    return n;
}

/// Put `w` times `sign` into column `column` of the six equations of body b (moments over size).
static void put_column(double* M, int n_row, int b, int column, pkm_wrench w, double sign,
                       double size)
{
    if (b == 0) return;
    const double value[6] = {w.force.x,         w.force.y,         w.force.z,
                             w.moment.x / size, w.moment.y / size, w.moment.z / size};
    for (int k = 0; k < 6; ++k)
        M[column * n_row + 6 * (b - 1) + k] += sign * value[k];
}

/// Reactions with the least sum of squares (moments over the robot's size) that balance all bodies
/// and are zero in passive directions, by LAPACK; `out` as pkm_reaction.
static void solve_balance(const pkm_robot* robot, const pkm_wrench* need, pkm_reaction* out)
{
    const pkm_mechanism* mech = robot->mech;
    const double size = mech->size;
    passive list[MAX_JOINT][6];
    int count[MAX_JOINT], n_row = 6 * (mech->n_body - 1);
    const int n = 6 * mech->n_joint;
    for (int j = 0; j < mech->n_joint; ++j) {
        const place at = joint_place(robot->state, j);
        count[j] = passive_directions(robot, j, &at, list[j]);
        n_row += count[j];
    }
    const int most = n_row > n ? n_row : n;
    double* M = pkm_alloc((size_t)(n_row * n), sizeof(double));
    double* x = pkm_alloc((size_t)most, sizeof(double));
    double* sigma = pkm_alloc((size_t)most, sizeof(double));
    int r = 6 * (mech->n_body - 1);
    for (int j = 0; j < mech->n_joint; ++j) {
        const place at = joint_place(robot->state, j);
        for (int k = 0; k < 6; ++k) {
            pkm_wrench w = unit_wrench(&at, k);
            if (k >= 3) w.moment = pkm_vec3_scale(size, w.moment); // the unknown is moment / size
            put_column(M, n_row, mech->joint[j].body_b, 6 * j + k, w, 1.0, size);
            put_column(M, n_row, mech->joint[j].body_a, 6 * j + k, w, -1.0, size);
            const pkm_vec3 axis = k % 3 == 0 ? at.A.x : k % 3 == 1 ? at.A.y : at.A.z;
            for (int p = 0; p < count[j]; ++p)
                if (list[j][p].moment == (k >= 3))
                    M[(6 * j + k) * n_row + r + p] = pkm_vec3_dot(list[j][p].axis, axis);
        }
        r += count[j];
    }
    for (int b = 1; b < mech->n_body; ++b) {
        const double value[6] = {need[b].force.x,         need[b].force.y,
                                 need[b].force.z,         need[b].moment.x / size,
                                 need[b].moment.y / size, need[b].moment.z / size};
        memcpy(x + 6 * (b - 1), value, sizeof value);
    }
    lapack_int rank;
    CHECK(LAPACKE_dgelsd(LAPACK_COL_MAJOR, n_row, n, 1, M, n_row, x, most, sigma, 1e-9, &rank) ==
          0);
    CHECK(rank == n - robot->structure.n_redundant); // what is left open are the redundant ones
    for (int j = 0; j < mech->n_joint; ++j) {
        const double* u = x + 6 * j;
        out[j].force = (pkm_vec3){u[0], u[1], u[2]};
        out[j].moment = (pkm_vec3){size * u[3], size * u[4], size * u[5]};
    }
    pkm_free(M);
    pkm_free(x);
    pkm_free(sigma);
}

// ---- claims -----------------------------------------------------------------------------------

/// Reactions of the engine where the robot stands; `unique` may be NULL.
static void engine_reactions(pkm_robot* robot, pkm_reaction* out, bool* unique)
{
    double force[PKM_MAX_DRIVE];
    pkm_reactions* work = pkm_reactions_create(robot->state);
    CHECK(work != NULL);
    pkm_inverse_forces(robot->state);
    pkm_inverse_drive_forces(robot->state, force);
    pkm_reactions_solve(work, robot->state, out, unique);
    pkm_reactions_free(work);
}

static double reaction_size(const pkm_robot* robot, const pkm_reaction* r)
{
    return pkm_vec3_norm(r->force) + pkm_vec3_norm(r->moment) / robot->mech->size;
}

static double reaction_gap(const pkm_robot* robot, const pkm_reaction* a, const pkm_reaction* b)
{
    const pkm_reaction d = {pkm_vec3_sub(a->force, b->force), pkm_vec3_sub(a->moment, b->moment)};
    return reaction_size(robot, &d);
}

static void check_balance(pkm_robot* robot, const char* name)
{
    const pkm_motion* motion = robot->desc->motion[0].motion;
    const int tool = robot->mech->marker[robot->mech->tool].body;
    for (int k = 0; k < 3; ++k) {
        pkm_wrench need[MAX_BODY];
        pkm_reaction ours[MAX_JOINT], theirs[MAX_JOINT];
        const double t = pkm_motion_duration(motion) * (0.13 + 0.27 * k);
        robot->state->load[tool] =
            (pkm_wrench){{3.0 * k, -5.0, 2.0}, {0.1, 0.2 * k, -0.3}}; // from outside
        CHECK(needed(robot, motion, t, need));
        engine_reactions(robot, ours, NULL);
        solve_balance(robot, need, theirs);
        double worst = 0.0, largest = 0.0;
        for (int j = 0; j < robot->mech->n_joint; ++j) {
            worst = fmax(worst, reaction_gap(robot, &ours[j], &theirs[j]));
            largest = fmax(largest, reaction_size(robot, &theirs[j]));
        }
        // differences of momentum: 1e-9 of it
        if (!(worst < 1e-7 * largest)) printf("    %s: %g of %g\n", name, worst, largest);
        CHECK(worst < 1e-7 * largest);
    }
}

static void reactions_balance_all_bodies_with_the_least_squares(void)
{
    static const char* const texts[] = {four_bar, strut_hexapod, three_cranks};
    for (int i = 0; i < ENGINE_N_ROBOT + 3; ++i) {
        const char* name = i < ENGINE_N_ROBOT ? engine_robots[i] : "linkage";
        pkm_robot* robot =
            i < ENGINE_N_ROBOT ? engine_load(name) : engine_from(texts[i - ENGINE_N_ROBOT]);
        if (!robot) continue;
        check_balance(robot, name);
        pkm_robot_free(robot);
    }
}

static pkm_vec3 to_world(pkm_mat3 axes, pkm_vec3 v)
{
    return pkm_mat3_mul(axes, v);
}

static void joints_carry_nothing_in_passive_directions(void)
{
    for (int i = 0; i < ENGINE_N_ROBOT; ++i) {
        pkm_robot* robot = engine_load(engine_robots[i]);
        if (!robot) continue;
        pkm_follower f;
        pkm_reaction r[MAX_JOINT];
        const pkm_motion* motion = robot->desc->motion[0].motion;
        CHECK(pkm_follow_begin(robot, motion, &f, NULL) == PKM_OK);
        CHECK(pkm_follow_to(&f, 0.37 * pkm_motion_duration(motion), NULL) == PKM_OK);
        engine_reactions(robot, r, NULL);
        double worst = 0.0, largest = 0.0;
        for (int j = 0; j < robot->mech->n_joint; ++j) {
            passive list[6];
            const place at = joint_place(robot->state, j);
            const int n = passive_directions(robot, j, &at, list);
            largest = fmax(largest, reaction_size(robot, &r[j]));
            for (int p = 0; p < n; ++p) {
                const pkm_vec3 v = to_world(
                    at.A, list[p].moment ? pkm_vec3_scale(1.0 / robot->mech->size, r[j].moment)
                                         : r[j].force);
                worst = fmax(worst, fabs(pkm_vec3_dot(v, list[p].axis)));
            }
        }
        if (!(worst < 1e-11 * largest)) printf("    %s: %g\n", engine_robots[i], worst / largest);
        CHECK(worst < 1e-11 * largest);
        pkm_robot_free(robot);
    }
}

// A driven joint passes its drive's force along its axis.
static void driven_joints_pass_the_drive_force(void)
{
    for (int i = 0; i < ENGINE_N_ROBOT; ++i) {
        pkm_robot* robot = engine_load(engine_robots[i]);
        if (!robot) continue;
        pkm_reaction r[MAX_JOINT];
        double force[PKM_MAX_DRIVE];
        pkm_target home = {.tool.pose = robot->tool_home};
        CHECK(pkm_follow_target(robot, PKM_GIVEN_TOOL, &home, "home", NULL) == PKM_OK);
        engine_reactions(robot, r, NULL);
        pkm_inverse_drive_forces(robot->state, force);
        for (int d = 0; d < robot->mech->n_drive; ++d) {
            const pkm_desc_drive* drive = &robot->desc->drive[d];
            const pkm_reaction* at = &r[drive->joint];
            const double along = drive->is_rotary ? at->moment.z : at->force.z;
            CHECK_NEAR(along, drive->sign * force[d], 1e-10 * fmax(1.0, fabs(force[d])));
        }
        pkm_robot_free(robot);
    }
}

/// The same robot with its joints listed backwards.
static void list_backwards(pkm_description* desc)
{
    const int n = desc->n_joint;
    for (int j = 0; j < n / 2; ++j) {
        const pkm_desc_joint swap = desc->joint[j];
        desc->joint[j] = desc->joint[n - 1 - j];
        desc->joint[n - 1 - j] = swap;
    }
    for (int d = 0; d < desc->n_drive; ++d)
        desc->drive[d].joint = n - 1 - desc->drive[d].joint;
}

/// The same robot with the two sides of every joint exchanged; drives count the other way.
static void exchange_sides(pkm_description* desc)
{
    for (int j = 0; j < desc->n_joint; ++j) {
        pkm_desc_joint* joint = &desc->joint[j];
        const pkm_desc_joint old = *joint;
        joint->body_a = old.body_b;
        joint->body_b = old.body_a;
        joint->marker_a = old.marker_b;
        joint->marker_b = old.marker_a;
        joint->frame_a = old.frame_b;
        joint->frame_b = old.frame_a;
    }
    for (int d = 0; d < desc->n_drive; ++d)
        desc->drive[d].sign = -desc->drive[d].sign;
}

/// The reaction of joint j as a wrench on the body that is side b (or, `other`, side a), in world
/// axes about the world origin.
static pkm_wrench world_wrench(const pkm_robot* robot, int j, const pkm_reaction* r, bool other)
{
    const place at = joint_place(robot->state, j);
    const pkm_wrench none = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    const pkm_wrench w = pkm_wrench_at(at.at, to_world(at.A, r->force), to_world(at.A, r->moment));
    return other ? pkm_wrench_axpy(none, -1.0, w) : w;
}

/// How far two wrenches are apart, moments about the same point [N].
static double world_gap(const pkm_robot* one, int i, const pkm_reaction* r, const pkm_robot* two,
                        int j, const pkm_reaction* s)
{
    const pkm_wrench a = world_wrench(one, i, r, false), b = world_wrench(two, j, s, false);
    const pkm_vec3 force = pkm_vec3_sub(a.force, b.force),
                   moment = pkm_vec3_sub(a.moment, b.moment);
    return fmax(pkm_vec3_norm(force), pkm_vec3_norm(moment) / one->mech->size);
}

/// Bring a robot to a point of its first motion; its reactions.
static void react(pkm_robot* robot, pkm_reaction* out, bool* unique)
{
    pkm_follower f;
    const pkm_motion* motion = robot->desc->motion[0].motion;
    CHECK(pkm_follow_begin(robot, motion, &f, NULL) == PKM_OK);
    CHECK(pkm_follow_to(&f, 0.37 * pkm_motion_duration(motion), NULL) == PKM_OK);
    engine_reactions(robot, out, unique);
}

// In world axes: how far rods have spun about their own lines depends on the steps taken there.
static void the_order_of_joints_does_not_matter(void)
{
    for (int i = 0; i < ENGINE_N_ROBOT; ++i) {
        pkm_robot* one = engine_load(engine_robots[i]);
        pkm_description* desc = engine_read(engine_robots[i]);
        if (desc) list_backwards(desc);
        pkm_robot* two = engine_build(desc);
        pkm_reaction r[2][MAX_JOINT];
        bool unique[2][MAX_JOINT];
        if (one && two) {
            react(one, r[0], unique[0]);
            react(two, r[1], unique[1]);
        }
        double worst = 0.0, largest = 0.0;
        for (int j = 0; one && two && j < one->mech->n_joint; ++j) {
            const int m = one->mech->n_joint - 1 - j;
            worst = fmax(worst, world_gap(one, j, &r[0][j], two, m, &r[1][m]));
            largest = fmax(largest, reaction_size(one, &r[0][j]));
            CHECK(unique[0][j] == unique[1][m]);
            if (one->structure.n_redundant == 0) CHECK(unique[0][j]);
        }
        if (!(worst < 1e-10 * largest)) printf("    %s: %g\n", engine_robots[i], worst / largest);
        CHECK(worst < 1e-10 * largest);
        pkm_robot_free(one);
        pkm_robot_free(two);
    }
}

// Only where reactions are unique: the least squares measure moments at the origin of side b.
static void the_sides_of_joints_do_not_matter(void)
{
    int n_compared = 0;
    for (int i = 0; i < ENGINE_N_ROBOT; ++i) {
        pkm_robot* one = engine_load(engine_robots[i]);
        pkm_description* desc = engine_read(engine_robots[i]);
        if (desc) exchange_sides(desc);
        pkm_robot* two = engine_build(desc);
        pkm_reaction r[2][MAX_JOINT];
        bool unique[2][MAX_JOINT];
        if (one && two) {
            CHECK(one->structure.n_redundant == two->structure.n_redundant);
            react(one, r[0], unique[0]);
            react(two, r[1], unique[1]);
        }
        double worst = 0.0, largest = 0.0;
        for (int j = 0; one && two && j < one->mech->n_joint; ++j) {
            if (!unique[0][j]) continue;
            ++n_compared;
            const pkm_wrench a = world_wrench(one, j, &r[0][j], false);
            const pkm_wrench b = world_wrench(two, j, &r[1][j], true);
            worst = fmax(worst, pkm_vec3_norm(pkm_vec3_sub(a.force, b.force)));
            worst = fmax(worst, pkm_vec3_norm(pkm_vec3_sub(a.moment, b.moment)) / one->mech->size);
            largest = fmax(largest, reaction_size(one, &r[0][j]));
        }
        if (!(worst <= 1e-10 * largest)) printf("    %s: %g\n", engine_robots[i], worst / largest);
        CHECK(worst <= 1e-10 * largest);
        pkm_robot_free(one);
        pkm_robot_free(two);
    }
    CHECK(n_compared > 100);
}

int main(void)
{
    RUN(reactions_balance_all_bodies_with_the_least_squares);
    RUN(joints_carry_nothing_in_passive_directions);
    RUN(driven_joints_pass_the_drive_force);
    RUN(the_order_of_joints_does_not_matter);
    RUN(the_sides_of_joints_do_not_matter);
    return check_report();
}
