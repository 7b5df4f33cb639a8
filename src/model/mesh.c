// STL in both its forms; the binary one is told by its size, since ASCII files begin alike. A mesh
// that gives a mass must be closed: every edge runs once in each direction.
#include "model/mesh.h"

#include "base/error.h"
#include "math/vec3.h"
#include "model/gltf.h"
#include "model/source.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_MB = 256,
    HEADER = 84, // binary: 80 bytes of anything, 4 bytes of count
    RECORD = 50, // binary: normal, three corners, two bytes of anything
};

/// Little-endian, whatever this machine is.
static uint32_t read_u32(const unsigned char* b)
{
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/// IEEE 754 single, little-endian.
static double read_f32(const unsigned char* b)
{
    const uint32_t bits = read_u32(b);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static pkm_status fail(pkm_error* err, const char* name, const char* text)
{
    return pkm_fail_at(err, PKM_ERR_SYNTAX, name, 0, 0, "%s", text);
}

/// The size has been checked against the count; normals are not read, corners say them.
static pkm_status parse_binary(const unsigned char* bytes, const char* name, pkm_arena* arena,
                               pkm_mesh* out, pkm_error* err)
{
    const size_t n = read_u32(bytes + HEADER - 4);
    out->corner = pkm_arena_alloc(arena, 3 * n, sizeof *out->corner);
    if (!out->corner) return pkm_out_of_memory(err);
    out->n_triangle = (int)n;
    for (size_t i = 0; i < 3 * n; ++i) {
        const unsigned char* b = bytes + HEADER + RECORD * (i / 3) + 12 * (i % 3 + 1);
        const pkm_vec3 p = {read_f32(b), read_f32(b + 4), read_f32(b + 8)};
        if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z))
            return fail(err, name, "a corner is not finite");
        out->corner[i] = p;
    }
    return PKM_OK;
}

/// The next word `vertex` and the three numbers behind it. @return 1, 0 at the end, -1 for a fault.
static int next_corner(const char** at, pkm_vec3* out)
{
    const char* s = strstr(*at, "vertex");
    if (!s) return 0;
    s += strlen("vertex");
    double value[3];
    for (int i = 0; i < 3; ++i) {
        char* end = NULL;
        value[i] = strtod(s, &end);
        if (end == s || !isfinite(value[i])) return -1;
        s = end;
    }
    *out = (pkm_vec3){value[0], value[1], value[2]};
    *at = s;
    return 1;
}

/// Twice over the text: counted, then read.
static pkm_status parse_ascii(const char* text, const char* name, pkm_arena* arena, pkm_mesh* out,
                              pkm_error* err)
{
    int n = 0, found = 0;
    pkm_vec3 p;
    for (const char* at = text; (found = next_corner(&at, &p)) > 0;)
        ++n;
    if (found < 0) return fail(err, name, "a vertex has no three finite numbers");
    if (n % 3 != 0) return fail(err, name, "the last triangle is not complete");
    out->corner = pkm_arena_alloc(arena, (size_t)n, sizeof *out->corner);
    if (!out->corner) return pkm_out_of_memory(err);
    out->n_triangle = n / 3;
    const char* at = text;
    for (int i = 0; i < n; ++i)
        next_corner(&at, &out->corner[i]);
    return PKM_OK;
}

pkm_status pkm_mesh_parse(const char* bytes, size_t length, const char* name, pkm_arena* arena,
                          pkm_mesh* out, pkm_error* err)
{
    *out = (pkm_mesh){0};
    const unsigned char* raw = (const unsigned char*)bytes;
    // a binary file tells its own size; some of them start with "solid" all the same
    const bool is_binary =
        length >= HEADER && length == HEADER + (size_t)RECORD * read_u32(raw + HEADER - 4);
    pkm_status status = PKM_OK;
    if (!is_binary && pkm_gltf_is(bytes, length)) {
        status = pkm_gltf_parse(bytes, length, name, arena, out, err);
    } else if (is_binary) {
        status = parse_binary(raw, name, arena, out, err);
    } else if (strncmp(bytes, "solid", 5) == 0) {
        status = parse_ascii(bytes, name, arena, out, err);
    } else {
        status = fail(err, name, "not an STL or glTF file, or cut short");
    }
    if (status == PKM_OK && out->n_triangle == 0) status = fail(err, name, "it has no triangles");
    return status;
}

pkm_status pkm_mesh_read(const char* path, pkm_arena* arena, pkm_mesh* out, pkm_error* err)
{
    char* bytes = NULL;
    size_t length = 0;
    PKM_TRY(pkm_source_read(path, (size_t)MAX_MB << 20, &bytes, &length, err));
    const pkm_status status = pkm_mesh_parse(bytes, length, path, arena, out, err);
    pkm_free(bytes);
    return status;
}

/// A corner with its place in the mesh, to be sorted by coordinates.
typedef struct sorted_corner {
    pkm_vec3 p;
    int at;
} sorted_corner;

static int compare(double a, double b)
{
    return (a > b) - (a < b);
}

static int by_place(const void* a, const void* b)
{
    const pkm_vec3 *p = &((const sorted_corner*)a)->p, *q = &((const sorted_corner*)b)->p;
    const int x = compare(p->x, q->x), y = compare(p->y, q->y);
    return x ? x : y ? y : compare(p->z, q->z);
}

/// Give equal corners equal numbers. Writers of STL repeat a corner bit by bit.
static void number_corners(const pkm_mesh* mesh, sorted_corner* sorted, int* number)
{
    const int n = 3 * mesh->n_triangle;
    for (int i = 0; i < n; ++i)
        sorted[i] = (sorted_corner){mesh->corner[i], i};
    qsort(sorted, (size_t)n, sizeof *sorted, by_place);
    int count = 0;
    for (int i = 0; i < n; ++i) {
        if (i > 0 && by_place(&sorted[i - 1], &sorted[i]) != 0) ++count;
        number[sorted[i].at] = count;
    }
}

/// An edge between numbered corners, low < high; `sign` tells which way it is run through.
typedef struct edge {
    int low, high, sign;
    int corner; // one of its ends, for messages
} edge;

static int by_ends(const void* a, const void* b)
{
    const edge *e = a, *f = b;
    return e->low != f->low ? (e->low > f->low) - (e->low < f->low)
                            : (e->high > f->high) - (e->high < f->high);
}

/// Three edges per triangle, each with the sign of its direction.
static int list_edges(const pkm_mesh* mesh, const int* number, edge* out)
{
    int n = 0;
    for (int i = 0; i < 3 * mesh->n_triangle; ++i) {
        const int next = i % 3 == 2 ? i - 2 : i + 1;
        const int a = number[i], b = number[next];
        if (a == b) continue; // a triangle without area
        out[n++] = a < b ? (edge){a, b, 1, i} : (edge){b, a, -1, i};
    }
    qsort(out, (size_t)n, sizeof *out, by_ends);
    return n;
}

/// The first edge whose signs do not cancel, or NULL.
static const edge* find_open(const edge* list, int n)
{
    for (int i = 0; i < n;) {
        int sum = 0, j = i;
        for (; j < n && by_ends(&list[i], &list[j]) == 0; ++j)
            sum += list[j].sign;
        if (sum != 0) return &list[i];
        i = j;
    }
    return NULL;
}

/// Sum of det(a, b, c)/6 over the triangles, seen from the first corner.
static double signed_volume(const pkm_mesh* mesh)
{
    double six = 0.0;
    const pkm_vec3 o = mesh->corner[0];
    for (const pkm_vec3* c = mesh->corner; c < mesh->corner + 3 * mesh->n_triangle; c += 3)
        six += pkm_vec3_dot(pkm_vec3_sub(c[0], o),
                            pkm_vec3_cross(pkm_vec3_sub(c[1], o), pkm_vec3_sub(c[2], o)));
    return six / 6.0;
}

/// A closed surface runs through every edge as often one way as the other.
static pkm_status check_edges(const pkm_mesh* mesh, sorted_corner* sorted, int* number, edge* list,
                              const char* name, pkm_error* err)
{
    number_corners(mesh, sorted, number);
    const edge* open = find_open(list, list_edges(mesh, number, list));
    if (open) {
        const pkm_vec3 p = mesh->corner[open->corner];
        return pkm_fail_at(err, PKM_ERR_MODEL, name, 0, 0,
                           "the mesh is not closed, or a triangle is turned over, at an edge from "
                           "(%g, %g, %g)",
                           p.x, p.y, p.z);
    }
    const double volume = signed_volume(mesh);
    if (volume > 0.0) return PKM_OK;
    return pkm_fail_at(err, PKM_ERR_MODEL, name, 0, 0,
                       "the mesh is turned inside out: its volume is %g, expected > 0", volume);
}

pkm_status pkm_mesh_check(const pkm_mesh* mesh, const char* name, pkm_error* err)
{
    const size_t n = 3 * (size_t)mesh->n_triangle;
    sorted_corner* sorted = pkm_alloc(n, sizeof *sorted);
    int* number = pkm_alloc(n, sizeof *number);
    edge* list = pkm_alloc(n, sizeof *list);
    pkm_status status = PKM_ERR_MEMORY;
    if (sorted && number && list) {
        status = check_edges(mesh, sorted, number, list, name, err);
    } else {
        pkm_out_of_memory(err);
    }
    pkm_free(sorted);
    pkm_free(number);
    pkm_free(list);
    return status;
}
