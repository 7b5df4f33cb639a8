/// Columns that a run asks for: coordinates and rates of joints, angular rates of bodies,
/// expressions.
#include "pkm/inverse.h"
#include "simulate.h"

static sim_result inverse(pkm_robot* robot, const char* text)
{
    sim_result out = {.table = pkm_table_create()};
    char file[2000];
    pkm_run* run = NULL;
    snprintf(file, sizeof file, "run: 1\n%s", text);
    out.status = pkm_run_create(robot, &run, &out.err);
    if (out.status == PKM_OK) out.status = pkm_run_parse(run, file, "run.yaml", &out.err);
    if (out.status == PKM_OK) out.status = pkm_run_complete(run, &out.err);
    if (out.status == PKM_OK) {
        pkm_inverse_settings s = pkm_inverse_settings_defaults();
        s.n_instant = run->settings.n_instant;
        s.effects = &run->effects;
        out.status = pkm_inverse_run(robot, run->settings.motion, &s, out.table, NULL, &out.err);
    }
    pkm_run_free(run);
    return out;
}

// Isoglide T3, limb P-R-R-R with parallel axes: the platform does not turn, so that the three rates
// sum to nothing; each is the derivative of its angle (central differences, error of h^2).
static void passive_joints_have_coordinates_and_rates(void)
{
    pkm_robot* robot = engine_load("isoglideT3");
    sim_result r = inverse(robot, "instants: 401\ncolumns: [\"a.*.q\", \"a.*.v\"]\n");
    static const char* const name[] = {"a.B", "a.C", "a.D"};
    CHECK_TEXT(r.err.text, "");
    const double h = sim_get(&r, 1, "t");
    double largest = 0.0;
    for (int i = 1; i < 400; ++i) {
        double sum = 0.0;
        for (int k = 0; k < 3; ++k) {
            char q[32], v[32];
            snprintf(q, sizeof q, "%s.q", name[k]);
            snprintf(v, sizeof v, "%s.v", name[k]);
            const double rate = sim_get(&r, i, v);
            CHECK_NEAR((sim_get(&r, i + 1, q) - sim_get(&r, i - 1, q)) / (2.0 * h), rate, 1e-5);
            sum += rate;
            largest = fmax(largest, fabs(rate));
        }
        CHECK_NEAR(sum, 0.0, 1e-13);
    }
    CHECK(largest > 0.01);
    sim_free(&r);
    pkm_robot_free(robot);
}

// What slides or turns about an axis has a position and its rate, and nothing else.
static void joints_of_one_freedom_have_two_columns(void)
{
    static const char* const name[][2] = {{"gough-stewart", "1.slide"}, {"isoglideT3", "a.B"}};
    for (int k = 0; k < 2; ++k) {
        pkm_robot* robot = engine_load(name[k][0]);
        char text[80];
        snprintf(text, sizeof text, "instants: 3\ncolumns: [\"%s.*\"]\n", name[k][1]);
        sim_result r = inverse(robot, "instants: 3\n"), more = inverse(robot, text);
        CHECK_TEXT(more.err.text, "");
        const int n = pkm_table_n_column(r.table);
        CHECK(pkm_table_n_column(more.table) == n + 2);
        CHECK_CONTAINS(pkm_table_name(more.table, n), ".q");
        CHECK_CONTAINS(pkm_table_name(more.table, n + 1), ".v");
        sim_free(&r);
        sim_free(&more);
        pkm_robot_free(robot);
    }
}

// A rod between two balls: the rates of both, taken along the ways from crank to rod to platform,
// sum to that of the platform, which does not turn.
static void bodies_and_balls_turn_together(void)
{
    pkm_robot* robot = engine_load("siax");
    sim_result r = inverse(robot, "instants: 101\ncolumns: [A.left.*, P.omega, qA.v, A.crank.*]\n");
    CHECK_TEXT(r.err.text, "");
    for (int i = 0; i <= sim_last(&r); ++i) {
        CHECK_NEAR(sim_get(&r, i, "P.omega"), 0.0, 1e-11);
        CHECK_NEAR(sim_get(&r, i, "A.crank.omega"), fabs(sim_get(&r, i, "qA.v")), 1e-11);
        const double w = hypot(hypot(sim_get(&r, i, "A.left.wx"), sim_get(&r, i, "A.left.wy")),
                               sim_get(&r, i, "A.left.wz"));
        CHECK_NEAR(w, sim_get(&r, i, "A.left.omega"), 1e-12);
    }
    CHECK(sim_value(&r, "absmax A.left.omega") > 1.0);
    sim_free(&r);
    pkm_robot_free(robot);
}

static double length_of(const sim_result* r, int row, const char* format)
{
    double square = 0.0;
    for (int k = 0; k < 3; ++k) {
        char name[40];
        snprintf(name, sizeof name, format, 'x' + k);
        square += sim_get(r, row, name) * sim_get(r, row, name);
    }
    return sqrt(square);
}

// A ball between crank and rod turns at the difference of what both turn at; the angle e of its
// turn r = e n has the rate n . w, whatever axes both are told in.
static void balls_turn_as_their_bodies_do(void)
{
    pkm_robot* robot = engine_load("siax");
    sim_result r = inverse(robot, "instants: 401\ncolumns: [A.left1.*, A.left.w?, A.crank.w?]\n");
    CHECK_TEXT(r.err.text, "");
    const double h = sim_get(&r, 1, "t");
    double largest = 0.0;
    for (int i = 1; i < sim_last(&r); ++i) {
        double square = 0.0, along = 0.0;
        for (int k = 0; k < 3; ++k) {
            char name[4][32];
            static const char* const format[] = {"A.left.w%c", "A.crank.w%c", "A.left1.r%c",
                                                 "A.left1.w%c"};
            for (int l = 0; l < 4; ++l)
                snprintf(name[l], sizeof name[l], format[l], 'x' + k);
            const double w = sim_get(&r, i, name[0]) - sim_get(&r, i, name[1]);
            square += w * w;
            along += sim_get(&r, i, name[2]) * sim_get(&r, i, name[3]);
        }
        CHECK_NEAR(length_of(&r, i, "A.left1.w%c"), sqrt(square), 1e-12);
        const double angle = length_of(&r, i, "A.left1.r%c");
        if (!(angle > 0.05)) continue; // at home it turns about any axis
        const double rate =
            length_of(&r, i + 1, "A.left1.r%c") - length_of(&r, i - 1, "A.left1.r%c");
        CHECK_NEAR(rate / (2.0 * h), along / angle, 1e-3);
        largest = fmax(largest, fabs(along / angle));
    }
    CHECK(largest > 1.0);
    sim_free(&r);
    pkm_robot_free(robot);
}

// A ball has three turns and their rates, in this order, and nothing else.
static void balls_have_turns_and_rates_and_nothing_else(void)
{
    pkm_robot* robot = engine_load("siax");
    sim_result r = inverse(robot, "instants: 11\ncolumns: [A.left1.*]\n");
    static const char* const name[] = {"rx", "ry", "rz", "wx", "wy", "wz"};
    CHECK_TEXT(r.err.text, "");
    int n = 0;
    for (int c = 0; c < pkm_table_n_column(r.table); ++c) {
        const char* column = pkm_table_name(r.table, c);
        if (strncmp(column, "A.left1.", 8) != 0) continue;
        CHECK(n < 6);
        if (n < 6) CHECK_TEXT(column + 8, name[n]);
        CHECK_TEXT(pkm_table_unit(r.table, c), n < 3 ? "rad" : "rad/s");
        ++n;
    }
    CHECK(n == 6);
    sim_free(&r);
    r = inverse(robot, "columns: [A.left1.q]\n");
    CHECK_CONTAINS(r.err.text, "there is no column 'A.left1.q'");
    sim_free(&r);
    pkm_robot_free(robot);
}

static void expressions_carry_their_units(void)
{
    pkm_robot* robot = engine_load("siax");
    sim_result r = inverse(robot, "instants: 51\n"
                                  "columns:\n"
                                  "  - slip: =hypot(hypot(P.vx, P.vy), P.vz)\n"
                                  "  - pA: =qA.force*qA.v\n"
                                  "  - half: =0.5*slip^2*m5\n"
                                  "  - late: =t/0.2 s\n");
    CHECK_TEXT(r.err.text, "");
    CHECK_TEXT(pkm_table_unit(r.table, pkm_table_find(r.table, "slip")), "m/s");
    CHECK_TEXT(pkm_table_unit(r.table, pkm_table_find(r.table, "half")), "N m");
    CHECK_TEXT(pkm_table_unit(r.table, pkm_table_find(r.table, "late")), "");
    for (int i = 0; i <= sim_last(&r); ++i) {
        CHECK_NEAR(sim_get(&r, i, "slip"), sim_get(&r, i, "P.speed"), 1e-14);
        CHECK_NEAR(sim_get(&r, i, "pA"), sim_get(&r, i, "qA.force") * sim_get(&r, i, "qA.v"), 0.0);
        CHECK_NEAR(sim_get(&r, i, "late"), i / 50.0, 1e-14);
    }
    sim_free(&r);
    pkm_robot_free(robot);
}

// simulate writes the same beside its deviations, at located peaks too.
static void simulations_write_them(void)
{
    pkm_robot* robot = engine_load("siax");
    sim_result r = sim_run_whole(robot, "for: 20 ms\ninstants: 11\nflexible: {left: {modes: 2}}\n"
                                        "columns: [P.omega, {lag: =P.speed - P.dspeed}]\n");
    pkm_inverse_settings s = pkm_inverse_settings_defaults();
    sim_result ideal = {.table = pkm_table_create()};
    s.n_instant = 11;
    s.end_time = 0.02;
    CHECK(pkm_inverse_run(robot, 0, &s, ideal.table, NULL, NULL) == PKM_OK);
    for (int i = 0; i <= sim_last(&r); ++i)
        CHECK_NEAR(sim_get(&r, i, "lag"), sim_get(&ideal, i, "P.speed"), 1e-12);
    for (int i = 0; i < pkm_table_n_row(r.table) + pkm_table_n_located(r.table); ++i)
        CHECK_NEAR(sim_get(&r, i, "lag"), sim_get(&r, i, "P.speed") - sim_get(&r, i, "P.dspeed"),
                   0.0);
    CHECK(sim_value(&r, "absmax P.omega") > 1e-6); // the platform tilts
    sim_free(&ideal);
    sim_free(&r);
    pkm_robot_free(robot);
}

static void refuse(const char* text, const char* why)
{
    pkm_robot* robot = engine_load("siax");
    sim_result r = inverse(robot, text);
    CHECK(r.status == PKM_ERR_ARGUMENT || r.status == PKM_ERR_MODEL);
    CHECK_CONTAINS(r.err.text, why);
    sim_free(&r);
    pkm_robot_free(robot);
}

static void mistakes_are_named(void)
{
    refuse("columns: [P.spede]\n",
           "columns: there is no column 'P.spede', did you mean 'P.speed'?");
    refuse("columns: {a: =P.spead}\n", "columns.a: '=P.spead': unknown parameter 'P.spead', did");
    refuse("columns: {a: =P.speed + P.acc}\n", "columns.a: '=P.speed + P.acc': cannot add");
    refuse("columns: {qA.force: =P.speed}\n", "columns: there is a column 'qA.force' already");
    refuse("columns: {a: 5 m}\n", "'5 m', expected an expression such as =hypot(P.vx, P.vy)");
}

int main(void)
{
    RUN(passive_joints_have_coordinates_and_rates);
    RUN(joints_of_one_freedom_have_two_columns);
    RUN(bodies_and_balls_turn_together);
    RUN(balls_turn_as_their_bodies_do);
    RUN(balls_have_turns_and_rates_and_nothing_else);
    RUN(expressions_carry_their_units);
    RUN(simulations_write_them);
    RUN(mistakes_are_named);
    return check_report();
}
