// The Triglide against its reference table: only q3 moves, 0.1 m in 10 s, cubic.
#include "rod_robots.h"

static const pkm_vec3 none = {0.0, 0.0, 0.0};

typedef struct instant {
    double q[3], qd[3], qdd[3], force[3];
    pkm_closed_config config;
} instant;

static instant move(const pkm_closed* closed, double t)
{
    const double T = 10.0, s = t / T;
    instant now = {.q = {0.0, 0.1, 0.1 * s * s * (3.0 - 2.0 * s)},
                   .qd = {0.0, 0.0, 0.6 * s * (1.0 - s) / T},
                   .qdd = {0.0, 0.0, 0.6 * (1.0 - 2.0 * s) / (T * T)}};
    pkm_frame_motion tool;
    CHECK(pkm_closed_direct_geometry(closed, now.q, &now.config, 1, NULL) == 1);
    CHECK(pkm_closed_tool_motion(closed, &now.config, now.qd, now.qdd, &tool) == PKM_OK);
    CHECK(pkm_closed_inverse_dynamics(closed, &now.config, &tool, now.qd, now.qdd, none, none,
                                      now.force) == PKM_OK);
    return now;
}

static void forces_meet_the_reference_at_every_row(void)
{
    static law_table table;
    CHECK(law_read("triglide_ref.csv", &table) == 41);
    pkm_closed* closed = law_robot("triglide", triglide);
    const int F = law_column(&table, "F_q1"), E = law_column(&table, "E_x");
    double largest = 0.0;
    for (int k = 0; k < table.n_row; ++k) {
        for (int i = 0; i < 3; ++i)
            largest = fmax(largest, fabs(table.cell[k][F + i]));
    }
    for (int k = 0; k < table.n_row; ++k) {
        const double* row = table.cell[k];
        const instant now = move(closed, row[0]);
        for (int i = 0; i < 3; ++i)
            CHECK_NEAR(now.force[i], row[F + i], 1e-9 * largest);
        CHECK_NEAR(now.config.pose.p.x, row[E], 1e-12);
        CHECK_NEAR(now.config.pose.p.y, row[E + 1], 1e-12);
        CHECK_NEAR(now.config.pose.p.z, row[E + 2], 1e-12);
        CHECK_TEXT(now.config.label, "slides out/out/out, platform below");
        CHECK(now.config.branch == 0);
    }
    pkm_closed_free(closed);
}

// Displacement 0.012, 0.067, 0.010 m and 4.3 N in q2 in print.
static void published_values_are_met(void)
{
    pkm_closed* closed = law_robot("triglide", triglide);
    const instant start = move(closed, 0.0), end = move(closed, 10.0);
    const pkm_vec3 d = pkm_vec3_sub(end.config.pose.p, start.config.pose.p);
    CHECK_NEAR(fabs(d.x), 0.01216, 5e-6);
    CHECK_NEAR(fabs(d.y), 0.06740, 5e-6);
    CHECK_NEAR(fabs(d.z), 0.01009, 5e-6);
    double largest = 0.0;
    for (int k = 0; k <= 1000; ++k)
        largest = fmax(largest, move(closed, 0.01 * k).force[1]);
    CHECK_NEAR(largest, 4.320, 5e-4);
    pkm_closed_free(closed);
}

// A slide feels its own acceleration only: 0.006 N per kg on q3 at the start.
static void a_slide_adds_its_own_inertia(void)
{
    law_value heavy[sizeof triglide / sizeof triglide[0] + 1];
    memcpy(&heavy[1], triglide, sizeof triglide);
    heavy[0] = (law_value){"slide_mass", 1.0};
    pkm_closed *light = law_robot("triglide", triglide), *closed = law_robot("triglide", heavy);
    const instant a = move(light, 0.0), b = move(closed, 0.0);
    CHECK_NEAR(b.force[0] - a.force[0], 0.0, 1e-15);
    CHECK_NEAR(b.force[1] - a.force[1], 0.0, 1e-15);
    CHECK_NEAR(b.force[2] - a.force[2], 0.006, 1e-14);
    pkm_closed_free(light);
    pkm_closed_free(closed);
}

// The formula of the paper, corrected: q = u.P - L4 + L3 + sqrt(L2^2 - |P|^2 + (u.P)^2).
static void drives_follow_the_corrected_formula(void)
{
    pkm_closed* closed = law_robot("triglide", triglide);
    const pkm_vec3 u[3] = {{sqrt(0.75), -0.5, 0.0}, {-sqrt(0.75), -0.5, 0.0}, {0.0, 1.0, 0.0}};
    const pkm_vec3 P = {0.03, -0.08, -0.45};
    const pkm_pose pose = {P, {1.0, 0.0, 0.0, 0.0}};
    pkm_closed_config c;
    CHECK(pkm_closed_inverse_geometry(closed, &pose, &c, 1, NULL) == 1);
    for (int i = 0; i < 3; ++i) {
        const double x = pkm_vec3_dot(u[i], P);
        const double q = x - 0.16 + 0.05 + sqrt(0.36 - pkm_vec3_dot(P, P) + x * x);
        CHECK_NEAR(c.q[i], q, 1e-14);
    }
    pkm_closed_free(closed);
}

int main(void)
{
    RUN(forces_meet_the_reference_at_every_row);
    RUN(published_values_are_met);
    RUN(a_slide_adds_its_own_inertia);
    RUN(drives_follow_the_corrected_formula);
    return check_report();
}
