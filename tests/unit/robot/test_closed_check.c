/// A closed form is compared with the bodies and joints when a model is read.
#include "engine.h"
#include "pkm/inverse.h"
#include "pkm/table.h"

/// One robot per family.
static const char* const names[] = {"siax",  "lindelta",   "triglide",  "3pprs",
                                    "3ppsr", "isoglideT3", "isoglide4", "prrr2prpar"};
enum { N_NAME = (int)(sizeof names / sizeof names[0]) };

static const pkm_closed_parameter* parameter_of(const pkm_description* desc, int k)
{
    const pkm_closed_family* family = pkm_closed_find(desc->closed_family);
    for (int p = 0; p < family->n_parameter; ++p)
        if (strcmp(family->parameter[p].name, desc->closed_name[k]) == 0)
            return &family->parameter[p];
    return NULL;
}

static const char* kind_of(const pkm_closed_parameter* p)
{
    if (strstr(p->name, "gravity")) return "gravity";
    if (strcmp(p->unit, "kg") == 0) return "mass";
    if (strcmp(p->unit, "kg m2") == 0) return "inertia";
    return strcmp(p->unit, "1") == 0 ? "branch" : "dimension";
}

/// Signs that only choose which of the branches is listed first; home itself tells its own.
static bool is_order(const char* name)
{
    return strncmp(name, "root_", 5) == 0 || strcmp(name, "assembly") == 0;
}

/// Change parameter `k` by a fiftieth (0: to 0.2; a sign: turn it) and read the robot.
static void check_tampered(const char* name, int k)
{
    pkm_description* desc = engine_read(name);
    if (!desc) return;
    const pkm_closed_parameter* p = parameter_of(desc, k);
    const pkm_place place = desc->closed_place[k];
    double* x = &desc->closed_value[k];
    if (strcmp(p->unit, "1") == 0)
        *x = fabs(*x) == 1.0 ? -*x : *x + 1.0;
    else
        *x = *x == 0.0 ? 0.2 : 1.02 * *x;
    pkm_robot* robot = NULL;
    pkm_error err = {0};
    const pkm_status status = pkm_robot_create(desc, &robot, &err);
    if (status != PKM_ERR_MODEL) printf("    %s, %s: status %d\n", name, p->name, (int)status);
    CHECK(status == PKM_ERR_MODEL && robot == NULL);
    CHECK(err.line > 0 && strstr(err.file, name));
    // Some have the same effect (a payload is part of the platform): one of the kind is named, and
    // where the parameter itself is, with its line. Of a crank only mass times distance is felt.
    const bool product = strcmp(p->name, "crank_com") == 0;
    if (strcmp(p->unit, "1") != 0 && strcmp(p->unit, "rad") != 0 && !product) {
        if (!strstr(err.text, kind_of(p))) printf("    %s, %s: %s\n", name, p->name, err.text);
        CHECK_CONTAINS(err.text, kind_of(p));
    }
    char key[100];
    snprintf(key, sizeof key, "closed_form.%s:", p->name);
    if (strstr(err.text, key)) CHECK(err.line == place.line);
    char words[60];
    snprintf(words, sizeof words, "is not the %s of the bodies", kind_of(p));
    if (strstr(err.text, key) && strstr(err.text, "is not the")) CHECK_CONTAINS(err.text, words);
    pkm_robot_free(robot);
}

static void every_wrong_parameter_is_found_and_its_kind_named(void)
{
    for (int i = 0; i < N_NAME; ++i) {
        pkm_description* desc = engine_read(names[i]);
        if (!desc) continue;
        for (int k = 0; k < desc->n_closed; ++k)
            if (!is_order(desc->closed_name[k])) check_tampered(names[i], k);
        pkm_description_free(desc);
    }
}

/// One parameter that is wrong, and what the message says of it.
static void check_offer(const char* robot_name, const char* parameter, double value,
                        const char* words)
{
    pkm_description* desc = engine_read(robot_name);
    if (!desc) return;
    for (int k = 0; k < desc->n_closed; ++k)
        if (strcmp(desc->closed_name[k], parameter) == 0) desc->closed_value[k] = value;
    pkm_robot* robot = NULL;
    pkm_error err = {0};
    CHECK(pkm_robot_create(desc, &robot, &err) == PKM_ERR_MODEL);
    CHECK_CONTAINS(err.text, words);
    pkm_robot_free(robot);
}

// A Delta feels the difference of its radii alone: the wrong one is named, whichever it is.
static void of_two_radii_the_wrong_one_is_named(void)
{
    check_offer("siax", "base_radius", 0.26, "base_radius: 0.26 m");
    check_offer("siax", "platform_radius", 0.107, "platform_radius: 0.107 m, expected 0.097 m");
    check_offer("siax", "payload_mass", 6.0, "payload_mass: 6 kg is not the mass");
    check_offer("lindelta", "platform_radius", 0.2, "platform_radius: 0.2 m, expected 0.15 m");
}

/// The value that would be right is offered.
static void the_right_value_is_offered(void)
{
    pkm_description* desc = engine_read("triglide");
    if (!desc) return;
    for (int k = 0; k < desc->n_closed; ++k)
        if (strcmp(desc->closed_name[k], "platform_mass") == 0) desc->closed_value[k] = 0.9;
    pkm_robot* robot = NULL;
    pkm_error err = {0};
    CHECK(pkm_robot_create(desc, &robot, &err) == PKM_ERR_MODEL);
    CHECK_CONTAINS(err.text, "closed_form.platform_mass: 0.9 kg");
    CHECK_CONTAINS(err.text, "expected 0.57 kg");
}

// The centre of mass of a rod is in its middle, and the closed form has no parameter for it.
static void a_centre_of_mass_off_its_place_is_found(void)
{
    pkm_description* desc = engine_read("siax");
    if (!desc) return;
    int rod = 1;
    while (rod + 1 < desc->n_body && !strstr(desc->body[rod].name, "rod"))
        ++rod;
    desc->body[rod].com = pkm_vec3_scale(1.1, desc->body[rod].com);
    pkm_robot* robot = NULL;
    pkm_error err = {0};
    CHECK(pkm_robot_create(desc, &robot, &err) == PKM_ERR_MODEL);
    CHECK_CONTAINS(err.text, "centres of mass");
    CHECK(err.line > 0);
}

/// Both routes along the first motion: largest difference of a force over the largest force.
static double compare(pkm_robot* robot)
{
    pkm_table *engine = pkm_table_create(), *closed = pkm_table_create();
    pkm_compare_row row[PKM_MAX_DRIVE];
    pkm_inverse_settings settings = pkm_inverse_settings_defaults();
    settings.n_instant = 21;
    double largest = 0.0, off = 0.0;
    CHECK(pkm_compare_run(robot, 0, &settings, engine, closed, row, NULL) == PKM_OK);
    for (int d = 0; d < robot->mech->n_drive; ++d) {
        largest = fmax(largest, row[d].largest_force);
        off = fmax(off, row[d].difference);
    }
    pkm_table_free(engine);
    pkm_table_free(closed);
    return off / largest;
}

static void gravity_may_point_anywhere(void)
{
    unsigned seed = 5;
    for (int i = 0; i < N_NAME; ++i) {
        pkm_description* desc = engine_read(names[i]);
        if (!desc) continue;
        desc->gravity = (pkm_vec3){9.0 * engine_noise(&seed), 9.0 * engine_noise(&seed),
                                   9.0 * engine_noise(&seed)};
        for (int k = 0; k < desc->n_closed; ++k)
            if (strcmp(desc->closed_name[k], "gravity") == 0)
                desc->closed_value[k] = desc->gravity.z;
        pkm_robot* robot = engine_build(desc);
        if (!robot) continue;
        CHECK(compare(robot) < 1e-9);
        pkm_robot_free(robot);
    }
}

// What the closed form states and what the model has, both in the direction that differs.
static void another_gravity_is_told_with_both_values(void)
{
    pkm_description* desc = engine_read("siax");
    pkm_robot* robot = NULL;
    pkm_error err = {0};
    if (!desc) return;
    desc->gravity = (pkm_vec3){1.25, 2.5, -7.5};
    for (int k = 0; k < desc->n_closed; ++k)
        if (strcmp(desc->closed_name[k], "gravity") == 0) desc->closed_value[k] = -9.5;
    CHECK(pkm_robot_create(desc, &robot, &err) == PKM_ERR_MODEL);
    CHECK_CONTAINS(err.text, "-9.5 m/s2 along z");
    CHECK_CONTAINS(err.text, "-7.5 m/s2 there");
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(another_gravity_is_told_with_both_values);
    RUN(every_wrong_parameter_is_found_and_its_kind_named);
    RUN(of_two_radii_the_wrong_one_is_named);
    RUN(the_right_value_is_offered);
    RUN(a_centre_of_mass_off_its_place_is_found);
    RUN(gravity_may_point_anywhere);
    return check_report();
}
