// The 3-PPRS and the 3-PPSR: geometry, branches, singularities, parameters. Each claim is checked
// for both robots; test_guided_motion.c has velocities and forces.
#include "base/memory.h"
#include "closed.h"
#include "guided_robots.h"

static const double base_radius = 0.12, rod_length = 0.11, platform_radius = 0.05;

/// Closure of limb i, from the definition of the robots: length of the rod, and its part along the
/// revolute axis.
static void check_closed(int f, const pkm_closed_config* config)
{
    for (int i = 0; i < 3; ++i) {
        const double angle = i * 2.0943951023931953, c = cos(angle), s = sin(angle);
        const pkm_vec3 n = {c, s, 0.0}, t = {-s, c, 0.0};
        pkm_vec3 slide = pkm_vec3_axpy(pkm_vec3_scale(base_radius, n), config->q[i], t);
        slide.z += config->q[i + 3];
        const pkm_vec3 end = pkm_pose_point(config->pose, pkm_vec3_scale(platform_radius, n));
        const pkm_vec3 rod = pkm_vec3_sub(end, slide);
        const pkm_vec3 axis = f == 0 ? t : pkm_quat_rotate(config->pose.q, t);
        CHECK_NEAR(pkm_vec3_norm(rod), rod_length, 1e-12);
        CHECK_NEAR(pkm_vec3_dot(rod, axis), 0.0, 1e-12);
    }
}

static double angle_between(pkm_quat a, pkm_quat b)
{
    return pkm_vec3_norm(pkm_quat_to_rotvec(pkm_quat_mul(pkm_quat_conj(a), b)));
}

/// Is `config` among `all`, and with the same branch?
static void check_contains(const pkm_closed_config* all, int n, const pkm_closed_config* config)
{
    double best = HUGE_VAL, turn = HUGE_VAL;
    int branch = -1;
    for (int k = 0; k < n; ++k) {
        const double away = pkm_vec3_norm(pkm_vec3_sub(all[k].pose.p, config->pose.p));
        const double turned = angle_between(all[k].pose.q, config->pose.q);
        if (away + 0.1 * turned >= best + 0.1 * turn) continue;
        best = away;
        turn = turned;
        branch = all[k].branch;
    }
    CHECK_NEAR(best, 0.0, 1e-10);
    CHECK_NEAR(turn, 0.0, 1e-9);
    CHECK(branch == config->branch);
}

static void direct_geometry_returns_the_pose_of_every_inverse_branch(void)
{
    srand(11);
    for (int f = 0; f < 2; ++f) {
        int most = 0;
        for (int k = 0; k < 1000; ++k) {
            const pkm_pose pose = random_pose(robot[f]);
            pkm_closed_config branch[8], mode[PKM_CLOSED_MAX_BRANCH];
            const int n_branch = pkm_closed_inverse_geometry(robot[f], &pose, branch, 8, NULL);
            CHECK(n_branch == 8);
            for (int b = 0; b < n_branch; ++b) {
                check_closed(f, &branch[b]);
                const int n = pkm_closed_direct_geometry(robot[f], branch[b].q, mode,
                                                         PKM_CLOSED_MAX_BRANCH, NULL);
                CHECK(n > 0 && n % 2 == 0 && n <= 16);
                check_contains(mode, n, &branch[b]);
                for (int s = 0; s < n; ++s)
                    check_closed(f, &mode[s]);
                if (n > most) most = n;
            }
        }
        printf("    %s: up to %d assembly modes\n", family_name[f], most);
    }
}

static void branches_are_labelled_and_the_wanted_side_comes_first(void)
{
    for (int f = 0; f < 2; ++f) {
        const pkm_pose pose = {{0.0, 0.0, 0.15}, {1.0, 0.0, 0.0, 0.0}};
        pkm_closed_config all[8];
        CHECK(pkm_closed_inverse_geometry(robot[f], &pose, all, 8, NULL) == 8);
        CHECK_TEXT(all[0].label, "rods up/up/up");
        CHECK_TEXT(all[1].label, "rods down/up/up");
        CHECK_TEXT(all[7].label, "rods down/down/down");
        CHECK_NEAR(all[0].q[3], 0.15 - sqrt(0.11 * 0.11 - 0.07 * 0.07), 1e-15);
        CHECK_NEAR(all[7].q[3], 0.15 + sqrt(0.11 * 0.11 - 0.07 * 0.07), 1e-15);
        CHECK(pkm_closed_inverse_geometry(robot[f], &pose, all, 3, NULL) == 3);
    }
}

static void poses_out_of_reach_tell_by_how_much(void)
{
    for (int f = 0; f < 2; ++f) {
        // Limb 1 sees its end at x = 0.05 + 0.3, which is 0.23 from the rail: 0.12 too far.
        const pkm_pose far = {{0.30, 0.0, 0.15}, {1.0, 0.0, 0.0, 0.0}};
        pkm_closed_config config;
        double beyond = 0.0;
        CHECK(pkm_closed_inverse_geometry(robot[f], &far, &config, 1, &beyond) == 0);
        CHECK(beyond >= 0.12 - 1e-12);
        const double q[N] = {0.0, 0.0, 0.0, 0.0, 0.0, 10.0};
        CHECK(pkm_closed_direct_geometry(robot[f], q, &config, 1, &beyond) == 0);
        CHECK(beyond > 9.0);
        const double nan_q[N] = {NAN, 0.0, 0.0, 0.0, 0.0, 0.0};
        CHECK(pkm_closed_direct_geometry(robot[f], nan_q, &config, 1, &beyond) == 0);
        const pkm_pose nan_pose = {{NAN, 0.0, 0.15}, {1.0, 0.0, 0.0, 0.0}};
        CHECK(pkm_closed_inverse_geometry(robot[f], &nan_pose, &config, 1, &beyond) == 0);
    }
}

// A rod flat on the ground: r - R = -l puts all rods at the limit, where two branches are one.
static void at_the_limit_of_reach_branches_meet(void)
{
    for (int f = 0; f < 2; ++f) {
        double value[N_PARAMETER];
        memcpy(value, reference_value, sizeof value);
        value[2] = 0.07;
        pkm_closed* flat = NULL;
        CHECK(pkm_closed_create(pkm_closed_find(family_name[f]), value, &flat, NULL) == PKM_OK);
        const pkm_pose pose = {{0.0, 0.0, 0.15}, {1.0, 0.0, 0.0, 0.0}};
        const pkm_frame_motion rest = {.pose = pose};
        pkm_closed_config config[8];
        const int n = pkm_closed_inverse_geometry(flat, &pose, config, 8, NULL);
        CHECK(n >= 1 && n < 8); // the limbs at 120 and 240 degrees may be off by a rounding
        double qd[N], qdd[N];
        CHECK(closed_drive_motion(flat, &config[0], &rest, qd, qdd) == PKM_ERR_SINGULAR);
        pkm_closed_free(flat);
    }
}

// 3-PPRS turned by 90 degrees about z: the tangential forces pass through the platform's centre,
// and the rods' torques about z come with a vertical force only.
static void parallel_singularities_are_reported(void)
{
    const pkm_pose pose = {{0.0, 0.0, 0.15}, {sqrt(0.5), 0.0, 0.0, sqrt(0.5)}};
    const pkm_frame_motion rest = {.pose = pose};
    const pkm_vec3 none = {0.0, 0.0, 0.0};
    const double zero[N] = {0.0};
    double value[N_PARAMETER], Q[N], J[N * N];
    memcpy(value, reference_value, sizeof value);
    value[2] = 0.15;
    pkm_closed* closed = NULL;
    CHECK(pkm_closed_create(pkm_closed_find("3pprs"), value, &closed, NULL) == PKM_OK);
    const pkm_closed_config config = config_on_branch(closed, &pose, 0);
    CHECK(pkm_closed_inverse_dynamics(closed, &config, &rest, zero, zero, none, none, Q) ==
          PKM_ERR_SINGULAR);
    CHECK(closed_jacobian(closed, &config, J) == PKM_ERR_SINGULAR);
    pkm_closed_free(closed);
}

/// Each row of A belongs to one limb: (10) has its slide and its lift, and zeros, whatever stood in
/// the memory before.
static void drives_of_other_limbs_are_not_in_a_row(void)
{
    for (int f = 0; f < 2; ++f) {
        const pkm_pose pose = {{0.005, -0.004, 0.16}, pkm_quat_identity()};
        pkm_closed_config out[8];
        double B[N * N], A[N * N];
        CHECK(pkm_closed_inverse_geometry(robot[f], &pose, out, 8, NULL) == 8);
        for (int k = 0; k < N * N; ++k)
            A[k] = B[k] = 1e3;
        pkm_closed_velocity(robot[f], &out[0], B, A);
        for (int row = 0; row < N; ++row)
            for (int column = 0; column < N; ++column) {
                const double a = A[row + N * column];
                CHECK(column % 3 == row % 3 ? fabs(a) <= 1.0 : a == 0.0);
            }
    }
}

/// det B by elimination with column pivots, for its sign only.
static double det_B(const pkm_closed* closed, const pkm_closed_config* config)
{
    double B[N * N], A[N * N], det = 1.0;
    pkm_closed_velocity(closed, config, B, A);
    for (int k = 0; k < N; ++k) {
        int best = k;
        for (int j = k + 1; j < N; ++j)
            if (fabs(B[k + N * j]) > fabs(B[k + N * best])) best = j;
        for (int i = k; i < N && best != k; ++i) {
            const double swap = B[i + N * k];
            B[i + N * k] = B[i + N * best];
            B[i + N * best] = -swap;
        }
        det *= B[k + N * k];
        for (int j = k + 1; j < N; ++j) {
            const double factor = B[k + N * j] / B[k + N * k];
            for (int i = k; i < N; ++i)
                B[i + N * j] -= factor * B[i + N * k];
        }
    }
    return det;
}

static pkm_pose blend(const pkm_pose* a, const pkm_pose* b, double s)
{
    const pkm_vec3 turn = pkm_quat_to_rotvec(pkm_quat_mul(pkm_quat_conj(a->q), b->q));
    return (pkm_pose){pkm_vec3_axpy(pkm_vec3_scale(1.0 - s, a->p), s, b->p),
                      pkm_quat_mul(a->q, pkm_quat_from_rotvec(pkm_vec3_scale(s, turn)))};
}

/// Halve the way from pose a to pose b to where det B changes its sign; false where it does not or
/// the way leaves the reach.
static bool find_singularity(const pkm_closed* closed, pkm_pose a, pkm_pose b, int branch,
                             pkm_closed_config* config)
{
    pkm_closed_config all[8];
    double low = 0.0, high = 1.0, at_low = 0.0;
    for (int k = 0; k < 60; ++k) {
        const double s = k == 0 ? 0.0 : k == 1 ? 1.0 : 0.5 * (low + high);
        const pkm_pose pose = blend(&a, &b, s);
        if (pkm_closed_inverse_geometry(closed, &pose, all, 8, NULL) != 8) return false;
        *config = all[branch];
        const double det = det_B(closed, config);
        if (k == 0) at_low = det;
        if (k == 1 && at_low * det > 0.0) return false;
        if (k < 2) continue;
        if (at_low * det > 0.0)
            low = s;
        else
            high = s;
    }
    return true;
}

static void singularities_between_poses_are_found_by_both_routes(void)
{
    srand(5);
    for (int f = 0; f < 2; ++f) {
        int n_found = 0;
        for (int k = 0; k < 20000 && n_found < 20; ++k) {
            const pkm_pose a = random_pose(robot[f]), b = random_pose(robot[f]);
            pkm_closed_config config;
            double J[N * N], Q[N];
            if (!find_singularity(robot[f], a, b, k % 8, &config)) continue;
            ++n_found;
            const pkm_frame_motion rest = {.pose = config.pose};
            const double zero[N] = {0.0};
            const pkm_vec3 none = {0.0, 0.0, 0.0};
            CHECK(closed_jacobian(robot[f], &config, J) == PKM_ERR_SINGULAR);
            CHECK(pkm_closed_inverse_dynamics(robot[f], &config, &rest, zero, zero, none, none,
                                              Q) == PKM_ERR_SINGULAR);
        }
        CHECK(n_found == 20);
    }
}

static void evaluation_allocates_nothing(void)
{
    for (int f = 0; f < 2; ++f) {
        const size_t before = pkm_alloc_count();
        const pkm_frame_motion tool = smooth_motion(0.1);
        const pkm_closed_config config = config_on_branch(robot[f], &tool.pose, 0);
        pkm_closed_config mode[PKM_CLOSED_MAX_BRANCH];
        double qd[N], qdd[N], Q[N];
        const pkm_vec3 none = {0.0, 0.0, 0.0};
        CHECK(pkm_closed_direct_geometry(robot[f], config.q, mode, PKM_CLOSED_MAX_BRANCH, NULL) >
              0);
        CHECK(closed_drive_motion(robot[f], &config, &tool, qd, qdd) == PKM_OK);
        CHECK(pkm_closed_inverse_dynamics(robot[f], &config, &tool, qd, qdd, none, none, Q) ==
              PKM_OK);
        CHECK(pkm_alloc_count() == before);
    }
}

/// Creating with `reference_value` changed at one place fails with a text that contains `part`.
static void check_refused(int at, double value, const char* part)
{
    double changed[N_PARAMETER];
    memcpy(changed, reference_value, sizeof changed);
    changed[at] = value;
    for (int f = 0; f < 2; ++f) {
        pkm_closed* closed = NULL;
        pkm_error err = {0};
        CHECK(pkm_closed_create(pkm_closed_find(family_name[f]), changed, &closed, &err) ==
              PKM_ERR_MODEL);
        CHECK(closed == NULL);
        CHECK_CONTAINS(err.text, family_name[f]);
        CHECK_CONTAINS(err.text, part);
    }
}

static void wrong_parameters_are_named(void)
{
    check_refused(0, -0.12, "base_radius");
    check_refused(1, 0.0, "platform_radius");
    check_refused(2, NAN, "rod_length");
    check_refused(3, -1.0, "platform_mass");
    check_refused(9, 1e-3, "inertia_z");
    check_refused(10, INFINITY, "gravity");
    check_refused(13, 0.5, "side");
    check_refused(15, 0.0, "angle_1");
}

int main(void)
{
    if (!create_robots()) return 1;
    RUN(direct_geometry_returns_the_pose_of_every_inverse_branch);
    RUN(branches_are_labelled_and_the_wanted_side_comes_first);
    RUN(poses_out_of_reach_tell_by_how_much);
    RUN(drives_of_other_limbs_are_not_in_a_row);
    RUN(at_the_limit_of_reach_branches_meet);
    RUN(parallel_singularities_are_reported);
    RUN(singularities_between_poses_are_found_by_both_routes);
    RUN(evaluation_allocates_nothing);
    RUN(wrong_parameters_are_named);
    free_robots();
    return check_report();
}
