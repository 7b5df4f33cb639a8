// Cartesian stiffness: rods as springs by hand, drives in series, energy, maps.
#include "engine.h"
#include "linear/stiffness.h"
#include "pkm/kinematics.h"
#include "run/run.h"

static const double PI = 3.14159265358979323846, DEG = 3.14159265358979323846 / 180.0;

/// The stiffness of a robot where it stands.
static pkm_stiffness stiffness_of(pkm_robot* robot, const char* flexible, double drives,
                                  pkm_vec3 force)
{
    pkm_run* run = NULL;
    pkm_elastic* elastic = NULL;
    pkm_stiffness s = {0};
    pkm_error err = {0};
    pkm_elastic_settings settings = {0};
    for (int d = 0; d < robot->mech->n_drive && drives > 0.0; ++d)
        settings.drive[d] = (pkm_elastic_drive){PKM_ELASTIC_SPRING, drives, 0.0};
    pkm_status status = pkm_run_create(robot, &run, &err);
    if (status == PKM_OK) status = pkm_run_set(run, "flexible", flexible, "flexible", &err);
    if (status == PKM_OK) settings.effects = &run->effects;
    if (status == PKM_OK) status = pkm_elastic_create(robot, &settings, &elastic, &err);
    if (status == PKM_OK) status = pkm_elastic_place(elastic, robot->state, &err);
    if (status == PKM_OK)
        status = pkm_stiffness_at(elastic, force, (pkm_vec3){0.0, 0.0, 0.0}, &s, &err);
    if (status != PKM_OK) printf("    %s\n", err.text);
    CHECK(status == PKM_OK);
    pkm_elastic_free(elastic);
    pkm_run_free(run);
    return s;
}

static void pose(pkm_robot* siax)
{
    pkm_instant at = {.q = {70 * DEG, 41 * DEG, -36 * DEG}};
    CHECK(pkm_kinematics_forward(siax, PKM_START_HOME, &at, NULL) == PKM_OK);
}

static const char rods[] = "{left: {}, right: {}}";

/// Rods between balls carry axial forces only: K = sum EA/L w w', w = (u, r x u) from the geometry
/// of the six joints.
static void siax_rods_are_axial_springs(void)
{
    static const char* const joint[6] = {"A.left2",  "A.right2", "B.left2",
                                         "B.right2", "C.left2",  "C.right2"};
    pkm_robot* siax = engine_load("siax");
    const double R = 0.01, r = R - 0.648e-3, EA = 207e9 * PI * (R * R - r * r), L = 1.106;
    for (int k = 0; k < 2; ++k) {
        if (k) pose(siax);
        double K[36] = {0};
        const pkm_vec3 P = pkm_state_marker_pose(siax->state, siax->mech->tool).p;
        for (int i = 0; i < 6; ++i) {
            const pkm_joint* end =
                &siax->mech->joint[pkm_mechanism_find_joint(siax->mech, joint[i])];
            const pkm_body_state* rod = &siax->state->body[end->body_a];
            const pkm_vec3 B = pkm_vec3_add(rod->p, pkm_mat3_mul(rod->R, end->frame_a.p));
            const pkm_vec3 u = rod->R.x, arm = pkm_vec3_cross(pkm_vec3_sub(B, P), u);
            const double w[6] = {u.x, u.y, u.z, arm.x, arm.y, arm.z};
            for (int e = 0; e < 36; ++e)
                K[e] += EA / L * w[e % 6] * w[e / 6];
        }
        const pkm_stiffness s = stiffness_of(siax, rods, 0.0, (pkm_vec3){0.0, 0.0, 0.0});
        CHECK(s.has_K);
        for (int e = 0; e < 36; ++e)
            CHECK_NEAR(s.K[e], K[e], 1e-7 * sqrt(K[7 * (e % 6)] * K[7 * (e / 6)]));
    }
    pkm_robot_free(siax);
}

/// Elastic drives are in series with the rods: C = C_rods + J J' / k.
static void elastic_drives_are_in_series(void)
{
    pkm_robot* siax = engine_load("siax");
    pose(siax);
    const double k = 5e4;
    const pkm_vec3 none = {0.0, 0.0, 0.0};
    pkm_dexterity d;
    CHECK(pkm_dexterity_at(siax, &d, NULL) == PKM_OK);
    const pkm_stiffness stiff = stiffness_of(siax, rods, 0.0, none);
    const pkm_stiffness soft = stiffness_of(siax, rods, k, none);
    for (int e = 0; e < 36; ++e) {
        double series = stiff.C[e];
        for (int i = 0; i < 3; ++i)
            series += d.J[6 * i + e % 6] * d.J[6 * i + e / 6] / k;
        CHECK_NEAR(soft.C[e], series, 1e-8 * sqrt(soft.C[7 * (e % 6)] * soft.C[7 * (e / 6)]));
    }
    pkm_robot_free(siax);
}

/// Deflection is C f, shares sum to 1, principal directions are eigenvectors.
static void numbers_belong_together(void)
{
    pkm_robot* siax = engine_load("siax");
    pose(siax);
    const pkm_vec3 f = {30.0, -20.0, 50.0};
    const pkm_stiffness s = stiffness_of(siax, rods, 1e5, f);
    double share = 0.0;
    for (int i = 0; i < 6; ++i) {
        const double expected = s.C[i] * f.x + s.C[6 + i] * f.y + s.C[12 + i] * f.z;
        CHECK_NEAR(s.deflection[i], expected, 1e-12 * fabs(s.C[7 * i]) * 100.0);
    }
    for (int k = 0; k < s.n_share; ++k) {
        share += s.share[k].share;
        if (k) CHECK(s.share[k].share <= s.share[k - 1].share);
    }
    CHECK_NEAR(share, 1.0, 1e-9); // six rods and the drives: all shares are listed
    for (int k = 0; k < 3; ++k) {
        const pkm_vec3 a = s.shift.axis[k];
        CHECK_NEAR(pkm_vec3_norm(a), 1.0, 1e-12);
        CHECK_NEAR(s.C[0] * a.x + s.C[6] * a.y + s.C[12] * a.z, s.shift.compliance[k] * a.x,
                   1e-9 * s.shift.compliance[0]);
        if (k) CHECK(s.shift.compliance[k] <= s.shift.compliance[k - 1]);
    }
    pkm_robot_free(siax);
}

/// Of the two directions of an axis that one is told whose largest component is positive.
static void check_points_forward(pkm_vec3 a)
{
    const double most = fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z)));
    CHECK(most > 0.0 && (a.x == most || a.y == most || a.z == most));
}

static void axes_point_to_their_positive_side(void)
{
    pkm_robot* siax = engine_load("siax");
    for (int k = 0; k < 2; ++k) {
        if (k) pose(siax);
        const pkm_stiffness s = stiffness_of(siax, rods, 1e5, (pkm_vec3){0.0, 0.0, 1.0});
        for (int i = 0; i < 3; ++i) {
            check_points_forward(s.shift.axis[i]);
            check_points_forward(s.turn.axis[i]);
        }
    }
    pkm_robot_free(siax);
}

/// A cantilever: d = F L^3 / 3 E I across, F L / EA along, turn F L^2 / 2 E I.

static void a_cantilever_is_the_textbook_one(void)
{
    static const char text[] =
        "pkm: 1\nname: beam\ngravity: [0, 0, -10]\n"
        "materials: {steel: {density: 8000, young: 200e9, poisson: 0.25}}\n"
        "ground: {points: {A: [0, 0, 0]}}\n"
        "bodies:\n"
        "  beam: {points: {A: [0, 0, 0], B: [1, 0, 0]},\n"
        "    shape: {box: {center: [0.5, 0, 0], size: [1 m, 20 mm, 10 mm]}, material: steel}}\n"
        "joints: {A: {type: fixed, between: [ground.A, beam.A]}}\n"
        "tool: beam.B\n";
    pkm_robot* robot = engine_build(engine_parse(text));
    const double E = 200e9, A = 2e-4, Iy = 0.02 * 1e-6 / 12.0, Iz = 0.01 * 8e-6 / 12.0;
    const pkm_stiffness s = stiffness_of(robot, "beam: {}", 0.0, (pkm_vec3){0.0, 0.0, 1.0});
    CHECK_NEAR(s.C[0], 1.0 / (E * A), 1e-9 / (E * A));
    CHECK_NEAR(s.C[7], 1.0 / (3.0 * E * Iz), 1e-9 / (E * Iz));
    CHECK_NEAR(s.C[14], 1.0 / (3.0 * E * Iy), 1e-9 / (E * Iy));
    CHECK_NEAR(s.C[12 + 4], -1.0 / (2.0 * E * Iy), 1e-9 / (E * Iy)); // ry = -w'
    CHECK_NEAR(s.share[0].share, 1.0, 1e-12);
    CHECK(s.share[0].kind == PKM_STRAIN_BENDING);
    CHECK_NEAR(s.sag[2], -8000.0 * A * 10.0 / (8.0 * E * Iy), 1e-9 / (E * Iy)); // q L^4 / 8 E I
    pkm_robot_free(robot);
}

/// A body on a ball joint held by a bushing turned against it: turns yield by 1/k about its axes.
static void bushings_hold(void)
{
    static const char text[] =
        "pkm: 1\nname: body\ngravity: [0, 0, 0]\n"
        "ground: {points: {A: [0, 0, 0]}, frames: {F: {at: [0, 0, 0], rotate: {z: 90 deg}}}}\n"
        "bodies:\n"
        "  body: {mass: 1, inertia: [1, 1, 1], points: {A: [0, 0, 0]},\n"
        "    frames: {F: {at: [0, 0, 0], rotate: {z: 90 deg}}}}\n"
        "joints: {A: {type: spherical, between: [ground.A, body.A]}}\n"
        "tool: body.A\n";
    pkm_robot* robot = engine_build(engine_parse(text));
    pkm_run* run = NULL;
    pkm_elastic* elastic = NULL;
    pkm_stiffness s;
    pkm_error err = {0};
    CHECK(pkm_run_create(robot, &run, &err) == PKM_OK);
    CHECK(pkm_run_set(run, "loads",
                      "b: {bushing: {stiffness: [1, 1, 1, 10, 20, 40], damping: [0, 0, 0, 0, 0, "
                      "0]}, between: [ground.F, body.F]}",
                      "loads", &err) == PKM_OK);
    const pkm_elastic_settings settings = {.effects = &run->effects};
    CHECK(pkm_elastic_create(robot, &settings, &elastic, &err) == PKM_OK);
    CHECK(pkm_elastic_place(elastic, robot->state, &err) == PKM_OK);
    CHECK(pkm_stiffness_at(elastic, (pkm_vec3){0}, (pkm_vec3){0}, &s, &err) == PKM_OK);
    CHECK_NEAR(s.C[7 * 4], 0.1, 1e-12); // x of the frame is y of the world
    CHECK_NEAR(s.C[7 * 3], 0.05, 1e-12);
    CHECK_NEAR(s.C[7 * 5], 0.025, 1e-12);
    CHECK(!s.has_K && s.C[0] == 0.0); // the ball does not shift
    pkm_elastic_free(elastic);
    pkm_run_free(run);
    pkm_robot_free(robot);
}

static void a_map_is_the_stiffness_of_its_points(void)
{
    pkm_robot* siax = engine_load("siax");
    pkm_run* run = NULL;
    pkm_error err = {0};
    CHECK(pkm_run_create(siax, &run, &err) == PKM_OK);
    CHECK(pkm_run_set(run, "flexible", rods, "flexible", &err) == PKM_OK);
    const pkm_modes_sweep sweep = {.elastic.effects = &run->effects,
                                   .elastic.tool_force = {0.0, 0.0, -10.0}};
    const pkm_workspace_grid grid = {{-0.2, 0.0, -0.95}, {0.2, 3.0, -0.95}, {3, 2, 1}};
    pkm_table* table = pkm_table_create();
    CHECK(pkm_stiffness_map(siax, &sweep, &grid, table, &err) == PKM_OK);
    CHECK(pkm_table_n_row(table) == 6);
    for (int i = 0; i < 6; ++i) {
        const bool is_reached = i < 3; // the second row is 3 m away
        CHECK(pkm_table_get(table, i, 3) == is_reached);
        if (!is_reached) continue;
        pkm_instant at = {.tool.pose.p = pkm_workspace_grid_point(&grid, i)};
        CHECK(pkm_kinematics_inverse(siax, PKM_START_HOME, &at, NULL) == PKM_OK);
        const pkm_stiffness s = stiffness_of(siax, rods, 0.0, (pkm_vec3){0.0, 0.0, -10.0});
        CHECK_NEAR(pkm_table_get(table, i, 4) * s.shift.compliance[0], 1.0, 1e-7);
        CHECK_NEAR(pkm_table_get(table, i, 10), s.deflection[2], 1e-7 * fabs(s.deflection[2]));
    }
    pkm_table_free(table);
    pkm_run_free(run);
    pkm_robot_free(siax);
}

int main(void)
{
    RUN(siax_rods_are_axial_springs);
    RUN(elastic_drives_are_in_series);
    RUN(numbers_belong_together);
    RUN(axes_point_to_their_positive_side);
    RUN(a_cantilever_is_the_textbook_one);
    RUN(bushings_hold);
    RUN(a_map_is_the_stiffness_of_its_points);
    return check_report();
}
