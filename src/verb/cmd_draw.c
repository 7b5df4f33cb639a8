// pkm draw: the robot at poses or along a motion as solids and lines, limb by limb in colours of
// their own.
#include "verb/commands.h"

#include "base/error.h"
#include "base/memory.h"
#include "plot/solid.h"
#include "plot/svg.h"
#include "robot/continuation.h"
#include "verb/pose.h"
#include "verb/result_folder.h"

#include <stdio.h>
#include <string.h>

static const pkm_verb_option options[] = {
    {.name = "--at"},
    {.name = "--drives"},
    {"--motion", "NAME", .text = "poses along a motion, with the path of the tool"},
    {"--poses", "N", .text = "of --motion: how many, evenly in time (default 2: start and end)",
     .with = "--motion"},
    {"--view", "space|x|y|z",
     .text = "from the side (default), or along an axis: paths in a plane"},
    {"-o", "DIR", .text = "folder for the picture, ROBOT.svg (default pkm-out)"},
};

static pkm_status run(const pkm_verb_arguments* args, pkm_error* err);

const pkm_verb pkm_verb_draw_verb = {
    .name = "draw",
    .operand = "MODEL",
    .text = "a picture of the robot at a pose, at several, with the path of its tool",
    .help = "Draws the shapes of the model (bodies without shapes as lines between their joints),\n"
            "each limb in its own colour, with a bar of length and the axes of the world. Along\n"
            "a motion earlier poses are paler, and the path of the tool runs from the open to the\n"
            "full circle.",
    .example = "pkm draw robots/siax.yaml --at 0.1,0,-0.9 -o siax",
    .another = "pkm draw robots/siax.yaml --motion pick --poses 3 --view y -o pick",
    VERB_OPTIONS(options),
    .writes = true,
    .run = run,
};

static const char text[] = "{name}[, motion {motion}]: {poses:d} pose[{!_one}s], {solids:d} parts\n"
                           "picture in {file}\n";

enum { MAX_POSE = 50, PATH = 201 };

typedef struct drawing {
    const pkm_verb_arguments* args;
    pkm_robot* robot;
    pkm_solid_picture picture;
    int room; ///< for solids
    pkm_vec3 path[PATH];
    pkm_solid_line line;
    double opacity; ///< of the present pose
    char file[1100], title[300];
    pkm_result* result;
} drawing;

// ---- solids of a pose -------------------------------------------------------------------------

static pkm_status add(drawing* g, pkm_solid solid, pkm_error* err)
{
    pkm_solid_picture* p = &g->picture;
    if (p->n_solid == g->room) {
        // a mesh brings thousands of faces
        const int room = g->room ? 2 * g->room : 256;
        pkm_solid* grown = pkm_realloc(p->solid, (size_t)room, sizeof *grown);
        if (!grown) return pkm_out_of_memory(err);
        p->solid = grown;
        g->room = room;
    }
    solid.opacity = g->opacity;
    p->solid[p->n_solid++] = solid;
    return PKM_OK;
}

static pkm_vec3 place(const pkm_body_state* body, pkm_vec3 at)
{
    return pkm_vec3_add(body->p, pkm_mat3_mul(body->R, at));
}

/// Corner k has the signs of the bits of k: x, y, z.
static pkm_status add_box(drawing* g, const pkm_body_state* body, const pkm_desc_shape* shape,
                          const char* colour, pkm_error* err)
{
    static const int face[6][4] = {{0, 1, 3, 2}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                   {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}};
    // corners first: each belongs to three faces
    pkm_vec3 corner[8];
    for (int k = 0; k < 8; ++k) {
        const pkm_vec3 half = {(k & 1 ? 0.5 : -0.5) * shape->size.x,
                               (k & 2 ? 0.5 : -0.5) * shape->size.y,
                               (k & 4 ? 0.5 : -0.5) * shape->size.z};
        corner[k] = place(body, pkm_vec3_add(shape->from, pkm_quat_rotate(shape->turn, half)));
    }
    for (int f = 0; f < 6; ++f) {
        pkm_solid s = {.kind = PKM_SOLID_FACE, .n = 4, .colour = colour};
        for (int c = 0; c < 4; ++c)
            s.at[c] = corner[face[f][c]];
        PKM_TRY(add(g, s, err));
    }
    return PKM_OK;
}

static pkm_status add_mesh(drawing* g, const pkm_body_state* body, const pkm_desc_shape* shape,
                           const char* colour, pkm_error* err)
{
    for (int t = 0; t < shape->n_triangle; ++t) {
        pkm_solid s = {.kind = PKM_SOLID_FACE, .n = 3, .colour = colour};
        for (int c = 0; c < 3; ++c)
            s.at[c] = place(body, shape->triangle[3 * t + c]);
        PKM_TRY(add(g, s, err));
    }
    return PKM_OK;
}

static pkm_status add_shape(drawing* g, const pkm_body_state* body, const pkm_desc_shape* shape,
                            const char* colour, pkm_error* err)
{
    // all shapes are in the axes of their body
    const pkm_vec3 from = place(body, shape->from), to = place(body, shape->to);
    switch (shape->kind) {
    case PKM_SHAPE_NONE:
        return PKM_OK;
    case PKM_SHAPE_ROD:
    case PKM_SHAPE_TUBE:
    case PKM_SHAPE_CYLINDER:
        return add(
            g,
            (pkm_solid){
                .kind = PKM_SOLID_BAR, .at = {from, to}, .radius = shape->radius, .colour = colour},
            err);
    case PKM_SHAPE_SPHERE:
        return add(
            g,
            (pkm_solid){
                .kind = PKM_SOLID_BALL, .at = {from}, .radius = shape->radius, .colour = colour},
            err);
    case PKM_SHAPE_BOX:
        return add_box(g, body, shape, colour, err);
    case PKM_SHAPE_MESH:
        return add_mesh(g, body, shape, colour, err);
    }
    return PKM_OK;
}

/// A body without shapes: lines from the middle of its joints to each of them.
static pkm_status add_lines(drawing* g, int b, const char* colour, pkm_error* err)
{
    const pkm_mechanism* mech = g->robot->mech;
    const pkm_body_state* body = &g->robot->state->body[b];
    pkm_vec3 middle = {0.0, 0.0, 0.0};
    int n = 0;
    // the middle is known when all joints were seen
    for (int pass = 0; pass < 2; ++pass)
        for (int j = 0; j < mech->n_joint; ++j) {
            const pkm_joint* joint = &mech->joint[j];
            // a body without a shape is known by its joints alone
            if (joint->body_a != b && joint->body_b != b) continue;
            const pkm_vec3 at =
                place(body, joint->body_a == b ? joint->frame_a.p : joint->frame_b.p);
            if (pass == 0) {
                middle = pkm_vec3_axpy(middle, 1.0, at);
                ++n;
                continue;
            }
            const pkm_solid s = {.kind = PKM_SOLID_BAR,
                                 .at = {pkm_vec3_scale(1.0 / n, middle), at},
                                 // thin, but visible at any size
                                 .radius = 0.002 * mech->size,
                                 .colour = colour};
            PKM_TRY(add(g, s, err));
        }
    return PKM_OK;
}

/// Limbs have their colours, in the order in which they come; what belongs to none is grey.
static const char* colour_of(const pkm_mechanism* mech, int b)
{
    const char *name = mech->body[b].name, *dot = strchr(name, '.');
    int k = 0;
    // limbs stand before the point of a name: "A.rod"
    if (!dot) return "#6e6e6e";
    for (int i = 1; i < b; ++i) {
        const char* other = strchr(mech->body[i].name, '.');
        if (!other) continue;
        const size_t length = (size_t)(other - mech->body[i].name);
        // a body of the same limb before this one: its colour
        if (length == (size_t)(dot - name) && strncmp(mech->body[i].name, name, length) == 0)
            return colour_of(mech, i);
        // a limb is counted at its first body
        bool first = true;
        for (int h = 1; h < i; ++h)
            if (strncmp(mech->body[h].name, mech->body[i].name, length + 1) == 0) first = false;
        k += first;
    }
    return pkm_svg_colour(k);
}

static pkm_status add_joints(drawing* g, pkm_error* err)
{
    const pkm_mechanism* mech = g->robot->mech;
    for (int j = 0; j < mech->n_joint; ++j) {
        const pkm_joint* joint = &mech->joint[j];
        const pkm_solid s = {.kind = PKM_SOLID_BALL,
                             .at = {place(&g->robot->state->body[joint->body_a], joint->frame_a.p)},
                             .radius = 0.006 * mech->size,
                             .colour =
                                 // joints on the ground are darker: they show where the robot
                                 // stands
                             joint->body_a == 0 || joint->body_b == 0 ? "#111111" : "#3c3c3c"};
        PKM_TRY(add(g, s, err));
    }
    return PKM_OK;
}

/// The robot where it stands now.
static pkm_status add_pose(drawing* g, pkm_error* err)
{
    const pkm_mechanism* mech = g->robot->mech;
    for (int b = 0; b < mech->n_body; ++b) {
        const pkm_desc_body* body = &g->robot->desc->body[mech->body[b].desc];
        // the ground is pale
        const char* colour = b == 0 ? "#b0b0b0" : colour_of(mech, b);
        for (int s = 0; s < body->n_shape; ++s)
            PKM_TRY(add_shape(g, &g->robot->state->body[b], &body->shape[s], colour, err));
        if (body->n_shape == 0) PKM_TRY(add_lines(g, b, colour, err));
    }
    return add_joints(g, err);
}

// ---- along a motion ---------------------------------------------------------------------------

static pkm_status add_motion(drawing* g, int n_pose, pkm_error* err)
{
    pkm_motion* motion = NULL;
    pkm_follower follower;
    int next = 0;
    PKM_TRY(pkm_verb_find_motion(g->args, "--motion", g->robot, &motion, NULL, err));
    PKM_TRY(pkm_follow_begin(g->robot, motion, &follower, err));
    for (int i = 0; i < PATH; ++i) {
        // in the branch of home: the same way that `inverse` follows
        PKM_TRY(pkm_follow_to(&follower, pkm_motion_duration(motion) * i / (PATH - 1), err));
        if (g->robot->mech->tool != PKM_NONE)
            g->path[g->line.n++] = pkm_state_marker_point(g->robot->state, g->robot->mech->tool);
        // poses evenly spread over the path, the last one opaque
        if (i != next * (PATH - 1) / (n_pose > 1 ? n_pose - 1 : 1)) continue;
        // earlier poses are fainter, so that the eye sees which way it goes
        g->opacity = n_pose > 1 ? 0.2 + 0.8 * next / (n_pose - 1) : 1.0;
        ++next;
        PKM_TRY(add_pose(g, err));
    }
    g->line.at = g->path;
    g->line.colour = "#c1121f";
    g->picture.line = &g->line;
    g->picture.n_line = g->line.n > 0;
    pkm_result_text(g->result, "motion", pkm_motion_name(motion));
    return PKM_OK;
}

static pkm_status add_poses(drawing* g, int* n_pose, pkm_error* err)
{
    const char* poses = pkm_verb_get(g->args, "--poses");
    const bool moves = pkm_verb_has(g->args, "--motion");
    *n_pose = moves ? 2 : 1;
    if (moves && (pkm_verb_has(g->args, "--at") || pkm_verb_has(g->args, "--drives")))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--motion: expected no --at or --drives");
    if (poses) PKM_TRY(pkm_verb_integer(poses, 1, "--poses", n_pose, err));
    if (*n_pose > MAX_POSE)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--poses: %d, expected at most %d", *n_pose,
                        MAX_POSE);
    if (moves) return add_motion(g, *n_pose, err);
    PKM_TRY(pkm_verb_go_to_pose(g->args, g->robot, err));
    g->opacity = 1.0;
    return add_pose(g, err);
}

/// "robots/siax.yaml" is drawn to siax.svg.
static void name_file(drawing* g, const char* folder)
{
    const pkm_verb_stem stem = pkm_verb_stem_of(g->args->model);
    const int length = stem.length < 200 ? stem.length : 200;
    snprintf(g->file, sizeof g->file, "%.800s/%.*s.svg", folder, length, stem.text);
}

static pkm_status answer(drawing* g, pkm_error* err)
{
    const char *view = pkm_verb_get(g->args, "--view"), *folder = pkm_verb_get(g->args, "-o");
    const pkm_vec3 gravity = g->robot->mech->gravity;
    const bool weighs = pkm_vec3_norm(gravity) > 0.0;
    int n_pose;
    // gravity points down; without it z is up
    pkm_vec3 up = weighs ? pkm_vec3_scale(-1.0, gravity) : (pkm_vec3){0.0, 0.0, 1.0};
    // views are told before the motion is followed, which may take long
    if (!pkm_solid_view(view ? view : "space", up, &g->picture.right, &g->picture.up))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--view: '%.40s', expected space, x, y or z", view);
    PKM_TRY(add_poses(g, &n_pose, err));
    PKM_TRY(pkm_verb_make_folder(folder ? folder : "pkm-out", err));
    name_file(g, folder ? folder : "pkm-out");
    snprintf(g->title, sizeof g->title, "%.200s", g->robot->desc->name);
    g->picture.title = g->title;
    pkm_result_text(g->result, "name", g->robot->desc->name);
    pkm_result_integer(g->result, "poses", n_pose);
    pkm_result_bool(g->result, "_one", n_pose == 1);
    pkm_result_integer(g->result, "solids", g->picture.n_solid);
    pkm_result_text(g->result, "file", g->file);
    pkm_verb_wrote(g->args, NULL, g->file);
    return pkm_solid_write(&g->picture, g->file, err);
}

static pkm_status run(const pkm_verb_arguments* args, pkm_error* err)
{
    drawing* g = pkm_verb_work(args, sizeof *g, err);
    if (!g) return PKM_ERR_MEMORY;
    g->args = args;
    g->result = pkm_verb_result(args);
    PKM_TRY(pkm_verb_begin(args, &g->robot, err));
    const pkm_status status = answer(g, err);
    pkm_free(g->picture.solid);
    return status == PKM_OK ? pkm_verb_show(args, text, err) : status;
}
