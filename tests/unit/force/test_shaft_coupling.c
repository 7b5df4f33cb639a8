#include "force/shaft_coupling.h"

#include "check.h"

static const pkm_shaft_coupling teeth = {.play = 0.02, .stiffness = 1e4, .damping = 50.0};

static void flanks_push_and_never_pull(void)
{
    CHECK_NEAR(pkm_shaft_coupling_force(&teeth, 0.0, 3.0), 0.0, 0.0);
    CHECK_NEAR(pkm_shaft_coupling_force(&teeth, 0.01, 3.0), 0.0, 0.0);
    CHECK_NEAR(pkm_shaft_coupling_force(&teeth, 0.0105, 0.0), 5.0, 1e-11);
    CHECK_NEAR(pkm_shaft_coupling_force(&teeth, -0.0105, 0.0), -5.0, 1e-11);
    CHECK_NEAR(pkm_shaft_coupling_force(&teeth, 0.0105, 0.2), 15.0, 1e-11); // damping is complete
    CHECK_NEAR(pkm_shaft_coupling_force(&teeth, -0.0105, -0.2), -15.0, 1e-11);
    CHECK_NEAR(pkm_shaft_coupling_force(&teeth, 0.0105, -1.0), 0.0, 0.0); // apart faster
}

/// The force does not jump where the flanks touch, however fast.
static void force_begins_at_zero(void)
{
    CHECK(fabs(pkm_shaft_coupling_force(&teeth, 0.01 + 1e-9, 5.0)) < 1e-2);
}

static void without_play_it_is_a_spring_both_ways(void)
{
    const pkm_shaft_coupling belt = {.stiffness = 200.0, .damping = 3.0};
    CHECK_NEAR(pkm_shaft_coupling_force(&belt, 0.1, -0.5), 20.0 - 1.5, 1e-14);
    CHECK_NEAR(pkm_shaft_coupling_force(&belt, -0.1, 0.5), -20.0 + 1.5, 1e-14);
    CHECK_NEAR(pkm_shaft_coupling_energy(&belt, -0.1), 1.0, 1e-15);
}

/// Without damping the force is the slope of the energy.
static void force_is_the_slope_of_the_energy(void)
{
    const pkm_shaft_coupling c = {.play = 0.02, .stiffness = 1e4};
    const double h = 1e-6;
    for (double e = -0.02; e <= 0.02; e += 0.0013) {
        const double slope =
            (pkm_shaft_coupling_energy(&c, e + h) - pkm_shaft_coupling_energy(&c, e - h)) /
            (2.0 * h);
        CHECK_NEAR(pkm_shaft_coupling_force(&c, e, 0.0), slope, 1e-5);
    }
}

static void wrong_parameters_are_named(void)
{
    pkm_error err = {0};
    pkm_shaft_coupling c = teeth;
    CHECK(pkm_shaft_coupling_check(&c, "q1", &err) == PKM_OK);
    c.play = -1.0;
    CHECK(pkm_shaft_coupling_check(&c, "q1", &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "q1: play -1");
    c = teeth;
    c.damping = NAN;
    CHECK(pkm_shaft_coupling_check(&c, "q1", &err) == PKM_ERR_ARGUMENT);
    c = teeth;
    c.stiffness = 0.0;
    CHECK(pkm_shaft_coupling_check(&c, "q1", &err) == PKM_ERR_ARGUMENT);
}

int main(void)
{
    RUN(flanks_push_and_never_pull);
    RUN(force_begins_at_zero);
    RUN(without_play_it_is_a_spring_both_ways);
    RUN(force_is_the_slope_of_the_energy);
    RUN(wrong_parameters_are_named);
    return check_report();
}
