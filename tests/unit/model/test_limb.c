// Names in limbs: what a copy calls its parts, and what it finds first.
#include "check.h"
#include "model/description.h"

static pkm_description* parse(const char* text)
{
    pkm_description* desc = NULL;
    pkm_error err = {0};
    const pkm_status status = pkm_description_parse(text, strlen(text), "m", NULL, 0, &desc, &err);
    CHECK(status == PKM_OK);
    if (status != PKM_OK) printf("    %d:%d: %s\n", err.line, err.column, err.text);
    return desc;
}

// A body `link` and a point `O` are in the limb and outside of it.
static void short_names_are_found_in_the_copy_first(void)
{
    pkm_description* desc =
        parse("pkm: 1\nname: n\nground: {points: {O: [9, 0, 0], W: [8, 0, 0]}}\n"
              "bodies: {link: {mass: 1, points: {P: [0, 0, 0]}}}\n"
              "joints: {root: {type: fixed, between: [ground.O, link.P]}}\n"
              "limbs:\n  a:\n    copies: {A: 0, B: 0}\n    points: {ground: {O: [1, 0, 0]}}\n"
              "    bodies: {link: {mass: 2, points: {P: [0, 0, 0]}}}\n"
              "    joints:\n"
              "      root: {type: revolute, between: [ground.O, link.P]}\n"
              "      wall: {type: spherical, between: [ground.W, link.P]}\n"
              "    drives: {q: {joint: root}}\n");
    if (!desc) return;
    CHECK(desc->n_joint == 5 && desc->n_body == 4);
    CHECK_TEXT(desc->marker[desc->joint[0].marker_a].name, "ground.O");
    CHECK_TEXT(desc->joint[1].name, "A.root");
    CHECK_TEXT(desc->marker[desc->joint[1].marker_a].name, "ground.A.O");
    CHECK_TEXT(desc->marker[desc->joint[1].marker_b].name, "A.link.P");
    CHECK_TEXT(desc->marker[desc->joint[2].marker_a].name, "ground.W"); // only outside
    CHECK_TEXT(desc->marker[desc->joint[3].marker_b].name, "B.link.P");
    CHECK_TEXT(desc->drive[1].name, "B.q");
    CHECK(desc->drive[1].joint == 3); // B.root, not root
    pkm_description_free(desc);
}

// Braces name the copy: in names of bodies, points, joints, and in references to the parts of
// another limb with the same copies.
static void braces_stand_for_the_copy(void)
{
    pkm_description* desc =
        parse("pkm: 1\nname: n\n"
              "limbs:\n"
              "  upper:\n    copies: {A: 0, B: 0}\n    points: {ground: {\"O{}\": [0, 0, 0]}}\n"
              "    bodies: {\"u{}\": {mass: 1, points: {\"P{}{}\": [0, 0, 0]}}}\n"
              "    joints: {\"j{}x\": {type: revolute, between: [\"ground.O{}\", \"u{}.P{}{}\"]}}\n"
              "  lower:\n    copies: {A: 0, B: 0}\n    points: {\"u{}\": {F: [2, 0, 0]}}\n"
              "    bodies: {l: {mass: 1, points: {P: [0, 0, 0]}}}\n"
              "    joints:\n"
              "      k: {type: fixed, between: [\"u{}.F\", l.P]}\n"
              "      far: {type: distance, between: [uA.A.F, l.P]}\n"
              "drives: {qA: {joint: jAx}}\n");
    if (!desc) return;
    CHECK_TEXT(desc->body[1].name, "uA");
    CHECK_TEXT(desc->joint[1].name, "jBx");
    CHECK_TEXT(desc->marker[desc->joint[1].marker_a].name, "ground.OB");
    CHECK_TEXT(desc->marker[desc->joint[1].marker_b].name, "uB.PBB");
    CHECK_TEXT(desc->marker[desc->joint[2].marker_a].name, "uA.A.F");
    CHECK_TEXT(desc->marker[desc->joint[4].marker_a].name, "uB.B.F");
    CHECK_TEXT(desc->marker[desc->joint[5].marker_a].name, "uA.A.F"); // written out
    CHECK(desc->drive[0].joint == 0);
    pkm_description_free(desc);
}

int main(void)
{
    RUN(short_names_are_found_in_the_copy_first);
    RUN(braces_stand_for_the_copy);
    return check_report();
}
