#include "force/controller.h"

#include "check.h"
#include "unit/force/rk4.h"

/// A mass with a constant load that is to go to position `goal`. States: q, v, integral.
typedef struct plant {
    pkm_controller controller;
    double mass, load, goal;
} plant;

static pkm_control_input measure(const plant* p, const double* y)
{
    return (pkm_control_input){
        .q_ref = p->goal, .q = y[0], .v = y[1], .integral = y[2], .gravity = p->load};
}

static void plant_rate(double t, const double* y, double* rate, const void* user)
{
    (void)t;
    const plant* p = user;
    const pkm_control_input in = measure(p, y);
    const pkm_control_output out = pkm_controller_evaluate(&p->controller, &in);
    rate[0] = y[1];
    rate[1] = (out.force - p->load) / p->mass;
    rate[2] = out.integral_rate;
}

static void simulate(const plant* p, double duration, double* y, double* overshoot)
{
    const double h = 1e-4;
    *overshoot = 0.0;
    for (int i = 0; i < (int)(duration / h + 0.5); ++i) {
        rk4_step(plant_rate, p, i * h, h, 3, y);
        *overshoot = fmax(*overshoot, y[0] - p->goal);
    }
}

// ---- by hand -----------------------------------------------------------------------------------

static void terms_by_hand(void)
{
    pkm_controller c = pkm_controller_defaults(PKM_CONTROLLER_PD);
    c.kp = 100.0, c.kd = 10.0, c.ki = 7.0;
    c.velocity_feedforward = 2.0, c.acceleration_feedforward = 3.0;
    const pkm_control_input in = {.q_ref = 0.5,
                                  .v_ref = 1.0,
                                  .a_ref = -2.0,
                                  .q = 0.4,
                                  .v = 1.5,
                                  .integral = 20.0,
                                  .gravity = 50.0,
                                  .model_force = 123.0};
    const double pd = 10.0 - 5.0, forward = 2.0 - 6.0;
    CHECK_NEAR(pkm_controller_evaluate(&c, &in).force, pd + forward, 1e-14);
    CHECK(!pkm_controller_has_state(&c));
    CHECK_NEAR(pkm_controller_evaluate(&c, &in).integral_rate, 0.0, 0.0);

    c.kind = PKM_CONTROLLER_PID;
    CHECK(pkm_controller_has_state(&c));
    CHECK_NEAR(pkm_controller_evaluate(&c, &in).force, pd + forward + 20.0, 1e-14);
    CHECK_NEAR(pkm_controller_evaluate(&c, &in).integral_rate, 0.7, 1e-15);
    c.kind = PKM_CONTROLLER_PD_GRAVITY;
    CHECK_NEAR(pkm_controller_evaluate(&c, &in).force, pd + forward + 50.0, 1e-14);
    c.kind = PKM_CONTROLLER_COMPUTED_TORQUE;
    CHECK_NEAR(pkm_controller_evaluate(&c, &in).force, 123.0, 0.0);
    CHECK_NEAR(pkm_controller_acceleration(&c, &in), -2.0 + pd + 20.0, 1e-14);
}

static void limits_cut_off(void)
{
    pkm_controller c = pkm_controller_defaults(PKM_CONTROLLER_PID);
    c.kp = 100.0, c.ki = 10.0, c.force_limit = 30.0, c.tracking_time = 0.5;
    pkm_control_input in = {.q_ref = 1.0};
    pkm_control_output out = pkm_controller_evaluate(&c, &in);
    CHECK(out.is_saturated);
    CHECK_NEAR(out.force, 30.0, 0.0);
    CHECK_NEAR(out.demand, 100.0, 0.0);
    CHECK_NEAR(out.integral_rate, 0.0, 0.0); // clamped
    c.anti_windup = PKM_WINDUP_FREE;
    CHECK_NEAR(pkm_controller_evaluate(&c, &in).integral_rate, 10.0, 0.0);
    c.anti_windup = PKM_WINDUP_BACK_CALCULATION;
    CHECK_NEAR(pkm_controller_evaluate(&c, &in).integral_rate, 10.0 - 70.0 / 0.5, 1e-13);

    // at the upper limit because of the integral while the error is negative: it may shrink
    c.anti_windup = PKM_WINDUP_CLAMPING;
    in = (pkm_control_input){.q = 0.1, .integral = 200.0};
    out = pkm_controller_evaluate(&c, &in);
    CHECK_NEAR(out.force, 30.0, 0.0);
    CHECK_NEAR(out.integral_rate, -1.0, 1e-16);
}

// ---- closed loops ------------------------------------------------------------------------------

/// q = 1 - exp(-z w t) (cos(wd t) + z w/wd sin(wd t)) for a step of a mass with PD.
static void pd_responds_as_a_second_order_system(void)
{
    const double w = 20.0, z = 0.6, wd = w * sqrt(1.0 - z * z);
    const plant p = {pkm_controller_tune(PKM_CONTROLLER_PD, 3.0, w, z), 3.0, 0.0, 1.0};
    double y[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < 10; ++i) {
        double overshoot;
        simulate(&p, 0.05, y, &overshoot);
        const double t = 0.05 * (i + 1);
        const double exact = 1.0 - exp(-z * w * t) * (cos(wd * t) + z * w / wd * sin(wd * t));
        CHECK_NEAR(y[0], exact, 1e-10);
    }
}

/// A load bends PD by load/kp; gravity compensation and the integral do not let it.
static void loads_leave_the_known_error(void)
{
    double y[3] = {0.0, 0.0, 0.0}, overshoot;
    plant p = {pkm_controller_tune(PKM_CONTROLLER_PD, 3.0, 20.0, 1.0), 3.0, 30.0, 1.0};
    simulate(&p, 3.0, y, &overshoot);
    CHECK_NEAR(y[0], 1.0 - 30.0 / 1200.0, 1e-12);

    p.controller = pkm_controller_tune(PKM_CONTROLLER_PD_GRAVITY, 3.0, 20.0, 1.0);
    simulate(&p, 3.0, y, &overshoot);
    CHECK_NEAR(y[0], 1.0, 1e-12);

    p.controller = pkm_controller_tune(PKM_CONTROLLER_PID, 3.0, 20.0, 1.0);
    simulate(&p, 3.0, y, &overshoot);
    CHECK_NEAR(y[0], 1.0, 1e-12);
    CHECK_NEAR(y[2], 30.0, 1e-9);
}

/// With frequency w and damping 1 all three poles of the PID lie at -w: from rest at the goal a
/// load step F gives e = F/m t^2/2 exp(-w t).
static void pid_has_its_poles(void)
{
    const double w = 20.0, m = 3.0, F = 30.0;
    const plant p = {pkm_controller_tune(PKM_CONTROLLER_PID, m, w, 1.0), m, F, 0.0};
    double y[3] = {0.0, 0.0, 0.0}, overshoot;
    for (int i = 1; i <= 8; ++i) {
        simulate(&p, 0.05, y, &overshoot);
        const double t = 0.05 * i;
        CHECK_NEAR(y[0], -F / m * 0.5 * t * t * exp(-w * t), 1e-11);
    }
}

/// A long way at limited force: the integral winds up and overshoots unless it is held.
static void anti_windup_prevents_overshoot(void)
{
    double overshoot[3];
    for (int k = 0; k < 3; ++k) {
        plant p = {pkm_controller_tune(PKM_CONTROLLER_PID, 1.0, 10.0, 1.0), 1.0, 0.0, 2.0};
        p.controller.force_limit = 8.0;
        p.controller.anti_windup = (pkm_anti_windup)k;
        double y[3] = {0.0, 0.0, 0.0};
        simulate(&p, 20.0, y, &overshoot[k]);
        if (k != PKM_WINDUP_FREE) CHECK_NEAR(y[0], 2.0, 1e-9); // freely it swings up for ever
    }
    CHECK(overshoot[PKM_WINDUP_FREE] > 1.0);
    CHECK(overshoot[PKM_WINDUP_CLAMPING] < 0.5 * overshoot[PKM_WINDUP_FREE]);
    CHECK(overshoot[PKM_WINDUP_BACK_CALCULATION] < 0.5 * overshoot[PKM_WINDUP_FREE]);
}

/// A pendulum m l^2 q'' + m g l sin q = F with an exact model: the error obeys
/// e'' + kd e' + kp e = 0 and so stays zero on any motion.
static void pendulum_rate(double t, const double* y, double* rate, const void* user)
{
    const pkm_controller* c = user;
    pkm_control_input in = {.q_ref = sin(3.0 * t),
                            .v_ref = 3.0 * cos(3.0 * t),
                            .a_ref = -9.0 * sin(3.0 * t),
                            .q = y[0],
                            .v = y[1]};
    const double inertia = 2.0, weight = 15.0;
    in.model_force = inertia * pkm_controller_acceleration(c, &in) + weight * sin(in.q);
    rate[0] = y[1];
    rate[1] = (pkm_controller_evaluate(c, &in).force - weight * sin(y[0])) / inertia;
    rate[2] = 0.0;
}

static void computed_torque_linearises_a_pendulum(void)
{
    const pkm_controller c = pkm_controller_tune(PKM_CONTROLLER_COMPUTED_TORQUE, 5.0, 10.0, 1.0);
    CHECK_NEAR(c.kp, 100.0, 0.0);
    const double h = 1e-3, e0 = 0.1;
    double y[3] = {e0, 3.0, 0.0};
    for (int i = 0; i < 1000; ++i) {
        rk4_step(pendulum_rate, &c, i * h, h, 3, y);
        const double t = (i + 1) * h;
        // critically damped from an error of e0: (1 + w t) exp(-w t); RK4 leaves 1e-10
        CHECK_NEAR(y[0] - sin(3.0 * t), e0 * (1.0 + 10.0 * t) * exp(-10.0 * t), 1e-9);
    }
}

static void wrong_gains_are_named(void)
{
    pkm_error err;
    pkm_controller c = pkm_controller_tune(PKM_CONTROLLER_PID, 1.0, 10.0, 1.0);
    CHECK(pkm_controller_check(&c, "q1", &err) == PKM_OK);
    c.kd = -1.0;
    CHECK(pkm_controller_check(&c, "q1", &err) == PKM_ERR_ARGUMENT);
    CHECK_TEXT(err.text, "q1: kd -1, expected a number >= 0");
    c.kd = 1.0, c.tracking_time = 0.0;
    CHECK(pkm_controller_check(&c, "q1", &err) == PKM_OK);
    c.anti_windup = PKM_WINDUP_BACK_CALCULATION;
    CHECK(pkm_controller_check(&c, "q1", &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "tracking_time");
}

int main(void)
{
    RUN(terms_by_hand);
    RUN(limits_cut_off);
    RUN(pd_responds_as_a_second_order_system);
    RUN(loads_leave_the_known_error);
    RUN(pid_has_its_poles);
    RUN(anti_windup_prevents_overshoot);
    RUN(computed_torque_linearises_a_pendulum);
    RUN(wrong_gains_are_named);
    return check_report();
}
