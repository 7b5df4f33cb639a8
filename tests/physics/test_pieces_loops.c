// Links in pieces that close loops: cost, large deflections against integrated rods, the rigid
// limit, energy.
#include "flexible.h"

#include "dynamics/forward.h"

#include <string.h>

static const double PI = 3.14159265358979323846;
static const double E = 207e9, rho = 7801.0;

// ---- a square of three rods ---------------------------------------------------------------------
// A crank, clamped by its locked drive, a coupler and a rocker of 1 m each. A force on the joint of
// coupler and rocker bends the crank; the other two have forces at their ends alone and stay
// straight.

static pkm_robot* square(double young, double diameter)
{
    char text[1800];
    char rod[200];
    snprintf(rod, sizeof rod, "{rod: {from: A, to: B, diameter: %.17g}, material: steel}",
             diameter);
    snprintf(text, sizeof text,
             "pkm: 1\nname: square\ngravity: [0, 0, 0]\n"
             "materials: {steel: {density: 7801, young: %.17g, poisson: 0.29}}\n"
             "ground: {points: {O: [0, 0, 0], Q: [1, 0, 0]}}\n"
             "bodies:\n"
             "  crank:\n    points: {A: [0, 0, 0], B: [1, 0, 0]}\n    shape: %s\n"
             "    pose: {A: [0, 0, 0], B: [0, 1, 0]}\n"
             "  coupler:\n    points: {A: [0, 0, 0], B: [1, 0, 0]}\n    shape: %s\n"
             "    pose: {A: [0, 1, 0], B: [1, 1, 0]}\n"
             "  rocker:\n    points: {A: [0, 0, 0], B: [1, 0, 0]}\n    shape: %s\n"
             "    pose: {A: [1, 0, 0], B: [1, 1, 0]}\n"
             "joints:\n"
             "  a: {type: revolute, between: [ground.O, crank.A], axis: z}\n"
             "  b: {type: revolute, between: [crank.B, coupler.A], axis: z}\n"
             "  c: {type: revolute, between: [coupler.B, rocker.B], axis: z}\n"
             "  d: {type: revolute, between: [ground.Q, rocker.A], axis: z}\n"
             "drives: {q: {joint: a}}\ntool: {point: coupler.B, moves: [x]}\n",
             young, rod, rod, rod);
    return engine_from(text);
}

static double bending_stiffness(double diameter)
{
    return E * PI * pow(diameter, 4) / 64.0;
}

/// How far the joint of coupler and rocker moves under the force F [N] along x.
static double moved(double young, double diameter, int pieces, double F)
{
    char text[300];
    pkm_robot* robot = square(young, diameter);
    snprintf(text, sizeof text,
             "motion: none\ndrives: locked\nfor: 0.1 ms\ninstants: 2\n"
             "flexible: {'*': {pieces: %d}}\ntool_force: [%.17g N, 0, 0]\n",
             pieces, F);
    sim_result r = sim_run_whole(robot, text);
    const double x = sim_get(&r, 0, "B.x");
    sim_free(&r);
    pkm_robot_free(robot);
    return x - 1.0;
}

/// A rod in the plane, EI = 1: its angle, moment and place.
typedef struct planar {
    double angle, moment, x, y;
} planar;

static planar planar_rate(planar s, double Fx, double Fy)
{
    return (planar){s.moment, Fx * sin(s.angle) - Fy * cos(s.angle), cos(s.angle), sin(s.angle)};
}

static planar planar_add(planar a, double h, planar b)
{
    return (planar){a.angle + h * b.angle, a.moment + h * b.moment, a.x + h * b.x, a.y + h * b.y};
}

/// The end of the crank, which leaves the clamp along y with the moment m.
static planar planar_end(double m, double Fx, double Fy)
{
    enum { N = 400 };
    const double h = 1.0 / N;
    planar s = {.angle = 0.5 * PI, .moment = m};
    for (int i = 0; i < N; ++i) {
        const planar a = planar_rate(s, Fx, Fy);
        const planar b = planar_rate(planar_add(s, 0.5 * h, a), Fx, Fy);
        const planar c = planar_rate(planar_add(s, 0.5 * h, b), Fx, Fy);
        const planar d = planar_rate(planar_add(s, h, c), Fx, Fy);
        s = planar_add(planar_add(planar_add(planar_add(s, h / 6.0, a), h / 3.0, b), h / 3.0, c),
                       h / 6.0, d);
    }
    return s;
}

/// What does not hold under the force k when the crank has the moment z.x at its clamp and the
/// coupler pulls it with z.y, z.z: the moment of its end, the length of the rocker, and a force
/// across it. `x`: the joint of coupler and rocker.
static pkm_vec3 square_left(pkm_vec3 z, double k, double* x)
{
    const planar end = planar_end(z.x, z.y, z.z);
    const double pull = hypot(z.y, z.z);
    // the coupler lies along its force, the rocker along what is left of both forces
    const double rx = end.x + z.y / pull - 1.0, ry = end.y + z.z / pull;
    *x = rx + 1.0;
    return (pkm_vec3){end.moment, rx * rx + ry * ry - 1.0, (k - z.y) * ry + z.z * rx};
}

/// The same motion by integration, by Newton's method while the force k EI/L^2 is raised.
static double square_moved(double k)
{
    enum { STEPS = 20 };
    const double h = 1e-6;
    pkm_vec3 z = {-0.01 * k / STEPS, k / STEPS, 0.0};
    double x = 0.0, by;
    for (int step = 1; step <= STEPS; ++step)
        for (int i = 0; i < 30; ++i) {
            const pkm_vec3 left = square_left(z, k * step / STEPS, &x);
            pkm_vec3 J[3];
            for (int j = 0; j < 3; ++j) {
                const pkm_vec3 e = {j == 0 ? h : 0.0, j == 1 ? h : 0.0, j == 2 ? h : 0.0};
                const pkm_vec3 more = square_left(pkm_vec3_add(z, e), k * step / STEPS, &by);
                J[j] = pkm_vec3_scale(1.0 / h, pkm_vec3_sub(more, left));
            }
            const double det = pkm_vec3_dot(J[0], pkm_vec3_cross(J[1], J[2]));
            z.x -= pkm_vec3_dot(left, pkm_vec3_cross(J[1], J[2])) / det;
            z.y -= pkm_vec3_dot(J[0], pkm_vec3_cross(left, J[2])) / det;
            z.z -= pkm_vec3_dot(J[0], pkm_vec3_cross(J[1], left)) / det;
        }
    CHECK(pkm_vec3_norm(square_left(z, k, &x)) < 1e-11);
    return x - 1.0;
}

// Rods of 2 mm under 3 EI/L^2: stretching, which the truth leaves out, is d^2/16 of the bending.
// The error falls with the fourth power of the length of a piece.
static void a_loop_bends_like_an_integrated_rod(void)
{
    const double d = 0.002, k = 3.0, truth = square_moved(k);
    double off[3];
    for (int i = 0; i < 3; ++i)
        off[i] = fabs(moved(E, d, 2 << i, k * bending_stiffness(d)) - truth);
    printf("    moves by %.6f; off by %.2e %.2e %.2e\n", truth, off[0], off[1], off[2]);
    CHECK(truth > 0.3);
    CHECK(off[1] < off[0] / 10.0 && off[2] < off[1] / 10.0);
    CHECK(off[2] < 1e-3 * truth);
}

// Ten times the stiffness, a tenth of the deflection.
static void stiff_pieces_are_a_rigid_loop(void)
{
    double off[3];
    for (int i = 0; i < 3; ++i)
        off[i] = moved(E * pow(10.0, i), 0.02, 4, 1.0);
    CHECK_NEAR(off[0], 1.0 / (3.0 * bending_stiffness(0.02)), 1e-3 * off[0]);
    CHECK_NEAR(off[1] / off[0], 0.1, 1e-4);
    CHECK_NEAR(off[2] / off[1], 0.1, 1e-4);
}

// ---- an arch of two rods ------------------------------------------------------------------------

/// Two rods of 1 m, clamped by locked drives at 45 degrees, meet in a hinge.
static pkm_robot* arch(double diameter)
{
    char text[1600];
    snprintf(text, sizeof text,
             "pkm: 1\nname: arch\ngravity: [0, 0, 0]\nparameters: {c: =sqrt(0.5)}\n"
             "materials: {steel: {density: 7801, young: 207e9, poisson: 0.29}}\n"
             "ground: {points: {A: ['=-c', 0, 0], B: [=c, 0, 0]}}\n"
             "bodies:\n"
             "  left:\n    points: {A: [0, 0, 0], P: [1, 0, 0]}\n"
             "    shape: {rod: {from: A, to: P, diameter: %.17g}, material: steel}\n"
             "    pose: {A: ['=-c', 0, 0], P: [0, =c, 0]}\n"
             "  right:\n    points: {B: [0, 0, 0], P: [1, 0, 0]}\n"
             "    shape: {rod: {from: B, to: P, diameter: %.17g}, material: steel}\n"
             "    pose: {B: [=c, 0, 0], P: [0, =c, 0]}\n"
             "joints:\n"
             "  a: {type: revolute, between: [ground.A, left.A], axis: z}\n"
             "  b: {type: revolute, between: [ground.B, right.B], axis: z}\n"
             "  tip: {type: revolute, between: [left.P, right.P], axis: z}\n"
             "drives: {qa: {joint: a}, qb: {joint: b}}\n"
             "tool: {point: left.P, moves: [x, y]}\n",
             diameter, diameter);
    return engine_from(text);
}

// A hundred periods of one arm alone are more than that of the arch. A soft push into and out of
// its plane, and then nothing; all settings are the defaults.
static void an_arch_keeps_its_energy_over_a_hundred_periods(void)
{
    const double d = 0.02;
    const double period = 2.0 * PI / (1.875104069 * 1.875104069 * sqrt(E / rho) * d / 4.0);
    char text[500], force[120];
    pkm_robot* robot = arch(d);
    snprintf(force, sizeof force, "'=3*sin(pi*min(t, %.17g s)/%.17g s)^4'", 1.5 * period,
             1.5 * period);
    snprintf(text, sizeof text,
             "motion: none\ndrives: locked\nfor: %.17g s\ninstants: 1016\n"
             "flexible: {'*': {pieces: 4, elements: 4}}\n"
             "loads: {push: {at: left.P, force: [%s, 0, %s]}}\n",
             101.5 * period, force, force);
    sim_result r = sim_run_whole(robot, text);
    double first = 0.0, off = 0.0;
    for (int i = 16; i <= sim_last(&r); ++i) {
        const double sum = sim_get(&r, i, "energy.kinetic") + sim_get(&r, i, "energy.strain");
        if (i == 16) first = sum;
        off = fmax(off, fabs(sum - first));
    }
    CHECK(first > 1e-5);
    CHECK(off < 1e-6 * first);
    sim_free(&r);
    pkm_robot_free(robot);
}

// ---- cost ---------------------------------------------------------------------------------------

/// Multiplications of an evaluation's factors and solutions, counted along their loops.
static double cost_of(const char* robot, const char* pattern, int pieces)
{
    char text[120];
    int n = 0;
    for (const char* at = pattern; *at && n < (int)sizeof text - 8; ++at)
        n += *at == '#' ? snprintf(text + n, 8, "%d", pieces) : snprintf(text + n, 2, "%c", *at);
    flex* f = flex_make(engine_load(robot), text, false, true);
    pkm_forward* forward = NULL;
    bool all[PKM_MAX_DRIVE];
    for (int d = 0; d < PKM_MAX_DRIVE; ++d)
        all[d] = true;
    CHECK(pkm_forward_create(f->robot->state, &f->robot->structure, all, NULL, 0, &forward, NULL) ==
          PKM_OK);
    const double cost = pkm_forward_cost(forward, f->robot->state);
    pkm_forward_free(forward);
    flex_free(f);
    return cost;
}

// Twice the pieces, twice the multiplications, in one loop and between the limbs of a platform. How
// much the factors of the Delta's rows fill in depends on which pivots they find.
static void cost_is_linear_in_loops(void)
{
    double cost[4];
    for (int i = 0; i < 4; ++i)
        cost[i] = cost_of("five-bar", "{'*': {pieces: #}}", 8 << i);
    printf("    multiplications: %.0f %.0f %.0f %.0f\n", cost[0], cost[1], cost[2], cost[3]);
    for (int i = 0; i + 1 < 4; ++i)
        CHECK(cost[i + 1] / cost[i] < 2.1);
    static const char rods[] = "{left: {pieces: #}, right: {pieces: #}}";
    CHECK(cost_of("siax", rods, 32) / cost_of("siax", rods, 8) < 4.2);
}

int main(void)
{
    RUN(a_loop_bends_like_an_integrated_rod);
    RUN(stiff_pieces_are_a_rigid_loop);
    RUN(an_arch_keeps_its_energy_over_a_hundred_periods);
    RUN(cost_is_linear_in_loops);
    return check_report();
}
