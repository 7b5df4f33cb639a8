// Simulations: memory, settings, starts, breaks, robots left as they were.
#include "base/memory.h"
#include "simulate.h"

/// Everything that a simulation can allocate: controllers with a model, samples, friction with
/// states, loads, payload, reactions.
static const char much[] =
    "for: 0.05 s\ninstants: 6\nreactions: true\n"
    "drives: {q1: {computed_torque: {frequency: 10 Hz}}, "
    "q2: {pid: {kp: 0.5, kd: 0.02, ki: 0.1}, sampling: {rate: 1 kHz, delay: 3 ms}}}\n"
    "friction: {elbow1: {law: lugre, static: 0.1, radius: 2 mm}}\n"
    "loads: {a: {force: [1 N, \"=1 N*t/1 s\", 0], at: link1.P}}\n"
    "payload: {b: {mass: 0.1 kg, at: link1.P, pick: 10 ms, drop: 30 ms}}\n";

static void failing_memory_is_reported(void)
{
    static const pkm_integrator all[] = {PKM_INTEGRATOR_EXPLICIT, PKM_INTEGRATOR_IDA};
    pkm_robot* robot = engine_load("five-bar");
    for (int k = 0; k < 2; ++k) {
        pkm_run* run = NULL;
        pkm_error err = {0};
        char text[1200];
        snprintf(text, sizeof text, "run: 1\n%s", much);
        CHECK(pkm_run_create(robot, &run, NULL) == PKM_OK);
        const pkm_status read = pkm_run_parse(run, text, "run.yaml", &err);
        if (read != PKM_OK) printf("    %d:%d: %s\n", err.line, err.column, err.text);
        CHECK(read == PKM_OK);
        CHECK(pkm_run_complete(run, NULL) == PKM_OK);
        run->settings.integrator = all[k];
        pkm_status status = PKM_ERR_MEMORY;
        int n = 1;
        for (; status == PKM_ERR_MEMORY && n < 5000; ++n) {
            pkm_table* table = pkm_table_create();
            pkm_sim_report report;
            err.text[0] = '\0';
            pkm_alloc_fail_at((size_t)n);
            status = pkm_simulate(robot, &run->settings, table, &report, &err);
            pkm_alloc_fail_at(0);
            if (status == PKM_ERR_MEMORY) CHECK_CONTAINS(err.text, "out of memory");
            pkm_table_free(table);
        }
        CHECK(status == PKM_OK && n > 50);
        pkm_run_free(run);
    }
    pkm_robot_free(robot);
}

/// The same with clearance: a variant of the robot, contacts, their record, a start off the centre.
static void failing_memory_is_reported_with_clearance(void)
{
    static const char text[] =
        "run: 1\nfor: 5 ms\ninstants: 3\nmotion: none\ndrives: locked\n"
        "loads: {a: {force: [50 N, 0, 0], at: link1.P}}\n"
        "clearance: {elbow1: {radial: 0.1 mm, radius: 5 mm, length: 10 mm, axial: 0.1 mm, "
        "stiffness: 1e9, start: [0.05 mm, 0, 0], friction: {law: lugre, static: 0.1}}}\n";
    pkm_robot* robot = engine_load("five-bar");
    pkm_run* run = NULL;
    pkm_error err = {0};
    CHECK(pkm_run_create(robot, &run, NULL) == PKM_OK);
    CHECK(pkm_run_parse(run, text, "run.yaml", &err) == PKM_OK);
    CHECK(pkm_run_complete(run, NULL) == PKM_OK);
    pkm_status status = PKM_ERR_MEMORY;
    int n = 1;
    for (; status == PKM_ERR_MEMORY && n < 5000; ++n) {
        pkm_table* table = pkm_table_create();
        pkm_contact_record* record = pkm_contact_record_create();
        pkm_sim_report report;
        run->settings.record = record;
        err.text[0] = '\0';
        pkm_alloc_fail_at((size_t)n);
        status = pkm_simulate(robot, &run->settings, table, &report, &err);
        pkm_alloc_fail_at(0);
        if (status == PKM_ERR_MEMORY) CHECK_CONTAINS(err.text, "out of memory");
        CHECK(status != PKM_OK || record->n_event > 0);
        pkm_table_free(table);
        pkm_contact_record_free(record);
    }
    if (status != PKM_OK) printf("    %s\n", err.text);
    CHECK(status == PKM_OK && n > 50);
    pkm_run_free(run);
    pkm_robot_free(robot);
}

/// Allocations between the first and the last question of the run, whose fractions rise; the ideal
/// motion asks before it.
typedef struct counter {
    double fraction;
    size_t first, last;
    int n_asked;
} counter;

static bool count(void* user, double fraction)
{
    counter* c = user;
    if (c->n_asked == 0 || fraction < c->fraction) {
        c->first = pkm_alloc_count();
        c->n_asked = 0;
    }
    c->last = pkm_alloc_count();
    c->fraction = fraction;
    ++c->n_asked;
    return true;
}

static size_t allocations_in(pkm_robot* robot, const char* motion)
{
    char text[1300];
    counter c = {.n_asked = 0};
    pkm_run* run = NULL;
    pkm_error err = {0};
    pkm_table* table = pkm_table_create();
    pkm_sim_report report;
    snprintf(text, sizeof text, "run: 1\nmotion: %s\n%s", motion, much);
    CHECK(pkm_run_create(robot, &run, NULL) == PKM_OK);
    CHECK(pkm_run_parse(run, text, "run.yaml", &err) == PKM_OK);
    CHECK(pkm_run_complete(run, &err) == PKM_OK);
    run->settings.progress = count;
    run->settings.user = &c;
    CHECK(pkm_simulate(robot, &run->settings, table, &report, &err) == PKM_OK);
    CHECK(report.stop == PKM_STOP_END_TIME && c.n_asked > 20);
    pkm_table_free(table);
    pkm_run_free(run);
    return c.last - c.first;
}

// Steps, samples of controllers, payloads and rows: no allocation from the first step to the last.
static void stepping_allocates_nothing(void)
{
    pkm_robot* robot = engine_load("five-bar");
    CHECK(allocations_in(robot, "circle") == 0);
    CHECK(allocations_in(robot, "shuttle") == 0); // references by inverse kinematics at instants
    pkm_robot_free(robot);
}

static void a_robot_is_as_before_after_a_run(void)
{
    pkm_robot* robot = engine_load("five-bar");
    double mass[8];
    for (int b = 0; b < robot->mech->n_body; ++b)
        mass[b] = robot->mech->body[b].mass;
    sim_result first = sim_run_whole(robot, much);
    sim_result second = sim_run_whole(robot, much);
    for (int b = 0; b < robot->mech->n_body; ++b)
        CHECK_NEAR(robot->mech->body[b].mass, mass[b], 0.0);
    for (int i = 0; i <= sim_last(&first); ++i)
        for (int c = 0; c < pkm_table_n_column(first.table); ++c)
            CHECK_NEAR(pkm_table_get(second.table, i, c), pkm_table_get(first.table, i, c), 0.0);
    sim_free(&first);
    sim_free(&second);
    pkm_robot_free(robot);
}

// A drive that is locked stays where the motion starts, which is not home.
static void locked_drives_stay_at_the_start_of_the_motion(void)
{
    pkm_robot* robot = engine_from("pkm: 1\n"
                                   "name: slide\n"
                                   "ground: {points: {O: [0, 0, 0]}}\n"
                                   "bodies: {block: {mass: 2 kg, points: {P: [0, 0, 0]}}}\n"
                                   "joints: {rail: {type: prismatic, between: [ground.O, block.P], "
                                   "axis: x}}\n"
                                   "drives: {q: {joint: rail}}\n"
                                   "tool: {point: block.P, moves: [x]}\n"
                                   "home: {drives: {q: 0}}\n"
                                   "motions: {go: {duration: 1 s, drives: {q: [0.2, 0.5]}}}\n");
    sim_result r = sim_run_whole(robot, "drives: locked\ninstants: 5\n");
    for (int i = 0; i <= sim_last(&r); ++i)
        CHECK_NEAR(sim_get(&r, i, "q.q"), 0.2, 1e-15);
    sim_free(&r);
    pkm_robot_free(robot);
}

static void start_rates_need_their_number(void)
{
    pkm_robot* robot = engine_load("five-bar");
    sim_result r = sim_run(robot, "motion: none\nfor: 1 s\nstart: {motor1: 1}\n");
    CHECK(r.status == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(r.err.text, "1 rates for 2 freedoms");
    sim_free(&r);
    pkm_robot_free(robot);
}

static void a_self_locking_screw_cannot_be_free(void)
{
    pkm_robot* robot = engine_load("lindelta");
    sim_result r = sim_run(robot, "drives: {pd: {kp: 1e4, kd: 100}, "
                                  "screw: {lead: 2 mm, efficiency: 0.4}}\n");
    CHECK(r.status == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(r.err.text, "self-locking");
    sim_free(&r);
    r = sim_run_whole(robot, "drives: {mode: prescribed, screw: {lead: 2 mm, efficiency: 0.4}}\n"
                             "instants: 5\n");
    sim_free(&r);
    pkm_robot_free(robot);
}

static bool stop_at_once(void* user, double fraction)
{
    (void)user, (void)fraction;
    return false;
}

static void a_stopped_run_keeps_its_rows(void)
{
    pkm_robot* robot = engine_load("five-bar");
    for (int k = 0; k < 3; ++k) {
        pkm_sim_settings settings = pkm_sim_settings_defaults();
        pkm_table* table = pkm_table_create();
        pkm_sim_report report;
        settings.motion = 0;
        settings.end_time = 0.5;
        settings.integrator = (pkm_integrator)k;
        settings.progress = stop_at_once;
        CHECK(pkm_simulate(robot, &settings, table, &report, NULL) == PKM_OK);
        CHECK(report.stop == PKM_STOP_INTERRUPTED);
        CHECK(report.n_done >= 1 && report.n_done == pkm_table_n_row(table));
        CHECK(report.n_done < 401);
        pkm_table_free(table);
    }
    pkm_robot_free(robot);
}

/// A circle at constant speed begins in motion, and so do the flexible rods: their rates close the
/// loops at once, and energy is kept from the first step on.
static void a_start_in_motion_closes_the_loops(void)
{
    pkm_robot* robot = engine_load("siax");
    sim_result r = sim_run_whole(robot, "motion: circle\nfor: 0.2 ms\ninstants: 3\n"
                                        "flexible: {A.left: {modes: 1}}\n");
    const pkm_ledger* l = &r.report.ledger;
    CHECK(sim_get(&r, 0, "P.speed") > 1.0);
    CHECK_NEAR(l->residual, 0.0, 1e-10 * l->exchanged);
    sim_free(&r);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(failing_memory_is_reported);
    RUN(failing_memory_is_reported_with_clearance);
    RUN(stepping_allocates_nothing);
    RUN(a_robot_is_as_before_after_a_run);
    RUN(locked_drives_stay_at_the_start_of_the_motion);
    RUN(start_rates_need_their_number);
    RUN(a_self_locking_screw_cannot_be_free);
    RUN(a_stopped_run_keeps_its_rows);
    RUN(a_start_in_motion_closes_the_loops);
    return check_report();
}
