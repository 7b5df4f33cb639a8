/// Robots built by calls are those of files, to the last bit; what is wrong is answered.
#include "base/memory.h"
#include "model/yaml.h"
#include "unit/api/load.h"

#include <math.h>
#include <string.h>

// ---- the same robot ---------------------------------------------------------------------------

static bool same(const void* a, const void* b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

/// All that can be asked of two robots is equal in every bit.
static void check_twins(pkm_robot* a, pkm_robot* b)
{
    const int n_drive = pkm_robot_n_drive(a);
    unsigned seed = 7u;
    pkm_robot_go_home(a);
    pkm_robot_go_home(b);
    CHECK(n_drive == pkm_robot_n_drive(b) && pkm_robot_n_body(a) == pkm_robot_n_body(b));
    CHECK(pkm_robot_n_joint(a) == pkm_robot_n_joint(b));
    CHECK(pkm_robot_n_motion(a) == pkm_robot_n_motion(b));
    CHECK(pkm_robot_n_parameter(a) == pkm_robot_n_parameter(b));
    CHECK(strcmp(pkm_robot_name(a), pkm_robot_name(b)) == 0);
    const char *form_a = pkm_robot_closed_form(a), *form_b = pkm_robot_closed_form(b);
    CHECK(!form_a == !form_b && (!form_a || strcmp(form_a, form_b) == 0));
    for (int i = 0; i < pkm_robot_n_body(a); ++i) {
        const double x = pkm_robot_body_mass(a, i), y = pkm_robot_body_mass(b, i);
        CHECK(strcmp(pkm_robot_body_name(a, i), pkm_robot_body_name(b, i)) == 0);
        CHECK(same(&x, &y, sizeof x));
    }
    for (int k = 0; k < 5; ++k) {
        pkm_instant x = pkm_instant_home(a), y = pkm_instant_home(b);
        CHECK(same(&x, &y, sizeof x));
        for (int d = 0; d < n_drive; ++d) {
            x.q[d] += 0.01 * noise(&seed);
            x.v[d] = noise(&seed);
            x.a[d] = 10.0 * noise(&seed);
        }
        y = x;
        CHECK(pkm_inverse_at(a, PKM_METHOD_ENGINE, &x, NULL) ==
              pkm_inverse_at(b, PKM_METHOD_ENGINE, &y, NULL));
        CHECK(same(&x, &y, sizeof x));
    }
}

static void add_quoted(char* to, size_t size, const char* text)
{
    size_t used = strlen(to);
    used += (size_t)snprintf(to + used, size - used, "\"");
    for (; *text && used + 4 < size; ++text) {
        if (*text == '"' || *text == '\\') to[used++] = '\\';
        if (*text == '\n') to[used++] = '\\';
        to[used++] = *text == '\n' ? 'n' : *text;
    }
    snprintf(to + used, size - used, "\"");
}

static void add_value(char* to, size_t size, const pkm_yaml* node)
{
    if (node->kind == PKM_YAML_TEXT) {
        add_quoted(to, size, node->text);
        return;
    }
    strncat(to, node->kind == PKM_YAML_MAP ? "{" : "[", size - strlen(to) - 1);
    for (const pkm_yaml* child = node->first; child; child = child->next) {
        if (child->key) add_quoted(to, size, child->key);
        if (child->key) strncat(to, ": ", size - strlen(to) - 1);
        add_value(to, size, child);
        if (child->next) strncat(to, ", ", size - strlen(to) - 1);
    }
    strncat(to, node->kind == PKM_YAML_MAP ? "}" : "]", size - strlen(to) - 1);
}

/// A call for every value, with the path that leads to it.
static void call_for_each(pkm_builder* b, const pkm_yaml* node, const char* path)
{
    static char value[64 * 1024];
    for (const pkm_yaml* child = node->first; child; child = child->next) {
        char full[256];
        pkm_error err = {.text = ""};
        snprintf(full, sizeof full, "%s%s%s", path, path[0] ? "." : "", child->key);
        if (child->kind == PKM_YAML_MAP && child->first && !strchr(child->first->key, '.')) {
            call_for_each(b, child, full);
            continue;
        }
        value[0] = '\0';
        add_value(value, sizeof value, child);
        CHECK(pkm_builder_set(b, full, value, &err) == PKM_OK);
        if (err.text[0]) puts(err.text);
    }
}

static char* read_text(const char* path)
{
    char* text = pkm_alloc(256 * 1024, 1);
    FILE* file = fopen(path, "r");
    CHECK(text != NULL && file != NULL);
    if (file && text) text[fread(text, 1, 256 * 1024 - 1, file)] = '\0';
    if (file) fclose(file);
    return text;
}

static void every_robot_can_be_built_by_calls(void)
{
    for (int i = 0; i < N_ROBOT; ++i) {
        pkm_arena* arena = pkm_arena_create();
        char* text = read_text(robot_path(robot_files[i]));
        const pkm_yaml* root = NULL;
        pkm_builder* b = NULL;
        pkm_robot *file = load(robot_files[i]), *built = NULL;
        pkm_error err = {.text = ""};
        CHECK(pkm_yaml_parse(text, strlen(text), "file", arena, &root, NULL) == PKM_OK);
        CHECK(pkm_builder_create("to be replaced", &b, NULL) == PKM_OK);
        call_for_each(b, root, "");
        CHECK(pkm_builder_robot(b, robot_path(robot_files[i]), NULL, 0, &built, &err) == PKM_OK);
        if (err.text[0]) printf("    %s: %d: %s\n", robot_files[i], err.line, err.text);
        if (built) check_twins(file, built);
        pkm_robot_free(built);
        pkm_robot_free(file);
        pkm_builder_free(b);
        pkm_free(text);
        pkm_arena_free(arena);
    }
}

// ---- by the calls for items -------------------------------------------------------------------

static const char* const crank_file =
    "pkm: 1\n"
    "name: slider-crank\n"
    "gravity: [0, 0, 0]\n"
    "ground: {points: {O: [0, 0, 0]}}\n"
    "bodies:\n"
    "  crank:\n"
    "    points: {O: [0, 0, 0], A: [0.1, 0, 0]}\n"
    "    mass: 1\n    com: [0.03, 0, 0]\n    inertia: [1e-3, 1e-3, 1.7e-3, 0, 1e-5, 0]\n"
    "  slider:\n"
    "    points: {B: [0, 0, 0]}\n"
    "    mass: 2.2\n    com: [0, 0, 0]\n    inertia: [1e-3, 1e-3, 1e-3]\n"
    "    pose: {at: [0.5, 0, 0]}\n"
    "joints:\n"
    "  turn: {type: revolute, between: [ground.O, crank.O], axis: z}\n"
    "  guide: {type: prismatic, between: [ground.O, slider.B], axis: x}\n"
    "  rod: {type: distance, between: [crank.A, slider.B], length: 0.4}\n"
    "drives: {q: {joint: turn}}\n"
    "tool: {point: slider.B}\n"
    "home: {drives: {q: 0.3}}\n";

static pkm_builder* crank(void)
{
    const pkm_vec3 o = {0.0, 0.0, 0.0};
    const double of_crank[] = {1e-3, 1e-3, 1.7e-3, 0.0, 1e-5, 0.0};
    const double of_slider[] = {1e-3, 1e-3, 1e-3, 0.0, 0.0, 0.0};
    pkm_builder* b = NULL;
    CHECK(pkm_builder_create("slider-crank", &b, NULL) == PKM_OK);
    CHECK(pkm_builder_set_list(b, "gravity", 3, (const double[]){0.0, 0.0, 0.0}, NULL) == PKM_OK);
    CHECK(pkm_builder_add_point(b, "ground", "O", o, NULL) == PKM_OK);
    CHECK(pkm_builder_add_body(b, "crank", 1.0, (pkm_vec3){0.03, 0.0, 0.0}, of_crank, NULL) ==
          PKM_OK);
    CHECK(pkm_builder_add_point(b, "crank", "O", o, NULL) == PKM_OK);
    CHECK(pkm_builder_add_point(b, "crank", "A", (pkm_vec3){0.1, 0.0, 0.0}, NULL) == PKM_OK);
    CHECK(pkm_builder_add_body(b, "slider", 2.2, o, of_slider, NULL) == PKM_OK);
    CHECK(pkm_builder_add_point(b, "slider", "B", o, NULL) == PKM_OK);
    CHECK(pkm_builder_set(b, "bodies.slider.pose", "{at: [0.5, 0, 0]}", NULL) == PKM_OK);
    CHECK(pkm_builder_add_joint(b, "turn", PKM_JOINT_REVOLUTE, "ground.O", "crank.O", NULL) ==
          PKM_OK);
    CHECK(pkm_builder_add_joint(b, "guide", PKM_JOINT_PRISMATIC, "ground.O", "slider.B", NULL) ==
          PKM_OK);
    CHECK(pkm_builder_set(b, "joints.guide.axis", "x", NULL) == PKM_OK);
    CHECK(pkm_builder_add_joint(b, "rod", PKM_JOINT_DISTANCE, "crank.A", "slider.B", NULL) ==
          PKM_OK);
    CHECK(pkm_builder_set_number(b, "joints.rod.length", 0.4, NULL) == PKM_OK);
    CHECK(pkm_builder_add_drive(b, "q", "turn", 0.3, NULL) == PKM_OK);
    CHECK(pkm_builder_set(b, "tool.point", "slider.B", NULL) == PKM_OK);
    return b;
}

static void the_calls_say_what_the_file_says(void)
{
    pkm_builder* b = crank();
    pkm_robot *built = NULL, *file = NULL, *again = NULL;
    CHECK(pkm_builder_robot(b, NULL, NULL, 0, &built, NULL) == PKM_OK);
    CHECK(pkm_robot_parse(crank_file, "crank", NULL, 0, &file, NULL) == PKM_OK);
    check_twins(built, file);
    char* text = pkm_builder_text(b);
    CHECK(text && pkm_robot_parse(text, "crank", NULL, 0, &again, NULL) == PKM_OK);
    check_twins(again, file);
    CHECK(strcmp(pkm_robot_hash(again), pkm_robot_hash(built)) == 0);
    // another value for a key makes another robot; the first one lives on without its builder
    CHECK(pkm_builder_set(b, "bodies.slider.mass", "3000 g", NULL) == PKM_OK);
    pkm_robot_free(again);
    CHECK(pkm_builder_robot(b, NULL, NULL, 0, &again, NULL) == PKM_OK);
    pkm_builder_free(b);
    CHECK(pkm_robot_body_mass(again, 1) == 3.0 && pkm_robot_body_mass(built, 1) == 2.2);
    pkm_text_free(text);
    pkm_robot_free(again);
    pkm_robot_free(file);
    pkm_robot_free(built);
}

static void texts_that_mean_something_to_yaml_stay_texts(void)
{
    pkm_builder* b = NULL;
    CHECK(pkm_builder_create("a: #1 \"b\" \\ {c}", &b, NULL) == PKM_OK);
    CHECK(pkm_builder_set(b, "description", "'- {x: 1}, [&y, *z]'", NULL) == PKM_OK);
    char* text = pkm_builder_text(b);
    pkm_arena* arena = pkm_arena_create();
    const pkm_yaml* root = NULL;
    CHECK(pkm_yaml_parse(text, strlen(text), "x", arena, &root, NULL) == PKM_OK);
    CHECK(strcmp(pkm_yaml_get(root, "name")->text, "a: #1 \"b\" \\ {c}") == 0);
    CHECK(strcmp(pkm_yaml_get(root, "description")->text, "- {x: 1}, [&y, *z]") == 0);
    pkm_arena_free(arena);
    pkm_text_free(text);
    pkm_builder_free(b);
}

// ---- misuse -----------------------------------------------------------------------------------

static void what_is_wrong_is_answered(void)
{
    const pkm_vec3 o = {0.0, 0.0, 0.0}, bad = {0.0, NAN, 0.0};
    const double inertia[6] = {1.0, 1.0, 1.0}, hole[6] = {INFINITY};
    pkm_builder* b = NULL;
    pkm_robot* robot = NULL;
    pkm_error err = {.text = ""};
    pkm_builder_free(NULL);
    CHECK(pkm_builder_text(NULL) == NULL);
    CHECK(pkm_builder_create(NULL, &b, NULL) == PKM_ERR_ARGUMENT && b == NULL);
    CHECK(pkm_builder_create("x", NULL, NULL) == PKM_ERR_ARGUMENT);
    b = crank();
    CHECK(pkm_builder_set(NULL, "a", "1", NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_builder_set(b, NULL, "1", NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_builder_set(b, "a", NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_builder_set(b, "", "1", NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_builder_set(b, "joints..axis", "1", NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_builder_set(b, "joints.", "1", NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_builder_set(b, "name.first", "1", &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "goes through 'name'");
    CHECK(pkm_builder_set(b, "tool.x", "[1, 2", &err) == PKM_ERR_SYNTAX);
    CHECK_CONTAINS(err.file, "tool.x");
    CHECK(pkm_builder_set_number(b, "a", NAN, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_builder_set_list(b, "a", 0, inertia, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_builder_set_list(b, "a", 65, inertia, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_builder_set_list(b, "a", 6, hole, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_builder_add_body(NULL, "b", 1.0, o, inertia, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_builder_add_body(b, "b", NAN, o, inertia, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_builder_add_body(b, "b", 1.0, bad, inertia, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_builder_add_body(b, "b", 1.0, o, NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_builder_add_body(b, "b", 1.0, o, hole, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_builder_add_body(b, "", 1.0, o, inertia, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_builder_add_body(b, "a.b", 1.0, o, inertia, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_builder_add_body(b, "crank", 1.0, o, inertia, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "already");
    CHECK(pkm_builder_add_point(b, "nobody", "P", o, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "no body 'nobody'");
    CHECK(pkm_builder_add_point(b, "crank", "A", o, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_builder_add_point(b, "crank", "", o, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_builder_add_point(b, "crank", "C", bad, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_builder_add_joint(b, "j", (pkm_joint_type)99, "a.b", "c.d", NULL) ==
          PKM_ERR_ARGUMENT);
    CHECK(pkm_builder_add_joint(b, "j", (pkm_joint_type)(PKM_JOINT_FREE + 1), "a.b", "c.d", NULL) ==
          PKM_ERR_ARGUMENT);
    CHECK(pkm_builder_add_joint(b, "turn", PKM_JOINT_FIXED, "a.b", "c.d", NULL) ==
          PKM_ERR_ARGUMENT);
    CHECK(pkm_builder_add_joint(b, "j", PKM_JOINT_FIXED, NULL, "c.d", NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_builder_add_drive(b, "q", "turn", 0.0, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_builder_add_drive(b, "p", NULL, 0.0, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_builder_add_drive(b, "p", "guide", INFINITY, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_builder_robot(NULL, NULL, NULL, 0, &robot, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_builder_robot(b, NULL, NULL, 0, NULL, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_builder_robot(b, NULL, NULL, 1, &robot, NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_builder_robot(b, NULL, NULL, 0, &robot, NULL) == PKM_OK); // it is as before
    pkm_robot_free(robot);
    CHECK(pkm_builder_add_joint(b, "loose", PKM_JOINT_FIXED, "crank.X", "slider.B", NULL) ==
          PKM_OK);
    CHECK(pkm_builder_robot(b, NULL, NULL, 0, &robot, &err) == PKM_ERR_MODEL && robot == NULL);
    CHECK_CONTAINS(err.text, "crank.X");
    pkm_builder_free(b);
}

int main(void)
{
    RUN(every_robot_can_be_built_by_calls);
    RUN(the_calls_say_what_the_file_says);
    RUN(texts_that_mean_something_to_yaml_stay_texts);
    RUN(what_is_wrong_is_answered);
    return check_report();
}
