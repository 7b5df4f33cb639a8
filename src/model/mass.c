// Mass properties of cylinders, boxes, spheres, slender bars and closed meshes, moved and put
// together by Steiner's rule; principal axes by Jacobi rotations.
#include "model/mass.h"

#include "math/angle.h"

#include <string.h>

/// I += s (a a')
static void add_outer(double inertia[6], double s, pkm_vec3 a)
{
    inertia[0] += s * a.x * a.x;
    inertia[1] += s * a.y * a.y;
    inertia[2] += s * a.z * a.z;
    inertia[3] += s * a.x * a.y;
    inertia[4] += s * a.x * a.z;
    inertia[5] += s * a.y * a.z;
}

/// I += s E
static void add_diagonal(double inertia[6], double s)
{
    for (int i = 0; i < 3; ++i)
        inertia[i] += s;
}

pkm_mass pkm_mass_add(pkm_mass a, pkm_mass b)
{
    pkm_mass out = {.mass = a.mass + b.mass, .com = a.com};
    for (int i = 0; i < 6; ++i)
        out.inertia[i] = a.inertia[i] + b.inertia[i];
    if (out.mass <= 0.0) return out;
    const pkm_vec3 d = pkm_vec3_sub(b.com, a.com);
    // Steiner: I += m_a m_b/(m_a + m_b) (d.d E - d d')
    const double reduced = a.mass * b.mass / out.mass;
    add_diagonal(out.inertia, reduced * pkm_vec3_dot(d, d));
    add_outer(out.inertia, -reduced, d);
    out.com = pkm_vec3_axpy(a.com, b.mass / out.mass, d);
    return out;
}

pkm_mass pkm_mass_scale(pkm_mass a, double mass)
{
    const double ratio = a.mass > 0.0 ? mass / a.mass : 0.0;
    pkm_mass out = {.mass = mass, .com = a.com};
    for (int i = 0; i < 6; ++i)
        out.inertia[i] = ratio * a.inertia[i];
    return out;
}

pkm_mass pkm_mass_move(pkm_mass a, pkm_pose pose)
{
    // R I R' column by column: I = sum over the body's axes e of (R I e)(R e)'
    const pkm_mat3 R = pkm_mat3_from_quat(pose.q);
    const double* I = a.inertia;
    const pkm_mat3 tensor = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
    const pkm_mat3 turned = pkm_mat3_matmul(pkm_mat3_matmul(R, tensor), pkm_mat3_transpose(R));
    pkm_mass out = {.mass = a.mass, .com = pkm_pose_point(pose, a.com)};
    const double elements[6] = {turned.x.x, turned.y.y, turned.z.z,
                                turned.x.y, turned.x.z, turned.y.z};
    memcpy(out.inertia, elements, sizeof elements);
    return out;
}

/// One Jacobi rotation in the plane (p, q) that makes a[p][q] zero.
static void jacobi_rotate(double a[3][3], int p, int q)
{
    if (a[p][q] == 0.0) return;
    // tan of the angle, the smaller root of t^2 + 2 theta t - 1 = 0: rotations of at most 45
    // degrees
    const double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    const double t = copysign(1.0, theta) / (fabs(theta) + sqrt(theta * theta + 1.0));
    const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    const int r = 3 - p - q;
    const double apq = a[p][q], arp = a[r][p], arq = a[r][q];
    a[p][p] -= t * apq;
    a[q][q] += t * apq;
    a[p][q] = a[q][p] = 0.0;
    a[r][p] = a[p][r] = c * arp - s * arq;
    a[r][q] = a[q][r] = s * arp + c * arq;
}

static void order(double* a, double* b)
{
    if (*a <= *b) return;
    const double t = *a;
    *a = *b;
    *b = t;
}

void pkm_mass_principal(const double I[6], double moment[3])
{
    double a[3][3] = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
    for (int sweep = 0; sweep < 12; ++sweep) { // quadratic convergence: 5 are enough
        jacobi_rotate(a, 0, 1);
        jacobi_rotate(a, 0, 2);
        jacobi_rotate(a, 1, 2);
    }
    for (int i = 0; i < 3; ++i)
        moment[i] = a[i][i];
    order(&moment[0], &moment[1]);
    order(&moment[1], &moment[2]);
    order(&moment[0], &moment[1]);
}

/// I = J_t E + (J_a - J_t) u u' for a body that is round about the axis u.
static void set_round(double inertia[6], pkm_vec3 axis, double axial, double transverse)
{
    memset(inertia, 0, 6 * sizeof inertia[0]);
    add_diagonal(inertia, transverse);
    add_outer(inertia, axial - transverse, axis);
}

pkm_mass pkm_mass_cylinder(pkm_vec3 from, pkm_vec3 to, double radius, double inner_radius,
                           double density)
{
    const pkm_vec3 along = pkm_vec3_sub(to, from);
    const double length = pkm_vec3_norm(along);
    // J_a = m (R^2 + r^2)/2, J_t = m (3 (R^2 + r^2) + l^2)/12
    const double squares = radius * radius + inner_radius * inner_radius;
    const double area = PKM_PI * (radius - inner_radius) * (radius + inner_radius);
    pkm_mass out = {.mass = density * area * length, .com = pkm_vec3_axpy(from, 0.5, along)};
    set_round(out.inertia, pkm_vec3_unit(along), 0.5 * out.mass * squares,
              out.mass * (3.0 * squares + length * length) / 12.0);
    return out;
}

pkm_mass pkm_mass_box(pkm_pose pose, pkm_vec3 size, double density)
{
    // I_x = m (y^2 + z^2)/12 ...
    const double xx = size.x * size.x, yy = size.y * size.y, zz = size.z * size.z;
    const double mass = density * size.x * size.y * size.z;
    const pkm_mass own = {
        mass,
        {0.0, 0.0, 0.0},
        {mass * (yy + zz) / 12.0, mass * (xx + zz) / 12.0, mass * (xx + yy) / 12.0, 0.0, 0.0, 0.0}};
    return pkm_mass_move(own, pose);
}

pkm_mass pkm_mass_sphere(pkm_vec3 center, double radius, double density)
{
    pkm_mass out = {.mass = density * 4.0 / 3.0 * PKM_PI * radius * radius * radius, .com = center};
    // 2/5 m r^2
    add_diagonal(out.inertia, 0.4 * out.mass * radius * radius);
    return out;
}

pkm_mass pkm_mass_slender(pkm_vec3 from, pkm_vec3 to, double mass)
{
    const pkm_vec3 along = pkm_vec3_sub(to, from);
    pkm_mass out = {.mass = mass, .com = pkm_vec3_axpy(from, 0.5, along)};
    // m l^2/12 across, nothing along
    set_round(out.inertia, pkm_vec3_unit(along), 0.0, mass * pkm_vec3_dot(along, along) / 12.0);
    return out;
}

/// Integrals over the tetrahedron (0, a, b, c), six times its volume being det = a.(b x c):
///
///     V = det/6,   int x dV = det/24 s,   int x x' dV = det/120 (a a' + b b' + c c' + s s'),
///
/// with s = a + b + c. `second` is int x x' dV as xx yy zz xy xz yz.
static void add_tetrahedron(pkm_vec3 a, pkm_vec3 b, pkm_vec3 c, double* volume, pkm_vec3* first,
                            double second[6])
{
    const double det = pkm_vec3_dot(a, pkm_vec3_cross(b, c));
    const pkm_vec3 s = pkm_vec3_add(a, pkm_vec3_add(b, c));
    *volume += det / 6.0;
    *first = pkm_vec3_axpy(*first, det / 24.0, s);
    add_outer(second, det / 120.0, a);
    add_outer(second, det / 120.0, b);
    add_outer(second, det / 120.0, c);
    add_outer(second, det / 120.0, s);
}

pkm_mass pkm_mass_mesh(const pkm_vec3* corner, int n_triangle, double density)
{
    // seen from the middle of the corners, so that a mesh far from the origin loses no digits
    pkm_vec3 middle = {0.0, 0.0, 0.0};
    for (int i = 0; i < 3 * n_triangle; ++i)
        middle = pkm_vec3_axpy(middle, 1.0 / (3.0 * n_triangle), corner[i]);

    double volume = 0.0, second[6] = {0.0};
    pkm_vec3 first = {0.0, 0.0, 0.0};
    for (int i = 0; i < n_triangle; ++i)
        add_tetrahedron(pkm_vec3_sub(corner[3 * i], middle),
                        pkm_vec3_sub(corner[3 * i + 1], middle),
                        pkm_vec3_sub(corner[3 * i + 2], middle), &volume, &first, second);

    // I = tr(S) E - S with S = int x x' dm about the COM
    const pkm_vec3 com = volume != 0.0 ? pkm_vec3_scale(1.0 / volume, first) : first;
    add_outer(second, -volume, com);
    pkm_mass out = {.mass = density * volume, .com = pkm_vec3_add(middle, com)};
    for (int i = 0; i < 6; ++i)
        out.inertia[i] = -density * second[i];
    add_diagonal(out.inertia, density * (second[0] + second[1] + second[2]));
    return out;
}
