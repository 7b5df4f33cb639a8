/// The chain of N four-bars (A02 of the multibody benchmark library): all links 1 m and 1 kg, the
/// bars upright, pushed at 1 m/s. Twice in each turn all links lie in line, where the loops lose
/// rank and every four-bar could fold its own way; the chain must pass in step, as it came.
#include "check.h"
#include "pkm/robot.h"
#include "simulate/simulation.h"

static const double g = 9.81;
enum { MAX_LOOP = 40, N_ROW = 101 };
static const double END = 10.0; // [s]

static pkm_robot* make_chain(int n_loop)
{
    static char text[700 * (MAX_LOOP + 2)];
    int n = sprintf(text, "pkm: 1\nname: chain\ngravity: [0, 0, -9.81]\nground:\n  points:\n");
    for (int i = 0; i <= n_loop; ++i)
        n += sprintf(text + n, "    O%d: [%d, 0, 0]\n", i, i);
    n += sprintf(text + n, "bodies:\n");
    for (int i = 0; i <= n_loop; ++i)
        n += sprintf(text + n,
                     "  bar%d: {mass: 1, uniform: {from: A, to: B}, points: {A: [0, 0, 0], "
                     "B: [0, 0, 1]}, pose: {at: [%d, 0, 0]}}\n",
                     i, i);
    for (int i = 0; i < n_loop; ++i)
        n += sprintf(text + n,
                     "  link%d: {mass: 1, uniform: {from: A, to: B}, points: {A: [0, 0, 0], "
                     "B: [1, 0, 0]}, pose: {at: [%d, 0, 1]}}\n",
                     i, i);
    n += sprintf(text + n, "joints:\n");
    for (int i = 0; i <= n_loop; ++i)
        n += sprintf(text + n, "  a%d: {type: revolute, between: [ground.O%d, bar%d.A], axis: y}\n",
                     i, i, i);
    for (int i = 0; i < n_loop; ++i)
        n += sprintf(text + n,
                     "  b%d: {type: revolute, between: [bar%d.B, link%d.A], axis: y}\n"
                     "  c%d: {type: revolute, between: [bar%d.B, link%d.B], axis: y}\n",
                     i, i, i, i, i + 1, i);
    sprintf(text + n, "tool: bar0.B\n");
    pkm_robot* robot = NULL;
    pkm_error err = {0};
    CHECK(pkm_robot_parse(text, "chain", NULL, 0, &robot, &err) == PKM_OK);
    return robot;
}

/// Acceleration of the angle from the vertical: the bars turn alike and the links only shift,
/// ((N + 1)/3 + N) angle'' = ((N + 1)/2 + N) g sin(angle).
static double acceleration(int n_loop, double angle)
{
    const double inertia = (n_loop + 1) / 3.0 + n_loop, weight = 0.5 * (n_loop + 1) + n_loop;
    return weight * g * sin(angle) / inertia;
}

/// The angle every END / (N_ROW - 1) seconds, by Runge and Kutta's method with small steps.
static void exact_angles(int n_loop, double push, double* out)
{
    const int per_row = 2000;
    const double h = END / (N_ROW - 1) / per_row;
    double x = 0.0, v = push;
    for (int i = 0; i < N_ROW; ++i) {
        out[i] = x;
        for (int k = 0; k < per_row; ++k) {
            const double a1 = acceleration(n_loop, x);
            const double v2 = v + 0.5 * h * a1, a2 = acceleration(n_loop, x + 0.5 * h * v);
            const double v3 = v + 0.5 * h * a2, a3 = acceleration(n_loop, x + 0.5 * h * v2);
            const double v4 = v + h * a3, a4 = acceleration(n_loop, x + h * v3);
            x += h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4);
            v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
        }
    }
}

/// How far the first bar's end is from where it should be, at most [m]; the end of the run early is
/// as far as can be.
static double run_chain(pkm_robot* robot, int n_loop, double tolerance, double push)
{
    pkm_sim_settings settings = pkm_sim_settings_defaults();
    settings.end_time = END;
    settings.n_instant = N_ROW;
    settings.tolerance = tolerance;
    settings.n_start = 1;
    settings.start_joint[0] = pkm_mechanism_find_joint(robot->mech, "a0");
    settings.start_rate[0] = push;
    pkm_table* table = pkm_table_create();
    pkm_sim_report report;
    pkm_error err = {0};
    CHECK(pkm_simulate(robot, &settings, table, &report, &err) == PKM_OK);
    CHECK(report.drift_position < 1e-10 && report.drift_velocity < 1e-8);

    static double angle[N_ROW];
    exact_angles(n_loop, push, angle);
    const int x = pkm_table_find(table, "B.x");
    double off = report.stop == PKM_STOP_END_TIME ? 0.0 : 2.0;
    for (int i = 0; i < pkm_table_n_row(table); ++i)
        off = fmax(off, hypot(pkm_table_get(table, i, x) - sin(angle[i]),
                              pkm_table_get(table, i, x + 2) - cos(angle[i])));
    pkm_table_free(table);
    return off;
}

/// Every run passes in step; errors fall with the tolerance, down to the digits that the passages
/// of some ten singular positions leave.
static void check_chain(int n_loop, const double* tolerance, int n)
{
    pkm_robot* robot = make_chain(n_loop);
    if (!robot) return;
    CHECK(robot->structure.mobility == 1 && robot->structure.n_redundant == 3 * n_loop);
    for (int i = 0; i < n; ++i)
        CHECK_NEAR(run_chain(robot, n_loop, tolerance[i], 1.0 + 1e-5 * i), 0.0,
                   2e-6 + 5e4 * tolerance[i]);
    pkm_robot_free(robot);
}

static void one_and_two_four_bars_pass_their_singular_positions(void)
{
    static const double all[] = {1e-6,  3e-7,  1e-7,  3e-8,  1e-8,  3e-9,  1e-9, 3e-10,
                                 1e-10, 3e-11, 1e-11, 3e-12, 1e-12, 3e-13, 1e-13};
    check_chain(1, all, sizeof all / sizeof all[0]);
    check_chain(2, all, sizeof all / sizeof all[0]);
}

static void forty_four_bars_pass_them_in_step(void)
{
    static const double some[] = {1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13};
    check_chain(40, some, sizeof some / sizeof some[0]);
}

int main(void)
{
    RUN(one_and_two_four_bars_pass_their_singular_positions);
    RUN(forty_four_bars_pass_them_in_step);
    return check_report();
}
