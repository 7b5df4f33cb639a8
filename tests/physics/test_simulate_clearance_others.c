// Clearance with the implicit integrators: the same repeatable figures of SIAX; friction, and rods
// that bend with it, step by step as the explicit one.
#include "clearance_siax.h"

static void bdf_agrees(void)
{
    pkm_robot* robot = engine_load("siax");
    clearance_run p = clearance(robot, "integrator: bdf\n" SIAX_CLEARANCE);
    siax_check(&p);
    clearance_free(&p);
    pkm_robot_free(robot);
}

#define RUBBING                                                                                    \
    SIAX_CLEARANCE                                                                                 \
    "instants: 41\n"                                                                               \
    "friction: {spherical: {law: coulomb, static: 0.11, dynamic: 0.084, radius: 10 mm}}\n"
#define BENDING "flexible: {left: {modes: 4, damping: adams}, right: {modes: 4, damping: adams}}\n"

/// Through the first impacts, before chaos: P of both methods at every row, and fewer evaluations
/// (0: no claim).
/// Light flexible rods soften the impacts; chaos comes later. `method`: how the other is chosen.
static void check_against_explicit(const char* text, const char* method, int fewer)
{
    char with[2][1200];
    pkm_robot* robot = engine_load("siax");
    snprintf(with[0], sizeof with[0], "integrator: explicit\n%s", text);
    snprintf(with[1], sizeof with[1], "%s%s", method, text);
    clearance_run want = clearance(robot, with[0]), got = clearance(robot, with[1]);
    int n_touch[2] = {0, 0};
    for (int b = 0; b < want.record->n_bearing; ++b) {
        n_touch[0] += want.record->bearing[b].n_impact;
        n_touch[1] += got.record->bearing[b].n_impact;
    }
    CHECK(n_touch[0] >= 10 && n_touch[0] == n_touch[1]);
    for (int i = 0; i < 41; ++i) {
        CHECK_NEAR(sim_get(&got.r, i, "P.dx"), sim_get(&want.r, i, "P.dx"), 3e-8);
        CHECK_NEAR(sim_get(&got.r, i, "P.dy"), sim_get(&want.r, i, "P.dy"), 3e-8);
        CHECK_NEAR(sim_get(&got.r, i, "P.dz"), sim_get(&want.r, i, "P.dz"), 3e-8);
    }
    // integrals are kept to 1e3 times the tolerance per kg
    CHECK_NEAR(got.r.report.ledger.friction, want.r.report.ledger.friction,
               1e-3 * want.r.report.ledger.friction);
    CHECK(clearance_residual(&got) < 1e-4);
    CHECK(fewer == 0 || got.r.report.rates < want.r.report.rates / fewer);
    clearance_free(&want);
    clearance_free(&got);
    pkm_robot_free(robot);
}

/// It takes more evaluations than the explicit one, for its residuals have the multipliers too.
static void ida_locates_the_touches_of_the_explicit_method(void)
{
    check_against_explicit(SIAX_CLEARANCE "instants: 41\nfor: 7 ms\n",
                           "integrator: ida\ntolerance: 1e-7\n", 0);
}

static void friction_in_contacts_is_that_of_the_explicit_method(void)
{
    check_against_explicit(RUBBING "for: 7 ms\n", "tolerance: 1e-7\n", 2); // chosen: bdf
}

static void flexible_rods_with_clearance_and_friction_as_with_the_explicit_method(void)
{
    check_against_explicit(RUBBING BENDING "for: 15 ms\n", "tolerance: 1e-6\n", 12);
}

int main(void)
{
    RUN(ida_locates_the_touches_of_the_explicit_method);
    RUN(bdf_agrees);
    RUN(friction_in_contacts_is_that_of_the_explicit_method);
    RUN(flexible_rods_with_clearance_and_friction_as_with_the_explicit_method);
    return check_report();
}
