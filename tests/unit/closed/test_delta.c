// The rotary Delta against reference results: SIAX D3-1600, bench model D, Kuo's Delta, IRB 340.
#include "closed.h"
#include "rod_robots.h"

static const double degree = M_PI / 180.0;
static const pkm_vec3 none = {0.0, 0.0, 0.0};

/// One instant of a motion with everything that belongs to it.
typedef struct instant {
    double qd[3], qdd[3], torque[3];
    pkm_closed_config config;
    pkm_frame_motion tool;
} instant;

/// The stroke 70 / 41 / -36 deg in 0.2 s from horizontal cranks, quintic.
static instant stroke(const pkm_closed* closed, double t)
{
    static const double angle[3] = {70.0, 41.0, -36.0};
    const double T = 0.2, s = t / T;
    const double p = s * s * s * (10.0 + s * (-15.0 + 6.0 * s));
    const double pd = 30.0 * s * s * (1.0 + s * (-2.0 + s)) / T;
    const double pdd = 60.0 * s * (1.0 + s * (-3.0 + 2.0 * s)) / (T * T);
    instant now = {.torque = {NAN, NAN, NAN}};
    double q[3];
    for (int i = 0; i < 3; ++i) {
        q[i] = angle[i] * degree * p;
        now.qd[i] = angle[i] * degree * pd;
        now.qdd[i] = angle[i] * degree * pdd;
    }
    CHECK(pkm_closed_direct_geometry(closed, q, &now.config, 1, NULL) == 1);
    CHECK(pkm_closed_tool_motion(closed, &now.config, now.qd, now.qdd, &now.tool) == PKM_OK);
    CHECK(pkm_closed_inverse_dynamics(closed, &now.config, &now.tool, now.qd, now.qdd, none, none,
                                      now.torque) == PKM_OK);
    return now;
}

// The table has ten digits; 1e-9 of the largest torque, 425.5 N m.
static void siax_meets_the_reference_at_every_row(void)
{
    static law_table table;
    CHECK(law_read("siax_rigid_ref.csv", &table) == 101);
    pkm_closed* closed = law_robot("delta", siax);
    const int tau = law_column(&table, "tauA"), x = law_column(&table, "x");
    const int v = law_column(&table, "vx"), a = law_column(&table, "ax");
    for (int k = 0; k < table.n_row; ++k) {
        const double* row = table.cell[k];
        const instant now = stroke(closed, row[0]);
        for (int i = 0; i < 3; ++i)
            CHECK_NEAR(now.torque[i], row[tau + i], 1e-9 * 425.5);
        const pkm_vec3 p = now.tool.pose.p;
        CHECK_NEAR(p.x, row[x], 1e-9);
        CHECK_NEAR(p.y, row[x + 1], 1e-9);
        CHECK_NEAR(p.z, row[x + 2], 1e-9);
        CHECK_NEAR(now.tool.v.x, row[v], 1e-9 * 8.0);
        CHECK_NEAR(now.tool.v.y, row[v + 1], 1e-9 * 8.0);
        CHECK_NEAR(now.tool.a.x, row[a], 1e-9 * 123.0);
        CHECK_NEAR(now.tool.a.z, row[a + 2], 1e-9 * 123.0);
    }
    pkm_closed_free(closed);
}

// Peaks on a grid of 0.1 ms, printed with ten digits.
static void siax_has_the_published_peaks(void)
{
    pkm_closed* closed = law_robot("delta", siax);
    double low[3] = {0.0}, high[3] = {0.0}, v_max = 0.0, t_max = 0.0, a_max[2] = {0.0};
    for (int k = 0; k <= 2000; ++k) {
        const double t = k * 1e-4;
        const instant now = stroke(closed, t);
        for (int i = 0; i < 3; ++i) {
            low[i] = fmin(low[i], now.torque[i]);
            high[i] = fmax(high[i], now.torque[i]);
        }
        const double v = pkm_vec3_norm(now.tool.v), a = pkm_vec3_norm(now.tool.a);
        if (v > v_max) t_max = t;
        v_max = fmax(v_max, v);
        a_max[t > 0.1] = fmax(a_max[t > 0.1], a);
    }
    CHECK_NEAR(low[0], -425.501837, 1e-5);
    CHECK_NEAR(low[1], -177.9138017, 1e-5);
    CHECK_NEAR(low[2], -347.8897338, 1e-5);
    CHECK_NEAR(high[0], 295.1039181, 1e-5);
    CHECK_NEAR(high[1], 111.4728925, 1e-5);
    CHECK_NEAR(high[2], 246.4721769, 1e-5);
    CHECK_NEAR(v_max, 7.977226002, 1e-8);
    CHECK_NEAR(t_max, 0.1001, 1e-12);
    CHECK_NEAR(a_max[0], 121.7167889, 1e-6);
    CHECK_NEAR(a_max[1], 122.5551613, 1e-6);
    pkm_closed_free(closed);
}

// Solid rods weigh 2.7105 kg instead of 0.34 kg; peaks are known to the newton metre.
static void heavier_rods_double_the_torque(void)
{
    law_value heavy[sizeof siax / sizeof siax[0]];
    memcpy(heavy, siax, sizeof siax);
    for (law_value* p = heavy; p->name; ++p) {
        if (strcmp(p->name, "rod_mass") == 0) p->value = 2.7105;
    }
    pkm_closed* closed = law_robot("delta", heavy);
    double peak[3] = {0.0};
    for (int k = 0; k <= 2000; ++k) {
        const instant now = stroke(closed, k * 1e-4);
        for (int i = 0; i < 3; ++i)
            peak[i] = fmax(peak[i], fabs(now.torque[i]));
    }
    CHECK_NEAR(peak[0], 834.0, 0.5);
    CHECK_NEAR(peak[1], 360.0, 0.5);
    CHECK_NEAR(peak[2], 641.0, 0.5);
    pkm_closed_free(closed);
}

// Bench model D is the SIAX with a base radius of 0.125 m.
static void model_d_ends_where_it_should(void)
{
    law_value model_d[sizeof siax / sizeof siax[0]];
    memcpy(model_d, siax, sizeof siax);
    model_d[0].value = 0.125;
    pkm_closed* closed = law_robot("delta", model_d);
    double peak = 0.0;
    for (int k = 0; k <= 2000; ++k) {
        const instant now = stroke(closed, k * 1e-4);
        for (int i = 0; i < 3; ++i)
            peak = fmax(peak, fabs(now.torque[i]));
    }
    CHECK_NEAR(peak, 610.0, 0.05);
    const instant end = stroke(closed, 0.2);
    CHECK_NEAR(end.tool.pose.p.x, -0.736186888104, 1e-12);
    CHECK_NEAR(end.tool.pose.p.y, -0.557267889723, 1e-12);
    CHECK_NEAR(end.tool.pose.p.z, -0.665026087846, 1e-12);
    CHECK_TEXT(end.config.label, "elbows out/out/out, platform below");
    pkm_closed_free(closed);
}

// The outward branch at P = (0.1, 0, 0.5), printed with four digits of a degree.
static void kuo_has_the_published_crank_angles(void)
{
    pkm_closed* closed = law_robot("delta", kuo);
    pkm_closed_config c;
    const pkm_pose pose = {{0.1, 0.0, 0.5}, {1.0, 0.0, 0.0, 0.0}};
    CHECK(pkm_closed_inverse_geometry(closed, &pose, &c, 1, NULL) == 1);
    CHECK_NEAR(c.q[0] / degree, 10.7637, 5e-5);
    CHECK_NEAR(c.q[1] / degree, 29.3019, 5e-5);
    CHECK_NEAR(c.q[2] / degree, 29.3019, 5e-5);
    CHECK_TEXT(c.label, "elbows out/out/out, platform below");
    pkm_closed_free(closed);
}

/// Largest and smallest torque on the circle of radius 0.1 m at z = 0.5 m, one turn per second, on
/// a grid of 1/3600 turns.
static void kuo_circle(const law_value* value, double* high, double* low)
{
    pkm_closed* closed = law_robot("delta", value);
    *high = -INFINITY;
    *low = INFINITY;
    for (int k = 0; k < 3600; ++k) {
        const double w = 2.0 * M_PI, c = 0.1 * cos(k * degree / 10.0),
                     s = 0.1 * sin(k * degree / 10.0);
        const pkm_frame_motion tool = {.pose = {{c, s, 0.5}, {1.0, 0.0, 0.0, 0.0}},
                                       .v = {-w * s, w * c, 0.0},
                                       .a = {-w * w * c, -w * w * s, 0.0}};
        pkm_closed_config config;
        double qd[3], qdd[3], torque[3];
        CHECK(pkm_closed_inverse_geometry(closed, &tool.pose, &config, 1, NULL) == 1);
        CHECK(closed_drive_motion(closed, &config, &tool, qd, qdd) == PKM_OK);
        CHECK(pkm_closed_inverse_dynamics(closed, &config, &tool, qd, qdd, none, none, torque) ==
              PKM_OK);
        for (int i = 0; i < 3; ++i) {
            *high = fmax(*high, torque[i]);
            *low = fmin(*low, torque[i]);
        }
    }
    pkm_closed_free(closed);
}

// The grid misses the extremes by less than 1e-6 N m.
static void kuo_circle_has_the_torques_of_a_uniform_rod(void)
{
    double high, low;
    kuo_circle(kuo, &high, &low);
    CHECK_NEAR(high, -1.9244890, 2e-6);
    CHECK_NEAR(low, -2.6811637, 2e-6);
}

// Half the mass at each end is a rod with the inertia m L^2 / 4.
static void a_rod_with_its_mass_at_the_ends_has_other_torques(void)
{
    law_value ends[sizeof kuo / sizeof kuo[0] + 1];
    memcpy(&ends[1], kuo, sizeof kuo);
    ends[0] = (law_value){"rod_inertia", 7800.0 * 25e-6 * 0.6 * 0.36 / 4.0};
    double high, low;
    kuo_circle(ends, &high, &low);
    CHECK_NEAR(high, -1.8366685, 2e-6);
    CHECK_NEAR(low, -2.7582878, 2e-6);
}

static void irb340_has_the_crank_angles_of_its_motion(void)
{
    const law_value irb340[] = {
        {"base_radius", 0.2},    {"platform_radius", 0.045},
        {"crank_length", 0.235}, {"rod_length", 0.8},
        {"crank_mass", 1.0},     {"crank_com", 0.1175},
        {"crank_inertia", 0.0},  {"rod_mass", 0.9607},
        {"platform_mass", 0.3},  {NULL, 0.0},
    };
    pkm_closed* closed = law_robot("delta", irb340);
    const double x[2] = {-0.1525, 0.1525};
    const double expected[2][3] = {{33.23041507062685, 6.2153554288751165, 6.215355428875106},
                                   {-3.4309963042951015, 24.713959479970082, 24.713959479970075}};
    for (int k = 0; k < 2; ++k) {
        pkm_closed_config c;
        const pkm_pose pose = {{x[k], 0.0, -0.75}, {1.0, 0.0, 0.0, 0.0}};
        CHECK(pkm_closed_inverse_geometry(closed, &pose, &c, 1, NULL) == 1);
        for (int i = 0; i < 3; ++i)
            CHECK_NEAR(c.q[i] / degree, expected[k][i], 1e-11);
    }
    pkm_closed_free(closed);
}

// Words follow what one sees: on the wrong side of the base the second root is the outer one.
static void labels_say_which_elbows_are_out(void)
{
    pkm_closed* closed = law_robot("delta", siax);
    for (int side = -1; side <= 1; side += 2) {
        pkm_closed_config c[8];
        const pkm_pose pose = {{0.05, 0.03, side * 0.9}, {1.0, 0.0, 0.0, 0.0}};
        CHECK(pkm_closed_inverse_geometry(closed, &pose, c, 8, NULL) == 8);
        for (int k = 0; k < 8; ++k) {
            char words[PKM_CLOSED_LABEL];
            const char* word[3];
            for (int i = 0; i < 3; ++i) {
                // The other mode of this limb alone has its bit of the branch switched.
                const double other = c[k ^ 1 << i].q[i];
                word[i] = cos(c[k].q[i]) > cos(other) ? "out" : "in";
            }
            snprintf(words, sizeof words, "elbows %s/%s/%s, ", word[0], word[1], word[2]);
            CHECK_CONTAINS(c[k].label, words);
        }
        CHECK_TEXT(c[side < 0 ? 0 : 7].label, side < 0 ? "elbows out/out/out, platform below"
                                                       : "elbows out/out/out, platform above");
    }
    pkm_closed_free(closed);
}

// A force along the motion of the platform unloads the drives: tau' = tau - J' f.
static void a_tool_force_acts_through_the_jacobian(void)
{
    pkm_closed* closed = law_robot("delta", siax);
    const instant now = stroke(closed, 0.07);
    const pkm_vec3 force = {30.0, -20.0, 50.0};
    double torque[3], J[9];
    CHECK(pkm_closed_inverse_dynamics(closed, &now.config, &now.tool, now.qd, now.qdd, force, none,
                                      torque) == PKM_OK);
    CHECK(closed_jacobian(closed, &now.config, J) == PKM_OK);
    for (int j = 0; j < 3; ++j) {
        const double lever = J[3 * j] * force.x + J[3 * j + 1] * force.y + J[3 * j + 2] * force.z;
        CHECK_NEAR(now.torque[j] - torque[j], lever, 1e-12 * 425.5);
    }
    pkm_closed_free(closed);
}

int main(void)
{
    RUN(siax_meets_the_reference_at_every_row);
    RUN(siax_has_the_published_peaks);
    RUN(heavier_rods_double_the_torque);
    RUN(model_d_ends_where_it_should);
    RUN(kuo_has_the_published_crank_angles);
    RUN(kuo_circle_has_the_torques_of_a_uniform_rod);
    RUN(a_rod_with_its_mass_at_the_ends_has_other_torques);
    RUN(irb340_has_the_crank_angles_of_its_motion);
    RUN(labels_say_which_elbows_are_out);
    RUN(a_tool_force_acts_through_the_jacobian);
    return check_report();
}
