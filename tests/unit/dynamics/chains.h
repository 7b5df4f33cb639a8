/// Mechanisms with one joint of every type, between bodies that move in all directions, with
/// oblique frames; for tests of kinematics and rows.
#ifndef PKM_TESTS_DYNAMICS_CHAINS_H
#define PKM_TESTS_DYNAMICS_CHAINS_H

#include "dynamics/kinematics.h"
#include "engine.h"

/// The types that a file can name, but for the distance, which never carries a body.
static const char* const chain_types[] = {"fixed",     "revolute",  "prismatic", "cylindrical",
                                          "universal", "spherical", "planar",    "screw"};
enum { CHAIN_N_TYPE = (int)(sizeof chain_types / sizeof chain_types[0]) };

/// A mechanism with the description it came from.
typedef struct chain {
    pkm_description* desc;
    pkm_mechanism* mech;
    pkm_state* state;
} chain;

static const char chain_bodies[] =
    "pkm: 1\nname: chain\n"
    "ground:\n"
    "  points: {O: [0, 0, 0]}\n"
    "  frames:\n"
    "    G: {at: [0.1, -0.2, 0.3], rotate: {axis: [1, 2, 3], angle: 40 deg}}\n"
    "    H: {at: [-0.3, 0.1, 0.2], rotate: {axis: [3, -1, 1], angle: 75 deg}}\n"
    "bodies:\n"
    "  one:\n    mass: 1.2\n    com: [0.1, 0.2, -0.1]\n    inertia: [0.02, 0.03, 0.04]\n"
    "    frames:\n"
    "      A: {at: [0.2, 0.1, 0], rotate: {axis: [0, 1, 2], angle: -30 deg}}\n"
    "      B: {at: [-0.1, 0.3, 0.2], rotate: {axis: [2, 0, 1], angle: 100 deg}}\n"
    "  two:\n    mass: 0.7\n    com: [0, 0.1, 0.3]\n    inertia: [0.01, 0.01, 0.015]\n"
    "    frames:\n"
    "      A: {at: [0, 0.1, 0.1], rotate: {axis: [1, 1, 0], angle: 20 deg}}\n"
    "      B: {at: [0.3, 0, -0.2], rotate: {axis: [-1, 2, 1], angle: 65 deg}}\n"
    "  three:\n    mass: 0.5\n    com: [0.05, -0.1, 0]\n    inertia: [0.02, 0.01, 0.02, 0.001, 0, "
    "0]\n"
    "    points: {P: [0.2, -0.1, 0.3]}\n"
    "    frames:\n"
    "      A: {at: [0.1, -0.2, 0.05], rotate: {axis: [1, -1, 2], angle: -50 deg}}\n"
    "      B: {at: [-0.15, 0.1, 0.2], rotate: {axis: [0, 1, 1], angle: 33 deg}}\n"
    "  four:\n    mass: 0.6\n    frames:\n"
    "      A: {at: [0.1, 0.1, 0], rotate: {axis: [1, 0, 2], angle: 15 deg}}\n"
    "      B: {at: [0.2, 0, 0.1], rotate: {axis: [2, 1, 0], angle: -70 deg}}\n"
    "tool: three.P\n";

static inline chain chain_build(const char* joints)
{
    char text[8192];
    snprintf(text, sizeof text, "%s%s", chain_bodies, joints);
    chain c = {.desc = engine_parse(text)};
    pkm_error err = {0};
    if (c.desc && pkm_mechanism_compile(c.desc, &c.mech, &err) != PKM_OK)
        printf("    %s\n", err.text);
    CHECK(c.mech != NULL);
    if (c.mech) c.state = pkm_state_create(c.mech);
    return c;
}

/// ground - planar - one - spherical - two - TYPE - three - revolute - four; `reversed` lists the
/// points of every joint the other way round. `more` is appended (drives).
static inline chain chain_serial(const char* type, bool reversed, const char* more)
{
    char joints[2048];
    const char* axis = strcmp(type, "universal") == 0 ? ", axis: [z, x]"
                       : strcmp(type, "screw") == 0   ? ", lead: 300 mm"
                                                      : "";
    const char* pairs[2][4] = {
        {"ground.G, one.A", "one.B, two.A", "two.B, three.A", "three.B, four.A"},
        {"one.A, ground.G", "two.A, one.B", "three.A, two.B", "four.A, three.B"}};
    const char* const* pair = pairs[reversed];
    snprintf(joints, sizeof joints,
             "joints:\n"
             "  base: {type: planar, between: [%s]}\n"
             "  ball: {type: spherical, between: [%s]}\n"
             "  tested: {type: %s, between: [%s]%s}\n"
             "  last: {type: revolute, between: [%s], axis: x}\n%s",
             pair[0], pair[1], type, pair[2], axis, pair[3], more);
    return chain_build(joints);
}

/// Two limbs (planar, spherical) and (cylindrical, spherical) on the ground, TYPE closes the loop.
static inline chain chain_loop(const char* type, bool reversed, const char* more)
{
    char joints[2048];
    const char* axis = strcmp(type, "universal") == 0 ? ", axis: [z, x]"
                       : strcmp(type, "screw") == 0   ? ", lead: 300 mm"
                                                      : "";
    const char* length = strcmp(type, "distance") == 0 ? ", length: 0.4" : "";
    snprintf(joints, sizeof joints,
             "joints:\n"
             "  base: {type: planar, between: [ground.G, one.A]}\n"
             "  ball: {type: spherical, between: [one.B, two.A]}\n"
             "  foot: {type: cylindrical, between: [ground.H, four.A], axis: y}\n"
             "  knee: {type: spherical, between: [four.B, three.A]}\n"
             "  tested: {type: %s, between: [%s]%s%s}\n%s",
             type, reversed ? "three.B, two.B" : "two.B, three.B", axis, length, more);
    return chain_build(joints);
}

static inline void chain_free(chain* c)
{
    pkm_state_free(c->state);
    pkm_mechanism_free(c->mech);
    pkm_description_free(c->desc);
}

/// Random positions and rates.
static inline void chain_shake(chain* c, unsigned seed)
{
    const int n = c->mech->n_v;
    for (int k = 0; k < n; ++k)
        c->state->step[k] = 0.7 * engine_noise(&seed);
    pkm_state_move(c->mech, c->state->q, c->state->step);
    for (int k = 0; k < n; ++k) {
        c->state->v[k] = engine_noise(&seed);
        c->state->a[k] = 2.0 * engine_noise(&seed);
    }
}

/// Put the positions on the way q(t) that starts at `q0` with the rates v and accelerations a of
/// the state: to second order in t, which is all that derivatives at t = 0 see.
static inline void chain_move_to(chain* c, const double* q0, double t)
{
    for (int k = 0; k < c->mech->n_v; ++k)
        c->state->step[k] = t * (c->state->v[k] + 0.5 * t * c->state->a[k]);
    memcpy(c->state->q, q0, (size_t)c->mech->n_q * sizeof(double));
    pkm_state_move(c->mech, c->state->q, c->state->step);
    pkm_kinematics_position(c->state);
}

/// First and second derivative from values at -2h, -h, 0, h, 2h; errors of fourth order.
static inline double chain_first(const double* f, double h)
{
    return (f[0] - 8.0 * f[1] + 8.0 * f[3] - f[4]) / (12.0 * h);
}

static inline double chain_second(const double* f, double h)
{
    return (-f[0] + 16.0 * f[1] - 30.0 * f[2] + 16.0 * f[3] - f[4]) / (12.0 * h * h);
}

#endif
