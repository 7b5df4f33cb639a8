/// The code of `pkm export c`, computed instead of printed: forces by hand, and rows that are no
/// numbers.
#include "engine.h"
#include "generate/code.h"

#include <math.h>

static const char table_xy[] = "pkm: 1\nname: table\ngravity: [0, 0, 0]\n"
                               "bodies:\n"
                               "  x: {points: {O: [0, 0, 0]}, mass: 2, inertia: [1, 1, 1]}\n"
                               "  y: {points: {O: [0, 0, 0]}, mass: 3, inertia: [1, 1, 1]}\n"
                               "ground: {points: {O: [0, 0, 0]}}\n"
                               "joints:\n"
                               "  along: {type: prismatic, between: [ground.O, x.O], axis: x}\n"
                               "  across: {type: prismatic, between: [x.O, y.O], axis: y}\n"
                               "drives: {q1: {joint: along}, q2: {joint: across}}\n"
                               "tool: y.O\n";

/// The status at one row with the positions q1, q2 and the accelerations 1, 1; forces into `force`.
static pkm_status forces_at(double q1, double q2, double force[2])
{
    static const char* const column[] = {"q1.q", "q1.v", "q1.a", "q2.q", "q2.v", "q2.a"};
    const double value[] = {q1, 0.0, 1.0, q2, 0.0, 1.0};
    const pkm_vec3 none = {0.0, 0.0, 0.0};
    pkm_robot* robot = engine_from(table_xy);
    pkm_table *rows = pkm_table_create(), *out = pkm_table_create();
    pkm_error err = {0};
    pkm_table_add_column(rows, "t", "s");
    for (int k = 0; k < 6; ++k)
        pkm_table_add_column(rows, column[k], "");
    memcpy(pkm_table_append(rows) + 1, value, sizeof value);
    const pkm_status status = pkm_code_forces(robot, rows, true, none, none, out, &err);
    for (int k = 0; k < 2; ++k)
        force[k] = pkm_table_get(out, 0, 1 + k);
    pkm_table_free(rows);
    pkm_table_free(out);
    pkm_robot_free(robot);
    return status;
}

static void a_table_is_pushed_by_its_mass(void)
{
    double force[2];
    CHECK(forces_at(0.1, 0.2, force) == PKM_OK);
    CHECK_NEAR(force[0], 5.0, 1e-12);
    CHECK_NEAR(force[1], 3.0, 1e-12);
}

// The other drive's step, which follows, is finite: it must not hide that one is none.
static void positions_that_are_no_numbers_are_refused(void)
{
    double force[2];
    CHECK(forces_at(NAN, 0.2, force) == PKM_ERR_SINGULAR);
    CHECK(forces_at(0.1, NAN, force) == PKM_ERR_SINGULAR);
}

int main(void)
{
    RUN(a_table_is_pushed_by_its_mass);
    RUN(positions_that_are_no_numbers_are_refused);
    return check_report();
}
