// The 3-PPRS and the 3-PPSR of src/closed/guided.c, pprs.c and ppsr.c. Each claim is checked for
// both.
#include "base/memory.h"
#include "check.h"
#include "closed/families.h"
#include "math/quat.h"

#include <stdlib.h>

enum { N = 6, N_COLUMN = 28, N_PARAMETER = 15 };

static const char* const family_name[2] = {"3pprs", "3ppsr"};
static pkm_closed* robot[2];
static const double rod_length = 0.11, platform_radius = 0.05;

// The robot of the reference results; NaN means the default: g -9.80665, side +1, 0, 120, 240 deg.
static const double reference_value[N_PARAMETER] = {0.12, 0.05, 0.11, 0.5, 0.2, 0.3, 0.2, 4e-4,
                                                    5e-4, 8e-4, NAN,  NAN, NAN, NAN, NAN};

static double uniform(double low, double high)
{
    return low + (high - low) * (double)rand() / RAND_MAX;
}

static pkm_vec3 random_vector(double size)
{
    return pkm_vec3_make(uniform(-size, size), uniform(-size, size), uniform(-size, size));
}

/// A pose within reach: near the middle, turned by up to 40 degrees.
static pkm_pose random_pose(const pkm_closed* closed)
{
    for (;;) {
        pkm_pose pose;
        pose.p = pkm_vec3_add(pkm_vec3_make(0.0, 0.0, 0.15), random_vector(0.05));
        pose.q = pkm_quat_from_rotvec(random_vector(0.7));
        pkm_closed_config config;
        if (pkm_closed_inverse_geometry(closed, &pose, &config, 1, NULL) > 0) return pose;
    }
}

/// A smooth motion of all six freedoms, for every t; with exact derivatives of the translation and
/// of the rotation R(t) = R0 exp(s(t) axis).
static pkm_frame_motion smooth_motion(double t)
{
    const pkm_vec3 axis = pkm_vec3_unit(pkm_vec3_make(0.5, -0.8, 0.6));
    const pkm_quat tilt = pkm_quat_from_rotvec(pkm_vec3_make(0.1, 0.15, -0.05));
    const double s = 0.3 * sin(4.0 * t), sd = 1.2 * cos(4.0 * t), sdd = -4.8 * sin(4.0 * t);
    const pkm_vec3 axis_w = pkm_quat_rotate(tilt, axis);
    pkm_frame_motion m;
    m.pose.p = pkm_vec3_make(0.02 * sin(3.0 * t), 0.015 * cos(5.0 * t), 0.15 + 0.02 * sin(2.0 * t));
    m.v = pkm_vec3_make(0.06 * cos(3.0 * t), -0.075 * sin(5.0 * t), 0.04 * cos(2.0 * t));
    m.a = pkm_vec3_make(-0.18 * sin(3.0 * t), -0.375 * cos(5.0 * t), -0.08 * sin(2.0 * t));
    m.pose.q = pkm_quat_mul(tilt, pkm_quat_from_axis(axis, s));
    m.w = pkm_vec3_scale(sd, axis_w);
    m.alpha = pkm_vec3_scale(sdd, axis_w);
    return m;
}

static pkm_closed_config config_on_branch(const pkm_closed* closed, const pkm_pose* pose,
                                          int branch)
{
    pkm_closed_config all[8] = {{.branch = -1}};
    const int n = pkm_closed_inverse_geometry(closed, pose, all, 8, NULL);
    for (int k = 0; k < n; ++k)
        if (all[k].branch == branch) return all[k];
    CHECK(n == 8);
    return all[0];
}

// ---- reference results ----

typedef struct reference_row {
    double t, q[N], qd[N], qdd[N], force[N], point[3];
} reference_row;

static bool read_row(FILE* file, reference_row* row)
{
    double column[N_COLUMN];
    for (int k = 0; k < N_COLUMN; ++k)
        if (fscanf(file, k == 0 ? "%lf" : ",%lf", &column[k]) != 1) return false;
    memcpy(row, column, sizeof column);
    return true;
}

static FILE* open_reference(const char* name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/tests/data/reference/%s_ref.csv", PKM_SOURCE_DIR, name);
    FILE* file = fopen(path, "r");
    char header[1024];
    CHECK(file && fgets(header, sizeof header, file));
    return file;
}

/// The tool's motion of the reference: a quintic in (x, y, z, roll, pitch, yaw) over 0.5 s.
static pkm_frame_motion reference_motion(double t)
{
    const double T = 0.5, s = t / T;
    const double p = s * s * s * (10.0 + s * (-15.0 + 6.0 * s));
    const double pd = 30.0 * s * s * (1.0 + s * (-2.0 + s)) / T;
    const double pdd = 60.0 * s * (1.0 + s * (-3.0 + 2.0 * s)) / (T * T);
    const pkm_vec3 step = {0.012, -0.01, 0.02}, turn = {0.15, -0.1, 0.2};
    const pkm_vec3 rpy = pkm_vec3_scale(p, turn), rate = pkm_vec3_scale(pd, turn),
                   bend = pkm_vec3_scale(pdd, turn);
    pkm_frame_motion m;
    m.pose.p = pkm_vec3_axpy(pkm_vec3_make(0.0, 0.0, 0.15), p, step);
    m.pose.q = pkm_quat_from_rpy(rpy);
    m.v = pkm_vec3_scale(pd, step);
    m.a = pkm_vec3_scale(pdd, step);
    // w = yaw' e_z + pitch' y_1 + roll' x_2 with y_1 = Rz e_y, x_2 = Rz Ry e_x.
    const double cy = cos(rpy.z), sy = sin(rpy.z), cp = cos(rpy.y), sp = sin(rpy.y);
    const pkm_vec3 z = {0.0, 0.0, 1.0}, y1 = {-sy, cy, 0.0}, x2 = {cy * cp, sy * cp, -sp};
    const pkm_vec3 w_yaw = pkm_vec3_scale(rate.z, z);
    const pkm_vec3 w_pitch = pkm_vec3_axpy(w_yaw, rate.y, y1);
    m.w = pkm_vec3_axpy(w_pitch, rate.x, x2);
    m.alpha = pkm_vec3_axpy(pkm_vec3_axpy(pkm_vec3_scale(bend.z, z), bend.y, y1), bend.x, x2);
    m.alpha = pkm_vec3_axpy(m.alpha, rate.y, pkm_vec3_cross(w_yaw, y1));
    m.alpha = pkm_vec3_axpy(m.alpha, rate.x, pkm_vec3_cross(w_pitch, x2));
    return m;
}

static void check_row(const pkm_closed* closed, const reference_row* row, double largest_force)
{
    const pkm_frame_motion tool = reference_motion(row->t);
    const pkm_vec3 none = {0.0, 0.0, 0.0};
    double qd[N], qdd[N], force[N];
    const pkm_closed_config config = config_on_branch(closed, &tool.pose, 0);
    CHECK(pkm_closed_drive_motion(closed, &config, &tool, qd, qdd) == PKM_OK);
    CHECK(pkm_closed_inverse_dynamics(closed, &config, &tool, qd, qdd, none, none, force) ==
          PKM_OK);
    for (int k = 0; k < N; ++k) {
        CHECK_NEAR(config.q[k], row->q[k], 1e-12);
        CHECK_NEAR(qd[k], row->qd[k], 1e-10);
        CHECK_NEAR(qdd[k], row->qdd[k], 1e-8);
        CHECK_NEAR(force[k], row->force[k], 1e-9 * largest_force);
    }
}

static void forces_agree_with_the_reference(void)
{
    for (int f = 0; f < 2; ++f) {
        FILE* file = open_reference(family_name[f]);
        reference_row row[64];
        int n_row = 0;
        double largest = 0.0;
        while (n_row < 64 && read_row(file, &row[n_row])) {
            for (int k = 0; k < N; ++k)
                largest = fmax(largest, fabs(row[n_row].force[k]));
            ++n_row;
        }
        fclose(file);
        CHECK(n_row == 41);
        for (int k = 0; k < n_row; ++k)
            check_row(robot[f], &row[k], largest);
    }
}

// ---- geometry ----

/// Closure of limb i, from the definition of the robots: length of the rod, and its part along the
/// revolute axis.
static void check_closed(int f, const pkm_closed_config* config)
{
    for (int i = 0; i < 3; ++i) {
        const double angle = i * 2.0943951023931953, c = cos(angle), s = sin(angle);
        const pkm_vec3 n = {c, s, 0.0}, t = {-s, c, 0.0};
        pkm_vec3 slide = pkm_vec3_axpy(pkm_vec3_scale(0.12, n), config->q[i], t);
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

// With side -1 and gravity reversed the robot hangs: everything is mirrored in z.
static void a_hanging_robot_is_the_mirror_image(void)
{
    for (int f = 0; f < 2; ++f) {
        double value[N_PARAMETER];
        memcpy(value, reference_value, sizeof value);
        value[10] = 9.80665;
        value[11] = -1.0;
        pkm_closed* mirror = NULL;
        CHECK(pkm_closed_create(pkm_closed_find(family_name[f]), value, &mirror, NULL) == PKM_OK);
        const pkm_pose up = {{0.01, -0.02, 0.14}, {0.96, 0.1, -0.2, 0.0}};
        const pkm_pose here = {up.p, pkm_quat_unit(up.q)};
        const pkm_pose there = {{up.p.x, up.p.y, -up.p.z},
                                {here.q.w, -here.q.x, -here.q.y, here.q.z}};
        const pkm_closed_config a = config_on_branch(robot[f], &here, 0);
        const pkm_closed_config b = config_on_branch(mirror, &there, 0);
        CHECK_TEXT(b.label, "rods down/down/down");
        const pkm_frame_motion rest_a = {.pose = here}, rest_b = {.pose = there};
        const double zero[N] = {0.0};
        const pkm_vec3 none = {0.0, 0.0, 0.0};
        double Fa[N], Fb[N];
        CHECK(pkm_closed_inverse_dynamics(robot[f], &a, &rest_a, zero, zero, none, none, Fa) ==
              PKM_OK);
        CHECK(pkm_closed_inverse_dynamics(mirror, &b, &rest_b, zero, zero, none, none, Fb) ==
              PKM_OK);
        for (int k = 0; k < N; ++k) {
            const double sign = k < 3 ? 1.0 : -1.0;
            CHECK_NEAR(b.q[k], sign * a.q[k], 1e-15);
            CHECK_NEAR(Fb[k], sign * Fa[k], 1e-12);
        }
        pkm_closed_free(mirror);
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
        CHECK(pkm_closed_drive_motion(flat, &config[0], &rest, qd, qdd) == PKM_ERR_SINGULAR);
        pkm_closed_free(flat);
    }
}

// ---- velocities, accelerations, forces ----

static void drive_positions_at(const pkm_closed* closed, double t, int branch, double q[N])
{
    const pkm_frame_motion m = smooth_motion(t);
    const pkm_closed_config config = config_on_branch(closed, &m.pose, branch);
    memcpy(q, config.q, N * sizeof *q);
}

// Central differences of order 6 with step 2e-3 are good to 1e-9 in q' and 1e-7 in q''.
static void velocities_and_accelerations_meet_finite_differences(void)
{
    const double h = 2e-3;
    for (int trial = 0; trial < 2 * 8 * 5; ++trial) {
        const pkm_closed* closed = robot[trial % 2];
        const int branch = trial / 2 % 8;
        const double t = 0.3 * (double)(trial / 16);
        double q[7][N], B[N * N], A[N * N], qd[N], qdd[N];
        for (int k = 0; k < 7; ++k)
            drive_positions_at(closed, t + (k - 3) * h, branch, q[k]);
        for (int j = 0; j < N; ++j) {
            qd[j] = (45.0 * (q[4][j] - q[2][j]) - 9.0 * (q[5][j] - q[1][j]) + q[6][j] - q[0][j]) /
                    (60.0 * h);
            qdd[j] = (270.0 * (q[4][j] + q[2][j]) - 27.0 * (q[5][j] + q[1][j]) +
                      2.0 * (q[6][j] + q[0][j]) - 490.0 * q[3][j]) /
                     (180.0 * h * h);
        }
        const pkm_frame_motion m = smooth_motion(t);
        const pkm_closed_config config = config_on_branch(closed, &m.pose, branch);
        pkm_closed_velocity(closed, &config, B, A);
        const double twist[N] = {m.v.x, m.v.y, m.v.z, m.w.x, m.w.y, m.w.z};
        for (int i = 0; i < N; ++i) {
            double gap = 0.0;
            for (int j = 0; j < N; ++j)
                gap += B[i + N * j] * twist[j] - A[i + N * j] * qd[j];
            CHECK_NEAR(gap, 0.0, 1e-9);
        }
        double qd_exact[N], qdd_exact[N];
        CHECK(pkm_closed_drive_motion(closed, &config, &m, qd_exact, qdd_exact) == PKM_OK);
        for (int j = 0; j < N; ++j) {
            CHECK_NEAR(qd_exact[j], qd[j], 1e-8 * (1.0 + fabs(qd[j])));
            CHECK_NEAR(qdd_exact[j], qdd[j], 1e-6 * (1.0 + fabs(qdd[j])));
        }
        pkm_frame_motion back;
        CHECK(pkm_closed_tool_motion(closed, &config, qd_exact, qdd_exact, &back) == PKM_OK);
        CHECK_NEAR(pkm_vec3_norm(pkm_vec3_sub(back.alpha, m.alpha)), 0.0, 1e-10);
        CHECK_NEAR(pkm_vec3_norm(pkm_vec3_sub(back.a, m.a)), 0.0, 1e-11);
    }
}

/// Everything of the smooth motion at t: configuration, drive motion, energy.
typedef struct instant {
    pkm_frame_motion tool;
    pkm_closed_config config;
    double qd[N], qdd[N], energy;
} instant;

static instant instant_at(const pkm_closed* closed, double t, int branch)
{
    instant now;
    now.tool = smooth_motion(t);
    now.config = config_on_branch(closed, &now.tool.pose, branch);
    CHECK(pkm_closed_drive_motion(closed, &now.config, &now.tool, now.qd, now.qdd) == PKM_OK);
    now.energy = pkm_closed_energy(closed, &now.config, &now.tool, now.qd);
    return now;
}

// Q q' + F v + T w = dE/dt, the right side by central differences of order 6.
static void power_of_drives_and_tool_load_is_the_rate_of_energy(void)
{
    const double h = 2e-3;
    const pkm_vec3 force = {3.0, -2.0, 1.0}, torque = {0.05, 0.1, -0.2};
    for (int trial = 0; trial < 2 * 8 * 5; ++trial) {
        const pkm_closed* closed = robot[trial % 2];
        const int branch = trial / 2 % 8;
        const double t = 0.3 * (double)(trial / 16);
        double E[7], Q[N], power = 0.0, traffic = 0.0;
        for (int k = 0; k < 7; ++k)
            E[k] = instant_at(closed, t + (k - 3) * h, branch).energy;
        const instant now = instant_at(closed, t, branch);
        CHECK(pkm_closed_inverse_dynamics(closed, &now.config, &now.tool, now.qd, now.qdd, force,
                                          torque, Q) == PKM_OK);
        for (int k = 0; k < N; ++k) {
            power += Q[k] * now.qd[k];
            traffic += fabs(Q[k] * now.qd[k]);
        }
        power += pkm_vec3_dot(force, now.tool.v) + pkm_vec3_dot(torque, now.tool.w);
        const double rate = (45.0 * (E[4] - E[2]) - 9.0 * (E[5] - E[1]) + E[6] - E[0]) / (60.0 * h);
        CHECK_NEAR(power, rate, 1e-8 * (1.0 + traffic));
    }
}

// At rest and without weight the drives balance the tool's load: Q = -J' (F, T).
static void a_load_at_rest_passes_through_the_jacobian(void)
{
    double value[N_PARAMETER];
    memcpy(value, reference_value, sizeof value);
    value[10] = 0.0;
    for (int f = 0; f < 2; ++f) {
        pkm_closed* closed = NULL;
        CHECK(pkm_closed_create(pkm_closed_find(family_name[f]), value, &closed, NULL) == PKM_OK);
        const pkm_frame_motion rest = {.pose = smooth_motion(0.2).pose};
        const pkm_closed_config config = config_on_branch(closed, &rest.pose, 0);
        const double zero[N] = {0.0}, load[N] = {1.0, 2.0, -3.0, 0.1, -0.2, 0.3};
        double J[N * N], Q[N];
        CHECK(pkm_closed_jacobian(closed, &config, J) == PKM_OK);
        CHECK(pkm_closed_inverse_dynamics(closed, &config, &rest, zero, zero,
                                          pkm_vec3_make(load[0], load[1], load[2]),
                                          pkm_vec3_make(load[3], load[4], load[5]), Q) == PKM_OK);
        for (int j = 0; j < N; ++j) {
            double expected = 0.0;
            for (int i = 0; i < N; ++i)
                expected -= J[i + N * j] * load[i];
            CHECK_NEAR(Q[j], expected, 1e-12);
        }
        pkm_closed_free(closed);
    }
}

// The same robot with its limbs turned by 0.4 rad about z, and its motion turned with it.
static void forces_do_not_depend_on_the_direction_of_the_axes(void)
{
    const double turn = 0.4, third = 2.0943951023931953;
    const pkm_quat Z = pkm_quat_from_axis(pkm_vec3_make(0.0, 0.0, 1.0), turn);
    double value[N_PARAMETER];
    memcpy(value, reference_value, sizeof value);
    value[7] = value[8]; // inertia about x and y alike: the platform's axes turn too
    pkm_closed *plain = NULL, *turned = NULL;
    for (int f = 0; f < 2; ++f) {
        for (int i = 0; i < 3; ++i)
            value[12 + i] = i * third;
        CHECK(pkm_closed_create(pkm_closed_find(family_name[f]), value, &plain, NULL) == PKM_OK);
        for (int i = 0; i < 3; ++i)
            value[12 + i] += turn;
        CHECK(pkm_closed_create(pkm_closed_find(family_name[f]), value, &turned, NULL) == PKM_OK);
        const instant a = instant_at(plain, 0.1, 0);
        pkm_frame_motion m = a.tool;
        m.pose.p = pkm_quat_rotate(Z, m.pose.p);
        m.pose.q = pkm_quat_mul(pkm_quat_mul(Z, m.pose.q), pkm_quat_conj(Z));
        m.v = pkm_quat_rotate(Z, m.v);
        m.a = pkm_quat_rotate(Z, m.a);
        m.w = pkm_quat_rotate(Z, m.w);
        m.alpha = pkm_quat_rotate(Z, m.alpha);
        const pkm_closed_config b = config_on_branch(turned, &m.pose, 0);
        const pkm_vec3 none = {0.0, 0.0, 0.0};
        double Qa[N], Qb[N];
        CHECK(pkm_closed_inverse_dynamics(plain, &a.config, &a.tool, a.qd, a.qdd, none, none, Qa) ==
              PKM_OK);
        CHECK(pkm_closed_inverse_dynamics(turned, &b, &m, a.qd, a.qdd, none, none, Qb) == PKM_OK);
        for (int k = 0; k < N; ++k) {
            CHECK_NEAR(b.q[k], a.config.q[k], 1e-14);
            CHECK_NEAR(Qb[k], Qa[k], 1e-12);
        }
        pkm_closed_free(plain);
        pkm_closed_free(turned);
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
    CHECK(pkm_closed_jacobian(closed, &config, J) == PKM_ERR_SINGULAR);
    pkm_closed_free(closed);
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
            CHECK(pkm_closed_jacobian(robot[f], &config, J) == PKM_ERR_SINGULAR);
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
        const instant now = instant_at(robot[f], 0.1, 0);
        pkm_closed_config mode[PKM_CLOSED_MAX_BRANCH];
        double Q[N];
        const pkm_vec3 none = {0.0, 0.0, 0.0};
        CHECK(pkm_closed_direct_geometry(robot[f], now.config.q, mode, PKM_CLOSED_MAX_BRANCH,
                                         NULL) > 0);
        CHECK(pkm_closed_inverse_dynamics(robot[f], &now.config, &now.tool, now.qd, now.qdd, none,
                                          none, Q) == PKM_OK);
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
    check_refused(11, 0.5, "side");
    check_refused(13, 0.0, "angle_1");
}

int main(void)
{
    for (int f = 0; f < 2; ++f) {
        const pkm_closed_family* family = pkm_closed_find(family_name[f]);
        if (!family || pkm_closed_create(family, reference_value, &robot[f], NULL) != PKM_OK)
            return 1;
    }
    RUN(forces_agree_with_the_reference);
    RUN(direct_geometry_returns_the_pose_of_every_inverse_branch);
    RUN(branches_are_labelled_and_the_wanted_side_comes_first);
    RUN(a_hanging_robot_is_the_mirror_image);
    RUN(poses_out_of_reach_tell_by_how_much);
    RUN(at_the_limit_of_reach_branches_meet);
    RUN(velocities_and_accelerations_meet_finite_differences);
    RUN(power_of_drives_and_tool_load_is_the_rate_of_energy);
    RUN(a_load_at_rest_passes_through_the_jacobian);
    RUN(forces_do_not_depend_on_the_direction_of_the_axes);
    RUN(parallel_singularities_are_reported);
    RUN(singularities_between_poses_are_found_by_both_routes);
    RUN(evaluation_allocates_nothing);
    RUN(wrong_parameters_are_named);
    for (int f = 0; f < 2; ++f)
        pkm_closed_free(robot[f]);
    return check_report();
}
