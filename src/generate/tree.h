/// The equations of docs/theory/engine.md as expressions: tree of joints, rows, inverse dynamics.
/// They are written here anew, over symbols, and share no code with src/dynamics.
#ifndef PKM_GENERATE_TREE_H
#define PKM_GENERATE_TREE_H

#include "generate/symbolic.h"
#include "mechanism/mechanism.h"
#include "model/mass.h"

typedef struct pkm_sym_body {
    pkm_sym_mat3 R;
    pkm_sym_vec3 p;
    pkm_sym_twist V, A;
} pkm_sym_body;

typedef struct pkm_sym_row {
    pkm_node residual;
    pkm_node bias; ///< c'' without accelerations
    pkm_sym_wrench wrench;
} pkm_sym_row;

typedef struct pkm_tree {
    pkm_graph* graph;
    const pkm_mechanism* mech;
    const pkm_mass* mass; ///< [n_body]
    pkm_node* q;          ///< [n_q] coordinates
    pkm_sym_body* body;   ///< [n_body]
    pkm_sym_twist* S;     ///< [n_v] motion columns
    pkm_sym_row* row;     ///< [n_row]
    pkm_sym_wrench* f;    ///< [n_body] work
} pkm_tree;

/// What the tool is asked to do.
typedef struct pkm_sym_tool {
    pkm_sym_vec3 p;
    pkm_sym_mat3 R;
} pkm_sym_tool;

PKM_NODISCARD pkm_status pkm_tree_create(pkm_graph* graph, const pkm_mechanism* mech,
                                         const pkm_mass* mass, pkm_tree* out, pkm_error* err);
void pkm_tree_free(pkm_tree* tree);

/// Poses and motion columns from tree->q (1.1), (1.2).
void pkm_tree_positions(pkm_tree* tree);
/// Twists from the velocities `v` [n_v] (1.5).
void pkm_tree_velocities(pkm_tree* tree, const pkm_node* v);
/// Their derivatives from accelerations `a` [n_v] (1.6), (1.7); NULL: none.
void pkm_tree_accelerations(pkm_tree* tree, const pkm_node* v, const pkm_node* a);

/// Generalised forces `out` [n_v] of inertia and weight, minus the wrench `load` on body
/// `loaded` (0: none) (4.1), (4.2).
void pkm_tree_forces(pkm_tree* tree, int loaded, pkm_sym_wrench load, pkm_node* out);
/// M x: those of inertia alone, at rest with accelerations `x`.
void pkm_tree_inertia(pkm_tree* tree, const pkm_node* x, pkm_node* out);

/// The tool's origin, and its axes.
pkm_sym_vec3 pkm_tree_tool_point(pkm_tree* tree);
pkm_sym_mat3 pkm_tree_tool_axes(pkm_tree* tree);

/// Residual and wrench of row `r`; of tool rows against `tool`, of drive rows against `drive`
/// (section 2).
void pkm_tree_row(pkm_tree* tree, int r, const pkm_sym_tool* tool, const pkm_node* drive);
/// Its entries, dense: out[n_v], 0 where there are none (2.1).
void pkm_tree_row_entries(pkm_tree* tree, int r, pkm_node* out);
/// Its bias, from the present twists and their derivatives without accelerations (2.6) to (2.9).
void pkm_tree_row_bias(pkm_tree* tree, int r);
/// Position of drive `d`.
pkm_node pkm_tree_drive(pkm_tree* tree, int d);

/// q moved by the velocity-like step `dx`, quaternions on the unit sphere.
void pkm_tree_move(pkm_tree* tree, const pkm_node* dx, pkm_node* out);

#endif
