/// Seated clearance: geometry, statics and energy say where the journals lie.
#include "clearance/seat.h"
#include "clearance/seated.h"
#include "engine.h"
#include "linkages.h"
#include "robot/continuation.h"

static const double CLEARANCE = 1e-4; // [m]

/// Clearance in every joint of this type that is not driven.
static int clearance_in(const pkm_robot* robot, pkm_joint_type type, pkm_clearance clearance,
                        pkm_joint_clearance* out)
{
    int n = 0;
    for (int j = 0; j < robot->mech->n_joint; ++j) {
        bool driven = false;
        for (int d = 0; d < robot->mech->n_drive; ++d)
            driven = driven || robot->mech->drive[d].joint == j;
        if (robot->mech->joint[j].type == type && !driven)
            out[n++] = (pkm_joint_clearance){j, clearance};
    }
    return n;
}

static pkm_robot* siax(const char* rod_mass)
{
    const pkm_override set = {"m2", rod_mass};
    pkm_robot* robot = NULL;
    pkm_error err = {0};
    if (pkm_robot_load(PKM_SOURCE_DIR "/robots/siax.yaml", &set, 1, &robot, &err) != PKM_OK)
        printf("    %s\n", err.text);
    CHECK(robot != NULL);
    return robot;
}

/// How far the journals are outside of their bearings at most [m].
static double outside(const pkm_regions* regions, const double* y)
{
    double most = -HUGE_VAL;
    for (int k = 0; k < regions->n; ++k) {
        const pkm_joint_region* item = &regions->item[k];
        most = fmax(most, pkm_region_outside(&item->region, y + item->y_at));
    }
    return most;
}

static double column(const pkm_table* table, const char* name, int row)
{
    return pkm_table_get(table, row, pkm_table_find(table, name));
}

/// A run of SIAX with clearance in its twelve ball joints.
static pkm_table* run_siax(pkm_robot* robot, int n_instant, pkm_seated_report* report)
{
    pkm_joint_clearance clearance[12];
    const int n =
        clearance_in(robot, PKM_JOINT_SPHERICAL, (pkm_clearance){.radial = CLEARANCE}, clearance);
    pkm_sim_settings settings = pkm_sim_settings_defaults();
    pkm_error err = {0};
    pkm_table* table = pkm_table_create();
    settings.motion = 0;
    settings.end_time = 0.2;
    settings.n_instant = n_instant;
    CHECK(pkm_seated_run(robot, &settings, clearance, n, table, report, &err) == PKM_OK);
    if (err.text[0]) printf("    %s\n", err.text);
    return table;
}

// ---- SIAX ---------------------------------------------------------------------------------------

/// Rods without mass carry axial forces only, so the platform hangs as on rods longer by two
/// clearances: depth = sqrt((l2 + 2 c)^2 - x^2) with x = 750 - 97 mm.
static void massless_rods_drop_by_geometry(void)
{
    static pkm_seated_report report;
    pkm_robot* robot = siax("1e-9 kg");
    pkm_table* table = run_siax(robot, 11, &report);
    const double x = 0.653, l = 1.106;
    const double drop =
        sqrt((l + 2.0 * CLEARANCE) * (l + 2.0 * CLEARANCE) - x * x) - sqrt(l * l - x * x);
    CHECK_NEAR(report.drop, drop, 1e-10);
    CHECK_NEAR(report.drop, 2.0 * CLEARANCE * 1.106 / 0.89265, 1e-3 * 2e-4); // to first order
    CHECK_NEAR(column(table, "P.dz", 0), -drop, 1e-10);
    CHECK_NEAR(column(table, "P.turn", 0), 0.0, 1e-10);
    pkm_table_free(table);
    pkm_robot_free(robot);
}

/// With rods of 0.34 kg their weight turns the loads a little: 0.2476 mm to 0.5 %. The largest
/// deviations on the way are those of the contact simulation (1.35 mm, 8.7 mrad) to 10 %.
static void siax_meets_the_contact_simulation_where_that_is_repeatable(void)
{
    static pkm_seated_report report;
    pkm_robot* robot = engine_load("siax");
    pkm_table* table = run_siax(robot, 401, &report);
    CHECK_NEAR(report.drop, 0.2476e-3, 0.005 * 0.2476e-3);
    CHECK(report.n_unsettled == 0);
    double dp = 0.0, turn = 0.0;
    for (int i = 0; column(table, "t", i) < 0.1935; ++i) { // until the loads of braking end
        dp = fmax(dp, column(table, "P.dp", i));
        turn = fmax(turn, column(table, "P.turn", i));
    }
    CHECK_NEAR(dp, 1.35e-3, 0.1 * 1.35e-3);
    CHECK_NEAR(turn, 8.7e-3, 0.1 * 8.7e-3);
    pkm_table_free(table);
    pkm_robot_free(robot);
}

/// Between reversals the derivative of the seated pose of massless rods is the one with the offsets
/// held, up to the turning of the offsets with the rods.
static void derivatives_hold_between_reversals(void)
{
    static pkm_seated_report report;
    pkm_robot* robot = siax("1e-9 kg");
    pkm_table* table = run_siax(robot, 401, &report);
    const int da = pkm_table_find(table, "P.da"), held = pkm_table_find(table, "P.da_held");
    CHECK_NEAR(pkm_table_reduce(table, held, PKM_REDUCE_ABSMAX, NULL), 0.2522, 1e-3);
    CHECK_NEAR(pkm_table_reduce(table, da, PKM_REDUCE_ABSMAX, NULL), 0.2509, 1e-3);

    // a stencil four times as fine gives the same
    pkm_table* fine = run_siax(robot, 1601, &report);
    double most = 0.0;
    for (int i = 40; i < 130; ++i) // before the first reversal on the way
        most = fmax(most, fabs(pkm_table_get(table, i, da) - pkm_table_get(fine, 4 * i, da)));
    CHECK(most < 2e-3);
    pkm_table_free(fine);
    pkm_table_free(table);
    pkm_robot_free(robot);
}

/// By differences of the seven rows around i [m/s]; `column` is a coordinate of the tool.
static double rate_of(const pkm_table* table, int column, int i, double h)
{
    static const double weight[] = {-1.0, 9.0, -45.0, 0.0, 45.0, -9.0, 1.0};
    double sum = 0.0;
    for (int k = 0; k < 7; ++k)
        sum += weight[k] * pkm_table_get(table, i + k - 3, column);
    return sum / (60.0 * h);
}

/// The same at row i by the six that end there.
static double end_rate_of(const pkm_table* table, int column, int i, double h)
{
    static const double weight[] = {-12.0, 75.0, -200.0, 300.0, -300.0, 137.0};
    double sum = 0.0;
    for (int k = 0; k < 6; ++k)
        sum += weight[k] * pkm_table_get(table, i + k - 5, column);
    return sum / (60.0 * h);
}

/// Where nothing crosses its bearing, the velocity of the tool is the rate of its position; so at
/// the end, six rows behind a crossing, by these alone.
static void tool_velocities_are_rates_of_its_positions(void)
{
    enum { N = 1001, LAST = N - 1 };
    static pkm_seated_report report;
    pkm_robot* robot = siax("0.1 kg");
    pkm_table* table = run_siax(robot, N, &report);
    const int x = pkm_table_find(table, "P.x"), v = pkm_table_find(table, "P.vx");
    const int reversing = pkm_table_find(table, "reversing");
    const double h = 0.2 / LAST;
    int n_smooth = 0;
    for (int i = 7; i < N - 7; ++i) {
        bool is_smooth = true;
        for (int k = -7; k <= 7; ++k)
            is_smooth = is_smooth && pkm_table_get(table, i + k, reversing) == 0.0;
        for (int c = 0; is_smooth && c < 3; ++c)
            CHECK_NEAR(pkm_table_get(table, i, v + c), rate_of(table, x + c, i, h), 1e-9);
        n_smooth += is_smooth;
    }
    CHECK(n_smooth > N / 2);
    CHECK(pkm_table_get(table, LAST - 5, reversing) > 0.0);
    for (int c = 0; c < 3; ++c)
        CHECK_NEAR(pkm_table_get(table, LAST, v + c), end_rate_of(table, x + c, LAST, h), 1e-9);
    pkm_table_free(table);
    pkm_robot_free(robot);
}

/// Every reversal of SIAX happens to a rod: its two balls cross nearly together.
static void rods_reverse_with_both_balls(void)
{
    static pkm_seated_report report;
    pkm_robot* robot = siax("1e-9 kg");
    pkm_table* table = run_siax(robot, 401, &report);
    CHECK(report.n_reversal == 28);
    for (int k = 0; k + 1 < report.n_reversal; k += 2) {
        const pkm_reversal* at = report.reversal + k;
        CHECK_NEAR(at[0].t, at[1].t, 1e-12);
        CHECK(at[0].load < 10.0);
    }
    pkm_table_free(table);
    pkm_robot_free(robot);
}

/// Half the clearance, half the deviation, but for terms of second order.
static void deviations_are_linear_in_the_clearance(void)
{
    double dp[2];
    pkm_robot* robot = engine_load("siax");
    for (int k = 0; k < 2; ++k) {
        pkm_joint_clearance clearance[12];
        pkm_seat seat;
        pkm_error err = {0};
        const double c = CLEARANCE / (1 << k);
        const int n =
            clearance_in(robot, PKM_JOINT_SPHERICAL, (pkm_clearance){.radial = c}, clearance);
        const pkm_target target = {.q = {0.5, 0.2, -0.1}};
        const pkm_seat_loads loads = {.tool_force = {30.0, -20.0, 10.0}};
        CHECK(pkm_follow_target(robot, PKM_GIVEN_DRIVES, &target, "test", &err) == PKM_OK);
        CHECK(pkm_seat_create(robot, clearance, n, &seat, &err) == PKM_OK);
        pkm_seat_reset(&seat);
        CHECK(pkm_seat_solve(&seat, &target, &loads) == PKM_OK);
        const pkm_vec3 p = pkm_state_marker_pose(seat.moved->state, robot->mech->tool).p;
        const pkm_vec3 p0 = pkm_state_marker_pose(robot->state, robot->mech->tool).p;
        dp[k] = pkm_vec3_norm(pkm_vec3_sub(p, p0));
        pkm_seat_free(&seat);
    }
    CHECK(dp[0] > 1e-4);
    CHECK_NEAR(dp[0] / 2.0, dp[1], 0.02 * dp[1]);
    CHECK(fabs(dp[0] / 2.0 - dp[1]) > 1e-9); // it is not the linear answer
    pkm_robot_free(robot);
}

// ---- energy -------------------------------------------------------------------------------------

/// Weight alone at rest: the seated pose has the least potential energy of all admissible ones, to
/// second order in the clearance. `text` is a linkage; clearance in its passive joints of type
/// `type`.
static void check_least_energy(pkm_robot* robot, pkm_joint_type type, pkm_clearance law)
{
    pkm_joint_clearance clearance[16];
    pkm_seat seat;
    pkm_error err = {0};
    unsigned seed = 5;
    const int n = clearance_in(robot, type, law, clearance);
    pkm_robot_go_home(robot);
    pkm_target target = {.q = {0.0}};
    for (int d = 0; d < robot->mech->n_drive; ++d)
        target.q[d] = robot->drive_home[d];
    CHECK(n > 0 && pkm_seat_create(robot, clearance, n, &seat, &err) == PKM_OK);
    if (err.text[0]) printf("    %s\n", err.text);
    pkm_seat_reset(&seat);
    const double ideal = pkm_energy_now(robot->state).potential;
    CHECK(pkm_seat_solve(&seat, &target, &(pkm_seat_loads){.t = 0.0}) == PKM_OK);
    CHECK(seat.change < 1e-9);
    CHECK(outside(&seat.regions, seat.y) < 1e-9 * CLEARANCE + 1e-15);
    const double least = pkm_energy_now(seat.moved->state).potential, gain = ideal - least;
    CHECK(gain > 0.0);

    double best = ideal, y[80];
    for (int k = 0; k < 3000; ++k) {
        for (int p = 0; p < seat.regions.n; ++p) {
            const pkm_joint_region* item = &seat.regions.item[p];
            double f[5];
            for (int i = 0; i < 5; ++i)
                f[i] = engine_noise(&seed);
            pkm_region_extreme(&item->region, f, 0.0, y + item->y_at);
        }
        if (pkm_seat_close(&seat, &target, y) != PKM_OK) continue;
        best = fmin(best, pkm_energy_now(seat.moved->state).potential);
    }
    CHECK(best > least - 1e-3 * gain);           // none is lower
    CHECK(ideal - best > 0.5 * (ideal - least)); // and some come near
    pkm_seat_free(&seat);
    pkm_robot_free(robot);
}

static void balls_seat_where_energy_is_least(void)
{
    check_least_energy(engine_from(rssr), PKM_JOINT_SPHERICAL,
                       (pkm_clearance){.radial = CLEARANCE});
}

/// A four-bar whose joints close the loop once: balls at C, a universal joint at D. The journals of
/// B then carry force and bending moment.
static const char isostatic_bar[] =
    "pkm: 1\nname: isostatic four-bar\ngravity: [1, -9.81, 3]\n"
    "ground: {points: {A: [0, 0, 0], D: [0.4, 0, 0]}}\n"
    "bodies:\n"
    "  crank: {mass: 1, com: [0.05, 0, 0], inertia: [0.001, 0.001, 0.001],\n"
    "    points: {A: [0, 0, 0], B: [0.1, 0, 0]}, pose: {at: [0, 0, 0], rotate: {z: 60 deg}}}\n"
    "  coupler: {mass: 2, com: [0.17, 0.05, 0.04], inertia: [0.02, 0.02, 0.02],\n"
    "    points: {B: [0, 0, 0], C: [0.35, 0, 0], P: [0.2, 0.1, 0]},\n"
    "    pose: {at: [0.05, 0.1, 0], rotate: {z: 20 deg}}}\n"
    "  rocker: {mass: 1.5, com: [0.15, 0, 0], inertia: [0.01, 0.01, 0.01],\n"
    "    points: {D: [0, 0, 0], C: [0.3, 0, 0]}, pose: {at: [0.4, 0, 0], rotate: {z: 95 deg}}}\n"
    "joints:\n"
    "  A: {type: revolute, between: [ground.A, crank.A]}\n"
    "  B: {type: revolute, between: [crank.B, coupler.B]}\n"
    "  C: {type: spherical, between: [coupler.C, rocker.C]}\n"
    "  D: {type: universal, between: [ground.D, rocker.D], axis: [z, y]}\n"
    "drives: {q: {joint: A}}\n"
    "tool: coupler.P\n"
    "home: {drives: {q: 60 deg}}\n";

static void pins_seat_where_energy_is_least(void)
{
    const pkm_clearance pin = {.radial = CLEARANCE, .length = 0.05, .axial = 0.5 * CLEARANCE};
    check_least_energy(engine_from(isostatic_bar), PKM_JOINT_REVOLUTE, pin);
}

static void universal_joints_seat_where_energy_is_least(void)
{
    const pkm_clearance pin = {.radial = CLEARANCE, .length = 0.05, .axial = 0.5 * CLEARANCE};
    check_least_energy(engine_from(isostatic_bar), PKM_JOINT_UNIVERSAL, pin);
}

/// A table on a rail with a mass that hangs aside, and the same on a cylindrical rail with a stay.
static const char carriage[] =
    "pkm: 1\nname: carriage\ngravity: [2, -9.81, 0]\n"
    "ground: {points: {O: [0, 0, 0]}}\n"
    "bodies:\n"
    "  slide: {mass: 1, inertia: [0.01, 0.01, 0.01], points: {O: [0, 0, 0], A: [0, 0, 0]}}\n"
    "  cart: {mass: 3, com: [0.1, 0.02, 0.05], inertia: [0.1, 0.1, 0.1],\n"
    "    points: {O: [0, 0, 0], P: [0.2, 0, 0.1]}, pose: {at: [0, 0, 0.1]}}\n"
    "joints:\n"
    "  drive: {type: prismatic, between: [ground.O, slide.O], axis: x}\n"
    "  rail: {type: prismatic, between: [slide.A, cart.O], axis: z}\n"
    "  stay: {type: distance, between: [ground.O, cart.P]}\n"
    "drives: {q: {joint: drive}}\n"
    "tool: cart.P\n";

static void sliders_seat_where_energy_is_least(void)
{
    const pkm_clearance guide = {
        .radial = CLEARANCE, .length = 0.08, .width = 0.04, .height = 0.03};
    check_least_energy(engine_from(carriage), PKM_JOINT_PRISMATIC, guide);
}

// ---- redundant constraints ----------------------------------------------------------------------

/// The planar four-bar has three redundant constraints in space. Under loads in its plane its pins
/// lie where those of a planar mechanism do: the same as with balls at C and D instead of two pins,
/// which close the loop without redundancy (and leave the rocker's spin idle).
static void redundant_pins_seat_as_in_the_plane(void)
{
    static const char ball[] = "  B: {type: revolute, between: [crank.B, coupler.B]}\n"
                               "  C: {type: spherical, between: [coupler.C, rocker.C]}\n"
                               "  D: {type: spherical, between: [ground.D, rocker.D]}\n";
    static const char pin[] = "  B: {type: revolute, between: [crank.B, coupler.B]}\n"
                              "  C: {type: revolute, between: [coupler.C, rocker.C]}\n"
                              "  D: {type: revolute, between: [ground.D, rocker.D]}\n";
    char text[sizeof four_bar + 100];
    const char* at = strstr(four_bar, pin);
    CHECK(at != NULL);
    if (!at) return;
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - four_bar), four_bar, ball, at + strlen(pin));
    pkm_vec3 dp[2];
    for (int k = 0; k < 2; ++k) {
        pkm_robot* robot = engine_from(k ? text : four_bar);
        pkm_joint_clearance clearance[3];
        pkm_seat seat;
        pkm_error err = {0};
        int n = 0;
        for (int j = 1; j < 4; ++j) // B, C, D
            clearance[n++] =
                (pkm_joint_clearance){j, {.radial = CLEARANCE, .length = 0.05, .axial = CLEARANCE}};
        CHECK(pkm_seat_create(robot, clearance, n, &seat, &err) == PKM_OK);
        CHECK(seat.share.n_free == (k ? 0 : 3));
        const pkm_target target = {.q = {1.2}};
        CHECK(pkm_follow_target(robot, PKM_GIVEN_DRIVES, &target, "test", &err) == PKM_OK);
        pkm_seat_reset(&seat);
        CHECK(pkm_seat_solve(&seat, &target, &(pkm_seat_loads){.t = 0.0}) == PKM_OK);
        CHECK(seat.change < 1e-9);
        CHECK(seat.gap < 1e-12);
        dp[k] = pkm_vec3_sub(pkm_state_marker_pose(seat.moved->state, robot->mech->tool).p,
                             pkm_state_marker_pose(robot->state, robot->mech->tool).p);
        pkm_seat_free(&seat);
        pkm_robot_free(robot);
    }
    CHECK(pkm_vec3_norm(dp[1]) > CLEARANCE);
    CHECK_NEAR(pkm_vec3_norm(pkm_vec3_sub(dp[0], dp[1])), 0.0, 1e-5 * CLEARANCE);
}

/// Pulled out of its plane a redundant four-bar still closes: its journals go where the loops let
/// them, inside their bearings, and the tool yields to the load.
static void redundant_pins_stay_in_their_bearings(void)
{
    pkm_robot* robot = engine_from(four_bar);
    pkm_joint_clearance clearance[3];
    pkm_seat seat;
    pkm_error err = {0};
    for (int j = 0; j < 3; ++j)
        clearance[j] = (pkm_joint_clearance){
            j + 1, {.radial = CLEARANCE, .length = 0.05, .axial = 2.0 * CLEARANCE}};
    CHECK(pkm_seat_create(robot, clearance, 3, &seat, &err) == PKM_OK);
    const pkm_target target = {.q = {1.2}};
    const pkm_seat_loads loads = {.tool_force = {3.0, 1.0, 40.0}, .tool_torque = {1.0, 2.0, 0.0}};
    CHECK(pkm_follow_target(robot, PKM_GIVEN_DRIVES, &target, "test", &err) == PKM_OK);
    pkm_seat_reset(&seat);
    CHECK(pkm_seat_solve(&seat, &target, &loads) == PKM_OK);
    CHECK(seat.change < 1e-8);
    CHECK(seat.gap < 1e-9);
    CHECK(outside(&seat.regions, seat.y) < 1e-12);
    const double dz = pkm_state_marker_pose(seat.moved->state, robot->mech->tool).p.z -
                      pkm_state_marker_pose(robot->state, robot->mech->tool).p.z;
    CHECK(dz > CLEARANCE);
    pkm_seat_free(&seat);
    pkm_robot_free(robot);
}

/// Clearance of nothing is the ideal robot, also where constraints are redundant; and clearance in
/// one joint of redundant loops moves only as far as the others, without clearance, let it.
static void without_clearance_nothing_moves(void)
{
    static const char* const name[] = {"siax", "five-bar", "five-bar"};
    for (int k = 0; k < 3; ++k) {
        pkm_robot* robot = engine_load(name[k]);
        pkm_joint_clearance clearance[12];
        pkm_seat seat;
        pkm_error err = {0};
        const pkm_clearance none = {.radial = k == 2 ? CLEARANCE : 0.0, .length = 0.05};
        const int n =
            clearance_in(robot, k ? PKM_JOINT_REVOLUTE : PKM_JOINT_SPHERICAL, none, clearance);
        pkm_target target = {.q = {0.0}};
        for (int d = 0; d < robot->mech->n_drive; ++d)
            target.q[d] = robot->drive_home[d];
        CHECK(pkm_seat_create(robot, clearance, k == 2 ? 1 : n, &seat, &err) == PKM_OK);
        pkm_seat_reset(&seat);
        const pkm_seat_loads loads = {.tool_force = {1.0, 2.0, 3.0}};
        CHECK(pkm_seat_solve(&seat, &target, &loads) == PKM_OK);
        CHECK(seat.change < 1e-12);
        const pkm_vec3 p = pkm_state_marker_pose(seat.moved->state, robot->mech->tool).p;
        const double off = pkm_vec3_norm(pkm_vec3_sub(p, robot->tool_home.p));
        if (k < 2) CHECK(off < 1e-12);
        if (k == 2) { // in the plane only: out of it the other joints hold
            CHECK(off > 0.1 * CLEARANCE && fabs(p.z - robot->tool_home.p.z) < 1e-6 * CLEARANCE);
            CHECK(seat.gap < 1e-11);
        }
        pkm_seat_free(&seat);
        pkm_robot_free(robot);
    }
}

/// What a run refuses, in one sentence.
static void runs_refuse_what_is_not_quasi_static(void)
{
    static pkm_seated_report report;
    pkm_robot* robot = engine_load("siax");
    pkm_joint_clearance clearance[12];
    const int n =
        clearance_in(robot, PKM_JOINT_SPHERICAL, (pkm_clearance){.radial = CLEARANCE}, clearance);
    pkm_sim_settings settings = pkm_sim_settings_defaults();
    pkm_error err = {0};
    pkm_table* table = pkm_table_create();
    CHECK(pkm_seated_run(robot, &settings, clearance, n, table, &report, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "motion");
    settings.motion = 0;
    settings.drive[1].kind = PKM_DRIVE_FREE;
    CHECK(pkm_seated_run(robot, &settings, clearance, n, table, &report, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "qB");
    pkm_table_free(table);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(tool_velocities_are_rates_of_its_positions);
    RUN(massless_rods_drop_by_geometry);
    RUN(siax_meets_the_contact_simulation_where_that_is_repeatable);
    RUN(derivatives_hold_between_reversals);
    RUN(rods_reverse_with_both_balls);
    RUN(deviations_are_linear_in_the_clearance);
    RUN(balls_seat_where_energy_is_least);
    RUN(pins_seat_where_energy_is_least);
    RUN(universal_joints_seat_where_energy_is_least);
    RUN(sliders_seat_where_energy_is_least);
    RUN(redundant_pins_seat_as_in_the_plane);
    RUN(redundant_pins_stay_in_their_bearings);
    RUN(without_clearance_nothing_moves);
    RUN(runs_refuse_what_is_not_quasi_static);
    return check_report();
}
