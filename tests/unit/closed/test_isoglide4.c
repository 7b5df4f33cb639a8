#include "closed.h"
#include "unit/closed/iso_check.h"

#include "closed/families.h"

static const pkm_closed_family* const family = &pkm_closed_isoglide4;

#define LIMBS_OF_TABLE_1                                                                           \
    {"l3_a", 0.677}, {"l3_b", 0.711}, {"l3_c", 0.752}, {"l3_d", 0.638}, {"l4_a", 0.792},           \
        {"l4_b", 0.698}, {"l4_c", 0.63}, {"l4_d", 0.702}, {"m3_a", 26.9}, {"m3_b", 28.65},         \
        {"m3_c", 22.81}, {"m3_d", 23.58}, {"m4_a", 31.98}, {"m4_b", 27.99}, {"m4_c", 28.99},       \
        {"m4_d", 28.97}, {"slide_mass", 17.1}, {"platform_length", 0.3},                           \
        {"coupling_length", 0.12}, {"platform_mass", 17.0},                                        \
    {                                                                                              \
        "payload_mass", 10.0                                                                       \
    }

/// The robot of the paper with the rails and branches of the reference.
static const setting paper[] = {
    LIMBS_OF_TABLE_1,  {"elbow_a", -1.0}, {"elbow_b", 1.0},
    {"elbow_c", -1.0}, {"elbow_d", -1.0}, {NULL, 0.0},
};

/// Rails off the axes and an inertia of its own, so that nothing cancels.
static const setting shifted[] = {
    LIMBS_OF_TABLE_1,    {"platform_inertia", 0.21}, {"guide_a_y", 0.02},   {"guide_a_z", -0.03},
    {"guide_b_z", 0.04}, {"guide_b_x", -0.05},       {"guide_c_x", 0.06},   {"guide_c_y", -0.02},
    {"guide_d_x", 0.25}, {"guide_d_y", 0.03},        {"gravity", -9.80665}, {"elbow_c", -1.0},
    {NULL, 0.0},
};

static const swing motion = {
    {0.6, 0.55, 0.6, 0.3}, {0.08, 0.1, 0.09, 0.4}, {2.1, 1.7, 2.6, 1.9}, {0.3, 1.1, 2.0, 0.5}};

/// The bar points backward: |turn| > 90 degrees.
static const swing backward = {
    {0.5, 0.55, 0.5, 2.8}, {0.08, 0.1, 0.09, 0.3}, {2.1, 1.7, 2.6, 1.9}, {0.3, 1.1, 2.0, 0.5}};

static const pkm_vec3 none = {0.0, 0.0, 0.0};

/// det B / l6 = -cos phi by expansion along the first two rows and columns.
static double det_b(const double* m)
{
    return (m[10] * m[15] - m[11] * m[14]) / 0.3;
}

static void forces_meet_the_reference(void)
{
    pkm_closed* closed = bind_settings(family, paper);
    check_reference(closed, "isoglide4_ref.csv", 23);
    pkm_closed_free(closed);
}

// The places of K1 and K2 in the reference fix the sense of the turn: K2 rises when the tool turns
// by a negative angle about y.
static void the_bar_goes_from_k1_to_k2(void)
{
    static reference ref;
    pkm_closed* closed = bind_settings(family, paper);
    read_reference("isoglide4_ref.csv", &ref);
    for (int i = 0; i < ref.n_row; ++i) {
        const double *k1 = &ref.row[i][17], *k2 = &ref.row[i][20];
        pkm_closed_config at;
        CHECK(pkm_closed_direct_geometry(closed, &ref.row[i][1], &at, 1, NULL) == 1);
        const pkm_vec3 bar = pkm_quat_rotate(at.pose.q, pkm_vec3_make(0.3, 0.0, 0.0));
        CHECK_NEAR(bar.x, k2[0] - k1[0], 1e-14);
        CHECK_NEAR(bar.y, k2[1] - k1[1], 1e-14);
        CHECK_NEAR(bar.z, k2[2] - k1[2], 1e-14);
    }
    CHECK(ref.row[40][22] > ref.row[40][19]);
    pkm_closed_free(closed);
}

/// Forces on the motion of the paper, a quintic in the drives in 1 s.
static void paper_forces(const pkm_closed* closed, double s, double* qdd, double* F)
{
    const double from[4] = {0.52, 0.4, 0.52, 0.52}, step[4] = {0.5, 0.5, 0.5, 0.6};
    double law[3], q[4], qd[4];
    quintic(s, law);
    for (int j = 0; j < 4; ++j) {
        q[j] = from[j] + step[j] * law[0];
        qd[j] = step[j] * law[1];
        qdd[j] = step[j] * law[2];
    }
    pkm_closed_config at;
    pkm_frame_motion tool;
    CHECK(pkm_closed_direct_geometry(closed, q, &at, 1, NULL) == 1);
    CHECK(pkm_closed_tool_motion(closed, &at, qd, qdd, &tool) == PKM_OK);
    CHECK(pkm_closed_inverse_dynamics(closed, &at, &tool, qd, qdd, none, none, F) == PKM_OK);
}

// Recomputed ranges: -792..714, -584..651, 662..1299, 580..1097 N; published 3.5 m/s2.
static void forces_have_the_recomputed_ranges(void)
{
    const double lo_expected[4] = {-792.0, -584.0, 662.0, 580.0};
    const double hi_expected[4] = {714.0, 651.0, 1299.0, 1097.0};
    pkm_closed* closed = bind_settings(family, paper);
    double lo[4], hi[4], qdd[4], F[4] = {0.0}, fastest = 0.0;
    for (int j = 0; j < 4; ++j)
        lo[j] = INFINITY, hi[j] = -INFINITY;
    for (int i = 0; i <= 2000; ++i) {
        paper_forces(closed, i / 2000.0, qdd, F);
        fastest = fmax(fastest, qdd[3]);
        for (int j = 0; j < 4; ++j)
            lo[j] = fmin(lo[j], F[j]), hi[j] = fmax(hi[j], F[j]);
    }
    for (int j = 0; j < 4; ++j) {
        CHECK_NEAR(lo[j], lo_expected[j], 0.5);
        CHECK_NEAR(hi[j], hi_expected[j], 0.5);
    }
    CHECK_NEAR(fastest, 3.464, 5e-4);
    pkm_closed_free(closed);
}

static void all_branches_are_listed_the_files_first(void)
{
    pkm_closed* closed = bind_settings(family, paper);
    pkm_closed_config out[PKM_CLOSED_MAX_BRANCH];
    const pkm_pose pose = {{0.55, 0.4, 0.4}, {1.0, 0.0, 0.0, 0.0}};
    CHECK(pkm_closed_inverse_geometry(closed, &pose, out, 64, NULL) == 16);
    CHECK_TEXT(out[0].label, "elbows a- b+ c- d-, cos phi > 0");
    CHECK_NEAR(out[0].q[0], 0.52, 1e-15);
    CHECK_NEAR(out[0].q[1], 0.4, 1e-15);
    CHECK_NEAR(out[0].q[2], 0.52, 1e-15);
    CHECK_NEAR(out[0].q[3], 0.52, 1e-15);

    // both signs of cos phi, 16 elbows each
    const double q[4] = {0.62, 0.4, 0.52, 0.67};
    uint64_t seen = 0;
    CHECK(pkm_closed_direct_geometry(closed, q, out, 64, NULL) == 32);
    for (int k = 0; k < 32; ++k)
        seen |= 1ULL << out[k].branch;
    CHECK(seen == 0xffffffffULL);
    CHECK_TEXT(out[0].label, "elbows a- b+ c- d-, cos phi > 0");
    CHECK_TEXT(out[16].label, "elbows a- b+ c- d-, cos phi < 0");
    CHECK_NEAR(out[0].pose.p.x, 0.5 + 0.15 * cos(asin(0.5)), 1e-15);
    CHECK_NEAR(out[16].pose.p.x, 0.5 - 0.15 * cos(asin(0.5)), 1e-15);
    CHECK_NEAR(out[0].pose.p.z, 0.4 + 0.075, 1e-15);
    CHECK(pkm_closed_direct_geometry(closed, q, out, 20, NULL) == 20);
    pkm_closed_free(closed);
}

static void places_go_there_and_back(void)
{
    pkm_closed* closed = bind_settings(family, shifted);
    check_there_and_back(closed, (double[]){-0.9, -0.9, -0.9, -3.1}, (double[]){0.9, 0.9, 0.9, 3.1},
                         16, 1e-3, det_b);
    pkm_closed_free(closed);
}

static void velocities_meet_differences(void)
{
    pkm_closed* closed = bind_settings(family, shifted);
    check_velocity_equation(closed, &motion, 0);
    check_velocity_equation(closed, &backward, 1 << 4);
    pkm_closed_free(closed);
}

static void forces_obey_lagrange_on_every_branch(void)
{
    pkm_closed* closed = bind_settings(family, shifted);
    check_equations_of_motion(closed, &motion, 16);
    check_equations_of_motion(closed, &backward, 16);
    pkm_closed_free(closed);
}

// At rest, level: the drives hold f with F3 + F4 = -f_z, and tau_y with the lever l6.
static void a_torque_about_y_loads_the_vertical_drives(void)
{
    pkm_closed* closed = bind_settings(family, paper);
    const pkm_frame_motion tool = {.pose = {{0.55, 0.4, 0.4}, {1.0, 0.0, 0.0, 0.0}}};
    const double zero[4] = {0.0};
    pkm_closed_config at;
    double F[4], G[4];
    CHECK(pkm_closed_inverse_geometry(closed, &tool.pose, &at, 1, NULL) == 1);
    CHECK(pkm_closed_inverse_dynamics(closed, &at, &tool, zero, zero, none, none, F) == PKM_OK);
    CHECK(pkm_closed_inverse_dynamics(closed, &at, &tool, zero, zero, none, TOOL_TORQUE, G) ==
          PKM_OK);
    // tau_y > 0 pushes K2 down: drive 4 lifts, drive 3 holds down
    CHECK_NEAR(G[0] - F[0], 0.0, 1e-12);
    CHECK_NEAR(G[1] - F[1], 0.0, 1e-12);
    CHECK_NEAR(G[2] - F[2], -TOOL_TORQUE.y / 0.3, 1e-11);
    CHECK_NEAR(G[3] - F[3], TOOL_TORQUE.y / 0.3, 1e-11);
    CHECK(pkm_closed_inverse_dynamics(closed, &at, &tool, zero, zero, TOOL_FORCE, none, G) ==
          PKM_OK);
    CHECK_NEAR(G[0] - F[0], -TOOL_FORCE.x, 1e-11);
    CHECK_NEAR(G[1] - F[1], -TOOL_FORCE.y, 1e-11);
    CHECK_NEAR(G[2] - F[2], -TOOL_FORCE.z / 2.0, 1e-11);
    CHECK_NEAR(G[3] - F[3], -TOOL_FORCE.z / 2.0, 1e-11);
    pkm_closed_free(closed);
}

// With the bar upright the drives do not tell the turn: B loses rank.
static void an_upright_bar_is_a_parallel_singularity(void)
{
    pkm_closed* closed = bind_settings(family, paper);
    pkm_closed_config at;
    double J[16], F[4];
    const double zero[4] = {0.0};
    const pkm_pose pose = {{0.5, 0.5, 0.5},
                           pkm_quat_from_axis((pkm_vec3){0.0, 1.0, 0.0}, -acos(0.0))};
    const pkm_frame_motion tool = {.pose = pose};
    CHECK(pkm_closed_inverse_geometry(closed, &pose, &at, 1, NULL) == 1);
    CHECK(closed_jacobian(closed, &at, J) == PKM_ERR_SINGULAR);
    CHECK(pkm_closed_inverse_dynamics(closed, &at, &tool, zero, zero, none, none, F) ==
          PKM_ERR_SINGULAR);
    pkm_closed_free(closed);
}

static void a_stretched_limb_is_singular(void)
{
    pkm_closed* closed = bind_settings(family, paper);
    pkm_closed_config at;
    double F[4];
    const double zero[4] = {0.0}, reach = 0.638 + 0.702; // limb d, seen along z
    const pkm_pose pose = {{0.6 * reach + 0.15, 0.8 * reach, 0.3}, {1.0, 0.0, 0.0, 0.0}};
    const pkm_frame_motion tool = {.pose = pose};
    CHECK(pkm_closed_inverse_geometry(closed, &pose, &at, 1, NULL) == 1);
    CHECK(pkm_closed_inverse_dynamics(closed, &at, &tool, zero, zero, none, none, F) ==
          PKM_ERR_SINGULAR);
    pkm_closed_free(closed);
}

static void out_of_reach_says_by_how_much(void)
{
    pkm_closed* closed = bind_settings(family, paper);
    pkm_closed_config out[PKM_CLOSED_MAX_BRANCH];
    double beyond = 0.0;
    const pkm_pose far = {{1.35, 1.2, 0.3}, {1.0, 0.0, 0.0, 0.0}};
    CHECK(pkm_closed_inverse_geometry(closed, &far, out, 64, &beyond) == 0);
    CHECK_NEAR(beyond, hypot(1.2, 1.2) - (0.638 + 0.702), 1e-15); // limb d

    // slides c and d further apart than the bar is long
    const double apart[4] = {0.52, 0.4, 0.52, 0.87};
    CHECK(pkm_closed_direct_geometry(closed, apart, out, 64, &beyond) == 0);
    CHECK_NEAR(beyond, 0.05, 1e-15);
    const double away[4] = {1.32, 1.2, 0.42, 0.42};
    CHECK(pkm_closed_direct_geometry(closed, away, out, 64, &beyond) == 0);
    CHECK_NEAR(beyond, hypot(1.2, 1.2) - (0.752 + 0.63), 1e-15); // limb c, bar turned back
    const double left[4] = {-1.08, 1.2, 0.42, 0.42};
    CHECK(pkm_closed_direct_geometry(closed, left, out, 64, &beyond) == 0);
    CHECK_NEAR(beyond, hypot(1.2, 1.2) - (0.638 + 0.702), 1e-15); // limb d, bar not turned back
    const double upright[4] = {0.52, 0.4, 0.52, 0.82 + 5e-13};    // roundoff is no gap
    CHECK(pkm_closed_direct_geometry(closed, upright, out, 64, &beyond) == 32);
    const double nowhere[4] = {0.52, NAN, 0.52, 0.52};
    CHECK(pkm_closed_direct_geometry(closed, nowhere, out, 64, &beyond) == 0);
    CHECK_NEAR(beyond, 0.0, 0.0);
    pkm_closed_free(closed);
}

// Limb d reaches one side of the bar only: the other side is not listed.
static void only_the_side_within_reach_is_listed(void)
{
    pkm_closed* closed = bind_settings(family, paper);
    pkm_closed_config out[PKM_CLOSED_MAX_BRANCH];
    const double q[4] = {-0.68, 0.85, 0.42,
                         0.42}; // K1 at x = -0.8: K2 at -0.5 or -1.1, rail at 0.3
    CHECK(pkm_closed_direct_geometry(closed, q, out, 64, NULL) == 16);
    CHECK_NEAR(out[0].pose.p.x, -0.65, 1e-15);
    pkm_closed_free(closed);
}

// A tilt that the robot cannot make is left out; the pose in the answer says what it does.
static void a_tilt_it_cannot_make_is_left_out(void)
{
    pkm_closed* closed = bind_settings(family, paper);
    pkm_closed_config out[2];
    const pkm_vec3 place = {0.55, 0.4, 0.4};
    const pkm_pose tilted = {place, pkm_quat_from_rpy((pkm_vec3){0.2, 0.0, 0.0})};
    const pkm_pose over = {place, {0.0, 1.0, 0.0, 0.0}};
    CHECK(pkm_closed_inverse_geometry(closed, &tilted, out, 1, NULL) == 1);
    CHECK_NEAR(out[0].pose.q.w, 1.0, 1e-15);
    const pkm_quat turn = pkm_quat_from_axis((pkm_vec3){0.0, 1.0, 0.0}, 0.5);
    const pkm_pose both = {place, pkm_quat_mul(turn, tilted.q)};
    CHECK(pkm_closed_inverse_geometry(closed, &both, out, 1, NULL) == 1);
    CHECK_NEAR(out[0].pose.q.w, turn.w, 1e-15);
    CHECK_NEAR(out[0].pose.q.y, turn.y, 1e-15);
    CHECK_NEAR(out[0].q[3] - out[0].q[2], -0.3 * sin(0.5), 1e-15);
    CHECK(pkm_closed_inverse_geometry(closed, &over, out, 1, NULL) == 1);
    CHECK_NEAR(out[0].pose.q.w, 1.0, 1e-15);
    pkm_closed_free(closed);
}

static void every_parameter_matters(void)
{
    check_every_parameter_matters(family, shifted, &motion);
}

static void defaults_are_a_slender_bar_and_rails_one_bar_apart(void)
{
    double a[FINGERPRINT], b[FINGERPRINT];
    const pkm_frame_motion tool = swing_at(&motion, 0.4);
    pkm_closed* closed = bind_settings(family, paper);
    pkm_closed* inertia = bind_with(family, paper, "platform_inertia", 17.0 * 0.09 / 12.0);
    pkm_closed* rail = bind_with(family, paper, "guide_d_x", 0.3);
    fingerprint(closed, &tool, a);
    fingerprint(inertia, &tool, b);
    for (int k = 0; k < 8; ++k)
        CHECK_NEAR(a[k], b[k], 1e-11);
    fingerprint(rail, &tool, b);
    for (int k = 0; k < 8; ++k)
        CHECK_NEAR(a[k], b[k], 0.0);
    pkm_closed_free(closed);
    pkm_closed_free(inertia);
    pkm_closed_free(rail);
}

static void wrong_values_are_named(void)
{
    for (int i = 0; i < 8; ++i)
        check_bad_value(family, paper, family->parameter[i].name, 0.0);
    for (int i = 8; i < 17; ++i)
        check_bad_value(family, paper, family->parameter[i].name, -1.0);
    check_bad_value(family, paper, "platform_length", 0.0);
    check_bad_value(family, paper, "platform_mass", -1.0);
    check_bad_value(family, paper, "platform_inertia", -1.0);
    check_bad_value(family, paper, "payload_mass", -1.0);
    check_bad_value(family, paper, "coupling_length", NAN);
    check_bad_value(family, paper, "elbow_a", 0.5);
    check_bad_value(family, paper, "elbow_d", -2.0);
    check_bad_value(family, paper, "guide_d_y", INFINITY);
}

static void nothing_is_allocated(void)
{
    pkm_closed* closed = bind_settings(family, paper);
    check_no_allocation_and_time(closed, &motion);
    pkm_closed_free(closed);
}

int main(void)
{
    RUN(forces_meet_the_reference);
    RUN(the_bar_goes_from_k1_to_k2);
    RUN(forces_have_the_recomputed_ranges);
    RUN(all_branches_are_listed_the_files_first);
    RUN(places_go_there_and_back);
    RUN(velocities_meet_differences);
    RUN(forces_obey_lagrange_on_every_branch);
    RUN(a_torque_about_y_loads_the_vertical_drives);
    RUN(an_upright_bar_is_a_parallel_singularity);
    RUN(a_stretched_limb_is_singular);
    RUN(out_of_reach_says_by_how_much);
    RUN(only_the_side_within_reach_is_listed);
    RUN(a_tilt_it_cannot_make_is_left_out);
    RUN(every_parameter_matters);
    RUN(defaults_are_a_slender_bar_and_rails_one_bar_apart);
    RUN(wrong_values_are_named);
    RUN(nothing_is_allocated);
    return check_report();
}
