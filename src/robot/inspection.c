// What a reader wants to know before the first run, and what looks like a mistake in the file:
// sizes a hundred times apart, masses in joints, gravity upwards or in other units, ranks at home.
// For the verb `check`; inspection_result.c writes it down.
#include "robot/inspection.h"

#include "base/error.h"
#include "base/memory.h"
#include "dynamics/kinematics.h"
#include "dynamics/motion_solve.h"
#include "dynamics/rows_rank.h"
#include "math/dense.h"
#include "pkm/inverse.h"
#include "robot/limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double RANK_LIMIT = 1e-8;     // of the largest pivot
static const double SAME_PLACE = 1e-9;     // of the robot's size
static const double TURNS = 1e-9;          // of the fastest body: below, a body does not turn
static const double FAR_LARGER = 100.0;    // parts beyond this ratio are of another scale
static const double LARGE_ROBOT = 100.0;   // [m]
static const double LARGE_GRAVITY = 100.0; // [m/s2]

// ---- places -----------------------------------------------------------------------------------

static pkm_vec3 joint_point(const pkm_desc_joint* joint, int b)
{
    return joint->body_a == b ? joint->frame_a.p : joint->frame_b.p;
}

/// Is a place within `close` [m] of p listed already?
static bool is_known(const pkm_inspection* in, int from, int to, pkm_vec3 p, double close)
{
    for (int i = from; i < to; ++i)
        if (pkm_vec3_distance(in->place[i].at, p) <= close) return true;
    return false;
}

/// The different places where joints sit, body after body.
static void list_places(pkm_inspection* in, const pkm_robot* robot)
{
    const pkm_description* desc = robot->desc;
    int n = 0;
    for (int b = 0; b < desc->n_body; ++b) {
        in->place_at[b] = n;
        for (int j = 0; j < desc->n_joint; ++j) {
            if (desc->joint[j].body_a != b && desc->joint[j].body_b != b) continue;
            const pkm_vec3 p = joint_point(&desc->joint[j], b);
            if (!is_known(in, in->place_at[b], n, p, SAME_PLACE * robot->mech->size))
                in->place[n++] = (pkm_joint_place){p, j};
        }
    }
    in->place_at[desc->n_body] = n;
}

/// A box that grows, in the axes of the body and in those of the world.
typedef struct box {
    pkm_vec3 low, high;
} box;

static const box EMPTY = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};

static void grow(box* to, pkm_vec3 p)
{
    to->low = (pkm_vec3){fmin(to->low.x, p.x), fmin(to->low.y, p.y), fmin(to->low.z, p.z)};
    to->high = (pkm_vec3){fmax(to->high.x, p.x), fmax(to->high.y, p.y), fmax(to->high.z, p.z)};
}

static double diagonal(const box* b)
{
    return b->high.x >= b->low.x ? pkm_vec3_distance(b->low, b->high) : 0.0;
}

/// A point of body `b` in both boxes.
static void take(const pkm_robot* robot, int b, pkm_vec3 p, box* own, box* world)
{
    const pkm_body_state* at = &robot->state->body[robot->mech->body_of_desc[b]];
    grow(own, p);
    grow(world, pkm_vec3_add(at->p, pkm_mat3_mul(at->R, p)));
}

static void take_shape(const pkm_robot* robot, int b, const pkm_desc_shape* shape, box* own,
                       box* world)
{
    if (shape->kind == PKM_SHAPE_MESH) {
        for (int i = 0; i < 3 * shape->n_triangle; ++i)
            take(robot, b, shape->triangle[i], own, world);
    } else if (shape->kind == PKM_SHAPE_BOX) {
        for (int i = 0; i < 8; ++i) {
            const pkm_vec3 half = {(i & 1 ? 0.5 : -0.5) * shape->size.x,
                                   (i & 2 ? 0.5 : -0.5) * shape->size.y,
                                   (i & 4 ? 0.5 : -0.5) * shape->size.z};
            take(robot, b, pkm_vec3_add(shape->from, pkm_quat_rotate(shape->turn, half)), own,
                 world);
        }
    } else if (shape->kind !=
               PKM_SHAPE_NONE) { // round: its radius along all axes is an upper bound
        const pkm_vec3 end[2] = {shape->from,
                                 shape->kind == PKM_SHAPE_SPHERE ? shape->from : shape->to};
        const double r = shape->radius;
        for (int i = 0; i < 2; ++i) {
            take(robot, b, pkm_vec3_add(end[i], (pkm_vec3){r, r, r}), own, world);
            take(robot, b, pkm_vec3_sub(end[i], (pkm_vec3){r, r, r}), own, world);
        }
    }
}

/// Sizes of one body; the ground counts with its joints and points only.
static void measure_body(pkm_inspection* in, const pkm_robot* robot, int b, box* world)
{
    const pkm_description* desc = robot->desc;
    box own = EMPTY;
    for (int i = in->place_at[b]; i < in->place_at[b + 1]; ++i) {
        take(robot, b, in->place[i].at, &own, world);
        for (int k = in->place_at[b]; k < i; ++k)
            in->joint_reach[b] =
                fmax(in->joint_reach[b], pkm_vec3_distance(in->place[i].at, in->place[k].at));
    }
    for (int m = 0; m < desc->n_marker; ++m)
        if (desc->marker[m].body == b) take(robot, b, desc->marker[m].pose.p, &own, world);
    if (b > 0 && desc->body[b].mass > 0.0) take(robot, b, desc->body[b].com, &own, world);
    for (int s = 0; b > 0 && s < desc->body[b].n_shape; ++s)
        take_shape(robot, b, &desc->body[b].shape[s], &own, world);
    in->extent[b] = diagonal(&own);
}

static void measure(pkm_inspection* in, const pkm_robot* robot)
{
    const pkm_description* desc = robot->desc;
    box world = EMPTY;
    pkm_vec3 moment = {0.0, 0.0, 0.0};
    double mass = 0.0;
    for (int b = 0; b < desc->n_body; ++b)
        measure_body(in, robot, b, &world);
    for (int b = 1; b < desc->n_body; ++b) {
        const pkm_body_state* at = &robot->state->body[robot->mech->body_of_desc[b]];
        const pkm_vec3 com = pkm_vec3_add(at->p, pkm_mat3_mul(at->R, desc->body[b].com));
        // sum m c over sum m, in the world
        moment = pkm_vec3_axpy(moment, desc->body[b].mass, com);
        mass += desc->body[b].mass;
    }
    in->low = world.low;
    in->high = world.high;
    if (mass > 0.0) in->com = pkm_vec3_scale(1.0 / mass, moment);
}

// ---- what the tool can do, what the drives hold ------------------------------------------------

/// Rank of rows by singular values, lengths measured in robot sizes; large robots by elimination.
static pkm_status rank_of(const pkm_robot* robot, const int* row, int n_row, int* rank)
{
    const pkm_mechanism* mech = robot->mech;
    const size_t m = (size_t)n_row, n = (size_t)mech->n_v;
    if (mech->n_v > PKM_LARGE_MECHANISM)
        return pkm_rows_rank(robot->state, row, n_row, pkm_rank_limit(robot->mech, RANK_LIMIT),
                             rank, NULL, NULL);
    *rank = 0;
    if (n_row == 0) return PKM_OK;
    double* A = pkm_alloc(m * n, sizeof(double));
    double* sigma = pkm_alloc(m < n ? m : n, sizeof(double));
    pkm_status status = A && sigma ? PKM_OK : PKM_ERR_MEMORY;
    if (status == PKM_OK) {
        pkm_rows_dense(robot->state, row, n_row, A);
        for (size_t k = 0; k < n; ++k)
            for (size_t i = 0; i < m; ++i)
                // rows over their size, velocities in their units: free of units
                A[k * m + i] *= mech->row[row[i]].weight * mech->v_unit[k];
        status = pkm_dense_svd(A, n_row, mech->n_v, sigma, NULL, NULL);
    }
    if (status == PKM_OK)
        *rank =
            pkm_dense_rank(sigma, (int)(m < n ? m : n), pkm_rank_limit(robot->mech, RANK_LIMIT));
    pkm_free(A);
    pkm_free(sigma);
    return status;
}

/// Rank of the closures with these tool rows; what it has beyond the closures' own rank is in how
/// many ways the tool can move:  rank [G; T] - rank G.
static pkm_status rank_with_tool(pkm_robot* robot, unsigned components, int* out)
{
    const pkm_mechanism* mech = robot->mech;
    int* row = pkm_alloc((size_t)mech->n_closure + PKM_TOOL_ALL, sizeof(int));
    if (!row) return PKM_ERR_MEMORY;
    int n = 0;
    for (; n < mech->n_closure; ++n)
        row[n] = n;
    for (int k = 0; k < PKM_TOOL_ALL; ++k)
        if (components & (1u << k)) row[n++] = mech->tool_row_at + k;
    const pkm_status status = rank_of(robot, row, n, out);
    pkm_free(row);
    return status;
}

static pkm_status find_tool_freedoms(pkm_inspection* in, pkm_robot* robot)
{
    static const pkm_target anywhere;
    in->tool_freedoms = PKM_NONE;
    if (robot->mech->tool == PKM_NONE) return PKM_OK;
    int closures, all, named;
    pkm_rows_all(robot->state, &anywhere);
    PKM_TRY(rank_with_tool(robot, 0, &closures));
    PKM_TRY(rank_with_tool(robot, (1u << PKM_TOOL_ALL) - 1, &all));
    PKM_TRY(rank_with_tool(robot, robot->mech->tool_moves, &named));
    // each row of the tool that is independent of the loops is a way it can move
    in->tool_freedoms = all - closures;
    int n_named = 0;
    for (int k = 0; k < PKM_TOOL_ALL; ++k)
        n_named += (robot->mech->tool_moves >> k) & 1u;
    if (all == closures)
        pkm_warn(&in->warnings, "mobility", NAN,
                 "the tool cannot move at all: its loops hold it (%d redundant constraints); is a "
                 "joint of the wrong type, or an axis wrong?",
                 robot->structure.n_redundant);
    else if (named - closures < n_named)
        pkm_warn(&in->warnings, "mobility", NAN,
                 "tool.moves names %d components, but the tool moves in %d of them only", n_named,
                 named - closures);
    return PKM_OK;
}

static void find_holding(pkm_inspection* in, pkm_robot* robot)
{
    pkm_instant now = {.q = {0.0}};
    memcpy(now.q, robot->drive_home, sizeof now.q);
    in->holds = robot->mech->n_drive > 0 &&
                pkm_inverse_at(robot, PKM_METHOD_ENGINE, &now, &in->why_not) == PKM_OK;
    if (in->holds) memcpy(in->force, now.force, sizeof in->force);
}

/// Marks the bodies that turn when the drives move; all of them when the drives do not tell.
static void find_turning(pkm_robot* robot, const pkm_inspection* in, bool* turns)
{
    const pkm_mechanism* mech = robot->mech;
    for (int b = 0; b < robot->desc->n_body; ++b)
        turns[b] = !in->holds && b > 0;
    for (int d = 0; in->holds && d < mech->n_drive; ++d) {
        pkm_target target = {.v = {0.0}};
        double fastest = 0.0;
        // a unit rate of one drive: bodies whose angular velocity is rounding do not turn
        target.v[d] = 1.0;
        pkm_solve_velocity(robot->state, PKM_GIVEN_DRIVES, &target);
        for (int i = 1; i < mech->n_body; ++i)
            fastest = fmax(fastest, pkm_vec3_norm(robot->state->body[i].V.ang));
        for (int b = 1; b < robot->desc->n_body; ++b) {
            const pkm_twist V = robot->state->body[mech->body_of_desc[b]].V;
            turns[b] = turns[b] || pkm_vec3_norm(V.ang) > TURNS * fastest;
        }
    }
}

// ---- what looks like a mistake ----------------------------------------------------------------

static void check_gravity(pkm_inspection* in, const pkm_robot* robot)
{
    const pkm_vec3 g = robot->desc->gravity;
    const double size = pkm_vec3_norm(g);
    if (g.z > 0.5 * size)
        pkm_warn(&in->warnings, "gravity", NAN,
                 "gravity points along +z (%g m/s2): upwards, unless z of this model points down",
                 g.z);
    if (size > LARGE_GRAVITY)
        pkm_warn(&in->warnings, "gravity", NAN, "gravity is %g m/s2; numbers without a unit are SI",
                 size);
}

static int by_size(const void* a, const void* b)
{
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

/// Where the sizes of the parts jump by a factor of a hundred, those above the jump are of another
/// scale, however many they are: mostly millimetres read as metres.
static pkm_status check_sizes(pkm_inspection* in, const pkm_robot* robot)
{
    const pkm_description* desc = robot->desc;
    double* size = pkm_alloc((size_t)desc->n_body, sizeof(double));
    if (!size) return PKM_ERR_MEMORY;
    int n = 0;
    for (int b = 0; b < desc->n_body; ++b)
        if (in->extent[b] > SAME_PLACE * robot->mech->size) size[n++] = in->extent[b];
    qsort(size, (size_t)n, sizeof(double), by_size);
    int at = 1;
    // sizes rise: the first jump by a hundred parts them
    while (at < n && size[at] < FAR_LARGER * size[at - 1])
        ++at;
    const double rest = at < n ? size[at - 1] : 0.0, large = at < n ? size[at] : HUGE_VAL;
    pkm_free(size);
    int first = PKM_NONE, others = 0;
    for (int b = desc->n_body - 1; b > 0; --b)
        if (in->extent[b] >= large) {
            others += first != PKM_NONE;
            first = b;
        }
    char more[40] = "";
    if (others > 0) snprintf(more, sizeof more, ", and %d more bodies likewise", others);
    if (first != PKM_NONE)
        pkm_warn(&in->warnings, "size", NAN,
                 "body %s (line %d) is %.4g m large, %.3g times the rest (at most %.4g m)%s; "
                 "lengths without a unit are metres",
                 desc->body[first].name, desc->body[first].place.line, in->extent[first],
                 in->extent[first] / rest, rest, more);
    const double all = pkm_vec3_distance(in->low, in->high);
    if (all > LARGE_ROBOT)
        pkm_warn(&in->warnings, "size", NAN,
                 "the robot is %.4g m large; lengths without a unit are metres", all);
    return PKM_OK;
}

static bool is_point(const pkm_desc_body* body)
{
    for (int i = 0; i < 6; ++i)
        if (body->inertia[i] != 0.0) return false;
    return body->n_shape == 0;
}

/// A body that turns, with joints at two places, is no point. With its centre of mass in one of the
/// joints it is either balanced or was never given a centre.
static void check_mass(pkm_inspection* in, const pkm_robot* robot, int b)
{
    const pkm_desc_body* body = &robot->desc->body[b];
    const double close = SAME_PLACE * robot->mech->size;
    if (!(body->mass > body->load_mass) || in->joint_reach[b] <= close) return;
    const int n_place = in->place_at[b + 1] - in->place_at[b];
    int found = PKM_NONE;
    for (int i = in->place_at[b]; i < in->place_at[b + 1]; ++i)
        if (pkm_vec3_distance(in->place[i].at, body->com) <= close) found = in->place[i].joint;
    const char* name = found == PKM_NONE ? NULL : robot->desc->joint[found].name;
    if (is_point(body))
        pkm_warn(&in->warnings, "mass", NAN,
                 "body %s (line %d): %g kg without extent, a point mass %s%s; give it a shape, "
                 "'uniform', or 'com' and 'inertia'",
                 body->name, body->place.line, body->mass, name ? "in joint " : "at its 'com'",
                 name ? name : "");
    else if (name && n_place == 2)
        pkm_warn(&in->warnings, "mass", NAN,
                 "body %s (line %d): its centre of mass lies in joint %s, at one end; is 'com' "
                 "missing?",
                 body->name, body->place.line, name);
}

/// What the rank analysis at home says.
static void check_structure(pkm_inspection* in, const pkm_robot* robot)
{
    const pkm_structure* s = &robot->structure;
    if (s->n_uncontrolled > 0)
        pkm_warn(&in->warnings, "mobility", NAN,
                 "the tool keeps %d freedom%s with all drives locked", s->n_uncontrolled,
                 s->n_uncontrolled == 1 ? "" : "s");
    if (robot->mech->n_drive > 0 && !s->drives_unique)
        pkm_warn(&in->warnings, "mobility", NAN,
                 "%d drives for %d freedoms work against each other; their forces are not unique, "
                 "and analyses refuse the robot until it has one drive for each",
                 robot->mech->n_drive, s->mobility - s->n_idle);
    if (robot->assembly.closure_gap > 1e-9 * robot->mech->size)
        pkm_warn(
            &in->warnings, "assembly", NAN,
            "the loops close to %.3g m or rad only, which `assembly: {tolerance: %g m}` allows",
            robot->assembly.closure_gap, robot->desc->assembly_tolerance);
    if (s->singular_here)
        pkm_warn(&in->warnings, "singularity", NAN,
                 "home is a constraint singularity: nearby the mobility is smaller");
}

/// Home breaks no limit of drives and joints.
static pkm_status check_limits(pkm_inspection* in, pkm_robot* robot)
{
    pkm_limit_list limits;
    PKM_TRY(pkm_limits_at(robot, &limits, NULL));
    pkm_limits_warn(&limits, &in->warnings);
    return PKM_OK;
}

static pkm_status inspect(pkm_inspection* in, pkm_robot* robot)
{
    in->warnings = robot->desc->warnings;
    pkm_robot_go_home(robot);
    list_places(in, robot);
    measure(in, robot);
    check_gravity(in, robot);
    PKM_TRY(check_sizes(in, robot));
    PKM_TRY(find_tool_freedoms(in, robot));
    check_structure(in, robot);
    PKM_TRY(check_limits(in, robot));
    find_holding(in, robot);
    bool* turns = pkm_alloc((size_t)robot->desc->n_body, sizeof(bool));
    if (!turns) return PKM_ERR_MEMORY;
    find_turning(robot, in, turns);
    for (int b = 1; b < robot->desc->n_body; ++b)
        if (turns[b]) check_mass(in, robot, b);
    pkm_free(turns);
    pkm_robot_go_home(robot);
    return PKM_OK;
}

pkm_status pkm_inspection_create(pkm_robot* robot, pkm_inspection** out, pkm_error* err)
{
    const size_t n = (size_t)robot->desc->n_body;
    pkm_inspection* in = pkm_alloc(1, sizeof *in);
    pkm_status status = PKM_ERR_MEMORY;
    *out = NULL;
    if (in) {
        in->joint_reach = pkm_alloc(n, sizeof(double));
        in->extent = pkm_alloc(n, sizeof(double));
        in->place = pkm_alloc(2 * (size_t)robot->desc->n_joint, sizeof *in->place);
        in->place_at = pkm_alloc(n + 1, sizeof(int));
        if (in->joint_reach && in->extent && in->place && in->place_at) status = inspect(in, robot);
    }
    if (status != PKM_OK) {
        pkm_inspection_free(in);
        return pkm_fail(err, status, "%s",
                        status == PKM_ERR_MEMORY ? "out of memory" : pkm_status_text(status));
    }
    *out = in;
    return PKM_OK;
}

void pkm_inspection_free(pkm_inspection* inspection)
{
    if (!inspection) return;
    pkm_free(inspection->joint_reach);
    pkm_free(inspection->extent);
    pkm_free(inspection->place);
    pkm_free(inspection->place_at);
    pkm_free(inspection);
}
