/// Loading: assembly at home, what goes wrong there, what analyses may ask.
#include "engine.h"
#include "linkages.h"

#include <stdlib.h>

/// `text` with `from` replaced by `to` once.
static void edit(char* text, size_t size, const char* from, const char* to)
{
    char rest[8192];
    char* at = strstr(text, from);
    CHECK(at != NULL);
    if (!at) return;
    snprintf(rest, sizeof rest, "%s", at + strlen(from));
    snprintf(at, size - (size_t)(at - text), "%s%s", to, rest);
}

/// Build what must not be built.
static pkm_status refuse(const char* text, pkm_error* err)
{
    pkm_description* desc = engine_parse(text);
    pkm_robot* robot = NULL;
    if (!desc) return PKM_OK;
    const pkm_status status = pkm_robot_create(desc, &robot, err);
    CHECK(robot == NULL);
    pkm_robot_free(robot);
    return status;
}

static double number_after(const char* text, const char* words)
{
    const char* at = strstr(text, words);
    CHECK(at != NULL);
    return at ? strtod(at + strlen(words), NULL) : NAN;
}

static int line_of(const char* text, const char* words)
{
    int line = 1;
    const char* end = strstr(text, words);
    CHECK(end != NULL);
    for (const char* at = text; end && at < end; ++at)
        line += *at == '\n';
    return line;
}

static void rough_poses_are_assembled_to_rounding(void)
{
    pkm_robot* robot = engine_from(four_bar);
    if (!robot) return;
    CHECK(robot->assembly.closure_gap < 1e-12);
    pkm_rows_closures(robot->state);
    for (int r = 0; r < robot->mech->n_closure; ++r)
        CHECK_NEAR(robot->state->residual[r], 0.0, 1e-12);
    pkm_robot_free(robot);
}

static void home_is_where_the_drives_were_told_to_be(void)
{
    char text[8192];
    snprintf(text, sizeof text, "%s", four_bar);
    edit(text, sizeof text, "joint: A}", "joint: A, home: 75 deg}");
    pkm_robot* robot = engine_from(text);
    if (!robot) return;
    CHECK_NEAR(robot->drive_home[0], 75.0 * 3.141592653589793 / 180.0, 1e-12);
    pkm_robot_go_home(robot);
    CHECK_NEAR(pkm_state_drive_position(robot->state, 0), robot->drive_home[0], 0.0);
    pkm_robot_free(robot);
}

// A coupler of 1 m between crank and rocker cannot fit: 0.1 + 0.4 + 0.3 is all there is. Stretched
// out, 0.2 m are missing; least squares share them among the rows, so the gap is a part of it.
static void a_loop_that_cannot_close_names_joint_and_gap(void)
{
    char text[8192];
    snprintf(text, sizeof text, "%s", four_bar);
    edit(text, sizeof text, "C: [0.35, 0, 0]", "C: [1, 0, 0]");
    pkm_error err = {0};
    CHECK(refuse(text, &err) == PKM_ERR_ASSEMBLY);
    CHECK_CONTAINS(err.text, "joint C: the loop does not close");
    CHECK_NEAR(number_after(err.text, "a gap of "), 0.2, 1e-6);
    CHECK(err.line == line_of(text, "  C: {type: revolute"));
    CHECK(err.column > 0);
}

// The tool at the rocker's end is within 0.4 + 0.3 m of A, and farther than that from the wish.
static void a_home_out_of_reach_says_by_how_much(void)
{
    char text[8192];
    snprintf(text, sizeof text, "%s", four_bar);
    edit(text, sizeof text, "tool: coupler.P",
         "tool: {point: rocker.C, moves: [x, y]}\nhome: {tool: [0.4, 0.35, 0]}");
    pkm_error err = {0};
    CHECK(refuse(text, &err) == PKM_ERR_ASSEMBLY);
    CHECK_CONTAINS(err.text, "home: out of reach");
    // the rocker's end is on a circle of 0.3 m about D, but only from 101.4 deg on: at its end
    const double inner = acos((0.4 * 0.4 + 0.3 * 0.3 - 0.45 * 0.45) / (2.0 * 0.4 * 0.3));
    const pkm_vec3 end = {0.4 - 0.3 * cos(inner), 0.3 * sin(inner), 0.0};
    CHECK_NEAR(number_after(err.text, "by "), hypot(end.x - 0.4, end.y - 0.35), 1e-4);
    CHECK(err.line == line_of(text, "home:"));
}

static void a_drive_home_out_of_reach_is_not_called_a_loop(void)
{
    char text[8192];
    snprintf(text, sizeof text, "%s", four_bar);
    edit(text, sizeof text, "joint: A}", "joint: D, home: 170 deg}");
    pkm_error err = {0};
    CHECK(refuse(text, &err) == PKM_ERR_ASSEMBLY);
    CHECK_CONTAINS(err.text, "home: out of reach by");
    const double inner = acos((0.4 * 0.4 + 0.3 * 0.3 - 0.25 * 0.25) / (2.0 * 0.4 * 0.3));
    const double most = 3.141592653589793 - inner;
    CHECK_NEAR(number_after(err.text, "by "), 170.0 * 3.141592653589793 / 180.0 - most, 1e-4);
}

// With both links in line at home the drives hold nothing.
static void a_singular_home_is_refused_by_analyses(void)
{
    char path[512], text[16384];
    snprintf(path, sizeof path, "%s/robots/five-bar.yaml", PKM_SOURCE_DIR);
    FILE* file = fopen(path, "r");
    CHECK(file != NULL);
    if (!file) return;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    pkm_override set = {"y0", "=sqrt(l1^2 - (l1 - d/2)^2)"};
    pkm_robot* robot = NULL;
    pkm_error err = {0};
    CHECK(pkm_robot_parse(text, "five-bar.yaml", &set, 1, &robot, &err) == PKM_OK);
    if (!robot) return;
    CHECK(robot->structure.n_uncontrolled == 1);
    CHECK(pkm_robot_require_drives(robot, &err) == PKM_ERR_SINGULAR);
    CHECK_CONTAINS(err.text, "parallel singularity");
    CHECK(pkm_robot_require_tool(robot, &err) == PKM_ERR_SINGULAR);
    pkm_robot_free(robot);
}

static void a_tool_that_cannot_be_prescribed_is_refused(void)
{
    pkm_robot* robot = engine_from(four_bar); // moves in x, y and rz, with one drive
    if (!robot) return;
    pkm_error err = {0};
    CHECK(pkm_robot_require_drives(robot, &err) == PKM_OK);
    CHECK(pkm_robot_require_tool(robot, &err) == PKM_ERR_MODEL);
    CHECK_CONTAINS(err.text, "1 components");
    pkm_robot_free(robot);
}

static void a_closed_form_of_another_robot_is_refused(void)
{
    pkm_override set = {"L2", "0.61"};
    char path[512];
    snprintf(path, sizeof path, "%s/robots/kuo.yaml", PKM_SOURCE_DIR);
    pkm_description* desc = NULL;
    CHECK(pkm_description_read(path, &set, 1, &desc, NULL) == PKM_OK);
    if (!desc) return;
    for (int k = 0; k < desc->n_closed; ++k)
        if (strcmp(desc->closed_name[k], "rod_length") == 0) desc->closed_value[k] = 0.6;
    pkm_robot* robot = NULL;
    pkm_error err = {0};
    CHECK(pkm_robot_create(desc, &robot, &err) == PKM_ERR_MODEL);
    CHECK_CONTAINS(err.text, "closed_form.rod_length: 0.6 m");
    CHECK_CONTAINS(err.text, "expected 0.61 m");
    CHECK(robot == NULL);
}

static void motions_are_found_by_name(void)
{
    pkm_robot* robot = engine_load("five-bar");
    if (!robot) return;
    pkm_motion* motion = NULL;
    int index = PKM_NONE;
    pkm_error err = {0};
    CHECK(pkm_robot_find_motion(robot, NULL, &motion, &index, &err) == PKM_OK && index == 0);
    CHECK(pkm_robot_find_motion(robot, "rectangle", &motion, &index, &err) == PKM_OK && index > 0);
    CHECK(pkm_robot_find_motion(robot, "rectangel", &motion, &index, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "circle");
    CHECK_CONTAINS(err.text, "rectangle");
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(rough_poses_are_assembled_to_rounding);
    RUN(home_is_where_the_drives_were_told_to_be);
    RUN(a_loop_that_cannot_close_names_joint_and_gap);
    RUN(a_home_out_of_reach_says_by_how_much);
    RUN(a_drive_home_out_of_reach_is_not_called_a_loop);
    RUN(a_singular_home_is_refused_by_analyses);
    RUN(a_tool_that_cannot_be_prescribed_is_refused);
    RUN(a_closed_form_of_another_robot_is_refused);
    RUN(motions_are_found_by_name);
    return check_report();
}
