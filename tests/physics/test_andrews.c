// Andrews' squeezing mechanism at t = 0.03 s (robots/bench/andrews.yaml) against its reference: the
// state of the test set for IVP solvers, recomputed to 12 digits.
#include "simulate.h"

// beta, Theta, gamma, Phi, delta, Omega, epsilon and their rates.
static const double q_end[7] = {15.81077119515427,  -15.75637105841256, 0.04082224011960457,
                                -0.534730116342149, 0.5244099658799521, 0.534730116342145,
                                1.0480807410419415};
static const double v_beta = 1139.9203022590837, a_beta = -24631.76312345466;

typedef struct point {
    double x, y;
} point;

static point point_of(const sim_result* r, int row, const char* name)
{
    char column[20];
    snprintf(column, sizeof column, "%s.x", name);
    const double x = sim_get(r, row, column);
    snprintf(column, sizeof column, "%s.y", name);
    return (point){x, sim_get(r, row, column)};
}

/// Angle of b against a, less `offset`; whole turns are put to where `near` is.
static double angle_of(point a, point b, double offset, double near)
{
    const double turn = 2.0 * acos(-1.0), angle = atan2(b.y - a.y, b.x - a.x) - offset;
    return angle + turn * round((near - angle) / turn);
}

static void read_angles(const sim_result* r, int row, double q[7])
{
    const double half = acos(-1.0);
    const point A = {-0.06934, -0.00227}, B = {-0.03635, 0.03273};
    const point D = point_of(r, row, "D"), E = point_of(r, row, "E");
    const point G = point_of(r, row, "G"), H = point_of(r, row, "H");
    q[0] = sim_get(r, row, "beta.q");
    const point F = {0.007 * cos(q[0]), 0.007 * sin(q[0])};
    q[1] = angle_of(E, F, q[0], q_end[1]);
    q[2] = angle_of(B, D, atan2(-0.018, 0.020), q_end[2]);
    q[4] = angle_of(A, G, 0.0, q_end[4]);
    q[3] = angle_of(G, E, -0.5 * half + q[4], q_end[3]);
    q[6] = angle_of(A, H, -0.5 * half, q_end[6]);
    q[5] = angle_of(H, E, q[6], q_end[5]);
}

/// Largest relative error of the angles at the end.
static double error_with(const char* settings)
{
    char text[1000];
    pkm_robot* robot = engine_load("bench/andrews");
    snprintf(text, sizeof text,
             "motion: none\nfor: 30 ms\ninstants: 7\n"
             "drives: {beta: {force: 0.033 N m}}\n"
             "loads: {s: {spring: {stiffness: 4530 N/m, length: 77.85 mm}, "
             "between: [ground.C, K3.D]}}\n%s",
             settings);
    sim_result r = sim_run_whole(robot, text);
    double q[7], off = 0.0;
    read_angles(&r, sim_last(&r), q);
    for (int i = 0; i < 7; ++i)
        off = fmax(off, fabs(q[i] / q_end[i] - 1.0));
    off = fmax(off, fabs(sim_get(&r, sim_last(&r), "beta.v") / v_beta - 1.0));
    CHECK(r.report.drift_position < 1e-10 && r.report.drift_velocity < 1e-8);
    CHECK(fabs(r.report.ledger.residual) < 1e-3 * r.report.ledger.exchanged);
    sim_free(&r);
    pkm_robot_free(robot);
    return off;
}

static void the_default_tolerance_gives_six_digits(void)
{
    CHECK_NEAR(error_with(""), 0.0, 1e-6);
}

static void a_tight_tolerance_gives_nine_digits(void)
{
    CHECK_NEAR(error_with("tolerance: 1e-13\n"), 0.0, 1e-9);
}

// Four digits at the default, a digit and more for a hundredth of the tolerance.
static void ida_comes_nearer_with_the_tolerance(void)
{
    const double coarse = error_with("integrator: ida\n");
    const double fine = error_with("integrator: ida\ntolerance: 1e-8\n");
    CHECK(coarse < 5e-3 && fine < 0.2 * coarse);
}

// What the run file of the robot says is the same.
static void its_run_file_says_the_same(void)
{
    char path[400];
    pkm_robot* robot = engine_load("bench/andrews");
    pkm_run* run = NULL;
    pkm_error err = {0};
    sim_result r = {.table = pkm_table_create()};
    snprintf(path, sizeof path, "%s/runs/andrews.yaml", PKM_SOURCE_DIR);
    CHECK(pkm_run_create(robot, &run, &err) == PKM_OK);
    CHECK(pkm_run_read(run, path, &err) == PKM_OK);
    CHECK(pkm_run_complete(run, &err) == PKM_OK);
    CHECK(pkm_simulate(robot, &run->settings, r.table, &r.report, &err) == PKM_OK);
    CHECK_NEAR(sim_get(&r, 6, "beta.q"), q_end[0], 1e-9);
    CHECK_NEAR(sim_get(&r, 6, "beta.a"), a_beta, 1e-3);
    pkm_run_free(run);
    sim_free(&r);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(the_default_tolerance_gives_six_digits);
    RUN(a_tight_tolerance_gives_nine_digits);
    RUN(ida_comes_nearer_with_the_tolerance);
    RUN(its_run_file_says_the_same);
    return check_report();
}
