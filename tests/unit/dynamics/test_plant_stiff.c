// Implicit steps of the plant: (1 - c J) x = b against difference quotients of the accelerations.
#include "clearance.h"
#include "plant.h"

/// A robot with what a run file says, and its plant with all drives at rest.
typedef struct stiff {
    plant_parts of;
    pkm_target at;
    double z[64], z_rate[64];
    bool moves_z; ///< bristles take part
} stiff;

static void rest(void* user, double t, pkm_target* target)
{
    (void)t;
    *target = ((const stiff*)user)->at;
}

static void make(stiff* s, pkm_robot* robot, const char* text)
{
    *s = (stiff){.of.given = robot};
    char file[1000];
    pkm_error err = {0};
    snprintf(file, sizeof file, "run: 1\n%s", text);
    CHECK(pkm_run_create(s->of.given, &s->of.run, &err) == PKM_OK);
    if (pkm_run_parse(s->of.run, file, "run.yaml", &err) != PKM_OK) printf("    %s\n", err.text);
    CHECK(err.text[0] == '\0');
    const pkm_actuation actuation = {.user = s, .reference = rest, .force = no_force};
    for (int d = 0; d < robot->mech->n_drive; ++d)
        s->at.q[d] = pkm_state_drive_position(robot->state, d);
    plant_make(&s->of, true, &actuation);
    CHECK(pkm_plant_n_state(s->of.plant) <= 64);
    CHECK(pkm_plant_stiff_create(s->of.plant) == PKM_OK);
    for (int k = 0; k < pkm_plant_n_contact(s->of.plant); ++k)
        pkm_plant_memory(s->of.plant)[k] = (pkm_contact_memory){true, 0.1};
}

/// Numbers between -1 and 1, the same every time.
static double any(unsigned* seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

enum { MOST = 256 };

/// The accelerations at the positions q moved by h x, the velocities v + h dv and the states z + h
/// dz, whose rates are in s->z_rate then.
static void accelerations(stiff* s, const double* q, const double* v, const double* x,
                          const double* dv, const double* dz, double h, double* out)
{
    pkm_state* state = s->of.robot->state;
    double step[MOST], z[MOST];
    for (int i = 0; i < pkm_plant_n_state(s->of.plant); ++i)
        z[i] = s->z[i] + h * dz[i];
    memcpy(state->q, q, (size_t)state->mech->n_q * sizeof *q);
    for (int i = 0; i < state->mech->n_v; ++i) {
        step[i] = h * x[i];
        state->v[i] = v[i] + h * dv[i];
    }
    pkm_state_move(state->mech, state->q, step);
    CHECK(pkm_plant_evaluate(s->of.plant, 0.0, z, s->z_rate) == PKM_OK);
    memcpy(out, state->a, (size_t)state->mech->n_v * sizeof *out);
}

/// Any velocities that loops and drives at rest allow; the state keeps its own.
static void along_constraints(stiff* s, unsigned* seed, double* out)
{
    pkm_state* state = s->of.robot->state;
    const size_t size = (size_t)state->mech->n_v * sizeof *out;
    double v[MOST];
    memcpy(v, state->v, size);
    for (int i = 0; i < state->mech->n_v; ++i)
        state->v[i] = any(seed);
    CHECK(pkm_plant_project_velocity(s->of.plant, 0.0) == PKM_OK);
    memcpy(out, state->v, size);
    memcpy(state->v, v, size);
}

/// How far (1 - c J) (dx, dv) is from (x, v), J by difference quotients along the solution. What is
/// left out of J is not stiff. The result is relative to b or c J (dx, dv), whichever is larger;
/// `part` receives their ratio: how stiff the step was.
static double defect(stiff* s, double c, unsigned seed, double* part)
{
    pkm_state* state = s->of.robot->state;
    const int n = state->mech->n_v;
    double q[MOST], v[MOST], x[MOST], dv[MOST], b[MOST], up[MOST], down[MOST];
    double dz[MOST], bz[MOST], rate[MOST];
    const int n_z = pkm_plant_n_state(s->of.plant);
    CHECK(n <= MOST && state->mech->n_q <= MOST);
    memcpy(q, state->q, (size_t)state->mech->n_q * sizeof *q);
    memcpy(v, state->v, (size_t)n * sizeof *v);
    CHECK(pkm_plant_evaluate(s->of.plant, 0.0, s->z, s->z_rate) == PKM_OK);
    CHECK(pkm_plant_stiff_factor(s->of.plant, c, s->z) == PKM_OK);
    along_constraints(s, &seed, x);
    along_constraints(s, &seed, dv);
    memcpy(b, dv, (size_t)n * sizeof *b);
    for (int i = 0; i < n; ++i)
        x[i] *= c;
    for (int i = 0; i < n_z; ++i)
        dz[i] = bz[i] = s->moves_z ? c * any(&seed) : 0.0;
    pkm_plant_stiff_solve(s->of.plant, x, dv, dz);
    double most = 0.0, given = 0.0, force = 0.0;
    for (int i = 0; i < n; ++i)
        x[i] += c * dv[i];
    const double h = s->moves_z ? 1e-7 / (1e6 * c) : 1e-7; // bristles, of 1e-7 m, move by c
    accelerations(s, q, v, x, dv, dz, h, up);
    memcpy(rate, s->z_rate, (size_t)n_z * sizeof *rate);
    accelerations(s, q, v, x, dv, dz, -h, down);
    for (int i = 0; i < n_z && s->moves_z; ++i) // bristles: dz - c J = b too
        CHECK_NEAR(dz[i] - c * (rate[i] - s->z_rate[i]) / (2.0 * h), bz[i],
                   (s->of.run->effects.n_clearance ? 0.03 : 1e-4) *
                       c); // without turns of the normal
    for (int i = 0; i < n; ++i) {
        const double Jx = (up[i] - down[i]) / (2.0 * h);
        most = fmax(most, fabs(dv[i] - c * Jx - b[i]));
        given = fmax(given, fabs(b[i]));
        force = fmax(force, fabs(c * Jx));
    }
    memcpy(state->q, q, (size_t)state->mech->n_q * sizeof *q);
    memcpy(state->v, v, (size_t)n * sizeof *v);
    *part = force / given;
    return most / fmax(given, force);
}

static const char LAW[] =
    "radius: 10 mm, length: 40 mm, axial: 0.1 mm, width: 30 mm, height: 20 mm, "
    "law: lankarani-nikravesh, restitution: 0.8, stiffness: 1.5e10";

/// A rod whose journal is pressed into its bearing and slides.
static void contacts_that_rub_are_implicit(void)
{
    static const char* const kinds[] = {"spherical", "cylindrical", "revolute", "prismatic"};
    for (int k = 0; k < 4; ++k) {
        char text[800];
        stiff s;
        snprintf(text, sizeof text,
                 "pkm: 1\nname: rod\ngravity: [0, 0, -9.81]\n"
                 "ground: {frames: {O: {at: [0, 0, 0], rotate: {y: 90 deg}}}}\n"
                 "bodies:\n  rod: {mass: 1, com: [0, 0.05, 0], inertia: [0.01, 0.002, 0.01],\n"
                 "    frames: {O: {at: [0, 0, 0], rotate: {y: 90 deg}}}, points: {P: [0, 0.05, "
                 "0]}}\njoints:\n  J: {type: %s, between: [ground.O, rod.O]}\n",
                 kinds[k]);
        pkm_robot* robot = engine_from(text);
        snprintf(text, sizeof text,
                 "clearance: {J: {radial: 0.1 mm, %s, friction: {static: 0.2, stiction_velocity: 1 "
                 "mm/s}}}\n",
                 LAW);
        make(&s, robot, text);
        double *q = s.of.robot->state->q + s.of.robot->mech->body[1].q_at, part;
        q[1] += 2e-5, q[2] -= 1.04e-4; // 4 um deep in a guide, 6 um in a bore
        for (int i = 0; i < 6; ++i)
            s.of.robot->state->v[i] = 1e-4 * (i - 2);
        CHECK(defect(&s, 1e-6, 7, &part) < 1e-5);
        CHECK(defect(&s, 1e-5, 7, &part) < 1e-3 && part > 0.2);
        CHECK(defect(&s, 1e-4, 7, &part) < 1e-1 && part > 1.0); // turns of the normal, like c^2
        plant_release(&s.of);
    }
}

/// A rod on a joint whose surfaces are deflected by `part` of what makes them slip, and move on.
static void check_bristles(const char* type, const char* run, double deflected)
{
    char text[800];
    stiff s;
    snprintf(text, sizeof text,
             "pkm: 1\nname: rod\ngravity: [0, 0, -9.81]\n"
             "ground: {frames: {O: {at: [0, 0, 0], rotate: {y: 90 deg}}}}\n"
             "bodies:\n  rod: {mass: 1, com: [0, 0.05, 0], inertia: [0.01, 0.002, 0.01],\n"
             "    frames: {O: {at: [0, 0, 0], rotate: {y: 90 deg}}}, points: {P: [0, 0.05, "
             "0]}}\njoints:\n  J: {type: %s, between: [ground.O, rod.O]}\n",
             type);
    make(&s, engine_from(text), run);
    double *q = s.of.robot->state->q + s.of.robot->mech->body[1].q_at, part;
    s.moves_z = true;
    if (s.of.run->effects.n_clearance > 0) q[1] += 2e-5, q[2] -= 1.04e-4;
    for (int i = 0; i < s.of.robot->mech->n_v; ++i)
        s.of.robot->state->v[i] = 1e-4 * (i + 1);
    CHECK(pkm_plant_evaluate(s.of.plant, 0.0, s.z, s.z_rate) == PKM_OK);
    double length = 0.0; // along the velocity of the surfaces
    for (int i = 0; i < pkm_plant_n_state(s.of.plant); ++i)
        length += s.z_rate[i] * s.z_rate[i];
    for (int i = 0; i < pkm_plant_n_state(s.of.plant); ++i)
        s.z[i] = deflected * 2e-7 * s.z_rate[i] / sqrt(length);
    CHECK(defect(&s, 1e-6, 7, &part) < 1e-4);
    CHECK(defect(&s, 1e-5, 7, &part) < 1e-3);
    plant_release(&s.of);
}

/// Elastic, and where part of the velocity slips.
static void bristles_are_implicit(void)
{
    char clearance[400];
    snprintf(clearance, sizeof clearance,
             "clearance: {J: {radial: 0.1 mm, %s, friction: {static: 0.2}}}\n", LAW);
    for (int k = 0; k < 2; ++k) {
        const double deflected = k ? 0.9995 : 0.5;
        check_bristles("spherical", clearance, deflected);
        check_bristles("revolute", "friction: {J: {static: 0.2, radius: 10 mm}}\n", deflected);
    }
}

/// SIAX with loops: the modes of its rods alone are stiff.
static void springs_and_dampers_of_modes_are_implicit(void)
{
    static const char* const damping[] = {"5 %", "adams"};
    for (int k = 0; k < 2; ++k) {
        char text[200];
        double part;
        stiff s;
        snprintf(text, sizeof text, "flexible: {left: {modes: 6, damping: %s}}\n", damping[k]);
        make(&s, engine_load("siax"), text);
        CHECK(defect(&s, 1e-6, 3, &part) < 1e-3);
        CHECK(defect(&s, 1e-4, 3, &part) < 1e-2);
        plant_release(&s.of);
    }
}

/// Where the factors are those of the state, a correction is what an evaluation and a solution
/// give, for any accelerations and multipliers that it begins with; and it leaves the right
/// multipliers and forces of the drives.
static void a_correction_is_an_evaluation_and_a_solution(void)
{
    static const double c = 2e-5, MODES = 1e-6;
    stiff s;
    unsigned seed = 17;
    double a[MOST], force[PKM_MAX_DRIVE], lambda[MOST], first[MOST];
    double x[MOST], dv[MOST], b[MOST], change[MOST];
    make(&s, engine_load("siax"), "flexible: {left: {modes: 4, damping: adams}, right: {}}\n");
    pkm_state* state = s.of.robot->state;
    const int n = state->mech->n_v, m = pkm_plant_n_multiplier(s.of.plant);
    CHECK(n <= MOST && m <= MOST && pkm_plant_stiff_corrects(s.of.plant));
    for (int d = 0; d < s.of.robot->mech->n_drive; ++d)
        s.at.a[d] = 3.0 + d;
    for (int i = 1; i < state->mech->n_body; ++i)
        for (int k = 0; state->mech->body[i].modal && k < state->mech->body[i].modal->n_mode; ++k)
            state->q[state->mech->body[i].z_at + k] += MODES * any(&seed);
    CHECK(pkm_plant_project(s.of.plant, 0.0) == PKM_OK);
    along_constraints(&s, &seed, dv);
    memcpy(state->v, dv, (size_t)n * sizeof *dv);
    CHECK(pkm_plant_evaluate(s.of.plant, 0.0, s.z, s.z_rate) == PKM_OK);
    CHECK(pkm_plant_stiff_factor(s.of.plant, c, s.z) == PKM_OK);
    memcpy(a, state->a, (size_t)n * sizeof *a);
    memcpy(force, pkm_plant_drive_force(s.of.plant), sizeof force);
    pkm_plant_get_multipliers(s.of.plant, lambda);

    for (int i = 0; i < n; ++i) {
        first[i] = a[i] + 50.0 * any(&seed);
        x[i] = 1e-8 * any(&seed);
        b[i] = c * (a[i] - first[i]);
    }
    pkm_plant_stiff_solve(s.of.plant, x, b, s.z);
    memcpy(state->a, first, (size_t)n * sizeof *a);
    for (int i = 0; i < m; ++i)
        lambda[i] += any(&seed);
    CHECK(pkm_plant_stiff_correct(s.of.plant, 0.0, c, x, s.z, lambda, dv, s.z_rate, change) ==
          PKM_OK);
    double most = 0.0;
    for (int i = 0; i < n; ++i)
        most = fmax(most, fabs(b[i]));
    for (int i = 0; i < n; ++i) // forces of 1e5 N, inertias of 1e-6 kg m2 and c: 1e-16 of them
        CHECK_NEAR(dv[i], b[i], 1e-8 * most);

    // from there on nothing is missing but what the positions lack
    for (int i = 0; i < n; ++i)
        x[i] = 0.0;
    memcpy(state->a, a, (size_t)n * sizeof *a);
    CHECK(pkm_plant_stiff_correct(s.of.plant, 0.0, c, x, s.z, lambda, dv, s.z_rate, change) ==
          PKM_OK);
    for (int i = 0; i < n; ++i)
        CHECK_NEAR(dv[i], 0.0, 1e-8 * most);
    for (int d = 0; d < s.of.robot->mech->n_drive; ++d)
        CHECK_NEAR(pkm_plant_drive_force(s.of.plant)[d], force[d], 1e-7 * (1.0 + fabs(force[d])));
    plant_release(&s.of);
}

/// All at once, in random directions: twelve balls pressed, flexible rods.
static void all_that_is_stiff_is_implicit_together(void)
{
    char text[600];
    double part, step[MOST];
    unsigned seed = 5;
    stiff s;
    snprintf(text, sizeof text,
             "flexible: {left: {modes: 4, damping: adams}, right: {modes: 4}}\n"
             "clearance: {spherical: {radial: 10 um, %s, friction: {law: coulomb, static: 0.1}}}\n",
             LAW);
    make(&s, engine_load("siax"), text);
    for (int i = 0; i < s.of.robot->mech->n_v; ++i)
        step[i] = s.of.robot->mech->body[1].n_v > 0 && i < 3 ? 0.0 : 1.2e-5 * any(&seed);
    pkm_state_move(s.of.robot->mech, s.of.robot->state->q, step);
    CHECK(pkm_plant_project(s.of.plant, 0.0) == PKM_OK);
    CHECK(defect(&s, 1e-6, 11, &part) < 1e-3 && part > 20.0);
    CHECK(defect(&s, 1e-5, 11, &part) < 5e-2 && part > 20.0);
    plant_release(&s.of);
}

// ---- settling -----------------------------------------------------------------------------------

static int n_solved;

static void solve_counted(pkm_plant* p)
{
    ++n_solved;
    pkm_plant_solve_with_friction(p);
}

/// A car pulls a sled by a rope that rises by tan = 1.5: the rope lifts what presses, and friction
/// f answers the load by mu (m g - f tan), of which f = mu m g / (1 + mu tan) is the only solution.
/// Fixed-point steps grow by mu tan = 1.5 each; relaxed by the quotient of two of them they are
/// there at once, since the equation is a straight line.
static void loads_that_overshoot_are_tamed(void)
{
    static const char drag[] =
        "pkm: 1\nname: drag\ngravity: [0, 0, -10]\n"
        "ground: {points: {O: [0, 0, 0], U: [0.2, 0, 0.3]}}\n"
        "bodies:\n"
        "  car: {mass: 1, inertia: [1, 1, 1], points: {P: [0, 0, 0]}, pose: {at: [0.2, 0, 0.3]}}\n"
        "  sled: {mass: 5, inertia: [1, 1, 1], points: {P: [0, 0, 0]}}\n"
        "joints:\n"
        "  rail: {type: prismatic, between: [ground.U, car.P], axis: x}\n"
        "  floor: {type: prismatic, between: [ground.O, sled.P], axis: x}\n"
        "  rope: {type: distance, between: [car.P, sled.P]}\n"
        "drives: {q: {joint: rail}}\n";
    stiff s;
    make(&s, engine_from(drag),
         "friction: {floor: {law: coulomb, static: 1, dynamic: 1, overlap: 0.1 m}}\n");
    s.at.v[0] = 1.0;
    CHECK(pkm_plant_start(s.of.plant, 0.0) == PKM_OK);
    CHECK(pkm_plant_evaluate(s.of.plant, 0.0, s.z, s.z_rate) == PKM_OK);
    pkm_friction_item* item = &s.of.plant->friction[0];
    CHECK_NEAR(fabs(item->force.z), 50.0 / 2.5, 1e-9);
    item->force = (pkm_vec3){0.0, 0.0, 0.0};
    CHECK(pkm_plant_settle_friction(s.of.plant, s.z, solve_counted) == PKM_OK);
    CHECK_NEAR(fabs(item->force.z), 50.0 / 2.5, 1e-9);
    CHECK(n_solved <= 6);
    plant_release(&s.of);
}

int main(void)
{
    RUN(contacts_that_rub_are_implicit);
    RUN(bristles_are_implicit);
    RUN(springs_and_dampers_of_modes_are_implicit);
    RUN(a_correction_is_an_evaluation_and_a_solution);
    RUN(all_that_is_stiff_is_implicit_together);
    RUN(loads_that_overshoot_are_tamed);
    return check_report();
}
