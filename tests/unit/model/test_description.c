#include "check.h"
#include "math/quat.h"
#include "model/description.h"

static const double pi = 3.14159265358979323846;
static const char* const file = PKM_SOURCE_DIR "/tests/unit/model/data/everything.yaml";
static pkm_description* desc;

static int find_body(const char* name)
{
    for (int i = 0; i < desc->n_body; ++i)
        if (strcmp(desc->body[i].name, name) == 0) return i;
    printf("    no body %s\n", name);
    return 0;
}

static const pkm_desc_marker* marker(const char* name)
{
    for (int i = 0; i < desc->n_marker; ++i)
        if (strcmp(desc->marker[i].name, name) == 0) return &desc->marker[i];
    printf("    no marker %s\n", name);
    return NULL;
}

static const pkm_desc_joint* joint(const char* name)
{
    for (int i = 0; i < desc->n_joint; ++i)
        if (strcmp(desc->joint[i].name, name) == 0) return &desc->joint[i];
    printf("    no joint %s\n", name);
    return NULL;
}

static const pkm_desc_drive* drive(const char* name)
{
    for (int i = 0; i < desc->n_drive; ++i)
        if (strcmp(desc->drive[i].name, name) == 0) return &desc->drive[i];
    printf("    no drive %s\n", name);
    return NULL;
}

static void check_vec3(pkm_vec3 a, double x, double y, double z)
{
    CHECK_NEAR(a.x, x, 1e-15);
    CHECK_NEAR(a.y, y, 1e-15);
    CHECK_NEAR(a.z, z, 1e-15);
}

static void heading_and_parameters_are_kept(void)
{
    CHECK_TEXT(desc->name, "Everything");
    CHECK_TEXT(desc->text, "all keys");
    CHECK_TEXT(desc->source, "nowhere");
    CHECK_TEXT(desc->file, file);
    check_vec3(desc->gravity, 0, 0, -9.81);
    CHECK(desc->n_parameter == 6);
    CHECK_TEXT(desc->parameter[1].name, "half");
    CHECK_NEAR(desc->parameter[1].value, 0.25, 0.0);
    CHECK_TEXT(desc->parameter[1].unit, "m");
    CHECK_NEAR(desc->parameter[3].value, 3.0, 0.0); // later is defined behind it
    CHECK_TEXT(desc->parameter[3].unit, "1");
    CHECK_TEXT(desc->parameter[5].unit, "rad");
}

static void materials_keep_what_is_given(void)
{
    CHECK(desc->n_material == 3);
    CHECK_NEAR(desc->material[0].young, 207e9, 0.0);
    CHECK_NEAR(desc->material[1].density, 100.0, 1e-13);
    CHECK(isnan(desc->material[1].young) && isnan(desc->material[2].density));
}

// Platform 2 kg at z = 0.01, payload 5 kg at z = -0.1: com = -0.48/7, and both inertias grow by
// the reduced mass 10/7 times 0.11^2 about x and y.
static void payload_joins_its_body(void)
{
    const pkm_desc_body* b = &desc->body[find_body("platform")];
    const double shift = 10.0 / 7.0 * 0.11 * 0.11;
    CHECK_NEAR(b->mass, 7.0, 0.0);
    check_vec3(b->com, 0, 0, (2 * 0.01 - 5 * 0.1) / 7.0);
    CHECK_NEAR(b->inertia[0], 0.02 + 0.01 + shift, 1e-16);
    CHECK_NEAR(b->inertia[1], 0.03 + 0.01 + shift, 1e-16);
    CHECK_NEAR(b->inertia[2], 0.04 + 0.01, 1e-16);
    CHECK_NEAR(b->inertia[3], 0.001, 0.0);
    CHECK(b->n_shape == 1 && b->shape[0].kind == PKM_SHAPE_SPHERE);
    check_vec3(b->shape[0].from, 0, 0, -0.1);
}

// Box of steel (turned by a quarter), ball of 1000 kg/m3 at z = 0.1 and the payload, a bar of
// 7800 kg/m3 whose centre counts as the point slide.top.
static void shapes_add_up(void)
{
    const pkm_desc_body* b = &desc->body[find_body("slide")];
    const double box = 7800 * 0.1 * 0.05 * 0.02, ball = 1000 * 4.0 / 3.0 * pi * 8e-6;
    const double bar = 7800 * pi * 1e-4 * 0.1, m = box + ball + bar;
    CHECK_NEAR(b->mass, m, 1e-15 * m);
    check_vec3(b->com, 0, 0, (ball + bar) * 0.1 / m);
    const double shift = box * (ball + bar) / m * 0.01;
    const double ball_J = 0.4 * ball * 4e-4, bar_J = bar * (3e-4 + 0.01) / 12.0;
    CHECK_NEAR(b->inertia[0], box * (0.01 + 4e-4) / 12 + ball_J + bar_J + shift, 1e-17);
    CHECK_NEAR(b->inertia[1], box * (0.0025 + 4e-4) / 12 + ball_J + bar_J + shift, 1e-17);
    CHECK_NEAR(b->inertia[2], box * (0.01 + 0.0025) / 12 + ball_J + 0.5 * bar * 1e-4, 1e-17);
    CHECK(b->n_shape == 3 && b->shape[0].material == 0 && b->shape[1].material == PKM_NONE);
}

// Mass given with a shape: the inertia is that of the shape scaled to it; uniform: m L^2/12.
static void given_masses_scale_shapes(void)
{
    const pkm_desc_body* disc = &desc->body[find_body("disc")];
    CHECK_NEAR(disc->inertia[2], 3.0 * 0.01 / 2.0, 1e-16);
    CHECK_NEAR(disc->inertia[0], 3.0 * (3 * 0.01 + 4e-4) / 12.0, 1e-16);
    CHECK(disc->shape[0].kind == PKM_SHAPE_CYLINDER && disc->shape[0].material == 2);
    const pkm_desc_body* crank = &desc->body[find_body("A.crank")];
    CHECK_NEAR(crank->inertia[1], 1.5 * 0.25 / 12.0, 1e-16);
    CHECK_NEAR(crank->inertia[0], 0.0, 0.0);
    CHECK_NEAR(crank->shape[0].inner_radius, 0.018, 1e-17);
    CHECK_NEAR(desc->body[find_body("washer")].mass, 0.0, 0.0);
}

static void meshes_are_read_scaled_and_placed(void)
{
    const pkm_desc_body* b = &desc->body[find_body("prop")];
    CHECK_NEAR(b->mass, 100.0 * 0.1 * 0.2 * 0.3 / 6.0, 1e-16);
    check_vec3(b->com, 0.025, 0.05, 1.075);
    CHECK(b->shape[0].kind == PKM_SHAPE_MESH && b->shape[0].n_triangle == 4);
    check_vec3(b->shape[0].triangle[1], 0, 0.2, 1);
    CHECK_TEXT(b->shape[0].mesh_file, "tetra.stl");
}

// Copy B is turned by 90 degrees about z and moved by 0.1 along y: x -> y.
static void copies_are_placed(void)
{
    check_vec3(marker("ground.A.M")->pose.p, 0.2, 0, 0);
    check_vec3(marker("ground.B.M")->pose.p, 0, 0.3, 0);
    check_vec3(marker("platform.CA")->pose.p, 0.1, 0, 0);
    check_vec3(marker("platform.CB")->pose.p, 0, 0.1, 0); // turned only
    const pkm_pose g = marker("ground.B.G")->pose;
    check_vec3(g.p, 0, 0.4, 0);
    check_vec3(pkm_quat_rotate(g.q, (pkm_vec3){0, 1, 0}), 0, 0, 1);
    const pkm_pose crank = desc->body[find_body("B.crank")].guess;
    check_vec3(crank.p, 0, 0.3, 0);
    check_vec3(pkm_quat_rotate(crank.q, (pkm_vec3){1, 0, 0}), 0, cos(pi / 18), -sin(pi / 18));
    check_vec3(desc->body[find_body("R.flag")].guess.p, -0.1, 0, 0);
}

static void copies_see_their_own_parameters(void)
{
    check_vec3(marker("A.crank.K")->pose.p, 0.5, 0, 0);
    check_vec3(marker("B.crank.K")->pose.p, 0.6, 0, 0);
    check_vec3(marker("A.rod.B")->pose.p, 0, 0, 0.25 + 0.25);
    check_vec3(marker("B.rod.B")->pose.p, 0, 0, 0.3 + 0.5); // half follows l1
}

// A at its place, B in the direction of the second place, by the least rotation: no spin.
static void poses_by_points_turn_least(void)
{
    const pkm_pose rod = desc->body[find_body("A.rod")].guess;
    check_vec3(rod.p, 0.7, 0, 0);
    const double n = sqrt(0.36 + 0.16);
    check_vec3(pkm_quat_rotate(rod.q, (pkm_vec3){0, 0, 1}), -0.6 / n, 0, -0.4 / n);
    check_vec3(pkm_quat_rotate(rod.q, (pkm_vec3){0, 1, 0}), 0, 1, 0); // the axis of the turn
    check_vec3(desc->body[find_body("disc")].guess.p, 1, 2, 3);
}

static void frames_have_their_own_axes(void)
{
    const pkm_pose tilted = marker("platform.tilted")->pose;
    // x by 90 degrees, then z of the new axes: new x is the old z
    check_vec3(pkm_quat_rotate(tilted.q, (pkm_vec3){1, 0, 0}), 0, 0, 1);
    // the rail runs along x of a frame that is turned by 90 degrees: along y
    const pkm_desc_joint* rail = joint("rail");
    check_vec3(pkm_quat_rotate(rail->frame_a.q, (pkm_vec3){0, 0, 1}), 0, 1, 0);
    check_vec3(pkm_quat_rotate(rail->frame_b.q, (pkm_vec3){0, 0, 1}), 1, 0, 0);
}

static void joints_have_axes_references_and_limits(void)
{
    const pkm_desc_joint* sleeve = joint("sleeve");
    check_vec3(pkm_quat_rotate(sleeve->frame_b.q, (pkm_vec3){0, 0, 1}), 0, 0, -1);
    check_vec3(pkm_quat_rotate(sleeve->frame_b.q, (pkm_vec3){1, 0, 0}), 0, 1, 0);
    const pkm_desc_joint* motor = joint("B.motor");
    CHECK(motor->type == PKM_JOINT_REVOLUTE);
    CHECK(motor->body_a == 0 && motor->body_b == find_body("B.crank"));
    check_vec3(pkm_quat_rotate(motor->frame_a.q, (pkm_vec3){0, 0, 1}), -1, 0, 0);
    // y -> z is the fixed perpendicular
    check_vec3(pkm_quat_rotate(motor->frame_b.q, (pkm_vec3){1, 0, 0}), 0, 0, 1);
    CHECK_NEAR(motor->limit[1], 80 * pi / 180, 1e-15);
    CHECK_NEAR(joint("A.ball")->swing, pi / 4, 1e-16);
    CHECK_NEAR(joint("strut")->length, 0.5, 0.0);
    CHECK(isnan(motor->length) && isinf(motor->swing) && isinf(sleeve->limit[0]));
}

static void drives_know_what_they_move(void)
{
    const pkm_desc_drive* x = drive("x");
    CHECK(desc->n_drive == 7 && !x->is_rotary);
    CHECK_NEAR(x->sign, -1.0, 0.0);
    CHECK_NEAR(x->zero, 0.1, 0.0);
    CHECK_NEAR(x->home, 0.2, 0.0);
    CHECK_NEAR(x->force_limit, 300.0, 0.0);
    CHECK(drive("spin")->is_rotary && drive("spin")->coordinate == 0);
    CHECK(!drive("shift")->is_rotary && drive("shift")->coordinate == 1);
    CHECK(drive("pan")->is_rotary && drive("pan")->coordinate == 2);
    CHECK_NEAR(drive("pan")->velocity_limit, pi, 1e-15);
    CHECK_NEAR(drive("spin")->home, 0.3, 0.0);
    CHECK_NEAR(drive("qB")->home, pi / 18, 1e-16);
    CHECK(isnan(drive("shift")->home) && isinf(drive("qA")->force_limit));
}

static void tool_outputs_and_closed_form_are_found(void)
{
    CHECK_TEXT(desc->marker[desc->tool_marker].name, "platform.tilted");
    CHECK(desc->tool_moves == (1U | 2U | 4U | 16U));
    CHECK_NEAR(desc->length_scale, 0.1, 0.0);
    CHECK(desc->n_output == 2);
    CHECK_TEXT(desc->marker[desc->output[1]].name, "A.crank.K");
    CHECK_TEXT(desc->closed_family, "delta");
    CHECK(desc->n_closed == 3);
    CHECK_TEXT(desc->closed_name[1], "crank");
    CHECK_NEAR(desc->closed_value[0], 0.2, 0.0);
    CHECK_NEAR(desc->closed_value[1], 0.5, 0.0);
    CHECK(!desc->has_home_tool);
}

static void motions_move_as_written(void)
{
    CHECK(desc->n_motion == 14);
    CHECK_TEXT(pkm_motion_name(desc->motion[0].motion), "stroke");
    CHECK_TEXT(desc->motion[0].text, "drives");
    CHECK_NEAR(desc->motion[0].max_jerk, 9e4, 0.0);
    double q[PKM_MAX_DRIVE], v[PKM_MAX_DRIVE], a[PKM_MAX_DRIVE];
    pkm_motion_drives(desc->motion[0].motion, 0.2, q, v, a, NULL);
    const int qA = (int)(drive("qA") - desc->drive);
    CHECK_NEAR(q[qA], 70 * pi / 180, 1e-15);
    pkm_motion_drives(desc->motion[0].motion, 0.1, q, v, a, NULL);
    CHECK_NEAR(q[qA], 35 * pi / 180, 1e-15);

    pkm_frame_motion tool;
    CHECK_NEAR(pkm_motion_duration(desc->motion[1].motion), 1.3, 1e-15);
    pkm_motion_tool(desc->motion[1].motion, 1.1, &tool, NULL);
    check_vec3(tool.pose.p, 0.5, 0, 0);
    CHECK_NEAR(pkm_quat_to_rotvec(tool.pose.q).z, pi / 6, 1e-15);
    pkm_motion_tool(desc->motion[3].motion, 1.0, &tool, NULL);
    check_vec3(tool.pose.p, 0, 0.1, 0.5);
    pkm_motion_tool(desc->motion[7].motion, 0.3, &tool, NULL);
    check_vec3(tool.pose.p, 0.09, 0, 0.5);
}

static void published_values_keep_their_unit(void)
{
    CHECK(desc->n_published == 3);
    const pkm_desc_published* p = desc->published;
    CHECK_TEXT(p[0].quantity, "max P.speed");
    CHECK_TEXT(p[0].motion, "stroke");
    CHECK_TEXT(p[0].unit, "m/s");
    CHECK_TEXT(p[0].note, "as printed, rounded");
    CHECK_TEXT(p[0].where, "Table 2");
    CHECK(p[1].where == NULL);
    CHECK_NEAR(p[0].tolerance, 0.01, 0.0);
    CHECK_NEAR(p[1].value, 3000.0, 0.0);
    CHECK_NEAR(p[1].unit_factor, 1000.0, 0.0);
    CHECK_TEXT(p[1].unit, "N/mm");
    CHECK(!p[1].motion && !p[1].quantity && !p[1].note);
    CHECK(p[0].bound == PKM_BOUND_NONE && p[1].bound == PKM_BOUND_ABOVE);
    CHECK(pkm_published_agrees(&p[0], 8.07) && !pkm_published_agrees(&p[0], 8.09));
    CHECK(pkm_published_agrees(&p[1], 3001.0) && !pkm_published_agrees(&p[1], 2999.0));
    pkm_desc_published below = p[1];
    below.bound = PKM_BOUND_BELOW;
    CHECK(pkm_published_agrees(&below, 2999.0) && !pkm_published_agrees(&below, 3001.0));
    // what was put in proves nothing
    CHECK(p[2].chosen && !pkm_published_agrees(&p[2], p[2].value));
    CHECK_TEXT(pkm_published_verdict(&p[2], p[2].value), "put in");
    CHECK_TEXT(pkm_published_verdict(&p[1], 3001.0), "met");
    CHECK_NEAR(p[2].value, pi / 9, 1e-16);
    CHECK_TEXT(p[2].unit, "");
}

static void places_are_kept(void)
{
    const pkm_desc_body* b = &desc->body[find_body("platform")];
    CHECK(b->place.line == 28 && b->place.column == 3);
    CHECK(desc->published[0].place.column == 5);
}

static pkm_status read_with(const char* name, const char* value, pkm_error* err)
{
    const pkm_override set = {name, value};
    pkm_description_free(desc);
    return pkm_description_read(file, &set, 1, &desc, err);
}

static void overrides_change_parameters_and_the_hash(void)
{
    char before[17];
    memcpy(before, desc->hash, sizeof before);
    pkm_error err;
    CHECK(read_with("l1", "400 mm", &err) == PKM_OK);
    CHECK_NEAR(desc->parameter[1].value, 0.2, 0.0); // half follows
    check_vec3(marker("A.crank.K")->pose.p, 0.4, 0, 0);
    check_vec3(marker("B.crank.K")->pose.p, 0.6, 0, 0); // set in the copy
    CHECK(strcmp(before, desc->hash) != 0);
    CHECK(read_with("l1", "0.4", &err) == PKM_OK); // SI
    CHECK_NEAR(desc->parameter[0].value, 0.4, 0.0);
    CHECK_TEXT(desc->parameter[0].unit, "m");
    CHECK(read_with("later", "=2*bare", &err) == PKM_OK);
    CHECK_NEAR(desc->parameter[3].value, 1.5, 0.0);
}

static void wrong_overrides_are_refused(void)
{
    pkm_error err;
    CHECK(read_with("l2", "1", &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "--set l2: the model has no such parameter, did you mean 'l1'?");
    CHECK(!desc);
    CHECK(read_with("l1", "3 kg", &err) == PKM_ERR_MODEL);
    CHECK_CONTAINS(err.text, "--set l1: 3 kg is a mass [kg], expected a length [m]");
    CHECK(read_with("l1", "abc", &err) == PKM_ERR_MODEL);
    CHECK_CONTAINS(err.text, "--set l1: abc: not a number");
    CHECK(read_with("l1", "=half", &err) == PKM_ERR_MODEL);
    CHECK_CONTAINS(err.text, "depends on itself: l1 -> half -> l1");
    CHECK(pkm_description_read(file, NULL, 0, &desc, &err) == PKM_OK);
}

// FNV-1a by its definition, over the bytes of the file.
static void hash_is_fnv1a(void)
{
    pkm_description* other = NULL;
    pkm_error err;
    static const char text[] = "pkm: 1\nname: a\nbodies: {}\n";
    CHECK(pkm_description_parse(text, strlen(text), "m", NULL, 0, &other, &err) == PKM_OK);
    unsigned long long h = 0xcbf29ce484222325ULL;
    for (const char* s = text; *s; ++s)
        h = (h ^ (unsigned char)*s) * 0x100000001b3ULL;
    char expected[17];
    snprintf(expected, sizeof expected, "%016llx", h);
    CHECK_TEXT(other->hash, expected);
    CHECK_TEXT(other->name, "a");
    CHECK(other->n_body == 1);
    check_vec3(other->gravity, 0, 0, -9.80665);
    CHECK(other->tool_marker == PKM_NONE && isnan(other->length_scale));
    pkm_description_free(other);
    pkm_description_free(NULL);
}

int main(void)
{
    pkm_error err = {0};
    if (pkm_description_read(file, NULL, 0, &desc, &err) != PKM_OK) {
        printf("%s:%d:%d: %s\n", err.file, err.line, err.column, err.text);
        return 1;
    }
    RUN(heading_and_parameters_are_kept);
    RUN(materials_keep_what_is_given);
    RUN(payload_joins_its_body);
    RUN(shapes_add_up);
    RUN(given_masses_scale_shapes);
    RUN(meshes_are_read_scaled_and_placed);
    RUN(copies_are_placed);
    RUN(copies_see_their_own_parameters);
    RUN(poses_by_points_turn_least);
    RUN(frames_have_their_own_axes);
    RUN(joints_have_axes_references_and_limits);
    RUN(drives_know_what_they_move);
    RUN(tool_outputs_and_closed_form_are_found);
    RUN(motions_move_as_written);
    RUN(published_values_keep_their_unit);
    RUN(places_are_kept);
    RUN(overrides_change_parameters_and_the_hash);
    RUN(wrong_overrides_are_refused);
    RUN(hash_is_fnv1a);
    pkm_description_free(desc);
    return check_report();
}
