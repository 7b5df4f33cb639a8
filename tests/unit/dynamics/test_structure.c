/// Mobility, idle freedoms, redundant constraints and what the tool can do, of linkages known by
/// hand.
#include "engine.h"
#include "linkages.h"
#include "math/dense.h"

#include "dynamics/kinematics.h"
#include "robot/inspection.h"

typedef struct known {
    const char* text;
    int gruebler, mobility, n_idle, n_redundant;
    unsigned moves; ///< bits x y z rx ry rz
} known;

static const known linkages[] = {
    {four_bar, -2, 1, 0, 3, 043}, // planar: x, y and a turn about z
    {bennett, -2, 1, 0, 3, 067},  // turns about D, in the plane y z
    {sarrus, 0, 1, 0, 1, 004},    // straight up
    {rssr, 2, 2, 1, 0, 025},      // an arc about y
    {strut_hexapod, 6, 6, 0, 0, 077},
    {three_cranks, -6, 1, 0, 7, 003}, // two loops with three each, and the third crank's one
};
enum { N_LINKAGE = (int)(sizeof linkages / sizeof linkages[0]) };

static void mobility_idle_freedoms_and_redundancy_are_found(void)
{
    for (int i = 0; i < N_LINKAGE; ++i) {
        pkm_robot* robot = engine_from(linkages[i].text);
        if (!robot) continue;
        const pkm_structure* s = &robot->structure;
        if (s->mobility != linkages[i].mobility || s->n_redundant != linkages[i].n_redundant)
            printf("    %s: mobility %d, redundant %d\n", robot->desc->name, s->mobility,
                   s->n_redundant);
        CHECK(s->gruebler == linkages[i].gruebler);
        CHECK(s->mobility == linkages[i].mobility);
        CHECK(s->n_idle == linkages[i].n_idle);
        CHECK(s->n_redundant == linkages[i].n_redundant);
        CHECK(s->n_uncontrolled == 0);
        CHECK(s->drives_unique && !s->singular_here);
        CHECK(s->moves == linkages[i].moves);
        CHECK(s->rank_gap[1] < 1e-10 && (s->rank_gap[0] > 1e-4 || s->rank_gap[0] == 0.0));
        CHECK(robot->state->system[PKM_GIVEN_DRIVES].lu != NULL);
        pkm_robot_free(robot);
    }
}

/// Rank of the closures, without the rows in `leave` [n_leave].
static int rank_without(pkm_robot* robot, const int* leave, int n_leave)
{
    enum { MOST = 128 };
    static double matrix[MOST * MOST];
    int row[MOST], n = 0;
    double s[MOST];
    for (int r = 0; r < robot->mech->n_closure; ++r) {
        bool left = false;
        for (int k = 0; k < n_leave; ++k)
            left = left || leave[k] == r;
        if (!left) row[n++] = r;
    }
    static const pkm_target anywhere;
    pkm_kinematics_position(robot->state);
    pkm_rows_all(robot->state, &anywhere);
    pkm_rows_dense(robot->state, row, n, matrix);
    const int n_v = robot->mech->n_v;
    CHECK(pkm_dense_svd(matrix, n, n_v, s, NULL, NULL) == PKM_OK);
    return pkm_dense_rank(s, n < n_v ? n : n_v, 1e-9);
}

// The named rows can be taken away without setting anything free, and no more than these.
static void the_rows_called_redundant_are(void)
{
    static const char* const names[] = {"prrr2prpar", "isoglideT3", "isoglide4", "planar-3rrr",
                                        "five-bar"};
    for (int i = 0; i < N_LINKAGE + (int)(sizeof names / sizeof names[0]); ++i) {
        pkm_robot* robot =
            i < N_LINKAGE ? engine_from(linkages[i].text) : engine_load(names[i - N_LINKAGE]);
        if (!robot) continue;
        const pkm_structure* s = &robot->structure;
        if (robot->mech->n_closure > s->n_redundant) {
            const int rank = rank_without(robot, NULL, 0);
            CHECK(rank == robot->mech->n_closure - s->n_redundant);
            CHECK(rank_without(robot, s->redundant, s->n_redundant) == rank);
        }
        pkm_robot_free(robot);
    }
}

static void the_idle_spin_is_called_by_its_rod(void)
{
    pkm_robot* robot = engine_from(rssr);
    if (!robot) return;
    char name[200] = "";
    CHECK(robot->structure.n_lock == 1);
    pkm_row_name(robot->mech, robot->structure.lock[0], name, sizeof name);
    CHECK_TEXT(name, "spin of rod");
    pkm_robot_free(robot);
}

/// An arm of two hinges with a wheel at its end that carries nothing, and a tool; `drives` follow.
static pkm_robot* arm(const char* drives)
{
    char text[2048];
    snprintf(text, sizeof text,
             "pkm: 1\nname: arm\n"
             "ground: {points: {O: [0, 0, 0]}}\n"
             "bodies:\n"
             "  one: {mass: 1, points: {O: [0, 0, 0], E: [0.3, 0, 0]}}\n"
             "  two: {mass: 1, points: {E: [0, 0, 0], P: [0.2, 0, 0]},\n"
             "    pose: {at: [0.3, 0, 0], rotate: {z: 40 deg}}}\n"
             "  wheel: {mass: 1, com: [0.1, 0, 0], points: {C: [0, 0, 0]},\n"
             "    pose: {at: [0.3, 0, 0]}}\n"
             "joints:\n"
             "  shoulder: {type: revolute, between: [ground.O, one.O]}\n"
             "  elbow: {type: revolute, between: [one.E, two.E]}\n"
             "  hub: {type: revolute, between: [two.P, wheel.C]}\n"
             "tool: two.P\n%s",
             drives);
    return engine_from(text);
}

static void a_freedom_without_drive_and_tool_is_idle(void)
{
    pkm_robot* robot = arm("drives: {a: {joint: shoulder}, b: {joint: elbow}}\n");
    if (!robot) return;
    char name[200] = "";
    CHECK(robot->structure.mobility == 3 && robot->structure.n_idle == 1);
    CHECK(robot->structure.n_uncontrolled == 0 && robot->structure.n_lock == 1);
    pkm_row_name(robot->mech, robot->structure.lock[0], name, sizeof name);
    CHECK_TEXT(name, "freedom of joint hub");
    CHECK(pkm_robot_require_drives(robot, NULL) == PKM_OK);
    pkm_robot_free(robot);
}

static void a_freedom_that_carries_the_tool_is_uncontrolled(void)
{
    pkm_robot* robot = arm("drives: {a: {joint: shoulder}}\n");
    if (!robot) return;
    CHECK(robot->structure.mobility == 3);
    CHECK(robot->structure.n_idle == 1); // the wheel, whatever the elbow does
    CHECK(robot->structure.n_uncontrolled == 1);
    pkm_error err = {0};
    CHECK(pkm_robot_require_drives(robot, &err) == PKM_ERR_MODEL);
    CHECK_CONTAINS(err.text, "2 freedoms move the tool but there are 1 drives");
    pkm_robot_free(robot);
}

static void a_robot_without_drives_is_all_uncontrolled(void)
{
    pkm_robot* robot = arm("");
    if (!robot) return;
    CHECK(robot->structure.n_uncontrolled == 2 && robot->structure.n_idle == 1);
    pkm_error err = {0};
    CHECK(pkm_robot_require_drives(robot, &err) == PKM_ERR_MODEL);
    CHECK_CONTAINS(err.text, "no drives");
    pkm_robot_free(robot);
}

static void more_drives_than_freedoms_are_refused(void)
{
    char text[4096];
    snprintf(text, sizeof text, "%s", four_bar);
    char* at = strstr(text, "drives: {q: {joint: A}}");
    CHECK(at != NULL);
    memcpy(at, "drives: {q: {joint: A}, r: {joint: D}}\ntool: coupler.P\n", 56);
    at[56] = '\0';
    pkm_robot* robot = engine_from(text);
    if (!robot) return;
    CHECK(!robot->structure.drives_unique);
    CHECK(robot->structure.mobility == 1 && robot->structure.n_redundant == 3);
    pkm_error err = {0};
    CHECK(pkm_robot_require_drives(robot, &err) == PKM_ERR_MODEL);
    CHECK_CONTAINS(err.text, "2 prescribed drives for 1 freedom work against each other");
    CHECK(pkm_robot_require_unique(robot, 1, &err) == PKM_OK);
    pkm_robot_free(robot);
}

/// A parallelogram with the given angle of its cranks.
static pkm_robot* parallelogram(double degrees)
{
    char text[2048];
    snprintf(text, sizeof text,
             "pkm: 1\nname: parallelogram\nparameters: {q: %g deg}\n"
             "ground: {points: {A: [0, 0, 0], D: [0.4, 0, 0]}}\n"
             "bodies:\n"
             "  one: {mass: 1, points: {A: [0, 0, 0], B: [0.1, 0, 0]},\n"
             "    pose: {at: [0, 0, 0], rotate: {z: =q}}}\n"
             "  two: {mass: 1, points: {B: [0, 0, 0], C: [0.4, 0, 0]},\n"
             "    pose: {at: [=0.1*cos(q), =0.1*sin(q), 0]}}\n"
             "  three: {mass: 1, points: {D: [0, 0, 0], C: [0.1, 0, 0]},\n"
             "    pose: {at: [0.4, 0, 0], rotate: {z: =q}}}\n"
             "joints:\n"
             "  A: {type: revolute, between: [ground.A, one.A]}\n"
             "  B: {type: revolute, between: [one.B, two.B]}\n"
             "  C: {type: revolute, between: [two.C, three.C]}\n"
             "  D: {type: revolute, between: [ground.D, three.D]}\n"
             "drives: {q: {joint: A, home: =q}}\n"
             "tool: two.B\n",
             degrees);
    return engine_from(text);
}

// Flat, a parallelogram may turn into an antiparallelogram: one freedom more than elsewhere.
static void a_flat_parallelogram_is_a_constraint_singularity(void)
{
    pkm_robot* robot = parallelogram(0.0);
    if (robot) CHECK(robot->structure.singular_here && robot->structure.mobility == 2);
    pkm_robot_free(robot);
    robot = parallelogram(30.0);
    if (robot) CHECK(!robot->structure.singular_here && robot->structure.mobility == 1);
    pkm_robot_free(robot);
}

/// Does `check` warn of a singular home?
static bool home_is_called_singular(pkm_robot* robot)
{
    pkm_inspection* seen = NULL;
    bool is_called = false;
    CHECK(pkm_inspection_create(robot, &seen, NULL) == PKM_OK);
    for (int i = 0; seen && i < seen->warnings.n; ++i)
        is_called = is_called || strcmp(seen->warnings.item[i].kind, "singularity") == 0;
    pkm_inspection_free(seen);
    return is_called;
}

static void a_singular_home_is_a_warning(void)
{
    for (int k = 0; k < 2; ++k) {
        pkm_robot* robot = parallelogram(k == 0 ? 0.0 : 30.0);
        if (robot) CHECK(home_is_called_singular(robot) == (k == 0));
        pkm_robot_free(robot);
    }
}

// A body bolted to the ground: nothing moves, nothing fails.
static void a_robot_without_freedoms_loads(void)
{
    pkm_robot* robot = engine_from("pkm: 1\nname: post\nground: {points: {O: [0, 0, 0]}}\n"
                                   "bodies: {post: {mass: 1, points: {O: [0, 0, 0]}}}\n"
                                   "joints: {j: {type: fixed, between: [ground.O, post.O]}}\n"
                                   "tool: post.O\n");
    if (!robot) return;
    CHECK(robot->structure.mobility == 0 && robot->structure.n_redundant == 0);
    CHECK(robot->structure.gruebler == 0);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(mobility_idle_freedoms_and_redundancy_are_found);
    RUN(the_rows_called_redundant_are);
    RUN(the_idle_spin_is_called_by_its_rod);
    RUN(a_freedom_without_drive_and_tool_is_idle);
    RUN(a_freedom_that_carries_the_tool_is_uncontrolled);
    RUN(a_robot_without_drives_is_all_uncontrolled);
    RUN(more_drives_than_freedoms_are_refused);
    RUN(a_flat_parallelogram_is_a_constraint_singularity);
    RUN(a_singular_home_is_a_warning);
    RUN(a_robot_without_freedoms_loads);
    return check_report();
}
