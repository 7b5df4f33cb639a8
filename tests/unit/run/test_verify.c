// Which runs are repeated, and what their differences say.
#include "clearance.h"
#include "run/verify.h"

// ---- which runs -------------------------------------------------------------------------------

static pkm_run* make_run(pkm_robot* robot, const char* text)
{
    pkm_run* run = NULL;
    pkm_error err = {0};
    char file[2000];
    snprintf(file, sizeof file, "run: 1\n%s", text);
    CHECK(pkm_run_create(robot, &run, &err) == PKM_OK);
    CHECK(pkm_run_parse(run, file, "run.yaml", &err) == PKM_OK);
    CHECK(pkm_run_complete(run, &err) == PKM_OK);
    return run;
}

#define CLEARANCE                                                                                  \
    "for: 12 ms\ninstants: 25\nclearance: {A.left1: {radial: 0.1 mm, radius: 10 mm, stiffness: "   \
    "1.524e11, restitution: 0.9, start: centred%s}}\n"

static void kind_of_a_run_is_that_of_its_clearances(void)
{
    pkm_robot* robot = engine_load("siax");
    char text[400];
    snprintf(text, sizeof text, CLEARANCE, "");
    pkm_run* contact = make_run(robot, text);
    snprintf(text, sizeof text, CLEARANCE, ", fidelity: seated");
    pkm_run* seated = make_run(robot, text);
    pkm_run* smooth = make_run(robot, "for: 10 ms\n");
    CHECK(pkm_verify_kind_of(contact) == PKM_VERIFY_CONTACT);
    CHECK(pkm_verify_kind_of(seated) == PKM_VERIFY_QUASI_STATIC);
    CHECK(pkm_verify_kind_of(smooth) == PKM_VERIFY_SMOOTH);
    pkm_run_free(contact);
    pkm_run_free(seated);
    pkm_run_free(smooth);
    pkm_robot_free(robot);
}

static bool has(const pkm_verify_means* means, int n, pkm_verify_means one)
{
    int found = 0;
    for (int k = 0; k < n; ++k)
        found += means[k] == one;
    CHECK(found <= 1);
    return found == 1;
}

static void impacts_are_shaken_both_ways_and_smooth_runs_integrated_otherwise(void)
{
    pkm_verify_means m[PKM_MAX_REPEAT];
    int n = pkm_verify_plan(PKM_VERIFY_SMOOTH, true, m);
    CHECK(n == 2 && has(m, n, PKM_VERIFY_HUNDREDTH) && has(m, n, PKM_VERIFY_OTHER));
    n = pkm_verify_plan(PKM_VERIFY_CONTACT, false, m);
    CHECK(n == 3 && has(m, n, PKM_VERIFY_HALF) && has(m, n, PKM_VERIFY_FASTER) &&
          has(m, n, PKM_VERIFY_SLOWER));
    n = pkm_verify_plan(PKM_VERIFY_CONTACT, true, m);
    CHECK(n == 6 && has(m, n, PKM_VERIFY_RESTITUTION) && has(m, n, PKM_VERIFY_STIFFNESS) &&
          has(m, n, PKM_VERIFY_CLEARANCE) && has(m, n, PKM_VERIFY_SLOWER));
    n = pkm_verify_plan(PKM_VERIFY_QUASI_STATIC, true, m);
    CHECK(n == 1 && has(m, n, PKM_VERIFY_INSTANTS));
    n = pkm_verify_plan(PKM_VERIFY_LINEAR, true, m);
    CHECK(n == 1 && has(m, n, PKM_VERIFY_STEPS));
}

/// One repetition of `run` differs from it by exactly what its means say.
static void check_means(const pkm_run* run, pkm_verify_means means)
{
    const pkm_sim_settings* s = &run->settings;
    const pkm_clearance* c = &run->effects.clearance[0].clearance;
    pkm_verify_run other;
    pkm_error err = {0};
    CHECK(pkm_verify_run_make(run, means, &other, &err) == PKM_OK);
    const pkm_sim_settings* o = &other.settings;
    const pkm_clearance* d = &o->effects->clearance[0].clearance;
    const bool restitution = means == PKM_VERIFY_RESTITUTION,
               stiffness = means == PKM_VERIFY_STIFFNESS, gap = means == PKM_VERIFY_CLEARANCE;
    const double tolerance = means == PKM_VERIFY_HALF        ? 0.5
                             : means == PKM_VERIFY_HUNDREDTH ? 0.01
                                                             : 1.0;
    const double jitter = means == PKM_VERIFY_FASTER   ? 1e-9
                          : means == PKM_VERIFY_SLOWER ? -1e-9
                                                       : 0.0;
    if (means != PKM_VERIFY_OTHER) CHECK_NEAR(o->tolerance / s->tolerance, tolerance, 1e-15);
    CHECK((o->integrator != s->integrator) == (means == PKM_VERIFY_OTHER));
    CHECK_NEAR(o->jitter, jitter, 0.0);
    CHECK(o->n_instant == (means == PKM_VERIFY_INSTANTS ? 97 : 25));
    CHECK_NEAR(d->law.restitution / c->law.restitution, restitution ? 1.01 : 1.0, 1e-14);
    CHECK_NEAR(d->law.stiffness / c->law.stiffness, stiffness ? 1.01 : 1.0, 1e-14);
    CHECK_NEAR(d->radial / c->radial, gap ? 1.01 : 1.0, 1e-14);
    CHECK((fabs(d->law.chi - c->law.chi) > 1e-3) == restitution); // it follows the restitution
    CHECK(pkm_verify_is_numerical(means) == !(restitution || stiffness || gap));
    pkm_verify_run_free(&other);
}

static void each_repetition_differs_by_its_means_alone(void)
{
    pkm_robot* robot = engine_load("siax");
    char text[400];
    snprintf(text, sizeof text, CLEARANCE, "");
    pkm_run* run = make_run(robot, text);
    for (int k = 0; k < PKM_N_VERIFY; ++k)
        check_means(run, (pkm_verify_means)k);
    pkm_run_free(run);
    pkm_robot_free(robot);
}

static void restitution_stays_at_most_one(void)
{
    pkm_robot* robot = engine_load("siax");
    pkm_run* run = make_run(robot, "clearance: {A.left1: {radial: 0.1 mm, radius: 10 mm, "
                                   "stiffness: 1.524e11, restitution: 0.995}}\n");
    pkm_verify_run other;
    pkm_error err = {0};
    CHECK(pkm_verify_run_make(run, PKM_VERIFY_RESTITUTION, &other, &err) == PKM_OK);
    CHECK_NEAR(other.effects.clearance[0].clearance.law.restitution, 0.995 * 0.99, 1e-14);
    pkm_verify_run_free(&other);
    pkm_run_free(run);
    pkm_robot_free(robot);
}

/// Where the bearing stands at the end [m].
static pkm_vec3 end_of(pkm_robot* robot, const pkm_sim_settings* settings)
{
    pkm_table* table = pkm_table_create();
    pkm_sim_report report;
    pkm_error err = {0};
    CHECK(pkm_simulate(robot, settings, table, &report, &err) == PKM_OK);
    CHECK(report.stop == PKM_STOP_END_TIME);
    const int end = pkm_table_n_row(table) - 1;
    const pkm_vec3 out = {pkm_table_get(table, end, pkm_table_find(table, "A.left1.ox")),
                          pkm_table_get(table, end, pkm_table_find(table, "A.left1.oy")),
                          pkm_table_get(table, end, pkm_table_find(table, "A.left1.oz"))};
    pkm_table_free(table);
    return out;
}

// The bearing touches a few times in 12 ms: starts 1e-10 m/s apart end more than 1e-13 m apart, ten
// times rounding, and less than a hundredth of the clearance.
static void repetitions_through_impacts_really_differ(void)
{
    pkm_robot* robot = engine_load("siax");
    char text[400];
    snprintf(text, sizeof text, CLEARANCE, "");
    pkm_run* run = make_run(robot, text);
    pkm_verify_means means[PKM_MAX_REPEAT];
    const int n = pkm_verify_plan(pkm_verify_kind_of(run), true, means);
    pkm_vec3 end[PKM_MAX_REPEAT + 1] = {end_of(robot, &run->settings)};
    for (int k = 0; k < n; ++k) {
        pkm_verify_run other;
        pkm_error err = {0};
        CHECK(pkm_verify_run_make(run, means[k], &other, &err) == PKM_OK);
        end[k + 1] = end_of(robot, &other.settings);
        pkm_verify_run_free(&other);
        for (int i = 0; i <= k; ++i)
            CHECK(pkm_vec3_distance(end[i], end[k + 1]) > 1e-13);
        if (pkm_verify_is_numerical(means[k])) CHECK(pkm_vec3_distance(end[0], end[k + 1]) < 1e-6);
    }
    pkm_run_free(run);
    pkm_robot_free(robot);
}

// ---- which second method ----------------------------------------------------------------------

/// The run `text` is repeated with this integrator from its start to its end, at the tolerance that
/// the method has with such effects.
static void check_second(pkm_robot* robot, const char* text, pkm_integrator first,
                         pkm_integrator second)
{
    pkm_run* run = make_run(robot, text);
    pkm_verify_run other;
    pkm_error err = {0};
    CHECK(run->settings.integrator == first);
    CHECK(pkm_verify_run_make(run, PKM_VERIFY_OTHER, &other, &err) == PKM_OK);
    CHECK(other.settings.integrator == second);
    CHECK(other.settings.when_stiff == second);
    CHECK_NEAR(other.settings.tolerance, pkm_integrator_tolerance(second, &run->settings), 0.0);
    CHECK_CONTAINS(other.words, pkm_integrator_name[second]);
    pkm_verify_run_free(&other);
    pkm_run_free(run);
}

#define SHORT      "for: 10 ms\n"
#define PD         "drives: {pd: {kp: 20000, kd: 300}}\n"
#define RESTS(LAW) "friction: {spherical: {" LAW "static: 0.11, dynamic: 0.084, radius: 10mm}}\n"
#define PIECES     "flexible: {left: {pieces: 2}}\n"

// What drives prescribe cannot stick, so that IDA serves there; smooth friction has no bristles.
static void second_method_has_other_equations_unless_bristles_move_freely(void)
{
    pkm_robot* robot = engine_load("siax");
    const pkm_integrator EXPLICIT = PKM_INTEGRATOR_EXPLICIT, IDA = PKM_INTEGRATOR_IDA,
                         BDF = PKM_INTEGRATOR_BDF, SDIRK = PKM_INTEGRATOR_SDIRK;
    check_second(robot, SHORT, EXPLICIT, IDA);
    check_second(robot, SHORT PD, EXPLICIT, IDA);
    check_second(robot, SHORT "integrator: ida\n", IDA, EXPLICIT);
    check_second(robot, SHORT RESTS(""), EXPLICIT, IDA);
    check_second(robot, SHORT RESTS("law: lugre, "), BDF, IDA);
    check_second(robot, SHORT PD RESTS("law: coulomb, "), EXPLICIT, IDA);
    check_second(robot, SHORT PD RESTS(""), BDF, SDIRK);
    check_second(robot, SHORT PD RESTS("law: lugre, "), BDF, SDIRK);
    check_second(robot, SHORT PD RESTS("") "integrator: sdirk\n", SDIRK, BDF);
    check_second(robot, SHORT PD RESTS("") "integrator: ida\n", IDA, BDF);
    check_second(robot, SHORT PIECES, SDIRK, EXPLICIT);
    check_second(robot, SHORT PIECES "integrator: explicit\n", EXPLICIT, SDIRK);
    check_second(robot, SHORT PIECES RESTS("") "integrator: sdirk\n", SDIRK, BDF);
    pkm_robot_free(robot);
}

// ---- what they say ----------------------------------------------------------------------------

static pkm_spread spread_of(double value, const double* other, int n)
{
    pkm_spread out = pkm_spread_none();
    for (int k = 0; k < n; ++k)
        pkm_spread_add(&out, value, PKM_VERIFY_FASTER, other[k]);
    return out;
}

static void bar_is_the_largest_difference_and_the_range_that_of_all(void)
{
    const pkm_spread s = spread_of(10.0, (double[]){10.5, 9.2, 10.1}, 3);
    CHECK_NEAR(s.error_bar, 0.8, 1e-12);
    CHECK_NEAR(s.low, 9.2, 0.0);
    CHECK_NEAR(s.high, 10.5, 0.0);
    CHECK(isnan(s.sensitivity));
    const pkm_spread none = spread_of(10.0, (double[]){NAN}, 1);
    CHECK(isnan(none.error_bar) && isnan(none.low));
    CHECK(pkm_spread_judge(&none, PKM_VERIFY_CONTACT, 10.0, 10.0, 0.1) == PKM_VERDICT_NONE);
}

// A value with the error e h^2 at the step h = 1 and 1/2: the bar is its error; with e h at the
// mesh h = 1 and 1/2: likewise.
static void bars_of_half_the_step_or_mesh_are_the_error_at_their_order(void)
{
    static const pkm_verify_means half[] = {PKM_VERIFY_STEPS, PKM_VERIFY_MESH};
    static const double finer[] = {10.1, 10.2};
    for (int i = 0; i < 2; ++i) {
        pkm_spread s = pkm_spread_none();
        pkm_spread_add(&s, 10.4, half[i], finer[i]);
        CHECK_NEAR(s.error_bar, 0.4, 1e-12);
        CHECK_NEAR(s.high - s.low, 10.4 - finer[i], 1e-12);
    }
}

// More elements and, with these, more modes: errors that go against each other add up.
static void changes_of_elements_and_modes_add_up(void)
{
    pkm_spread s = pkm_spread_none();
    pkm_spread_add(&s, 10.0, PKM_VERIFY_OTHER, 10.1);
    pkm_spread_add(&s, 10.0, PKM_VERIFY_ELEMENTS, 9.7);
    CHECK_NEAR(s.error_bar, 0.6, 1e-12);
    pkm_spread_add(&s, 10.0, PKM_VERIFY_MESH, 10.1);
    CHECK_NEAR(s.error_bar, 1.4, 1e-12);
    CHECK_NEAR(s.high - s.low, 0.4, 1e-12);
}

static void range_holds_the_value_itself(void)
{
    const pkm_spread s = spread_of(10.0, (double[]){11.0}, 1);
    CHECK_NEAR(s.low, 10.0, 0.0);
    CHECK_NEAR(s.high, 11.0, 0.0);
}

static void parameters_move_the_sensitivity_alone(void)
{
    pkm_spread s = spread_of(10.0, (double[]){10.5}, 1);
    pkm_spread_add(&s, 10.0, PKM_VERIFY_STIFFNESS, 13.0);
    pkm_spread_add(&s, 10.0, PKM_VERIFY_RESTITUTION, 8.0);
    CHECK_NEAR(s.error_bar, 0.5, 1e-15);
    CHECK_NEAR(s.high, 10.5, 0.0);
    CHECK_NEAR(s.sensitivity, 3.0, 1e-15);
    CHECK(s.most_moving == PKM_VERIFY_STIFFNESS);
    CHECK(strcmp(pkm_verify_parameter(s.most_moving), "contact stiffness") == 0);
}

// A tenth of the value is the border: 9.6 to 10.5 is within, 9.6 to 10.7 not.
static void spreads_above_a_tenth_of_the_value_are_chaotic(void)
{
    const pkm_spread near = spread_of(10.0, (double[]){10.5, 9.6}, 2);
    const pkm_spread far = spread_of(10.0, (double[]){10.7, 9.6}, 2);
    CHECK(pkm_spread_judge(&near, PKM_VERIFY_CONTACT, 10.0, 10.0, PKM_CHAOTIC_ABOVE) ==
          PKM_VERDICT_REPEATABLE);
    CHECK(pkm_spread_judge(&far, PKM_VERIFY_CONTACT, 10.0, 10.0, PKM_CHAOTIC_ABOVE) ==
          PKM_VERDICT_CHAOTIC);
    CHECK(pkm_spread_judge(&far, PKM_VERIFY_CONTACT, 10.0, 10.0, 0.12) == PKM_VERDICT_REPEATABLE);
    CHECK(pkm_spread_judge(&near, PKM_VERIFY_CONTACT, -10.0, 10.0, 0.08) == PKM_VERDICT_CHAOTIC);
}

// Chaos needs impacts: elsewhere a finer mesh or a tighter tolerance would agree in the end.
static void without_impacts_such_a_spread_is_a_lack_of_convergence(void)
{
    const pkm_spread far = spread_of(10.0, (double[]){10.7, 9.6}, 2);
    static const pkm_verify_kind kind[] = {PKM_VERIFY_SMOOTH, PKM_VERIFY_FLEXIBLE,
                                           PKM_VERIFY_QUASI_STATIC, PKM_VERIFY_LINEAR};
    for (size_t i = 0; i < sizeof kind / sizeof kind[0]; ++i) {
        CHECK(pkm_spread_judge(&far, kind[i], 10.0, 10.0, 0.1) == PKM_VERDICT_NOT_CONVERGED);
        CHECK(pkm_spread_judge(&far, kind[i], 10.0, 10.0, 0.12) == PKM_VERDICT_REPEATABLE);
    }
    CHECK(strcmp(pkm_verdict_name(PKM_VERDICT_NOT_CONVERGED), "not converged") == 0);
    CHECK(pkm_verdict_is_apart(PKM_VERDICT_CHAOTIC));
    CHECK(pkm_verdict_is_apart(PKM_VERDICT_NOT_CONVERGED));
    CHECK(!pkm_verdict_is_apart(PKM_VERDICT_REPEATABLE) && !pkm_verdict_is_apart(PKM_VERDICT_NONE));
}

// 1e-9 of the size is the border: deviations that are rounding of a metre are not chaos.
static void rounding_of_what_it_is_a_difference_of_is_no_chaos(void)
{
    const pkm_spread rounding = spread_of(1e-10, (double[]){9e-10}, 1);
    const pkm_spread real = spread_of(1e-10, (double[]){1.2e-9}, 1);
    CHECK(pkm_spread_judge(&rounding, PKM_VERIFY_CONTACT, 1e-10, 1.0, 0.1) ==
          PKM_VERDICT_REPEATABLE);
    CHECK(pkm_spread_judge(&real, PKM_VERIFY_CONTACT, 1e-10, 1.0, 0.1) == PKM_VERDICT_CHAOTIC);
    CHECK(pkm_spread_judge(&rounding, PKM_VERIFY_CONTACT, 1e-10, 1e-10, 0.1) ==
          PKM_VERDICT_CHAOTIC);
}

// Flexible links have an error of their mesh, which tolerances do not tell.
static void meshes_of_flexible_links_are_refined(void)
{
    pkm_robot* robot = engine_load("siax");
    pkm_run* run =
        make_run(robot, "for: 10 ms\ninstants: 3\nflexible: {left: {}, right: {elements: "
                        "6, modes: 5}}\n");
    pkm_verify_means m[PKM_MAX_REPEAT];
    pkm_verify_run o;
    CHECK(pkm_verify_kind_of(run) == PKM_VERIFY_FLEXIBLE);
    const int n = pkm_verify_plan(PKM_VERIFY_FLEXIBLE, true, m);
    CHECK(n == 4 && has(m, n, PKM_VERIFY_MESH) && has(m, n, PKM_VERIFY_HUNDREDTH));
    CHECK(has(m, n, PKM_VERIFY_ELEMENTS));
    CHECK(pkm_verify_is_numerical(PKM_VERIFY_MESH));
    CHECK(pkm_verify_run_make(run, PKM_VERIFY_MESH, &o, NULL) == PKM_OK);
    CHECK_CONTAINS(o.words, "twice the elements and modes");
    for (int k = 0; k < run->effects.n_flexible; ++k) {
        const pkm_flexible_spec *a = &run->effects.flexible[k].spec,
                                *b = &o.settings.effects->flexible[k].spec;
        CHECK(b->n_element == 2 * a->n_element);
        CHECK(b->keep == a->keep);
        CHECK(b->n_mode == (a->keep == PKM_FLEXIBLE_KEEP_COUNT ? 10 : 16));
    }
    CHECK(run->effects.flexible[0].spec.keep == PKM_FLEXIBLE_KEEP_DEFAULT);
    pkm_table* table = pkm_table_create();
    pkm_sim_report report;
    CHECK(pkm_simulate(robot, &o.settings, table, &report, NULL) == PKM_OK);
    pkm_table_free(table);
    pkm_verify_run_free(&o);
    pkm_run_free(run);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(kind_of_a_run_is_that_of_its_clearances);
    RUN(impacts_are_shaken_both_ways_and_smooth_runs_integrated_otherwise);
    RUN(each_repetition_differs_by_its_means_alone);
    RUN(restitution_stays_at_most_one);
    RUN(repetitions_through_impacts_really_differ);
    RUN(second_method_has_other_equations_unless_bristles_move_freely);
    RUN(bar_is_the_largest_difference_and_the_range_that_of_all);
    RUN(bars_of_half_the_step_or_mesh_are_the_error_at_their_order);
    RUN(changes_of_elements_and_modes_add_up);
    RUN(range_holds_the_value_itself);
    RUN(parameters_move_the_sensitivity_alone);
    RUN(spreads_above_a_tenth_of_the_value_are_chaotic);
    RUN(without_impacts_such_a_spread_is_a_lack_of_convergence);
    RUN(rounding_of_what_it_is_a_difference_of_is_no_chaos);
    RUN(meshes_of_flexible_links_are_refined);
    return check_report();
}
