#include "closed.h"
#include "unit/closed/iso_check.h"

#include "closed/families.h"

static const pkm_closed_family* const family = &pkm_closed_prrr2prpar;

/// The robot of the papers, with the branches of the reference; platform and slides without mass.
static const setting paper[] = {
    {"l3_a", 0.63}, {"l4_a", 0.63}, {"l4_b", 0.95},    {"l4_c", 0.95}, {"l7_a", 0.2},
    {"l7_b", 0.2},  {"l7_c", 0.2},  {"m3_a", 9.68},    {"m4_a", 9.68}, {"m3_b", 2.32},
    {"m4_b", 7.35}, {"m5_b", 7.35}, {"m6_b", 2.32},    {"m3_c", 2.32}, {"m4_c", 7.35},
    {"m5_c", 7.35}, {"m6_c", 2.32}, {"elbow_a", -1.0}, {NULL, 0.0},
};

/// Every dimension and mass different, so that nothing cancels.
static const setting uneven[] = {
    {"l3_a", 0.63},        {"l4_a", 0.58},         {"l4_b", 0.95},        {"l4_c", 0.91},
    {"l7_a", 0.2},         {"l7_b", 0.17},         {"l7_c", 0.23},        {"m3_a", 9.68},
    {"m4_a", 8.1},         {"j3_a", 0.35},         {"m3_b", 2.32},        {"m4_b", 7.35},
    {"m5_b", 6.1},         {"m6_b", 2.0},          {"m3_c", 1.9},         {"m4_c", 5.35},
    {"m5_c", 7.0},         {"m6_c", 2.5},          {"slide_mass_a", 1.1}, {"slide_mass_b", 1.2},
    {"slide_mass_c", 1.3}, {"platform_mass", 3.0}, {"payload_mass", 0.7}, {"gravity", -9.80665},
    {NULL, 0.0},
};

/// Near the crossing of the rails: det B has the sign that the roots give it, on every branch.
static const swing motion = {
    {0.42, 0.15, 0.3, 0.0}, {0.08, 0.09, 0.09, 0.0}, {2.1, 1.7, 2.6, 0.0}, {0.3, 1.1, 2.0, 0.0}};

/// Beyond the line through the slides, as in the papers: det B < 0 on every branch.
static const swing beyond_slides = {
    {0.5, 0.64, 0.64, 0.0}, {0.03, 0.03, 0.03, 0.0}, {2.1, 1.7, 2.6, 0.0}, {0.3, 1.1, 2.0, 0.0}};

static const pkm_vec3 none = {0.0, 0.0, 0.0};

static double det3(const double* m)
{
    return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[3] * (m[1] * m[8] - m[2] * m[7]) +
           m[6] * (m[1] * m[5] - m[2] * m[4]);
}

static void forces_meet_the_reference(void)
{
    pkm_closed* closed = bind_settings(family, paper);
    check_reference(closed, "prrr2prpar_ref.csv", 13);
    pkm_closed_free(closed);
}

/// Largest force and acceleration of each drive on the line of the papers, a quintic in 1 s.
static void line_peaks(const pkm_closed* closed, double* F_peak, double* a_peak, double* q_step)
{
    const double from[3] = {0.5, 0.6, 0.7}, step[3] = {-0.2, 0.2, 0.2};
    for (int j = 0; j < 3; ++j)
        F_peak[j] = a_peak[j] = 0.0;
    for (int i = 0; i <= 2000; ++i) {
        double law[3], qd[3], qdd[3], F[3] = {0.0};
        quintic(i / 2000.0, law);
        const pkm_frame_motion tool = {
            .pose = {{from[0] + step[0] * law[0], from[1] + step[1] * law[0],
                      from[2] + step[2] * law[0]},
                     {1.0, 0.0, 0.0, 0.0}},
            .v = {step[0] * law[1], step[1] * law[1], step[2] * law[1]},
            .a = {step[0] * law[2], step[1] * law[2], step[2] * law[2]},
        };
        pkm_closed_config at;
        CHECK(pkm_closed_inverse_geometry(closed, &tool.pose, &at, 1, NULL) == 1);
        CHECK(closed_drive_motion(closed, &at, &tool, qd, qdd) == PKM_OK);
        CHECK(pkm_closed_inverse_dynamics(closed, &at, &tool, qd, qdd, none, none, F) == PKM_OK);
        for (int j = 0; j < 3; ++j) {
            F_peak[j] = fmax(F_peak[j], fabs(F[j]));
            a_peak[j] = fmax(a_peak[j], fabs(qdd[j]));
            q_step[j] = i == 0 ? at.q[j] : i == 2000 ? at.q[j] - q_step[j] : q_step[j];
        }
    }
}

// Published: more than 700 N in q1, 5 m/s2, 1 m/s2 per axis; recomputed 751.6, 5.156, 1.155.
static void published_forces_are_reproduced(void)
{
    pkm_closed* closed = bind_settings(family, paper);
    double F[3], a[3], step[3];
    line_peaks(closed, F, a, step);
    CHECK_NEAR(F[0], 751.63, 5e-3);
    CHECK_NEAR(F[1], 329.5, 0.05);
    CHECK_NEAR(F[2], 226.5, 0.05);
    CHECK_NEAR(a[0], 1.1547, 5e-5);
    CHECK_NEAR(a[1], 5.156, 5e-4);
    pkm_closed_free(closed);
}

static void all_eight_branches_are_listed_the_files_first(void)
{
    pkm_closed* closed = bind_settings(family, paper);
    pkm_closed_config out[16];
    const pkm_pose pose = {{0.5, 0.6, 0.7}, {1.0, 0.0, 0.0, 0.0}};
    double beyond = 1.0;
    CHECK(pkm_closed_inverse_geometry(closed, &pose, out, 16, &beyond) == 8);
    CHECK_NEAR(beyond, 0.0, 0.0);
    CHECK_TEXT(out[0].label, "elbow a-, roots b+ c+, det B < 0");
    unsigned seen = 0;
    for (int k = 0; k < 8; ++k) {
        const double root_b = sqrt(0.95 * 0.95 - 0.5 * 0.5 - 0.7 * 0.7);
        const double root_c = sqrt(0.95 * 0.95 - 0.5 * 0.5 - 0.6 * 0.6);
        seen |= 1u << (out[k].branch & 7);
        CHECK(out[k].label[7] == (out[k].branch & 1 ? '-' : '+'));
        CHECK_NEAR(out[k].q[0], 0.7, 1e-15);
        CHECK_NEAR(out[k].q[1], 0.8 + (out[k].label[17] == '-' ? -root_b : root_b), 1e-15);
        CHECK_NEAR(out[k].q[2], 0.9 + (out[k].label[20] == '-' ? -root_c : root_c), 1e-15);
    }
    CHECK(seen == 0xff);
    CHECK(pkm_closed_inverse_geometry(closed, &pose, out, 5, NULL) == 5);
    pkm_closed_free(closed);
}

static void both_assembly_modes_are_found_the_files_first(void)
{
    pkm_closed* closed = bind_settings(family, paper);
    pkm_closed_config out[16];
    const double q[3] = {0.7, 1.2031128874149275, 1.4408326913195983};
    CHECK(pkm_closed_direct_geometry(closed, q, out, 16, NULL) == 4);
    CHECK_TEXT(out[0].label, "elbow a-, roots b+ c+, det B < 0");
    CHECK_NEAR(out[0].pose.p.y, 0.6, 1e-14);
    CHECK_NEAR(out[0].pose.p.z, 0.7, 1e-14);
    CHECK(fabs(out[2].pose.p.y - 0.6) > 0.1);
    for (int k = 0; k < 4; k += 2) {
        CHECK(out[k].branch == (out[k + 1].branch ^ 1));
        CHECK(out[k].label[29] == (k == 0 ? '<' : '>'));
        CHECK_NEAR(pose_distance(&out[k].pose, &out[k + 1].pose), 0.0, 0.0);
    }
    CHECK(pkm_closed_direct_geometry(closed, q, out, 3, NULL) == 3);

    // a robot of the other elbow has that one first, in both assembly modes
    pkm_closed* bent = bind_with(family, paper, "elbow_a", 1.0);
    CHECK(pkm_closed_direct_geometry(bent, q, out, 16, NULL) == 4);
    for (int k = 0; k < 4; ++k)
        CHECK(out[k].label[7] == (k % 2 == 0 ? '+' : '-'));
    pkm_closed_free(bent);

    // a robot of the other assembly mode gets that one first
    pkm_closed* turned = bind_with(family, paper, "assembly", 1.0);
    CHECK(pkm_closed_direct_geometry(turned, q, out, 16, NULL) == 4);
    CHECK_TEXT(out[0].label, "elbow a-, roots b+ c+, det B > 0");
    CHECK_NEAR(out[2].pose.p.y, 0.6, 1e-14);
    pkm_closed_free(turned);

    // a robot of the other working mode gets its own assembly first
    pkm_closed* other = bind_with(family, paper, "root_b", -1.0);
    const pkm_pose pose = {{0.5, 0.6, 0.7}, {1.0, 0.0, 0.0, 0.0}};
    CHECK(pkm_closed_inverse_geometry(other, &pose, out, 1, NULL) == 1);
    CHECK(pkm_closed_direct_geometry(other, out[0].q, out, 16, NULL) >= 2);
    CHECK_NEAR(out[0].pose.p.y, 0.6, 1e-14);
    CHECK_NEAR(out[0].pose.p.z, 0.7, 1e-14);
    pkm_closed_free(closed);
    pkm_closed_free(other);
}

static void places_go_there_and_back(void)
{
    pkm_closed* closed = bind_settings(family, uneven);
    check_there_and_back(closed, (double[]){-0.9, -0.9, -0.9, 0.0}, (double[]){0.9, 0.9, 0.9, 0.0},
                         8, 1e-3, det3);
    pkm_closed_free(closed);
}

static void velocities_meet_differences_and_rows_are_unit(void)
{
    pkm_closed* closed = bind_settings(family, uneven);
    pkm_closed_config at;
    double B[9], A[9];
    for (int branch = 0; branch < 8; ++branch) {
        const bool unlike_roots = (branch >> 1 & 1) != (branch >> 2 & 1);
        check_velocity_equation(closed, &motion, branch | (unlike_roots ? 8 : 0));
        check_velocity_equation(closed, &beyond_slides, branch | 8);
    }
    const pkm_pose pose = swing_at(&motion, 0.0).pose;
    CHECK(pkm_closed_inverse_geometry(closed, &pose, &at, 1, NULL) == 1);
    pkm_closed_velocity(closed, &at, B, A);
    for (int i = 0; i < 3; ++i) {
        const double row = sqrt(B[i] * B[i] + B[i + 3] * B[i + 3] + B[i + 6] * B[i + 6]);
        CHECK_NEAR(row, 1.0, 1e-15);
    }
    pkm_closed_free(closed);
}

static void forces_obey_lagrange_on_every_branch(void)
{
    pkm_closed* closed = bind_settings(family, uneven);
    check_equations_of_motion(closed, &motion, 8);
    check_equations_of_motion(closed, &beyond_slides, 8);
    pkm_closed_free(closed);
}

// H across rail B as far as the rods are long: both roots meet, A loses rank, B does not.
static void roots_that_meet_are_a_serial_singularity(void)
{
    pkm_closed* closed = bind_settings(family, paper);
    pkm_closed_config at;
    pkm_frame_motion tool = {.pose = {{0.57, 0.1, 0.76}, {1.0, 0.0, 0.0, 0.0}},
                             .v = {0.1, 0.0, 0.0}};
    double qd[3], qdd[3], J[9];
    CHECK(pkm_closed_inverse_geometry(closed, &tool.pose, &at, 1, NULL) == 1);
    CHECK_NEAR(at.q[1], 0.3, 1e-7);
    CHECK(closed_drive_motion(closed, &at, &tool, qd, qdd) == PKM_ERR_SINGULAR);
    CHECK(closed_jacobian(closed, &at, J) == PKM_OK);
    pkm_closed_free(closed);
}

// Rods of B and C parallel in the plane (y, z): the platform can move with the drives locked.
static void parallel_rods_are_a_parallel_singularity(void)
{
    pkm_closed* closed = bind_settings(family, paper);
    const double r = sqrt(0.95 * 0.95 - 0.25), y = 0.6 * r, z = 0.8 * r;
    // y rods: (y - y_b, z) = r (-0.6, 0.8); z rods: (y, z - z_c) = r (0.6, -0.8)
    pkm_closed_config out[4], at;
    const pkm_pose pose = {{0.5, y, z}, {1.0, 0.0, 0.0, 0.0}};
    const pkm_frame_motion tool = {.pose = pose};
    const double zero[3] = {0.0};
    double F[3], J[9];
    CHECK(pkm_closed_inverse_geometry(closed, &pose, &at, 1, NULL) == 1);
    CHECK_NEAR(at.q[1], y + 0.2 + 0.6 * r, 1e-14);
    CHECK_NEAR(at.q[2], z + 0.2 + 0.8 * r, 1e-14);
    CHECK(closed_jacobian(closed, &at, J) == PKM_ERR_SINGULAR);
    CHECK(pkm_closed_inverse_dynamics(closed, &at, &tool, zero, zero, none, none, F) ==
          PKM_ERR_SINGULAR);
    // concentric circles: the drives say nothing about y and z
    double beyond = 1.0;
    const double same[3] = {0.7, 0.2, 0.2};
    CHECK(pkm_closed_direct_geometry(closed, same, out, 4, &beyond) == 0);
    CHECK_NEAR(beyond, 0.0, 0.0);
    pkm_closed_free(closed);
}

static void a_stretched_arm_is_singular(void)
{
    pkm_closed* closed = bind_settings(family, paper);
    pkm_closed_config at;
    const pkm_pose pose = {{0.1, 1.26 * 0.68, 1.26 * sqrt(1.0 - 0.68 * 0.68)},
                           {1.0, 0.0, 0.0, 0.0}};
    const pkm_frame_motion tool = {.pose = pose};
    const double zero[3] = {0.0};
    double F[3];
    CHECK(pkm_closed_inverse_geometry(closed, &pose, &at, 1, NULL) == 1);
    CHECK(pkm_closed_inverse_dynamics(closed, &at, &tool, zero, zero, none, none, F) ==
          PKM_ERR_SINGULAR);
    pkm_closed_free(closed);
}

static void out_of_reach_says_by_how_much(void)
{
    pkm_closed* closed = bind_settings(family, uneven);
    pkm_closed_config out[8];
    double beyond = 0.0;
    const pkm_pose high = {{0.6, 0.1, 0.8}, {1.0, 0.0, 0.0, 0.0}}; // rods of B
    CHECK(pkm_closed_inverse_geometry(closed, &high, out, 8, &beyond) == 0);
    CHECK_NEAR(beyond, 0.05, 1e-15);
    const pkm_pose wide = {{0.72, 0.65, 0.1}, {1.0, 0.0, 0.0, 0.0}}; // rods of C
    CHECK(pkm_closed_inverse_geometry(closed, &wide, out, 8, &beyond) == 0);
    CHECK_NEAR(beyond, 0.97 - 0.91, 1e-15);
    const pkm_pose far = {{0.1, 0.9, 0.9}, {1.0, 0.0, 0.0, 0.0}}; // arm A
    CHECK(pkm_closed_inverse_geometry(closed, &far, out, 8, &beyond) == 0);
    CHECK_NEAR(beyond, hypot(0.9, 0.9) - 1.21, 1e-15);
    const pkm_pose nowhere = {{0.1, NAN, 0.5}, {1.0, 0.0, 0.0, 0.0}};
    CHECK(pkm_closed_inverse_geometry(closed, &nowhere, out, 8, &beyond) == 0);
    pkm_closed_free(closed);
}

static void drives_that_cannot_meet_say_by_how_much(void)
{
    pkm_closed* closed = bind_settings(family, uneven);
    pkm_closed_config out[8];
    double beyond = 0.0;
    const double far_x[3] = {1.2, 0.5, 0.5}; // x = 1 beyond the rods of C
    CHECK(pkm_closed_direct_geometry(closed, far_x, out, 8, &beyond) == 0);
    CHECK_NEAR(beyond, 1.0 - 0.91, 1e-15);
    const double apart[3] = {0.2, 1.37, 1.83}; // circles of 0.95 and 0.91 m, centres 2 m apart
    CHECK(pkm_closed_direct_geometry(closed, apart, out, 8, &beyond) == 0);
    CHECK_NEAR(beyond, 2.0 - 0.95 - 0.91, 1e-15);
    const double inside[3] = {0.2, 0.173, 0.234}; // centres 5 mm apart, radii differ by 40 mm
    CHECK(pkm_closed_direct_geometry(closed, inside, out, 8, &beyond) == 0);
    CHECK_NEAR(beyond, 0.035, 1e-15);
    const double elbow[3] = {0.2, 0.17 + 0.9, 0.23 + 0.9}; // one meeting point is beyond arm A
    CHECK(pkm_closed_direct_geometry(closed, elbow, out, 8, &beyond) == 2);
    CHECK_NEAR(beyond, 0.0, 0.0);
    const double nowhere[3] = {0.7, NAN, 0.5};
    CHECK(pkm_closed_direct_geometry(closed, nowhere, out, 8, &beyond) == 0);
    pkm_closed_free(closed);

    // a short arm A reaches neither of them
    closed = bind_with(family, uneven, "l3_a", 0.05);
    CHECK(pkm_closed_direct_geometry(closed, elbow, out, 8, &beyond) == 0);
    // circles of 0.95 about y = 0.9 and of 0.91 about z = 0.9 meet at z = y + d, 2 y^2 + b y + c =
    // 0
    const double d = (0.95 * 0.95 - 0.91 * 0.91) / 1.8, b = 2.0 * d - 1.8;
    const double root = sqrt(b * b - 8.0 * (d * d - 1.8 * d + 0.81 - 0.91 * 0.91));
    const double far = 0.25 * (root - b), close = 0.25 * (-root - b);
    // of links of 0.05 m and 0.58 m the one is too far, the other, which is less beyond, too close
    CHECK(0.53 - hypot(close, close + d) < hypot(far, far + d) - 0.63);
    CHECK_NEAR(beyond, 0.53 - hypot(close, close + d), 1e-14);
    pkm_closed_free(closed);
}

static void a_torque_on_the_tool_does_not_reach_the_drives(void)
{
    pkm_closed* closed = bind_settings(family, uneven);
    const pkm_frame_motion tool = swing_at(&motion, 0.7);
    pkm_closed_config at;
    double F[3], G[3], qd[3], qdd[3];
    CHECK(pkm_closed_inverse_geometry(closed, &tool.pose, &at, 1, NULL) == 1);
    CHECK(closed_drive_motion(closed, &at, &tool, qd, qdd) == PKM_OK);
    CHECK(pkm_closed_inverse_dynamics(closed, &at, &tool, qd, qdd, none, none, F) == PKM_OK);
    CHECK(pkm_closed_inverse_dynamics(closed, &at, &tool, qd, qdd, none, TOOL_TORQUE, G) == PKM_OK);
    for (int j = 0; j < 3; ++j)
        CHECK_NEAR(F[j], G[j], 0.0);
    pkm_closed_free(closed);
}

static void every_parameter_matters(void)
{
    check_every_parameter_matters(family, uneven, &beyond_slides);
}

static void inertia_not_given_is_that_of_a_slender_link(void)
{
    double a[FINGERPRINT], b[FINGERPRINT];
    const pkm_frame_motion tool = swing_at(&motion, 0.4);
    pkm_closed* closed = bind_settings(family, paper);
    pkm_closed* given3 = bind_with(family, paper, "j3_a", 9.68 * 0.63 * 0.63 / 12.0);
    pkm_closed* given4 = bind_with(family, paper, "j4_a", 9.68 * 0.63 * 0.63 / 12.0);
    fingerprint(closed, &tool, a);
    fingerprint(given3, &tool, b);
    for (int k = 0; k < 6; ++k)
        CHECK_NEAR(a[k], b[k], 1e-12);
    fingerprint(given4, &tool, b);
    for (int k = 0; k < 6; ++k)
        CHECK_NEAR(a[k], b[k], 1e-12);
    pkm_closed_free(closed);
    pkm_closed_free(given3);
    pkm_closed_free(given4);
}

static void payload_and_platform_are_one_mass(void)
{
    double a[FINGERPRINT], b[FINGERPRINT], value[PKM_CLOSED_MAX_PARAMETER];
    const pkm_frame_motion tool = swing_at(&motion, 0.4);
    fill_values(family, uneven, value);
    value[parameter_index(family, "platform_mass")] = 0.7;
    value[parameter_index(family, "payload_mass")] = 3.0;
    pkm_closed* closed = bind_settings(family, uneven);
    pkm_closed* swapped = bind_values(family, value);
    fingerprint(closed, &tool, a);
    fingerprint(swapped, &tool, b);
    for (int k = 0; k < 6; ++k)
        CHECK_NEAR(a[k], b[k], 1e-11);
    pkm_closed_free(closed);
    pkm_closed_free(swapped);
}

// With links 3, 4 of arm A without mass: slide and platform bars at their places, rods in between.
static void potential_energy_counts_every_mass_at_its_height(void)
{
    double value[PKM_CLOSED_MAX_PARAMETER];
    fill_values(family, uneven, value);
    value[parameter_index(family, "m3_a")] = value[parameter_index(family, "m4_a")] = 0.0;
    pkm_closed* closed = bind_values(family, value);
    const pkm_frame_motion tool = {.pose = swing_at(&motion, 0.4).pose};
    const double zero[3] = {0.0}, z = tool.pose.p.z;
    pkm_closed_config at;
    CHECK(pkm_closed_inverse_geometry(closed, &tool.pose, &at, 1, NULL) == 1);
    const double moment = (3.0 + 0.7 + 2.0 + 2.5) * z + (7.35 + 6.1) * z / 2.0 +
                          (5.35 + 7.0) * (z + 0.23 + at.q[2]) / 2.0 + (1.9 + 1.3) * at.q[2];
    CHECK_NEAR(pkm_closed_energy(closed, &at, &tool, zero), 9.80665 * moment, 1e-11);
    pkm_closed_free(closed);
}

static void wrong_values_are_named(void)
{
    for (int i = 0; i < 4; ++i)
        check_bad_value(family, paper, family->parameter[i].name, 0.0);
    for (int i = 7; i < 24; ++i)
        check_bad_value(family, paper, family->parameter[i].name, -1.0);
    check_bad_value(family, paper, "l7_b", NAN);
    check_bad_value(family, paper, "elbow_a", 0.0);
    check_bad_value(family, paper, "root_b", 0.5);
    check_bad_value(family, paper, "root_c", 3.0);
    check_bad_value(family, paper, "assembly", 0.0);
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
    RUN(published_forces_are_reproduced);
    RUN(all_eight_branches_are_listed_the_files_first);
    RUN(both_assembly_modes_are_found_the_files_first);
    RUN(places_go_there_and_back);
    RUN(velocities_meet_differences_and_rows_are_unit);
    RUN(forces_obey_lagrange_on_every_branch);
    RUN(roots_that_meet_are_a_serial_singularity);
    RUN(parallel_rods_are_a_parallel_singularity);
    RUN(a_stretched_arm_is_singular);
    RUN(out_of_reach_says_by_how_much);
    RUN(drives_that_cannot_meet_say_by_how_much);
    RUN(a_torque_on_the_tool_does_not_reach_the_drives);
    RUN(every_parameter_matters);
    RUN(inertia_not_given_is_that_of_a_slender_link);
    RUN(payload_and_platform_are_one_mass);
    RUN(potential_energy_counts_every_mass_at_its_height);
    RUN(wrong_values_are_named);
    RUN(nothing_is_allocated);
    return check_report();
}
