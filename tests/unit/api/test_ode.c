/// Simulations that somebody else integrates. Truth: the whole run by pkm_run_simulate, with
/// another integrator and in all coordinates; here the classical Runge-Kutta method in independent
/// ones.
#include "linkages.h"
#include "load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_X = 200, MAX_COLUMN = 400 };

/// A simulation under integration.
typedef struct master {
    pkm_simulation* sim;
    int n, n_event, n_change;
    double t, next;
    double x[MAX_X];
} master;

static void rates(master* m, double t, const double* x, double* out)
{
    pkm_error err = {.status = PKM_OK};
    if (pkm_simulation_ode_set(m->sim, t, x, &err) == PKM_OK)
        (void)!pkm_simulation_ode_rates(m->sim, out, &err);
    if (err.status != PKM_OK) printf("    t = %g: %s\n", t, err.text);
    CHECK(err.status == PKM_OK);
}

static void step_to(master* m, double h)
{
    double k[4][MAX_X], x[MAX_X];
    rates(m, m->t, m->x, k[0]);
    for (int s = 1; s < 4; ++s) {
        const double c = s < 3 ? 0.5 * h : h;
        for (int i = 0; i < m->n; ++i)
            x[i] = m->x[i] + c * k[s - 1][i];
        rates(m, m->t + c, x, k[s]);
    }
    for (int i = 0; i < m->n; ++i)
        m->x[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
    m->t += h;
    CHECK(pkm_simulation_ode_set(m->sim, m->t, m->x, NULL) == PKM_OK);
}

static void runge_kutta(master* m, double h)
{
    step_to(m, h);
    CHECK(pkm_simulation_ode_accept(m->sim, NULL) == PKM_OK);
}

static void pass_event(master* m)
{
    bool changed = false;
    pkm_error err = {.status = PKM_OK};
    if (pkm_simulation_ode_event(m->sim, &changed, &m->next, &err) != PKM_OK)
        printf("    %s\n", err.text);
    CHECK(err.status == PKM_OK);
    ++m->n_event;
    m->n_change += changed;
    if (changed) CHECK(pkm_simulation_ode_get(m->sim, m->x, NULL, NULL) == PKM_OK);
}

/// To the time `end` in steps of `h` at most, which end at events in time.
static void integrate(master* m, double end, double h)
{
    while (m->t < end * (1.0 - 1e-12) && check_failures < 10) {
        const double until = fmin(m->next, end);
        double indicator = 1.0;
        runge_kutta(m, fmin(h, until - m->t));
        if (fabs(m->t - until) < 1e-12) m->t = until;
        CHECK(pkm_simulation_ode_indicator(m->sim, &indicator, NULL) == PKM_OK);
        if (m->t >= m->next || indicator <= 0.0) pass_event(m);
    }
}

static master begin(pkm_robot* robot, const pkm_run* run)
{
    master m = {.next = HUGE_VAL};
    pkm_error err = {.status = PKM_OK};
    if (pkm_simulation_create(robot, run, &m.sim, &err) == PKM_OK)
        (void)!pkm_simulation_begin_ode(m.sim, &err);
    if (err.status != PKM_OK) printf("    %s\n", err.text);
    CHECK(err.status == PKM_OK);
    m.n = pkm_simulation_ode_size(m.sim);
    CHECK(m.n > 0 && m.n <= MAX_X);
    CHECK(pkm_simulation_ode_get(m.sim, m.x, NULL, NULL) == PKM_OK);
    pass_event(&m);
    return m;
}

typedef struct outcome {
    double differs; ///< largest difference of a column at the end, of its largest value
    int n_x, n_change;
} outcome;

static outcome compare(pkm_robot* robot, const char* text, double end, double h)
{
    static double now[MAX_COLUMN];
    outcome out = {.differs = 0.0};
    pkm_run* run = NULL;
    pkm_answer* answer = NULL;
    pkm_error err = {.status = PKM_OK};
    CHECK(pkm_run_create(robot, &run, NULL) == PKM_OK);
    if (pkm_run_parse(run, text, "test", &err) != PKM_OK) printf("    %s\n", err.text);
    CHECK(pkm_run_simulate(robot, run, &answer, NULL) == PKM_OK);
    const pkm_table* rows = pkm_answer_table(answer, NULL);
    master m = begin(robot, run);
    integrate(&m, end, h);
    CHECK(pkm_simulation_read(m.sim, now, NULL) == PKM_OK);
    CHECK_NEAR(pkm_simulation_time(m.sim), end, 1e-12);
    const int last = pkm_table_n_row(rows) - 1;
    for (int c = 0; c < pkm_table_n_column(rows); ++c) {
        double size = 0.1; // what symmetry makes zero is rounding of this
        if (strncmp(pkm_table_name(rows, c), "balance", 7) == 0) continue; // rounding of both
        for (int i = 0; i <= last; ++i)
            size = fmax(size, fabs(pkm_table_get(rows, i, c)));
        const double d = fabs(now[c] - pkm_table_get(rows, last, c)) / size;
        if (d > out.differs) out.differs = d;
    }
    out.n_x = m.n;
    out.n_change = m.n_change;
    pkm_simulation_free(m.sim);
    pkm_answer_free(answer);
    pkm_run_free(run);
    pkm_robot_free(robot);
    return out;
}

/// Three cranks and five integrals; the method has an error of h^4.
static void a_robot_that_falls(void)
{
    const outcome o =
        compare(load("siax"), "run: 1\nmotion: none\nfor: 50 ms\ndrives: free\n", 0.05, 5e-4);
    CHECK_NEAR(o.n_x, 2 * 3 + 5, 0.0);
    CHECK_NEAR(o.differs, 0.0, 1e-9);
}

/// Samples are events in time.
static void sampled_controllers(void)
{
    const outcome o = compare(load("siax"),
                              "run: 1\nfor: 20 ms\ndrives: {computed_torque: {frequency: 20 Hz, "
                              "damping: 1}, sampling: {rate: 1 kHz}}\nmodel: {m5: 6 kg}\n",
                              0.02, 2.5e-4);
    CHECK_NEAR(o.differs, 0.0, 1e-8);
}

static void flexible_links(void)
{
    const outcome o = compare(
        load("siax"),
        "run: 1\nfor: 4 ms\nflexible: {'*': {modes: 2}}\nintegrator: explicit\ntolerance: 1e-11\n",
        0.004, 2e-6);
    CHECK_NEAR(o.differs, 0.0, 1e-5);
}

/// Andrews' squeezer, a benchmark of other programs: one crank drives seven bodies.
static void a_mechanism_of_one_freedom(void)
{
    const outcome o = compare(
        load("bench/andrews"),
        "run: 1\nmotion: none\nfor: 30 ms\ndrives: {beta: {force: 0.033 N m}}\nloads:\n  spring: "
        "{spring: {stiffness: 4530 N/m, length: 77.85 mm}, between: [ground.C, K3.D]}\n",
        0.03, 5e-6);
    CHECK_NEAR(o.n_x, 2 + 5, 0.0);
    CHECK_NEAR(o.differs, 0.0, 1e-9);
}

/// Lengths with which no link goes round (0.3 + 0.4 > 0.35 + 0.3).
static pkm_robot* swinging_four_bar(void)
{
    char text[sizeof four_bar + 16];
    pkm_robot* robot = NULL;
    const char* at = strstr(four_bar, "B: [0.1,");
    snprintf(text, sizeof text, "%.*sB: [0.3,%s", (int)(at - four_bar), four_bar, at + 8);
    CHECK(pkm_robot_parse(text, "four-bar", NULL, 0, &robot, NULL) == PKM_OK);
    return robot;
}

static const char SWING[] = "run: 1\nmotion: none\nfor: 0.6 s\ndrives: free\n";

/// Each of its links comes to rest where the other two are in line, and turns back: none serves as
/// the coordinate for the whole way.
static void coordinates_change_on_the_way(void)
{
    const outcome o = compare(swinging_four_bar(), SWING, 0.6, 2e-5);
    CHECK(o.n_change > 0);
    CHECK_NEAR(o.differs, 0.0, 1e-9);
}

/// Back to a state of before, coordinates and all.
static void a_saved_state_is_gone_back_to(void)
{
    pkm_robot* robot = swinging_four_bar();
    pkm_run* run = NULL;
    CHECK(pkm_run_create(robot, &run, NULL) == PKM_OK);
    CHECK(pkm_run_parse(run, SWING, "t", NULL) == PKM_OK);
    master m = begin(robot, run);
    double x[MAX_X], first[MAX_X], again[MAX_X];
    const size_t size = pkm_simulation_state_size(m.sim);
    void* bytes = malloc(size);
    integrate(&m, 0.02, 5e-4);
    CHECK(pkm_simulation_save(m.sim, bytes, size, NULL) == PKM_OK);
    memcpy(x, m.x, sizeof x);
    integrate(&m, 0.6, 5e-4);
    CHECK(m.n_change > 0);
    CHECK(pkm_simulation_restore(m.sim, bytes, size, NULL) == PKM_OK);
    CHECK_NEAR(pkm_simulation_time(m.sim), 0.02, 1e-12);
    CHECK(pkm_simulation_ode_get(m.sim, first, NULL, NULL) == PKM_OK);
    for (int i = 0; i < m.n; ++i)
        CHECK_NEAR(first[i], x[i], 0.0);
    CHECK(pkm_simulation_ode_rates(m.sim, first, NULL) == PKM_OK);
    rates(&m, 0.02, x, again);
    for (int i = 0; i < m.n; ++i)
        CHECK_NEAR(first[i], again[i], 1e-9);
    free(bytes);
    pkm_simulation_free(m.sim);
    pkm_run_free(run);
    pkm_robot_free(robot);
}

static void what_has_no_coordinates_is_refused(void)
{
    pkm_robot* robot = load("siax");
    pkm_run* run = NULL;
    pkm_simulation* sim = NULL;
    pkm_error err = {.status = PKM_OK};
    double x[MAX_X] = {0.0};
    bool changed;
    CHECK(pkm_run_create(robot, &run, NULL) == PKM_OK);
    CHECK(pkm_run_parse(run,
                        "run: 1\nclearance: {A.left1: {radial: 0.1 mm, radius: 10 mm, stiffness: "
                        "1.5e9}}\n",
                        "t", NULL) == PKM_OK);
    CHECK(pkm_simulation_create(robot, run, &sim, NULL) == PKM_OK);
    CHECK(pkm_simulation_begin_ode(sim, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "only co-simulation");
    CHECK(pkm_simulation_ode_size(sim) == 0 && pkm_simulation_ode_size(NULL) == 0);
    CHECK(pkm_simulation_ode_rates(sim, x, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_simulation_ode_event(sim, &changed, NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_simulation_ode_set(NULL, 0.0, x, NULL) == PKM_ERR_ARGUMENT);
    pkm_simulation_free(sim);
    pkm_run_free(run);
    CHECK(pkm_simulation_create(robot, NULL, &sim, NULL) == PKM_OK);
    CHECK(pkm_simulation_begin_ode(sim, NULL) == PKM_OK);
    CHECK(pkm_simulation_begin_ode(sim, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_simulation_step(sim, 1e-3, NULL) == PKM_ERR_ARGUMENT);
    x[0] = NAN;
    CHECK(pkm_simulation_ode_set(sim, 0.0, x, NULL) == PKM_ERR_ARGUMENT);
    pkm_simulation_free(sim);
    pkm_robot_free(robot);
}

/// A step that ends where the indicator falls through zero, as an importer locates it.
static void locate(master* m, double h, double precision)
{
    const master before = *m;
    double low = 0.0, high = h, indicator = 1.0;
    while (high - low > precision) {
        const double mid = 0.5 * (low + high);
        *m = before;
        step_to(m, mid);
        CHECK(pkm_simulation_ode_indicator(m->sim, &indicator, NULL) == PKM_OK);
        *(indicator > 0.0 ? &low : &high) = mid;
    }
    *m = before;
    step_to(m, high);
}

/// A block that slides up a slope of which static friction holds 0.99, at 0.1 mm/s: where it is 5
/// ms later, with the instant of the stop located to `precision` [s].
static double slid_back(double precision, int* n_warning)
{
    const double g = 9.81;
    char text[500];
    snprintf(text, sizeof text,
             "pkm: 1\nname: block\ngravity: [%.17g, 0, -9.81]\n"
             "ground: {points: {O: [0, 0, 0]}}\n"
             "bodies: {block: {mass: 2 kg, points: {P: [0, 0, 0]}}}\n"
             "joints: {rail: {type: prismatic, between: [ground.O, block.P], axis: x}}\n"
             "drives: {x: {joint: rail}}\ntool: block.P\n",
             0.99 * 0.3 * g);
    pkm_robot* robot = NULL;
    pkm_run* run = NULL;
    CHECK(pkm_robot_parse(text, "block", NULL, 0, &robot, NULL) == PKM_OK);
    CHECK(pkm_run_create(robot, &run, NULL) == PKM_OK);
    CHECK(pkm_run_parse(run,
                        "run: 1\nmotion: none\nfor: 1 s\nstart: {rail: -1e-4}\n"
                        "friction: {rail: {static: 0.3, dynamic: 0.2}}\n",
                        "t", NULL) == PKM_OK);
    master m = begin(robot, run);
    while (m.t < 5e-3 && check_failures < 10) {
        const double h = 1e-6;
        const master before = m;
        double indicator = 1.0;
        step_to(&m, h);
        CHECK(pkm_simulation_ode_indicator(m.sim, &indicator, NULL) == PKM_OK);
        if (indicator <= 0.0) {
            m = before;
            locate(&m, h, precision);
        }
        CHECK(pkm_simulation_ode_accept(m.sim, NULL) == PKM_OK);
        if (indicator <= 0.0) pass_event(&m);
    }
    const double x = m.x[0];
    *n_warning = pkm_simulation_n_warning(m.sim);
    pkm_simulation_free(m.sim);
    pkm_run_free(run);
    pkm_robot_free(robot);
    return x;
}

// v^2/2a, a = (0.99 mu_s + mu_d) g, but for 0.4 nm in which bristles that begin as in (1.15) reach
// their limit under mu_s; and 0.95 m/s2 back where it is not held.
static void what_stops_is_held_at_an_event(void)
{
    const double way = 0.5 * 1e-8 / ((0.99 * 0.3 + 0.2) * 9.81);
    int n_warning;
    CHECK_NEAR(slid_back(1e-13, &n_warning), -way, 0.15 * way);
    CHECK(n_warning == 0);
    CHECK(slid_back(1e-6, &n_warning) > 100.0 * way);
    CHECK(n_warning == 1);
}

int main(void)
{
    RUN(a_robot_that_falls);
    RUN(sampled_controllers);
    RUN(flexible_links);
    RUN(a_mechanism_of_one_freedom);
    RUN(coordinates_change_on_the_way);
    RUN(a_saved_state_is_gone_back_to);
    RUN(what_has_no_coordinates_is_refused);
    RUN(what_stops_is_held_at_an_event);
    return check_report();
}
