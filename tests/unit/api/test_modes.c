/// Natural frequencies and stiffness through the public header, and what it answers to nonsense.
#include "unit/api/load.h"

static void frequencies_stand_in_a_table(void)
{
    pkm_robot* robot = load("siax");
    pkm_table* table = pkm_table_create();
    pkm_error err = {0};
    CHECK(pkm_frequencies_at(robot, NULL, 4, table, &err) == PKM_OK);
    CHECK(pkm_table_n_row(table) == 4);
    CHECK_NEAR(pkm_table_get(table, 0, pkm_table_find(table, "f")), 44.73, 0.01);
    CHECK(pkm_table_find(table, "A.left.bending") != PKM_NONE);
    pkm_table_free(table);

    table = pkm_table_create();
    const pkm_flexible_choice soft = {
        .flexible = "left: {elements: 4}", .hold = "{stiffness: 1e4 N m/rad}", .weight = true};
    CHECK(pkm_frequencies_at(robot, &soft, 1, table, &err) == PKM_OK);
    CHECK(pkm_table_get(table, 0, pkm_table_find(table, "f")) < 30.0);
    CHECK(pkm_table_get(table, 0, pkm_table_find(table, "drives")) > 0.9);
    pkm_table_free(table);
    pkm_robot_free(robot);
}

static void stiffness_times_compliance_is_one(void)
{
    pkm_robot* robot = load("siax");
    const pkm_flexible_choice choice = {.tool_force = {10.0, 0.0, 0.0}};
    pkm_tool_stiffness s;
    CHECK(pkm_tool_stiffness_at(robot, &choice, &s, NULL) == PKM_OK);
    CHECK(!s.is_rigid);
    for (int i = 0; i < 36; ++i) {
        double sum = 0.0;
        for (int k = 0; k < 6; ++k)
            sum += s.stiffness[6 * k + i % 6] * s.compliance[6 * (i / 6) + k];
        CHECK_NEAR(sum, i % 7 == 0 ? 1.0 : 0.0, 1e-8);
    }
    CHECK_NEAR(s.deflection[0], 10.0 * s.compliance[0], 1e-18);
    pkm_robot_free(robot);
}

static void nonsense_is_answered(void)
{
    pkm_robot* robot = load("siax");
    pkm_table* table = pkm_table_create();
    pkm_tool_stiffness s;
    pkm_error err = {0};
    const pkm_flexible_choice unknown = {.flexible = "rod9: {}"}, broken = {.hold = "{{"};
    const pkm_flexible_choice infinite = {.tool_force = {INFINITY, 0.0, 0.0}};
    CHECK(pkm_frequencies_at(NULL, NULL, 1, table, &err) == PKM_ERR_ARGUMENT);
    CHECK(pkm_frequencies_at(robot, NULL, 0, table, &err) == PKM_ERR_ARGUMENT);
    CHECK(pkm_frequencies_at(robot, NULL, 1, NULL, &err) == PKM_ERR_ARGUMENT);
    CHECK(pkm_frequencies_at(robot, &unknown, 1, table, &err) == PKM_ERR_MODEL);
    CHECK_CONTAINS(err.text, "rod9");
    CHECK(pkm_frequencies_at(robot, &broken, 1, table, &err) == PKM_ERR_SYNTAX);
    CHECK(pkm_frequencies_at(robot, &infinite, 1, table, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_table_n_column(table) == 0);
    CHECK(pkm_tool_stiffness_at(NULL, NULL, &s, &err) == PKM_ERR_ARGUMENT);
    CHECK(pkm_tool_stiffness_at(robot, NULL, NULL, &err) == PKM_ERR_ARGUMENT);
    pkm_table_free(table);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(frequencies_stand_in_a_table);
    RUN(stiffness_times_compliance_is_one);
    RUN(nonsense_is_answered);
    return check_report();
}
