#include "check.h"
#include "model/mass.h"
#include "model/mesh.h"

#include <stdint.h>

static const double pi = 3.14159265358979323846;

/// A box of edges 1, 2, 3 from the origin, outward triangles.
static const int box_face[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                    {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                    {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

static pkm_vec3 box_corner(int i)
{
    return (pkm_vec3){i & 1 ? 1.0 : 0.0, i & 2 ? 2.0 : 0.0, i & 4 ? 3.0 : 0.0};
}

/// ASCII STL of the box; face `flip` is turned over, the last `missing` faces are left out.
static void write_ascii(char* out, size_t size, int flip, int missing)
{
    size_t used = (size_t)snprintf(out, size, "solid box\n");
    for (int f = 0; f < 12 - missing; ++f) {
        used += (size_t)snprintf(out + used, size - used, " facet normal 0 0 0\n outer loop\n");
        for (int k = 0; k < 3; ++k) {
            const pkm_vec3 p = box_corner(box_face[f][f == flip ? 2 - k : k]);
            used += (size_t)snprintf(out + used, size - used, "  vertex %g %g %g\n", p.x, p.y, p.z);
        }
        used += (size_t)snprintf(out + used, size - used, " endloop\n endfacet\n");
    }
    snprintf(out + used, size - used, "endsolid box\n");
}

static void put_f32(unsigned char* to, double value)
{
    const float f = (float)value;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    for (int i = 0; i < 4; ++i)
        to[i] = (unsigned char)(bits >> (8 * i));
}

/// Binary STL of the box; returns its size.
static size_t write_binary(unsigned char* out)
{
    memset(out, 0, 84 + 50 * 12);
    memcpy(out, "solid misleading", 16);
    out[80] = 12;
    for (int f = 0; f < 12; ++f)
        for (int k = 0; k < 3; ++k) {
            const pkm_vec3 p = box_corner(box_face[f][k]);
            unsigned char* at = out + 84 + 50 * f + 12 * (k + 1);
            put_f32(at, p.x);
            put_f32(at + 4, p.y);
            put_f32(at + 8, p.z);
        }
    return 84 + 50 * 12;
}

static void check_box(const pkm_mesh* mesh)
{
    pkm_error err;
    CHECK(mesh->n_triangle == 12);
    CHECK(pkm_mesh_check(mesh, "box", &err) == PKM_OK);
    const pkm_mass m = pkm_mass_mesh(mesh->corner, mesh->n_triangle, 10.0);
    const pkm_pose middle = {{0.5, 1.0, 1.5}, {1, 0, 0, 0}};
    const pkm_mass e = pkm_mass_box(middle, (pkm_vec3){1, 2, 3}, 10.0);
    CHECK_NEAR(m.mass, e.mass, 1e-13);
    CHECK_NEAR(m.com.x, 0.5, 1e-15);
    CHECK_NEAR(m.com.y, 1.0, 1e-15);
    CHECK_NEAR(m.com.z, 1.5, 1e-15);
    for (int i = 0; i < 6; ++i)
        CHECK_NEAR(m.inertia[i], e.inertia[i], 1e-13);
}

static void ascii_and_binary_boxes_meet_the_formula(void)
{
    char text[8000];
    unsigned char bytes[84 + 50 * 12 + 1] = {0};
    pkm_arena* arena = pkm_arena_create();
    pkm_mesh mesh;
    pkm_error err;
    write_ascii(text, sizeof text, -1, 0);
    CHECK(pkm_mesh_parse(text, strlen(text), "box", arena, &mesh, &err) == PKM_OK);
    check_box(&mesh);
    const size_t n = write_binary(bytes);
    CHECK(pkm_mesh_parse((const char*)bytes, n, "box", arena, &mesh, &err) == PKM_OK);
    check_box(&mesh);
    pkm_arena_free(arena);
}

// Tetrahedron with legs a, b, c along the axes: V = abc/6, COM (a, b, c)/4,
// J_xx about the COM = rho V 3/80 (b^2 + c^2), and tensor element xy = rho V ab/80.
static void tetrahedron_meets_the_formula(void)
{
    const double a = 1.0, b = 2.0, c = 3.0;
    const pkm_vec3 o = {10, 20, 30}, x = {11, 20, 30}, y = {10, 22, 30}, z = {10, 20, 33};
    const pkm_vec3 corner[12] = {o, y, x, o, x, z, o, z, y, x, y, z};
    const pkm_mesh mesh = {4, (pkm_vec3*)corner};
    pkm_error err;
    CHECK(pkm_mesh_check(&mesh, "t", &err) == PKM_OK);
    const pkm_mass m = pkm_mass_mesh(corner, 4, 2.0);
    const double mass = 2.0 * a * b * c / 6.0;
    CHECK_NEAR(m.mass, mass, 1e-12);
    CHECK_NEAR(m.com.x, 10 + a / 4, 1e-13);
    CHECK_NEAR(m.com.y, 20 + b / 4, 1e-13);
    CHECK_NEAR(m.com.z, 30 + c / 4, 1e-13);
    CHECK_NEAR(m.inertia[0], mass * 3 / 80 * (b * b + c * c), 1e-12);
    CHECK_NEAR(m.inertia[1], mass * 3 / 80 * (a * a + c * c), 1e-12);
    CHECK_NEAR(m.inertia[2], mass * 3 / 80 * (a * a + b * b), 1e-12);
    CHECK_NEAR(m.inertia[3], mass * a * b / 80, 1e-12);
    CHECK_NEAR(m.inertia[4], mass * a * c / 80, 1e-12);
    CHECK_NEAR(m.inertia[5], mass * b * c / 80, 1e-12);
}

static pkm_vec3 on_sphere(int i, int j, int n)
{
    const double u = pi * i / n, v = 2.0 * pi * (j % (2 * n)) / (2 * n);
    if (i == 0 || i == n) return (pkm_vec3){0, 0, i ? -1.0 : 1.0};
    return (pkm_vec3){sin(u) * cos(v), sin(u) * sin(v), cos(u)};
}

/// Triangles of a unit sphere on n bands; returns their number.
static int write_sphere(int n, pkm_vec3* corner)
{
    int at = 0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < 2 * n; ++j) {
            const pkm_vec3 a = on_sphere(i, j, n), b = on_sphere(i + 1, j, n);
            const pkm_vec3 c = on_sphere(i + 1, j + 1, n), d = on_sphere(i, j + 1, n);
            if (i < n - 1) corner[at] = a, corner[at + 1] = b, corner[at + 2] = c, at += 3;
            if (i > 0) corner[at] = a, corner[at + 1] = c, corner[at + 2] = d, at += 3;
        }
    return at / 3;
}

// The inscribed polyhedron converges with the square of the edge: halving the edges divides the
// error by four.
static void sphere_converges_with_the_square_of_the_edge(void)
{
    static pkm_vec3 corner[3 * 2 * 64 * 128];
    double error[3], inertia_error[3];
    for (int level = 0; level < 3; ++level) {
        const int n = 16 << level;
        const int n_triangle = write_sphere(n, corner);
        const pkm_mesh mesh = {n_triangle, corner};
        pkm_error err;
        CHECK(pkm_mesh_check(&mesh, "sphere", &err) == PKM_OK);
        const pkm_mass m = pkm_mass_mesh(corner, n_triangle, 1.0);
        const pkm_mass e = pkm_mass_sphere((pkm_vec3){0, 0, 0}, 1.0, 1.0);
        error[level] = e.mass - m.mass;
        inertia_error[level] = e.inertia[0] - m.inertia[0];
        CHECK_NEAR(m.com.z, 0.0, 1e-14);
    }
    CHECK_NEAR(error[0] / error[1], 4.0, 0.05);
    CHECK_NEAR(error[1] / error[2], 4.0, 0.02);
    CHECK_NEAR(inertia_error[1] / inertia_error[2], 4.0, 0.02);
    CHECK(error[2] < 1e-2 && error[2] > 0.0);
}

static void check_refused(const char* bytes, size_t n, const char* part)
{
    pkm_arena* arena = pkm_arena_create();
    pkm_mesh mesh;
    pkm_error err = {0};
    pkm_status status = pkm_mesh_parse(bytes, n, "box.stl", arena, &mesh, &err);
    if (status == PKM_OK) status = pkm_mesh_check(&mesh, "box.stl", &err);
    CHECK(status != PKM_OK);
    CHECK_CONTAINS(err.text, part);
    pkm_arena_free(arena);
}

static void open_and_inverted_meshes_are_refused(void)
{
    char text[8000];
    write_ascii(text, sizeof text, -1, 1);
    check_refused(text, strlen(text), "not closed");
    write_ascii(text, sizeof text, 5, 0);
    check_refused(text, strlen(text), "turned over");
}

static void a_mesh_turned_inside_out_is_refused(void)
{
    pkm_vec3 corner[36];
    for (int f = 0; f < 12; ++f)
        for (int k = 0; k < 3; ++k)
            corner[3 * f + k] = box_corner(box_face[f][2 - k]);
    const pkm_mesh mesh = {12, corner};
    pkm_error err;
    CHECK(pkm_mesh_check(&mesh, "box", &err) == PKM_ERR_MODEL);
    CHECK_CONTAINS(err.text, "inside out: its volume is -6");
}

static void files_that_are_no_stl_are_refused(void)
{
    unsigned char bytes[84 + 50 * 12 + 1] = {0};
    const size_t n = write_binary(bytes);
    bytes[0] = 'x';
    check_refused((const char*)bytes, n - 1, "not an STL or glTF file");
    put_f32(bytes + 84 + 12, INFINITY);
    check_refused((const char*)bytes, n, "not finite");
    check_refused("", 0, "not an STL or glTF file");
    check_refused("solid a\nendsolid a\n", 19, "no triangles");
    check_refused("solid a\nvertex 1 2 x\n", 21, "three finite numbers");
    check_refused("solid a\nvertex 1 2 nan\n", 23, "three finite numbers");
    check_refused("solid a\nvertex 1 2 3\n", 21, "not complete");
}

int main(void)
{
    RUN(ascii_and_binary_boxes_meet_the_formula);
    RUN(tetrahedron_meets_the_formula);
    RUN(sphere_converges_with_the_square_of_the_edge);
    RUN(open_and_inverted_meshes_are_refused);
    RUN(a_mesh_turned_inside_out_is_refused);
    RUN(files_that_are_no_stl_are_refused);
    return check_report();
}
