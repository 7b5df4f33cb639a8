/// Loading a robot and asking what it is made of.
#include "unit/api/load.h"

/// A pendulum with a payload parameter; every length is easy to check.
static const char pendulum[] = "pkm: 1\n"
                               "name: pendulum\n"
                               "parameters: {l: 0.5 m, m: 2 kg}\n"
                               "ground: {points: {O: [0, 0, 0]}}\n"
                               "bodies:\n"
                               "  bar: {mass: =m, uniform: {from: O, to: E},\n"
                               "        points: {O: [0, 0, 0], E: [=l, 0, 0]}}\n"
                               "joints:\n"
                               "  hinge: {type: revolute, between: [ground.O, bar.O], axis: y}\n"
                               "drives:\n"
                               "  q: {joint: hinge, home: 30 deg}\n"
                               "tool: {point: bar.E, moves: [x]}\n";

static void a_robot_tells_its_parts(void)
{
    pkm_robot* robot = load("siax");
    CHECK_TEXT(pkm_robot_name(robot), "Delta SIAX D3-1600");
    CHECK(strlen(pkm_robot_hash(robot)) == 16);
    CHECK(pkm_robot_n_body(robot) == 10);
    CHECK(pkm_robot_n_joint(robot) == 15);
    CHECK(pkm_robot_n_drive(robot) == 3);
    CHECK(pkm_robot_n_motion(robot) == 3);
    CHECK_TEXT(pkm_robot_closed_form(robot), "delta");
    CHECK(pkm_robot_has_tool(robot));

    // three cranks, six rods, platform, payload
    CHECK_NEAR(pkm_robot_mass(robot), 3 * 1.58 + 6 * 0.34 + 0.46 + 5.0, 1e-13);
    double sum = 0.0;
    for (int b = 0; b < pkm_robot_n_body(robot); ++b)
        sum += pkm_robot_body_mass(robot, b);
    CHECK_NEAR(sum, pkm_robot_mass(robot), 1e-13);
    CHECK_NEAR(pkm_robot_body_mass(robot, pkm_robot_find_body(robot, "B.left")), 0.34, 1e-15);

    const int joint = pkm_robot_find_joint(robot, "C.left2");
    CHECK_TEXT(pkm_robot_joint_name(robot, joint), "C.left2");
    CHECK(pkm_robot_joint_type(robot, joint) == PKM_JOINT_SPHERICAL);
    CHECK_TEXT(pkm_joint_type_name(pkm_robot_joint_type(robot, joint)), "spherical");
    CHECK(pkm_joint_freedoms(PKM_JOINT_SPHERICAL) == 3);

    const int drive = pkm_robot_find_drive(robot, "qB");
    CHECK(drive == 1 && pkm_robot_drive_is_rotary(robot, drive));
    CHECK_TEXT(pkm_robot_drive_name(robot, drive), "qB");
    CHECK_TEXT(pkm_robot_drive_unit(robot, drive, 0), "rad");
    CHECK_TEXT(pkm_robot_drive_unit(robot, drive, 2), "rad/s2");
    CHECK_TEXT(pkm_robot_drive_unit(robot, drive, -1), "N m");
    // the cranks are level at home: the depth follows from the triangle of a limb
    CHECK_NEAR(pkm_robot_drive_home(robot, drive), 0.0, 1e-15);
    CHECK_NEAR(pkm_robot_tool_home(robot).p.z, -sqrt(1.106 * 1.106 - 0.653 * 0.653), 1e-12);
    pkm_robot_free(robot);
}

static void every_name_is_found_again(void)
{
    for (int k = 0; k < N_ROBOT; ++k) {
        pkm_robot* robot = load(robot_files[k]);
        for (int b = 0; b < pkm_robot_n_body(robot); ++b)
            CHECK(pkm_robot_find_body(robot, pkm_robot_body_name(robot, b)) == b);
        for (int j = 0; j < pkm_robot_n_joint(robot); ++j)
            CHECK(pkm_robot_find_joint(robot, pkm_robot_joint_name(robot, j)) == j);
        for (int d = 0; d < pkm_robot_n_drive(robot); ++d)
            CHECK(pkm_robot_find_drive(robot, pkm_robot_drive_name(robot, d)) == d);
        for (int m = 0; m < pkm_robot_n_motion(robot); ++m) {
            const char* name = pkm_motion_name(pkm_robot_get_motion(robot, m));
            pkm_motion* motion;
            int index = PKM_NONE;
            CHECK(pkm_robot_find_motion(robot, name, &motion, &index, NULL) == PKM_OK);
            CHECK(index == m && motion == pkm_robot_get_motion(robot, m));
        }
        pkm_robot_free(robot);
    }
}

/// mobility, idle, redundant of the issue; the count of Gruebler is the mobility less the
/// redundant constraints.
static void structure_is_reported(void)
{
    static const struct {
        const char* name;
        int mobility, n_idle, n_redundant;
        unsigned moves;
    } known[] = {
        {"isoglideT3", 3, 0, 3, 7u}, {"triglide", 9, 6, 0, 7u}, {"prrr2prpar", 3, 0, 9, 7u},
        {"isoglide4", 4, 0, 3, 0u},  {"3ppsr", 6, 0, 0, 63u},   {"gough-stewart", 6, 0, 0, 63u},
    };
    for (size_t k = 0; k < sizeof known / sizeof known[0]; ++k) {
        pkm_robot* robot = load(known[k].name);
        const pkm_structure_report s = pkm_robot_structure(robot);
        CHECK(s.mobility == known[k].mobility && s.n_idle == known[k].n_idle);
        CHECK(s.n_redundant == known[k].n_redundant && s.n_uncontrolled == 0);
        CHECK(s.gruebler == s.mobility - s.n_redundant);
        CHECK(s.drives_unique && !s.singular_here);
        CHECK(known[k].moves == 0u || s.moves == known[k].moves);
        CHECK(s.closure_gap <= 1e-12);
        char text[200];
        int n_idle = 0, n_redundant = 0;
        while (pkm_robot_idle_text(robot, n_idle, text, sizeof text))
            ++n_idle;
        while (pkm_robot_redundant_text(robot, n_redundant, text, sizeof text))
            ++n_redundant;
        CHECK(n_idle == s.n_idle && n_redundant == s.n_redundant);
        pkm_robot_free(robot);
    }
}

static void idle_freedoms_have_names(void)
{
    pkm_robot* robot = load("siax");
    char text[64], cut[6];
    CHECK(pkm_robot_idle_text(robot, 0, text, sizeof text));
    CHECK_TEXT(text, "spin of A.left");
    CHECK(pkm_robot_idle_text(robot, 0, cut, sizeof cut));
    CHECK_TEXT(cut, "spin ");
    CHECK(!pkm_robot_idle_text(robot, 6, text, sizeof text));
    CHECK_TEXT(text, "");
    pkm_robot_free(robot);
}

static void a_robot_from_text_is_the_robot_of_the_file(void)
{
    static char text[64 * 1024];
    FILE* file = fopen(robot_path("siax"), "r");
    CHECK(file != NULL);
    if (!file) return;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    pkm_robot *read = load("siax"), *parsed = NULL;
    CHECK(pkm_robot_parse(text, "a text", NULL, 0, &parsed, NULL) == PKM_OK);
    CHECK_TEXT(pkm_robot_hash(parsed), pkm_robot_hash(read));
    CHECK(distance(pkm_robot_tool_home(parsed).p, pkm_robot_tool_home(read).p) == 0.0);
    pkm_robot_free(read);
    pkm_robot_free(parsed);
}

static void overrides_change_the_robot(void)
{
    const pkm_override set[] = {{"l", "800 mm"}, {"m", "=1.5*2 kg"}};
    pkm_robot *plain = NULL, *other = NULL;
    CHECK(pkm_robot_parse(pendulum, "pendulum", NULL, 0, &plain, NULL) == PKM_OK);
    CHECK(pkm_robot_parse(pendulum, "pendulum", set, 2, &other, NULL) == PKM_OK);
    const double s = sin(30.0 * 3.141592653589793 / 180.0);      // a turn about y lowers +x
    CHECK_NEAR(pkm_robot_tool_home(plain).p.z, -0.5 * s, 1e-12); // to which home is assembled
    CHECK_NEAR(pkm_robot_tool_home(other).p.z, -0.8 * s, 1e-12);
    CHECK_NEAR(pkm_robot_mass(other), 3.0, 1e-15);
    CHECK(strcmp(pkm_robot_hash(plain), pkm_robot_hash(other)) != 0);
    pkm_robot_free(plain);
    pkm_robot_free(other);
}

static void errors_have_a_place_and_leave_no_robot(void)
{
    pkm_error err = {.status = PKM_OK};
    pkm_robot* robot = (pkm_robot*)&err; // anything but NULL
    CHECK(pkm_robot_load("no/such.yaml", NULL, 0, &robot, &err) == PKM_ERR_FILE);
    CHECK(robot == NULL && err.status == PKM_ERR_FILE);
    CHECK_TEXT(err.file, "no/such.yaml");

    CHECK(pkm_robot_parse("pkm: 1\nname: x\nbodys: {}\n", "mine.yaml", NULL, 0, &robot, &err) ==
          PKM_ERR_MODEL);
    CHECK(robot == NULL && err.line == 3 && err.column == 1);
    CHECK_TEXT(err.file, "mine.yaml");
    CHECK_CONTAINS(err.text, "bodies"); // did you mean

    const pkm_override unknown = {"lenght", "1 m"};
    CHECK(pkm_robot_parse(pendulum, "pendulum", &unknown, 1, &robot, &err) != PKM_OK);
    CHECK_CONTAINS(err.text, "lenght");
    CHECK(robot == NULL);

    // the sentence is optional
    CHECK(pkm_robot_load("no/such.yaml", NULL, 0, &robot, NULL) == PKM_ERR_FILE);
}

static void an_unknown_motion_names_those_there_are(void)
{
    pkm_robot* robot = load("siax");
    pkm_error err = {.status = PKM_OK};
    int index = PKM_NONE;
    CHECK(pkm_robot_find_motion(robot, "pik", NULL, &index, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "paper, pick, circle");
    CHECK(pkm_robot_find_motion(robot, NULL, NULL, &index, &err) == PKM_OK && index == 0);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(a_robot_tells_its_parts);
    RUN(every_name_is_found_again);
    RUN(structure_is_reported);
    RUN(idle_freedoms_have_names);
    RUN(a_robot_from_text_is_the_robot_of_the_file);
    RUN(overrides_change_the_robot);
    RUN(errors_have_a_place_and_leave_no_robot);
    RUN(an_unknown_motion_names_those_there_are);
    return check_report();
}
