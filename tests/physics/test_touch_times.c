// Touches are located by one event loop, whatever the method: times against closed forms.
#include "clearance.h"

static const double G = 9.81, MASS = 0.5, GAP = 1e-4;

/// Methods that a run file can name; the first: chosen by the problem.
static const char* const method[] = {"", "integrator: explicit\n", "integrator: bdf\n",
                                     "integrator: sdirk\n", "integrator: ida\n"};
enum { N_METHOD = sizeof method / sizeof method[0] };
/// How far off the last of five touches may be at a tolerance of 1e-11 [s], of 41 ms.
static const double off[N_METHOD] = {1e-10, 1e-10, 2e-9, 1.2e-7, 2e-9};

/// How long a mass stays on K d^1.5 that it meets with v under its weight: 2 int dd/d', with
/// d'^2 = v^2 + 2 g d - 4/5 K/m d^2.5, by d = d_max (1 - s^2), which takes the root at d_max away.
static double time_on(double K, double v)
{
    enum { N = 20000 };
    double lower = 0.0, upper = 1e-3, sum = 0.0;
    for (int i = 0; i < 200; ++i) {
        const double d = 0.5 * (lower + upper);
        const double left = v * v + 2.0 * G * d - 0.8 * K / MASS * d * d * sqrt(d);
        if (left > 0.0)
            lower = d;
        else
            upper = d;
    }
    for (int i = 0; i < N; ++i) {
        const double s = (i + 0.5) / N, d = lower * (1.0 - s * s);
        const double left = v * v + 2.0 * G * d - 0.8 * K / MASS * d * d * sqrt(d);
        sum += 2.0 * lower * s / sqrt(left) / N;
    }
    return 2.0 * sum;
}

/// Dropped from the middle it meets its bearing after t1 = sqrt(2 c/g), leaves as fast as it came
/// and is back after 2 t1, for ever. A pin has surfaces at both `ends`, which touch at once.
static void check_touches(const char* model, const char* clearance_of, double K, int ends)
{
    enum { TOUCHES = 5 };
    const double v = sqrt(2.0 * G * GAP), t1 = v / G, on = time_on(K, v);
    pkm_robot* robot = engine_from(model);
    for (int m = 0; m < N_METHOD; ++m) {
        char text[500];
        snprintf(text, sizeof text,
                 "for: %.17g s\ninstants: 3\ntolerance: 1e-11\n%sclearance: {%s}\n",
                 2.0 * TOUCHES * t1, method[m], clearance_of);
        clearance_run p = clearance(robot, text);
        CHECK(p.record->n_event == 2 * TOUCHES && p.record->bearing[0].n_impact == ends * TOUCHES);
        for (int k = 0; k < p.record->n_event && k < 2 * TOUCHES; ++k) {
            const double want = t1 + (k / 2) * (on + 2.0 * t1) + (k % 2 ? on : 0.0);
            CHECK_NEAR(p.record->event[k].t, want, k < 1 ? 1e-10 : off[m]);
        }
        clearance_free(&p);
    }
    pkm_robot_free(robot);
}

static void a_ball_touches_at_its_times(void)
{
    check_touches("pkm: 1\nname: ball\ngravity: [0, 0, -9.81]\nground: {points: {O: [0, 0, 0]}}\n"
                  "bodies:\n  ball: {mass: 0.5, inertia: [1e-4, 1e-4, 1e-4], points: {B: [0, 0, "
                  "0]}}\njoints:\n  S: {type: spherical, between: [ground.O, ball.B]}\n",
                  "S: {radial: 0.1 mm, radius: 10 mm, stiffness: 1.5e11, law: hertz}", 1.5e11, 1);
}

static void a_pin_touches_at_its_times(void)
{
    check_touches("pkm: 1\nname: pin\ngravity: [0, 0, -9.81]\nground: {points: {O: [0, 0, 0]}}\n"
                  "bodies:\n  pin: {mass: 0.5, inertia: [1e-4, 1e-4, 1e-4], points: {B: [0, 0, "
                  "0]}}\njoints:\n  S: {type: revolute, between: [ground.O, pin.B], axis: x}\n",
                  "S: {radial: 0.1 mm, radius: 10 mm, length: 40 mm, axial: 0.1 mm, stiffness: "
                  "0.75e11, law: hertz}",
                  1.5e11, 2);
}

int main(void)
{
    RUN(a_ball_touches_at_its_times);
    RUN(a_pin_touches_at_its_times);
    return check_report();
}
