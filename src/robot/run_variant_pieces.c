// Links in pieces in the description of a run: one body for each piece, welds between them
// (docs/theory/flexible.md, section 8).
#include "robot/run_variant_impl.h"

#include "base/error.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// A copy of `n` items of `size` bytes with room for `more`; NULL: memory is out.
static void* extended(pkm_arena* arena, const void* from, int n, int more, size_t size)
{
    void* to = pkm_arena_alloc(arena, (size_t)(n + more) + 1, size);
    if (to && n > 0) memcpy(to, from, (size_t)n * size);
    return to;
}

/// A body is its own piece 0; those that follow come behind all other bodies.
static const char* name_of(pkm_arena* arena, const char* link, int k)
{
    char text[2 * PKM_MAX_NAME];
    const int n = snprintf(text, sizeof text, "%s piece %d", link, k + 1);
    return pkm_arena_text(arena, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

/// Mass, centre and inertia of a piece, from its integrals.
static void set_mass(pkm_desc_body* to, const pkm_beam_integrals* from)
{
    // S = int rho r r' dx, so that int rho (r'r 1 - r r') is tr(S) 1 - S; Steiner takes it to the
    // centre
    const pkm_vec3 c = pkm_vec3_scale(1.0 / from->mass, from->first);
    const double *S = from->second, cc = pkm_vec3_dot(c, c), m = from->mass;
    const double trace = S[0] + S[4] + S[8];
    to->mass = m;
    to->com = c;
    to->inertia[0] = trace - S[0] + from->own.x.x - m * (cc - c.x * c.x);
    to->inertia[1] = trace - S[4] + from->own.y.y - m * (cc - c.y * c.y);
    to->inertia[2] = trace - S[8] + from->own.z.z - m * (cc - c.z * c.z);
    to->inertia[3] = from->own.x.y - S[1] + m * c.x * c.y;
    to->inertia[4] = from->own.x.z - S[2] + m * c.x * c.z;
    to->inertia[5] = from->own.y.z - S[5] + m * c.y * c.z;
}

static pkm_status add_bodies(pkm_run_variant* made, const pkm_run_link* link, pkm_description* to)
{
    const pkm_desc_body whole = to->body[link->body];
    for (int k = 0; k < link->n; ++k) {
        const int index = k == 0 ? link->body : to->n_body++;
        pkm_desc_body* body = &to->body[index];
        *body = whole;
        set_mass(body, &made->body[link->first + k]->integrals);
        made->body[link->first + k]->body = index;
        if (k == 0) continue;
        body->part_of = link->body;
        body->name = name_of(made->arena, whole.name, k);
        // shapes are drawn with the first piece
        body->n_shape = body->n_own_shape = 0;
        if (!body->name) return PKM_ERR_MEMORY;
    }
    return PKM_OK;
}

static int body_at(const pkm_run_variant* made, const pkm_run_link* link, int piece)
{
    return made->body[link->first + piece]->body;
}

static void add_welds(pkm_run_variant* made, const pkm_run_link* link, pkm_description* to)
{
    for (int w = 0; w < link->pieces->n_weld; ++w) {
        const pkm_flexible_weld* weld = &link->pieces->weld[w];
        const pkm_pose at = {weld->at, {1.0, 0.0, 0.0, 0.0}};
        to->joint[to->n_joint++] =
            (pkm_desc_joint){.name = to->body[body_at(made, link, weld->b)].name,
                             .type = PKM_JOINT_FIXED,
                             .body_a = body_at(made, link, weld->a),
                             .body_b = body_at(made, link, weld->b),
                             .marker_a = PKM_NONE,
                             .marker_b = PKM_NONE,
                             .frame_a = at,
                             .frame_b = at,
                             .length = NAN,
                             .limit = {-INFINITY, INFINITY},
                             .swing = INFINITY,
                             .is_weld = true,
                             .place = to->body[link->body].place};
    }
}

/// Joints and markers of the link sit on the piece where they are.
static void move_frames(pkm_run_variant* made, const pkm_run_link* link, pkm_description* to)
{
    for (int f = 0; f < link->pieces->n_frame; ++f) {
        const pkm_flexible_frame* frame = &link->pieces->frame[f];
        const int body = body_at(made, link, link->pieces->spot[f].piece);
        if (f >= link->pieces->n_joint)
            to->marker[frame->marker].body = body;
        else if (frame->side == 0)
            to->joint[frame->joint].body_a = body;
        else
            to->joint[frame->joint].body_b = body;
    }
}

pkm_status pkm_run_variant_split(pkm_run_variant* made, const pkm_description* desc)
{
    int n_body = 0, n_weld = 0;
    for (int i = 0; i < made->n_link; ++i) {
        if (!made->link[i].pieces) continue;
        n_body += made->link[i].n - 1;
        n_weld += made->link[i].pieces->n_weld;
    }
    if (n_body == 0) return PKM_OK;
    pkm_arena* arena = made->arena;
    pkm_description* to = pkm_arena_alloc(arena, 1, sizeof *to);
    if (!to) return PKM_ERR_MEMORY;
    pkm_description_copy(desc, to);
    to->body = extended(arena, desc->body, desc->n_body, n_body, sizeof *to->body);
    to->joint = extended(arena, desc->joint, desc->n_joint, n_weld, sizeof *to->joint);
    to->marker = extended(arena, desc->marker, desc->n_marker, 0, sizeof *to->marker);
    if (!to->body || !to->joint || !to->marker) return PKM_ERR_MEMORY;
    for (int i = 0; i < made->n_link; ++i) {
        if (!made->link[i].pieces) continue;
        PKM_TRY(add_bodies(made, &made->link[i], to));
        add_welds(made, &made->link[i], to);
        move_frames(made, &made->link[i], to);
    }
    made->variant.desc = to;
    return PKM_OK;
}
