/// Wrong arguments are answered, never followed: NULL, indices out of range, NaN, infinities.
#include "unit/api/load.h"

static void every_free_takes_null(void)
{
    pkm_robot_free(NULL);
    pkm_table_free(NULL);
    pkm_motion_free(NULL);
    pkm_robot_go_home(NULL);
}

static void no_robot_has_no_parts(void)
{
    char text[8] = "x";
    CHECK(pkm_robot_name(NULL) == NULL && pkm_robot_hash(NULL) == NULL);
    CHECK(isnan(pkm_robot_mass(NULL)));
    CHECK(pkm_robot_n_body(NULL) == 0 && pkm_robot_n_joint(NULL) == 0);
    CHECK(pkm_robot_n_drive(NULL) == 0 && pkm_robot_n_motion(NULL) == 0);
    CHECK(pkm_robot_body_name(NULL, 0) == NULL && pkm_robot_joint_name(NULL, 0) == NULL);
    CHECK(pkm_robot_drive_name(NULL, 0) == NULL && pkm_robot_drive_unit(NULL, 0, 0) == NULL);
    CHECK(pkm_robot_find_body(NULL, "x") == PKM_NONE &&
          pkm_robot_find_joint(NULL, "x") == PKM_NONE);
    CHECK(pkm_robot_find_drive(NULL, "x") == PKM_NONE);
    CHECK(pkm_robot_get_motion(NULL, 0) == NULL && pkm_robot_closed_form(NULL) == NULL);
    CHECK(!pkm_robot_has_tool(NULL) && pkm_robot_tool_home(NULL).q.w == 1.0);
    CHECK(pkm_robot_structure(NULL).mobility == 0);
    CHECK(!pkm_robot_idle_text(NULL, 0, text, sizeof text) && text[0] == '\0');
    CHECK(!pkm_robot_redundant_text(NULL, 0, text, sizeof text));
    CHECK(pkm_instant_home(NULL).q[0] == 0.0);
}

static void an_index_out_of_range_gives_nothing(void)
{
    pkm_robot* robot = load("siax");
    for (int k = 0; k < 2; ++k) {
        const int bad = k == 0 ? -1 : 99;
        CHECK(pkm_robot_body_name(robot, bad) == NULL && isnan(pkm_robot_body_mass(robot, bad)));
        CHECK(pkm_robot_joint_name(robot, bad) == NULL);
        CHECK(pkm_robot_joint_type(robot, bad) == PKM_JOINT_FIXED);
        CHECK(pkm_robot_drive_name(robot, bad) == NULL && !pkm_robot_drive_is_rotary(robot, bad));
        CHECK(pkm_robot_drive_unit(robot, bad, 0) == NULL);
        CHECK(pkm_robot_drive_unit(robot, 0, k == 0 ? -2 : 4) == NULL);
        CHECK(isnan(pkm_robot_drive_home(robot, bad)));
        CHECK(pkm_robot_get_motion(robot, bad) == NULL);
        CHECK(!pkm_robot_idle_text(robot, bad, NULL, 0));
    }
    CHECK(pkm_robot_find_body(robot, "ground") == PKM_NONE); // it does not move
    CHECK(pkm_robot_find_body(robot, NULL) == PKM_NONE);
    pkm_robot_free(robot);
}

static void loading_needs_its_arguments(void)
{
    pkm_robot* robot = NULL;
    const pkm_override empty = {NULL, "1"};
    const char* path = robot_path("siax");
    CHECK(pkm_robot_load(NULL, NULL, 0, &robot, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_robot_load(path, NULL, 0, NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_robot_load(path, NULL, 1, &robot, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_robot_load(path, NULL, -1, &robot, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_robot_load(path, &empty, 1, &robot, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_robot_parse(NULL, "x", NULL, 0, &robot, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_robot_parse("pkm: 1", NULL, NULL, 0, &robot, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_robot_parse("pkm: 1", "x", NULL, 0, NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_robot_parse("", "x", NULL, 0, &robot, NULL) != PKM_OK);
    CHECK(robot == NULL);
}

static void kinematics_needs_its_arguments(void)
{
    pkm_robot* robot = load("siax");
    pkm_instant at = pkm_instant_home(robot);
    pkm_dexterity dex;
    pkm_branches all;
    CHECK(pkm_kinematics_forward(NULL, PKM_START_HOME, &at, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_kinematics_forward(robot, PKM_START_HOME, NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_kinematics_forward(robot, (pkm_start)7, &at, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_kinematics_inverse(NULL, PKM_START_HOME, &at, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_kinematics_inverse(robot, PKM_START_HOME, NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_dexterity_at(NULL, &dex, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_dexterity_at(robot, NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_branches_forward(NULL, at.q, &all, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_branches_forward(robot, NULL, &all, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_branches_forward(robot, at.q, NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_branches_inverse(robot, NULL, &all, NULL) == PKM_ERR_ARGUMENT);
    pkm_robot_free(robot);
}

/// Every call that reads the number `bad`, somewhere, refuses it.
static void refuse(pkm_robot* robot, double bad)
{
    const pkm_instant home = pkm_instant_home(robot);
    pkm_branches all;
    for (int k = 0; k < 9; ++k) {
        pkm_instant at = home, before;
        double* const place[9] = {&at.q[1],          &at.v[0],          &at.a[2],
                                  &at.tool_force.y,  &at.tool_torque.z, &at.tool.pose.p.x,
                                  &at.tool.pose.q.w, &at.tool.v.x,      &at.tool.alpha.z};
        *place[k] = bad;
        before = at;
        if (k < 3)
            CHECK(pkm_kinematics_forward(robot, PKM_START_HOME, &at, NULL) == PKM_ERR_ARGUMENT);
        if (k < 5) {
            CHECK(pkm_inverse_at(robot, PKM_METHOD_ENGINE, &at, NULL) == PKM_ERR_ARGUMENT);
            CHECK(pkm_inverse_at(robot, PKM_METHOD_CLOSED, &at, NULL) == PKM_ERR_ARGUMENT);
        } else {
            CHECK(pkm_kinematics_inverse(robot, PKM_START_HOME, &at, NULL) == PKM_ERR_ARGUMENT);
        }
        if (k == 0) CHECK(pkm_branches_forward(robot, at.q, &all, NULL) == PKM_ERR_ARGUMENT);
        if (k == 5 || k == 6)
            CHECK(pkm_branches_inverse(robot, &at.tool.pose, &all, NULL) == PKM_ERR_ARGUMENT);
        CHECK(memcmp(&before, &at, sizeof at) == 0);
    }
}

static void numbers_that_are_not_finite_are_refused(void)
{
    pkm_robot* robot = load("siax");
    refuse(robot, NAN);
    refuse(robot, INFINITY);
    refuse(robot, -INFINITY);
    pkm_robot_free(robot);
}

static void inverse_dynamics_needs_its_arguments(void)
{
    pkm_robot *robot = load("siax"), *general = load("gough-stewart");
    pkm_table *table = pkm_table_create(), *other = pkm_table_create();
    pkm_instant now = pkm_instant_home(robot);
    pkm_compare_row row[PKM_MAX_DRIVE];
    pkm_error err = {.status = PKM_OK};
    CHECK(pkm_inverse_at(NULL, PKM_METHOD_ENGINE, &now, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_inverse_at(robot, PKM_METHOD_ENGINE, NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_inverse_at(robot, (pkm_method)9, &now, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_inverse_run(NULL, 0, NULL, table, NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_inverse_run(robot, 0, NULL, NULL, NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_inverse_run(robot, -1, NULL, table, NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_inverse_run(robot, 3, NULL, table, NULL, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "3 motions");
    pkm_inverse_settings bad = pkm_inverse_settings_defaults();
    bad.n_instant = 1;
    CHECK(pkm_inverse_run(robot, 0, &bad, table, NULL, NULL) == PKM_ERR_ARGUMENT);
    bad = pkm_inverse_settings_defaults();
    bad.tool_force.x = NAN;
    CHECK(pkm_inverse_run(robot, 0, &bad, table, NULL, NULL) == PKM_ERR_ARGUMENT);
    bad = pkm_inverse_settings_defaults();
    bad.end_time = INFINITY;
    CHECK(pkm_inverse_run(robot, 0, &bad, table, NULL, NULL) == PKM_ERR_ARGUMENT);
    bad = pkm_inverse_settings_defaults();
    bad.method = (pkm_method)9;
    CHECK(pkm_inverse_run(robot, 0, &bad, table, NULL, NULL) == PKM_ERR_ARGUMENT);
    bad.method = PKM_METHOD_CLOSED;
    CHECK(pkm_inverse_run(general, 0, &bad, table, NULL, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "no closed form");
    now = pkm_instant_home(general);
    CHECK(pkm_inverse_at(general, PKM_METHOD_CLOSED, &now, &err) == PKM_ERR_ARGUMENT);
    CHECK(pkm_compare_run(robot, 0, NULL, table, NULL, row, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_compare_run(NULL, 0, NULL, table, other, row, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_table_n_column(table) == 0); // nothing was begun
    CHECK(pkm_inverse_run(robot, 0, NULL, table, NULL, NULL) == PKM_OK);
    CHECK(pkm_inverse_run(robot, 0, NULL, table, NULL, NULL) == PKM_ERR_ARGUMENT); // used already
    pkm_table_free(table);
    pkm_table_free(other);
    pkm_robot_free(robot);
    pkm_robot_free(general);
}

static void motions_answer_null_and_the_wrong_kind(void)
{
    pkm_robot* robot = load("siax");
    const pkm_motion *drives = pkm_robot_get_motion(robot, 0),
                     *tool = pkm_robot_get_motion(robot, 1);
    pkm_motion* motion = NULL;
    const pkm_motion_spec spec = pkm_motion_spec_defaults();
    double q[PKM_MAX_DRIVE] = {7.0}, v[PKM_MAX_DRIVE], a[PKM_MAX_DRIVE];
    pkm_frame_motion frame = {.pose.p.x = 7.0};
    CHECK(pkm_motion_name(NULL) == NULL && isnan(pkm_motion_duration(NULL)));
    CHECK(!pkm_motion_is_drives(NULL) && !pkm_motion_turns(NULL));
    CHECK(pkm_motion_create(NULL, &motion, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_motion_create(&spec, NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_motion_create(&spec, &motion, NULL) != PKM_OK && motion == NULL); // says nothing
    CHECK(pkm_motion_set_home(NULL, q, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_motion_is_drives(drives) && !pkm_motion_is_drives(tool));
    pkm_motion_drives(tool, 0.0, q, v, a, NULL);
    pkm_motion_drives(NULL, 0.0, q, v, a, NULL);
    pkm_motion_drives(drives, 0.0, NULL, v, a, NULL);
    pkm_motion_tool(drives, 0.0, &frame, NULL);
    pkm_motion_tool(NULL, 0.0, &frame, NULL);
    pkm_motion_tool(tool, 0.0, NULL, NULL);
    CHECK(q[0] == 7.0 && frame.pose.p.x == 7.0);
    pkm_robot_free(robot);
}

static void tables_answer_what_they_do_not_have(void)
{
    pkm_table* table = pkm_table_create();
    double value;
    CHECK(pkm_table_n_row(NULL) == 0 && pkm_table_n_column(NULL) == 0);
    CHECK(pkm_table_add_column(NULL, "x", "") == PKM_NONE);
    CHECK(pkm_table_add_column(table, NULL, "") == PKM_NONE);
    CHECK(pkm_table_append(NULL) == NULL && pkm_table_reserve(NULL, 1) == PKM_ERR_ARGUMENT);
    CHECK(pkm_table_add_column(table, "x", "m") == 0);
    double* row = pkm_table_append(table);
    CHECK(row != NULL);
    if (row) row[0] = 4.0;
    CHECK(pkm_table_add_column(table, "y", "m") == PKM_NONE); // rows have begun
    CHECK(pkm_table_get(table, 0, 0) == 4.0);
    CHECK(isnan(pkm_table_get(table, 1, 0)) && isnan(pkm_table_get(table, 0, 1)));
    CHECK(isnan(pkm_table_get(table, -1, 0)) && isnan(pkm_table_get(NULL, 0, 0)));
    CHECK(pkm_table_name(table, 1) == NULL && pkm_table_unit(table, -1) == NULL);
    CHECK(pkm_table_find(table, NULL) == PKM_NONE && pkm_table_find(NULL, "x") == PKM_NONE);
    CHECK(isnan(pkm_table_reduce(table, 1, PKM_REDUCE_MAX, NULL)));
    CHECK(isnan(pkm_table_reduce(NULL, 0, PKM_REDUCE_MAX, NULL)));
    CHECK(pkm_table_evaluate(NULL, "max x", &value, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_table_evaluate(table, NULL, &value, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_table_evaluate(table, "max x", NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_table_check_finite(NULL, NULL) == PKM_ERR_ARGUMENT);
    pkm_table_free(table);
}

static void writers_need_a_table_and_a_path(void)
{
    pkm_table* table = pkm_table_create();
    const int column = 0, wrong = 7;
    CHECK(pkm_table_add_column(table, "t", "s") == 0);
    CHECK(pkm_csv_write(NULL, "x.csv", NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_csv_write(table, NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_hdf5_write(NULL, "x.h5", NULL, 0, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_hdf5_write(table, NULL, NULL, 0, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_hdf5_write(table, "x.h5", NULL, 2, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_plot_table(NULL, 0, &column, 1, "", "x.svg", NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_plot_table(table, 0, NULL, 1, "", "x.svg", NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_plot_table(table, 0, &column, 1, "", NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_plot_table(table, 0, &wrong, 1, "", "x.svg", NULL) == PKM_ERR_ARGUMENT);
    pkm_table_free(table);
}

int main(void)
{
    RUN(every_free_takes_null);
    RUN(no_robot_has_no_parts);
    RUN(an_index_out_of_range_gives_nothing);
    RUN(loading_needs_its_arguments);
    RUN(kinematics_needs_its_arguments);
    RUN(numbers_that_are_not_finite_are_refused);
    RUN(inverse_dynamics_needs_its_arguments);
    RUN(motions_answer_null_and_the_wrong_kind);
    RUN(tables_answer_what_they_do_not_have);
    RUN(writers_need_a_table_and_a_path);
    return check_report();
}
