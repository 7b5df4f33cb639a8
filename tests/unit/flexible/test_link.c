// Bodies of a description as meshes: mass, frames, splitting, what is refused.
#include "unit/flexible/links.h"

static const char straight[] =
    "    points: {A: [0, 0, 0], B: [1, 0, 0], M: [0.4, 0, 0], S: [0.7, 0.1, 0]}\n"
    "    shape: {rod: {from: A, to: B, diameter: 20 mm}, material: steel}\n";

/// Mass, centre and inertia of a body of the description, and of its mesh.
static void check_mass(const pkm_description* desc, int body, const pkm_flexible_spec* spec,
                       double axial)
{
    pkm_flexible_body* made = link_body(desc, body, spec);
    const pkm_beam_integrals* in = &made->integrals;
    const pkm_desc_body* b = &desc->body[body];
    const double m = b->mass, I = b->inertia[0] + b->inertia[1] + b->inertia[2];
    CHECK_NEAR(in->mass, m, 1e-12 * m);
    const pkm_vec3 com = pkm_vec3_scale(1.0 / in->mass, in->first);
    CHECK_NEAR(pkm_vec3_norm(pkm_vec3_sub(com, b->com)), 0.0, 1e-12);
    // Trace of the inertia about the centre: 2 (integral of r r - m c c) and the sections' own.
    const double spread =
        in->second[0] + in->second[4] + in->second[8] - m * pkm_vec3_dot(com, com);
    const double own = in->own.x.x + in->own.y.y + in->own.z.z;
    CHECK_NEAR(2.0 * spread + own, I + axial, 1e-9 * I);
    pkm_flexible_body_free(made);
}

/// `uniform` is a slender rod without inertia about its axis; the beam has rho Ip L there.
static void rods_of_the_robots_keep_mass_and_inertia(void)
{
    const pkm_flexible_spec spec = pkm_flexible_spec_defaults();
    pkm_description* siax = engine_read("siax");
    const double R = 0.01, r = R - 0.648e-3;
    check_mass(siax, link_find(siax, "B.left"), &spec, 0.34 * (R * R + r * r) / 2.0);
    pkm_description_free(siax);
    pkm_description* kuo = engine_read("kuo");
    const int rod = link_find(kuo, "2.rod");
    check_mass(kuo, rod, &spec, kuo->body[rod].mass * 25e-6 / 6.0);
    pkm_description_free(kuo);
}

/// Solid shapes, one of them a lump: as the description adds them up. A rod has m R^2/4 across
/// besides m L^2/12, which Rayleigh's beam keeps.
static void lumps_sit_where_they_are(void)
{
    pkm_description* desc = link_description(
        "    mass: 7 kg\n"
        "    points: {A: [0, 0, 0], B: [1, 0, 0]}\n"
        "    shape:\n"
        "      - {rod: {from: A, to: B, diameter: 20 mm}, material: steel}\n"
        "      - {sphere: {center: [0.6, 0.05, 0.02], diameter: 60 mm}, material: steel}\n"
        "      - {box: {center: [1, 0, 0], size: [30 mm, 40 mm, 50 mm]}, density: 2700}\n");
    pkm_flexible_spec spec = pkm_flexible_spec_defaults();
    spec.theory = PKM_BEAM_RAYLEIGH;
    // The box is wider than long only to the eye: 50 mm along z is its longest edge, a bar.
    pkm_flexible_link* link = NULL;
    pkm_error err = {0};
    CHECK(pkm_flexible_link_mesh(desc, LINK_BODY, &spec, &link, &err) != PKM_OK);
    CHECK_CONTAINS(err.text, "material");
    pkm_description_free(desc);
    desc = link_description(
        "    mass: 7 kg\n"
        "    points: {A: [0, 0, 0], B: [1, 0, 0]}\n"
        "    shape:\n"
        "      - {rod: {from: A, to: B, diameter: 20 mm}, material: steel}\n"
        "      - {sphere: {center: [0.6, 0.05, 0.02], diameter: 60 mm}, material: steel}\n"
        "      - {box: {center: [1, 0, 0], size: [30 mm, 50 mm, 50 mm]}, density: 2700}\n");
    check_mass(desc, LINK_BODY, &spec, 0.0);
    pkm_description_free(desc);
}

/// A payload at the tip is a lump there and does not make the rod heavier.
static void payloads_sit_where_they_are(void)
{
    pkm_description* desc = engine_parse(
        LINK_HEAD "bodies:\n  link:\n"
                  "    points: {A: [0, 0, 0], B: [1, 0, 0]}\n"
                  "    shape: {rod: {from: A, to: B, diameter: 20 mm}, material: steel}\n"
                  "joints: {A: {type: spherical, between: [ground.O, link.A]}}\n"
                  "payload:\n"
                  "  - {mass: 3 kg, at: link.B, inertia: [1e-3, 2e-3, 3e-3],\n"
                  "     shape: {cylinder: {from: B, to: [2, 0, 0], diameter: 1 cm}}}\n"
                  "  - {mass: 1 kg, at: link.A}\n");
    pkm_flexible_spec spec = pkm_flexible_spec_defaults();
    spec.theory = PKM_BEAM_RAYLEIGH;
    check_mass(desc, LINK_BODY, &spec, 0.0);
    pkm_flexible_link* link = link_mesh(desc, LINK_BODY, &spec);
    CHECK_NEAR(link->density_factor, 1.0, 1e-12);
    CHECK_NEAR(link->length, 1.0, 1e-15);
    pkm_flexible_link_free(link);
    pkm_description_free(desc);
}

static void joints_and_markers_have_nodes(void)
{
    pkm_description* desc = link_description(straight);
    pkm_flexible_spec spec = pkm_flexible_spec_defaults();
    pkm_flexible_link* link = link_mesh(desc, LINK_BODY, &spec);
    CHECK(link->n_joint == 1 && link->n_frame == 5);
    CHECK_NEAR(link->length, 1.0, 1e-15);
    // Split at 0.4: three and five elements; the marker beside the line hangs on the node at 0.64
    // or 0.76, whichever is nearer.
    CHECK(pkm_beam_mesh_elements(link->mesh) == 8);
    for (int f = 0; f < link->n_frame; ++f) {
        const pkm_flexible_frame* frame = &link->frame[f];
        const pkm_vec3 at = pkm_vec3_add(pkm_beam_mesh_at(link->mesh, frame->node), frame->offset);
        CHECK_NEAR(pkm_vec3_norm(pkm_vec3_sub(at, frame->pose.p)), 0.0, 1e-15);
        const bool is_beside = strcmp(desc->marker[frame->marker].name, "link.S") == 0;
        CHECK((pkm_vec3_norm(frame->offset) > 1e-9) == is_beside);
    }
    CHECK_NEAR(link->middle.xi, (0.5 - 0.4) / 0.12, 1.0); // within its element
    pkm_flexible_link_free(link);
    pkm_description_free(desc);
}

/// Joint beside the line: the arm turns with the node.
static void frames_beside_the_line_follow_rigidly(void)
{
    pkm_description* desc = link_description(straight);
    pkm_flexible_spec spec = pkm_flexible_spec_defaults();
    pkm_flexible_link* link = link_mesh(desc, LINK_BODY, &spec);
    const int n = pkm_beam_mesh_size(link->mesh);
    double q[200] = {0};
    // A small rigid turn about z through the origin: d = w x r everywhere.
    const double w = 1e-3;
    for (int i = 0; i < pkm_beam_mesh_nodes(link->mesh); ++i) {
        const pkm_vec3 at = pkm_beam_mesh_at(link->mesh, i);
        q[pkm_beam_mesh_coordinate(link->mesh, i, 0)] = -w * at.y;
        q[pkm_beam_mesh_coordinate(link->mesh, i, 1)] = w * at.x;
        q[pkm_beam_mesh_coordinate(link->mesh, i, 5)] = w;
    }
    CHECK(n == 54);
    for (int f = 0; f < link->n_frame; ++f) {
        pkm_vec3 d, r;
        pkm_flexible_frame_motion(link, q, f, &d, &r);
        CHECK_NEAR(d.x, -w * link->frame[f].pose.p.y, 1e-16);
        CHECK_NEAR(d.y, w * link->frame[f].pose.p.x, 1e-16);
        CHECK_NEAR(r.z, w, 1e-18);
    }
    pkm_flexible_link_free(link);
    pkm_description_free(desc);
}

/// A link that is massless in the model has the mass of its shapes: it is the link without `mass`.
static void a_massless_link_has_the_mass_of_its_shapes(void)
{
    static const char shape[] =
        "    points: {A: [0, 0, 0], B: [1, 0, 0]}\n"
        "    shape: {rod: {from: A, to: B, diameter: 20 mm}, material: steel}\n";
    char text[400];
    snprintf(text, sizeof text, "    mass: 0 kg\n%s", shape);
    pkm_description *own = link_description(shape), *none = link_description(text);
    const pkm_flexible_spec spec = pkm_flexible_spec_defaults();
    CHECK(none->body[LINK_BODY].mass == 0.0 && pkm_flexible_is_weighed(&none->body[LINK_BODY]));
    CHECK(!pkm_flexible_is_weighed(&own->body[LINK_BODY]));
    CHECK(pkm_flexible_possible(none, LINK_BODY, &spec));
    pkm_flexible_body* a = link_body(own, LINK_BODY, &spec);
    pkm_flexible_body* b = link_body(none, LINK_BODY, &spec);
    const double mass = own->body[LINK_BODY].mass;
    CHECK_NEAR(mass, 7801.0 * 3.14159265358979 * 1e-4, 1e-12);
    CHECK_NEAR(b->integrals.mass, mass, 1e-12 * mass);
    CHECK(a->n_mode == b->n_mode);
    for (int k = 0; k < a->n_mode; ++k)
        CHECK_NEAR(b->omega[k], a->omega[k], 1e-9 * a->omega[k]);
    pkm_flexible_body_free(a);
    pkm_flexible_body_free(b);
    pkm_description_free(own);
    pkm_description_free(none);
}

/// The same rod written as two halves has the same modes.
static void two_collinear_shapes_equal_one(void)
{
    pkm_description* one =
        link_description("    points: {A: [0, 0, 0], B: [1, 0, 0]}\n"
                         "    shape: {rod: {from: A, to: B, diameter: 20 mm}, material: steel}\n");
    pkm_description* two = link_description(
        "    points: {A: [0, 0, 0], B: [1, 0, 0]}\n"
        "    shape:\n"
        "      - {rod: {from: [0.5, 0, 0], to: A, diameter: 20 mm}, material: steel}\n"
        "      - {rod: {from: [0.5, 0, 0], to: B, diameter: 20 mm}, material: steel}\n");
    pkm_flexible_spec spec = pkm_flexible_spec_defaults();
    spec.keep = PKM_FLEXIBLE_KEEP_FULL;
    pkm_flexible_body* a = link_body(one, LINK_BODY, &spec);
    pkm_flexible_body* b = link_body(two, LINK_BODY, &spec);
    CHECK(a->n_mode == 48 && b->n_mode == 48);
    for (int k = 0; k < 48; ++k)
        CHECK_NEAR(b->omega[k], a->omega[k], 1e-8 * a->omega[k]);
    pkm_flexible_body_free(a);
    pkm_flexible_body_free(b);
    pkm_description_free(one);
    pkm_description_free(two);
}

/// Half of a rod tapered to nothing but a bit: mass rules, and the thick end is stiffer.
static void tapered_links_keep_the_mass(void)
{
    pkm_description* desc = link_description(straight);
    pkm_flexible_spec spec = pkm_flexible_spec_defaults();
    spec.n_section = 2;
    CHECK(pkm_beam_section_round(0.03, &spec.section[0], NULL) == PKM_OK);
    CHECK(pkm_beam_section_round(0.01, &spec.section[1], NULL) == PKM_OK);
    const pkm_beam_section half = pkm_flexible_section_at(&spec, 0.5);
    pkm_beam_section round;
    CHECK(pkm_beam_section_round(0.02, &round, NULL) == PKM_OK);
    CHECK_NEAR(half.A, round.A, 1e-15 * round.A);
    CHECK_NEAR(half.Iy, round.Iy, 1e-14 * round.Iy);
    pkm_flexible_body* body = link_body(desc, LINK_BODY, &spec);
    CHECK_NEAR(body->integrals.mass, desc->body[LINK_BODY].mass, 1e-12);
    CHECK(body->integrals.first.x < 0.4 * body->integrals.mass); // centre near the thick end
    pkm_flexible_body_free(body);
    pkm_description_free(desc);
}

// ---- what is refused --------------------------------------------------------------------------

static void check_refused(const char* body, const pkm_flexible_spec* spec, const char* words)
{
    pkm_description* desc = link_description(body);
    pkm_flexible_body* made = NULL;
    pkm_error err = {0};
    CHECK(pkm_flexible_body_make(desc, LINK_BODY, spec, (pkm_flexible_made){0}, &made, &err) !=
          PKM_OK);
    CHECK(made == NULL);
    CHECK_CONTAINS(err.text, "link: ");
    CHECK_CONTAINS(err.text, words);
    pkm_description_free(desc);
}

static void bad_links_are_refused_in_one_sentence(void)
{
    const pkm_flexible_spec usual = pkm_flexible_spec_defaults();
    pkm_flexible_spec spec = usual;
    check_refused("    mass: 1\n    points: {A: [0, 0, 0]}\n", &usual, "needs a shape");
    check_refused("    mass: 1\n    points: {A: [0, 0, 0]}\n"
                  "    shape: {rod: {from: A, to: [1, 0, 0], diameter: 1 cm}}\n",
                  &usual, "needs a material");
    check_refused("    points: {A: [0, 0, 0]}\n"
                  "    shape: {rod: {from: A, to: [1, 0, 0], diameter: 1 cm}, material: soft}\n",
                  &usual, "soft needs young and poisson");
    check_refused("    mass: 0\n    points: {A: [0, 0, 0]}\n"
                  "    shape: {rod: {from: A, to: [1, 0, 0], diameter: 1 cm}}\n",
                  &usual, "needs a mass");
    check_refused(
        "    points: {A: [0, 0, 0]}\n"
        "    shape:\n"
        "      - {rod: {from: A, to: [1, 0, 0], diameter: 1 cm}, material: steel}\n"
        "      - {rod: {from: [0, 0.1, 0], to: [1, 0.1, 0], diameter: 1 cm}, material: steel}\n",
        &usual, "do not touch");
    spec.n_element = 0;
    check_refused(straight, &spec, "0 elements, expected 1 to 200");
    spec = usual;
    spec.theory = PKM_BEAM_TIMOSHENKO;
    spec.shape = PKM_BEAM_CUBIC_QUINTIC;
    check_refused(straight, &spec, "linear/cubic");
    spec = usual;
    spec.keep = PKM_FLEXIBLE_KEEP_COUNT;
    spec.n_mode = 49;
    check_refused(straight, &spec, "49 modes asked of 48");
    spec = usual;
    spec.n_section = 1;
    spec.section[0].A = -1.0;
    check_refused(straight, &spec, "area -1");
    spec = usual;
    spec.rigid_end[0] = 0.6;
    spec.rigid_end[1] = 0.5;
    check_refused(straight, &spec, "rigid ends");
    spec = usual;
    spec.keep = PKM_FLEXIBLE_KEEP_BELOW;
    spec.below = 1.0;
    spec.without_static = true;
    check_refused(straight, &spec, "no mode is kept");
}

/// A description always has a joint on every body; one made by hand need not.
static void a_body_without_joint_is_refused(void)
{
    pkm_description* desc = link_description(straight);
    const pkm_flexible_spec spec = pkm_flexible_spec_defaults();
    pkm_flexible_link* link = NULL;
    pkm_error err = {0};
    desc->n_joint = 0;
    CHECK(pkm_flexible_link_mesh(desc, LINK_BODY, &spec, &link, &err) == PKM_ERR_MODEL);
    CHECK_CONTAINS(err.text, "link: a flexible link needs a joint");
    pkm_description_free(desc);
}

/// Of each joint of the body `link`, in the order of the file: - not held, h held, c clamped.
static void check_held(const char* ground, const char* joints, const char* want)
{
    char text[4096], is[16] = "";
    snprintf(text, sizeof text,
             "%sbodies:\n  link:\n%s"
             "  load: {points: {B: [1, 0, 0], M: [0.4, 0, 0]}, mass: 1, inertia: [1, 1, 1]}\n"
             "  base: {points: {O: [0, 0, 0], B: [1, 0, 0]}, mass: 1, inertia: [1, 1, 1]}\n"
             "joints:\n%s%s",
             LINK_HEAD, straight, ground, joints);
    pkm_description* desc = engine_parse(text);
    const pkm_flexible_spec spec = pkm_flexible_spec_defaults();
    pkm_flexible_link* link = link_mesh(desc, LINK_BODY, &spec);
    for (int f = 0; f < link->n_joint; ++f)
        is[f] = link->frame[f].is_clamped ? 'c' : link->frame[f].is_held ? 'h' : '-';
    CHECK_CONTAINS(is, want);
    CHECK(strlen(is) == strlen(want));
    pkm_flexible_link_free(link);
    pkm_description_free(desc);
}

// A joint holds the link when other bodies lead from it to the ground; a loop that hangs on the
// link alone holds nothing, but in a robot that floats its loops do.
static void joints_that_lead_to_the_ground_hold_the_link(void)
{
    static const char on[] = "  g: {type: fixed, between: [ground.O, base.O]}\n",
                      off[] = "  g: {type: free, between: [ground.O, base.O]}\n";
    check_held(on,
               "  a: {type: fixed, between: [base.O, link.A]}\n"
               "  b: {type: fixed, between: [link.B, load.B]}\n",
               "c-");
    check_held(on,
               "  a: {type: spherical, between: [base.O, link.A]}\n"
               "  b: {type: spherical, between: [load.B, link.B]}\n"
               "  m: {type: spherical, between: [load.M, link.M]}\n",
               "h--");
    check_held(on,
               "  a: {type: spherical, between: [base.O, link.A]}\n"
               "  b: {type: spherical, between: [load.B, link.B]}\n"
               "  m: {type: spherical, between: [load.M, base.B]}\n",
               "hh");
    check_held(off,
               "  a: {type: spherical, between: [base.O, link.A]}\n"
               "  b: {type: spherical, between: [load.B, link.B]}\n"
               "  m: {type: spherical, between: [load.M, base.B]}\n",
               "hh");
    check_held(off,
               "  a: {type: fixed, between: [base.O, link.A]}\n"
               "  b: {type: spherical, between: [load.B, link.B]}\n",
               "--");
}

// Links of parallel robots are held at all their joints.
static void every_joint_in_a_loop_holds(void)
{
    const pkm_flexible_spec spec = pkm_flexible_spec_defaults();
    int n_link = 0;
    for (int i = 0; i < ENGINE_N_ROBOT; ++i) {
        pkm_description* desc = engine_read(engine_robots[i]);
        for (int b = 1; b < desc->n_body; ++b) {
            if (!pkm_flexible_possible(desc, b, &spec)) continue;
            pkm_flexible_link* link = link_mesh(desc, b, &spec);
            for (int f = 0; f < link->n_joint; ++f)
                CHECK(link->frame[f].is_held);
            n_link += link->n_joint > 1;
            pkm_flexible_link_free(link);
        }
        pkm_description_free(desc);
    }
    CHECK(n_link > 30);
}

int main(void)
{
    RUN(rods_of_the_robots_keep_mass_and_inertia);
    RUN(lumps_sit_where_they_are);
    RUN(payloads_sit_where_they_are);
    RUN(joints_and_markers_have_nodes);
    RUN(frames_beside_the_line_follow_rigidly);
    RUN(a_massless_link_has_the_mass_of_its_shapes);
    RUN(two_collinear_shapes_equal_one);
    RUN(tapered_links_keep_the_mass);
    RUN(bad_links_are_refused_in_one_sentence);
    RUN(a_body_without_joint_is_refused);
    RUN(every_joint_in_a_loop_holds);
    RUN(joints_that_lead_to_the_ground_hold_the_link);
    return check_report();
}
