// The linear Delta against its reference table: a circle at constant speed.
#include "closed.h"
#include "rod_robots.h"

static const pkm_vec3 none = {0.0, 0.0, 0.0};
static const double omega = 2.5420853188989163;

static pkm_frame_motion circle(double t)
{
    const double c = 0.2 * cos(omega * t), s = 0.2 * sin(omega * t);
    return (pkm_frame_motion){.pose = {{c, s, -0.9}, {1.0, 0.0, 0.0, 0.0}},
                              .v = {-omega * s, omega * c, 0.0},
                              .a = {-omega * omega * c, -omega * omega * s, 0.0}};
}

static void forces_meet_the_reference_at_every_row(void)
{
    static law_table table;
    CHECK(law_read("lindelta_ref.csv", &table) == 49);
    pkm_closed* closed = law_robot("linear_delta", linear_delta);
    const int q = law_column(&table, "q1"), qd = law_column(&table, "q1_dot");
    const int qdd = law_column(&table, "q1_ddot"), F = law_column(&table, "F_q1");
    double largest = 0.0;
    for (int k = 0; k < table.n_row; ++k) {
        for (int i = 0; i < 3; ++i)
            largest = fmax(largest, fabs(table.cell[k][F + i]));
    }
    for (int k = 0; k < table.n_row; ++k) {
        const double* row = table.cell[k];
        const pkm_frame_motion tool = circle(row[0]);
        pkm_closed_config c;
        double v[3], a[3], force[3];
        CHECK(pkm_closed_inverse_geometry(closed, &tool.pose, &c, 1, NULL) == 1);
        CHECK(closed_drive_motion(closed, &c, &tool, v, a) == PKM_OK);
        CHECK(pkm_closed_inverse_dynamics(closed, &c, &tool, v, a, none, none, force) == PKM_OK);
        for (int i = 0; i < 3; ++i) {
            CHECK_NEAR(c.q[i], row[q + i], 1e-12);
            CHECK_NEAR(v[i], row[qd + i], 1e-11);
            CHECK_NEAR(a[i], row[qdd + i], 1e-10);
            CHECK_NEAR(force[i], row[F + i], 1e-9 * largest);
        }
    }
    pkm_closed_free(closed);
}

// The speed was chosen so that the slides accelerate with the published 1.1 m/s2.
static void slides_have_the_published_acceleration(void)
{
    pkm_closed* closed = law_robot("linear_delta", linear_delta);
    double largest = 0.0;
    for (int k = 0; k < 3600; ++k) {
        const pkm_frame_motion tool = circle(k * 2.0 * M_PI / omega / 3600.0);
        pkm_closed_config c;
        double v[3], a[3];
        CHECK(pkm_closed_inverse_geometry(closed, &tool.pose, &c, 1, NULL) == 1);
        CHECK(closed_drive_motion(closed, &c, &tool, v, a) == PKM_OK);
        for (int i = 0; i < 3; ++i)
            largest = fmax(largest, fabs(a[i]));
    }
    CHECK_NEAR(largest, 1.1, 1e-6);
    pkm_closed_free(closed);
}

// At rest in the middle each drive carries a third of the whole weight.
static void at_rest_the_drives_carry_the_weight(void)
{
    pkm_closed* closed = law_robot("linear_delta", linear_delta);
    pkm_closed_config c[8];
    const pkm_frame_motion tool = {.pose = {{0.0, 0.0, -0.7}, {1.0, 0.0, 0.0, 0.0}}};
    const double still[3] = {0.0}, weight = 9.80665 * (1.5 + 3.0 * 2.0 + 6.0 * 0.4);
    CHECK(pkm_closed_inverse_geometry(closed, &tool.pose, c, 8, NULL) == 8);
    CHECK_TEXT(c[0].label, "slides up/up/up, platform below");
    CHECK_TEXT(c[7].label, "slides down/down/down, platform above");
    for (int k = 0; k < 8; k += 7) {
        double force[3];
        CHECK(pkm_closed_inverse_dynamics(closed, &c[k], &tool, still, still, none, none, force) ==
              PKM_OK);
        for (int i = 0; i < 3; ++i)
            CHECK_NEAR(force[i], weight / 3.0, 1e-12);
    }
    pkm_closed_free(closed);
}

static void equal_radii_are_refused(void)
{
    const pkm_closed_family* family = pkm_closed_find("linear_delta");
    double value[PKM_CLOSED_MAX_PARAMETER];
    law_values(family, linear_delta, value);
    value[0] = value[1];
    pkm_closed* closed = NULL;
    pkm_error err;
    CHECK(pkm_closed_create(family, value, &closed, &err) == PKM_ERR_MODEL);
    CHECK_CONTAINS(err.text, "every pose is singular");
}

int main(void)
{
    RUN(forces_meet_the_reference_at_every_row);
    RUN(slides_have_the_published_acceleration);
    RUN(at_rest_the_drives_carry_the_weight);
    RUN(equal_radii_are_refused);
    return check_report();
}
