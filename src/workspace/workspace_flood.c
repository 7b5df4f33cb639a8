// The flood: points in reach wait in a queue with their coordinates; each hands them to its
// neighbours along the axes, first in, first out. A home off the grid sends a coarse scout first.
// docs/theory/workspace.md, section 4.
#include "workspace/workspace_flood.h"

#include "base/error.h"
#include "base/memory.h"
#include "robot/continuation.h"

#include <math.h>
#include <string.h>

enum {
    MAX_HALVING = 8,  ///< of a way between points; next to the edge of reach steps are small
    START_RINGS = 2,  ///< of points around the one nearest to home
    SCOUT_POINTS = 13 ///< along each axis of the box between home and the grid
};

// ---- the queue --------------------------------------------------------------------------------

/// Twice the room, the waiting points in order from its beginning.
static bool grow(pkm_flood_queue* queue, size_t n_place)
{
    const int capacity = queue->capacity > 0 ? 2 * queue->capacity : 256;
    int* index = pkm_alloc((size_t)capacity, sizeof *index);
    double* place = pkm_alloc((size_t)capacity * n_place, sizeof *place);
    if (!index || !place) {
        pkm_free(index);
        pkm_free(place);
        return false;
    }
    for (int k = 0; k < queue->n; ++k) {
        const size_t from = (size_t)((queue->first + k) % queue->capacity);
        index[k] = queue->index[from];
        memcpy(place + (size_t)k * n_place, queue->place + from * n_place, n_place * sizeof *place);
    }
    pkm_free(queue->index);
    pkm_free(queue->place);
    *queue = (pkm_flood_queue){.n = queue->n, .capacity = capacity, .index = index, .place = place};
    return true;
}

/// The present place, which is point `index`.
static bool push(pkm_workspace_engine* engine, int index)
{
    pkm_flood_queue* queue = &engine->queue;
    const size_t n_q = (size_t)engine->robot->mech->n_q, n_place = (size_t)engine->n_place;
    if (queue->n == queue->capacity && !grow(queue, n_place)) return false;
    const size_t at = (size_t)((queue->first + queue->n) % queue->capacity);
    queue->index[at] = index;
    memcpy(queue->place + at * n_place, engine->robot->state->q, n_q * sizeof(double));
    pkm_walk_tangents(engine, queue->place + at * n_place + n_q);
    ++queue->n;
    return true;
}

static void pop(pkm_flood_queue* queue)
{
    queue->first = (queue->first + 1) % queue->capacity;
    --queue->n;
}

// ---- the flood --------------------------------------------------------------------------------

/// The robot stands at point `index`, which joins the queue.
static pkm_status take(pkm_workspace_engine* engine, int index)
{
    const size_t n_q = (size_t)engine->robot->mech->n_q;
    pkm_flood_describe(engine, index);
    // ways from here begin with them, and looks between two points
    if (engine->kept)
        memcpy(engine->kept + (size_t)index * n_q, engine->robot->state->q, n_q * sizeof(double));
    return push(engine, index) ? PKM_OK : PKM_ERR_MEMORY;
}

/// Try to reach point `index` from the coordinates `q`, wherever they are.
static pkm_status visit(pkm_workspace_engine* engine, int index, const double* q)
{
    pkm_robot* robot = engine->robot;
    const pkm_target target = {
        .tool.pose = {pkm_workspace_grid_point(&engine->grid, index), engine->orientation}};
    memcpy(robot->state->q, q, (size_t)robot->mech->n_q * sizeof *q);
    const pkm_status status = pkm_follow_straight(robot, PKM_GIVEN_TOOL, &target, MAX_HALVING);
    if (status == PKM_ERR_MEMORY) return status;
    return status == PKM_OK ? take(engine, index) : PKM_OK;
}

/// From point `index` to its neighbour.
static pkm_status cross(pkm_workspace_engine* engine, int index, int next, int axis)
{
    const pkm_found_point *here = &engine->at[index], *there = &engine->at[next];
    double end;
    if (!there->reachable) {
        if (pkm_walk_to(engine, index, next, axis, &end)) {
            PKM_TRY(take(engine, next));
        } else if (!engine->reach_only) {
            pkm_flood_note_end(engine, index, next, axis, end);
        }
    }
    if (there->reachable && here->in_limits != there->in_limits && !engine->reach_only)
        pkm_flood_note_limit(engine, index, next, axis);
    return PKM_OK;
}

/// From the first point of the queue to its neighbours along the axes.
static pkm_status spread(pkm_workspace_engine* engine)
{
    const int* n = engine->grid.n;
    const int index = engine->queue.index[engine->queue.first];
    const int at[3] = {index % n[0], index / n[0] % n[1], index / n[0] / n[1]};
    const int stride[3] = {1, n[0], n[0] * n[1]};
    const size_t n_place = (size_t)engine->n_place;
    memcpy(engine->from, engine->queue.place + (size_t)engine->queue.first * n_place,
           n_place * sizeof(double));
    pop(&engine->queue);
    for (int axis = 0; axis < 3; ++axis) {
        if (at[axis] > 0) PKM_TRY(cross(engine, index, index - stride[axis], axis));
        if (at[axis] + 1 < n[axis]) PKM_TRY(cross(engine, index, index + stride[axis], axis));
    }
    return PKM_OK;
}

/// Empty the queue; `complete` becomes false when `progress` stops it.
static pkm_status flood(pkm_workspace_engine* engine, pkm_progress_fn progress, void* user)
{
    for (int round = 0; engine->queue.n > 0; ++round) {
        PKM_TRY(spread(engine));
        if (round % 32 || !progress) continue;
        if (!progress(user, (double)engine->n_found / engine->n_point)) engine->complete = false;
        if (!engine->complete) return PKM_OK;
    }
    return PKM_OK;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/// Try the points within `ring` steps of point `index` from home.
static pkm_status visit_around(pkm_workspace_engine* engine, int index, int ring)
{
    const int* n = engine->grid.n;
    const int at[3] = {index % n[0], index / n[0] % n[1], index / n[0] / n[1]};
    int low[3], high[3];
    for (int axis = 0; axis < 3; ++axis) {
        low[axis] = at[axis] - least(ring, at[axis]);
        high[axis] = least(at[axis] + ring, n[axis] - 1);
    }
    for (int k = low[2]; k <= high[2]; ++k)
        for (int j = low[1]; j <= high[1]; ++j)
            for (int i = low[0]; i <= high[0]; ++i)
                PKM_TRY(visit(engine, i + n[0] * (j + n[1] * k), engine->q_start));
    return PKM_OK;
}

/// Flood from home alone. Next to the edge of reach the nearest point may be beyond it.
static pkm_status flood_from_home(pkm_workspace_engine* engine, pkm_progress_fn progress,
                                  void* user)
{
    const int first = pkm_workspace_grid_nearest(&engine->grid, engine->robot->tool_home.p);
    engine->complete = true;
    // the point nearest to home first, then those around it
    for (int ring = 0; ring <= START_RINGS && engine->n_found == 0; ++ring)
        PKM_TRY(visit_around(engine, first, ring));
    return flood(engine, progress, user);
}

// ---- around obstacles -------------------------------------------------------------------------

/// The coarse box that holds home and the grid, along the axes that the tool point moves in.
static pkm_workspace_grid box_with_home(const pkm_workspace_engine* engine)
{
    const pkm_workspace_grid* grid = &engine->grid;
    const unsigned moves = engine->robot->structure.moves;
    pkm_vec3 home = engine->robot->tool_home.p;
    // elsewhere a grid lies at home to rounding
    if (!(moves & 1u)) home.x = grid->from.x;
    if (!(moves & 2u)) home.y = grid->from.y;
    if (!(moves & 4u)) home.z = grid->from.z;
    pkm_workspace_grid box = {
        {fmin(grid->from.x, home.x), fmin(grid->from.y, home.y), fmin(grid->from.z, home.z)},
        {fmax(grid->to.x, home.x), fmax(grid->to.y, home.y), fmax(grid->to.z, home.z)},
        {1, 1, 1}};
    box.n[0] = box.to.x > box.from.x ? SCOUT_POINTS : 1;
    box.n[1] = box.to.y > box.from.y ? SCOUT_POINTS : 1;
    box.n[2] = box.to.z > box.from.z ? SCOUT_POINTS : 1;
    return box;
}

/// Start from every point that the scout has found, at the grid point nearest to it.
static pkm_status follow_scout(pkm_workspace_engine* engine, const pkm_workspace_engine* scout,
                               pkm_progress_fn progress, void* user)
{
    const size_t n_q = (size_t)engine->robot->mech->n_q;
    for (int k = 0; k < scout->n_point; ++k) {
        if (!scout->at[k].reachable) continue;
        const pkm_vec3 from = pkm_workspace_grid_point(&scout->grid, k);
        const int index = pkm_workspace_grid_nearest(&engine->grid, from);
        const pkm_vec3 off = pkm_vec3_sub(pkm_workspace_grid_point(&engine->grid, index), from);
        const bool near = pkm_vec3_norm(off) < 0.2 * engine->robot->mech->size;
        if (!near || engine->at[index].reachable) continue;
        PKM_TRY(visit(engine, index, scout->kept + (size_t)k * n_q));
        PKM_TRY(flood(engine, progress, user));
        if (!engine->complete) return PKM_OK;
    }
    return PKM_OK;
}

/// Home lies off the grid: the straight way may be barred, and what is connected may not be so
/// within the grid (a slice that cuts a bent body twice). Flood the box between them.
static pkm_status send_scout(pkm_workspace_engine* engine, pkm_progress_fn progress, void* user)
{
    const pkm_workspace_grid box = box_with_home(engine);
    pkm_workspace_engine* scout = NULL;
    pkm_status status =
        pkm_workspace_engine_create(engine->robot, &box, engine->orientation, &scout, NULL);
    if (status == PKM_OK) {
        scout->reach_only = true;
        status = scout->kept ? flood_from_home(scout, NULL, NULL) : PKM_ERR_MEMORY;
    }
    if (status == PKM_OK) status = follow_scout(engine, scout, progress, user);
    pkm_workspace_engine_free(scout);
    return status;
}

/// Is home off the plane or line of the grid?
static bool is_off(const pkm_workspace_engine* engine)
{
    const pkm_workspace_grid box = box_with_home(engine);
    const int* n = engine->grid.n;
    return (box.n[0] > 1 && n[0] == 1) || (box.n[1] > 1 && n[1] == 1) ||
           (box.n[2] > 1 && n[2] == 1);
}

pkm_status pkm_flood_run(pkm_workspace_engine* engine, pkm_progress_fn progress, void* user)
{
    PKM_TRY(flood_from_home(engine, progress, user));
    if (!engine->complete || !is_off(engine)) return PKM_OK;
    return send_scout(engine, progress, user);
}
