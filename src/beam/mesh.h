/// Meshes of beams: straight lines of elements between points, with masses, rigid ends, joints and
/// supports. The result is a linear system M q'' + K q = f with dense matrices.
///
///     create -> add nodes, lines, masses; follow, fix -> finish -> matrices
///
/// A node has the coordinates x y z rx ry rz in the axes of the mesh: displacement [m] and small
/// rotation [rad]. Cubic/quintic elements have their strains as coordinates besides, shared by two
/// neighbours only where the strain is continuous. docs/theory/beams.md, section 3.
#ifndef PKM_BEAM_MESH_H
#define PKM_BEAM_MESH_H

#include "base/sha256.h"
#include "beam/element.h"
#include "beam/jet.h"

typedef struct pkm_beam_mesh pkm_beam_mesh;

/// Equal elements in a row. Arrays are borrowed during pkm_beam_mesh_add_line only.
typedef struct pkm_beam_line {
    pkm_vec3 from, to; ///< where the line starts and ends [m], unless nodes are given
    int first, last;   ///< nodes at the ends that are there already; PKM_NONE: new ones
    pkm_vec3 y; ///< its part across the line is the y axis of the sections; null: any direction
    int n_element;
    int n_section; ///< 1, or n_element: one per element (tapered)
    const pkm_beam_section* section;
    pkm_beam_material material;
} pkm_beam_line;

/// A line without end nodes and with one section.
pkm_beam_line pkm_beam_line_make(pkm_vec3 from, pkm_vec3 to, int n_element,
                                 const pkm_beam_section* section, pkm_beam_material material);

/// @return PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_beam_mesh_create(pkm_beam_shape shape, pkm_beam_theory theory,
                                              pkm_beam_mesh** out);
void pkm_beam_mesh_free(pkm_beam_mesh* mesh);

// ---- building ----------------------------------------------------------------------------------

/// A node at `at`; its index.
PKM_NODISCARD pkm_status pkm_beam_mesh_add_node(pkm_beam_mesh* mesh, pkm_vec3 at, int* node,
                                                pkm_error* err);

/// A line of elements; its index. @return PKM_ERR_ARGUMENT for a bad section or material, no
/// elements, ends that coincide.
PKM_NODISCARD pkm_status pkm_beam_mesh_add_line(pkm_beam_mesh* mesh, const pkm_beam_line* line,
                                                int* index, pkm_error* err);

/// Node k = 0 .. n_element of a line.
int pkm_beam_mesh_line_node(const pkm_beam_mesh* mesh, int line, int k);
/// Element k = 0 .. n_element - 1 of a line.
int pkm_beam_mesh_line_element(const pkm_beam_mesh* mesh, int line, int k);

/// How many lines there are, how many elements line `line` has.
int pkm_beam_mesh_lines(const pkm_beam_mesh* mesh);
int pkm_beam_mesh_line_elements(const pkm_beam_mesh* mesh, int line);

/// The `n` elements of a line from its element `first` on as a free mesh of their own, finished,
/// with the masses on those of its nodes that it owns: owns [nodes of the whole]. The mesh `mesh`
/// is finished and nothing of it follows or is fixed.
PKM_NODISCARD pkm_status pkm_beam_mesh_part(const pkm_beam_mesh* mesh, int line, int first, int n,
                                            const bool* owns, pkm_beam_mesh** out, pkm_error* err);

/// A rigid body of `mass` [kg] on a node, its centre at `com` from the node, `inertia` [kg m2]
/// about the centre.
PKM_NODISCARD pkm_status pkm_beam_mesh_add_mass(pkm_beam_mesh* mesh, int node, double mass,
                                                pkm_vec3 com, pkm_mat3 inertia, pkm_error* err);

/// Scale the densities of all elements and the masses on nodes by `factor` > 0.
void pkm_beam_mesh_scale_mass(pkm_beam_mesh* mesh, double factor);

/// Join `node` to `leader`: a rigid arm between them and, for n_free > 0, a joint at `node` that
/// leaves rotation about the unit vectors axis[0 .. n_free-1] free (at most 3, independent).
///
/// n_free = 0 is a rigid end, 1 a revolute, 2 a universal, 3 a spherical joint. The node's rotation
/// is that of the leader across the free axes, plus a coordinate for each of them.
PKM_NODISCARD pkm_status pkm_beam_mesh_follow(pkm_beam_mesh* mesh, int node, int leader, int n_free,
                                              const pkm_vec3* axis, pkm_error* err);

/// Hold coordinates of a node, as bits 0..5 for x y z rx ry rz; of a follower only free rotations
/// could be held: fix its leader.
PKM_NODISCARD pkm_status pkm_beam_mesh_fix(pkm_beam_mesh* mesh, int node, unsigned bits,
                                           pkm_error* err);

enum { PKM_BEAM_FIX_POINT = 7, PKM_BEAM_FIX_ALL = 63 };

/// Number the coordinates and make the matrices of the elements. Nothing is added afterwards.
/// @return PKM_ERR_MODEL for an empty mesh, parts that are not connected, a leader that follows.
PKM_NODISCARD pkm_status pkm_beam_mesh_finish(pkm_beam_mesh* mesh, pkm_error* err);

/// Work out directions and arms; nothing here or below allocates.
void pkm_beam_mesh_update(pkm_beam_mesh* mesh);

// ---- the linear system --------------------------------------------------------------------------

int pkm_beam_mesh_size(const pkm_beam_mesh* mesh); ///< coordinates n
int pkm_beam_mesh_nodes(const pkm_beam_mesh* mesh);
int pkm_beam_mesh_elements(const pkm_beam_mesh* mesh);
/// The nodes at both ends of an element, and what it is made of.
void pkm_beam_mesh_element_nodes(const pkm_beam_mesh* mesh, int element, int node[2]);
const pkm_beam_element* pkm_beam_mesh_element_data(const pkm_beam_mesh* mesh, int element);
pkm_mat3 pkm_beam_mesh_element_axes(const pkm_beam_mesh* mesh, int element); ///< in the mesh
pkm_vec3 pkm_beam_mesh_at(const pkm_beam_mesh* mesh, int node);              ///< [m]
/// Does the node carry a mass or lead another one? Axial forces may jump there.
bool pkm_beam_mesh_is_loaded(const pkm_beam_mesh* mesh, int node);
double pkm_beam_mesh_total_mass(const pkm_beam_mesh* mesh); ///< [kg]
/// Index of coordinate d = 0..5 of a node, of free rotation d of a follower; PKM_NONE when held.
int pkm_beam_mesh_coordinate(const pkm_beam_mesh* mesh, int node, int d);
/// Add all that the matrices of a free mesh follow from: nodes, elements, masses.
void pkm_beam_mesh_digest(const pkm_beam_mesh* mesh, pkm_sha256* sha);

void pkm_beam_mesh_stiffness(const pkm_beam_mesh* mesh, double* K); ///< n x n
void pkm_beam_mesh_mass(const pkm_beam_mesh* mesh, double* M);      ///< n x n
/// Geometric stiffness of axial forces: three numbers per element as pkm_beam_element_geometric.
void pkm_beam_mesh_geometric(const pkm_beam_mesh* mesh, const double* force, double* K);

/// Bending takes from the length of a line, and what it takes is stretched evenly, (3.8): axial
/// forces with that as pkm_beam_mesh_geometric takes them, the part of the tangent stiffness that
/// couples stretch and bending K_c (n x n), and the forces of all of it f [n] beyond those of the
/// linear K. `work` has room for 2 n numbers.
void pkm_beam_mesh_shortening(const pkm_beam_mesh* mesh, const double* q, double* force,
                              double* K_c, double* f, double* work);

/// Forces rho W x of turning, where the symmetric W has ones at (a, b) and (b, a), twos when a = b;
/// lumped masses are at their own centres.
void pkm_beam_mesh_centrifugal(const pkm_beam_mesh* mesh, int a, int b, double* f);
/// Weight: the same field everywhere.
void pkm_beam_mesh_weight(const pkm_beam_mesh* mesh, pkm_vec3 gravity, double* f);
/// f += force [N] and torque [N m] on a node.
void pkm_beam_mesh_add_force(const pkm_beam_mesh* mesh, int node, pkm_vec3 force, pkm_vec3 torque,
                             double* f);

// ---- reading results ---------------------------------------------------------------------------

/// Displacement and rotation of a node.
void pkm_beam_mesh_node_motion(const pkm_beam_mesh* mesh, const double* q, int node, pkm_vec3* d,
                               pkm_vec3* r);

/// The coordinates of an element in its own axes, S q.
void pkm_beam_mesh_local_q(const pkm_beam_mesh* mesh, const double* q, int element,
                           double local[PKM_BEAM_MAX_SIZE]);

/// State of a beam at x = xi length of an element, in the element's axes (x along it).
typedef struct pkm_beam_point {
    pkm_vec3 d, r;   ///< displacement [m], rotation [rad]
    double force;    ///< axial force [N], tension positive
    pkm_vec3 moment; ///< torque and bending moments [N m] about x, y, z
    pkm_mat3 axes;   ///< the element's axes in the mesh
} pkm_beam_point;
pkm_beam_point pkm_beam_mesh_point(const pkm_beam_mesh* mesh, const double* q, int element,
                                   double xi);

/// Strain energy of an element [J] by kind: axial, bending (with shear), torsion.
void pkm_beam_mesh_energy(const pkm_beam_mesh* mesh, const double* q, int element,
                          double energy[3]);

/// Axial forces of the elements for pkm_beam_mesh_geometric (constant along each): force[3 e].
void pkm_beam_mesh_axial_forces(const pkm_beam_mesh* mesh, const double* q, double* force);

#endif
