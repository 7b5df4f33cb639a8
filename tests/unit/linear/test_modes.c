// Natural frequencies at a pose: references, energies, static forces, damping, response.
#include "base/memory.h"
#include "engine.h"
#include "flexible/body.h"
#include "linear/linear_result.h"
#include "linear/modes.h"
#include "linear/modes_report.h"
#include "math/eigen.h"
#include "pkm/inverse.h"
#include "run/run.h"

#include <lapacke.h>

static const double PI = 3.14159265358979323846, DEG = 3.14159265358979323846 / 180.0;

/// A model at a pose with its modes.
typedef struct solved {
    pkm_run* run;
    pkm_elastic* elastic;
    pkm_modes* modes;
} solved;

static void solved_free(solved* s)
{
    pkm_modes_free(s->modes);
    pkm_elastic_free(s->elastic);
    pkm_run_free(s->run);
}

/// The modes of `robot` where it stands; `flexible` as in a run file, NULL: none.
static solved solve(pkm_robot* robot, const char* flexible, pkm_elastic_settings settings, int n)
{
    solved s = {0};
    pkm_error err = {0};
    pkm_status status = pkm_run_create(robot, &s.run, &err);
    if (status == PKM_OK && flexible)
        status = pkm_run_set(s.run, "flexible", flexible, "flexible", &err);
    if (status == PKM_OK) {
        settings.effects = &s.run->effects;
        status = pkm_modes_at(robot, &settings, n, &s.elastic, &s.modes, &err);
    }
    if (status != PKM_OK) printf("    %s\n", err.text);
    CHECK(status == PKM_OK);
    return s;
}

static pkm_elastic_settings with_springs(double stiffness)
{
    pkm_elastic_settings s = {0};
    for (int d = 0; d < PKM_MAX_DRIVE; ++d)
        s.drive[d] = (pkm_elastic_drive){PKM_ELASTIC_SPRING, stiffness, 0.0};
    return s;
}

static void go_to(pkm_robot* robot, double x, double y, double z)
{
    pkm_instant at = {.tool.pose = {{x, y, z}, {0, 0, 0, 0}}};
    CHECK(pkm_kinematics_inverse(robot, PKM_START_HOME, &at, NULL) == PKM_OK);
}

// ---- Kuo's Delta: the physical assembly, two independent codes, 1e-6 ---------------------------

#define KUO(spec) "{crank: {elements: " spec "}, rod: {elements: " spec "}}"

static void check_kuo(pkm_robot* kuo, const char* flexible, const double* expected, double tol)
{
    solved s = solve(kuo, flexible, (pkm_elastic_settings){0}, 9);
    for (int k = 0; k < 9 && s.modes; ++k)
        CHECK_NEAR(s.modes->omega[k], expected[k], tol);
    solved_free(&s);
}

static void kuo_meets_its_table(void)
{
    static const double one[9] = {20.557313, 22.564866,  24.984932,  54.151658, 62.118751,
                                  63.043136, 111.520715, 122.451762, 123.342727};
    static const double two[9] = {20.554913, 22.563543,  24.983370,  53.988346, 61.920631,
                                  62.837764, 111.348942, 121.361606, 121.929106};
    static const double eight[9] = {20.554741, 22.563406,  24.983196,  53.976818, 61.903805,
                                    62.820046, 111.307952, 121.288789, 121.843923};
    static const double converged[9] = {20.554741, 22.563405,  24.983196,  53.976772, 61.903735,
                                        62.819972, 111.307760, 121.288500, 121.843590};
    static const double st_venant[9] = {20.547548, 22.523148,  24.930995,  53.319091, 61.775503,
                                        62.756369, 104.508800, 113.193876, 114.577137};
    static const double middle[9] = {20.711306, 24.150859,  24.150859,  53.972634, 62.401164,
                                     62.401164, 111.597781, 121.245954, 121.245954};
    const double digit = 1.1e-6; // the table is printed to 1e-6
    pkm_robot* kuo = engine_load("kuo");
    go_to(kuo, 0.1, 0.0, 0.5);
    check_kuo(kuo, KUO("1, torsion: polar"), one, digit);
    check_kuo(kuo, KUO("2, torsion: polar"), two, digit);
    check_kuo(kuo, KUO("8, torsion: polar"), eight, digit);
    check_kuo(kuo, KUO("4, torsion: polar, shape: cubic-quintic"), converged, digit);
    check_kuo(kuo, KUO("4, shape: cubic-quintic"), st_venant, 6e-6); // J printed to six digits
    go_to(kuo, 0.0, 0.0, 0.5);
    check_kuo(kuo, KUO("4, torsion: polar, shape: cubic-quintic"), middle, digit);
    pkm_robot_free(kuo);
}

/// Static sag under gravity along +z, four elements: all printed digits of the reference.
static void kuo_sags_as_the_reference(void)
{
    pkm_robot* kuo = engine_load("kuo");
    const double expected[2][2] = {{25.2697e-3, 0.0}, {25.53716e-3, 0.843601e-3}};
    for (int k = 0; k < 2; ++k) {
        go_to(kuo, 0.1 * k, 0.0, 0.5);
        solved s = solve(kuo, KUO("4, torsion: polar"), (pkm_elastic_settings){0}, 1);
        const size_t n = (size_t)pkm_elastic_most(s.elastic);
        double *f = pkm_alloc(2 * n, sizeof *f), *x = f + n;
        pkm_vec3 d, r;
        pkm_elastic_add_weight(s.elastic, f);
        CHECK(pkm_elastic_solve(s.elastic, f, x, NULL) == PKM_OK);
        pkm_elastic_marker_motion(s.elastic, kuo->mech->tool, x, &d, &r);
        CHECK_NEAR(d.z, expected[k][0], k ? 5e-9 : 5e-8);
        CHECK_NEAR(d.x, expected[k][1], 5e-10);
        CHECK_NEAR(r.y / DEG, k ? 0.998962 : 0.0, 5e-7);
        pkm_free(f);
        solved_free(&s);
    }
    pkm_robot_free(kuo);
}

// ---- SIAX -------------------------------------------------------------------------------------

static const char rods[] = "{left: {}, right: {}}";

static void check_siax(pkm_robot* siax, bool is_reduced, const double (*expected)[2], int n)
{
    solved s = solve(siax, rods, (pkm_elastic_settings){.is_reduced = is_reduced}, 22);
    for (int k = 0; k < n && s.modes; ++k)
        CHECK_NEAR(s.modes->omega[(int)expected[k][0]] / (2.0 * PI), expected[k][1],
                   1e-3 * expected[k][1]);
    CHECK(pkm_elastic_idle(s.elastic) == 6);
    solved_free(&s);
}

/// Start: 44.73 twice, 45.08, 45.27 ..., 137.44 twice, 177.42 Hz; end: 37.03, 43.98, 45.07
/// ... 50.89, 65.98, 163.07 Hz. The six rods have twelve bending modes about 45 Hz.
static void siax_meets_the_reference(void)
{
    static const double start[][2] = {{0, 44.73},   {1, 44.73},   {2, 45.08},  {3, 45.27},
                                      {12, 137.44}, {13, 137.44}, {14, 177.42}};
    static const double end[][2] = {{0, 37.03},  {1, 43.98},  {2, 45.07},
                                    {12, 50.89}, {13, 65.98}, {14, 163.07}};
    pkm_robot* siax = engine_load("siax");
    for (int reduced = 0; reduced < 2; ++reduced) {
        pkm_robot_go_home(siax);
        check_siax(siax, reduced, start, 7);
        pkm_instant at = {.q = {70 * DEG, 41 * DEG, -36 * DEG}};
        CHECK(pkm_kinematics_forward(siax, PKM_START_HOME, &at, NULL) == PKM_OK);
        check_siax(siax, reduced, end, 6);
    }
    pkm_robot_free(siax);
}

/// Twenty modes and the static correction stand for the whole mesh: 1e-6 up to 180 Hz.
static void reduced_links_give_the_same_frequencies(void)
{
    pkm_robot* siax = engine_load("siax");
    pkm_instant at = {.q = {70 * DEG, 41 * DEG, -36 * DEG}};
    CHECK(pkm_kinematics_forward(siax, PKM_START_HOME, &at, NULL) == PKM_OK);
    solved a = solve(siax, rods, (pkm_elastic_settings){0}, 22);
    solved b = solve(siax, rods, (pkm_elastic_settings){.is_reduced = true}, 22);
    solved c = solve(siax, "{left: {modes: full}, right: {modes: full, damping: 1 %}}",
                     (pkm_elastic_settings){0}, 22);
    CHECK(pkm_elastic_size(b.elastic) < pkm_elastic_size(a.elastic));
    for (int k = 0; k < 22; ++k) {
        CHECK_NEAR(b.modes->omega[k], a.modes->omega[k], 1e-6 * a.modes->omega[k]);
        CHECK_NEAR(c.modes->omega[k], a.modes->omega[k], 1e-8 * a.modes->omega[k]);
    }
    solved_free(&a);
    solved_free(&b);
    solved_free(&c);
    pkm_robot_free(siax);
}

static double cell(const pkm_table* table, int row, const char* item, const char* quantity)
{
    const int column = pkm_table_find_item(table, item, quantity);
    CHECK(column != PKM_NONE);
    return pkm_table_get(table, row, column);
}

// The table of the modes: shares of the parts sum to those of the mode, kinetic ones to 1; where
// only a link is flexible, no other part is strained.
static void the_table_of_shares_adds_up(void)
{
    static const char* const kind[] = {"axial", "bending", "torsion"};
    pkm_robot* siax = engine_load("siax");
    solved s = solve(siax, rods, with_springs(2e4), 6);
    pkm_table* table = pkm_table_create();
    CHECK(pkm_modes_report(s.elastic, s.modes, table, NULL) == PKM_OK);
    CHECK(pkm_table_n_row(table) == 6);
    for (int k = 0; k < pkm_table_n_row(table); ++k) {
        double sum[4] = {0.0, 0.0, 0.0, 0.0};
        for (int p = 0; p < pkm_elastic_parts(s.elastic); ++p) {
            const char* name = pkm_elastic_part_name(s.elastic, p);
            for (int i = 0; i < 3; ++i) {
                const double share = cell(table, k, name, kind[i]);
                if (!strstr(name, "left") && !strstr(name, "right")) CHECK_NEAR(share, 0.0, 1e-12);
                sum[i] += share;
            }
            sum[3] += cell(table, k, name, "kinetic");
        }
        for (int i = 0; i < 3; ++i)
            CHECK_NEAR(sum[i], pkm_table_get(table, k, pkm_table_find(table, kind[i])), 1e-12);
        CHECK_NEAR(sum[3], 1.0, 1e-12);
        CHECK_NEAR(pkm_table_get(table, k, 2), 2.0 * PI * pkm_table_get(table, k, 1), 1e-9);
    }
    pkm_table_free(table);
    solved_free(&s);
    pkm_robot_free(siax);
}

/// Links that share a mode bit for bit are named one by one.
static void equal_shares_are_all_named(void)
{
    pkm_robot* siax = engine_load("siax");
    solved s = solve(siax, rods, (pkm_elastic_settings){0}, 1);
    double* strain = s.modes->strain;
    char text[160], expected[160];
    for (int i = 0; i < 3 * s.modes->n_part; ++i)
        strain[i] = i == 1 || i == 4 ? 0.3 : i == 3 ? 0.4 : 0.0;
    pkm_modes_culprits(s.elastic, s.modes, 0, 4, text, sizeof text);
    const char *first = pkm_elastic_part_name(s.elastic, 0),
               *second = pkm_elastic_part_name(s.elastic, 1);
    snprintf(expected, sizeof expected, "%s stretch 40%%, %s bending 30%%, %s bending 30%%", second,
             first, second);
    CHECK_TEXT(text, expected);
    solved_free(&s);
    pkm_robot_free(siax);
}

static void energy_shares_sum_to_one(void)
{
    pkm_robot* siax = engine_load("siax");
    pkm_elastic_settings settings = with_springs(2e4);
    solved s = solve(siax, rods, settings, 20);
    const pkm_modes* m = s.modes;
    double drives = 0.0;
    for (int k = 0; k < m->n_mode; ++k) {
        double strain = m->drives[k] + m->springs[k], kinetic = 0.0;
        for (int i = 0; i < 3 * m->n_part; ++i) {
            CHECK(m->strain[3 * m->n_part * k + i] >= -1e-12);
            strain += m->strain[3 * m->n_part * k + i];
        }
        for (int i = 0; i < m->n_part; ++i)
            kinetic += m->kinetic[m->n_part * k + i];
        CHECK_NEAR(strain, 1.0, 1e-12);
        CHECK_NEAR(kinetic, 1.0, 1e-12);
        CHECK_NEAR(m->prestress[k], 0.0, 1e-6); // strain energy is half of omega^2
        drives += m->drives[k];
    }
    CHECK(drives > 1.0);
    solved_free(&s);
    pkm_robot_free(siax);
}

// ---- the five-bar as one mesh, by hand ---------------------------------------------------------

enum { PIECES = 3 };

/// A bar of the five-bar between two points, y of its section in the plane; its end nodes.
static void add_bar(pkm_beam_mesh* mesh, pkm_vec3 from, pkm_vec3 to, double width, double height,
                    int node[2])
{
    pkm_beam_section section;
    CHECK(pkm_beam_section_rectangle(width, height, PKM_BEAM_TORSION_ST_VENANT, &section, NULL) ==
          PKM_OK);
    pkm_beam_line line =
        pkm_beam_line_make(from, to, PIECES, &section, pkm_beam_material_make(70e9, 0.33, 2700.0));
    line.y = pkm_vec3_cross((pkm_vec3){0.0, 0.0, 1.0}, pkm_vec3_sub(to, from));
    int index;
    CHECK(pkm_beam_mesh_add_line(mesh, &line, &index, NULL) == PKM_OK);
    node[0] = pkm_beam_mesh_line_node(mesh, index, 0);
    node[1] = pkm_beam_mesh_line_node(mesh, index, PIECES);
}

/// Cranks clamped to the ground, links pinned to them and to each other: followers with one free
/// rotation instead of constraint rows. Loops, redundant constraints and a payload, both ways.
static void the_five_bar_is_one_mesh_with_pins(void)
{
    const pkm_vec3 z = {0.0, 0.0, 1.0}, P = {0.0, 0.135, 0.0}, none = {0.0, 0.0, 0.0};
    const pkm_mat3 point = {none, none, none};
    const double d = 0.118, l = 0.09, chord = hypot(d / 2, 0.135), along = chord / 2;
    const double bow = sqrt(l * l - along * along);
    const pkm_vec3 elbow = {-d / 2 + (along * d / 2 - bow * 0.135) / chord,
                            (along * 0.135 + bow * d / 2) / chord, 0.0};
    pkm_beam_mesh* mesh = NULL;
    CHECK(pkm_beam_mesh_create(PKM_BEAM_LINEAR_CUBIC, PKM_BEAM_EULER, &mesh) == PKM_OK);
    int link[2][2], crank[2];
    for (int side = 0; side < 2; ++side) {
        const double s = side ? -1.0 : 1.0;
        const pkm_vec3 C = {s * elbow.x, elbow.y, 0.0};
        add_bar(mesh, (pkm_vec3){-s * d / 2, 0.0, 0.0}, C, 0.02, 0.008, crank);
        add_bar(mesh, C, P, 0.016, 0.006, link[side]);
        CHECK(pkm_beam_mesh_fix(mesh, crank[0], PKM_BEAM_FIX_ALL, NULL) == PKM_OK);
        CHECK(pkm_beam_mesh_follow(mesh, link[side][0], crank[1], 1, &z, NULL) == PKM_OK);
    }
    CHECK(pkm_beam_mesh_follow(mesh, link[1][1], link[0][1], 1, &z, NULL) == PKM_OK);
    CHECK(pkm_beam_mesh_add_mass(mesh, link[0][1], 0.2, none, point, NULL) == PKM_OK);
    CHECK(pkm_beam_mesh_finish(mesh, NULL) == PKM_OK);
    const int n = pkm_beam_mesh_size(mesh);
    double *K = pkm_alloc((size_t)(2 * n * n), sizeof *K), *M = K + n * n, lambda[10];
    pkm_eigen* eigen = NULL;
    pkm_beam_mesh_stiffness(mesh, K);
    pkm_beam_mesh_mass(mesh, M);
    CHECK(pkm_eigen_create(n, &eigen) == PKM_OK);
    CHECK(pkm_eigen_lowest(eigen, n, K, M, 10, lambda, NULL) == PKM_OK);

    pkm_robot* robot = engine_load("five-bar");
    solved s = solve(robot, "'*': {elements: 3}", (pkm_elastic_settings){0}, 10);
    CHECK(pkm_elastic_size(s.elastic) == n);
    for (int k = 0; k < 10; ++k)
        CHECK_NEAR(s.modes->omega[k], sqrt(lambda[k]), 1e-8 * s.modes->omega[k]);
    solved_free(&s);
    pkm_robot_free(robot);
    pkm_eigen_free(eigen);
    pkm_free(K);
    pkm_beam_mesh_free(mesh);
}

// ---- rigid robots: drives with springs --------------------------------------------------------

/// Largest generalised eigenvalues of small symmetric matrices, rising.
static void small_eigenvalues(int n, double* K, double* M, double* lambda)
{
    CHECK(LAPACKE_dsygv(LAPACK_COL_MAJOR, 1, 'N', 'L', n, K, n, M, n, lambda) == 0);
}

static void drive_forces(pkm_robot* robot, const double* q, const double* a, double* force)
{
    pkm_instant now = {0};
    memcpy(now.q, q, sizeof now.q);
    if (a) memcpy(now.a, a, sizeof now.a);
    CHECK(pkm_inverse_at(robot, PKM_METHOD_ENGINE, &now, NULL) == PKM_OK);
    memcpy(force, now.force, sizeof now.force);
}

/// Mass matrix and stiffness of the weight in drive space, from inverse dynamics: M = d tau / d a,
/// K = d tau / d q (central differences).
static void drive_space(pkm_robot* robot, const double* q0, double* M, double* K)
{
    const int n = robot->mech->n_drive;
    const double h = 2e-5;
    double f0[PKM_MAX_DRIVE], f1[PKM_MAX_DRIVE], f2[PKM_MAX_DRIVE];
    for (int i = 0; i < n; ++i) {
        double a[PKM_MAX_DRIVE] = {0}, q[PKM_MAX_DRIVE];
        a[i] = 1.0;
        drive_forces(robot, q0, NULL, f0);
        drive_forces(robot, q0, a, f1);
        for (int k = 0; k < n; ++k)
            M[n * i + k] = f1[k] - f0[k];
        memcpy(q, q0, sizeof q);
        q[i] = q0[i] + h;
        drive_forces(robot, q, NULL, f1);
        q[i] = q0[i] - h;
        drive_forces(robot, q, NULL, f2);
        for (int k = 0; k < n; ++k)
            K[n * i + k] = (f1[k] - f2[k]) / (2.0 * h);
    }
    drive_forces(robot, q0, NULL, f0); // back to the pose
}

/// The stiffness of the weight, with all reactions in joints of every kind, is what inverse
/// dynamics says: the frequencies of the rigid robot on springs agree.
static void static_forces_stiffen_as_inverse_dynamics_says(void)
{
    static const char* const names[] = {"siax",      "kuo",      "prrr2prpar",   "isoglideT3",
                                        "isoglide4", "lindelta", "3pprs",        "3ppsr",
                                        "irb340",    "triglide", "gough-stewart"};
    for (size_t r = 0; r < sizeof names / sizeof names[0]; ++r) {
        pkm_robot* robot = engine_load(names[r]);
        const int n = robot->mech->n_drive;
        double M[PKM_MAX_DRIVE * PKM_MAX_DRIVE], K[PKM_MAX_DRIVE * PKM_MAX_DRIVE];
        double lambda[PKM_MAX_DRIVE], q[PKM_MAX_DRIVE], bare = 0.0, change = 0.0;
        memcpy(q, robot->drive_home, sizeof q);
        for (int d = 0; d < n; ++d)
            q[d] += 0.002 * (d + 1); // off symmetric poses
        drive_space(robot, q, M, K);
        // Springs as soft as the weight lets them be, so that it matters.
        double k = 0.0;
        for (int i = 0; i < n * n; ++i)
            k = fmax(k, 5.0 * fabs(K[i]));
        if (k < 1.0) k = 100.0;
        for (int i = 0; i < n; ++i)
            K[n * i + i] += k;
        small_eigenvalues(n, K, M, lambda);
        pkm_elastic_settings settings = with_springs(k);
        solved b = solve(robot, NULL, settings, n);
        settings.is_weighted = true;
        solved s = solve(robot, NULL, settings, n);
        for (int i = 0; s.modes && b.modes && i < n; ++i) {
            const double omega = s.modes->omega[i];
            CHECK_NEAR(omega * omega, lambda[i], 1e-6 * lambda[n - 1]);
            bare = b.modes->omega[i];
            change = fmax(change, fabs(bare / omega - 1.0));
        }
        CHECK(change > 0.05); // it matters
        solved_free(&s);
        solved_free(&b);
        pkm_robot_free(robot);
    }
}

// ---- one body ---------------------------------------------------------------------------------

/// A rod on two pins, the second on a slide along it: bends in the plane x-z, pressed along x.
static const char column[] =
    "pkm: 1\nname: column\ngravity: [0, 0, 0]\n"
    "materials: {steel: {density: 7800, young: 200e9, poisson: 0.25}}\n"
    "ground: {points: {A: [0, 0, 0], B: [1, 0, 0]}}\n"
    "bodies:\n"
    "  rod: {points: {A: [0, 0, 0], B: [1, 0, 0]},\n"
    "    shape: {rod: {from: A, to: B, diameter: 10 mm}, material: steel}}\n"
    "  slide: {mass: 1e-6, points: {B: [0, 0, 0]}, pose: {at: [1, 0, 0]}}\n"
    "joints:\n"
    "  A: {type: revolute, between: [ground.A, rod.A], axis: y}\n"
    "  B: {type: revolute, between: [rod.B, slide.B], axis: y}\n"
    "  rail: {type: prismatic, between: [ground.B, slide.B], axis: x}\n"
    "tool: slide.B\n";

/// omega^2 = omega_0^2 (1 - P / P_Euler), the first pinned mode; in the other plane the rod is
/// clamped. Beyond Euler's load there is no stable state.
static void a_pressed_column_rings_lower_and_buckles(void)
{
    const double E = 200e9, A = PI * 25e-6, bend = PI * 1e-8 / 64.0, L = 1.0;
    const double euler = PI * PI * E * bend / (L * L);
    const double omega = PI * PI * sqrt(E * bend / (7800.0 * A)) / (L * L);
    pkm_robot* robot = engine_build(engine_parse(column));
    for (int k = -2; k <= 4; ++k) {
        const double P = 0.2 * k * euler;
        const pkm_elastic_settings settings = {.is_weighted = true, .tool_force = {-P, 0.0, 0.0}};
        solved s = solve(robot, "rod: {elements: 16}", settings, 1);
        // Cubic elements: (pi/16)^4/720 from above for the mode, as much for the load.
        CHECK_NEAR(s.modes->omega[0], omega * sqrt(1.0 - P / euler), 1e-5 * omega);
        double turn, compression;
        pkm_elastic_static_state(s.elastic, &turn, &compression);
        CHECK_NEAR(compression, k > 0 ? P / euler : 0.0, 1e-9);
        CHECK_NEAR(turn, 0.0, 1e-12);
        solved_free(&s);
    }
    pkm_run* run = NULL;
    pkm_elastic* elastic;
    pkm_modes* modes;
    pkm_error err = {0};
    CHECK(pkm_run_create(robot, &run, &err) == PKM_OK);
    CHECK(pkm_run_set(run, "flexible", "rod: {}", "flexible", &err) == PKM_OK);
    const pkm_elastic_settings beyond = {
        .effects = &run->effects, .is_weighted = true, .tool_force = {-1.01 * euler, 0.0, 0.0}};
    CHECK(pkm_modes_at(robot, &beyond, 1, &elastic, &modes, &err) == PKM_ERR_SINGULAR);
    CHECK_CONTAINS(err.text, "unstable");
    CHECK(!elastic && !modes);
    pkm_run_free(run);
    pkm_robot_free(robot);
}

/// The lowest angular frequency of a pinned rod, 1 m long and 10 mm thick, whose ends keep their
/// distance, sagging under `load` [N/m]: 60 terms of a sine series,
///
///     a_k = 4 w / (pi k) / (B_k + N b_k),   N = EA/4L^2 sum (pi k a_k)^2,   B_k = EI (pi k/L)^4
///     lowest root of  1 + EA/2m sum (b_k a_k)^2 / (omega_k^2 - lambda) = 0,   b_k = (pi k/L)^2
static double sagging_rod(double load)
{
    enum { TERMS = 60 };
    const double E = 200e9, A = PI * 25e-6, EI = E * PI * 1e-8 / 64.0, m = 7800.0 * A;
    double a[TERMS], D[TERMS], u[TERMS], low = 0.0, high = 1e5;
    for (int i = 0; i < 200; ++i) {
        const double N = 0.5 * (low + high);
        double pull = 0.0;
        for (int j = 0; j < TERMS; ++j) {
            const double k = PI * (2 * j + 1), b = k * k;
            a[j] = 4.0 * load / k / (EI * b * b + N * b);
            D[j] = (EI * b * b + N * b) / m;
            u[j] = b * a[j];
            pull += 0.25 * E * A * u[j] * a[j];
        }
        *(pull > N ? &low : &high) = N;
    }
    low = D[0], high = D[1];
    for (int i = 0; i < 200; ++i) {
        const double lambda = 0.5 * (low + high);
        double sum = 1.0;
        for (int j = 0; j < TERMS; ++j)
            sum += 0.5 * E * A / m * u[j] * u[j] / (D[j] - lambda);
        *(sum < 0.0 ? &low : &high) = lambda;
    }
    return sqrt(low);
}

/// A rod that sags between ends that keep their distance is stretched by it and rings higher, by
/// 4 % at 0.3 of its radius of gyration, by 84 % at 1.8. The rod is cut by a marker or not, has all
/// coordinates or modes. A linear link does not know of it.
static void a_held_rod_that_sags_rings_higher(void)
{
    static const char* const flexible[] = {"rod: {elements: 16}", "rod: {elements: 16, modes: 12}",
                                           "rod: {elements: 8, shape: cubic-quintic}"};
    for (int k = 0; k < 3; ++k) {
        static const double gravity[] = {1e-3, 9.81, 98.1};
        char text[2000];
        snprintf(text, sizeof text, "%s", column);
        char* g = strstr(text, "gravity: [0, 0, 0]");
        memmove(g + 24, g + 18, strlen(g + 18) + 1);
        memcpy(g,
               k == 0   ? "gravity: [0, 0, -0.0010]"
               : k == 1 ? "gravity: [0, 0, -9.8100]"
                        : "gravity: [0, 0, -98.100]",
               24);
        strcat(text, "drives: {q: {joint: rail}}\n");
        pkm_robot* robot = engine_build(engine_parse(text));
        const double expected = sagging_rod(7800.0 * PI * 25e-6 * gravity[k]);
        for (int i = 0; i < 3; ++i) {
            solved s = solve(robot, flexible[i], (pkm_elastic_settings){.is_weighted = true}, 1);
            // Cubic elements: (pi/16)^4/1440 from above.
            CHECK_NEAR(s.modes->omega[0], expected, 1e-5 * expected);
            solved_free(&s);
        }
        pkm_elastic_settings stiff = with_springs(1e13); // a drive as good as locked
        stiff.is_weighted = true;
        solved d = solve(robot, flexible[0], stiff, 1);
        CHECK_NEAR(d.modes->omega[0], expected, 1e-5 * expected);
        solved_free(&d);
        const pkm_elastic_settings weighted = {.is_weighted = true};
        solved s = solve(robot, "rod: {elements: 16, stiffening: false}", weighted, 1);
        CHECK_NEAR(s.modes->omega[0], sagging_rod(0.0), 1e-5 * expected);
        solved_free(&s);
        pkm_robot_free(robot);
    }
}

/// A rigid arm on a drive: the only freedom.
static const char arm[] =
    "pkm: 1\nname: arm\ngravity: [0, 0, -9.81]\n"
    "ground: {points: {A: [0, 0, 0]}}\n"
    "bodies:\n"
    "  arm: {mass: 2, com: [0.3, 0, 0], inertia: [0.01, 0.05, 0.05],\n"
    "    points: {A: [0, 0, 0], P: [0.8, 0, 0]}, pose: {rotate: {y: 90 deg}}}\n"
    "joints: {A: {type: revolute, between: [ground.A, arm.A], axis: y}}\n"
    "drives: {q: {joint: A}}\ntool: arm.P\nhome: {drives: {q: 90 deg}}\n";

/// Hanging: omega^2 = (k + m g l) / J.
static void a_pendulum_swings_as_it_must(void)
{
    const double k = 3.0, J = 0.05 + 2.0 * 0.09, weight = 2.0 * 9.81 * 0.3;
    pkm_robot* robot = engine_build(engine_parse(arm));
    pkm_elastic_settings settings = with_springs(k);
    solved s = solve(robot, NULL, settings, 3);
    CHECK(s.modes->n_mode == 1);
    CHECK_NEAR(s.modes->omega[0], sqrt(k / J), 1e-12);
    CHECK_NEAR(s.modes->drives[0], 1.0, 1e-14);
    solved_free(&s);
    settings.is_weighted = true;
    s = solve(robot, NULL, settings, 3);
    CHECK_NEAR(s.modes->omega[0], sqrt((k + weight) / J), 1e-12);
    CHECK_NEAR(s.modes->prestress[0], weight / k, 1e-12);
    solved_free(&s);
    settings = (pkm_elastic_settings){.drive[0].hold = PKM_ELASTIC_FREE};
    s = solve(robot, NULL, settings, 3);
    CHECK_NEAR(s.modes->omega[0], 0.0, 0.0); // nothing holds it
    solved_free(&s);
    pkm_robot_free(robot);
}

/// H = l^2 / (k - omega^2 J + i omega c) from a force across at the tip to the tip; l / (...) from
/// the drive's torque.
static void response_of_one_freedom_is_the_textbook_one(void)
{
    const double k = 300.0, c = 2.0, J = 0.05 + 2.0 * 0.09, l = 0.8;
    pkm_robot* robot = engine_build(engine_parse(arm));
    pkm_elastic_settings settings = with_springs(k);
    settings.drive[0].damping = c;
    solved s = solve(robot, NULL, settings, 3);
    pkm_error err = {0};
    const double zeta = c / (2.0 * sqrt(k * J));
    CHECK(s.modes->n_damped == 1);
    CHECK_NEAR(s.modes->ratio[0], zeta, 1e-12);
    CHECK_NEAR(s.modes->damped[0], sqrt(k / J * (1.0 - zeta * zeta)), 1e-10);
    for (int i = 0; i < 5; ++i) {
        const double omega = 15.0 * i, re = k - omega * omega * J, im = omega * c;
        const double size = re * re + im * im;
        pkm_response r;
        double H[12];
        CHECK(pkm_response_begin(s.elastic, s.modes, (pkm_shaker){PKM_NONE, 0}, &r, &err) ==
              PKM_OK);
        CHECK(pkm_response_at(s.modes, &r, omega, H, &err) == PKM_OK);
        CHECK_NEAR(H[0], l * l * re / size, 1e-12);
        CHECK_NEAR(H[1], -l * l * im / size, 1e-12);
        CHECK(pkm_response_begin(s.elastic, s.modes, (pkm_shaker){0, 0}, &r, &err) == PKM_OK);
        CHECK(pkm_response_at(s.modes, &r, omega, H, &err) == PKM_OK);
        CHECK_NEAR(H[0], -l * re / size, 1e-12); // hanging, q > 0 moves the tip towards -x
        CHECK_NEAR(H[1], l * im / size, 1e-12);
    }
    solved_free(&s);
    s = solve(robot, NULL, (pkm_elastic_settings){.drive[0].hold = PKM_ELASTIC_FREE}, 1);
    solved_free(&s);
    pkm_robot_free(robot);
}

/// Rayleigh damping alone: zeta = (alpha / omega + beta omega) / 2 in every mode.
static void rayleigh_damping_damps_every_mode_alike(void)
{
    const double alpha = 2.0, beta = 1e-5;
    pkm_robot* robot = engine_build(engine_parse(column));
    solved s = solve(robot, "rod: {damping: {mass: 2 1/s, stiffness: 1e-5 s}}",
                     (pkm_elastic_settings){0}, 6);
    CHECK(s.modes->n_damped == 6);
    for (int k = 0; k < 6; ++k) {
        const double omega = s.modes->omega[k], zeta = 0.5 * (alpha / omega + beta * omega);
        CHECK_NEAR(s.modes->ratio[k], zeta, 1e-5 * zeta); // the slide has a mass of 1 mg
        CHECK_NEAR(s.modes->damped[k], omega * sqrt(1.0 - zeta * zeta), 1e-7 * omega);
    }
    solved_free(&s);
    pkm_robot_free(robot);
}

/// Coefficients from two frequencies: the first and the third mode have the ratios that are asked
/// for, the second what zeta = (alpha / omega + beta omega) / 2 through both gives.
static void rayleigh_damping_meets_ratios_at_two_frequencies(void)
{
    pkm_robot* robot = engine_build(engine_parse(column));
    solved plain = solve(robot, "rod: {}", (pkm_elastic_settings){0}, 6);
    const double w1 = plain.modes->omega[0], w2 = plain.modes->omega[5];
    char text[160];
    snprintf(text, sizeof text,
             "rod: {damping: {frequencies: [%.17g, %.17g], ratios: [1 %%, 3 %%]}}", w1 / (2.0 * PI),
             w2 / (2.0 * PI));
    solved s = solve(robot, text, (pkm_elastic_settings){0}, 6);
    CHECK(w2 > 1.5 * w1 && s.modes->n_damped == 6);
    CHECK_NEAR(s.modes->ratio[0], 0.01, 1e-7); // the slide has a mass of 1 mg
    CHECK_NEAR(s.modes->ratio[5], 0.03, 3e-7);
    // a 2 x 2 system by Cramer's rule for the mode between them
    const double det = w2 / w1 - w1 / w2, w = s.modes->omega[2];
    const double alpha = 2.0 * (0.01 * w2 - 0.03 * w1) / det;
    const double beta = 2.0 * (0.03 / w1 - 0.01 / w2) / det;
    CHECK_NEAR(s.modes->ratio[2], 0.5 * (alpha / w + beta * w), 1e-6);
    solved_free(&plain);
    solved_free(&s);
    pkm_robot_free(robot);
}

/// A few modes and the static rest of the others: the response is that of the whole mesh. Against
/// the solution of (K - omega^2 M) y = f by Gauss.
static void responses_miss_nothing_of_the_dropped_modes(void)
{
    pkm_robot* siax = engine_load("siax");
    solved s = solve(siax, rods, (pkm_elastic_settings){0}, 30);
    const int n = pkm_elastic_size(s.elastic), all = pkm_elastic_most(s.elastic);
    const double *K = pkm_elastic_stiffness(s.elastic), *M = pkm_elastic_mass(s.elastic);
    double* A = pkm_alloc((size_t)(n * n + n + 2 * all), sizeof *A);
    double *f = A + n * n, *fx = f + n, *x = fx + all;
    lapack_int* pivot = pkm_alloc((size_t)n, sizeof *pivot);
    pkm_error err = {0};
    pkm_response r;
    double H[12];
    CHECK(pkm_response_begin(s.elastic, s.modes, (pkm_shaker){PKM_NONE, 0}, &r, &err) == PKM_OK);
    for (int k = 0; k < 3; ++k) {
        const double omega = 2.0 * PI * 60.0 * k; // 0, 60, 120 Hz
        for (int i = 0; i < n * n; ++i)
            A[i] = K[i] - omega * omega * M[i];
        memset(fx, 0, (size_t)all * sizeof *fx);
        pkm_elastic_add_force(s.elastic, siax->mech->tool, (pkm_vec3){1.0, 0.0, 0.0},
                              (pkm_vec3){0.0, 0.0, 0.0}, fx);
        pkm_elastic_restrict(s.elastic, fx, f);
        CHECK(LAPACKE_dgesv(LAPACK_COL_MAJOR, n, 1, A, n, pivot, f, n) == 0);
        pkm_elastic_expand(s.elastic, f, x);
        pkm_vec3 d, t;
        pkm_elastic_marker_motion(s.elastic, siax->mech->tool, x, &d, &t);
        CHECK(pkm_response_at(s.modes, &r, omega, H, &err) == PKM_OK);
        CHECK_NEAR(H[0], d.x, (k ? 2e-3 : 1e-9) * fabs(d.x)); // (120 / first dropped)^4
        CHECK_NEAR(H[8], t.y, (k ? 2e-3 : 1e-9) * fabs(t.y));
    }
    pkm_free(A);
    pkm_free(pivot);
    solved_free(&s);
    pkm_robot_free(siax);
}

/// Leaving out the spin of a rod between balls takes nothing from its torsion: those modes are the
/// ones of the free rod.
static void torsion_of_a_rod_that_may_spin_is_free(void)
{
    pkm_robot* siax = engine_load("siax");
    solved s = solve(siax, "A.left: {elements: 4}", (pkm_elastic_settings){0}, 24);
    pkm_flexible_spec spec = pkm_flexible_spec_defaults();
    pkm_flexible_body* body = NULL;
    int n = 0;
    spec.n_element = 4;
    spec.keep = PKM_FLEXIBLE_KEEP_FULL;
    CHECK(pkm_flexible_body_make(siax->desc, s.run->effects.flexible[0].body, &spec,
                                 (pkm_flexible_made){0}, &body, NULL) == PKM_OK);
    for (int k = 0; k < s.modes->n_mode; ++k) {
        double torsion = 0.0, nearest = INFINITY;
        for (int p = 0; p < s.modes->n_part; ++p)
            torsion += s.modes->strain[3 * (s.modes->n_part * k + p) + PKM_STRAIN_TORSION];
        if (torsion < 0.999) continue;
        for (int j = 0; j < body->n_mode; ++j)
            nearest = fmin(nearest, fabs(body->omega[j] - s.modes->omega[k]));
        CHECK_NEAR(nearest, 0.0, 1e-7 * s.modes->omega[k]);
        ++n;
    }
    CHECK(n == 4); // five nodes turn, one motion is the spin
    pkm_flexible_body_free(body);
    solved_free(&s);
    pkm_robot_free(siax);
}

// ---- what is refused --------------------------------------------------------------------------

static void bad_questions_are_answered_in_one_sentence(void)
{
    pkm_robot* robot = engine_build(engine_parse(arm));
    pkm_elastic* elastic;
    pkm_modes* modes;
    pkm_error err = {0};
    pkm_elastic_settings settings = {0};
    CHECK(pkm_modes_at(robot, &settings, 1, &elastic, &modes, &err) == PKM_ERR_MODEL);
    CHECK_CONTAINS(err.text, "nothing can move");
    settings = with_springs(-1.0);
    CHECK(pkm_modes_at(robot, &settings, 1, &elastic, &modes, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "drive q: stiffness -1");
    settings = (pkm_elastic_settings){.is_weighted = true, .drive[0].hold = PKM_ELASTIC_FREE};
    CHECK(pkm_modes_at(robot, &settings, 1, &elastic, &modes, &err) == PKM_ERR_SINGULAR);
    CHECK_CONTAINS(err.text, "meet no stiffness");
    pkm_robot_free(robot);
}

static void memory_failures_are_told_and_leak_nothing(void)
{
    pkm_robot* robot = engine_build(engine_parse(column));
    pkm_run* run = NULL;
    pkm_error err = {0};
    CHECK(pkm_run_create(robot, &run, &err) == PKM_OK);
    CHECK(pkm_run_set(run, "flexible", "rod: {elements: 2, modes: 3}", "flexible", &err) == PKM_OK);
    const pkm_elastic_settings settings = {.effects = &run->effects, .is_weighted = true};
    pkm_status status = PKM_ERR_MEMORY;
    for (size_t n = 1; n < 1000 && status == PKM_ERR_MEMORY; ++n) {
        pkm_elastic* elastic = NULL;
        pkm_modes* modes = NULL;
        pkm_alloc_fail_at(n);
        status = pkm_modes_at(robot, &settings, 2, &elastic, &modes, &err);
        pkm_alloc_fail_at(0);
        pkm_modes_free(modes);
        pkm_elastic_free(elastic);
    }
    CHECK(status == PKM_OK);
    pkm_run_free(run);
    pkm_robot_free(robot);
}

/// Placing and solving again allocate nothing.
static void many_poses_need_no_memory(void)
{
    pkm_robot* siax = engine_load("siax");
    solved s =
        solve(siax, rods, (pkm_elastic_settings){.is_reduced = true, .is_weighted = true}, 8);
    pkm_error err = {0};
    const size_t before = pkm_alloc_count();
    CHECK(pkm_elastic_place(s.elastic, siax->state, &err) == PKM_OK);
    CHECK(pkm_modes_solve(s.elastic, s.modes, &err) == PKM_OK);
    CHECK(pkm_alloc_count() == before);
    solved_free(&s);
    pkm_robot_free(siax);
}

int main(void)
{
    RUN(the_table_of_shares_adds_up);
    RUN(kuo_meets_its_table);
    RUN(kuo_sags_as_the_reference);
    RUN(siax_meets_the_reference);
    RUN(the_five_bar_is_one_mesh_with_pins);
    RUN(reduced_links_give_the_same_frequencies);
    RUN(torsion_of_a_rod_that_may_spin_is_free);
    RUN(energy_shares_sum_to_one);
    RUN(equal_shares_are_all_named);
    RUN(static_forces_stiffen_as_inverse_dynamics_says);
    RUN(a_pressed_column_rings_lower_and_buckles);
    RUN(a_held_rod_that_sags_rings_higher);
    RUN(a_pendulum_swings_as_it_must);
    RUN(response_of_one_freedom_is_the_textbook_one);
    RUN(rayleigh_damping_damps_every_mode_alike);
    RUN(rayleigh_damping_meets_ratios_at_two_frequencies);
    RUN(responses_miss_nothing_of_the_dropped_modes);
    RUN(bad_questions_are_answered_in_one_sentence);
    RUN(memory_failures_are_told_and_leak_nothing);
    RUN(many_poses_need_no_memory);
    return check_report();
}
