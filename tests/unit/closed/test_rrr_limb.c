#include "check.h"
#include "closed/rrr_limb.h"
#include "math/vec3.h"

/// A limb along `axis`, off its axis, with unlike links.
static pkm_rrr_limb make_limb(int axis)
{
    pkm_rrr_limb limb = {.axis = axis,
                         .rail = {0.07, -0.05},
                         .l1 = 0.6,
                         .l2 = 0.45,
                         .m1 = 3.0,
                         .m2 = 2.0,
                         .J1 = 0.1,
                         .J2 = 0.04,
                         .slide_mass = 1.5,
                         .gravity = {0.0, 0.0, -9.8}};
    pkm_rrr_limb_prepare(&limb);
    return limb;
}

static double component(pkm_vec3 v, int i)
{
    return i == 0 ? v.x : i == 1 ? v.y : v.z;
}

/// The limb as two angles, in world axes: elbow and tip.
static void links(const pkm_rrr_limb* limb, double slide, double angle1, double angle2,
                  pkm_vec3* elbow, pkm_vec3* tip)
{
    double e[3], t[3];
    const int along = limb->axis, c = (along + 1) % 3, s = (along + 2) % 3;
    e[along] = t[along] = slide;
    e[c] = limb->rail.c + limb->l1 * cos(angle1);
    e[s] = limb->rail.s + limb->l1 * sin(angle1);
    t[c] = e[c] + limb->l2 * cos(angle1 + angle2);
    t[s] = e[s] + limb->l2 * sin(angle1 + angle2);
    *elbow = pkm_vec3_make(e[0], e[1], e[2]);
    *tip = pkm_vec3_make(t[0], t[1], t[2]);
}

static pkm_vec3 middle(pkm_vec3 a, pkm_vec3 b)
{
    return pkm_vec3_scale(0.5, pkm_vec3_add(a, b));
}

/// The angles, the slide and the point of the limb's motion used below.
typedef struct pose {
    double slide, angle1, angle2;
} pose;

static pose pose_at(double t, double elbow)
{
    return (pose){0.3 + 0.4 * t, 0.9 + 0.7 * t, elbow * (1.1 - 0.5 * t)};
}

/// Kinetic plus potential energy from the bodies' centres and angles; velocities by differences.
static double energy_of_bodies(const pkm_rrr_limb* limb, double t, double elbow, pkm_vec3* tip,
                               pkm_vec3* tip_v)
{
    const double h = 1e-3, weight[2] = {8.0 / (12.0 * h), -1.0 / (12.0 * h)};
    pkm_vec3 v1 = {0.0, 0.0, 0.0}, v2 = {0.0, 0.0, 0.0}, base = {0.0, 0.0, 0.0}, e, p;
    *tip_v = v1;
    double rail[3];
    rail[(limb->axis + 1) % 3] = limb->rail.c;
    rail[(limb->axis + 2) % 3] = limb->rail.s;
    for (int k = 1; k <= 2; ++k) {
        for (int side = -1; side <= 1; side += 2) {
            const pose at = pose_at(t + side * k * h, elbow);
            const double w = side * weight[k - 1];
            links(limb, at.slide, at.angle1, at.angle2, &e, &p);
            rail[limb->axis] = at.slide;
            base = pkm_vec3_make(rail[0], rail[1], rail[2]);
            v1 = pkm_vec3_axpy(v1, w, middle(base, e));
            v2 = pkm_vec3_axpy(v2, w, middle(e, p));
            *tip_v = pkm_vec3_axpy(*tip_v, w, p);
        }
    }
    const pose now = pose_at(t, elbow);
    rail[limb->axis] = now.slide;
    base = pkm_vec3_make(rail[0], rail[1], rail[2]);
    links(limb, now.slide, now.angle1, now.angle2, &e, tip);
    const double w1 = 0.7, w2 = 0.7 - 0.5 * elbow, v_slide = 0.4;
    const double kinetic = limb->m1 * pkm_vec3_dot(v1, v1) + limb->m2 * pkm_vec3_dot(v2, v2) +
                           limb->J1 * w1 * w1 + limb->J2 * w2 * w2 +
                           limb->slide_mass * v_slide * v_slide;
    const double moment =
        limb->m1 * middle(base, e).z + limb->m2 * middle(e, *tip).z + limb->slide_mass * base.z;
    return kinetic / 2.0 - limb->gravity.z * moment;
}

// The slide's share of the potential uses the tip's place along the rail, here the same.
static void energy_is_that_of_the_bodies_on_both_elbows(void)
{
    for (int axis = 0; axis < 3; ++axis) {
        const pkm_rrr_limb limb = make_limb(axis);
        for (double elbow = -1.0; elbow <= 1.0; elbow += 2.0) {
            pkm_rrr_tip tip = {0};
            const double truth = energy_of_bodies(&limb, 0.2, elbow, &tip.p, &tip.v);
            CHECK_NEAR(pkm_rrr_limb_energy(&limb, elbow, &tip), truth, 1e-10);
            CHECK(fabs(pkm_rrr_limb_energy(&limb, -elbow, &tip) - truth) > 1e-2);
        }
    }
}

// The weight of link 1 and half of link 2 hang on the elbow, the other half on the tip: the static
// force at the tip keeps the moments about the rail and about the elbow in balance.
static void static_force_balances_moments(void)
{
    for (int axis = 0; axis < 3; ++axis) {
        const pkm_rrr_limb limb = make_limb(axis);
        pkm_vec3 e, p, f;
        links(&limb, 0.3, 0.9, -1.1, &e, &p);
        const pkm_rrr_tip tip = {.p = p};
        CHECK(pkm_rrr_limb_force(&limb, -1.0, &tip, &f));
        const pkm_vec3 g = limb.gravity;
        double rail[3];
        rail[axis] = 0.3;
        rail[(axis + 1) % 3] = limb.rail.c;
        rail[(axis + 2) % 3] = limb.rail.s;
        const pkm_vec3 base = pkm_vec3_make(rail[0], rail[1], rail[2]);
        const pkm_vec3 arm2 = pkm_vec3_sub(p, e), arm = pkm_vec3_sub(p, base);
        const pkm_vec3 to1 = pkm_vec3_sub(middle(base, e), base);
        const pkm_vec3 to2 = pkm_vec3_sub(middle(e, p), base);
        const double about_elbow =
            component(pkm_vec3_cross(arm2, pkm_vec3_axpy(f, limb.m2 / 2.0, g)), axis);
        const double about_rail = component(pkm_vec3_cross(arm, f), axis) +
                                  limb.m1 * component(pkm_vec3_cross(to1, g), axis) +
                                  limb.m2 * component(pkm_vec3_cross(to2, g), axis);
        CHECK_NEAR(about_elbow, 0.0, 1e-13);
        CHECK_NEAR(about_rail, 0.0, 1e-13);
        CHECK_NEAR(component(f, axis), axis == 2 ? 6.5 * 9.8 : 0.0, 1e-13);
    }
}

static void reach_ends_where_the_links_line_up(void)
{
    const pkm_rrr_limb limb = make_limb(2);
    CHECK_NEAR(pkm_rrr_limb_beyond(&limb, pkm_vec3_make(0.07 + 1.05, -0.05, 3.0)), 0.0, 1e-15);
    CHECK_NEAR(pkm_rrr_limb_beyond(&limb, pkm_vec3_make(0.07, -0.05 + 1.25, 3.0)), 0.2, 1e-15);
    CHECK_NEAR(pkm_rrr_limb_beyond(&limb, pkm_vec3_make(0.07 - 0.1, -0.05, 3.0)), 0.05, 1e-15);
    CHECK(pkm_rrr_limb_beyond(&limb, pkm_vec3_make(0.07 + 0.5, -0.05, 3.0)) < -0.3);
    CHECK(isnan(pkm_rrr_limb_beyond(&limb, pkm_vec3_make(NAN, -0.05, 3.0))));
}

static void lined_up_links_give_no_force(void)
{
    const pkm_rrr_limb limb = make_limb(2);
    const double place[4] = {1.05, 0.15, 1.06, 0.14};
    for (int k = 0; k < 4; ++k) {
        const pkm_rrr_tip tip = {.p = {0.07 + place[k], -0.05, 0.0}};
        pkm_vec3 f;
        CHECK(!pkm_rrr_limb_force(&limb, 1.0, &tip, &f));
        CHECK(isnan(pkm_rrr_limb_energy(&limb, 1.0, &tip)));
    }
    // 1e-13 m inside its reach it is not stretched
    const pkm_rrr_tip near = {.p = {0.07 + 1.05 - 1e-13, -0.05, 0.0}};
    pkm_vec3 f;
    CHECK(pkm_rrr_limb_force(&limb, 1.0, &near, &f));
}

static void slender_inertia_fills_what_is_not_given(void)
{
    double open = NAN, given = 0.3;
    pkm_rrr_slender(6.0, 2.0, &open);
    pkm_rrr_slender(6.0, 2.0, &given);
    CHECK_NEAR(open, 2.0, 0.0);
    CHECK_NEAR(given, 0.3, 0.0);
}

int main(void)
{
    RUN(energy_is_that_of_the_bodies_on_both_elbows);
    RUN(static_force_balances_moments);
    RUN(reach_ends_where_the_links_line_up);
    RUN(lined_up_links_give_no_force);
    RUN(slender_inertia_fills_what_is_not_given);
    return check_report();
}
