// Each wrong input ends in one sentence with its exact place.
#include "check.h"
#include "model/description.h"

#include <stdlib.h>
#include <unistd.h>

static const char* const model =
    "pkm: 1\n"
    "name: crank and rod\n"
    "parameters:\n"
    "  l1: 500 mm\n"
    "  m1: 1.58 kg\n"
    "materials:\n"
    "  steel: {density: 7800 kg/m3}\n"
    "ground:\n"
    "  points: {M: [0, 0, 0], R: [1, 0, 0]}\n"
    "bodies:\n"
    "  rod:\n"
    "    mass: 2 kg\n"
    "    inertia: [0.1, 0.2, 0.3]\n"
    "    points: {A: [0, 0, 0], B: [1, 0, 0]}\n"
    "    shape: {rod: {from: A, to: B, diameter: 10 mm}}\n"
    "limbs:\n"
    "  arm:\n"
    "    copies: {A: 0 deg}\n"
    "    points: {ground: {N: [0, 0, 0]}}\n"
    "    bodies:\n"
    "      crank:\n"
    "        mass: =m1\n"
    "        points: {M: [0, 0, 0], K: [=l1, 0, 0]}\n"
    "        shape: {tube: {from: M, to: K, diameter: 40 mm, wall: 2 mm}}\n"
    "        pose: {at: [0, 0, 0]}\n"
    "    joints:\n"
    "      motor: {type: revolute, between: [ground.N, crank.M], axis: y}\n"
    "    drives:\n"
    "      q{}: {joint: motor}\n"
    "joints:\n"
    "  pin: {type: revolute, between: [A.crank.K, rod.A], axis: y}\n"
    "  rail: {type: cylindrical, between: [ground.R, rod.B], axis: [1, 0, 0]}\n"
    "tool: {point: rod.B, moves: [x, z]}\n"
    "home: {drives: {qA: 0 deg}}\n"
    "motions:\n"
    "  stroke: {law: cubic, duration: 1 s, drives: {qA: [0, 30 deg]}}\n"
    "published:\n"
    "  - {text: force, motion: stroke, quantity: max qA.force, value: 4 N m}\n";

/// The model with the first `from` replaced by `to`.
static char* replaced(const char* from, const char* to)
{
    const char* at = strstr(model, from);
    CHECK(at != NULL);
    if (!at) at = model;
    const size_t size = strlen(model) + strlen(to) + 1;
    char* text = malloc(size);
    snprintf(text, size, "%.*s%s%s", (int)(at - model), model, to, at + strlen(from));
    return text;
}

/// Replace and read: the message is `expected` (whole), its place where `at` stands first behind
/// the start of the replacement (NULL: the replacement itself), or in the file for "^at".
static void check_fault(const char* from, const char* to, const char* at, const char* expected)
{
    char* text = replaced(from, to);
    const char* start = text + (strstr(model, from) - model);
    const char* place = !at ? start : at[0] == '^' ? strstr(text, at + 1) : strstr(start, at);
    CHECK(place != NULL);
    if (!place) place = text;
    int line = 1, column = 1;
    for (const char* s = text; s < place; ++s, ++column)
        if (*s == '\n') ++line, column = 0;

    pkm_description* desc = NULL;
    pkm_error err = {0};
    const pkm_status status =
        pkm_description_parse(text, strlen(text), "m.yaml", NULL, 0, &desc, &err);
    CHECK(status == PKM_ERR_MODEL && err.status == status);
    CHECK(!desc);
    CHECK_TEXT(err.file, "m.yaml");
    CHECK_TEXT(err.text, expected);
    CHECK_NEAR(err.line, line, 0.0);
    CHECK_NEAR(err.column, column, 0.0);
    if (err.line != line || err.column != column) printf("    of %s\n", expected);
    pkm_description_free(desc);
    free(text);
}

static void the_model_itself_is_fine(void)
{
    pkm_description* desc = NULL;
    pkm_error err = {0};
    CHECK(pkm_description_parse(model, strlen(model), "m", NULL, 0, &desc, &err) == PKM_OK);
    CHECK_TEXT(err.text, "");
    pkm_description_free(desc);
}

static void unknown_keys_get_a_suggestion(void)
{
    check_fault("diameter: 40 mm", "diamter: 40 mm", NULL,
                "limbs.arm.bodies.crank.shape.tube: unknown key 'diamter', did you mean "
                "'diameter'?");
    check_fault("parameters:", "paramters:", NULL,
                "unknown key 'paramters', did you mean 'parameters'?");
    check_fault("axis: y}\n    drives", "colour: y}\n    drives", NULL,
                "limbs.arm.joints.motor: unknown key 'colour', expected one of type, between, "
                "axis, reference, limits, swing, length, lead");
    check_fault("value: 4 N m", "value: 4 N m, note: first, and second", "and second",
                "published[1]: unknown key 'and second'; a text with a comma needs quotes");
}

static void missing_keys_are_named(void)
{
    check_fault("pkm: 1\n", "", NULL, "the key 'pkm' is missing");
    check_fault("name: crank and rod\n", "", "^pkm", "the key 'name' is missing");
    check_fault("    mass: 2 kg\n", "",
                "^rod:", "bodies.rod: the key 'mass' is missing, and no shape has a density");
    check_fault(", diameter: 40 mm", "", "^tube",
                "limbs.arm.bodies.crank.shape.tube: the key 'diameter' is missing");
    check_fault("joint: motor", "", "^q{}", "limbs.arm.drives.q{}: the key 'joint' is missing");
    check_fault("copies: {A: 0 deg}", "about: z", "^arm", "limbs.arm: the key 'copies' is missing");
}

static void units_and_dimensions_are_checked(void)
{
    check_fault("mass: 2 kg", "mass: 2 mm", "2 mm",
                "bodies.rod.mass: 2 mm is a length [m], expected a mass [kg]");
    check_fault("mass: =m1", "mass: =m1*l1", "=m1*l1",
                "limbs.arm.bodies.crank.mass: =m1*l1 (0.79 kg m) is [kg m], expected a mass [kg]");
    check_fault("A: 0 deg}", "A: 0 m}", "0 m",
                "limbs.arm.copies.A: 0 m is a length [m], expected an angle [rad]");
    check_fault("30 deg", "30 mm", NULL,
                "motions.stroke.drives.qA[2]: 30 mm is a length [m], expected an angle [rad]");
    check_fault("mass: 2 kg", "mass: 2 kgg", "kgg",
                "bodies.rod.mass: 2 kgg: 'kgg' is not a unit, did you mean 'kg'?");
    check_fault("[=l1, 0", "[=l1 + m1, 0", "+ m1",
                "limbs.arm.bodies.crank.points.K[1]: =l1 + m1: cannot add a length [m] and a mass "
                "[kg]");
    check_fault("[=l1, 0", "[=l2, 0", "l2",
                "limbs.arm.bodies.crank.points.K[1]: =l2: unknown parameter 'l2', did you mean "
                "'l1'?");
}

static void numbers_are_finite(void)
{
    check_fault("2 kg", ".nan", NULL, "bodies.rod.mass: .nan: not a finite number");
    check_fault("2 kg", "inf", NULL, "bodies.rod.mass: inf: not a finite number");
    check_fault("2 kg", "1e999 kg", NULL, "bodies.rod.mass: 1e999 kg: the number is too large");
    check_fault("2 kg", "=1/0", "/0", "bodies.rod.mass: =1/0: division by zero");
    check_fault("2 kg", "heavy", NULL, "bodies.rod.mass: heavy: not a number");
    check_fault("2 kg", "", "^mass", "bodies.rod.mass: expected a mass [kg], found nothing");
    check_fault("2 kg", "[2]", NULL, "bodies.rod.mass: expected a mass [kg], found a list");
}

static void masses_are_physical(void)
{
    check_fault("mass: =m1", "mass: -1.58 kg", "-1.58",
                "limbs.arm.bodies.crank.mass: -1.58 kg, expected >= 0");
    check_fault("mass: =m1", "mass: =m1 - 2 kg", "=m1",
                "limbs.arm.bodies.crank.mass: =m1 - 2 kg (-0.42 kg), expected >= 0");
    check_fault("[0.1, 0.2, 0.3]", "[0.1, 0.2, 0.4]", NULL,
                "bodies.rod.inertia: the principal moments 0.1, 0.2, 0.4 kg m2 violate the "
                "triangle inequality, expected 0.1 + 0.2 >= 0.4");
    check_fault("[0.1, 0.2, 0.3]", "[-0.1, 0.2, 0.3]", "-0.1",
                "bodies.rod.inertia[1]: -0.1, expected >= 0");
    check_fault("[0.1, 0.2, 0.3]", "[1, 1, 1, 2, 0, 0]", NULL,
                "bodies.rod.inertia: the principal moments are -1, 1, 3 kg m2, expected >= 0");
    check_fault("[0.1, 0.2, 0.3]", "[1, 1, 1, 2]", NULL,
                "bodies.rod.inertia: a list of 4, expected [xx, yy, zz] or "
                "[xx, yy, zz, xy, xz, yz]");
    check_fault("wall: 2 mm", "wall: 30 mm", "30 mm",
                "limbs.arm.bodies.crank.shape.tube.wall: 30 mm, expected less than the radius of "
                "0.02 m");
    check_fault("from: A, to: B", "from: A, to: A", "^{from",
                "bodies.rod.shape.rod: 'from' and 'to' are the same point");
}

static void references_get_a_suggestion(void)
{
    check_fault("A.crank.K, rod.A", "A.crank.K, rid.A", "rid",
                "joints.pin.between[2]: there is no point 'rid.A', did you mean 'rod.A'?");
    check_fault("crank.M], axis", "crank.N], axis", "crank.N",
                "limbs.arm.joints.motor.between[2]: there is no point 'crank.N', did you mean "
                "'crank.M'?");
    check_fault("joint: motor", "joint: moter", "moter",
                "limbs.arm.drives.q{}.joint: there is no joint 'moter', did you mean 'motor'?");
    check_fault("point: rod.B", "point: rod", "rod",
                "tool.point: there is no point 'rod', expected body.point");
    check_fault("from: A, to: B", "from: A, to: C", "C",
                "bodies.rod.shape.rod.to: the body 'rod' has no point 'C'");
    check_fault("{qA: 0 deg}", "{qB: 0 deg}", "0 deg",
                "home.drives.qB: there is no drive 'qB', did you mean 'qA'?");
    check_fault("motion: stroke", "motion: strike", "strike",
                "published[1].motion: there is no motion 'strike', did you mean 'stroke'?");
    check_fault("{ground: {N", "{grund: {N", "{N",
                "limbs.arm.points.grund: there is no body 'grund', did you mean 'ground'?");
    check_fault("diameter: 10 mm}}", "diameter: 10 mm}, material: stel}", "stel",
                "bodies.rod.shape.material: there is no material 'stel', did you mean 'steel'?");
}

static void names_are_unique_and_plain(void)
{
    check_fault("  rod:\n", "  ground:\n", "ground",
                "bodies.ground: there is a body 'ground' already");
    check_fault("  rod:\n", "  a.b:\n", "a.b",
                "bodies.a.b: 'a.b' cannot be a name, expected letters, digits, _ or -, at most 47 "
                "of them");
    check_fault("  rod:\n", "  rod{}:\n", "rod{}",
                "bodies.rod{}: the name 'rod{}' has {} outside of a limb");
    check_fault("{A: 0 deg}", "{\"A{}\": 0 deg}", "\"A{}",
                "limbs.arm.copies.A{}: the name of a copy cannot contain {}");
    check_fault("m1: 1.58 kg", "sin: 1.58 kg", NULL,
                "parameters: 'sin' cannot be the name of a parameter, expected letters, digits and "
                "_, and none of pi and the functions");
}

static void parameters_without_end_are_refused(void)
{
    check_fault("l1: 500 mm", "l1: =a\n  a: =2*b\n  b: =3 m + a", "=2*b",
                "parameters.a: depends on itself: a -> b -> a");
    check_fault("l1: 500 mm", "l1: =l1", "=l1", "parameters.l1: depends on itself: l1 -> l1");
    check_fault("l1: 500 mm", "l1: =2*(3 + ", " \n  m1",
                "parameters.l1: =2*(3 +: the expression ends too early");
    check_fault("A: 0 deg}", "A: {set: {l2: 1}}}", "l2",
                "limbs.arm.copies.A.set.l2: 'l2' is not in parameters, did you mean 'l1'?");
    check_fault("A: 0 deg}", "A: {set: {l1: 1 kg}}}", "1 kg",
                "limbs.arm.copies.A.set.l1: 1 kg is a mass [kg], expected a length [m]");
}

static void bodies_must_be_reached_by_joints(void)
{
    check_fault(
        "  rod:\n", "  lost: {mass: 1}\n  rod:\n", "lost",
        "bodies: 'lost' is reached by no joint, expected a chain of joints to the ground; a "
        "body that flies has a joint of type free");
    check_fault("[ground.N, crank.M]", "[ground.N, ground.M]", NULL,
                "limbs.arm.joints.motor.between: both points are on 'ground', expected two bodies");
}

static void joints_and_drives_fit_their_type(void)
{
    check_fault("type: revolute, between: [A", "type: revolut, between: [A", "revolut,",
                "joints.pin.type: 'revolut', expected one of fixed, revolute, prismatic, "
                "cylindrical, universal, spherical, planar, distance, screw, free, did you mean "
                "'revolute'?");
    check_fault("type: revolute, between: [A", "type: universal, between: [A", "axis: y",
                "joints.pin.axis: a universal joint needs two axes, the first on a and the second "
                "on b: axis: [y, z]");
    check_fault("axis: [1, 0, 0]", "axis: [0, 0, 0]", "[0",
                "joints.rail.axis: [0, 0, 0] has no direction");
    check_fault("axis: [1, 0, 0]", "axis: x, limits: [0, 1]", "limits",
                "joints.rail.limits: a cylindrical joint has no limits, expected a revolute, "
                "prismatic, distance or screw joint");
    check_fault("axis: [1, 0, 0]", "axis: x, reference: -x", "-x",
                "joints.rail.reference: the reference is parallel to the axis");
    check_fault("rod.A], axis: y", "rod.A], axis: y, limits: [1, -1]", "[1",
                "joints.pin.limits: [1, -1], expected the smaller value first");
    check_fault("joint: motor", "joint: rail", "^q{}",
                "limbs.arm.drives.q{}: the key 'coordinate' is missing");
    check_fault("joint: motor", "joint: motor, sign: 2", "2",
                "limbs.arm.drives.q{}.sign: 2, expected 1 or -1");
    check_fault("joint: motor}", "joint: motor}\n      p: {joint: motor}",
                "p:", "limbs.arm.drives.p: the joint 'A.motor' is driven by 'qA' already");
    check_fault("joint: motor", "joint: motor, limits: {force: 3 N}", "3 N",
                "limbs.arm.drives.q{}.limits.force: 3 N is a force [N], expected a torque [N m]");
}

static void tasks_are_checked(void)
{
    check_fault("moves: [x, z]", "moves: [x, x]", "x]", "tool.moves[2]: 'x' is given twice");
    check_fault("moves: [x, z]", "moves: [x, w]", "w",
                "tool.moves[2]: 'w', expected one of x, y, z, rx, ry, rz");
    check_fault("drives: {qA: 0 deg}}", "rpy: [0, 0, 0]}", "^home",
                "home: expected one of the keys 'drives' and 'tool'");
    check_fault("law: cubic", "law: cubik", "cubik",
                "motions.stroke.law: 'cubik', expected one of cubic, quintic, septic, trapezoidal, "
                "constant, s_curve, did you mean 'cubic'?");
    check_fault("duration: 1 s", "duration: -1 s", "-1 s",
                "motions.stroke.duration: -1 s, expected > 0");
    check_fault("drives: {qA: [0, 30 deg]}", "path: {}, drives: {qA: 1}", "^stroke",
                "motions.stroke: expected one of the keys 'drives', 'path', 'samples', 'formula', "
                "'sequence'");
    check_fault("drives: {qA: [0, 30 deg]}", "path: {arc: {through: [[0,0,0],[1,0,0],[2,0,0]]}}",
                "^stroke", "motions.stroke: arc: its three points are on a line");
    check_fault("max qA.force", "mxa qA.force", NULL,
                "published[1].quantity: 'mxa', expected one of max, min, absmax, start, end, rms, "
                "change, range, did you mean 'max'?");
    check_fault("max qA.force", "max", NULL,
                "published[1].quantity: 'max' names no column, expected for example max q1.force");
    check_fault("pkm: 1", "pkm: 2", "2", "pkm: '2', expected the format version 1");
}

static void files_beside_the_model_are_named(void)
{
    check_fault("drives: {qA: [0, 30 deg]}", "samples: {file: none.csv, of: drives}", "none.csv",
                "motions.stroke.samples.file: none.csv: cannot read the file: No such file or "
                "directory");
    check_fault("{rod: {from: A, to: B, diameter: 10 mm}}", "{mesh: {file: none.stl}}", "none.stl",
                "bodies.rod.shape.mesh.file: none.stl: cannot read the file: No such file or "
                "directory");
}

static void counts_have_a_limit(void)
{
    char to[60000] = "copies: {";
    size_t used = strlen(to);
    for (int i = 0; i < 999; ++i)
        used += (size_t)snprintf(to + used, sizeof to - used, "c%d: 0, ", i);
    snprintf(to + used, sizeof to - used, "A: 0}");
    check_fault("copies: {A: 0 deg}", to, "^pkm", "the model has 1000 drives, expected at most 16");
}

/// A file in the temporary folder with `n` bytes, read; its message.
static pkm_error read_file(const char* bytes, size_t n, pkm_status expected)
{
    char path[] = "/tmp/pkm_test_XXXXXX";
    const int fd = mkstemp(path);
    pkm_error err = {0};
    CHECK(fd >= 0 && write(fd, bytes, n) == (ssize_t)n);
    pkm_description* desc = NULL;
    CHECK(pkm_description_read(path, NULL, 0, &desc, &err) == expected);
    CHECK(!desc);
    CHECK_TEXT(err.file, path);
    close(fd);
    unlink(path);
    return err;
}

static void empty_binary_and_truncated_files_are_refused(void)
{
    pkm_error err = read_file("", 0, PKM_ERR_SYNTAX);
    CHECK_TEXT(err.text, "the file is empty, expected a model");
    CHECK(err.line == 1 && err.column == 1);
    err = read_file("\x7f"
                    "ELF\2\1\1\0\0",
                    9, PKM_ERR_SYNTAX);
    CHECK_TEXT(err.text, "not a text file: it holds the control byte 0x7f");
    err = read_file(model, 600, PKM_ERR_SYNTAX);
    CHECK_CONTAINS(err.text, "not well-formed YAML");
    CHECK(err.line > 10);
    err = read_file("just text\n", 10, PKM_ERR_MODEL);
    CHECK_TEXT(err.text, "expected a map, found 'just text'");
    err = read_file("\xff\xfe\0p", 4, PKM_ERR_SYNTAX);
    CHECK_TEXT(err.text, "not a text file: byte 0xff is not UTF-8");
}

// The file is sparse: 100 MB without a byte written. It is refused by its size, not by reading.
static void a_file_of_100_megabytes_is_refused_unread(void)
{
    char path[] = "/tmp/pkm_test_XXXXXX";
    const int fd = mkstemp(path);
    CHECK(fd >= 0 && ftruncate(fd, 100 * 1000 * 1000) == 0);
    pkm_description* desc = NULL;
    pkm_error err = {0};
    const size_t before = pkm_alloc_count();
    CHECK(pkm_description_read(path, NULL, 0, &desc, &err) == PKM_ERR_FILE);
    CHECK(pkm_alloc_count() == before);
    CHECK_TEXT(err.text, "cannot read the file: it is too large, expected at most 16 MB");
    close(fd);
    unlink(path);
}

static void folders_and_missing_files_are_refused(void)
{
    pkm_description* desc = NULL;
    pkm_error err = {0};
    CHECK(pkm_description_read("/tmp", NULL, 0, &desc, &err) == PKM_ERR_FILE);
    CHECK_TEXT(err.text, "cannot read the file: it is a folder");
    CHECK(pkm_description_read("/nowhere/robot.yaml", NULL, 0, &desc, &err) == PKM_ERR_FILE);
    CHECK_TEXT(err.text, "cannot read the file: No such file or directory");
    CHECK_TEXT(err.file, "/nowhere/robot.yaml");
    CHECK(pkm_description_read("/nowhere/robot.yaml", NULL, 0, &desc, NULL) == PKM_ERR_FILE);
    CHECK(!desc);
}

int main(void)
{
    RUN(the_model_itself_is_fine);
    RUN(unknown_keys_get_a_suggestion);
    RUN(missing_keys_are_named);
    RUN(units_and_dimensions_are_checked);
    RUN(numbers_are_finite);
    RUN(masses_are_physical);
    RUN(references_get_a_suggestion);
    RUN(names_are_unique_and_plain);
    RUN(parameters_without_end_are_refused);
    RUN(bodies_must_be_reached_by_joints);
    RUN(joints_and_drives_fit_their_type);
    RUN(tasks_are_checked);
    RUN(files_beside_the_model_are_named);
    RUN(counts_have_a_limit);
    RUN(empty_binary_and_truncated_files_are_refused);
    RUN(a_file_of_100_megabytes_is_refused_unread);
    RUN(folders_and_missing_files_are_refused);
    return check_report();
}
