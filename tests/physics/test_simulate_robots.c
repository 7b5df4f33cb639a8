// Every robot of robots/ in simulations: playback of its drive forces, energy of free motion, time
// turned back, friction of nothing, constraints kept.
#include "dynamics/plant.h"
#include "simulate.h"
#include "solver/explicit_rk.h"

// ---- playback ---------------------------------------------------------------------------------

static double tool_error(const sim_result* r, const pkm_robot* robot)
{
    char quantity[2 * PKM_MAX_NAME];
    snprintf(quantity, sizeof quantity, "absmax %s.dp",
             pkm_short_name(robot->mech->marker[robot->mech->tool].name));
    return sim_value(r, quantity);
}

static void check_drift(const sim_result* r, const char* name)
{
    const bool kept = r->report.drift_position <= 1e-10 && r->report.drift_velocity <= 1e-8;
    if (!kept)
        printf("    %s: drift %g m, %g m/s\n", name, r->report.drift_position,
               r->report.drift_velocity);
    CHECK(kept);
}

// Forces of inverse dynamics, played back open loop, return the motion of every robot.
static void drive_forces_played_back_return_the_motion(void)
{
    for (int k = 0; k < ENGINE_N_ROBOT; ++k) {
        pkm_robot* robot = engine_load(engine_robots[k]);
        sim_result r = sim_run_whole(robot, "drives: playback\ninstants: 101\n");
        const double off = tool_error(&r, robot);
        if (!(off < 1e-6)) printf("    %s: %g m\n", engine_robots[k], off);
        CHECK(off < 1e-6);
        CHECK(fabs(r.report.ledger.residual) < 1e-10 * r.report.ledger.exchanged);
        check_drift(&r, engine_robots[k]);
        sim_free(&r);
        pkm_robot_free(robot);
    }
}

// Without a tool force known to the playback the robot would leave its way.
static void a_tool_force_is_played_back_too(void)
{
    pkm_robot* robot = engine_load("siax");
    sim_result r = sim_run_whole(robot, "drives: playback\ninstants: 21\n"
                                        "tool_force: [50 N, 20 N, -30 N]\n");
    CHECK(tool_error(&r, robot) < 1e-9);
    CHECK(fabs(r.report.ledger.load) > 1.0);
    sim_free(&r);
    pkm_robot_free(robot);
}

/// The largest error over the rows: eight to twenty steps are the subject, not the polynomials
/// between them, on which peaks are located.
static double playback_error(pkm_robot* robot, const char* tolerance)
{
    char text[100];
    double off = 0.0;
    snprintf(text, sizeof text, "drives: playback\ninstants: 11\ntolerance: %s\n", tolerance);
    sim_result r = sim_run_whole(robot, text);
    for (int i = 0; i <= sim_last(&r); ++i)
        off = fmax(off, sim_get(&r, i, "P.dp"));
    sim_free(&r);
    return off;
}

// The step control keeps the error of a step at the tolerance: a thousandth of it leaves at most a
// hundredth of the error.
static void the_error_of_playback_falls_with_the_tolerance(void)
{
    pkm_robot* robot = engine_load("siax");
    const double e3 = playback_error(robot, "1e-3"), e6 = playback_error(robot, "1e-6");
    const double e9 = playback_error(robot, "1e-9");
    CHECK(e3 < 1e-4 && e6 < e3 / 100.0 && e9 < e6 / 100.0);
    pkm_robot_free(robot);
}

// ---- free motion ------------------------------------------------------------------------------

/// Start rates of all drives: without gravity nothing moves by itself.
static void start_rates(const pkm_robot* robot, char* out, size_t size)
{
    size_t used = (size_t)snprintf(out, size, "start: {");
    for (int d = 0; d < robot->mech->n_drive; ++d)
        used += (size_t)snprintf(out + used, size - used, "%s%s: %g", d ? ", " : "",
                                 robot->mech->joint[robot->mech->drive[d].joint].name,
                                 d % 2 ? -0.3 : 0.2);
    snprintf(out + used, size - used, "}\n");
}

// Ten seconds of falling and swinging. Some robots meet a singularity on their way, which ends the
// run: the rows until then keep their energy too.
static void free_motion_keeps_its_energy(void)
{
    int whole = 0;
    for (int k = 0; k < ENGINE_N_ROBOT; ++k) {
        pkm_robot* robot = engine_load(engine_robots[k]);
        char text[600] = "motion: none\nfor: 10 s\ninstants: 201\n";
        const bool has_weight = pkm_vec3_norm(robot->mech->gravity) > 0.0;
        const bool planar = strcmp(engine_robots[k], "five-bar") == 0 ||
                            strcmp(engine_robots[k], "planar-3rrr") == 0;
        if (!has_weight || planar) start_rates(robot, text + strlen(text), sizeof text - 100);
        sim_result r = sim_run(robot, text);
        CHECK(r.status == PKM_OK);
        const pkm_ledger* l = &r.report.ledger;
        const bool kept = fabs(l->residual) <= 1e-6 * l->exchanged && l->exchanged > 0.0;
        if (!kept) printf("    %s: %g of %g J\n", engine_robots[k], l->residual, l->exchanged);
        CHECK(kept);
        CHECK(r.report.stop == PKM_STOP_END_TIME || r.report.n_done > 2);
        whole += r.report.stop == PKM_STOP_END_TIME;
        check_drift(&r, engine_robots[k]);
        sim_free(&r);
        pkm_robot_free(robot);
    }
    CHECK(whole >= 8);
}

// ---- back in time -----------------------------------------------------------------------------

typedef struct reversal {
    pkm_robot* robot;
    pkm_plant* plant;
    int n_q, n_v;
} reversal;

static void no_reference(void* user, double t, pkm_target* target)
{
    (void)user, (void)t, (void)target;
}

static pkm_status no_force(void* user, double t, const pkm_state* state, const double* z,
                           double* force, double* z_rate)
{
    (void)user, (void)t, (void)state, (void)z, (void)z_rate;
    memset(force, 0, PKM_MAX_DRIVE * sizeof *force);
    return PKM_OK;
}

static void take(reversal* r, const double* y)
{
    memcpy(r->robot->state->q, y, (size_t)r->n_q * sizeof *y);
    memcpy(r->robot->state->v, y + r->n_q, (size_t)r->n_v * sizeof *y);
    pkm_state_normalise(r->robot->mech, r->robot->state->q);
}

static pkm_status rate(void* user, double t, const double* y, double* dydt)
{
    reversal* r = user;
    take(r, y);
    const pkm_status status = pkm_plant_evaluate(r->plant, t, NULL, NULL);
    pkm_state_position_rates(r->robot->mech, y, r->robot->state->v, dydt);
    memcpy(dydt + r->n_q, r->robot->state->a, (size_t)r->n_v * sizeof *y);
    return status;
}

static pkm_status project(void* user, double t, double* y)
{
    reversal* r = user;
    take(r, y);
    const pkm_status status = pkm_plant_project(r->plant, t);
    memcpy(y, r->robot->state->q, (size_t)r->n_q * sizeof *y);
    memcpy(y + r->n_q, r->robot->state->v, (size_t)r->n_v * sizeof *y);
    return status;
}

static pkm_status go_to(pkm_rk* rk, double t)
{
    pkm_status status = PKM_OK;
    while (status == PKM_OK && pkm_rk_time(rk) != t)
        status = pkm_rk_step(rk, t);
    return status;
}

/// Largest distance from y0 after 0.2 s of free fall and the same time back.
static double way_back(reversal* r, pkm_rk* rk, double* y0, double* atol)
{
    const int n = r->n_q + r->n_v;
    const pkm_ode ode = {.n = n, .user = r, .rate = rate, .project = project};
    const pkm_rk_settings settings = {.rtol = 1e-12, .atol = atol};
    for (int i = 0; i < n; ++i)
        atol[i] = 1e-12;
    memcpy(y0, r->robot->q_home, (size_t)r->n_q * sizeof *y0);
    CHECK(pkm_rk_begin(rk, &ode, &settings, 0.0, y0) == PKM_OK);
    CHECK(go_to(rk, 0.2) == PKM_OK);
    CHECK(go_to(rk, 0.0) == PKM_OK);
    double off = 0.0;
    for (int i = 0; i < n; ++i)
        off = fmax(off, fabs(pkm_rk_state(rk)[i] - y0[i]));
    return off;
}

static void back_in_time_every_robot_returns_to_its_start(void)
{
    for (int k = 0; k < ENGINE_N_ROBOT; ++k) {
        reversal r = {.robot = engine_load(engine_robots[k])};
        const bool prescribed[PKM_MAX_DRIVE] = {false};
        const pkm_actuation actuation = {.user = &r, .reference = no_reference, .force = no_force};
        const pkm_plant_spec spec = {
            .structure = &r.robot->structure, .prescribed = prescribed, .actuation = &actuation};
        r.n_q = r.robot->mech->n_q;
        r.n_v = r.robot->mech->n_v;
        double* y0 = pkm_alloc((size_t)(r.n_q + r.n_v), sizeof *y0);
        double* atol = pkm_alloc((size_t)(r.n_q + r.n_v), sizeof *atol);
        pkm_rk* rk = NULL;
        CHECK(pkm_rk_create(r.n_q + r.n_v, &rk) == PKM_OK);
        CHECK(pkm_plant_create(r.robot->state, &spec, &r.plant, NULL) == PKM_OK);
        const double off = way_back(&r, rk, y0, atol);
        if (!(off < 1e-9)) printf("    %s: %g\n", engine_robots[k], off);
        CHECK(off < 1e-9);
        pkm_rk_free(rk);
        pkm_plant_free(r.plant);
        pkm_free(y0);
        pkm_free(atol);
        pkm_robot_free(r.robot);
    }
}

// ---- redundant constraints, singular positions ------------------------------------------------

// A free five-bar is brought to where its links are in line: no NaN, the rows so far, the time.
static void a_run_into_a_singularity_ends_with_a_report(void)
{
    pkm_robot* robot = engine_load("five-bar");
    sim_result r = sim_run(robot, "motion: none\nfor: 2 s\ninstants: 401\n"
                                  "drives: {q1: {force: 1 N m}, q2: {force: -1 N m}}\n");
    CHECK(r.status == PKM_OK);
    CHECK(pkm_table_check_finite(r.table, NULL) == PKM_OK);
    CHECK(r.report.n_done == pkm_table_n_row(r.table));
    if (r.report.stop != PKM_STOP_END_TIME) CHECK(r.report.t_stop >= r.report.t_end);
    sim_free(&r);
    pkm_robot_free(robot);
}

// Prescribed drives cannot pass a parallel singularity: the ideal motion says so already.
static void a_motion_through_a_singularity_is_refused_with_its_time(void)
{
    pkm_description* desc = engine_read("five-bar");
    CHECK(desc != NULL);
    pkm_description_free(desc);
    char path[512], text[20000];
    snprintf(path, sizeof path, "%s/robots/five-bar.yaml", PKM_SOURCE_DIR);
    FILE* file = fopen(path, "r");
    CHECK(file != NULL);
    if (!file) return;
    size_t n = fread(text, 1, sizeof text - 300, file);
    fclose(file);
    snprintf(text + n, 300,
             "  down:\n    law: quintic\n    duration: 1 s\n"
             "    path: {line: {from: [0, 0.12, 0], to: [0, 0.07, 0]}}\n");
    pkm_robot* robot = engine_from(text);
    sim_result r = sim_run(robot, "motion: down\n");
    CHECK(r.status == PKM_ERR_SINGULAR);
    CHECK_CONTAINS(r.err.text, "singularity");
    CHECK_CONTAINS(r.err.text, "t = ");
    sim_free(&r);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(drive_forces_played_back_return_the_motion);
    RUN(a_tool_force_is_played_back_too);
    RUN(the_error_of_playback_falls_with_the_tolerance);
    RUN(free_motion_keeps_its_energy);
    RUN(back_in_time_every_robot_returns_to_its_start);
    RUN(a_run_into_a_singularity_ends_with_a_report);
    RUN(a_motion_through_a_singularity_is_refused_with_its_time);
    return check_report();
}
