/// Checks that hold for every family of these tests: geometry there and back, velocities,
/// Lagrange's equations and the power balance, parameters, memory.
#ifndef PKM_TESTS_CLOSED_ISO_CHECK_H
#define PKM_TESTS_CLOSED_ISO_CHECK_H

#include "closed.h"
#include "unit/closed/iso_robot.h"

/// 1000 random reachable poses in a box [lo, hi] of x y z and the turn about y: every branch of the
/// inverse geometry is found again by the direct one, to 1e-10 m and rad, and every solution of the
/// direct geometry has these drives. Nearer to a parallel singularity than det B = `det_min` the
/// direct geometry loses digits by nature; such poses are left out.
static inline void check_there_and_back(const pkm_closed* closed, const double lo[4],
                                        const double hi[4], int n_branch, double det_min,
                                        double (*det)(const double*))
{
    uint64_t seed = 88172645463325252ULL;
    const int n_drive = pkm_closed_get_family(closed)->n_drive;
    int reached = 0, tries = 0, lost = 0, wrong = 0;
    double worst = 0.0;
    for (; reached < 1000 && tries < 200000; ++tries) {
        double x[4];
        for (int k = 0; k < 4; ++k)
            x[k] = random_between(&seed, lo[k], hi[k]);
        const pkm_pose pose = {{x[0], x[1], x[2]},
                               pkm_quat_from_axis((pkm_vec3){0.0, 1.0, 0.0}, x[3])};
        pkm_closed_config there[PKM_CLOSED_MAX_BRANCH], back[PKM_CLOSED_MAX_BRANCH];
        const int n =
            pkm_closed_inverse_geometry(closed, &pose, there, PKM_CLOSED_MAX_BRANCH, NULL);
        if (n == 0) continue;
        ++reached;
        wrong += n != n_branch;
        for (int k = 0; k < n; ++k) {
            double B[36], A[36];
            pkm_closed_velocity(closed, &there[k], B, A);
            if (fabs(det(B)) < det_min) continue;
            pkm_closed_config again;
            wrong += pose_distance(&there[k].pose, &pose) > 1e-15 * 8;
            if (!config_at_drives(closed, there[k].q, &there[k], &again)) {
                ++lost;
                continue;
            }
            worst = fmax(worst, pose_distance(&again.pose, &pose));
        }
        const int m =
            pkm_closed_direct_geometry(closed, there[0].q, back, PKM_CLOSED_MAX_BRANCH, NULL);
        for (int k = 0; k < m; ++k) {
            pkm_closed_config again;
            if (!config_on_branch(closed, &back[k].pose, back[k].branch, &again)) {
                ++lost;
                continue;
            }
            for (int j = 0; j < n_drive; ++j) {
                worst = fmax(worst, fabs(again.q[j] - there[0].q[j]));
            }
        }
    }
    printf("     %d of %d poses reachable, there and back to %.2g\n", reached, tries, worst);
    CHECK(reached == 1000);
    CHECK(lost == 0);
    CHECK(wrong == 0);
    CHECK(worst <= 1e-10);
}

/// The components of `moves` of (linear, angular).
static inline void pack_moves(unsigned moves, pkm_vec3 linear, pkm_vec3 angular, double* t)
{
    const double all[6] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
    for (int k = 0; k < 6; ++k) {
        if (moves >> k & 1u) *t++ = all[k];
    }
}

/// Along a motion, with qd and qdd as finite differences of the inverse geometry: B t = A qd, the
/// same qdd from B t' = A qdd + c, and the tool's motion back from the drives. The step 2e-3 s
/// balances truncation (h^8) and roundoff (eps/h^2 = 3e-11).
static inline void check_velocity_equation(const pkm_closed* closed, const swing* motion,
                                           int branch)
{
    const pkm_closed_family* family = pkm_closed_get_family(closed);
    const int n = family->n_drive;
    const double h = 2e-3;
    double worst_v = 0.0, worst_a = 0.0;
    for (double t = 0.0; t < 3.0; t += 0.21) {
        pkm_closed_config at, plus, minus;
        const pkm_frame_motion tool = swing_at(motion, t);
        CHECK(config_on_branch(closed, &tool.pose, branch, &at));
        double qd[PKM_CLOSED_MAX_DRIVE], qdd[PKM_CLOSED_MAX_DRIVE];
        for (int j = 0; j < n; ++j)
            qd[j] = 0.0, qdd[j] = SECOND_MIDDLE * at.q[j] / (h * h);
        for (int k = 0; k < STENCIL; ++k) {
            const pkm_frame_motion later = swing_at(motion, t + (k + 1) * h);
            const pkm_frame_motion sooner = swing_at(motion, t - (k + 1) * h);
            CHECK(config_on_branch(closed, &later.pose, branch, &plus));
            CHECK(config_on_branch(closed, &sooner.pose, branch, &minus));
            for (int j = 0; j < n; ++j) {
                qd[j] += FIRST[k] * (plus.q[j] - minus.q[j]) / h;
                qdd[j] += SECOND[k] * (plus.q[j] + minus.q[j]) / (h * h);
            }
        }
        double B[36], A[36], twist[6], qd_ours[PKM_CLOSED_MAX_DRIVE],
            qdd_ours[PKM_CLOSED_MAX_DRIVE];
        CHECK(closed_drive_motion(closed, &at, &tool, qd_ours, qdd_ours) == PKM_OK);
        pkm_closed_velocity(closed, &at, B, A);
        pack_moves(family->moves, tool.v, tool.w, twist);
        for (int i = 0; i < n; ++i) {
            double v = 0.0;
            for (int j = 0; j < n; ++j)
                v += B[i + j * n] * twist[j] - A[i + j * n] * qd[j];
            worst_v = fmax(worst_v, fabs(v));
            worst_a = fmax(worst_a, fabs(qdd[i] - qdd_ours[i]));
        }
        pkm_frame_motion again;
        CHECK(pkm_closed_tool_motion(closed, &at, qd_ours, qdd_ours, &again) == PKM_OK);
        CHECK_NEAR(pkm_vec3_norm(pkm_vec3_sub(again.a, tool.a)), 0.0, 1e-11);
        CHECK_NEAR(pkm_vec3_norm(pkm_vec3_sub(again.alpha, tool.alpha)), 0.0, 1e-10);
    }
    CHECK_NEAR(worst_v, 0.0, 1e-11);
    CHECK_NEAR(worst_a, 0.0, 1e-8);
}

/// Energy at a configuration for given drive rates; the tool's motion follows from them.
static inline double energy_of(const pkm_closed* closed, const pkm_closed_config* at,
                               const double* qd)
{
    const double zero[PKM_CLOSED_MAX_DRIVE] = {0.0};
    pkm_frame_motion tool;
    CHECK(pkm_closed_tool_motion(closed, at, qd, zero, &tool) == PKM_OK);
    return pkm_closed_energy(closed, at, &tool, qd);
}

/// dT/dqd_j, exact since T is quadratic in the rates.
static inline double momentum(const pkm_closed* closed, const pkm_closed_config* at,
                              const double* qd, int j)
{
    double plus[PKM_CLOSED_MAX_DRIVE], minus[PKM_CLOSED_MAX_DRIVE];
    memcpy(plus, qd, sizeof plus);
    memcpy(minus, qd, sizeof minus);
    plus[j] += 1.0;
    minus[j] -= 1.0;
    return (energy_of(closed, at, plus) - energy_of(closed, at, minus)) / 2.0;
}

/// dL/dq_j at constant rates, L = T - V = E - 2 V.
static inline double lagrangian_slope(const pkm_closed* closed, const pkm_closed_config* at,
                                      const double* qd, int j)
{
    const double h = 5e-4, zero[PKM_CLOSED_MAX_DRIVE] = {0.0};
    double slope = 0.0;
    for (int k = 0; k < STENCIL; ++k) {
        for (int side = -1; side <= 1; side += 2) {
            double q[PKM_CLOSED_MAX_DRIVE];
            pkm_closed_config there;
            memcpy(q, at->q, sizeof q);
            q[j] += side * (k + 1) * h;
            CHECK(config_at_drives(closed, q, at, &there));
            const double L = energy_of(closed, &there, qd) - 2.0 * energy_of(closed, &there, zero);
            slope += side * FIRST[k] * L / h;
        }
    }
    return slope;
}

/// Configuration and drive rates at time t of a motion on a branch.
static inline pkm_frame_motion drive_at(const pkm_closed* closed, const swing* motion, int branch,
                                        double t, pkm_closed_config* at, double* qd, double* qdd)
{
    const pkm_frame_motion tool = swing_at(motion, t);
    CHECK(config_on_branch(closed, &tool.pose, branch, at));
    CHECK(closed_drive_motion(closed, at, &tool, qd, qdd) == PKM_OK);
    return tool;
}

static const pkm_vec3 TOOL_FORCE = {13.0, -7.0, 29.0}, TOOL_TORQUE = {3.0, 5.0, -2.0};

/// Lagrange's equations, d/dt dL/dqd - dL/dq = F + J' (tool wrench), drive by drive, and the power
/// balance dE/dt = F qd + tool wrench, on one branch. Returns the largest error over the largest
/// force, and over the largest power.
static inline void lagrange_errors(const pkm_closed* closed, const swing* motion, int branch,
                                   double* error, double* power_error)
{
    const int n = pkm_closed_get_family(closed)->n_drive;
    const double h = 2e-3;
    double largest = 0.0, worst = 0.0, largest_power = 0.0, worst_power = 0.0;
    for (double t = 0.0; t < 3.0; t += 0.37) {
        pkm_closed_config at, side;
        double qd[PKM_CLOSED_MAX_DRIVE] = {0.0}, qdd[PKM_CLOSED_MAX_DRIVE] = {0.0};
        double rate[PKM_CLOSED_MAX_DRIVE] = {0.0}, rate2[PKM_CLOSED_MAX_DRIVE] = {0.0};
        double F[PKM_CLOSED_MAX_DRIVE] = {0.0}, p_dot[PKM_CLOSED_MAX_DRIVE] = {0.0};
        const pkm_frame_motion tool = drive_at(closed, motion, branch, t, &at, qd, qdd);
        CHECK(pkm_closed_inverse_dynamics(closed, &at, &tool, qd, qdd, TOOL_FORCE, TOOL_TORQUE,
                                          F) == PKM_OK);
        double E_dot = 0.0;
        for (int k = -STENCIL; k <= STENCIL; ++k) {
            if (k == 0) continue;
            const double weight = (k > 0 ? 1.0 : -1.0) * FIRST[abs(k) - 1] / h;
            const pkm_frame_motion then =
                drive_at(closed, motion, branch, t + k * h, &side, rate, rate2);
            E_dot += weight * pkm_closed_energy(closed, &side, &then, rate);
            for (int j = 0; j < n; ++j)
                p_dot[j] += weight * momentum(closed, &side, rate, j);
        }
        double power = pkm_vec3_dot(TOOL_FORCE, tool.v) + pkm_vec3_dot(TOOL_TORQUE, tool.w);
        for (int j = 0; j < n; ++j) {
            double unit[PKM_CLOSED_MAX_DRIVE] = {0.0};
            const double zero[PKM_CLOSED_MAX_DRIVE] = {0.0};
            pkm_frame_motion column;
            unit[j] = 1.0;
            CHECK(pkm_closed_tool_motion(closed, &at, unit, zero, &column) == PKM_OK);
            const double outside =
                pkm_vec3_dot(TOOL_FORCE, column.v) + pkm_vec3_dot(TOOL_TORQUE, column.w);
            const double lagrange = p_dot[j] - lagrangian_slope(closed, &at, qd, j) - outside;
            largest = fmax(largest, fabs(F[j]));
            worst = fmax(worst, fabs(F[j] - lagrange));
            power += F[j] * qd[j];
            largest_power = fmax(largest_power, fabs(F[j] * qd[j]));
        }
        worst_power = fmax(worst_power, fabs(E_dot - power));
    }
    *error = worst / largest;
    *power_error = worst_power / largest_power;
}

/// The equations of motion on `n_branch` branches to 1e-8.
static inline void check_equations_of_motion(const pkm_closed* closed, const swing* motion,
                                             int n_branch)
{
    pkm_closed_config all[PKM_CLOSED_MAX_BRANCH];
    const pkm_frame_motion start = swing_at(motion, 0.0);
    const int n =
        pkm_closed_inverse_geometry(closed, &start.pose, all, PKM_CLOSED_MAX_BRANCH, NULL);
    CHECK(n == n_branch);
    double worst = 0.0, worst_power = 0.0;
    for (int k = 0; k < n; ++k) {
        double error, power_error;
        lagrange_errors(closed, motion, all[k].branch, &error, &power_error);
        worst = fmax(worst, error);
        worst_power = fmax(worst_power, power_error);
    }
    printf("     %d branches: Lagrange %.2g of the force, power %.2g\n", n, worst, worst_power);
    CHECK(worst <= 1e-8);
    CHECK(worst_power <= 1e-8);
}

/// What a robot does at one instant of a motion, on the branch of the file: drives and forces; and
/// the tool points for these drives, in the order in which the direct geometry lists them.
enum { FINGERPRINT = 2 * PKM_CLOSED_MAX_DRIVE + 6 };
static inline void fingerprint(const pkm_closed* closed, const pkm_frame_motion* tool, double* out)
{
    const int n = pkm_closed_get_family(closed)->n_drive;
    pkm_closed_config at;
    double qd[PKM_CLOSED_MAX_DRIVE], qdd[PKM_CLOSED_MAX_DRIVE];
    CHECK(pkm_closed_inverse_geometry(closed, &tool->pose, &at, 1, NULL) == 1);
    CHECK(closed_drive_motion(closed, &at, tool, qd, qdd) == PKM_OK);
    memcpy(out, at.q, (size_t)n * sizeof *out);
    CHECK(pkm_closed_inverse_dynamics(closed, &at, tool, qd, qdd, TOOL_FORCE, TOOL_TORQUE,
                                      out + n) == PKM_OK);
    pkm_closed_config all[PKM_CLOSED_MAX_BRANCH];
    const int m = pkm_closed_direct_geometry(closed, at.q, all, PKM_CLOSED_MAX_BRANCH, NULL);
    CHECK(m > 0);
    const pkm_vec3 place[2] = {all[0].pose.p, all[m - 1].pose.p};
    memcpy(out + 2 * n, place, sizeof place);
}

/// Every parameter changes the drives or the forces: +1 % where it is not 0, else +0.01; signs are
/// turned. The smallest change that counts is 1e-6.
static inline void check_every_parameter_matters(const pkm_closed_family* family,
                                                 const setting* settings, const swing* motion)
{
    double value[PKM_CLOSED_MAX_PARAMETER], before[FINGERPRINT];
    const pkm_frame_motion tool = swing_at(motion, 0.4);
    pkm_closed* closed = bind_settings(family, settings);
    fingerprint(closed, &tool, before);
    pkm_closed_free(closed);
    for (int i = 0; i < family->n_parameter; ++i) {
        fill_values(family, settings, value);
        const pkm_closed_parameter* p = &family->parameter[i];
        const bool is_sign = strstr(p->text, "+1 or -1") != NULL;
        double x = isnan(value[i]) ? p->fallback : value[i];
        if (isnan(x)) x = 0.05; // a default the family computes
        value[i] = is_sign ? -x : x != 0.0 ? 1.01 * x : 0.01;
        double after[FINGERPRINT], change = 0.0;
        closed = bind_values(family, value);
        fingerprint(closed, &tool, after);
        pkm_closed_free(closed);
        for (int k = 0; k < 2 * family->n_drive + 6; ++k) {
            change = fmax(change, fabs(after[k] - before[k]));
        }
        if (change < 1e-6) printf("     %s has no effect\n", p->name);
        CHECK(change >= 1e-6);
    }
}

/// Creating with one bad value fails with a sentence that names the parameter.
static inline void check_bad_value(const pkm_closed_family* family, const setting* settings,
                                   const char* name, double bad)
{
    double value[PKM_CLOSED_MAX_PARAMETER];
    fill_values(family, settings, value);
    value[parameter_index(family, name)] = bad;
    pkm_closed* closed = NULL;
    pkm_error err = {0};
    CHECK(pkm_closed_create(family, value, &closed, &err) == PKM_ERR_MODEL);
    CHECK(closed == NULL);
    CHECK_CONTAINS(err.text, name);
    CHECK_CONTAINS(err.text, family->name);
}

/// Geometry, velocities, forces and energy take nothing from the heap; prints the time per call of
/// the inverse dynamics.
static inline void check_no_allocation_and_time(const pkm_closed* closed, const swing* motion)
{
    enum { CALLS = 200000 };
    pkm_closed_config at, all[PKM_CLOSED_MAX_BRANCH];
    double qd[PKM_CLOSED_MAX_DRIVE], qdd[PKM_CLOSED_MAX_DRIVE], F[PKM_CLOSED_MAX_DRIVE];
    const size_t before = pkm_alloc_count();
    const pkm_frame_motion start = swing_at(motion, 0.3);
    pkm_closed_inverse_geometry(closed, &start.pose, all, PKM_CLOSED_MAX_BRANCH, NULL);
    pkm_frame_motion tool = drive_at(closed, motion, all[0].branch, 0.3, &at, qd, qdd);
    CHECK(config_at_drives(closed, at.q, &at, &all[0]));
    pkm_closed_energy(closed, &at, &tool, qd);

    struct timespec from, to;
    double sum = 0.0;
    const pkm_vec3 none = {0.0, 0.0, 0.0};
    clock_gettime(CLOCK_MONOTONIC, &from);
    for (int k = 0; k < CALLS; ++k) {
        tool.a.x += 1e-9;
        if (pkm_closed_inverse_dynamics(closed, &at, &tool, qd, qdd, none, none, F) != PKM_OK)
            break;
        sum += F[0];
    }
    clock_gettime(CLOCK_MONOTONIC, &to);
    const double ns = (double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec);
    printf("     inverse dynamics: %.0f ns per call (checksum %.3g)\n", ns / CALLS, sum);
    CHECK(pkm_alloc_count() == before);
}

#endif
