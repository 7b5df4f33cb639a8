/// Random motions through singularities whose place geometry tells, at random numbers of rows: none
/// is missed, each has its kind, order and time; and no alarm on the motions of robots/.
/// PKM_CAMPAIGN=full draws a hundred times as many, PKM_CAMPAIGN=n n of each; PKM_SEED chooses
/// others.
///
/// Which kinds a robot has, and why it has not the others, stands in `known` below, for every robot
/// of robots/; those without a crossing here have theirs in test_singularity_reasons.c.
#include "physics/crossings.h"
#include "table/warnings.h"

/// All cranks of a Delta through the angle at which base + crank cos q = platform: all six rods are
/// parallel, so the platform shifts in two directions and turns.
static void delta_with_parallel_rods(pkm_robot* robot, double base, double crank, double platform)
{
    const double there = acos((platform - base) / crank);
    const double a = there - uniform(0.02, 0.2), b = there + uniform(0.02, 0.2);
    const double from[3] = {a, a, a}, to[3] = {b, b, b};
    pkm_motion_spec spec = line_spec(PKM_PATH_DRIVES);
    spec.n_drive = 3;
    spec.drive_from = from;
    spec.drive_to = to;
    const double t = (there - a) / (b - a);
    expect(robot, &spec, PKM_METHOD_ENGINE, t, 1e-4,
           "parallel and constraint singularity of order 3");
    if (robot->closed)
        expect(robot, &spec, PKM_METHOD_CLOSED, t, 1e-4,
               "parallel and constraint singularity of order 3");
}

static void siax_with_parallel_rods(void)
{
    static pkm_robot* robot;
    if (!robot) robot = engine_load("siax");
    if (robot) delta_with_parallel_rods(robot, 0.25, 0.5, 0.097);
}

static void irb340_with_parallel_rods(void)
{
    static pkm_robot* robot;
    if (!robot) robot = engine_load("irb340");
    if (robot) delta_with_parallel_rods(robot, 0.2, 0.235, 0.045);
}

static void delta_d_with_parallel_rods(void)
{
    static pkm_robot* robot;
    if (!robot) robot = engine_load("bench/delta-d");
    if (robot) delta_with_parallel_rods(robot, 0.125, 0.5, 0.097);
}

/// Turned in its centre, a 3-RRR has its three links on lines through that where elbow, platform
/// joint and centre are in line: |(r + l2) e^(i phi) - R| = l1.
static void planar_3rrr_with_links_through_its_centre(void)
{
    static pkm_robot* robot;
    if (!robot) robot = engine_load("planar-3rrr");
    if (!robot) return;
    const double R = 0.3, out = 0.08 + 0.2, l1 = 0.2;
    const double there = acos((out * out + R * R - l1 * l1) / (2.0 * out * R));
    const double a = there - uniform(0.05, 0.6), b = there + uniform(0.05, 0.15);
    const pkm_vec3 point[2] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    const pkm_vec3 rpy[2] = {{0.0, 0.0, a}, {0.0, 0.0, b}};
    pkm_motion_spec spec = line_spec(PKM_PATH_LINE);
    spec.point = point;
    spec.n_point = 2;
    spec.rpy = rpy;
    spec.n_rpy = 2;
    expect(robot, &spec, PKM_METHOD_ENGINE, (there - a) / (b - a), 1e-4,
           "a parallel singularity (the tool turns about (0, 0, 1)");
}

// Rods in the plane of the rails: the platform is not held along z.
static void triglide_through_the_plane_of_its_rails(void)
{
    static pkm_robot* robot;
    if (!robot) robot = engine_load("triglide");
    if (!robot) return;
    const pkm_vec3 point[2] = {{uniform(-0.02, 0.02), uniform(-0.02, 0.02), uniform(-0.3, -0.1)},
                               {uniform(-0.02, 0.02), uniform(-0.02, 0.02), uniform(0.05, 0.3)}};
    pkm_motion_spec spec = line_spec(PKM_PATH_LINE);
    spec.point = point;
    spec.n_point = 2;
    const double t = point[0].z / (point[0].z - point[1].z);
    expect(robot, &spec, PKM_METHOD_ENGINE, t, 1e-4,
           "parallel and constraint singularity of order 3");
    expect(robot, &spec, PKM_METHOD_CLOSED, t, 1e-4,
           "parallel and constraint singularity of order 3");
}

/// Volume of the normals of the linear Delta's three pairs of rods, its slides at the heights `q`,
/// by geometry: the tool is below the plane of three points on the guides (0.55 m from the
/// middle), 0.99 m from each. A pair holds the turn about its normal, so that one is free where the
/// volume is 0. NaN: out of reach, or near the plane (a parallel singularity).
static double volume_of_normals(const double q[3])
{
    pkm_vec3 end[3], normal[3];
    for (int i = 0; i < 3; ++i)
        end[i] = (pkm_vec3){0.55 * cos(2.0 * PI / 3.0 * i), 0.55 * sin(2.0 * PI / 3.0 * i), q[i]};
    const pkm_vec3 a = pkm_vec3_sub(end[1], end[0]), b = pkm_vec3_sub(end[2], end[0]);
    const pkm_vec3 N = pkm_vec3_cross(a, b);
    const double aa = pkm_vec3_dot(a, a), bb = pkm_vec3_dot(b, b), NN = pkm_vec3_dot(N, N);
    const pkm_vec3 middle = pkm_vec3_axpy(pkm_vec3_scale(0.5 * bb / NN, pkm_vec3_cross(N, a)),
                                          -0.5 * aa / NN, pkm_vec3_cross(N, b));
    const double square = 0.99 * 0.99 - pkm_vec3_dot(middle, middle);
    if (!(square > 0.02)) return NAN;
    const pkm_vec3 tool =
        pkm_vec3_axpy(pkm_vec3_add(end[0], middle), -sqrt(square / NN), N); // N points up
    for (int i = 0; i < 3; ++i)
        normal[i] =
            pkm_vec3_cross(pkm_vec3_sub(tool, end[i]), (pkm_vec3){-end[i].y, end[i].x, 0.0});
    return pkm_vec3_dot(normal[0], pkm_vec3_cross(normal[1], normal[2]));
}

/// The same on the way by `by` from home, where the tool is at (0.2, 0, 0).
static double volume_on_line(const double by[3], double t)
{
    double q[3];
    for (int i = 0; i < 3; ++i) {
        const double x = 0.55 * cos(2.0 * PI / 3.0 * i) - 0.2, y = 0.55 * sin(2.0 * PI / 3.0 * i);
        q[i] = sqrt(0.99 * 0.99 - x * x - y * y) + t * by[i];
    }
    return volume_of_normals(q);
}

// With two slides side by side rods of theirs are across their rails where the platform turns
// loose: a serial singularity at the same place, which must not be taken for the end of the reach,
// though the rest of the path is far beyond it.
static void lindelta_with_two_slides_side_by_side(void)
{
    pkm_robot* robot = engine_load("lindelta");
    if (!robot) return;
    const double to[3] = {1.1765549473709243, -0.98534703853568195, -0.98534703853568195};
    pkm_motion_spec spec = line_spec(PKM_PATH_DRIVES);
    spec.n_drive = 3;
    spec.drive_from = robot->drive_home;
    spec.drive_to = to;
    expect(robot, &spec, PKM_METHOD_ENGINE, 0.402286, 1e-4, "constraint singularity of order 3");
    pkm_robot_free(robot);
}

// Drives lead the linear Delta, a rod of it through level, to where its platform turns loose. The
// closed form, whose platform never turns, must refuse it too.
static void lindelta_with_normals_in_a_plane(void)
{
    static pkm_robot* robot;
    if (!robot) robot = engine_load("lindelta");
    if (!robot) return;
    double before, t, by[3], to[3];
    const double home = volume_on_line((double[3]){0.0}, 0.0);
    do { // until the volume changes its sign, and no two slides go side by side
        for (int d = 0; d < 3; ++d)
            by[d] = uniform(-1.2, 1.2);
        for (before = 0.0, t = 0.02; t < 0.95 && volume_on_line(by, t) * home > 0.0; t += 0.02)
            before = t;
    } while (!(volume_on_line(by, t) * home < 0.0) || fabs(by[1] - by[2]) < 1e-3);
    for (int i = 0; i < 50; ++i) {
        const double middle = 0.5 * (before + t);
        *(volume_on_line(by, middle) * home > 0.0 ? &before : &t) = middle;
    }
    for (int d = 0; d < 3; ++d)
        to[d] = robot->drive_home[d] + by[d];
    pkm_motion_spec spec = line_spec(PKM_PATH_DRIVES);
    spec.n_drive = 3;
    spec.drive_from = robot->drive_home;
    spec.drive_to = to;
    expect(robot, &spec, PKM_METHOD_ENGINE, t, 1e-4, "constraint singularity (the tool ");
    expect(robot, &spec, PKM_METHOD_CLOSED, t, 1e-4, "constraint singularity (the tool turns");
}

// Along the axis of symmetry both links are in line where the elbows are 2 l2 apart: the height is
// that of an elbow, sqrt(l1^2 - (l2 - d/2)^2).
static void five_bar_with_links_in_line(void)
{
    static pkm_robot* robot;
    if (!robot) robot = engine_load("five-bar");
    if (!robot) return;
    const double there = sqrt(0.09 * 0.09 - 0.031 * 0.031);
    const pkm_vec3 point[2] = {{0.0, there + uniform(0.01, 0.04), 0.0},
                               {0.0, there - uniform(0.01, 0.04), 0.0}};
    pkm_motion_spec spec = line_spec(PKM_PATH_LINE);
    spec.point = point;
    spec.n_point = 2;
    const double t = (point[0].y - there) / (point[0].y - point[1].y);
    expect(robot, &spec, PKM_METHOD_ENGINE, t, 1e-4,
           "a parallel singularity (the tool moves along (");
}

// Fichter: level and turned by 90 degrees, whatever its height.
static void gough_stewart_turned_by_90_degrees(void)
{
    static pkm_robot* robot;
    if (!robot) robot = engine_load("gough-stewart");
    if (!robot) return;
    const double a = uniform(0.0, 1.3), b = uniform(1.65, 2.0);
    const pkm_vec3 point[2] = {{0.0, 0.0, uniform(0.45, 0.6)}, {0.0, 0.0, uniform(0.45, 0.6)}};
    const pkm_vec3 rpy[2] = {{0.0, 0.0, a}, {0.0, 0.0, b}};
    pkm_motion_spec spec = line_spec(PKM_PATH_LINE);
    spec.point = point;
    spec.n_point = 2;
    spec.rpy = rpy;
    spec.n_rpy = 2;
    expect(robot, &spec, PKM_METHOD_ENGINE, (0.5 * PI - a) / (b - a), 1e-4,
           "a parallel singularity (");
}

static const char parallelogram[] =
    "pkm: 1\nname: parallelogram\n"
    "ground: {points: {A: [0, 0, 0], D: [0.4, 0, 0]}}\n"
    "bodies:\n"
    "  one: {mass: 1, points: {A: [0, 0, 0], B: [0.1, 0, 0]},\n"
    "    pose: {at: [0, 0, 0], rotate: {z: 90 deg}}}\n"
    "  two: {mass: 1, points: {B: [0, 0, 0], C: [0.4, 0, 0]}, pose: {at: [0, 0.1, 0]}}\n"
    "  three: {mass: 1, points: {D: [0, 0, 0], C: [0.1, 0, 0]},\n"
    "    pose: {at: [0.4, 0, 0], rotate: {z: 90 deg}}}\n"
    "joints:\n"
    "  A: {type: revolute, between: [ground.A, one.A]}\n"
    "  B: {type: revolute, between: [one.B, two.B]}\n"
    "  C: {type: revolute, between: [two.C, three.C]}\n"
    "  D: {type: revolute, between: [ground.D, three.D]}\n"
    "drives: {q: {joint: A}}\n"
    "tool: two.B\n"
    "motions: {turn: {duration: 1 s, drives: {q: [80 deg, 90 deg]}}}\n";

// The drive angle is 0 where the guess has 90 degrees of rotation less: the crank lies along x.
static void a_parallelogram_through_flat(void)
{
    static pkm_robot* robot;
    if (!robot) robot = engine_from(parallelogram);
    if (!robot) return;
    const double a = uniform(0.2, 1.2), b = uniform(-1.2, -0.2);
    pkm_motion_spec spec = line_spec(PKM_PATH_DRIVES);
    spec.n_drive = 1;
    spec.drive_from = &a;
    spec.drive_to = &b;
    expect(robot, &spec, PKM_METHOD_ENGINE, a / (a - b), 1e-4, "constraint singularity");
}

// ---- serial singularities that drives lead through --------------------------------------------

/// The five-bar in the plane, by geometry alone: elbows on circles about the motors, the tool where
/// two circles about the elbows meet, on the side of home.
typedef struct five_bar {
    double gap;     ///< what the elbows are nearer than 2 l2: 0 at a parallel singularity
    double area[2]; ///< of the limbs' triangles [m2], twice: 0 where crank and link are in line
} five_bar;

static five_bar place_five_bar(const double q[2])
{
    const double l = 0.09, half = 0.059;
    const double cx = -half + l * cos(q[0]), cy = l * sin(q[0]);
    const double dx = half + l * cos(q[1]), dy = l * sin(q[1]);
    const double apart = hypot(dx - cx, dy - cy), nx = (dx - cx) / apart, ny = (dy - cy) / apart;
    five_bar out = {.gap = 2.0 * l - apart};
    const double rise = sqrt(fmax(0.0, l * l - 0.25 * apart * apart));
    const double px = 0.5 * (cx + dx) - rise * ny, py = 0.5 * (cy + dy) + rise * nx;
    out.area[0] = (cx + half) * (py - cy) - cy * (px - cx);
    out.area[1] = (dx - half) * (py - dy) - dy * (px - dx);
    return out;
}

/// Crank angles of the five-bar on the line from `a` to `b`.
static five_bar five_bar_at(const double a[2], const double b[2], double t)
{
    const double q[2] = {a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])};
    return place_five_bar(q);
}

enum { MOST_PASSES = 8, GRID = 8000 };

/// A zero of limb k's area between two times at which its sign differs.
static double bisect_area(const double a[2], const double b[2], int k, double t0, double t1)
{
    const bool sign = five_bar_at(a, b, t0).area[k] > 0.0;
    for (int i = 0; i < 60; ++i) {
        const double t = 0.5 * (t0 + t1);
        *((five_bar_at(a, b, t).area[k] > 0.0) == sign ? &t0 : &t1) = t;
    }
    return t1;
}

/// Times at which a limb is in line; -1 for a line that comes near a parallel singularity, or
/// touches a serial one so that its passes cannot be told from a near miss.
static int passes_of_five_bar(const double a[2], const double b[2], double out[MOST_PASSES])
{
    int n = 0;
    five_bar before = five_bar_at(a, b, 0.0), last = before;
    for (int i = 1; i <= GRID; ++i) {
        const double t = (double)i / GRID;
        const five_bar now = five_bar_at(a, b, t);
        if (now.gap < 2e-3) return -1;
        for (int k = 0; k < 2; ++k) {
            const double x = now.area[k], y = before.area[k], z = last.area[k];
            if (fabs(y) < 1e-8 && fabs(y) < fabs(x) && fabs(y) < fabs(z) && x * z > 0.0) return -1;
            if (x * y > 0.0) continue;
            if (n == MOST_PASSES) return -1;
            out[n++] = bisect_area(a, b, k, (i - 1.0) / GRID, t);
        }
        last = before;
        before = now;
    }
    return n;
}

/// The times of the passes that a run has told.
static int passes_told(const pkm_table* table, double out[MOST_PASSES])
{
    int n = 0;
    const pkm_warnings* w = pkm_table_get_warnings(table);
    for (int i = 0; i < w->n; ++i)
        if (strstr(w->item[i].text, "serial singularity is passed") && n < MOST_PASSES)
            out[n++] = w->item[i].t;
    return n;
}

/// Each of the `n` times is among the `m` others.
static bool are_among(const double* t, int n, const double* other, int m, double near)
{
    for (int i = 0; i < n; ++i) {
        bool found = false;
        for (int k = 0; k < m; ++k)
            found = found || fabs(t[i] - other[k]) < near;
        if (!found) return false;
    }
    return true;
}

static int n_stretched;

// Drives lead the five-bar through stretched and folded limbs. That is computed, with one warning
// for each pass, at its time, and no others.
static void five_bar_by_drives(void)
{
    static pkm_robot* robot;
    if (!robot) robot = engine_load("five-bar");
    if (!robot) return;
    const double along = 0.5 * hypot(0.059, 0.135), tilt = atan2(0.135, 0.059);
    const double home[2] = {tilt + acos(along / 0.09), PI - tilt - acos(along / 0.09)};
    double to[2], crank[2], expected[MOST_PASSES], told[MOST_PASSES];
    int n = 0;
    while (n <= 0) {
        for (int d = 0; d < 2; ++d)
            crank[d] = home[d] + uniform(-2.5, 2.5);
        n = passes_of_five_bar(home, crank, expected);
    }
    const double from[2] = {robot->drive_home[0], robot->drive_home[1]};
    pkm_motion_spec spec = line_spec(PKM_PATH_DRIVES);
    spec.n_drive = 2;
    spec.drive_from = from;
    spec.drive_to = to;
    for (int d = 0; d < 2; ++d)
        to[d] = from[d] + crank[d] - home[d];
    pkm_table* table = pkm_table_create();
    pkm_error err = {0};
    const int n_row = random_rows();
    CHECK(run(robot, &spec, PKM_METHOD_ENGINE, n_row, table, &err) == PKM_OK);
    const int m = passes_told(table, told);
    const bool ok = are_among(expected, n, told, m, 1e-6) && are_among(told, m, expected, n, 1e-6);
    if (!ok) {
        printf("    case %d, %d rows: %d passes, %d told; %s\n", n_case, n_row, n, m, err.text);
        for (int i = 0; i < n; ++i)
            printf("      expected at %.9g\n", expected[i]);
        for (int i = 0; i < m; ++i)
            printf("      told at %.9g\n", told[i]);
    }
    CHECK(ok);
    n_stretched += n;
    ++n_case;
    pkm_table_free(table);
}

// By engine (its Jacobian) and closed form (A of B t = A q') drives lead a robot through the same
// serial singularities at the same times, whatever the numbers of rows.
static void closed_form_by_drives(const char* name, double most)
{
    pkm_robot* robot = engine_load(name);
    if (!robot) return;
    int found = 0;
    for (int trial = 0; trial < 200 && found == 0; ++trial) {
        double to[PKM_MAX_DRIVE], told[2][MOST_PASSES];
        pkm_motion_spec spec = line_spec(PKM_PATH_DRIVES);
        spec.n_drive = robot->mech->n_drive;
        spec.drive_from = robot->drive_home;
        spec.drive_to = to;
        for (int d = 0; d < spec.n_drive; ++d)
            to[d] = robot->drive_home[d] + uniform(-most, most);
        pkm_table* table[2] = {pkm_table_create(), pkm_table_create()};
        int n[2] = {0, 0};
        bool ok = true;
        for (int m = 0; m < 2 && ok; ++m) {
            const pkm_method method = m ? PKM_METHOD_CLOSED : PKM_METHOD_ENGINE;
            ok = run(robot, &spec, method, random_rows(), table[m], NULL) == PKM_OK;
            n[m] = passes_told(table[m], told[m]);
            if (n[0] == 0) break;
        }
        if (ok && n[0] > 0) {
            const bool same = are_among(told[0], n[0], told[1], n[1], 1e-6) &&
                              are_among(told[1], n[1], told[0], n[0], 1e-6);
            if (!same) printf("    %s: %d told by engine, %d closed\n", name, n[0], n[1]);
            CHECK(same);
            found = n[0];
            n_stretched += found;
        }
        pkm_table_free(table[0]);
        pkm_table_free(table[1]);
    }
    CHECK(found > 0);
    ++n_case;
    pkm_robot_free(robot);
}

static void deltas_by_drives(void)
{
    closed_form_by_drives("siax", 2.5);
    closed_form_by_drives("irb340", 2.5);
    closed_form_by_drives("kuo", 2.5);
}

/// A motion of robots/ by one route: no word about singularities, and finite columns.
static pkm_table* quiet_run(pkm_robot* robot, int motion, pkm_method method, int n_row)
{
    pkm_table* table = pkm_table_create();
    pkm_error err = {0};
    pkm_inverse_settings settings = pkm_inverse_settings_defaults();
    settings.method = method;
    settings.n_instant = n_row;
    const pkm_status status = pkm_inverse_run(robot, motion, &settings, table, NULL, &err);
    if (status != PKM_OK) printf("    %s: %s\n", robot->desc->name, err.text);
    CHECK(status == PKM_OK);
    const pkm_warnings* w = pkm_table_get_warnings(table);
    for (int i = 0; i < w->n; ++i)
        CHECK(strcmp(w->item[i].kind, "singularity") != 0);
    const int c = pkm_table_find(table, "condition");
    for (int i = 0; c != PKM_NONE && i < pkm_table_n_row(table); ++i) {
        const double condition = pkm_table_get(table, i, c);
        CHECK(condition >= 1.0 - 1e-12 && condition < 100.0);
        CHECK(pkm_table_get(table, i, c + 1) > 0.0);
    }
    ++n_case;
    return table;
}

/// Condition numbers agree to rounding; estimates to what differences of Jacobians leave, which are
/// taken anew where singular values have changed by a part of theirs.
static void check_same_nearness(const pkm_table* engine, const pkm_table* closed)
{
    const int e = pkm_table_find(engine, "condition"), c = pkm_table_find(closed, "condition");
    CHECK((e == PKM_NONE) == (c == PKM_NONE));
    for (int i = 0; e != PKM_NONE && i < pkm_table_n_row(engine); ++i) {
        const double condition = pkm_table_get(engine, i, e);
        const double distance = pkm_table_get(engine, i, e + 1);
        CHECK_NEAR(pkm_table_get(closed, i, c), condition, 1e-10 * condition);
        CHECK_NEAR(pkm_table_get(closed, i, c + 1), distance, 1e-3 * distance);
    }
}

// Whatever the motions of robots/ do, they are computed, without a word about singularities, at any
// number of rows; and the columns are finite, the same by both routes.
static void no_alarm_on_motions_of_robots(void)
{
    for (int k = 0; k < ENGINE_N_ROBOT; ++k) {
        pkm_robot* robot = engine_load(engine_robots[k]);
        for (int m = 0; robot && m < robot->desc->n_motion; ++m) {
            const int n_row = random_rows();
            pkm_table* engine = quiet_run(robot, m, PKM_METHOD_ENGINE, n_row);
            pkm_table* closed = NULL;
            if (robot->closed) {
                closed = quiet_run(robot, m, PKM_METHOD_CLOSED, n_row);
                check_same_nearness(engine, closed);
            }
            pkm_table_free(engine);
            pkm_table_free(closed);
        }
        pkm_robot_free(robot);
    }
}

// On the way to the plane of its rails, z = 0, the estimate of the Triglide tends to |z|: what is
// left of it. Its parallel measure is linear there.
static void the_estimate_is_the_distance_next_to_a_singularity(void)
{
    for (int method = 0; method < 2; ++method) {
        pkm_robot* robot = engine_load("triglide");
        pkm_table* table = pkm_table_create();
        if (!robot) return;
        const pkm_vec3 point[2] = {{0.0, 0.0, -0.2}, {0.0, 0.0, -1e-3}};
        pkm_motion_spec spec = line_spec(PKM_PATH_LINE);
        spec.point = point;
        spec.n_point = 2;
        const pkm_method by = method ? PKM_METHOD_CLOSED : PKM_METHOD_ENGINE;
        CHECK(run(robot, &spec, by, 401, table, NULL) == PKM_OK);
        const int c = pkm_table_find(table, "singularity");
        for (int i = 399; i < pkm_table_n_row(table); ++i) {
            const double z = 0.2 - 0.199 * i / 400.0;
            CHECK_NEAR(pkm_table_get(table, i, c), z, 0.02 * z);
        }
        const pkm_warnings* w = pkm_table_get_warnings(table);
        CHECK(w->n == 1 && strstr(w->item[0].text, "near a parallel singularity"));
        pkm_table_free(table);
        pkm_robot_free(robot);
    }
}

/// What every robot of robots/ has: how it is crossed here, or why it does not occur. The same
/// table stands in docs/reference/campaigns.md.
static const struct {
    const char *robot, *parallel, *serial, *constraint;
    void (*cross[2])(void);
} known[] = {
    {"siax",
     "order 2, rods parallel",
     "end of reach: crank and rods in one plane",
     "order 1, with the parallel one: the platform turns",
     {siax_with_parallel_rods}},
    {"irb340",
     "order 2, rods parallel",
     "end of reach: crank and rods in one plane",
     "order 1, with the parallel one: the platform turns",
     {irb340_with_parallel_rods}},
    {"bench/delta-d",
     "order 2, rods parallel",
     "end of reach: crank and rods in one plane",
     "order 1, with the parallel one: the platform turns",
     {delta_d_with_parallel_rods}},
    {"kuo",
     "order 2, rods parallel: the platform shifts; told a little before, by squares of distances",
     "end of reach: crank and rods in one plane",
     "order 2, with the parallel one: couples about its rods are parallel",
     {NULL}},
    {"triglide",
     "order 2, rods in the plane of the rails",
     "end of reach: rod across its rail",
     "order 1, with the parallel one",
     {triglide_through_the_plane_of_its_rails}},
    {"lindelta",
     "none: three ends of rods on one great circle above the platform span an obtuse triangle, "
     "theirs is equilateral",
     "end of reach: rod across its rail",
     "order 1, normals of the three pairs of rods in one plane",
     {lindelta_with_normals_in_a_plane}},
    {"five-bar",
     "order 1, links in line",
     "order 1, crank and link in line, by drives",
     "none: its motors are not in line with straight limbs",
     {five_bar_with_links_in_line, five_bar_by_drives}},
    {"planar-3rrr",
     "order 1, links through one point",
     "end of reach: crank and link in line",
     "none: the loops of the plane keep their rank while a limb is bent",
     {planar_3rrr_with_links_through_its_centre}},
    {"gough-stewart",
     "order 1, Fichter's: turned by 90 degrees",
     "none: a leg has a length",
     "none: its closures are legs alone",
     {gough_stewart_turned_by_90_degrees}},
    {"3pprs",
     "order 1, six lines of force dependent: no closed place",
     "end of reach: rod level",
     "none: limbs without idle freedoms, six drives",
     {NULL}},
    {"3ppsr",
     "order 1, six lines of force dependent: no closed place",
     "end of reach: rod level",
     "none: limbs without idle freedoms, six drives",
     {NULL}},
    {"isoglideT3",
     "none: its Jacobian is the unit matrix",
     "end of reach: a limb is stretched",
     "none: wherever its limbs are bent",
     {NULL}},
    {"isoglide4",
     "order 1, its platform along the slides c and d",
     "end of reach: a limb is stretched",
     "none: wherever its limbs are bent",
     {NULL}},
    {"prrr2prpar",
     "order 1, rods of arms B and C parallel seen along x: on the sphere of their length",
     "end of reach: a rod across its rail",
     "none: wherever arm A is bent",
     {NULL}},
};
enum { N_KNOWN = sizeof known / sizeof known[0] };

static void every_robot_is_in_the_list(void)
{
    CHECK((int)N_KNOWN == (int)ENGINE_N_ROBOT);
    for (int k = 0; k < ENGINE_N_ROBOT; ++k) {
        int found = 0;
        for (int i = 0; i < N_KNOWN; ++i)
            found += strcmp(known[i].robot, engine_robots[k]) == 0;
        CHECK(found == 1);
    }
}

static void random_crossings_are_not_missed(void)
{
    const int n = crossing_cases(6, 600);
    printf("    seed %u, %d of each kind\n", seed, n);
    for (int k = 0; k < n; ++k) {
        for (int i = 0; i < N_KNOWN; ++i)
            for (int c = 0; c < 2 && known[i].cross[c]; ++c)
                known[i].cross[c]();
        a_parallelogram_through_flat();
        if (k % 6 == 0) deltas_by_drives();
        if (k % 100 == 0) no_alarm_on_motions_of_robots();
    }
    printf("    %d cases, %d passes of stretched limbs\n", n_case, n_stretched);
}

int main(void)
{
    RUN(every_robot_is_in_the_list);
    RUN(lindelta_with_two_slides_side_by_side);
    RUN(random_crossings_are_not_missed);
    RUN(the_estimate_is_the_distance_next_to_a_singularity);
    return check_report();
}
