// Lines of elements between nodes, masses on nodes, and nodes that follow others through joints. A
// mesh is built by add and follow, then finished: coordinates are numbered, equal elements share
// their local matrices. Directions and arms are made in moving.c, global matrices in assembly.c.
// Equations: docs/theory/beams.md, section 3.
#include "beam/mesh.h"

#include "base/error.h"
#include "base/memory.h"
#include "beam/mesh_impl.h"

pkm_beam_line pkm_beam_line_make(pkm_vec3 from, pkm_vec3 to, int n_element,
                                 const pkm_beam_section* section, pkm_beam_material material)
{
    return (pkm_beam_line){.from = from,
                           .to = to,
                           .first = PKM_NONE,
                           .last = PKM_NONE,
                           .n_element = n_element,
                           .n_section = 1,
                           .section = section,
                           .material = material};
}

pkm_status pkm_beam_mesh_create(pkm_beam_shape shape, pkm_beam_theory theory, pkm_beam_mesh** out)
{
    *out = pkm_alloc(1, sizeof **out);
    if (!*out) return PKM_ERR_MEMORY;
    (*out)->shape = shape;
    (*out)->theory = theory;
    return PKM_OK;
}

void pkm_beam_mesh_free(pkm_beam_mesh* mesh)
{
    if (!mesh) return;
    pkm_free(mesh->node);
    pkm_free(mesh->element);
    pkm_free(mesh->line);
    pkm_free(mesh->mass);
    pkm_free(mesh->K_local);
    pkm_free(mesh->M_local);
    pkm_free(mesh);
}

/// The array with room for `count` items, or NULL: then the old one stays valid.
static void* grown(void* array, int count, size_t size)
{
    return pkm_realloc(array, (size_t)count, size);
}

static pkm_status check_node(const pkm_beam_mesh* mesh, int node, pkm_error* err)
{
    if (node >= 0 && node < mesh->n_node) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "beam mesh: node %d, expected 0 to %d", node,
                    mesh->n_node - 1);
}

pkm_status pkm_beam_mesh_add_node(pkm_beam_mesh* mesh, pkm_vec3 at, int* node, pkm_error* err)
{
    if (!isfinite(at.x + at.y + at.z))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "beam mesh: node at (%g, %g, %g)", at.x, at.y, at.z);
    // one more at a time: a mesh is built once, of tens of nodes
    mesh_node* larger = grown(mesh->node, mesh->n_node + 1, sizeof *larger);
    if (!larger) return pkm_out_of_memory(err);
    mesh->node = larger;
    mesh->node[mesh->n_node] = (mesh_node){.at = pkm_beam_jet_rest(at), .leader = PKM_NONE};
    *node = mesh->n_node++;
    return PKM_OK;
}

// ---- lines -------------------------------------------------------------------------------------

static pkm_status check_line(const pkm_beam_mesh* mesh, const pkm_beam_line* line, pkm_error* err)
{
    if (line->n_element < 1)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "beam: %d elements, expected at least 1",
                        line->n_element);
    if (line->n_section != 1 && line->n_section != line->n_element)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "beam: %d sections for %d elements, expected one or one for each",
                        line->n_section, line->n_element);
    if (line->first != PKM_NONE) PKM_TRY(check_node(mesh, line->first, err));
    if (line->last != PKM_NONE) PKM_TRY(check_node(mesh, line->last, err));
    return PKM_OK;
}

static pkm_status end_node(pkm_beam_mesh* mesh, int given, pkm_vec3 at, int* node, pkm_error* err)
{
    *node = given;
    return given == PKM_NONE ? pkm_beam_mesh_add_node(mesh, at, node, err) : PKM_OK;
}

int pkm_beam_mesh_line_node(const pkm_beam_mesh* mesh, int line, int k)
{
    const mesh_line* l = &mesh->line[line];
    // ends may be shared with other lines, inner nodes are the line's own
    if (k == 0) return l->end[0];
    return k == l->n_element ? l->end[1] : l->first_inner + k - 1;
}

int pkm_beam_mesh_line_element(const pkm_beam_mesh* mesh, int line, int k)
{
    return mesh->line[line].first_element + k;
}

/// The inner nodes follow one another in number, so a line knows them all by the first.
static pkm_status add_nodes_of_line(pkm_beam_mesh* mesh, const pkm_beam_line* line, mesh_line* out,
                                    pkm_error* err)
{
    PKM_TRY(end_node(mesh, line->first, line->from, &out->end[0], err));
    PKM_TRY(end_node(mesh, line->last, line->to, &out->end[1], err));
    // the ends may have been there before, and lie elsewhere than `from` and `to`
    const pkm_beam_jet a = mesh->node[out->end[0]].at, b = mesh->node[out->end[1]].at;
    out->first_inner = mesh->n_node;
    for (int k = 1; k < line->n_element; ++k) {
        int node;
        const pkm_vec3 at = pkm_beam_jet_between(a, b, (double)k / line->n_element).x;
        PKM_TRY(pkm_beam_mesh_add_node(mesh, at, &node, err));
    }
    return PKM_OK;
}

static pkm_status add_elements_of_line(pkm_beam_mesh* mesh, const pkm_beam_line* line,
                                       const mesh_line* l, pkm_error* err)
{
    const pkm_vec3 a = mesh->node[l->end[0]].at.x, b = mesh->node[l->end[1]].at.x;
    mesh_element* larger = grown(mesh->element, mesh->n_element + line->n_element, sizeof *larger);
    if (!larger) return pkm_out_of_memory(err);
    mesh->element = larger;
    for (int k = 0; k < line->n_element; ++k) {
        mesh_element* e = &mesh->element[mesh->n_element + k];
        *e = (mesh_element){.line = mesh->n_line};
        // lengths by the end nodes: lines that share one meet exactly
        // elements of a line are equally long
        e->data = (pkm_beam_element){
            .length = pkm_vec3_norm(pkm_vec3_sub(b, a)) / line->n_element,
            .section = line->section[line->n_section == 1 ? 0 : k],
            .material = line->material,
            .shape = mesh->shape,
            .theory = mesh->theory,
        };
        PKM_TRY(pkm_beam_element_check(&e->data, err));
    }
    mesh->n_element += line->n_element;
    return PKM_OK;
}

pkm_status pkm_beam_mesh_add_line(pkm_beam_mesh* mesh, const pkm_beam_line* line, int* index,
                                  pkm_error* err)
{
    PKM_TRY(check_line(mesh, line, err));
    mesh_line* larger = grown(mesh->line, mesh->n_line + 1, sizeof *larger);
    if (!larger) return pkm_out_of_memory(err);
    mesh->line = larger;
    mesh_line* l = &mesh->line[mesh->n_line];
    *l = (mesh_line){.n_element = line->n_element,
                     .first_element = mesh->n_element,
                     .y = pkm_beam_jet_rest(line->y)};
    PKM_TRY(add_nodes_of_line(mesh, line, l, err));
    PKM_TRY(add_elements_of_line(mesh, line, l, err));
    *index = mesh->n_line++;
    // nodes are numbered by now
    for (int k = 0; k < line->n_element; ++k) {
        mesh_element* e = &mesh->element[l->first_element + k];
        e->node[0] = pkm_beam_mesh_line_node(mesh, *index, k);
        e->node[1] = pkm_beam_mesh_line_node(mesh, *index, k + 1);
    }
    return PKM_OK;
}

// ---- what sits on nodes ------------------------------------------------------------------------

pkm_status pkm_beam_mesh_add_mass(pkm_beam_mesh* mesh, int node, double mass, pkm_vec3 com,
                                  pkm_mat3 inertia, pkm_error* err)
{
    PKM_TRY(check_node(mesh, node, err));
    if (!(mass >= 0.0) || !isfinite(mass))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "beam mesh: mass %g kg on a node, expected >= 0",
                        mass);
    if (!(inertia.x.x >= 0.0 && inertia.y.y >= 0.0 && inertia.z.z >= 0.0))
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "beam mesh: moments of inertia (%g, %g, %g) kg m2, expected >= 0",
                        inertia.x.x, inertia.y.y, inertia.z.z);
    mesh_mass* larger = grown(mesh->mass, mesh->n_mass + 1, sizeof *larger);
    if (!larger) return pkm_out_of_memory(err);
    mesh->mass = larger;
    mesh->mass[mesh->n_mass++] = (mesh_mass){node, mass, com, inertia};
    // a force may jump here: strains are no longer continuous through the node
    mesh->node[node].is_loaded = true;
    return PKM_OK;
}

void pkm_beam_mesh_scale_mass(pkm_beam_mesh* mesh, double factor)
{
    for (int e = 0; e < mesh->n_element; ++e)
        // densities of elements, masses and inertias of lumps: all of m alike
        mesh->element[e].data.material.rho *= factor;
    for (int k = 0; k < mesh->n_mass; ++k) {
        mesh_mass* m = &mesh->mass[k];
        m->mass *= factor;
        m->inertia =
            (pkm_mat3){pkm_vec3_scale(factor, m->inertia.x), pkm_vec3_scale(factor, m->inertia.y),
                       pkm_vec3_scale(factor, m->inertia.z)};
    }
}

pkm_status pkm_beam_mesh_follow(pkm_beam_mesh* mesh, int node, int leader, int n_free,
                                const pkm_vec3* axis, pkm_error* err)
{
    PKM_TRY(check_node(mesh, node, err));
    PKM_TRY(check_node(mesh, leader, err));
    // a node that is fixed cannot follow as well
    mesh_node* follower = &mesh->node[node];
    if (node == leader || n_free < 0 || n_free > 3 || follower->fixed)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "beam mesh: node %d cannot follow node %d with %d free rotations", node,
                        leader, n_free);
    // d = d_L + r_L x a, r = P r_L + sum e_k alpha_k (3.2): n_free angles instead of six
    // coordinates
    follower->leader = leader;
    follower->n_free = n_free;
    for (int k = 0; k < n_free; ++k)
        follower->axis[k] = pkm_beam_jet_rest(axis[k]);
    // the joint passes forces to its leader
    mesh->node[leader].is_loaded = true;
    return PKM_OK;
}

pkm_status pkm_beam_mesh_fix(pkm_beam_mesh* mesh, int node, unsigned bits, pkm_error* err)
{
    PKM_TRY(check_node(mesh, node, err));
    if (mesh->node[node].leader != PKM_NONE)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "beam mesh: node %d follows node %d: fix that one",
                        node, mesh->node[node].leader);
    if (bits > PKM_BEAM_FIX_ALL)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "beam mesh: bits %u to fix, expected 0 to 63", bits);
    mesh->node[node].fixed |= bits;
    return PKM_OK;
}

// ---- finishing ---------------------------------------------------------------------------------

/// Union and find without ranks: meshes have tens of nodes.
static int root_of(const int* parent, int i)
{
    while (parent[i] != i)
        i = parent[i];
    return i;
}

static void unite(int* parent, int a, int b)
{
    parent[root_of(parent, a)] = root_of(parent, b);
}

/// Every node hangs together with node 0 by elements and followers.
static pkm_status check_connected(const pkm_beam_mesh* mesh, pkm_error* err)
{
    int* parent = pkm_alloc((size_t)mesh->n_node, sizeof *parent);
    if (!parent) return pkm_out_of_memory(err);
    // all nodes in one set, or the link falls apart
    for (int i = 0; i < mesh->n_node; ++i)
        parent[i] = i;
    for (int e = 0; e < mesh->n_element; ++e)
        unite(parent, mesh->element[e].node[0], mesh->element[e].node[1]);
    for (int i = 0; i < mesh->n_node; ++i)
        if (mesh->node[i].leader != PKM_NONE) unite(parent, i, mesh->node[i].leader);
    int lost = PKM_NONE;
    for (int i = 1; i < mesh->n_node && lost == PKM_NONE; ++i)
        if (root_of(parent, i) != root_of(parent, 0)) lost = i;
    pkm_free(parent);
    if (lost == PKM_NONE) return PKM_OK;
    const pkm_vec3 at = mesh->node[lost].at.x;
    return pkm_fail(err, PKM_ERR_MODEL,
                    "beam mesh: the node at (%g, %g, %g) is not connected to the first one", at.x,
                    at.y, at.z);
}

/// A leader has six coordinates of its own: (3.2) is not applied twice.
static pkm_status check_leaders(const pkm_beam_mesh* mesh, pkm_error* err)
{
    for (int i = 0; i < mesh->n_node; ++i) {
        const int leader = mesh->node[i].leader;
        if (leader != PKM_NONE && mesh->node[leader].leader != PKM_NONE)
            return pkm_fail(err, PKM_ERR_MODEL,
                            "beam mesh: node %d follows node %d, which follows another", i, leader);
    }
    return PKM_OK;
}

/// A free node has six coordinates, one that follows the angles alpha_k of its joint (3.2).
static void number_nodes(pkm_beam_mesh* mesh)
{
    for (int i = 0; i < mesh->n_node; ++i) {
        mesh_node* node = &mesh->node[i];
        const int own = node->leader == PKM_NONE ? 6 : node->n_free;
        for (int d = 0; d < 6; ++d) {
            // what a follower or a support holds has no coordinate
            const bool is_held = d >= own || (node->fixed >> d & 1u);
            node->coordinate[d] = is_held ? PKM_NONE : mesh->n++;
        }
    }
}

/// What enters N, T, My, Mz of (1.1).
static bool is_same_section(const pkm_beam_section* a, const pkm_beam_section* b)
{
    return a->A == b->A && a->Iy == b->Iy && a->Iz == b->Iz && a->J == b->J;
}

/// The strains at end 0 of element e are those at end 1 of the one before it.
static bool is_smooth(const pkm_beam_mesh* mesh, int e)
{
    if (e == 0 || mesh->element[e].line != mesh->element[e - 1].line) return false;
    return !mesh->node[mesh->element[e].node[0]].is_loaded &&
           is_same_section(&mesh->element[e].data.section, &mesh->element[e - 1].data.section);
}

/// Strains of the cubic/quintic family: shared where they are continuous, else two sets.
static void number_strains(pkm_beam_mesh* mesh)
{
    if (mesh->shape != PKM_BEAM_CUBIC_QUINTIC) return;
    for (int e = 0; e < mesh->n_element; ++e) {
        // shared unless the section changes or something acts between
        const bool is_shared = is_smooth(mesh, e);
        for (int s = 0; s < 4; ++s)
            mesh->element[e].strain[0][s] =
                is_shared ? mesh->element[e - 1].strain[1][s] : mesh->n++;
        for (int s = 0; s < 4; ++s)
            mesh->element[e].strain[1][s] = mesh->n++;
    }
}

static bool is_same_element(const pkm_beam_element* a, const pkm_beam_element* b)
{
    // pieces of a line are as long but for the last digit
    return fabs(a->length - b->length) <= 1e-15 * a->length &&
           is_same_section(&a->section, &b->section) && a->section.Ip == b->section.Ip &&
           a->section.shear[0] == b->section.shear[0] &&
           a->section.shear[1] == b->section.shear[1] && a->material.E == b->material.E &&
           a->material.G == b->material.G && a->material.rho == b->material.rho;
}

/// Give equal elements the same set of local matrices.
static void share_matrices(pkm_beam_mesh* mesh)
{
    mesh->n_matrices = 0;
    for (int e = 0; e < mesh->n_element; ++e) {
        int twin = 0;
        while (twin < e && !is_same_element(&mesh->element[e].data, &mesh->element[twin].data))
            ++twin;
        mesh->element[e].matrices = twin < e ? mesh->element[twin].matrices : mesh->n_matrices++;
    }
}

static pkm_status make_local_matrices(pkm_beam_mesh* mesh, pkm_error* err)
{
    const size_t size = (size_t)pkm_beam_shape_size(mesh->shape), block = size * size;
    const size_t count = (size_t)mesh->n_matrices;
    mesh->K_local = pkm_alloc(block * count, sizeof(double));
    mesh->M_local = pkm_alloc(block * count, sizeof(double));
    if (!mesh->K_local || !mesh->M_local) return pkm_out_of_memory(err);
    for (int e = 0; e < mesh->n_element; ++e) {
        const pkm_beam_element* data = &mesh->element[e].data;
        const size_t at = (size_t)mesh->element[e].matrices;
        pkm_beam_element_stiffness(data, mesh->K_local + block * at);
        pkm_beam_element_mass(data, mesh->M_local + block * at);
    }
    return PKM_OK;
}

pkm_status pkm_beam_mesh_finish(pkm_beam_mesh* mesh, pkm_error* err)
{
    if (mesh->n_element == 0)
        return pkm_fail(err, PKM_ERR_MODEL, "beam mesh: there are no elements");
    PKM_TRY(check_leaders(mesh, err));
    PKM_TRY(check_connected(mesh, err));
    mesh->n = 0;
    number_nodes(mesh);
    number_strains(mesh);
    if (mesh->n == 0) return pkm_fail(err, PKM_ERR_MODEL, "beam mesh: every coordinate is fixed");
    share_matrices(mesh);
    PKM_TRY(make_local_matrices(mesh, err));
    // directions and arms at rest
    pkm_beam_mesh_update(mesh);
    return PKM_OK;
}
