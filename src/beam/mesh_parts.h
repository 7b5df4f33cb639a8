/// The inside of a mesh, shared by mesh.c (building) and assembly.c (matrices).
#ifndef PKM_BEAM_MESH_PARTS_H
#define PKM_BEAM_MESH_PARTS_H

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
} node_map;

typedef struct mesh_node {
    pkm_vec3 at;
    int leader; ///< PKM_NONE: its own six coordinates
    int n_free;
    pkm_vec3 axis[3];
    unsigned fixed;
    bool is_loaded; ///< carries a mass or leads: strains may jump here
    int coordinate[6];
    node_map map;
} mesh_node;

typedef struct mesh_element {
    pkm_beam_element data;
    int node[2];
    int line;
    int strain[2][4]; ///< coordinates u' rx' v'' w'' at both ends
    pkm_mat3 axes;
} mesh_element;

typedef struct mesh_line {
    int n_element, first_element;
    int end[2]; ///< nodes at the ends; those between are first_inner ...
    int first_inner;
    pkm_vec3 y;
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
    int n;           ///< coordinates
    double* K_local; ///< matrices of the elements in their axes, one after the other
    double* M_local;
};

/// S and the coordinates behind it: element coordinates = S q; returns how many columns it has. S
/// is column-major with pkm_beam_shape_size rows.
int pkm_beam_mesh_map(const pkm_beam_mesh* mesh, int element, double* S, int* coordinate);

#endif
