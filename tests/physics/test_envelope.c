/// Bounds of the tool's error from clearance: against closed forms, finite differences, random
/// positions of the journals, and each other.
#include "clearance/envelope.h"
#include "dynamics/kinematics.h"
#include "engine.h"
#include "linkages.h"
#include "robot/continuation.h"

static const double CLEARANCE = 1e-4; // [m]

static bool is_driven(const pkm_mechanism* mech, int j)
{
    for (int d = 0; d < mech->n_drive; ++d)
        if (mech->drive[d].joint == j) return true;
    return false;
}

/// Clearance of `radial` in all joints that can have it.
static int clearance_everywhere(const pkm_robot* robot, double radial, pkm_joint_clearance* out)
{
    const pkm_clearance c = {
        .radial = radial, .length = 0.05, .axial = 0.5 * radial, .width = 0.03, .height = 0.02};
    int n = 0;
    for (int j = 0; j < robot->mech->n_joint; ++j)
        if (pkm_clearance_has(robot->mech->joint[j].type) && !is_driven(robot->mech, j))
            out[n++] = (pkm_joint_clearance){j, c};
    return n;
}

/// The error set of `robot` where it stands.
static void make_set(pkm_robot* robot, double radial, pkm_error_set* out)
{
    pkm_joint_clearance clearance[40];
    pkm_error err = {0};
    const int n = clearance_everywhere(robot, radial, clearance);
    CHECK(pkm_error_set_create(robot, clearance, n, out, &err) == PKM_OK);
    if (err.text[0]) printf("    %s\n", err.text);
    CHECK(pkm_error_set_find(out) == PKM_OK);
}

static void go_to(pkm_robot* robot, pkm_target target)
{
    pkm_error err = {0};
    CHECK(pkm_follow_target(robot, PKM_GIVEN_DRIVES, &target, "test", &err) == PKM_OK);
    if (err.text[0]) printf("    %s\n", err.text);
}

/// A cart on a rail with a tube in which a probe slides and turns, held by three rods.
static const char mixed[] =
    "pkm: 1\nname: mixed\n"
    "ground: {points: {O: [0, 0, 0], Q: [0.3, 0, 0], R: [0, 0.3, 0.3]}}\n"
    "bodies:\n"
    "  slide: {mass: 1, points: {O: [0, 0, 0]}}\n"
    "  cart: {mass: 1, points: {O: [0, 0, 0], A: [0, 0.1, 0.05], T: [0.05, 0, 0.02]},\n"
    "    pose: {at: [0, 0, 0.1]}}\n"
    "  probe: {mass: 1, points: {T: [0, 0, 0], B: [0.02, 0.1, 0], C: [0, 0, 0.08],\n"
    "      P: [0.1, 0.02, 0.03]}, pose: {at: [0.09, 0, 0.12]}}\n"
    "joints:\n"
    "  drive: {type: prismatic, between: [ground.O, slide.O], axis: x}\n"
    "  rail: {type: prismatic, between: [slide.O, cart.O], axis: z}\n"
    "  stay: {type: distance, between: [ground.Q, cart.A]}\n"
    "  tube: {type: cylindrical, between: [cart.T, probe.T], axis: x}\n"
    "  rod1: {type: distance, between: [ground.Q, probe.B]}\n"
    "  rod2: {type: distance, between: [ground.R, probe.C]}\n"
    "drives: {q: {joint: drive}}\n"
    "tool: probe.P\n";

// ---- sensitivities ------------------------------------------------------------------------------

/// J y against difference quotients of the closed loops, y random and compatible. The displacement
/// of 1e-2 clearances leaves an error of second order only, which the quotient of both ways
/// removes.
static void check_sensitivities(pkm_robot* robot)
{
    pkm_error_set set;
    unsigned seed = 17;
    if (!robot) return;
    make_set(robot, CLEARANCE, &set);
    const int n = set.seat.regions.n_y;
    double y[200], z[200], linear[6], plus[6], minus[6];
    for (int k = 0; k < 12; ++k) {
        for (int i = 0; i < n; ++i)
            y[i] = 1e-2 * CLEARANCE * engine_noise(&seed);
        pkm_share_comply(&set.seat.share, &set.seat.regions, y);
        pkm_error_set_linear(&set, y, linear);
        memcpy(z, y, (size_t)n * sizeof(double));
        CHECK(pkm_error_set_closed(&set, z, plus) == PKM_OK);
        for (int i = 0; i < n; ++i)
            z[i] = -y[i];
        CHECK(pkm_error_set_closed(&set, z, minus) == PKM_OK);
        double size = 0.0, off = 0.0;
        for (int a = 0; a < 6; ++a) {
            size = fmax(size, fabs(linear[a]));
            off = fmax(off, fabs(0.5 * (plus[a] - minus[a]) - linear[a]));
        }
        CHECK(size > 1e-9);
        CHECK_NEAR(off / size, 0.0, 2e-5);
    }
    pkm_error_set_free(&set);
    pkm_robot_free(robot);
}

static void sensitivities_of_balls_hold(void)
{
    pkm_robot* robot = engine_load("siax");
    go_to(robot, (pkm_target){.q = {0.6, 0.3, -0.2}});
    check_sensitivities(robot);
}

static void sensitivities_of_universal_joints_hold(void)
{
    check_sensitivities(engine_load("kuo"));
}

static void sensitivities_of_guides_hold(void)
{
    check_sensitivities(engine_from(mixed));
}

static void sensitivities_of_redundant_loops_hold(void)
{
    check_sensitivities(engine_load("five-bar"));
    check_sensitivities(engine_load("isoglideT3"));
    check_sensitivities(engine_from(bennett));
}

// ---- closed forms -------------------------------------------------------------------------------

/// Four-bar with the crank held: b is the clearance of B, s that of C and D together along the
/// rocker n,
///
///     error of P = b + a (s - n . b),   a = k x BP / (n . k x BC)
///
/// so that along a unit vector e it is at most c |e - n (e . a)| + 2 c |e . a|.
static void check_planar_bounds(pkm_robot* robot, double tilt, pkm_error_set* set)
{
    const pkm_mat3 R = pkm_mat3_from_quat(pkm_quat_from_axis((pkm_vec3){1.0, 0.0, 0.0}, tilt));
    const pkm_state* s = robot->state;
    pkm_vec3 at[4]; // B, C, D, P
    for (int k = 0; k < 3; ++k) {
        const pkm_joint* j = &robot->mech->joint[k + 1];
        at[k] =
            pkm_vec3_add(s->body[j->body_b].p, pkm_mat3_mul(s->body[j->body_b].R, j->frame_b.p));
    }
    at[3] = pkm_state_marker_pose(s, robot->mech->tool).p;
    const pkm_vec3 k = pkm_mat3_mul(R, (pkm_vec3){0.0, 0.0, 1.0});
    const pkm_vec3 n = pkm_vec3_unit(pkm_vec3_sub(at[1], at[2]));
    const pkm_vec3 swing_c = pkm_vec3_cross(k, pkm_vec3_sub(at[1], at[0]));
    const pkm_vec3 swing_p = pkm_vec3_cross(k, pkm_vec3_sub(at[3], at[0]));
    const pkm_vec3 a = pkm_vec3_scale(1.0 / pkm_vec3_dot(n, swing_c), swing_p);
    for (int axis = 0; axis < 2; ++axis) {
        const pkm_vec3 e = pkm_mat3_mul(R, (pkm_vec3){axis == 0, axis == 1, 0.0});
        const double ea = pkm_vec3_dot(e, a);
        const double most =
            CLEARANCE * pkm_vec3_norm(pkm_vec3_axpy(e, -ea, n)) + 2.0 * CLEARANCE * fabs(ea);
        double w[6] = {e.x, e.y, e.z}, y[15];
        CHECK_NEAR(pkm_error_set_support(set, w, y), most, 1e-6 * most);
        pkm_extreme_pose extreme;
        CHECK(pkm_extreme_pose_find(set, w, y, &extreme) == PKM_OK);
        CHECK_NEAR(extreme.value, most, 1e-6 * most);
    }
}

static void a_four_bar_has_its_planar_bounds(void)
{
    pkm_robot* robot = engine_from(four_bar);
    pkm_error_set set;
    go_to(robot, (pkm_target){.q = {1.1}});
    make_set(robot, CLEARANCE, &set);
    check_planar_bounds(robot, 0.0, &set);
    pkm_error_set_free(&set);
    pkm_robot_free(robot);
}

/// The same in a plane that is tilted about x, with clearance across the pins alone: what preload
/// across the plane does to them is rounding, which binds nothing.
static void a_tilted_four_bar_has_the_same_bounds(void)
{
    static const double TILT = 37.0 * 3.14159265358979323846 / 180.0;
    pkm_robot* robot = engine_from(
        "pkm: 1\nname: tilted\ngravity: [0, -9.81, 0]\n"
        "ground: {frames: {A: {at: [0, 0, 0], rotate: {x: 37 deg}}, "
        "D: {at: [0.4, 0, 0], rotate: {x: 37 deg}}}}\n"
        "bodies:\n"
        "  crank: {mass: 1, com: [0.05, 0, 0], inertia: [0, 0.001, 0.001],\n"
        "    points: {A: [0, 0, 0], B: [0.1, 0, 0]}, pose: {rotate: [{x: 37 deg}, {z: 60 deg}]}}\n"
        "  coupler: {mass: 2, com: [0.17, 0, 0], inertia: [0, 0.02, 0.02],\n"
        "    points: {B: [0, 0, 0], C: [0.35, 0, 0], P: [0.2, 0.1, 0]},\n"
        "    pose: {at: [0.05, 0.08, 0.06], rotate: [{x: 37 deg}, {z: 20 deg}]}}\n"
        "  rocker: {mass: 1.5, com: [0.15, 0, 0], inertia: [0, 0.01, 0.01],\n"
        "    points: {D: [0, 0, 0], C: [0.3, 0, 0]},\n"
        "    pose: {at: [0.4, 0, 0], rotate: [{x: 37 deg}, {z: 95 deg}]}}\n"
        "joints:\n"
        "  A: {type: revolute, between: [ground.A, crank.A]}\n"
        "  B: {type: revolute, between: [crank.B, coupler.B]}\n"
        "  C: {type: revolute, between: [coupler.C, rocker.C]}\n"
        "  D: {type: revolute, between: [ground.D, rocker.D]}\n"
        "drives: {q: {joint: A}}\ntool: coupler.P\n");
    pkm_joint_clearance clearance[3];
    pkm_error_set set;
    pkm_error err = {0};
    go_to(robot, (pkm_target){.q = {1.1}});
    for (int k = 0; k < 3; ++k)
        clearance[k] = (pkm_joint_clearance){1 + k, {.radial = CLEARANCE}};
    CHECK(pkm_error_set_create(robot, clearance, 3, &set, &err) == PKM_OK);
    CHECK(pkm_error_set_find(&set) == PKM_OK);
    check_planar_bounds(robot, TILT, &set);
    pkm_error_set_free(&set);
    pkm_robot_free(robot);
}

/// SIAX drops by 2 c l2 / depth at home, and by no more along z.
static void siax_drops_by_its_geometry(void)
{
    pkm_robot* robot = engine_load("siax");
    pkm_error_set set;
    pkm_envelope envelope;
    make_set(robot, CLEARANCE, &set);
    CHECK(pkm_envelope_at(&set, &envelope) == PKM_OK);
    const double depth = sqrt(1.106 * 1.106 - 0.653 * 0.653);
    CHECK_NEAR(envelope.most[2], 2.0 * CLEARANCE * 1.106 / depth, 1e-15);
    CHECK_NEAR(envelope.shifts.semi[2], envelope.most[2], 1e-12); // all rods alike: it is exact
    pkm_error_set_free(&set);
    pkm_robot_free(robot);
}

// ---- random positions ---------------------------------------------------------------------------

static double reach(const double* w, const double* e)
{
    double sum = 0.0;
    for (int a = 0; a < 6; ++a)
        sum += w[a] * e[a];
    return sum;
}

/// A random place on the wall of every region.
static void random_place(const pkm_regions* regions, unsigned* seed, double* y)
{
    for (int p = 0; p < regions->n; ++p) {
        double f[5];
        for (int i = 0; i < 5; ++i)
            f[i] = engine_noise(seed);
        pkm_region_extreme(&regions->item[p].region, f, 0.0, y + regions->item[p].y_at);
    }
}

/// No random position of the journals is outside of bounds and ellipsoids; one that is improved at
/// random, joint by joint, comes as near to the bound as one likes.
static void random_positions_lie_inside(void)
{
    pkm_robot* robot = engine_load("siax");
    pkm_error_set set;
    pkm_envelope envelope;
    unsigned seed = 29;
    double y[36], best[36], e[6], bound[6];
    go_to(robot, (pkm_target){.q = {0.9, 0.4, -0.4}});
    make_set(robot, CLEARANCE, &set);
    CHECK(pkm_envelope_at(&set, &envelope) == PKM_OK);
    for (int k = 0; k < 5000; ++k) {
        random_place(&set.seat.regions, &seed, y);
        pkm_error_set_linear(&set, y, e);
        double inside[2] = {0.0, 0.0};
        for (int a = 0; a < 3; ++a) {
            const double s = pkm_vec3_dot(envelope.shifts.axis[a], (pkm_vec3){e[0], e[1], e[2]});
            const double t = pkm_vec3_dot(envelope.turns.axis[a], (pkm_vec3){e[3], e[4], e[5]});
            inside[0] += s * s / (envelope.shifts.semi[a] * envelope.shifts.semi[a]);
            inside[1] += t * t / (envelope.turns.semi[a] * envelope.turns.semi[a]);
            CHECK(fabs(e[a]) <= envelope.most[a] && fabs(e[a + 3]) <= envelope.most[a + 3]);
        }
        CHECK(inside[0] <= 1.0 && inside[1] <= 1.0);
        CHECK(sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]) <= envelope.shift);
        CHECK(sqrt(e[3] * e[3] + e[4] * e[4] + e[5] * e[5]) <= envelope.turn);
    }

    const double w[6] = {0.5, -0.3, 0.8, 0.01, 0.02, -0.03};
    const double most = pkm_error_set_support(&set, w, y);
    random_place(&set.seat.regions, &seed, best);
    pkm_error_set_linear(&set, best, bound);
    for (int k = 0; k < 20000; ++k) {
        const int p = k % set.seat.regions.n;
        memcpy(y, best, sizeof y);
        double f[5];
        for (int i = 0; i < 3; ++i) // near the present place
            f[i] = best[3 * p + i] / CLEARANCE + (k < 5000 ? 2.0 : 0.05) * engine_noise(&seed);
        pkm_region_extreme(&set.seat.regions.item[p].region, f, 0.0, y + 3 * p);
        pkm_error_set_linear(&set, y, e);
        if (reach(w, e) <= reach(w, bound)) continue;
        memcpy(best, y, sizeof y);
        memcpy(bound, e, sizeof e);
    }
    CHECK(reach(w, bound) <= most);
    CHECK(reach(w, bound) > 0.9995 * most);
    pkm_error_set_free(&set);
    pkm_robot_free(robot);
}

/// The bounds hold in every direction: the ellipsoid's are wider than the support, the largest
/// shift is the largest of all directions.
static void ellipsoids_contain_the_set(void)
{
    static const char* const name[] = {"siax", "five-bar", "kuo"};
    for (int m = 0; m < 3; ++m) {
        pkm_robot* robot = engine_load(name[m]);
        pkm_error_set set;
        pkm_envelope envelope;
        unsigned seed = 5;
        double y[200];
        make_set(robot, CLEARANCE, &set);
        CHECK(pkm_envelope_at(&set, &envelope) == PKM_OK);
        for (int k = 0; k < 200; ++k) {
            pkm_vec3 d = {engine_noise(&seed), engine_noise(&seed), engine_noise(&seed)};
            d = pkm_vec3_unit(d);
            const double s[6] = {d.x, d.y, d.z}, t[6] = {0.0, 0.0, 0.0, d.x, d.y, d.z};
            const double shift = pkm_error_set_support(&set, s, y);
            const double turn = pkm_error_set_support(&set, t, y);
            double outer[2] = {0.0, 0.0};
            for (int a = 0; a < 3; ++a) {
                const double u = envelope.shifts.semi[a] * pkm_vec3_dot(envelope.shifts.axis[a], d);
                const double v = envelope.turns.semi[a] * pkm_vec3_dot(envelope.turns.axis[a], d);
                outer[0] += u * u;
                outer[1] += v * v;
            }
            CHECK(shift <= sqrt(outer[0]) * (1.0 + 1e-5) && turn <= sqrt(outer[1]) * (1.0 + 1e-5));
            CHECK(shift <= envelope.shift * (1.0 + 1e-5));
            CHECK(turn <= envelope.turn * (1.0 + 1e-5));
        }
        CHECK(envelope.shift <= envelope.shifts.semi[0] * (1.0 + 1e-5));
        pkm_error_set_free(&set);
        pkm_robot_free(robot);
    }
}

/// Of all ellipsoids (4.4) the one with the least trace, (sum of sqrt(tr Q_k))^2.
static void ellipsoids_have_the_least_trace(void)
{
    pkm_robot* robot = engine_load("siax");
    pkm_error_set set;
    pkm_envelope envelope;
    double trace = 0.0, sum = 0.0;
    go_to(robot, (pkm_target){.q = {0.3, 0.0, 0.0}});
    make_set(robot, CLEARANCE, &set);
    CHECK(pkm_envelope_at(&set, &envelope) == PKM_OK);
    const int n_y = set.seat.regions.n_y;
    for (int a = 0; a < 3; ++a)
        trace += envelope.shifts.semi[a] * envelope.shifts.semi[a];
    for (int k = 0; k < n_y; k += 3) {
        double part = 0.0;
        for (int i = k; i < k + 3; ++i)
            for (int a = 0; a < 3; ++a)
                part += set.J[i + a * n_y] * set.J[i + a * n_y];
        sum += CLEARANCE * sqrt(part);
    }
    CHECK_NEAR(trace, sum * sum, 1e-9 * trace);
    pkm_error_set_free(&set);
    pkm_robot_free(robot);
}

/// Nine redundant constraints hold the tool: the ellipsoid of its turns is 9 % longer than the
/// largest turn. Without the self-stresses that they allow it would be 90 %.
static void redundant_constraints_make_ellipsoids_smaller(void)
{
    pkm_robot* robot = engine_load("prrr2prpar");
    pkm_error_set set;
    pkm_envelope envelope;
    make_set(robot, CLEARANCE, &set);
    CHECK(pkm_envelope_at(&set, &envelope) == PKM_OK);
    CHECK(envelope.turns.semi[0] >= envelope.turn);
    CHECK(envelope.turns.semi[0] < 1.2 * envelope.turn);
    pkm_error_set_free(&set);
    pkm_robot_free(robot);
}

// ---- against each other -------------------------------------------------------------------------

/// Linear programming (the journals themselves) and support function (self-stresses, its dual)
/// meet.
static void the_program_meets_its_dual(void)
{
    static const char* const name[] = {"siax", "five-bar", "isoglideT3", "kuo"};
    for (int m = 0; m < 4; ++m) {
        pkm_robot* robot = engine_load(name[m]);
        pkm_error_set set;
        unsigned seed = 3;
        double y[200], z[200];
        make_set(robot, CLEARANCE, &set);
        for (int k = 0; k < 3; ++k) {
            double w[6];
            for (int a = 0; a < 6; ++a)
                w[a] = engine_noise(&seed) * (a < 3 ? 1.0 : 0.1);
            const double dual = pkm_error_set_support(&set, w, y);
            pkm_extreme_pose extreme;
            CHECK(pkm_extreme_pose_find(&set, w, z, &extreme) == PKM_OK);
            CHECK_NEAR(extreme.value, dual, 3e-6 * dual);
            CHECK_NEAR(reach(w, extreme.linear), extreme.value, 1e-7 * dual);
        }
        pkm_error_set_free(&set);
        pkm_robot_free(robot);
    }
}

/// The journals of massless rods under a weight lie where the set ends along gravity.
static void seated_journals_are_the_extreme_along_the_load(void)
{
    const pkm_override set[] = {{"m2", "1e-12 kg"}};
    pkm_robot* robot = NULL;
    pkm_error err = {0};
    CHECK(pkm_robot_load(PKM_SOURCE_DIR "/robots/siax.yaml", set, 1, &robot, &err) == PKM_OK);
    if (!robot) return;
    pkm_error_set errors;
    double y[36];
    const double w[6] = {0.0, 0.0, -1.0};
    const pkm_target target = {.q = {0.3, 0.3, 0.3}};
    go_to(robot, target);
    make_set(robot, CLEARANCE, &errors);
    pkm_extreme_pose extreme;
    CHECK(pkm_extreme_pose_find(&errors, w, y, &extreme) == PKM_OK);
    pkm_seat_reset(&errors.seat);
    CHECK(pkm_seat_solve(&errors.seat, &target, &(pkm_seat_loads){.t = 0.0}) == PKM_OK);
    for (int i = 0; i < 36; ++i) // the seated ones belong to the pose lower by the clearance
        CHECK_NEAR(errors.seat.y[i], y[i], 1e-3 * CLEARANCE);
    pkm_error_set_free(&errors);
    pkm_robot_free(robot);
}

/// Half the clearance leaves a quarter of the difference between closed loops and first order.
static void closed_loops_differ_by_the_square_of_the_clearance(void)
{
    double off[2];
    for (int k = 0; k < 2; ++k) {
        pkm_robot* robot = engine_load("siax");
        pkm_error_set set;
        double y[36], linear[6], closed[6];
        const double w[6] = {1.0, 0.5, 0.25};
        go_to(robot, (pkm_target){.q = {0.6, 0.3, -0.2}});
        make_set(robot, CLEARANCE / (1 << k), &set);
        pkm_error_set_support(&set, w, y);
        pkm_error_set_linear(&set, y, linear);
        CHECK(pkm_error_set_closed(&set, y, closed) == PKM_OK);
        off[k] = 0.0;
        for (int a = 0; a < 6; ++a)
            off[k] = fmax(off[k], fabs(closed[a] - linear[a]));
        pkm_error_set_free(&set);
        pkm_robot_free(robot);
    }
    CHECK(off[0] > 1e-8);
    CHECK_NEAR(off[0] / off[1], 4.0, 0.1);
}

/// Rods that have spun idly bound the tool as before.
static void idle_spins_change_nothing(void)
{
    pkm_robot* robot = engine_load("siax");
    pkm_envelope before, after;
    for (int k = 0; k < 2; ++k) {
        pkm_error_set set;
        make_set(robot, CLEARANCE, &set);
        CHECK(pkm_envelope_at(&set, k ? &after : &before) == PKM_OK);
        pkm_error_set_free(&set);
        double step[200] = {0.0};
        for (int s = 0; s < robot->mech->n_spin; ++s) {
            const int i = robot->mech->row[robot->mech->spin_row_at + s].item;
            const pkm_body* body = &robot->mech->body[i];
            if (body->type != PKM_JOINT_SPHERICAL) continue;
            const pkm_vec3 axis = pkm_mat3_tmul(body->axes_child, robot->mech->spin_line[s].along);
            step[body->v_at] = axis.x;
            step[body->v_at + 1] = axis.y;
            step[body->v_at + 2] = axis.z;
        }
        pkm_state_move(robot->mech, robot->state->q, step);
        pkm_kinematics_position(robot->state);
    }
    for (int a = 0; a < 6; ++a)
        CHECK_NEAR(after.most[a], before.most[a], 1e-9 * before.most[a]);
    CHECK_NEAR(after.shift, before.shift, 1e-9 * before.shift);
    pkm_robot_free(robot);
}

/// What the joints add makes up the bound.
static void contributions_add_up(void)
{
    pkm_robot* robot = engine_load("five-bar");
    pkm_error_set set;
    double y[20], part[4], sum = 0.0;
    const double w[6] = {0.3, 1.0, 0.0};
    make_set(robot, CLEARANCE, &set);
    const double most = pkm_error_set_support(&set, w, y);
    pkm_error_set_contributions(&set, w, part);
    for (int k = 0; k < set.seat.regions.n; ++k)
        sum += part[k];
    CHECK_NEAR(sum, most, 1e-5 * most);
    pkm_error_set_free(&set);
    pkm_robot_free(robot);
}

/// Along a motion the rows are those of single positions.
static void a_motion_is_many_positions(void)
{
    pkm_robot* robot = engine_load("siax");
    pkm_error_set set;
    pkm_envelope envelope;
    pkm_envelope_report report;
    pkm_error err = {0};
    pkm_table* table = pkm_table_create();
    make_set(robot, CLEARANCE, &set);
    const pkm_envelope_settings settings = {.motion = 0, .n_instant = 11};
    CHECK(pkm_envelope_run(&set, &settings, table, &report, &err) == PKM_OK);
    CHECK(report.n_done == 11 && pkm_table_n_row(table) == 11);
    const double degree = 3.14159265358979323846 / 180.0;
    go_to(robot, (pkm_target){.q = {70.0 * degree, 41.0 * degree, -36.0 * degree}});
    CHECK(pkm_error_set_find(&set) == PKM_OK);
    CHECK(pkm_envelope_at(&set, &envelope) == PKM_OK);
    CHECK_NEAR(pkm_table_get(table, 10, pkm_table_find(table, "P.ez")), envelope.most[2], 1e-12);
    CHECK_NEAR(pkm_table_get(table, 10, pkm_table_find(table, "P.turn")), envelope.turn, 1e-10);
    CHECK_NEAR(pkm_table_get(table, 10, pkm_table_find(table, "P.a1")), envelope.shifts.semi[0],
               1e-12);
    CHECK(pkm_table_check_finite(table, &err) == PKM_OK);
    pkm_table_free(table);
    pkm_error_set_free(&set);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(sensitivities_of_balls_hold);
    RUN(sensitivities_of_universal_joints_hold);
    RUN(sensitivities_of_guides_hold);
    RUN(sensitivities_of_redundant_loops_hold);
    RUN(a_four_bar_has_its_planar_bounds);
    RUN(a_tilted_four_bar_has_the_same_bounds);
    RUN(siax_drops_by_its_geometry);
    RUN(random_positions_lie_inside);
    RUN(ellipsoids_contain_the_set);
    RUN(ellipsoids_have_the_least_trace);
    RUN(redundant_constraints_make_ellipsoids_smaller);
    RUN(the_program_meets_its_dual);
    RUN(seated_journals_are_the_extreme_along_the_load);
    RUN(closed_loops_differ_by_the_square_of_the_clearance);
    RUN(idle_spins_change_nothing);
    RUN(contributions_add_up);
    RUN(a_motion_is_many_positions);
    return check_report();
}
