// Surfaces that stop: between two steps their bristles take up what holds them, in joints and in
// contacts, against closed forms.
#include "clearance.h"
#include "plant.h"

static const double g = 9.81, MU = 0.3;

/// A robot with what a run file says, and its plant with all drives free.
typedef struct stop {
    plant_parts of;
    double z[64], limit[64];
} stop;

/// `joint` between the ground and a body of 2 kg, under gravity (gx, 0, -g), with what `text` says.
static stop make(const char* joint, double gx, const char* text)
{
    char model[600], file[600];
    snprintf(model, sizeof model,
             "pkm: 1\nname: block\ngravity: [%.17g, 0, -9.81]\nground: {points: {O: [0, 0, 0]}}\n"
             "bodies: {block: {mass: 2, com: [0, 0, -20 mm], inertia: [0.01, 0.01, 0.01], points: "
             "{P: [0, 0, 0]}}}\njoints: {J: {%s, between: [ground.O, block.P]}}\ntool: block.P\n",
             gx, joint);
    snprintf(file, sizeof file, "run: 1\nmotion: none\nfor: 1 s\n%s", text);
    stop s = {.of.given = engine_from(model)};
    const pkm_actuation actuation = {.reference = no_reference, .force = no_force};
    pkm_error err = {0};
    CHECK(pkm_run_create(s.of.given, &s.of.run, &err) == PKM_OK);
    if (pkm_run_parse(s.of.run, file, "run.yaml", &err) != PKM_OK) printf("    %s\n", err.text);
    CHECK(err.text[0] == '\0');
    plant_make(&s.of, false, &actuation);
    CHECK(pkm_plant_n_state(s.of.plant) <= 64);
    pkm_plant_bristle_sizes(s.of.plant, s.limit);
    return s;
}

/// The end of a step at t, with the velocity v of the first freedom.
static pkm_status end_step(stop* s, double t, double v)
{
    double rate[64];
    s->of.robot->state->v[0] = v;
    CHECK(pkm_plant_evaluate(s->of.plant, t, s->z, rate) ==
          PKM_OK); // the step's own, with its loads
    return pkm_plant_take_up(s->of.plant, t, s->z);
}

// ---- joints -----------------------------------------------------------------------------------

static const char rail[] = "type: prismatic, axis: x", ball[] = "type: spherical";
static const char rubs[] = "friction: {J: {static: 0.3, dynamic: 0.2, radius: 10 mm}}\n";

/// A block on a slope of tan = `tangent` that slid upwards and turns back with v.
static stop turn_back(double tangent, double v, pkm_status* status)
{
    stop s = make(rail, tangent * g, rubs);
    CHECK(pkm_plant_weigh(s.of.plant, 0.0, s.z) == PKM_OK);
    s.z[0] = -s.limit[0];
    CHECK(end_step(&s, 0.0, -0.01) == PKM_OK);
    CHECK(!pkm_plant_took_up(s.of.plant));
    *status = end_step(&s, 1e-3, v);
    return s;
}

// sigma0 z N = m gx, so that z/z_s is the part of mu_s that the slope needs.
static void a_block_that_stops_is_bent_by_what_holds_it(void)
{
    pkm_status status;
    stop s = turn_back(0.29, 1e-9, &status);
    CHECK(status == PKM_OK && pkm_plant_took_up(s.of.plant));
    CHECK_NEAR(s.z[0], s.limit[0] * 0.29 / MU, 1e-9 * s.limit[0]);
    CHECK(end_step(&s, 2e-3, 0.0) == PKM_OK); // and rests
    CHECK(!pkm_plant_took_up(s.of.plant));
    plant_release(&s.of);
}

// Bent as far as they can in the direction in which the block is driven, bristles slide from there;
// a block that is fast already should have done so before.
static void a_block_that_cannot_be_held_slides_back(void)
{
    pkm_status status;
    stop s = turn_back(0.31, 1e-9, &status);
    CHECK(status == PKM_OK && pkm_plant_took_up(s.of.plant));
    CHECK_NEAR(s.z[0], s.limit[0], 1e-12 * s.limit[0]);
    plant_release(&s.of);
    s = turn_back(0.31, 1e-4, &status);
    CHECK(status == PKM_RETRY);
    plant_release(&s.of);
}

// A slope that is there at once: up to half of mu_s bristles swing by themselves, beyond that they
// are put to where it is held, or to where they slide.
static void a_load_that_jumps_is_taken_up(void)
{
    static const double tangent[] = {0.1, 0.29, 0.31}, part[] = {0.0, 0.29 / 0.3, 1.0};
    for (int k = 0; k < 3; ++k) {
        stop s = make(rail, tangent[k] * g, rubs);
        CHECK(pkm_plant_weigh(s.of.plant, 0.0, s.z) == PKM_OK);
        CHECK(end_step(&s, 0.0, 0.0) == PKM_OK && !pkm_plant_took_up(s.of.plant));
        CHECK(pkm_plant_take_load(s.of.plant, 0.0, s.z) == PKM_OK);
        CHECK(pkm_plant_took_up(s.of.plant) == (k > 0));
        CHECK_NEAR(s.z[0], part[k] * s.limit[0], 1e-9 * s.limit[0]);
        plant_release(&s.of);
    }
}

// Faster than the damping of presliding could stop: the step is too long, but not for ever.
static void a_block_that_turns_back_too_fast_asks_for_a_shorter_step(void)
{
    pkm_status status;
    stop s = turn_back(0.29, 1e-3, &status);
    int n = 0;
    for (; status == PKM_RETRY && n < 100; ++n) {
        CHECK(s.z[0] == -s.limit[0]);
        status = end_step(&s, 1e-3, 1e-3);
    }
    CHECK(status == PKM_OK && n == 40);
    CHECK(!pkm_plant_took_up(s.of.plant));
    plant_release(&s.of);
}

/// A ball whose surfaces slid with (u, w, 0) and move with (-u, w, 0) at the end of the step.
static bool ball_is_held(double u, double w)
{
    stop s = make(ball, 0.0, rubs);
    double* v = s.of.robot->state->v;
    s.z[0] = s.limit[0];
    v[1] = w / 0.01, v[2] = 0.0;
    CHECK(end_step(&s, 0.0, u / 0.01) == PKM_OK);
    CHECK(end_step(&s, 1e-3, -u / 0.01) == PKM_OK);
    const bool out = pkm_plant_took_up(s.of.plant);
    plant_release(&s.of);
    return out;
}

// The line from (u, w, 0) to (-u, w, 0) passes rest at the distance w.
static void a_velocity_that_turns_at_speed_was_not_at_rest(void)
{
    CHECK(ball_is_held(1e-10, 0.0));
    CHECK(ball_is_held(1e-10, 5e-12));
    CHECK(!ball_is_held(1e-10, 5e-11));
}

// ---- contacts ---------------------------------------------------------------------------------

// Four corners of a block in a guide with clearance, whose weight acts in their plane: each is bent
// by the same part of mu_s, though two carry 2.5 times as much as the others.
static void corners_that_stop_together_are_bent_alike(void)
{
    const double K = 1e9, depth = pow(2.0 * g / 4.0 / K, 1.0 / 1.5);
    stop s = make(rail, 0.29 * g,
                  "clearance: {J: {radial: 0.05 mm, width: 60 mm, height: 40 mm, length: 100 mm, "
                  "law: gonthier, stiffness: 1e9, restitution: 0.5, friction: {static: 0.3, "
                  "dynamic: 0.2}}}\n");
    pkm_state* state = s.of.robot->state;
    state->q[2] = -(0.05e-3 + depth);        // down
    state->q[5] = 0.5 * 0.3 * depth / 50e-3; // tilted: depths of 0.7 and 1.3
    pkm_plant_find_contacts(s.of.plant, s.z);
    const pkm_contact_pair* pair = pkm_plant_pair(s.of.plant, 0);
    int n = 0, place[16];
    double load = 0.0;
    for (int k = 0; k < pkm_plant_n_contact(s.of.plant); ++k) {
        if (!(pair->force.contact[k].gap < 0.0)) continue;
        pkm_plant_memory(s.of.plant)[k] = (pkm_contact_memory){true, 0.1};
        place[n++] = pair->z_at + 3 * k;
    }
    CHECK(n == 4);
    for (int k = 0; k < n; ++k)
        s.z[place[k] + 2] = -s.limit[place[k]]; // along the guide, upwards
    CHECK(end_step(&s, 0.0, -0.01) == PKM_OK);
    CHECK(end_step(&s, 1e-3, 1e-9) == PKM_OK);
    CHECK(pkm_plant_took_up(s.of.plant));
    for (int k = 0; k < n; ++k)
        load += pair->force.contact[(place[k] - pair->z_at) / 3].normal;
    for (int k = 0; k < n; ++k) { // m gx = sigma0 z sum of N
        const double part = 0.29 * 2.0 * g / (MU * load);
        CHECK_NEAR(s.z[place[k] + 2], s.limit[place[k]] * part, 1e-5 * s.limit[place[k]]);
    }
    plant_release(&s.of);
}

int main(void)
{
    RUN(a_block_that_stops_is_bent_by_what_holds_it);
    RUN(a_block_that_cannot_be_held_slides_back);
    RUN(a_load_that_jumps_is_taken_up);
    RUN(a_block_that_turns_back_too_fast_asks_for_a_shorter_step);
    RUN(a_velocity_that_turns_at_speed_was_not_at_rest);
    RUN(corners_that_stop_together_are_bent_alike);
    return check_report();
}
