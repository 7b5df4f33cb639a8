/// The spanning tree: which joints carry bodies, which are cut.
#include "engine.h"
#include "linkages.h"
#include "mechanism/topology.h"

#include <string.h>

/// A description with its tree.
typedef struct plan {
    pkm_description* desc;
    pkm_arena* arena;
    pkm_topology tree;
    pkm_status status;
    pkm_error err;
} plan;

static plan make_plan(pkm_description* desc)
{
    static const pkm_variant as_written;
    plan p = {.desc = desc};
    if (!desc) return p;
    p.arena = pkm_arena_create();
    p.status = pkm_topology_find(desc, &as_written, p.arena, &p.tree, &p.err);
    return p;
}

static void free_plan(plan* p)
{
    pkm_arena_free(p->arena);
    pkm_description_free(p->desc);
}

/// Tree index of the body called `name`.
static int at(const plan* p, const char* name)
{
    for (int i = 0; i < p->desc->n_body; ++i)
        if (strcmp(p->desc->body[p->tree.order[i]].name, name) == 0) return i;
    return PKM_NONE;
}

static bool in_tree(const plan* p, const char* joint)
{
    for (int j = 0; j < p->desc->n_joint; ++j)
        if (strcmp(p->desc->joint[j].name, joint) == 0) return p->tree.in_tree[j];
    CHECK(false);
    return false;
}

/// Every body once, parents first, joints to the parent in the tree, as many as bodies on joints.
static void check_tree(const plan* p)
{
    const pkm_topology* t = &p->tree;
    bool seen[64] = {false};
    int n_joint = 0, n_in_tree = 0;
    CHECK(t->order[0] == 0);
    for (int i = 0; i < p->desc->n_body; ++i) {
        CHECK(!seen[t->order[i]]);
        seen[t->order[i]] = true;
        if (i == 0) continue;
        CHECK(t->parent[i] >= 0 && t->parent[i] < i);
        if (t->joint[i] == PKM_NONE) {
            CHECK(t->parent[i] == 0);
            continue;
        }
        ++n_joint;
        const pkm_desc_joint* joint = &p->desc->joint[t->joint[i]];
        const int child = t->order[i], parent = t->order[t->parent[i]];
        CHECK(t->in_tree[t->joint[i]]);
        CHECK((joint->body_a == child && joint->body_b == parent) ||
              (joint->body_b == child && joint->body_a == parent));
    }
    for (int j = 0; j < p->desc->n_joint; ++j)
        n_in_tree += t->in_tree[j];
    CHECK(n_in_tree == n_joint);
    for (int d = 0; d < p->desc->n_drive; ++d)
        if (p->desc->joint[p->desc->drive[d].joint].type != PKM_JOINT_DISTANCE)
            CHECK(t->in_tree[p->desc->drive[d].joint]);
}

static void trees_of_all_robots_are_trees_with_the_drives_in_them(void)
{
    for (int i = 0; i < ENGINE_N_ROBOT; ++i) {
        plan p = make_plan(engine_read(engine_robots[i]));
        CHECK(p.desc && p.status == PKM_OK);
        if (p.desc) check_tree(&p);
        free_plan(&p);
    }
}

// Three limbs and more meet on it: the platform floats, and its joints are cut.
static void a_platform_floats_and_limbs_end_at_it(void)
{
    plan p = make_plan(engine_read("gough-stewart"));
    if (!p.desc) return;
    const int platform = at(&p, "platform");
    CHECK(p.tree.joint[platform] == PKM_NONE);
    for (int leg = 1; leg <= 6; ++leg) {
        char name[32];
        snprintf(name, sizeof name, "%d.ball", leg);
        CHECK(!in_tree(&p, name));
    }
    free_plan(&p);
}

// Two limbs only: no body floats, and the loop is cut once, in the middle.
static void a_single_loop_is_cut_in_its_middle(void)
{
    plan p = make_plan(engine_read("five-bar"));
    if (!p.desc) return;
    CHECK(in_tree(&p, "motor1") && in_tree(&p, "motor2") && in_tree(&p, "elbow1") &&
          in_tree(&p, "elbow2"));
    CHECK(!in_tree(&p, "tip"));
    free_plan(&p);
}

static void a_body_on_rods_alone_floats(void)
{
    plan p = make_plan(engine_parse(strut_hexapod));
    if (!p.desc) return;
    CHECK(p.status == PKM_OK);
    check_tree(&p);
    CHECK(p.tree.joint[1] == PKM_NONE && p.tree.parent[1] == 0);
    free_plan(&p);
}

// The driven joint is farther from the ground on the short side; still it is in the tree.
static const char driven_far[] = "pkm: 1\nname: far\n"
                                 "ground: {points: {A: [0, 0, 0], D: [1, 0, 0]}}\n"
                                 "bodies:\n"
                                 "  one: {mass: 1, points: {A: [0, 0, 0], B: [0, 1, 0]}}\n"
                                 "  two: {mass: 1, points: {B: [0, 1, 0], C: [1, 1, 0]}}\n"
                                 "  three: {mass: 1, points: {C: [1, 1, 0], D: [1, 0, 0]}}\n"
                                 "joints:\n"
                                 "  A: {type: revolute, between: [ground.A, one.A]}\n"
                                 "  D: {type: revolute, between: [ground.D, three.D]}\n"
                                 "  C: {type: revolute, between: [two.C, three.C]}\n"
                                 "  B: {type: revolute, between: [one.B, two.B]}\n"
                                 "drives: {q: {joint: B}}\n";

static void a_driven_joint_is_never_cut(void)
{
    plan p = make_plan(engine_parse(driven_far));
    if (!p.desc) return;
    CHECK(p.status == PKM_OK);
    check_tree(&p);
    CHECK(in_tree(&p, "B"));
    free_plan(&p);
}

// An oscillating cylinder, its driven slide listed last: both ends are reached from the ground, but
// one of them has to hang on the slide.
static void a_driven_joint_between_two_grounded_bodies_is_in_the_tree(void)
{
    plan p = make_plan(engine_parse("pkm: 1\nname: cylinder\n"
                                    "ground: {points: {A: [0, 0, 0], B: [1, 1, 0]}}\n"
                                    "bodies:\n"
                                    "  tube: {mass: 1, points: {A: [0, 0, 0]}}\n"
                                    "  rod: {mass: 1, points: {B: [1, 0, 0]}}\n"
                                    "joints:\n"
                                    "  A: {type: revolute, between: [ground.A, tube.A]}\n"
                                    "  B: {type: revolute, between: [ground.B, rod.B]}\n"
                                    "  S: {type: prismatic, between: [tube.A, rod.B], axis: x}\n"
                                    "drives: {q: {joint: S}}\n"));
    if (!p.desc) return;
    CHECK(p.status == PKM_OK);
    check_tree(&p);
    CHECK(in_tree(&p, "S") && in_tree(&p, "A") && !in_tree(&p, "B"));
    free_plan(&p);
}

static void a_loop_of_driven_joints_is_refused(void)
{
    char text[2048];
    snprintf(text, sizeof text, "%s", driven_far);
    char* drives = strstr(text, "drives:");
    snprintf(drives, sizeof text - (size_t)(drives - text),
             "drives: {a: {joint: A}, b: {joint: B}, c: {joint: C}, d: {joint: D}}\n");
    plan p = make_plan(engine_parse(text));
    if (!p.desc) return;
    CHECK(p.status == PKM_ERR_MODEL);
    CHECK_CONTAINS(p.err.text, "drive d");
    CHECK(p.err.line > 0);
    free_plan(&p);
}

// The reader refuses such files already; a description made otherwise may have it.
static void a_body_that_no_joint_reaches_is_refused(void)
{
    pkm_description* desc = engine_parse(rssr);
    if (!desc) return;
    desc->joint[1] = desc->joint[3]; // both balls of the rod are gone
    desc->n_joint = 2;
    plan p = make_plan(desc);
    CHECK(p.status == PKM_ERR_MODEL);
    CHECK_CONTAINS(p.err.text, "rod");
    CHECK(p.err.line > 0);
    free_plan(&p);
}

static void failing_memory_is_reported(void)
{
    pkm_description* desc = engine_read("kuo");
    if (!desc) return;
    pkm_mechanism* mech = NULL;
    size_t n = 1;
    for (; n < 100; ++n) {
        pkm_alloc_fail_at(n);
        const pkm_status status = pkm_mechanism_compile(desc, &mech, NULL);
        pkm_alloc_fail_at(0);
        if (status == PKM_OK) break;
        CHECK(status == PKM_ERR_MEMORY && mech == NULL);
    }
    CHECK(n > 1 && n < 100);
    pkm_mechanism_free(mech);
    pkm_description_free(desc);
}

int main(void)
{
    RUN(trees_of_all_robots_are_trees_with_the_drives_in_them);
    RUN(a_platform_floats_and_limbs_end_at_it);
    RUN(a_single_loop_is_cut_in_its_middle);
    RUN(a_body_on_rods_alone_floats);
    RUN(a_driven_joint_is_never_cut);
    RUN(a_driven_joint_between_two_grounded_bodies_is_in_the_tree);
    RUN(a_loop_of_driven_joints_is_refused);
    RUN(a_body_that_no_joint_reaches_is_refused);
    RUN(failing_memory_is_reported);
    return check_report();
}
