// The 3-PPRS and the 3-PPSR: velocities, accelerations, forces, energy.
#include "closed.h"
#include "guided_robots.h"

enum { N_COLUMN = 28 };

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
    CHECK(closed_drive_motion(closed, &config, &tool, qd, qdd) == PKM_OK);
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
        CHECK(closed_drive_motion(closed, &config, &m, qd_exact, qdd_exact) == PKM_OK);
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
    CHECK(closed_drive_motion(closed, &now.config, &now.tool, now.qd, now.qdd) == PKM_OK);
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
        CHECK(closed_jacobian(closed, &config, J) == PKM_OK);
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
            value[14 + i] = i * third;
        CHECK(pkm_closed_create(pkm_closed_find(family_name[f]), value, &plain, NULL) == PKM_OK);
        for (int i = 0; i < 3; ++i)
            value[14 + i] += turn;
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

// With side -1 and gravity reversed the robot hangs: everything is mirrored in z.
static void a_hanging_robot_is_the_mirror_image(void)
{
    for (int f = 0; f < 2; ++f) {
        double value[N_PARAMETER];
        memcpy(value, reference_value, sizeof value);
        value[10] = 9.80665;
        value[13] = -1.0;
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

int main(void)
{
    if (!create_robots()) return 1;
    RUN(forces_agree_with_the_reference);
    RUN(velocities_and_accelerations_meet_finite_differences);
    RUN(power_of_drives_and_tool_load_is_the_rate_of_energy);
    RUN(a_load_at_rest_passes_through_the_jacobian);
    RUN(a_hanging_robot_is_the_mirror_image);
    RUN(forces_do_not_depend_on_the_direction_of_the_axes);
    free_robots();
    return check_report();
}
