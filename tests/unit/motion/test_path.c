#include "motion/path.h"

#include "check.h"
#include "math/quat.h"

static const pkm_law_profile LAW = {PKM_LAW_SEPTIC, 0.8, 0.0, 0.0};

static pkm_vec3 vec(double x, double y, double z)
{
    return pkm_vec3_make(x, y, z);
}

static double apart(pkm_vec3 a, pkm_vec3 b)
{
    return pkm_vec3_norm(pkm_vec3_sub(a, b));
}

static pkm_leg random_arc(double* middle)
{
    const pkm_vec3 p[3] = {{0.3, -0.2, 0.9}, {0.5, 0.4, 0.7}, {-0.1, 0.6, 1.1}};
    pkm_leg leg;
    CHECK(pkm_leg_arc(p, &leg, middle));
    leg.law = LAW;
    leg.begin = 0.1;
    const pkm_vec3 r[3] = {{0.1, 0.2, -0.4}, {1.0, -0.9, 0.3}, {0.4, 1.2, 2.5}};
    pkm_leg_turn_through(&leg, r, *middle);
    return leg;
}

static void straight_leg_joins_its_ends(void)
{
    pkm_leg leg = pkm_leg_line(vec(1, 2, 3), vec(2, 0, 5));
    leg.law = LAW;
    pkm_tool_jet jet;
    CHECK_NEAR(pkm_leg_length(&leg), 3.0, 1e-15);
    pkm_leg_at(&leg, 0.0, &jet);
    CHECK_NEAR(apart(jet.point.x, vec(1, 2, 3)), 0.0, 0.0);
    pkm_leg_at(&leg, 0.8, &jet);
    CHECK_NEAR(apart(jet.point.x, vec(2, 0, 5)), 0.0, 0.0);
    pkm_leg_at(&leg, 0.4, &jet);
    CHECK_NEAR(apart(jet.point.x, vec(1.5, 1, 4)), 0.0, 1e-15);
    CHECK_NEAR(pkm_vec3_norm(jet.point.v), 3.0 * 2.1875 / 0.8, 1e-14);
}

static void arc_passes_through_its_points_in_order(void)
{
    const pkm_vec3 p[3] = {{0.3, -0.2, 0.9}, {0.5, 0.4, 0.7}, {-0.1, 0.6, 1.1}};
    double middle;
    pkm_leg leg = random_arc(&middle);
    leg.law = (pkm_law_profile){.law = PKM_LAW_CONSTANT, .T = 1.0}; // u = t - 0.1
    const double u[3] = {0.0, middle, 1.0};
    CHECK(middle > 0.0 && middle < 1.0);
    for (int i = 0; i < 3; ++i) {
        pkm_tool_jet jet;
        pkm_leg_at(&leg, 0.1 + u[i], &jet);
        CHECK_NEAR(apart(jet.point.x, p[i]), 0.0, 1e-14);
    }
}

// A three-quarter turn about -z through points 90 degrees apart: the long way, not the short one.
static void arc_takes_the_way_through_its_middle(void)
{
    const pkm_vec3 p[3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}};
    pkm_leg leg;
    double middle;
    CHECK(pkm_leg_arc(p, &leg, &middle));
    CHECK_NEAR(leg.angle, 1.5 * acos(-1.0), 1e-15);
    CHECK_NEAR(middle, 2.0 / 3.0, 1e-15);
    CHECK_NEAR(apart(leg.ey, vec(0, -1, 0)), 0.0, 1e-15);
    CHECK_NEAR(pkm_leg_length(&leg), 1.5 * acos(-1.0), 1e-15);
}

static void points_on_a_line_make_no_arc(void)
{
    const pkm_vec3 line[3] = {{0, 0, 0}, {1, 1, 1}, {3, 3, 3}};
    const pkm_vec3 same[3] = {{0, 0, 0}, {1, 1, 1}, {0, 0, 0}};
    const pkm_vec3 one[3] = {{1, 2, 3}, {1, 2, 3}, {3, 3, 3}};
    pkm_leg leg;
    double middle;
    CHECK(!pkm_leg_arc(line, &leg, &middle));
    CHECK(!pkm_leg_arc(same, &leg, &middle));
    CHECK(!pkm_leg_arc(one, &leg, &middle));
}

static void circle_stays_on_its_circle(void)
{
    const pkm_vec3 n = pkm_vec3_unit(vec(1, 2, -1)), center = {0.1, 0.2, 0.5};
    const pkm_vec3 start = pkm_vec3_perpendicular(n);
    pkm_leg leg = pkm_leg_circle(center, n, start, 0.3, 7.0);
    leg.law = (pkm_law_profile){.law = PKM_LAW_CONSTANT, .T = 2.0};
    const double omega = 3.5; // [rad/s]
    for (int i = 0; i <= 10; ++i) {
        const double t = 0.2 * i;
        pkm_tool_jet jet;
        pkm_leg_at(&leg, t, &jet);
        const pkm_vec3 r = pkm_vec3_sub(jet.point.x, center);
        const pkm_vec3 turned = pkm_quat_rotate(pkm_quat_from_axis(n, omega * t), start);
        CHECK_NEAR(apart(r, pkm_vec3_scale(0.3, turned)), 0.0, 1e-15);
        // v = w x r, a = -w^2 r, j = -w^2 v
        CHECK_NEAR(apart(jet.point.v, pkm_vec3_scale(omega, pkm_vec3_cross(n, r))), 0.0, 1e-14);
        CHECK_NEAR(apart(jet.point.a, pkm_vec3_scale(-omega * omega, r)), 0.0, 1e-14);
        CHECK_NEAR(apart(jet.point.j, pkm_vec3_scale(-omega * omega, jet.point.v)), 0.0, 1e-13);
    }
}

// Each derivative is the central difference of the one before: h^2/6 x''' is 1e-6 at most here.
static void derivatives_of_an_arc_meet_finite_differences(void)
{
    const double h = 1e-5;
    double middle;
    const pkm_leg leg = random_arc(&middle);
    for (int i = 1; i < 16; ++i) {
        const double t = 0.1 + 0.05 * i;
        pkm_tool_jet a, b, p;
        pkm_leg_at(&leg, t - h, &a);
        pkm_leg_at(&leg, t + h, &b);
        pkm_leg_at(&leg, t, &p);
        const pkm_jet3 pairs[2][3] = {{a.point, b.point, p.point}, {a.rpy, b.rpy, p.rpy}};
        for (int k = 0; k < 2; ++k) {
            const pkm_jet3 *l = &pairs[k][0], *r = &pairs[k][1], *m = &pairs[k][2];
            CHECK_NEAR(apart(m->v, pkm_vec3_scale(0.5 / h, pkm_vec3_sub(r->x, l->x))), 0.0, 1e-6);
            CHECK_NEAR(apart(m->a, pkm_vec3_scale(0.5 / h, pkm_vec3_sub(r->v, l->v))), 0.0, 1e-5);
            CHECK_NEAR(apart(m->j, pkm_vec3_scale(0.5 / h, pkm_vec3_sub(r->a, l->a))), 0.0, 1e-4);
        }
    }
}

static void arc_turns_through_three_orientations(void)
{
    double middle;
    pkm_leg leg = random_arc(&middle);
    leg.law = (pkm_law_profile){.law = PKM_LAW_CONSTANT, .T = 1.0};
    const pkm_vec3 r[3] = {{0.1, 0.2, -0.4}, {1.0, -0.9, 0.3}, {0.4, 1.2, 2.5}};
    const double u[3] = {0.0, middle, 1.0};
    for (int i = 0; i < 3; ++i) {
        pkm_tool_jet jet;
        pkm_leg_at(&leg, 0.1 + u[i], &jet);
        CHECK_NEAR(apart(jet.rpy.x, r[i]), 0.0, 1e-14);
    }
}

static pkm_frame_motion frame_at(const pkm_leg* leg, double t)
{
    pkm_tool_jet jet;
    pkm_frame_motion frame;
    pkm_leg_at(leg, t, &jet);
    pkm_tool_jet_frame(&jet, &frame);
    return frame;
}

// The rotation vector from q(t - h) to q(t + h) over 2 h is w + O(h^2); the difference of w is
// alpha.
static void rates_of_roll_pitch_yaw_turn_the_quaternion(void)
{
    const double h = 1e-5;
    double middle;
    const pkm_leg leg = random_arc(&middle);
    for (int i = 1; i < 16; ++i) {
        const double t = 0.1 + 0.05 * i;
        const pkm_frame_motion a = frame_at(&leg, t - h), b = frame_at(&leg, t + h);
        const pkm_frame_motion p = frame_at(&leg, t);
        const pkm_quat step = pkm_quat_mul(b.pose.q, pkm_quat_conj(a.pose.q));
        const pkm_vec3 w = pkm_vec3_scale(0.5 / h, pkm_quat_to_rotvec(step));
        CHECK_NEAR(apart(p.w, w), 0.0, 1e-6);
        CHECK_NEAR(apart(p.alpha, pkm_vec3_scale(0.5 / h, pkm_vec3_sub(b.w, a.w))), 0.0, 1e-5);
    }
}

static const pkm_inverted_u KUO = {
    .mark = {0.0, 0.2, 0.4, 0.6, 0.8},
    .from = {-0.08, -0.02, 0.5},
    .step = {0.16, 0.04, 0.0},
    .lift = {0.0, 0.0, 0.2},
    .r0 = {0.0, 0.0, 0.1},
    .r1 = {0.0, 0.0, 1.0},
};

// Kuo (2016), 5.4: XY rest until t1 and from t3 on, Z is highest at t2.
static void inverted_u_keeps_its_marks(void)
{
    const double s = 0.5 * 0.5 * 0.5 * 0.5 * (35.0 - 42.0 + 17.5 - 2.5); // septic at 1/2
    CHECK_NEAR(s, 0.5, 0.0);
    const pkm_vec3 place[5] = {{-0.08, -0.02, 0.5},
                               {-0.08, -0.02, 0.6},
                               {0.0, 0.0, 0.7},
                               {0.08, 0.02, 0.6},
                               {0.08, 0.02, 0.5}};
    for (int i = 0; i < 5; ++i) {
        pkm_tool_jet jet;
        pkm_inverted_u_at(&KUO, KUO.mark[i], &jet);
        CHECK_NEAR(apart(jet.point.x, place[i]), 0.0, 1e-15);
    }
    pkm_tool_jet end;
    pkm_inverted_u_at(&KUO, 0.8, &end);
    CHECK_NEAR(end.rpy.x.z, 1.1, 1e-15);
}

// Zero velocity, acceleration and jerk of each interval's coordinates at its marks: lift at t0, t2,
// t4, transfer at t1, t3. At 1e-6 s from a mark a septic's jerk is 840 d/T^4 times that.
static void inverted_u_is_septic_at_its_marks(void)
{
    for (int i = 0; i < 5; ++i) {
        for (int side = -1; side <= 1; ++side) {
            pkm_tool_jet jet;
            pkm_inverted_u_at(&KUO, KUO.mark[i] + 1e-6 * side, &jet);
            const bool lift = i % 2 == 0;
            const double v = lift ? jet.point.v.z : jet.point.v.x;
            const double a = lift ? jet.point.a.z : jet.point.a.x;
            const double j = lift ? jet.point.j.z : jet.point.j.x;
            CHECK_NEAR(v, 0.0, 1e-14);
            CHECK_NEAR(a, 0.0, 1e-8);
            CHECK_NEAR(j, 0.0, 840.0 * 0.2 / pow(0.4, 4) * 1.01e-6);
            CHECK((side == 0) <= (fabs(j) < 1e-9));
        }
    }
}

int main(void)
{
    RUN(straight_leg_joins_its_ends);
    RUN(arc_passes_through_its_points_in_order);
    RUN(arc_takes_the_way_through_its_middle);
    RUN(points_on_a_line_make_no_arc);
    RUN(circle_stays_on_its_circle);
    RUN(derivatives_of_an_arc_meet_finite_differences);
    RUN(arc_turns_through_three_orientations);
    RUN(rates_of_roll_pitch_yaw_turn_the_quaternion);
    RUN(inverted_u_keeps_its_marks);
    RUN(inverted_u_is_septic_at_its_marks);
    return check_report();
}
