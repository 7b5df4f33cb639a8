/// Why robots of robots/ have a kind of singularity, or not (the table in test_singularities.c and
/// docs/reference/campaigns.md), against geometry written out here: lines of force, spheres of
/// reach, Jacobians. Random motions at random numbers of rows; PKM_CAMPAIGN and PKM_SEED as there.
#include "math/dense.h"
#include "physics/crossings.h"
#include "pkm/kinematics.h"
#include "pkm/matrices.h"
#include "robot/singularity.h"

static pkm_vec3 turned(pkm_vec3 v, double angle)
{
    const double c = cos(angle), s = sin(angle);
    return (pkm_vec3){c * v.x - s * v.y, s * v.x + c * v.y, v.z};
}

/// R = Rz(yaw) Ry(pitch) Rx(roll), applied.
static pkm_vec3 posed(pkm_vec3 rpy, pkm_vec3 v)
{
    const double cr = cos(rpy.x), sr = sin(rpy.x), cp = cos(rpy.y), sp = sin(rpy.y);
    const pkm_vec3 a = {v.x, cr * v.y - sr * v.z, sr * v.y + cr * v.z};
    return turned((pkm_vec3){cp * a.x + sp * a.z, a.y, -sp * a.x + cp * a.z}, rpy.z);
}

static pkm_vec3 between(pkm_vec3 a, pkm_vec3 b, double u)
{
    return pkm_vec3_axpy(a, u, pkm_vec3_sub(b, a));
}

static pkm_vec3 somewhere(double size)
{
    return (pkm_vec3){uniform(-size, size), uniform(-size, size), uniform(-size, size)};
}

// ---- 3-PPRS, 3-PPSR: six lines of force ---------------------------------------------------------

/// The determinant of six wrenches about `centre`, moments over `length`.
static double determinant(pkm_vec3 at[6], pkm_vec3 force[6], pkm_vec3 centre, double length)
{
    double A[36], det = 1.0;
    for (int k = 0; k < 6; ++k) {
        const pkm_vec3 m = pkm_vec3_cross(pkm_vec3_sub(at[k], centre), force[k]);
        const double w[6] = {force[k].x,   force[k].y,   force[k].z,
                             m.x / length, m.y / length, m.z / length};
        memcpy(A + 6 * k, w, sizeof w);
    }
    for (int c = 0; c < 6; ++c) { // elimination with row exchange
        int p = c;
        for (int r = c + 1; r < 6; ++r)
            if (fabs(A[r + 6 * c]) > fabs(A[p + 6 * c])) p = r;
        for (int k = c; k < 6; ++k) {
            const double x = A[c + 6 * k];
            A[c + 6 * k] = A[p + 6 * k], A[p + 6 * k] = x;
        }
        det *= p == c ? A[c + 6 * c] : -A[c + 6 * c];
        if (A[c + 6 * c] == 0.0) return 0.0;
        for (int r = c + 1; r < 6; ++r)
            for (int k = 5; k >= c; --k)
                A[r + 6 * k] -= A[r + 6 * c] / A[c + 6 * c] * A[c + 6 * k];
    }
    return det;
}

static const double SLIDES = 0.12, JOINTS = 0.05, ROD = 0.11; // of both robots [m]

/// What locked slides still bear at a limb, by its passive joints R and S: forces through the ball
/// that meet the axis of the R or are parallel to it, spanned by the rod and by that axis. NaN
/// where the rod does not reach its slide: the third side of its triangle is `level`.
static double pprs_determinant(pkm_vec3 p, pkm_vec3 rpy)
{
    pkm_vec3 at[6], force[6];
    for (int i = 0; i < 3; ++i) {
        const double angle = 2.0 * PI / 3.0 * i;
        const pkm_vec3 x = turned((pkm_vec3){1.0, 0.0, 0.0}, angle);
        const pkm_vec3 y = turned((pkm_vec3){0.0, 1.0, 0.0}, angle);
        const pkm_vec3 ball = pkm_vec3_add(p, posed(rpy, pkm_vec3_scale(JOINTS, x)));
        const double level = SLIDES - pkm_vec3_dot(x, ball);
        const double up = sqrt(ROD * ROD - level * level);
        at[2 * i] = at[2 * i + 1] = ball;
        force[2 * i] = y;
        force[2 * i + 1] = (pkm_vec3){-level / ROD * x.x, -level / ROD * x.y, up / ROD};
    }
    return determinant(at, force, p, JOINTS);
}

/// The other way round: the ball on the slide, the axis y on the platform. The rod is across that
/// axis: ball = C + l (cos f a + sin f b) with a, b spanning the platform's radial plane, and the
/// ball's distance from the centre is that of the rails.
static double ppsr_determinant(pkm_vec3 p, pkm_vec3 rpy)
{
    pkm_vec3 at[6], force[6];
    for (int i = 0; i < 3; ++i) {
        const double angle = 2.0 * PI / 3.0 * i;
        const pkm_vec3 x = turned((pkm_vec3){1.0, 0.0, 0.0}, angle);
        const pkm_vec3 y = posed(rpy, turned((pkm_vec3){0.0, 1.0, 0.0}, angle));
        const pkm_vec3 a = posed(rpy, x), b = posed(rpy, (pkm_vec3){0.0, 0.0, 1.0});
        const pkm_vec3 c = pkm_vec3_axpy(p, JOINTS, a);
        const double ax = pkm_vec3_dot(a, x), bx = pkm_vec3_dot(b, x);
        const double lacking = (SLIDES - pkm_vec3_dot(c, x)) / ROD;
        // ax cos f + bx sin f = lacking, the root below the platform
        const double f = atan2(bx, ax) - acos(lacking / hypot(ax, bx));
        const pkm_vec3 rod = {cos(f) * a.x + sin(f) * b.x, cos(f) * a.y + sin(f) * b.y,
                              cos(f) * a.z + sin(f) * b.z};
        at[2 * i] = at[2 * i + 1] = pkm_vec3_axpy(c, ROD, rod);
        force[2 * i] = y;
        force[2 * i + 1] = rod;
    }
    return determinant(at, force, p, JOINTS);
}

typedef double (*measure)(pkm_vec3 p, pkm_vec3 rpy);

/// A random line with a turn from near home: the first time at which `of` changes its sign. 2 when
/// there is none, NaN when the motion leaves the reach before it, or comes near both.
static double first_root(measure of, const pkm_vec3 point[2], const pkm_vec3 rpy[2])
{
    enum { N = 2000 };
    const double start = of(point[0], rpy[0]);
    double low = 0.0;
    for (int k = 1; k <= N; ++k) {
        const double u = (double)k / N;
        const double now = of(between(point[0], point[1], u), between(rpy[0], rpy[1], u));
        if (!(fabs(now) < HUGE_VAL)) return NAN;
        if (now * start <= 0.0) {
            double high = u;
            while (high - low > 1e-12) {
                const double mid = 0.5 * (low + high);
                const double d = of(between(point[0], point[1], mid), between(rpy[0], rpy[1], mid));
                *(d * start <= 0.0 ? &high : &low) = mid;
            }
            return high;
        }
        if (fabs(now) < 1e-3 * fabs(start) && k == N) return NAN; // too near to tell
        low = u;
    }
    return 2.0;
}

static int n_crossed, n_clear;

/// The engine refuses the motion where the lines of force become dependent, and computes the
/// others.
static void lead_through(pkm_robot* robot, measure of)
{
    const double size = uniform(0.2, 1.2);
    const pkm_vec3 home = {0.0, 0.0, 0.15};
    const pkm_vec3 point[2] = {pkm_vec3_add(home, somewhere(0.004)),
                               pkm_vec3_add(home, somewhere(0.02))};
    const pkm_vec3 rpy[2] = {somewhere(0.05), somewhere(size)};
    const double t = first_root(of, point, rpy);
    if (isnan(t)) return;
    pkm_motion_spec spec = line_spec(PKM_PATH_LINE);
    spec.point = point;
    spec.n_point = 2;
    spec.rpy = rpy;
    spec.n_rpy = 2;
    if (t < 1.0) {
        expect(robot, &spec, PKM_METHOD_ENGINE, t, 1e-4, "parallel singularity");
        ++n_crossed;
        return;
    }
    pkm_table* table = pkm_table_create();
    pkm_error err = {0};
    const pkm_status status = run(robot, &spec, PKM_METHOD_ENGINE, random_rows(), table, &err);
    if (status != PKM_OK) printf("    lines of force independent, but: %s\n", err.text);
    CHECK(status == PKM_OK);
    ++n_clear;
    pkm_table_free(table);
}

static void platforms_on_six_lines_of_force(void)
{
    static const struct {
        const char* robot;
        measure of;
    } item[] = {{"3pprs", pprs_determinant}, {"3ppsr", ppsr_determinant}};
    const int n = crossing_cases(40, 2000);
    for (int i = 0; i < 2; ++i) {
        pkm_robot* robot = engine_load(item[i].robot);
        if (!robot) return;
        n_crossed = n_clear = 0;
        for (int k = 0; k < n; ++k)
            lead_through(robot, item[i].of);
        printf("    %s: %d crossed, %d without a singularity\n", item[i].robot, n_crossed, n_clear);
        CHECK(n_crossed >= n / 20 && n_clear >= n / 10);
        pkm_robot_free(robot);
    }
}

// ---- PRRR+2PRPaR: a sphere ----------------------------------------------------------------------

/// Rods B and C seen from x are (-b, z) and (y, -c) with b^2 = l^2 - x^2 - z^2, c^2 = l^2 - x^2 -
/// y^2: dependent where b c = y z, that is on the sphere |H| = l. Arm A holds x.
static void parallelograms_on_the_sphere(void)
{
    const double l = 0.95;
    const int n = crossing_cases(6, 600);
    pkm_robot* robot = engine_load("prrr2prpar");
    for (int k = 0; robot && k < n; ++k) {
        const pkm_vec3 out = {0.5, 0.6, 0.7}, in = {0.35, 0.45, 0.45};
        const pkm_vec3 point[2] = {pkm_vec3_add(out, somewhere(0.03)),
                                   pkm_vec3_add(in, somewhere(0.08))};
        const pkm_vec3 way = pkm_vec3_sub(point[1], point[0]);
        const double a = pkm_vec3_dot(way, way), b = pkm_vec3_dot(way, point[0]);
        const double c = pkm_vec3_dot(point[0], point[0]) - l * l;
        const double t = (-b - sqrt(b * b - a * c)) / a; // |point + t way| = l
        pkm_motion_spec spec = line_spec(PKM_PATH_LINE);
        spec.point = point;
        spec.n_point = 2;
        expect(robot, &spec, PKM_METHOD_ENGINE, t, 1e-4, "parallel singularity (the tool moves");
        expect(robot, &spec, PKM_METHOD_CLOSED, t, 1e-4, "parallel singularity (the tool moves");
    }
    pkm_robot_free(robot);
}

// ---- Kuo's Delta: rods that hold by forces along and couples about them
// --------------------------

/// All cranks at q, the platform on the axis: the motor's torque apart, a rod between universal
/// joints with parallel axes bears a force along it and a couple about it. The number of directions
/// that six such wrenches leave free.
static int kuo_lost(double q, double limit)
{
    const double base = 0.1, crank = 0.5, rod = 0.6, platform = 0.05;
    const double level = platform - base - crank * cos(q);
    double W[36] = {0.0}, s[6], V[36];
    for (int i = 0; i < 3; ++i) {
        const double angle = 2.0 * PI / 3.0 * i;
        const pkm_vec3 d =
            turned((pkm_vec3){level / rod, 0.0, sqrt(rod * rod - level * level) / rod}, angle);
        const pkm_vec3 m = pkm_vec3_cross(turned((pkm_vec3){platform / rod, 0.0, 0.0}, angle), d);
        const double force[6] = {d.x, d.y, d.z, m.x, m.y, m.z};
        const double couple[6] = {0.0, 0.0, 0.0, d.x, d.y, d.z};
        memcpy(W + 6 * i, force, sizeof force);
        memcpy(W + 6 * (3 + i), couple, sizeof couple);
    }
    pkm_dense_small_svd(W, 6, 6, s, V);
    int lost = 0;
    for (int k = 0; k < 6; ++k)
        lost += s[k] < limit;
    return lost;
}

// Parallel rods bear one direction of force and one of couple, so that locked drives lose two
// shifts, there and nowhere else on the way. Two singular values vanish as the square of the
// distance: the refusal comes a little before, at most 3e-4 rad.
static void kuo_with_parallel_rods(void)
{
    const double there = acos((0.05 - 0.1) / 0.5);
    for (double q = 0.2; q < 1.9; q += 1e-3)
        if (fabs(q - there) > 1e-2) CHECK(kuo_lost(q, 1e-6) == 0);
    CHECK(kuo_lost(there, 1e-9) == 2);
    const int n = crossing_cases(6, 600);
    pkm_robot* robot = engine_load("kuo");
    for (int k = 0; robot && k < n; ++k) {
        const double a = there - uniform(0.02, 0.2), b = there + uniform(0.02, 0.2);
        const double from[3] = {a, a, a}, to[3] = {b, b, b};
        pkm_motion_spec spec = line_spec(PKM_PATH_DRIVES);
        spec.n_drive = 3;
        spec.drive_from = from;
        spec.drive_to = to;
        expect(robot, &spec, PKM_METHOD_ENGINE, (there - a) / (b - a), 3e-4 / (b - a),
               "parallel singularity of order 2");
    }
    pkm_robot_free(robot);
}

// ---- Isoglides: Jacobians -----------------------------------------------------------------------

/// Stand at random drive positions about home and read the matrices; false out of reach.
static bool stand_somewhere(pkm_robot* robot, double size, pkm_matrices* m)
{
    pkm_instant now = pkm_instant_home(robot);
    for (int d = 0; d < robot->mech->n_drive; ++d)
        now.q[d] += uniform(-size, size);
    return pkm_matrices_at(robot, &now, m, NULL) == PKM_OK;
}

/// No kind of singularity there, exactly judged.
static void check_regular(pkm_robot* robot)
{
    pkm_singularity s;
    CHECK(pkm_singularity_read(robot->state, &robot->structure, PKM_SINGULAR, &s) == PKM_OK);
    CHECK(s.kinds == 0);
}

// Every limb carries the platform along its own rail: x = q but for constants, and J = 1 wherever
// it can be, so that locked drives hold the tool. Three moments that axes of different directions
// bear keep their rank.
static void isoglide_t3_has_the_unit_matrix(void)
{
    pkm_robot* robot = engine_load("isoglideT3");
    const int n = crossing_cases(100, 3000);
    int found = 0;
    for (int k = 0; robot && k < n; ++k) {
        static pkm_matrices m;
        if (!stand_somewhere(robot, 0.5, &m)) continue;
        for (int d = 0; d < 3; ++d)
            for (int i = 0; i < 6; ++i)
                CHECK_NEAR(m.J[i + 6 * d], i == d ? 1.0 : 0.0, 1e-9);
        check_regular(robot);
        ++found;
    }
    CHECK(found > n / 3);
    pkm_robot_free(robot);
}

/// Slides tell x and y of K1 and z of K1 and K2, which the platform's angle b about y parts by
/// l sin b: the middle of the platform gives q' = A x' with this A, det A = -l cos b.
static void isoglide4_task_map(double b, double A[16])
{
    const double l = 0.3, c = 0.5 * l * cos(b), s = 0.5 * l * sin(b);
    const double rows[4][4] = {
        {1.0, 0.0, 0.0, s}, {0.0, 1.0, 0.0, 0.0}, {0.0, 0.0, 1.0, c}, {0.0, 0.0, 1.0, -c}};
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 4; ++k)
            A[i + 4 * k] = rows[i][k];
}

// det A = 0 where the platform stands along the slides c and d: they do not feel it turn.
static void isoglide4_with_its_platform_upright(void)
{
    const int n = crossing_cases(6, 600);
    pkm_robot* robot = engine_load("isoglide4");
    for (int k = 0; robot && k < n; ++k) {
        const pkm_vec3 at = {0.65, 0.7, 0.5};
        const pkm_vec3 point[2] = {pkm_vec3_add(at, somewhere(0.05)),
                                   pkm_vec3_add(at, somewhere(0.05))};
        const double a = 0.5 * PI - uniform(0.1, 0.6), b = 0.5 * PI + uniform(0.1, 0.5);
        const pkm_vec3 rpy[2] = {{0.0, a, 0.0}, {0.0, b, 0.0}};
        pkm_motion_spec spec = line_spec(PKM_PATH_LINE);
        spec.point = point;
        spec.n_point = 2;
        spec.rpy = rpy;
        spec.n_rpy = 2;
        for (int by = 0; by < 2; ++by)
            expect(robot, &spec, by ? PKM_METHOD_CLOSED : PKM_METHOD_ENGINE,
                   (0.5 * PI - a) / (b - a), 1e-4, "parallel singularity (the tool moves along");
    }
    pkm_robot_free(robot);
}

static void isoglide4_is_triangular(void)
{
    pkm_robot* robot = engine_load("isoglide4");
    const int n = crossing_cases(100, 3000);
    int found = 0;
    for (int k = 0; robot && k < n; ++k) {
        static pkm_matrices m;
        if (!stand_somewhere(robot, 0.28, &m)) continue;
        double A[16];
        isoglide4_task_map(asin((m.now.q[2] - m.now.q[3]) / 0.3), A);
        CHECK(m.has_inverse);
        for (int i = 0; i < 16; ++i)
            CHECK_NEAR(m.J_inverse[i], A[i], 1e-8);
        check_regular(robot);
        ++found;
    }
    CHECK(found > n / 3);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(platforms_on_six_lines_of_force);
    RUN(parallelograms_on_the_sphere);
    RUN(kuo_with_parallel_rods);
    RUN(isoglide_t3_has_the_unit_matrix);
    RUN(isoglide4_is_triangular);
    RUN(isoglide4_with_its_platform_upright);
    return check_report();
}
