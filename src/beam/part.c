// A stretch of a line of elements as a mesh of its own: the pieces into which a link is cut for
// large deflections (flexible/pieces.c).
#include "base/error.h"
#include "base/memory.h"
#include "beam/mesh_impl.h"

/// Elements first .. first + n of a line as a line of their own.
static pkm_status copy_elements(const pkm_beam_mesh* from, const mesh_line* line, int first, int n,
                                pkm_beam_mesh* to, pkm_error* err)
{
    const mesh_element* element = from->element + line->first_element + first;
    // sections of tapered links differ from element to element
    pkm_beam_section* section = pkm_alloc((size_t)n, sizeof *section);
    if (!section) return pkm_out_of_memory(err);
    for (int k = 0; k < n; ++k)
        section[k] = element[k].data.section;
    pkm_beam_line copy = pkm_beam_line_make(from->node[element[0].node[0]].at.x,
                                            from->node[element[n - 1].node[1]].at.x, n, section,
                                            element[0].data.material);
    copy.n_section = n;
    copy.y = element[0].axes.y;
    int index;
    const pkm_status status = pkm_beam_mesh_add_line(to, &copy, &index, err);
    pkm_free(section);
    return status;
}

/// The masses on nodes that belong to the part.
static pkm_status copy_masses(const pkm_beam_mesh* from, const mesh_element* element, int n,
                              const bool* owns, pkm_beam_mesh* to, pkm_error* err)
{
    for (int i = 0; i < from->n_mass; ++i) {
        const mesh_mass* m = &from->mass[i];
        // a node between two pieces belongs to one of them alone
        if (!owns[m->node]) continue;
        int k = 0;
        while (k <= n && (k < n ? element[k].node[0] : element[n - 1].node[1]) != m->node)
            ++k;
        if (k > n) continue;
        PKM_TRY(pkm_beam_mesh_add_mass(to, pkm_beam_mesh_line_node(to, 0, k), m->mass, m->com,
                                       m->inertia, err));
    }
    return PKM_OK;
}

pkm_status pkm_beam_mesh_part(const pkm_beam_mesh* mesh, int line, int first, int n,
                              const bool* owns, pkm_beam_mesh** out, pkm_error* err)
{
    const mesh_line* of = &mesh->line[line];
    if (pkm_beam_mesh_create(mesh->shape, mesh->theory, out) != PKM_OK)
        return pkm_out_of_memory(err);
    pkm_status status = copy_elements(mesh, of, first, n, *out, err);
    if (status == PKM_OK)
        status = copy_masses(mesh, mesh->element + of->first_element + first, n, owns, *out, err);
    if (status == PKM_OK) status = pkm_beam_mesh_finish(*out, err);
    if (status == PKM_OK) return PKM_OK;
    pkm_beam_mesh_free(*out);
    *out = NULL;
    return status;
}

int pkm_beam_mesh_lines(const pkm_beam_mesh* mesh)
{
    return mesh->n_line;
}

int pkm_beam_mesh_line_elements(const pkm_beam_mesh* mesh, int line)
{
    return mesh->line[line].n_element;
}
