/// The inside of a mesh: mesh.c builds, moving.c works out directions, assembly.c makes matrices.
#ifndef PKM_BEAM_MESH_IMPL_H
#define PKM_BEAM_MESH_IMPL_H

#include "beam/mesh.h"

enum {
    NODE_MAP = 9, ///< most coordinates behind a node: six of its leader, three free
    ELEMENT_MAP = 2 * NODE_MAP + 8, ///< most behind an element: two nodes and eight strains
};

/// (d, r) of a node = sum of column[k] times coordinate[k].
typedef struct node_map {
    int n;
    int coordinate[NODE_MAP];
    double column[NODE_MAP][6];
    double rate[NODE_MAP][6], second[NODE_MAP][6]; ///< time derivatives of the columns
} node_map;

typedef struct mesh_node {
    pkm_beam_jet at;
    int leader; ///< PKM_NONE: its own six coordinates
    int n_free;
    pkm_beam_jet axis[3];
    unsigned fixed;
    bool is_loaded; ///< carries a mass or leads: strains may jump here
    int coordinate[6];
    node_map map;
} mesh_node;

typedef struct mesh_element {
    pkm_beam_element data;
    int node[2];
    int line;
    int matrices;     ///< index of its local matrices: equal elements share them
    int strain[2][4]; ///< coordinates u' rx' v'' w'' at both ends
    pkm_mat3 axes, axes_rate, axes_second;
} mesh_element;

typedef struct mesh_line {
    int n_element, first_element;
    int end[2]; ///< nodes at the ends; those between are first_inner ...
    int first_inner;
    pkm_beam_jet y;
} mesh_line;

typedef struct mesh_mass {
    int node;
    double mass;
    pkm_vec3 com;
    pkm_mat3 inertia;
} mesh_mass;

struct pkm_beam_mesh {
    pkm_beam_shape shape;
    pkm_beam_theory theory;
    int n_node, n_element, n_line, n_mass;
    mesh_node* node;
    mesh_element* element;
    mesh_line* line;
    mesh_mass* mass;
    int n; ///< coordinates
    int n_matrices;
    double* K_local; ///< local matrices of the elements, one set after the other
    double* M_local;
};

/// How element coordinates follow from those of the mesh, q_e = S q: its columns by kind of end.
/// Column j touches the rows from row[j] on only: one end of the element.
typedef struct element_map {
    int n;
    int coordinate[ELEMENT_MAP];
    int row[ELEMENT_MAP]; ///< 0 or half the size
    double S[ELEMENT_MAP][PKM_BEAM_MAX_SIZE / 2];
} element_map;

/// S of order 0, its first and second derivative in time.
void pkm_beam_mesh_map(const pkm_beam_mesh* mesh, int element, int order, element_map* out);

/// f += the load of a field of force per mass [m/s2]: b0 and b1 at the ends of an element, b over a
/// lumped mass.
void pkm_beam_mesh_load_element(const pkm_beam_mesh* mesh, int element, pkm_vec3 b0, pkm_vec3 b1,
                                double* f);
void pkm_beam_mesh_load_mass(const pkm_beam_mesh* mesh, const mesh_mass* mass, pkm_vec3 b,
                             double* f);

/// The local matrix of an element in one of the lists above.
const double* pkm_beam_mesh_local(const pkm_beam_mesh* mesh, int element, const double* list,
                                  int per_set);

#endif
