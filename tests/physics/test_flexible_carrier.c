// A flexible link that floats and carries other bodies on its drives, against the frequency of a
// rod with bodies at its ends and the laws of momentum.
#include "dynamics/plant_impl.h"
#include "flexible.h"

static const double PI = 3.14159265358979323846, MASS = 0.2, INERTIA = 1e-3;

// A rod on a ball in its middle with a body at each end, on a drive: the drives make them children
// of the rod, which floats. The ball does not load what is odd in its middle.
static const char barbell[] =
    "pkm: 1\n"
    "name: barbell\n"
    "gravity: [0, 0, 0]\n"
    "materials: {steel: {density: 7801, young: 207e9, poisson: 0.29}}\n"
    "ground: {points: {O: [0, 0, 0]}}\n"
    "bodies:\n"
    "  rod:\n"
    "    points: {A: [-0.5, 0, 0], M: [0, 0, 0], B: [0.5, 0, 0]}\n"
    "    shape: {rod: {from: A, to: B, diameter: 10 mm}, material: steel}\n"
    "  left: {mass: 0.2, inertia: [1e-3, 1e-3, 1e-3], points: {P: [0, 0, 0]}, "
    "pose: {at: [-0.5, 0, 0]}}\n"
    "  right: {mass: 0.2, inertia: [1e-3, 1e-3, 1e-3], points: {P: [0, 0, 0]}, "
    "pose: {at: [0.5, 0, 0]}}\n"
    "joints:\n"
    "  ball: {type: spherical, between: [ground.O, rod.M]}\n"
    "  a: {type: revolute, between: [rod.A, left.P], axis: x}\n"
    "  b: {type: revolute, between: [rod.B, right.P], axis: z}\n"
    "drives: {qa: {joint: a}, qb: {joint: b}}\n"
    "tool: rod.B\n";

/// Zero at the frequencies of the odd vibrations: of half the rod, pinned in the middle, with mass
/// m and inertia J of the body at its end x = l. With y = a sin bx + c sinh bx there,
///
///     E I y_xx = J omega^2 y_x,     E I y_xxx = -m omega^2 y
static double odd_rod(double omega)
{
    const double l = 0.5, d = 0.01, A = 0.25 * PI * d * d, EI = 207e9 * A * d * d / 16.0;
    const double b = sqrt(omega * sqrt(7801.0 * A / EI)), x = b * l, w2 = omega * omega;
    const double moment[2] = {-EI * b * b * sin(x) - INERTIA * w2 * b * cos(x),
                              EI * b * b * sinh(x) - INERTIA * w2 * b * cosh(x)};
    const double shear[2] = {-EI * b * b * b * cos(x) + MASS * w2 * sin(x),
                             EI * b * b * b * cosh(x) + MASS * w2 * sinh(x)};
    return moment[0] * shear[1] - moment[1] * shear[0];
}

static double lowest_odd(void)
{
    double low = 10.0;
    while (odd_rod(low) * odd_rod(low + 1.0) > 0.0)
        low += 1.0;
    double high = low + 1.0;
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        if (odd_rod(low) * odd_rod(middle) > 0.0)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// A soft push by forces at the ends and the moment in the middle that keeps the rod from turning;
// then it swings with its lowest odd mode.
static void its_frequency_is_that_of_a_rod_with_bodies(void)
{
    enum { PERIODS = 6, PER = 64, PUSH = 2 };
    const double period = 2.0 * PI / lowest_odd();
    char pulse[100], text[800];
    snprintf(pulse, sizeof pulse, "sin(pi*min(t, %.17g s)/%.17g s)^4", PUSH * period,
             PUSH * period);
    snprintf(text, sizeof text,
             "drives: locked\nfor: %.17g s\ninstants: %d\nflexible: {rod: {places: [0.25]}}\n"
             "loads:\n  l: {at: rod.A, force: [0, 0, '=-10*%s']}\n"
             "  r: {at: rod.B, force: [0, 0, '=10*%s']}\n"
             "  m: {at: rod.M, torque: [0, '=10*%s', 0]}\n",
             (PUSH + PERIODS) * period, (PUSH + PERIODS) * PER + 1, pulse, pulse, pulse);
    pkm_robot* robot = engine_from(barbell);
    sim_result r = sim_run_whole(robot, text);
    double first = NAN, last = NAN;
    int n = 0;
    for (int i = PUSH * PER + 1; i <= sim_last(&r); ++i) { // from below through zero
        const double a = sim_get(&r, i - 1, "rod@0.25.bend_z");
        const double b = sim_get(&r, i, "rod@0.25.bend_z");
        if (!(a < 0.0 && b >= 0.0)) continue;
        last = sim_get(&r, i - 1, "t") + period / PER * a / (a - b);
        if (n++ == 0) first = last;
    }
    CHECK(n >= PERIODS - 1);
    CHECK_NEAR((last - first) / (n - 1) / period, 1.0, 2e-4);
    sim_free(&r);
    pkm_robot_free(robot);
}

// Turning, bent and vibrating, its bodies spinning on free drives: energy and the moment of
// momentum about the ball stay.
static void energy_and_spin_are_kept(void)
{
    flex* f = flex_make(engine_from(barbell), "{rod: {elements: 4}}", false, false);
    pkm_state* state = f->robot->state;
    const pkm_body* body = &state->mech->body[flex_body(f, "rod")];
    CHECK(body->modal && !body->modal->mass);         // unit masses: it floats
    CHECK(pkm_forward_has_blocks(f->plant->forward)); // which have a factor for its mass matrix
    flex_kept k = {0};
    for (int j = 0; j < 6; ++j) {
        state->q[body->z_at + j] = 2e-3 * (j % 2 ? -1.0 : 0.7) / (1 + j);
        state->v[body->e_at + j] = 0.1 * (j % 3 ? 0.4 : -1.0);
    }
    for (int d = 0; d < 2; ++d)
        state->v[state->mech->drive[d].v_index] = d ? -60.0 : 40.0;
    state->v[body->v_at + 4] = 3.0;
    state->v[body->v_at + 5] = -5.0;
    CHECK(pkm_plant_project(f->plant, 0.0) == PKM_OK);
    pkm_kinematics_position(state);
    pkm_kinematics_velocity(state);
    flex_compare(f, 0.0, &k);
    flex_go(f, 0.05, 1e-10, flex_compare, &k);
    CHECK(k.most_strain > 1e-4 * k.energy);
    CHECK_NEAR(k.off_energy, 0.0, 1e-6 * k.energy);
    CHECK_NEAR(k.off_moment, 0.0, 1e-6 * pkm_vec3_norm(k.momentum.moment));
    flex_free(f);
}

int main(void)
{
    RUN(its_frequency_is_that_of_a_rod_with_bodies);
    RUN(energy_and_spin_are_kept);
    return check_report();
}
