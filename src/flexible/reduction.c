// What a link is reduced by: the nodes that joints and forces load, the modes that are kept; and a
// digest of all of it, by which equal links are told. docs/theory/flexible.md, section 6,
// docs/theory/beams.md, section 4.
#include "base/error.h"
#include "flexible/body.h"
#include "mechanism/joint.h"

#include <string.h>

// ---- boundary ---------------------------------------------------------------------------------

/// Nodes with joints and markers, each once, and what joints and forces at markers load there.
typedef struct boundary {
    int n;
    int* node;
    unsigned* loaded;
} boundary;

/// Can a torque act at the marker: that of the tool, of a load, of a bushing?
static bool is_turned(const pkm_description* desc, const pkm_flexible_spec* spec, int marker)
{
    bool is = marker == desc->tool_marker;
    for (int k = 0; k < spec->n_turned; ++k)
        is = is || spec->turned[k] == marker;
    return is;
}

static unsigned loads_of(const pkm_description* desc, const pkm_flexible_spec* spec,
                         const pkm_flexible_frame* frame)
{
    if (frame->is_weld || is_turned(desc, spec, frame->marker)) return PKM_BEAM_FIX_ALL;
    if (frame->joint == PKM_NONE) return PKM_BEAM_FIX_POINT;
    const pkm_joint_type type = desc->joint[frame->joint].type;
    const bool is_ball = pkm_joint_facts_of(type)->n_turn == 0;
    return is_ball ? PKM_BEAM_FIX_POINT : PKM_BEAM_FIX_ALL;
}

/// Joints and markers are boundary nodes; which of their coordinates something can load decides
/// which static shapes are worth keeping (beams.md, 4.5).
static pkm_status find_boundary(const pkm_description* desc, const pkm_flexible_link* link,
                                const pkm_flexible_spec* spec, boundary* out)
{
    out->node = pkm_alloc((size_t)link->n_frame, sizeof *out->node);
    out->loaded = pkm_alloc((size_t)link->n_frame, sizeof *out->loaded);
    if (!out->node || !out->loaded) return PKM_ERR_MEMORY;
    for (int f = 0; f < link->n_frame; ++f) {
        const pkm_flexible_frame* frame = &link->frame[f];
        // a ball or a force beside the line twists and bends its node
        const bool is_off = pkm_vec3_norm(frame->offset) > 1e-6 * link->length;
        int k = 0;
        while (k < out->n && out->node[k] != frame->node)
            ++k;
        if (k == out->n) ++out->n;
        out->node[k] = frame->node;
        out->loaded[k] |= is_off ? PKM_BEAM_FIX_ALL : loads_of(desc, spec, frame);
    }
    return PKM_OK;
}

/// Do centrifugal forces get static shapes? In links with a free end and in those that turn with a
/// joint nothing else makes their tension. Between balls and pins these shapes would be stiff and
/// tell little.
static bool has_inertia_shapes(const pkm_description* desc, const pkm_flexible_link* link)
{
    bool turns = false;
    if (link->n_joint <= 1) return true;
    for (int f = 0; f < link->n_joint; ++f) {
        if (link->frame[f].is_weld) return false; // a piece is short
        turns = turns || pkm_flexible_holds_turns(desc, &link->frame[f]);
    }
    return turns;
}

static pkm_beam_reduction reduction_of(const pkm_description* desc, const pkm_flexible_spec* spec,
                                       const pkm_flexible_link* link, const boundary* b)
{
    const int n = pkm_beam_mesh_size(link->mesh);
    const pkm_beam_choice keep = pkm_flexible_kept(spec, n - PKM_BEAM_RIGID_MODES);
    // the whole basis of held modes: the kept modes are those of the full mesh
    return (pkm_beam_reduction){.loaded = b->loaded,
                                .n_mode = keep.n_mode,
                                .below = keep.below,
                                .chosen = keep.chosen,
                                .disabled = keep.disabled,
                                .n_fixed = n - 6 * b->n,
                                .without_static = spec->without_static,
                                .without_inertia =
                                    spec->without_stiffening || !has_inertia_shapes(desc, link)};
}

pkm_status pkm_flexible_reduce(const pkm_description* desc, const pkm_flexible_link* link,
                               const pkm_flexible_spec* spec, pkm_beam_modes** out, pkm_error* err)
{
    *out = NULL;
    boundary b = {0};
    pkm_error inner = {0};
    pkm_status status = find_boundary(desc, link, spec, &b);
    if (status == PKM_OK) {
        const pkm_beam_reduction r = reduction_of(desc, spec, link, &b);
        status = pkm_beam_reduce(link->mesh, b.n, b.node, &r, out, &inner);
    }
    pkm_free(b.node);
    pkm_free(b.loaded);
    if (status == PKM_OK && (*out)->n_mode == 0)
        status = pkm_fail(&inner, PKM_ERR_ARGUMENT,
                          "flexible body: no mode is kept, and there is no static correction");
    if (status == PKM_OK) return PKM_OK;
    pkm_beam_modes_free(*out);
    *out = NULL;
    if (status == PKM_ERR_MEMORY) return pkm_fail(err, status, "out of memory");
    const size_t skip = strncmp(inner.text, "flexible body: ", 15) == 0 ? 15 : 0;
    return pkm_fail(err, status, "%s: %s", link->name, inner.text + skip);
}

// ---- equal links --------------------------------------------------------------------------------

/// Damping asks which joints hold, hold turns, and what hangs on the others, too.
static void add_frames(pkm_sha256* sha, const pkm_description* desc, const pkm_flexible_link* link)
{
    for (int f = 0; f < link->n_frame; ++f) {
        const pkm_flexible_frame* frame = &link->frame[f];
        const bool holds =
            f < link->n_joint && !frame->is_weld && pkm_flexible_holds_turns(desc, frame);
        pkm_sha256_add(sha, &holds, sizeof holds);
        pkm_sha256_add(sha, &frame->is_held, sizeof frame->is_held);
        pkm_sha256_add(sha, &frame->hangs, sizeof frame->hangs);
        pkm_sha256_add(sha, &frame->pose, sizeof frame->pose);
        pkm_sha256_add(sha, &frame->node, sizeof frame->node);
        pkm_sha256_add(sha, &frame->offset, sizeof frame->offset);
    }
}

static void add_place(pkm_sha256* sha, const pkm_flexible_place* place)
{
    pkm_sha256_add(sha, &place->element, sizeof place->element);
    pkm_sha256_add(sha, &place->xi, sizeof place->xi);
}

/// What is kept, how it is damped, where it is watched.
static void add_spec(pkm_sha256* sha, const pkm_flexible_link* link, const pkm_flexible_spec* spec,
                     const pkm_beam_reduction* r)
{
    const int whole[] = {r->n_mode,          r->n_fixed,    r->without_static,
                         r->without_inertia, spec->damping, link->n_joint,
                         link->n_frame,      spec->n_place, spec->without_stiffening};
    const double real[] = {r->below, spec->ratio, spec->mass, spec->stiffness, link->length};
    pkm_sha256_add(sha, whole, sizeof whole);
    pkm_sha256_add(sha, real, sizeof real);
    pkm_sha256_add(sha, &spec->chosen, sizeof spec->chosen);
    pkm_sha256_add(sha, &spec->disabled, sizeof spec->disabled);
    pkm_sha256_add(sha, spec->place, sizeof spec->place);
    add_place(sha, &link->middle);
    for (int k = 0; k < spec->n_place; ++k)
        add_place(sha, &link->place[k]);
}

pkm_status pkm_flexible_digest(const pkm_description* desc, const pkm_flexible_link* link,
                               const pkm_flexible_spec* spec, char digest[PKM_SHA256_SIZE])
{
    boundary b = {0};
    const pkm_status status = find_boundary(desc, link, spec, &b);
    if (status == PKM_OK) {
        const pkm_beam_reduction r = reduction_of(desc, spec, link, &b);
        pkm_sha256 sha = pkm_sha256_make();
        pkm_beam_mesh_digest(link->mesh, &sha);
        add_frames(&sha, desc, link);
        pkm_sha256_add(&sha, b.node, (size_t)b.n * sizeof *b.node);
        pkm_sha256_add(&sha, b.loaded, (size_t)b.n * sizeof *b.loaded);
        add_spec(&sha, link, spec, &r);
        pkm_sha256_finish(&sha, digest);
    }
    pkm_free(b.node);
    pkm_free(b.loaded);
    return status;
}

const pkm_flexible_body* pkm_flexible_made_find(pkm_flexible_made made, const char* digest)
{
    for (int k = 0; k < made.n; ++k)
        if (strcmp(made.body[k]->content, digest) == 0) return made.body[k];
    return NULL;
}
