/// The equations of motion in all coordinates: against energy, momentum and finite differences.
#include "unit/api/load.h"

#include <math.h>
#include <string.h>

enum { MOST = 64 };

typedef struct numbers {
    int n, m;
    double M[MOST * MOST], h[MOST], G[MOST * MOST], gamma[MOST], lambda[MOST], Q[MOST], v[MOST],
        a[MOST];
} numbers;

static void read_all(pkm_equations* e, numbers* x)
{
    const int n = x->n = pkm_equations_n_velocity(e), m = x->m = pkm_equations_n_closure(e);
    CHECK(n > 0 && n <= MOST && m <= MOST);
    CHECK(pkm_equations_motion(e, x->v, x->a, n, NULL) == PKM_OK);
    CHECK(pkm_equations_mass(e, x->M, n * n, NULL) == PKM_OK);
    CHECK(pkm_equations_bias(e, x->h, n, NULL) == PKM_OK);
    CHECK(pkm_equations_drives(e, x->Q, n, NULL) == PKM_OK);
    if (m == 0) return;
    CHECK(pkm_equations_closures(e, x->G, m * n, NULL) == PKM_OK);
    CHECK(pkm_equations_multipliers(e, x->gamma, x->lambda, m, NULL) == PKM_OK);
}

static pkm_instant swinging(const pkm_robot* robot, unsigned seed)
{
    pkm_instant now = pkm_instant_home(robot);
    for (int d = 0; d < pkm_robot_n_drive(robot); ++d) {
        now.q[d] += 0.01 * noise(&seed);
        now.v[d] = 0.5 * noise(&seed);
        now.a[d] = 5.0 * noise(&seed);
    }
    now.tool_force = (pkm_vec3){3.0, -2.0, 7.0};
    return now;
}

/// M a + h - Q - G' lambda = 0, G v = 0, G a = gamma: each in the size of its own terms.
static void the_equations_hold_for_every_robot(void)
{
    static numbers x;
    for (int r = 0; r < N_ROBOT; ++r) {
        pkm_robot* robot = load(robot_files[r]);
        pkm_instant now = swinging(robot, 3u);
        pkm_equations* e = NULL;
        CHECK(pkm_equations_create(robot, &e, NULL) == PKM_OK);
        CHECK(pkm_equations_set(e, &now, NULL) == PKM_OK);
        read_all(e, &x);
        double worst = 0.0, largest = 0.0, rate = 0.0, bias = 0.0;
        for (int i = 0; i < x.n; ++i) {
            double sum = x.h[i] - x.Q[i];
            for (int k = 0; k < x.n; ++k)
                sum += x.M[i + k * x.n] * x.a[k];
            for (int k = 0; k < x.m; ++k)
                sum -= x.G[k + i * x.m] * x.lambda[k];
            worst = fmax(worst, fabs(sum));
            largest = fmax(largest, fabs(x.h[i]) + fabs(x.Q[i]));
        }
        for (int k = 0; k < x.m; ++k) {
            double gv = 0.0, ga = -x.gamma[k];
            for (int i = 0; i < x.n; ++i) {
                gv += x.G[k + i * x.m] * x.v[i];
                ga += x.G[k + i * x.m] * x.a[i];
            }
            rate = fmax(rate, fabs(gv));
            bias = fmax(bias, fabs(ga));
        }
        if (worst > 1e-9 * largest) printf("    %s: %g of %g\n", robot_files[r], worst, largest);
        CHECK(largest > 0.1 && worst <= 1e-9 * largest);
        CHECK(rate < 1e-10 && bias < 1e-8);
        pkm_equations_free(e);
        pkm_robot_free(robot);
    }
}

/// d/dt (1/2 v' M v) = v' (Q - h at rest): drives, weight and tool force, by differences in time.
static void kinetic_energy_takes_up_the_power(void)
{
    static numbers x;
    pkm_robot* robot = load("siax");
    pkm_equations* e = NULL;
    const double dt = 1e-4;
    double T[2], power = 0.0;
    pkm_instant base = swinging(robot, 11u);
    CHECK(pkm_equations_create(robot, &e, NULL) == PKM_OK);
    for (int k = 0; k < 3; ++k) {
        const double t = (k - 1) * dt;
        pkm_instant now = base;
        for (int d = 0; d < 3; ++d) {
            now.q[d] += base.v[d] * t + 0.5 * base.a[d] * t * t;
            now.v[d] += base.a[d] * t;
        }
        CHECK(pkm_equations_set(e, &now, NULL) == PKM_OK);
        read_all(e, &x);
        double twice = 0.0, p = 0.0;
        for (int i = 0; i < x.n; ++i)
            for (int j = 0; j < x.n; ++j)
                twice += x.v[i] * x.M[i + j * x.n] * x.v[j];
        // at rest h is weight and tool force alone
        pkm_instant still = now;
        memset(still.v, 0, sizeof still.v);
        const numbers moving = x;
        CHECK(pkm_equations_set(e, &still, NULL) == PKM_OK);
        CHECK(pkm_equations_bias(e, x.h, x.n, NULL) == PKM_OK);
        for (int i = 0; i < x.n; ++i)
            p += moving.v[i] * (moving.Q[i] - x.h[i]);
        if (k == 1)
            power = p;
        else
            T[k / 2] = 0.5 * twice;
    }
    CHECK(fabs(power) > 0.1);
    CHECK_NEAR((T[1] - T[0]) / (2.0 * dt), power, 1e-5 * fabs(power) + 1e-6);
    pkm_equations_free(e);
    pkm_robot_free(robot);
}

/// A slider-crank: its slider moves as the formula says, and the sum of what the ground gives is
/// the rate of momentum less the weight.
static void bodies_and_reactions_obey_newton(void)
{
    static const char crank[] =
        "pkm: 1\nname: slider-crank\ngravity: [0, -9.81, 0]\nground: {points: {O: [0, 0, 0]}}\n"
        "bodies:\n"
        "  crank: {points: {O: [0, 0, 0], A: [0.1, 0, 0]}, mass: 1.5, com: [0.04, 0, 0], "
        "inertia: [1e-3, 1e-3, 2e-3]}\n"
        "  slider: {points: {B: [0, 0, 0]}, mass: 2, com: [0, 0, 0], inertia: [1e-3, 1e-3, 1e-3], "
        "pose: {at: [0.5, 0, 0]}}\n"
        "joints:\n"
        "  turn: {type: revolute, between: [ground.O, crank.O], axis: z}\n"
        "  guide: {type: prismatic, between: [ground.O, slider.B], axis: x}\n"
        "  rod: {type: distance, between: [crank.A, slider.B], length: 0.4}\n"
        "drives: {q: {joint: turn}}\ntool: {point: slider.B}\nhome: {drives: {q: 0}}\n";
    pkm_robot* robot = NULL;
    pkm_equations* e = NULL;
    pkm_frame_motion bar, block;
    pkm_vec3 f_turn, f_guide, m_turn, m_guide;
    bool unique = false;
    CHECK(pkm_robot_parse(crank, "crank", NULL, 0, &robot, NULL) == PKM_OK);
    CHECK(pkm_equations_create(robot, &e, NULL) == PKM_OK);
    pkm_instant now = {.q = {0.8}, .v = {12.0}, .a = {-30.0}};
    CHECK(pkm_equations_set(e, &now, NULL) == PKM_OK);
    CHECK(pkm_equations_body(e, 0, &bar, NULL) == PKM_OK);
    CHECK(pkm_equations_body(e, 1, &block, NULL) == PKM_OK);
    // the slider's way x = r cos q + sqrt(l^2 - r^2 sin^2 q), by central differences
    const double dt = 1e-5, r = 0.1, l = 0.4;
    double x[3];
    for (int k = 0; k < 3; ++k) {
        const double t = (k - 1) * dt, q = 0.8 + 12.0 * t - 15.0 * t * t;
        x[k] = r * cos(q) + sqrt(l * l - r * r * sin(q) * sin(q));
    }
    CHECK_NEAR(block.pose.p.x, x[1], 1e-12);
    CHECK_NEAR(block.v.x, (x[2] - x[0]) / (2.0 * dt), 1e-7);
    CHECK_NEAR(block.a.x, (x[2] - 2.0 * x[1] + x[0]) / (dt * dt), 1e-4);
    CHECK_NEAR(bar.w.z, 12.0, 1e-12);
    CHECK_NEAR(bar.alpha.z, -30.0, 1e-10);
    // Newton for crank and slider: turn and guide give mass times acceleration less weight. The
    // guide gives nothing along its axis (z of its frame), so all of x comes from the turn; across
    // it, the guide's share is known by its size, in axes that are turned about z
    CHECK(pkm_equations_reaction(e, 0, &f_turn, &m_turn, &unique, NULL) == PKM_OK && unique);
    CHECK(pkm_equations_reaction(e, 1, &f_guide, &m_guide, NULL, NULL) == PKM_OK);
    const double c = cos(0.8), s = sin(0.8), guide = hypot(f_guide.x, f_guide.y);
    const double ax = 0.04 * (-c * 144.0 + s * 30.0), ay = 0.04 * (-s * 144.0 - c * 30.0);
    const double fx = 1.5 * ax + 2.0 * block.a.x, fy = 1.5 * (ay + 9.81) + 2.0 * 9.81;
    const double of_turn = hypot(f_turn.x, f_turn.y);
    CHECK_NEAR(f_guide.z, 0.0, 1e-9);
    CHECK_NEAR(f_turn.z, 0.0, 1e-9);
    CHECK(guide > 1.0);
    CHECK_NEAR(fmin(fabs(hypot(fx, fy - guide) - of_turn), fabs(hypot(fx, fy + guide) - of_turn)),
               0.0, 1e-8);
    pkm_equations_free(e);
    pkm_robot_free(robot);
}

static void accelerations_come_from_forces(void)
{
    pkm_robot *robot = load("gough-stewart"), *other = load("gough-stewart");
    pkm_equations* e = NULL;
    pkm_instant now = swinging(robot, 5u);
    const pkm_instant wanted = now;
    static numbers x;
    CHECK(pkm_inverse_at(other, PKM_METHOD_ENGINE, &now, NULL) == PKM_OK);
    memset(now.a, 0, sizeof now.a);
    CHECK(pkm_equations_create(robot, &e, NULL) == PKM_OK);
    pkm_robot_free(robot); // the equations have one of their own
    CHECK(pkm_equations_accelerate(e, &now, NULL) == PKM_OK);
    for (int d = 0; d < 6; ++d)
        CHECK_NEAR(now.a[d], wanted.a[d], 1e-8);
    read_all(e, &x); // and they are those at which the equations stand
    for (int k = 0; k < x.m; ++k) {
        double ga = -x.gamma[k];
        for (int i = 0; i < x.n; ++i)
            ga += x.G[k + i * x.m] * x.a[i];
        CHECK(fabs(ga) < 1e-8);
    }
    pkm_equations_free(e);
    pkm_robot_free(other);
}

static void names_tell_what_is_what(void)
{
    pkm_robot* robot = load("siax");
    pkm_equations* e = NULL;
    char text[120];
    int motors = 0;
    CHECK(pkm_equations_create(robot, &e, NULL) == PKM_OK);
    for (int i = 0; pkm_equations_velocity_name(e, i, text, sizeof text); ++i) {
        CHECK(text[0] != '\0');
        motors += strcmp(text, "A.motor") == 0;
    }
    CHECK(motors == 1);
    for (int i = 0; i < pkm_equations_n_closure(e); ++i)
        CHECK(pkm_equations_closure_name(e, i, text, sizeof text) && text[0] != '\0');
    CHECK(!pkm_equations_velocity_name(e, -1, text, sizeof text) && text[0] == '\0');
    CHECK(!pkm_equations_closure_name(e, 9999, text, sizeof text));
    CHECK(!pkm_equations_velocity_name(NULL, 0, text, sizeof text));
    CHECK(!pkm_equations_velocity_name(e, 0, NULL, 0));
    pkm_equations_free(e);
    pkm_robot_free(robot);
}

static void misuse_is_told(void)
{
    pkm_robot* robot = load("siax");
    pkm_equations* e = NULL;
    pkm_instant now = pkm_instant_home(robot), far = now;
    pkm_frame_motion body;
    pkm_vec3 f;
    double x[4] = {0.0};
    static numbers before, after;
    pkm_equations_free(NULL);
    CHECK(pkm_equations_create(NULL, &e, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_equations_create(robot, NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_equations_n_velocity(NULL) == 0 && pkm_equations_n_closure(NULL) == 0);
    CHECK(pkm_equations_create(robot, &e, NULL) == PKM_OK);
    const int n = pkm_equations_n_velocity(e), m = pkm_equations_n_closure(e);
    CHECK(pkm_equations_set(NULL, &now, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_equations_set(e, NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_equations_accelerate(e, NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_equations_body(e, -1, &body, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_equations_body(e, 99, &body, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_equations_body(e, 0, NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_equations_motion(e, NULL, NULL, n, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_equations_motion(e, x, NULL, 1, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_equations_mass(e, x, n, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_equations_mass(e, NULL, n * n, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_equations_mass(NULL, x, 0, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_equations_bias(e, x, -1, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_equations_closures(e, x, m, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_equations_multipliers(e, NULL, NULL, m, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_equations_drives(e, x, 2, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_equations_reaction(e, 0, NULL, &f, NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_equations_reaction(e, 99, &f, &f, NULL, NULL) == PKM_ERR_ARGUMENT);
    now.v[0] = NAN;
    CHECK(pkm_equations_set(e, &now, NULL) == PKM_ERR_ARGUMENT);
    now = swinging(robot, 2u);
    CHECK(pkm_equations_set(e, &now, NULL) == PKM_OK);
    read_all(e, &before);
    far.q[0] = 3.0; // out of reach: the equations are those of before
    CHECK(pkm_equations_set(e, &far, NULL) != PKM_OK);
    read_all(e, &after);
    for (int i = 0; i < n; ++i)
        CHECK_NEAR(after.h[i], before.h[i], 1e-9);
    CHECK_NEAR(after.M[0], before.M[0], 1e-12);
    far = now;
    far.force[0] = INFINITY;
    CHECK(pkm_equations_accelerate(e, &far, NULL) == PKM_ERR_ARGUMENT);
    pkm_equations_free(e);
    pkm_robot_free(robot);
}

/// Positions of joints, of the tree and at cuts, change by their rates; a driven one is its drive.
static void joints_stand_where_their_rates_lead(void)
{
    const double h = 1e-5;
    for (int r = 0; r < N_ROBOT; ++r) {
        pkm_robot* robot = load(robot_files[r]);
        pkm_equations* e = NULL;
        double q[2], v, none;
        int n_told = 0;
        CHECK(pkm_equations_create(robot, &e, NULL) == PKM_OK);
        for (int j = -1; j <= pkm_robot_n_joint(robot); ++j) {
            pkm_instant now = swinging(robot, 5u);
            memset(now.a, 0, sizeof now.a);
            const pkm_joint_type type = pkm_robot_joint_type(robot, j);
            if (type != PKM_JOINT_REVOLUTE && type != PKM_JOINT_PRISMATIC) {
                CHECK(pkm_equations_joint(e, j, &none, &none, NULL) == PKM_ERR_ARGUMENT);
                continue;
            }
            ++n_told;
            for (int side = -1; side <= 1; side += 2) {
                pkm_instant at = now;
                for (int d = 0; d < pkm_robot_n_drive(robot); ++d)
                    at.q[d] += side * h * now.v[d];
                CHECK(pkm_equations_set(e, &at, NULL) == PKM_OK);
                CHECK(pkm_equations_joint(e, j, &q[(side + 1) / 2], NULL, NULL) == PKM_OK);
            }
            CHECK(pkm_equations_set(e, &now, NULL) == PKM_OK);
            CHECK(pkm_equations_joint(e, j, &none, &v, NULL) == PKM_OK);
            // differences of the second order, 1e-10 of accelerations of some 10/s2
            CHECK_NEAR((q[1] - q[0]) / (2.0 * h), v, 1e-7 * (1.0 + fabs(v)));
        }
        CHECK(n_told > 0 || r > 0); // the first has arms
        pkm_equations_free(e);
        pkm_robot_free(robot);
    }
}

int main(void)
{
    RUN(the_equations_hold_for_every_robot);
    RUN(kinetic_energy_takes_up_the_power);
    RUN(bodies_and_reactions_obey_newton);
    RUN(accelerations_come_from_forces);
    RUN(names_tell_what_is_what);
    RUN(misuse_is_told);
    RUN(joints_stand_where_their_rates_lead);
    return check_report();
}
