/// Meshes that move: on a rigid motion, with what their turning axes couple, docs/theory/beams.md,
/// (3.6). Meshes of the library stand still; this second formulation of Kuo's Delta moves them.
#ifndef PKM_TESTS_KUO_MOVING_MESH_H
#define PKM_TESTS_KUO_MOVING_MESH_H

#include "beam/mesh.h"

/// Put the nodes of a line on the way between two moving points; `y` is the moving y direction of
/// its sections and not along the line. pkm_beam_mesh_update comes after all of these.
void pkm_beam_mesh_move_line(pkm_beam_mesh* mesh, int line, pkm_beam_jet from, pkm_beam_jet to,
                             pkm_beam_jet y);
void pkm_beam_mesh_move_node(pkm_beam_mesh* mesh, int node, pkm_beam_jet at);
/// New directions of the free axes of a follower.
void pkm_beam_mesh_move_axes(pkm_beam_mesh* mesh, int node, const pkm_beam_jet* axis);

/// Mass integrals of pairs of displacements, S[a][b] = integral of rho A N_a N_b' dx with
/// a, b = u, v, w: what rotation of the axes couples, (2.9).
void pkm_beam_element_pair(const pkm_beam_element* element, int a, int b, double* S);

/// What the motion of the axes adds to M q'' + K q (3.6): C q' + D q with C and D n x n, not
/// symmetric. They come from the rates of directions, arms and joint axes alone.
void pkm_beam_mesh_coupling(const pkm_beam_mesh* mesh, double* C, double* D);

/// Forces of a field of force per mass `b` [m/s2], given at the nodes and linear between them; over
/// a lumped mass it is uniform. Weight has b = g everywhere, the inertia of a rigid motion b = -a.
void pkm_beam_mesh_load(const pkm_beam_mesh* mesh, const pkm_vec3* b, double* f);
/// Weight and inertia of the rigid motion: the same with b = gravity - acceleration of the nodes.
void pkm_beam_mesh_rigid_load(const pkm_beam_mesh* mesh, pkm_vec3 gravity, double* f);

#endif
