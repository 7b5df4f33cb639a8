#include "force/motor.h"

#include "check.h"
#include "unit/force/rk4.h"

static const double PI = 3.14159265358979323846;

/// Numbers in [-1, 1] that repeat.
static double noise(void)
{
    static unsigned state = 7u;
    state = state * 1664525u + 1013904223u;
    return (double)(state >> 8) / 8388608.0 - 1.0;
}

/// The screw of the linear Delta: lead 10 mm, efficiency 0.9.
static pkm_motor screw(void)
{
    pkm_motor m = pkm_motor_defaults();
    m.screw_lead = 0.01;
    m.screw_efficiency = 0.9;
    return m;
}

static pkm_motor geared(void)
{
    pkm_motor m = screw();
    m.rotor_inertia = 3e-4;
    m.gear_ratio = 3.0;
    m.efficiency = 0.95;
    m.belt_ratio = 1.6;
    m.belt_efficiency = 0.97;
    m.viscous = 2e-4;
    m.coulomb = 0.03;
    m.winding_loss = 1.7;
    return m;
}

static void screw_by_hand(void)
{
    const pkm_motor m = screw();
    const double ideal = 1000.0 * 0.01 / (2.0 * PI);
    CHECK_NEAR(pkm_motor_ratio(&m), 2.0 * PI / 0.01, 1e-12);
    // up at 0.1 m/s (63 rad/s) the motor drives, down the load does with 2 - 1/0.9
    CHECK_NEAR(pkm_motor_require(&m, 1000.0, 0.1, 0.0).torque, ideal / 0.9, 1e-14);
    CHECK_NEAR(pkm_motor_require(&m, 1000.0, -0.1, 0.0).torque, ideal * (2.0 - 1.0 / 0.9), 1e-14);
    CHECK_NEAR(pkm_motor_require(&m, -1000.0, -0.1, 0.0).torque, -ideal / 0.9, 1e-14);
    CHECK_NEAR(pkm_motor_require(&m, 1000.0, 0.0, 0.0).torque, ideal, 1e-14); // at rest no loss
    CHECK_NEAR(pkm_motor_require(&m, 1000.0, 0.1, 0.0).electrical_power, 100.0 / 0.9, 1e-12);
    CHECK(!pkm_motor_is_self_locking(&m));
}

/// A belt 2 : 1 with 0.9 before a gear 5 : 1 with 0.8: losses multiply, backwards 2 - 1/each.
static void belt_by_hand(void)
{
    pkm_motor m = pkm_motor_defaults();
    m.gear_ratio = 5.0;
    m.efficiency = 0.8;
    m.belt_ratio = 2.0;
    m.belt_efficiency = 0.9;
    CHECK_NEAR(pkm_motor_ratio(&m), 10.0, 1e-15);
    CHECK_NEAR(pkm_motor_require(&m, 40.0, 2.0, 0.0).torque, 4.0 / 0.8 / 0.9, 1e-14);
    CHECK_NEAR(pkm_motor_require(&m, -40.0, 2.0, 0.0).torque, -4.0 * 0.75 * (2.0 - 1.0 / 0.9),
               1e-14);
    CHECK_NEAR(pkm_motor_drive(&m, 4.0 / 0.8 / 0.9, 2.0, 0.0).force, 40.0, 1e-13);
    m.belt_efficiency = 0.4; // no load turns it
    CHECK(pkm_motor_is_self_locking(&m));
}

static void gear_by_hand(void)
{
    pkm_motor m = pkm_motor_defaults();
    m.gear_ratio = 50.0;
    m.efficiency = 0.8;
    m.rotor_inertia = 1e-4;
    CHECK_NEAR(pkm_motor_inertia(&m), 0.25, 1e-15);
    // 40 N m at 2 rad/s: 1 N m ideal, 1.25 with losses, and 1e-4 * 50 * 6 for the rotor
    CHECK_NEAR(pkm_motor_require(&m, 40.0, 2.0, 6.0).torque, 40.0 / 50.0 / 0.8 + 0.03, 1e-15);
    CHECK_NEAR(pkm_motor_require(&m, -40.0, 2.0, 0.0).torque, -40.0 / 50.0 * 0.75, 1e-15);
    m.backdrive_efficiency = 0.6;
    CHECK_NEAR(pkm_motor_require(&m, -40.0, 2.0, 0.0).torque, -40.0 / 50.0 * 0.6, 1e-15);
}

/// A screw of efficiency 0.4 holds any load; lowering it takes work from both sides.
static void self_locking_screw_is_driven_down(void)
{
    pkm_motor m = screw();
    m.screw_efficiency = 0.4;
    CHECK(pkm_motor_is_self_locking(&m));
    const pkm_motor_point p = pkm_motor_require(&m, 1000.0, -0.1, 0.0);
    CHECK(p.torque * p.shaft_speed > 0.0);
    CHECK_NEAR(p.torque, 1000.0 * 0.01 / (2.0 * PI) * (2.0 - 2.5), 1e-14);
    CHECK_NEAR(p.transmission_loss, 100.0 + p.electrical_power, 1e-12);
}

static void powers_balance_and_losses_are_losses(void)
{
    pkm_motor m = geared();
    for (int i = 0; i < 2000; ++i) {
        if (i == 1000) m.backdrive_efficiency = 0.7;
        const double v = 0.002 * noise() * (i % 7), a = 5.0 * noise();
        const pkm_motor_point p = pkm_motor_drive(&m, 4.0 * noise(), v, a);
        const double sum =
            p.winding_loss + p.friction_loss + p.transmission_loss + p.rotor_power + p.output_power;
        CHECK_NEAR(p.electrical_power, sum, 1e-12);
        CHECK(p.winding_loss >= 0.0 && p.friction_loss >= 0.0);
        CHECK(p.transmission_loss >= -1e-15);
        CHECK_NEAR(p.output_power, p.force * v, 0.0);
        CHECK_NEAR(p.electrical_power - p.winding_loss, p.torque * p.shaft_speed, 1e-12);
    }
}

static void drive_and_require_are_inverse(void)
{
    const pkm_motor m = geared();
    for (int i = 0; i < 1000; ++i) {
        const double F = 2000.0 * noise(), v = 0.01 * noise(), a = noise();
        const pkm_motor_point need = pkm_motor_require(&m, F, v, a);
        CHECK_NEAR(pkm_motor_drive(&m, need.torque, v, a).force, F, 1e-10);
    }
}

static void ideal_motor_passes_its_torque(void)
{
    const pkm_motor m = pkm_motor_defaults();
    const pkm_motor_point p = pkm_motor_drive(&m, 3.0, -2.0, 9.0);
    CHECK_NEAR(p.force, 3.0, 0.0);
    CHECK_NEAR(p.electrical_power, -6.0, 0.0); // the load feeds it
    CHECK(!p.is_saturated);
}

static void torque_and_speed_are_limited(void)
{
    pkm_motor m = pkm_motor_defaults();
    m.torque_limit = 2.0;
    m.speed_limit = 100.0;
    CHECK_NEAR(pkm_motor_limit(&m, 1.5, 50.0), 1.5, 0.0);
    CHECK_NEAR(pkm_motor_limit(&m, 5.0, 50.0), 2.0, 0.0);
    CHECK_NEAR(pkm_motor_limit(&m, -5.0, 50.0), -2.0, 0.0);
    CHECK_NEAR(pkm_motor_limit(&m, 5.0, 97.5), 1.0, 1e-14); // half way in the taper
    CHECK_NEAR(pkm_motor_limit(&m, 5.0, 101.0), 0.0, 0.0);
    CHECK_NEAR(pkm_motor_limit(&m, -5.0, 101.0), -2.0, 0.0); // braking
    CHECK_NEAR(pkm_motor_limit(&m, 5.0, -101.0), 2.0, 0.0);
    CHECK(pkm_motor_drive(&m, 5.0, 0.0, 0.0).is_saturated);
    CHECK(pkm_motor_require(&m, 5.0, 0.0, 0.0).is_saturated);
    CHECK_NEAR(pkm_motor_require(&m, 5.0, 0.0, 0.0).torque, 5.0, 0.0);
}

/// A mass of 20 kg on the screw with a constant torque and no dry losses: states v, energy drawn.
static void run_up_rate(double t, const double* y, double* rate, const void* user)
{
    (void)t;
    const pkm_motor* m = user;
    const pkm_motor_point p = pkm_motor_drive(m, 0.5, y[0], 0.0);
    rate[0] = p.force / (20.0 + pkm_motor_inertia(m));
    rate[1] = p.electrical_power;
    rate[2] = p.friction_loss;
}

/// v = v_end (1 - exp(-t/T)), v_end = torque / (b N), T = (M + N^2 J) / (b N^2).
static void motor_runs_up_as_the_closed_form(void)
{
    pkm_motor m = screw();
    m.screw_efficiency = 1.0;
    m.rotor_inertia = 1e-4;
    m.viscous = 2e-3;
    const double N = pkm_motor_ratio(&m), all = 20.0 + pkm_motor_inertia(&m);
    const double T = all / (2e-3 * N * N), v_end = 0.5 / (2e-3 * N);
    double y[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < 2000; ++i)
        rk4_step(run_up_rate, &m, 0.0, T / 1000.0, 3, y);
    CHECK_NEAR(y[0], v_end * (1.0 - exp(-2.0)), 1e-12);
    CHECK_NEAR(y[1], 0.5 * all * y[0] * y[0] + y[2], 1e-12 * y[1]);
}

static void wrong_parameters_are_named(void)
{
    pkm_error err;
    pkm_motor m = geared();
    CHECK(pkm_motor_check(&m, "M1", &err) == PKM_OK);
    m.efficiency = 1.2;
    CHECK(pkm_motor_check(&m, "M1", &err) == PKM_ERR_ARGUMENT);
    CHECK_TEXT(err.text, "M1: efficiency 1.2, expected a number > 0 and <= 1");
    m = geared();
    m.gear_ratio = 0.0;
    CHECK(pkm_motor_check(&m, "M1", &err) == PKM_ERR_ARGUMENT);
    m = geared();
    m.torque_limit = NAN;
    CHECK(pkm_motor_check(&m, "M1", &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "torque_limit");
    m = geared();
    m.backdrive_efficiency = 1.5;
    CHECK(pkm_motor_check(&m, "M1", &err) == PKM_ERR_ARGUMENT);
}

int main(void)
{
    RUN(screw_by_hand);
    RUN(gear_by_hand);
    RUN(belt_by_hand);
    RUN(self_locking_screw_is_driven_down);
    RUN(powers_balance_and_losses_are_losses);
    RUN(drive_and_require_are_inverse);
    RUN(ideal_motor_passes_its_torque);
    RUN(torque_and_speed_are_limited);
    RUN(motor_runs_up_as_the_closed_form);
    RUN(wrong_parameters_are_named);
    return check_report();
}
