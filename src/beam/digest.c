// The content of a mesh as a digest, by which equal links are told; members one by one, since
// structs have gaps.
#include "beam/mesh_impl.h"

#include <stddef.h>

static void add_node(pkm_sha256* sha, const mesh_node* node)
{
    const int whole[] = {node->leader, node->n_free, (int)node->fixed, node->is_loaded};
    pkm_sha256_add(sha, whole, sizeof whole);
    pkm_sha256_add(sha, &node->at.x, sizeof node->at.x);
}

static void add_element(pkm_sha256* sha, const mesh_element* element)
{
    const pkm_beam_element* data = &element->data;
    const int whole[] = {element->node[0], element->node[1], element->line, (int)data->shape,
                         (int)data->theory};
    pkm_sha256_add(sha, whole, sizeof whole);
    pkm_sha256_add(sha, &data->length, sizeof data->length);
    // members up to `outline` are doubles without gaps
    pkm_sha256_add(sha, &data->section, offsetof(pkm_beam_section, outline));
    pkm_sha256_add(sha, &data->section.outline, sizeof data->section.outline);
    pkm_sha256_add(sha, &data->section.inner, sizeof data->section.inner);
    pkm_sha256_add(sha, &data->material, sizeof data->material);
    pkm_sha256_add(sha, &element->axes, sizeof element->axes);
}

static void add_mass(pkm_sha256* sha, const mesh_mass* mass)
{
    pkm_sha256_add(sha, &mass->node, sizeof mass->node);
    pkm_sha256_add(sha, &mass->mass, sizeof mass->mass);
    pkm_sha256_add(sha, &mass->com, sizeof mass->com);
    pkm_sha256_add(sha, &mass->inertia, sizeof mass->inertia);
}

void pkm_beam_mesh_digest(const pkm_beam_mesh* mesh, pkm_sha256* sha)
{
    const int count[] = {mesh->n, mesh->n_node, mesh->n_element, mesh->n_mass};
    pkm_sha256_add(sha, count, sizeof count);
    for (int i = 0; i < mesh->n_node; ++i)
        add_node(sha, &mesh->node[i]);
    for (int i = 0; i < mesh->n_element; ++i)
        add_element(sha, &mesh->element[i]);
    for (int i = 0; i < mesh->n_mass; ++i)
        add_mass(sha, &mesh->mass[i]);
}
