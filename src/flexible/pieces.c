// A link cut into pieces for large deflections: elements shared out (8.1), one flexible body for
// each piece, welds between them, damping of strain (8.3). Equations: docs/theory/flexible.md,
// section 8.
#include "flexible/pieces.h"

#include "base/error.h"
#include "flexible/damping.h"

#include <math.h>
#include <string.h>

/// A run of elements of one line of the whole mesh.
typedef struct run {
    int line, first, n;
} run;

/// A link being cut.
typedef struct cutting {
    const pkm_description* desc;
    pkm_flexible_link* whole;
    pkm_flexible_pieces* out;
    run* run;    ///< [out->n]
    int* owner;  ///< [nodes] the piece that owns a node: the first one there
    bool* owned; ///< [nodes] work: by the present piece
    pkm_error* err;
} cutting;

void pkm_flexible_pieces_free(pkm_flexible_pieces* pieces)
{
    if (!pieces) return;
    for (int k = 0; pieces->body && k < pieces->n; ++k)
        pkm_flexible_body_free(pieces->body[k]);
    pkm_free(pieces->body);
    pkm_free(pieces->weld);
    pkm_free(pieces->frame);
    pkm_free(pieces->spot);
    pkm_free(pieces);
}

// ---- what cannot be had ------------------------------------------------------------------------

static pkm_status check(const pkm_description* desc, int body, const pkm_flexible_spec* spec,
                        pkm_error* err)
{
    const char* name = desc->body[body].name;
    if (spec->n_piece > PKM_FLEXIBLE_MAX_PIECE)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: %d pieces, expected 1 to %d", name,
                        spec->n_piece, PKM_FLEXIBLE_MAX_PIECE);
    if (spec->without_static)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "%s: pieces without static correction do not pass on forces, expected one "
                        "of the two",
                        name);
    if (spec->damping == PKM_FLEXIBLE_ADAMS ||
        (spec->damping == PKM_FLEXIBLE_RAYLEIGH && spec->mass > 0.0))
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "%s: damping of a link in pieces acts on its strain, expected a ratio or "
                        "{stiffness: ...}",
                        name);
    return PKM_OK;
}

// ---- runs of elements --------------------------------------------------------------------------

/// Share out the elements of each line, (8.1).
static pkm_status find_runs(cutting* c, int n_piece, int n_element)
{
    const pkm_beam_mesh* mesh = c->whole->mesh;
    const int n_line = pkm_beam_mesh_lines(mesh);
    const int most = n_piece + 2 * n_line;
    c->run = pkm_alloc((size_t)most, sizeof *c->run);
    if (!c->run) return pkm_out_of_memory(c->err);
    for (int l = 0; l < n_line; ++l) {
        const int n_e = pkm_beam_mesh_line_elements(mesh, l);
        // by its share of the elements, at least one piece and at most one for each element
        int n = (int)lround((double)n_piece * n_e / n_element);
        if (n < 1) n = 1;
        if (n > n_e) n = n_e;
        for (int k = 0; k < n && c->out->n < most; ++k) {
            // whole numbers: pieces differ by one element at most
            const int first = k * n_e / n;
            c->run[c->out->n++] = (run){l, first, (k + 1) * n_e / n - first};
        }
    }
    return PKM_OK;
}

static int node_of(const cutting* c, int piece, int k)
{
    return pkm_beam_mesh_line_node(c->whole->mesh, c->run[piece].line, c->run[piece].first + k);
}

/// The first piece at a node owns it; each further one that ends there is welded to that.
static pkm_status find_owners(cutting* c)
{
    const int n_node = pkm_beam_mesh_nodes(c->whole->mesh);
    c->owner = pkm_alloc((size_t)n_node, sizeof *c->owner);
    c->owned = pkm_alloc((size_t)n_node, sizeof *c->owned);
    c->out->weld = pkm_alloc(2 * (size_t)c->out->n, sizeof *c->out->weld);
    if (!c->owner || !c->owned || !c->out->weld) return pkm_out_of_memory(c->err);
    for (int i = 0; i < n_node; ++i)
        c->owner[i] = PKM_NONE;
    for (int p = 0; p < c->out->n; ++p)
        for (int k = 0; k <= c->run[p].n; ++k) {
            const int node = node_of(c, p, k);
            if (c->owner[node] == PKM_NONE)
                c->owner[node] = p;
            else
                c->out->weld[c->out->n_weld++] =
                    (pkm_flexible_weld){c->owner[node], p, pkm_beam_mesh_at(c->whole->mesh, node)};
        }
    return PKM_OK;
}

// ---- one piece ---------------------------------------------------------------------------------

/// Welds first, as joints are, then the joints and markers on nodes of the piece's own.
static pkm_status list_frames(cutting* c, int piece, pkm_flexible_link* link)
{
    const pkm_flexible_link* whole = c->whole;
    link->frame = pkm_alloc((size_t)(whole->n_frame + c->out->n_weld), sizeof *link->frame);
    if (!link->frame) return pkm_out_of_memory(c->err);
    for (int w = 0; w < c->out->n_weld; ++w) {
        const pkm_flexible_weld* weld = &c->out->weld[w];
        if (weld->a != piece && weld->b != piece) continue;
        link->frame[link->n_frame++] =
            (pkm_flexible_frame){.joint = PKM_NONE,
                                 .is_weld = true,
                                 .marker = PKM_NONE,
                                 .pose = {weld->at, {1.0, 0.0, 0.0, 0.0}}};
    }
    for (int f = 0; f < whole->n_frame; ++f) {
        // joints before markers, as in the whole
        if (f == whole->n_joint) link->n_joint = link->n_frame;
        if (c->owner[whole->frame[f].node] != piece) continue;
        c->out->spot[f] = (pkm_flexible_spot){piece, link->n_frame};
        link->frame[link->n_frame++] = whole->frame[f];
    }
    if (whole->n_frame == whole->n_joint) link->n_joint = link->n_frame;
    return PKM_OK;
}

/// Their nodes in the mesh of the piece.
static void place_frames(pkm_flexible_link* link, int n_element)
{
    for (int f = 0; f < link->n_frame; ++f) {
        pkm_flexible_frame* frame = &link->frame[f];
        const pkm_vec3 at = pkm_vec3_sub(frame->pose.p, frame->offset);
        double least = HUGE_VAL;
        for (int k = 0; k <= n_element; ++k) {
            const int node = pkm_beam_mesh_line_node(link->mesh, 0, k);
            const double off = pkm_vec3_norm(pkm_vec3_sub(pkm_beam_mesh_at(link->mesh, node), at));
            if (off < least) least = off, frame->node = node;
        }
        frame->offset = pkm_vec3_sub(frame->pose.p, pkm_beam_mesh_at(link->mesh, frame->node));
    }
}

/// Is the place of the whole mesh in the piece? Then its element counts from there.
static bool has_place(const cutting* c, int piece, pkm_flexible_place* place)
{
    const run* r = &c->run[piece];
    // elements of a run follow one another in number
    const int k = place->element - pkm_beam_mesh_line_element(c->whole->mesh, r->line, r->first);
    if (k < 0 || k >= r->n) return false;
    place->element = k;
    return true;
}

/// Which of the watched places are in this piece.
static void take_places(cutting* c, const pkm_flexible_spec* given, int piece,
                        pkm_flexible_link* link, pkm_flexible_spec* spec)
{
    pkm_flexible_place at = c->whole->middle;
    // where the middle of the link is elsewhere, that of its first element
    link->middle = (pkm_flexible_place){0, 0.5};
    if (has_place(c, piece, &at)) {
        link->middle = at;
        c->out->middle = (pkm_flexible_spot){piece, 0};
    }
    spec->n_place = 0;
    for (int k = 0; k < given->n_place; ++k) {
        at = c->whole->place[k];
        if (!has_place(c, piece, &at)) continue;
        c->out->place[k] = (pkm_flexible_spot){piece, 1 + 2 * c->run[piece].n + spec->n_place};
        link->place[spec->n_place] = at;
        spec->place[spec->n_place++] = given->place[k];
    }
}

static pkm_status make_piece(cutting* c, const pkm_flexible_spec* given, int piece)
{
    const run* r = &c->run[piece];
    // with the damping of strain, which is the same for all
    pkm_flexible_spec spec = c->out->spec;
    const pkm_flexible_made made = {piece, (const pkm_flexible_body* const*)c->out->body};
    pkm_flexible_link link = {.body = c->whole->body, .name = c->whole->name};
    // lumps go with the node, to one piece
    for (int i = 0; i < pkm_beam_mesh_nodes(c->whole->mesh); ++i)
        c->owned[i] = c->owner[i] == piece;
    PKM_TRY(
        pkm_beam_mesh_part(c->whole->mesh, r->line, r->first, r->n, c->owned, &link.mesh, c->err));
    for (int e = 0; e < r->n; ++e)
        link.length += pkm_beam_mesh_element_data(link.mesh, e)->length;
    pkm_status status = list_frames(c, piece, &link);
    if (status == PKM_OK) {
        place_frames(&link, r->n);
        take_places(c, given, piece, &link, &spec);
        status =
            pkm_flexible_body_create(c->desc, &link, &spec, made, &c->out->body[piece], c->err);
    }
    pkm_beam_mesh_free(link.mesh);
    pkm_free(link.frame);
    return status;
}

// ---- damping -----------------------------------------------------------------------------------

static pkm_status told(const pkm_description* desc, int body, pkm_status status, pkm_error* err)
{
    if (status == PKM_OK) return PKM_OK;
    return pkm_fail(err, status, "%s: %s", desc->body[body].name, pkm_status_text(status));
}

/// Lowest frequency of the whole link between its joints [rad/s]: few elements and modes tell it.
static pkm_status find_lowest(const pkm_description* desc, int body, const pkm_flexible_spec* spec,
                              double* lowest, pkm_error* err)
{
    enum { ENOUGH = 16 };
    pkm_flexible_spec one = *spec;
    pkm_flexible_body* whole = NULL;
    one.n_piece = 0;
    one.n_element = ENOUGH;
    one.n_place = 0;
    // the whole link as if it were in one piece, with enough elements for its lowest vibration
    one.keep = PKM_FLEXIBLE_KEEP_DEFAULT;
    one.n_mode = PKM_FLEXIBLE_DEFAULT_MODES;
    one.disabled = (pkm_beam_list){.n_number = 0};
    PKM_TRY(pkm_flexible_body_make(desc, body, &one, (pkm_flexible_made){0}, &whole, err));
    const pkm_status status = pkm_flexible_held_lowest(desc, whole, lowest);
    pkm_flexible_body_free(whole);
    return told(desc, body, status, err);
}

/// A ratio of damping as damping of strain, D = (2 zeta / w_1) K with the lowest frequency w_1 of
/// the whole link between its joints, (8.3).
static pkm_status set_damping(const pkm_description* desc, int body, pkm_flexible_spec* spec,
                              pkm_error* err)
{
    // other kinds of damping have no lowest vibration
    double lowest = 0.0;
    if (spec->damping != PKM_FLEXIBLE_RATIO) return PKM_OK;
    PKM_TRY(find_lowest(desc, body, spec, &lowest, err));
    spec->damping = PKM_FLEXIBLE_RAYLEIGH;
    spec->mass = 0.0;
    // beta K has the ratio beta w/2 at w: zeta at w_1, more above
    spec->stiffness = lowest > 0.0 ? 2.0 * spec->ratio / lowest : 0.0;
    return PKM_OK;
}

// ---- all ---------------------------------------------------------------------------------------

static pkm_status cut(cutting* c, const pkm_flexible_spec* given)
{
    pkm_flexible_pieces* out = c->out;
    PKM_TRY(find_runs(c, given->n_piece, pkm_beam_mesh_elements(c->whole->mesh)));
    PKM_TRY(find_owners(c));
    out->n_joint = c->whole->n_joint;
    out->n_frame = c->whole->n_frame;
    out->n_place = given->n_place;
    out->body = pkm_alloc((size_t)out->n, sizeof *out->body);
    // frames of the whole link, and on which piece each of them sits
    out->frame = pkm_alloc((size_t)out->n_frame, sizeof *out->frame);
    out->spot = pkm_alloc((size_t)out->n_frame, sizeof *out->spot);
    if (!out->body || !out->frame || !out->spot) return pkm_out_of_memory(c->err);
    memcpy(out->frame, c->whole->frame, (size_t)out->n_frame * sizeof *out->frame);
    for (int k = 0; k < out->n; ++k)
        PKM_TRY(make_piece(c, given, k));
    return PKM_OK;
}

pkm_status pkm_flexible_pieces_create(const pkm_description* desc, int body,
                                      const pkm_flexible_spec* spec, pkm_flexible_pieces** out,
                                      pkm_error* err)
{
    *out = NULL;
    PKM_TRY(check(desc, body, spec, err));
    cutting c = {.desc = desc, .err = err};
    pkm_flexible_spec given = *spec;
    // rounded up: every piece has as many elements
    // the same refinement in every piece
    const int per_piece = (spec->n_element + spec->n_piece - 1) / spec->n_piece;
    given.n_element = per_piece * spec->n_piece;
    c.out = pkm_alloc(1, sizeof *c.out);
    if (!c.out) return pkm_out_of_memory(err);
    c.out->spec = given;
    pkm_status status = set_damping(desc, body, &c.out->spec, err);
    if (status == PKM_OK) status = pkm_flexible_link_mesh(desc, body, &given, &c.whole, err);
    if (status == PKM_OK) status = cut(&c, &given);
    pkm_flexible_link_free(c.whole);
    pkm_free(c.run);
    pkm_free(c.owner);
    pkm_free(c.owned);
    if (status == PKM_OK)
        *out = c.out;
    else
        pkm_flexible_pieces_free(c.out);
    return status;
}

static double highest_of(const pkm_flexible_body* body)
{
    double most = 0.0;
    for (int k = 0; k < body->n_mode; ++k)
        most = fmax(most, body->omega[k]);
    return most;
}

pkm_status pkm_flexible_band_of(const pkm_description* desc, int body,
                                const pkm_flexible_spec* spec, pkm_flexible_made made,
                                pkm_flexible_body** body_out, pkm_flexible_band* out,
                                pkm_error* err)
{
    pkm_flexible_body* one = *body_out = NULL;
    pkm_flexible_pieces* pieces = NULL;
    // rings: nothing damps it, so that steps have to follow its lowest vibration
    const bool rings = spec->damping == PKM_FLEXIBLE_UNDAMPED;
    *out = (pkm_flexible_band){0.0, 0.0};
    if (!pkm_flexible_is_in_pieces(spec)) {
        PKM_TRY(pkm_flexible_body_make(desc, body, spec, made, &one, err));
        *body_out = one;
        out->highest = highest_of(one);
        const pkm_status status =
            rings ? pkm_flexible_held_lowest(desc, one, &out->lowest) : PKM_OK;
        return told(desc, body, status, err);
    }
    if (rings) PKM_TRY(find_lowest(desc, body, spec, &out->lowest, err));
    PKM_TRY(pkm_flexible_pieces_create(desc, body, spec, &pieces, err));
    for (int k = 0; k < pieces->n; ++k)
        out->highest = fmax(out->highest, highest_of(pieces->body[k]));
    pkm_flexible_pieces_free(pieces);
    return PKM_OK;
}
