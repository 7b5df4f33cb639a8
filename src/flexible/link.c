// The shapes of a body as a mesh of beams: bars (outline.c) are cut where joints, markers and other
// bars sit on them, frames beside a line follow their node over an arm (1.1), masses are scaled to
// that of the body. docs/theory/modes.md, section 1.
#include "flexible/link.h"

#include "base/error.h"
#include "flexible/held.h"
#include "flexible/outline.h"
#include "mechanism/joint.h"
#include "model/shape_mass.h"

#include <math.h>

// Points closer than this part of the link's length are one point.
static const double SAME = 1e-6;
// Cuts of a line closer than this part of an element are one cut: frames there get a rigid arm.
static const double SLIVER = 0.02;

// matrices are dense: (6 MAX_ELEMENT)^2 numbers are 12 MB; pieces are reduced one by one
enum { MAX_ELEMENT = 200, MAX_IN_PIECES = 1600, MAX_CUT = 64 };

/// A link being built.
typedef struct build {
    const pkm_description* desc;
    const pkm_desc_body* body;
    const pkm_flexible_spec* spec;
    pkm_flexible_outline outline;
    pkm_flexible_link* link;
    int n_corner, room; ///< nodes at the ends of lines
    int* corner;
    pkm_error* err;
} build;

/// The mass of the body without its payloads [kg].
static double own_mass(const pkm_desc_body* body)
{
    return body->mass - body->load_mass;
}

bool pkm_flexible_is_weighed(const pkm_desc_body* body)
{
    return !(own_mass(body) > 0.0) && pkm_shapes_have_density(body);
}

/// It has one of its own, or that of its shapes.
static bool has_mass(const pkm_desc_body* body)
{
    return own_mass(body) > 0.0 || pkm_flexible_is_weighed(body);
}

static pkm_status check_spec(const build* b)
{
    const pkm_flexible_spec* s = b->spec;
    const char* name = b->body->name;
    const int most = pkm_flexible_is_in_pieces(s) ? MAX_IN_PIECES : MAX_ELEMENT;
    if (s->n_element < 1 || s->n_element > most)
        return pkm_fail(b->err, PKM_ERR_ARGUMENT, "%s: %d elements, expected 1 to %d", name,
                        s->n_element, most);
    if (s->theory == PKM_BEAM_TIMOSHENKO && s->shape == PKM_BEAM_CUBIC_QUINTIC)
        return pkm_fail(b->err, PKM_ERR_ARGUMENT,
                        "%s: Timoshenko beams have linear/cubic shape functions only", name);
    if (!has_mass(b->body))
        return pkm_fail(b->err, PKM_ERR_MODEL,
                        "%s: a flexible link needs a mass, its own or a density of each shape",
                        name);
    for (int k = 0; k < s->n_section; ++k)
        if (pkm_beam_section_check(&s->section[k], NULL) != PKM_OK)
            return pkm_fail(b->err, PKM_ERR_ARGUMENT,
                            "%s: its section has the area %g m2 and the second moments %g, %g m4, "
                            "expected > 0",
                            name, s->section[k].A, s->section[k].Iy, s->section[k].Iz);
    return PKM_OK;
}

static double bar_length(const pkm_flexible_bar* bar)
{
    return pkm_vec3_norm(pkm_vec3_sub(bar->to, bar->from));
}

// ---- frames -----------------------------------------------------------------------------------

static void add_frame(pkm_flexible_link* link, int joint, int side, int marker, pkm_pose pose)
{
    link->frame[link->n_frame++] =
        (pkm_flexible_frame){.joint = joint, .side = side, .marker = marker, .pose = pose};
}

/// Frames of the joints, then all markers of the body.
static pkm_status list_frames(build* b)
{
    const pkm_description* desc = b->desc;
    pkm_flexible_link* link = b->link;
    // both sides of every joint at most, and all markers
    const size_t most = 2 * (size_t)desc->n_joint + (size_t)desc->n_marker + 1;
    link->frame = pkm_alloc(most, sizeof *link->frame);
    if (!link->frame) return pkm_out_of_memory(b->err);
    for (int j = 0; j < desc->n_joint; ++j) {
        const pkm_desc_joint* joint = &desc->joint[j];
        if (joint->body_a == link->body) add_frame(link, j, 0, joint->marker_a, joint->frame_a);
        if (joint->body_b == link->body) add_frame(link, j, 1, joint->marker_b, joint->frame_b);
    }
    link->n_joint = link->n_frame;
    if (link->n_joint == 0)
        return pkm_fail(b->err, PKM_ERR_MODEL, "%s: a flexible link needs a joint", b->body->name);
    for (int m = 0; m < desc->n_marker; ++m)
        if (desc->marker[m].body == link->body)
            add_frame(link, PKM_NONE, 0, m, desc->marker[m].pose);
    return pkm_flexible_mark_held(desc, link) == PKM_OK ? PKM_OK : pkm_out_of_memory(b->err);
}

/// Where p meets the bar at right angles, as a part 0 .. 1 of it, and how far it is from there.
static double foot(const pkm_flexible_bar* bar, pkm_vec3 p, double* distance)
{
    const pkm_vec3 d = pkm_vec3_sub(bar->to, bar->from);
    // beyond an end the end itself is the nearest
    double s = pkm_vec3_dot(pkm_vec3_sub(p, bar->from), d) / pkm_vec3_dot(d, d);
    s = s < 0.0 ? 0.0 : s > 1.0 ? 1.0 : s;
    *distance = pkm_vec3_norm(pkm_vec3_sub(p, pkm_vec3_axpy(bar->from, s, d)));
    return s;
}

/// Of bars that are equally near the first one.
static int nearest_bar(const build* b, pkm_vec3 p)
{
    int best = 0;
    double least = INFINITY;
    for (int i = 0; i < b->outline.n_bar; ++i) {
        double distance;
        foot(&b->outline.bar[i], p, &distance);
        // rounding must not choose between bars that meet at the point
        if (distance < least - SAME * b->link->length) {
            least = distance;
            best = i;
        }
    }
    return best;
}

// ---- lines ------------------------------------------------------------------------------------

/// Where a bar is split, as rising parts of it from 0 to 1.
typedef struct cuts {
    int n;
    double at[MAX_CUT];
} cuts;

/// Add a cut unless there is one nearby.
static void add_cut(cuts* c, double s, double gap)
{
    int k = 0;
    for (int i = 0; i < c->n; ++i) {
        if (fabs(c->at[i] - s) < gap) return;
        if (c->at[i] < s) k = i + 1;
    }
    if (c->n == MAX_CUT) return; // such a frame hangs on the nearest node
    for (int i = c->n; i > k; --i)
        c->at[i] = c->at[i - 1];
    c->at[k] = s;
    ++c->n;
}

/// Ends of other bars on this one, then joints, then markers that lie on the line.
static void find_cuts(const build* b, int i, cuts* c)
{
    const pkm_flexible_bar* bar = &b->outline.bar[i];
    const double near = SAME * b->link->length, length = bar_length(bar);
    // near cuts would make elements so short that they spoil the condition of K
    // an element of the link is length / n_element long; `gap` is a part of this bar
    const double gap = SLIVER * b->link->length / (b->spec->n_element * length);
    double distance;
    *c = (cuts){2, {0.0, 1.0}};
    for (int k = 0; k < 2 * b->outline.n_bar; ++k) {
        const pkm_flexible_bar* other = &b->outline.bar[k / 2];
        const double s = foot(bar, k % 2 ? other->to : other->from, &distance);
        if (other != bar && distance < near) add_cut(c, s, near / length);
    }
    for (int f = 0; f < b->link->n_frame; ++f) {
        const pkm_flexible_frame* frame = &b->link->frame[f];
        const double s = foot(bar, frame->pose.p, &distance);
        // forces enter at joints, so that these have a node of their own even beside the line
        const bool is_joint = f < b->link->n_joint && nearest_bar(b, frame->pose.p) == i;
        if (is_joint || distance < near) add_cut(c, s, gap);
    }
}

/// The corner node at p, made where there is none yet.
static pkm_status corner_at(build* b, pkm_vec3 p, int* node)
{
    for (int k = 0; k < b->n_corner; ++k) {
        *node = b->corner[k];
        const pkm_vec3 at = pkm_beam_mesh_at(b->link->mesh, *node);
        if (pkm_vec3_norm(pkm_vec3_sub(at, p)) < SAME * b->link->length) return PKM_OK;
    }
    if (b->n_corner == b->room) {
        const int room = 2 * b->room + 8;
        int* larger = pkm_realloc(b->corner, (size_t)room, sizeof *larger);
        if (!larger) return pkm_out_of_memory(b->err);
        b->corner = larger;
        b->room = room;
    }
    PKM_TRY(pkm_beam_mesh_add_node(b->link->mesh, p, node, b->err));
    b->corner[b->n_corner++] = *node;
    return PKM_OK;
}

/// A line of elements on the part s0 .. s1 of a bar.
static pkm_status add_segment(build* b, const pkm_flexible_bar* bar, double s0, double s1)
{
    const pkm_vec3 d = pkm_vec3_sub(bar->to, bar->from);
    const double length = (s1 - s0) * pkm_vec3_norm(d);
    // elements are shared out by length, one at least
    const double share = b->spec->n_element * length / b->link->length;
    const int n = share < 1.0 ? 1 : (int)lround(share);
    pkm_beam_section section[MAX_IN_PIECES + 1];
    for (int k = 0; k < n && b->spec->n_section > 1; ++k)
        // tapered: the section of the middle of each element, an error of second order
        section[k] = pkm_flexible_section_at(b->spec, s0 + (s1 - s0) * (k + 0.5) / n);
    pkm_beam_line line = pkm_beam_line_make(bar->from, bar->to, n, &bar->section, bar->material);
    if (b->spec->n_section > 1) {
        line.section = section;
        line.n_section = n;
    }
    line.y = bar->y;
    PKM_TRY(corner_at(b, pkm_vec3_axpy(bar->from, s0, d), &line.first));
    PKM_TRY(corner_at(b, pkm_vec3_axpy(bar->from, s1, d), &line.last));
    int index;
    return pkm_beam_mesh_add_line(b->link->mesh, &line, &index, b->err);
}

static pkm_status add_bars(build* b)
{
    for (int i = 0; i < b->outline.n_bar; ++i) {
        cuts c;
        find_cuts(b, i, &c);
        for (int k = 0; k + 1 < c.n; ++k)
            PKM_TRY(add_segment(b, &b->outline.bar[i], c.at[k], c.at[k + 1]));
    }
    return PKM_OK;
}

// ---- mass -------------------------------------------------------------------------------------

static int nearest_node(const pkm_beam_mesh* mesh, pkm_vec3 p)
{
    int best = 0;
    double least = INFINITY;
    for (int i = 0; i < pkm_beam_mesh_nodes(mesh); ++i) {
        const double distance = pkm_vec3_norm(pkm_vec3_sub(pkm_beam_mesh_at(mesh, i), p));
        if (distance < least) {
            least = distance;
            best = i;
        }
    }
    return best;
}

static pkm_status add_lump(build* b, double mass, pkm_vec3 com, const double* I)
{
    // the whole moment goes to one node; bars are fine enough for that
    const int node = nearest_node(b->link->mesh, com);
    const pkm_mat3 J = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
    // the lump's centre may lie beside its node: the arm takes its moment along
    const pkm_vec3 arm = pkm_vec3_sub(com, pkm_beam_mesh_at(b->link->mesh, node));
    return pkm_beam_mesh_add_mass(b->link->mesh, node, mass, arm, J, b->err);
}

/// Lumps and densities, scaled to the body's own mass if it has one; payloads as they are.
static pkm_status set_mass(build* b)
{
    for (int k = 0; k < b->outline.n_lump; ++k) {
        const pkm_mass* lump = &b->outline.lump[k];
        PKM_TRY(add_lump(b, lump->mass, lump->com, lump->inertia));
    }
    b->link->density_factor = 1.0;
    // densities times m/m_0, so that the link weighs what the body does
    if (!pkm_flexible_is_weighed(b->body))
        b->link->density_factor = own_mass(b->body) / pkm_beam_mesh_total_mass(b->link->mesh);
    pkm_beam_mesh_scale_mass(b->link->mesh, b->link->density_factor);
    if (!(b->body->load_mass > 0.0)) return PKM_OK;
    return add_lump(b, b->body->load_mass, b->body->load_com, b->body->load_inertia);
}

// ---- together ---------------------------------------------------------------------------------

static void place_frames(pkm_flexible_link* link)
{
    for (int f = 0; f < link->n_frame; ++f) {
        pkm_flexible_frame* frame = &link->frame[f];
        // d = d_node + r_node x s with the offset s (1.1)
        frame->node = nearest_node(link->mesh, frame->pose.p);
        frame->offset = pkm_vec3_sub(frame->pose.p, pkm_beam_mesh_at(link->mesh, frame->node));
    }
}

/// The two nodes that are farthest apart, the one that was made first in end[0].
static void find_ends(const pkm_beam_mesh* mesh, pkm_vec3 end[2])
{
    double most = -1.0;
    end[0] = end[1] = pkm_beam_mesh_at(mesh, 0);
    for (int i = 0; i < pkm_beam_mesh_nodes(mesh); ++i) {
        for (int j = 0; j < i; ++j) {
            const pkm_vec3 a = pkm_beam_mesh_at(mesh, j), c = pkm_beam_mesh_at(mesh, i);
            const double apart = pkm_vec3_norm(pkm_vec3_sub(a, c));
            // of pairs that are equally far apart the first: rounding must not choose
            if (apart <= most * (1.0 + SAME)) continue;
            most = apart;
            end[0] = a;
            end[1] = c;
        }
    }
}

/// The place on the mesh that is nearest to a part 0 .. 1 of the way between the ends.
static pkm_flexible_place find_place(const pkm_flexible_link* link, const pkm_vec3 end[2],
                                     double part)
{
    const pkm_beam_mesh* mesh = link->mesh;
    const pkm_vec3 at = pkm_vec3_axpy(end[0], part, pkm_vec3_sub(end[1], end[0]));
    pkm_flexible_place best = {0, 0.0};
    double least = INFINITY, distance;
    for (int e = 0; e < pkm_beam_mesh_elements(mesh); ++e) {
        int node[2];
        pkm_beam_mesh_element_nodes(mesh, e, node);
        const pkm_flexible_bar piece = {.from = pkm_beam_mesh_at(mesh, node[0]),
                                        .to = pkm_beam_mesh_at(mesh, node[1])};
        const double xi = foot(&piece, at, &distance);
        if (distance >= least - SAME * link->length) continue;
        least = distance;
        best = (pkm_flexible_place){e, xi};
    }
    return best;
}

static void find_places(pkm_flexible_link* link, const pkm_flexible_spec* spec)
{
    pkm_vec3 end[2];
    find_ends(link->mesh, end);
    link->middle = find_place(link, end, 0.5);
    for (int k = 0; k < spec->n_place; ++k)
        link->place[k] = find_place(link, end, spec->place[k]);
}

static pkm_status finish(build* b)
{
    pkm_error inner = {0};
    const pkm_status status = pkm_beam_mesh_finish(b->link->mesh, &inner);
    if (status == PKM_ERR_MEMORY) return pkm_out_of_memory(b->err);
    if (status != PKM_OK)
        return pkm_fail(b->err, status,
                        "%s: the centre lines of its shapes do not touch each other (%s)",
                        b->body->name, inner.text);
    place_frames(b->link);
    find_places(b->link, b->spec);
    return PKM_OK;
}

static pkm_status build_link(build* b)
{
    PKM_TRY(check_spec(b));
    PKM_TRY(pkm_flexible_outline_create(b->desc, b->link->body, b->spec, &b->outline, b->err));
    for (int i = 0; i < b->outline.n_bar; ++i)
        b->link->length += bar_length(&b->outline.bar[i]);
    PKM_TRY(list_frames(b));
    if (pkm_beam_mesh_create(b->spec->shape, b->spec->theory, &b->link->mesh) != PKM_OK)
        return pkm_out_of_memory(b->err);
    PKM_TRY(add_bars(b));
    PKM_TRY(set_mass(b));
    return finish(b);
}

pkm_status pkm_flexible_link_mesh(const pkm_description* desc, int body,
                                  const pkm_flexible_spec* spec, pkm_flexible_link** out,
                                  pkm_error* err)
{
    *out = NULL;
    build b = {.desc = desc, .body = &desc->body[body], .spec = spec, .err = err};
    b.link = pkm_alloc(1, sizeof *b.link);
    if (!b.link) return pkm_out_of_memory(err);
    b.link->body = body;
    b.link->name = b.body->name;
    const pkm_status status = build_link(&b);
    pkm_flexible_outline_free(&b.outline);
    pkm_free(b.corner);
    if (status == PKM_OK)
        *out = b.link;
    else
        pkm_flexible_link_free(b.link);
    return status;
}

bool pkm_flexible_possible(const pkm_description* desc, int body, const pkm_flexible_spec* spec)
{
    pkm_flexible_outline outline;
    if (!has_mass(&desc->body[body])) return false;
    if (pkm_flexible_outline_create(desc, body, spec, &outline, NULL) != PKM_OK) return false;
    pkm_flexible_outline_free(&outline);
    return true;
}

void pkm_flexible_link_free(pkm_flexible_link* link)
{
    if (!link) return;
    pkm_beam_mesh_free(link->mesh);
    pkm_free(link->frame);
    pkm_free(link);
}

bool pkm_flexible_holds_turns(const pkm_description* desc, const pkm_flexible_frame* frame)
{
    // a drive holds its joint, whatever else is free in it
    for (int d = 0; d < desc->n_drive; ++d)
        if (desc->drive[d].joint == frame->joint) return true;
    return pkm_joint_facts_of(desc->joint[frame->joint].type)->n_turn == 3;
}

int pkm_flexible_link_joint(const pkm_flexible_link* link, int joint, int side)
{
    for (int f = 0; f < link->n_joint; ++f)
        if (link->frame[f].joint == joint && link->frame[f].side == side) return f;
    return PKM_NONE;
}

int pkm_flexible_link_marker(const pkm_flexible_link* link, int marker)
{
    for (int f = link->n_joint; f < link->n_frame; ++f)
        if (link->frame[f].marker == marker) return f;
    return PKM_NONE;
}

void pkm_flexible_frame_motion(const pkm_flexible_link* link, const double* q, int frame,
                               pkm_vec3* d, pkm_vec3* r)
{
    const pkm_flexible_frame* f = &link->frame[frame];
    pkm_beam_mesh_node_motion(link->mesh, q, f->node, d, r);
    // (1.1)
    *d = pkm_vec3_add(*d, pkm_vec3_cross(*r, f->offset));
}
