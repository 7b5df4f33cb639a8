// The same bodies as STL and as glTF: masses by the formulas, nodes by hand, damage refused.
#include "check.h"
#include "model/mass.h"
#include "model/mesh.h"

#include <stdint.h>
#include <stdlib.h>

/// A box of edges 1, 2, 3 from the origin, outward triangles.
static const int box_face[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                    {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                    {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
enum { DATA = 8 * 12 + 36 * 2 }; // positions, indices of two bytes

static pkm_vec3 box_corner(int i)
{
    return (pkm_vec3){i & 1 ? 1.0 : 0.0, i & 2 ? 2.0 : 0.0, i & 4 ? 3.0 : 0.0};
}

static void put(unsigned char* to, uint32_t value, int n)
{
    for (int i = 0; i < n; ++i)
        to[i] = (unsigned char)(value >> (8 * i));
}

static void put_f32(unsigned char* to, double value)
{
    const float f = (float)value;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    put(to, bits, 4);
}

/// The box with y upwards, as glTF has it: z of the robot is its y, y its -z.
static void write_data(unsigned char* out)
{
    for (int i = 0; i < 8; ++i) {
        const pkm_vec3 p = box_corner(i);
        put_f32(out + 12 * i, p.x);
        put_f32(out + 12 * i + 4, p.z);
        put_f32(out + 12 * i + 8, -p.y);
    }
    for (int k = 0; k < 36; ++k)
        put(out + 96 + 2 * k, (uint32_t)box_face[k / 3][k % 3], 2);
}

#define ASSET "{\"asset\":{\"version\":\"2.0\"},"
#define ACCESSORS                                                                                  \
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":8,\"type\":\"VEC3\"},"      \
    "{\"bufferView\":1,\"componentType\":5123,\"count\":36,\"type\":\"SCALAR\"}],"                 \
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":96},"                                           \
    "{\"buffer\":0,\"byteOffset\":96,\"byteLength\":72}],"
#define BOX                                                                                        \
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}]," ACCESSORS
#define BUFFER "\"buffers\":[{\"byteLength\":168}]}"
#define SCENE  "\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"

static size_t write_glb(unsigned char* out, const char* json)
{
    const size_t n = (strlen(json) + 3) / 4 * 4;
    memcpy(out, "glTF", 4);
    put(out + 4, 2, 4);
    put(out + 8, (uint32_t)(12 + 8 + n + 8 + DATA), 4);
    put(out + 12, (uint32_t)n, 4);
    memcpy(out + 16, "JSON", 4);
    memset(out + 20, ' ', n);
    memcpy(out + 20, json, strlen(json));
    put(out + 20 + n, DATA, 4);
    memcpy(out + 24 + n, "BIN", 4);
    write_data(out + 28 + n);
    out[28 + n + DATA] = 0;
    return 28 + n + DATA;
}

/// Parse the file of this JSON with the box as its data.
static pkm_status parse(const char* json, pkm_arena* arena, pkm_mesh* mesh, pkm_error* err)
{
    unsigned char bytes[4000];
    const size_t n = write_glb(bytes, json);
    return pkm_mesh_parse((const char*)bytes, n, "box.glb", arena, mesh, err);
}

static void check_mass(const pkm_mesh* mesh, pkm_pose middle, pkm_vec3 size)
{
    pkm_error err;
    CHECK(pkm_mesh_check(mesh, "box", &err) == PKM_OK);
    const pkm_mass m = pkm_mass_mesh(mesh->corner, mesh->n_triangle, 10.0);
    const pkm_mass e = pkm_mass_box(middle, size, 10.0);
    CHECK_NEAR(m.mass, e.mass, 1e-12);
    CHECK_NEAR(pkm_vec3_norm(pkm_vec3_sub(m.com, e.com)), 0.0, 1e-12);
    for (int i = 0; i < 6; ++i)
        CHECK_NEAR(m.inertia[i], e.inertia[i], 1e-11);
}

static void a_box_lies_as_in_the_stl_file_of_the_same_program(void)
{
    pkm_arena* arena = pkm_arena_create();
    pkm_mesh mesh;
    pkm_error err;
    CHECK(parse(ASSET SCENE "\"nodes\":[{\"mesh\":0}]," BOX BUFFER, arena, &mesh, &err) == PKM_OK);
    CHECK(mesh.n_triangle == 12);
    for (int k = 0; mesh.n_triangle == 12 && k < 36; ++k)
        CHECK_NEAR(pkm_vec3_norm(pkm_vec3_sub(mesh.corner[k], box_corner(box_face[k / 3][k % 3]))),
                   0, 0);
    check_mass(&mesh, (pkm_pose){{0.5, 1.0, 1.5}, {1, 0, 0, 0}}, (pkm_vec3){1, 2, 3});
    pkm_arena_free(arena);
}

// The inner node doubles x of the file, the outer one turns by 90 degrees about its y (upwards: z
// of the robot) and shifts by (10, 20, 30), which the robot sees as (10, -30, 20): the box of
// edges 2, 2, 3 has its middle (1, 1, 1.5) turned to (-1, 1, 1.5).
static void nodes_put_a_mesh_where_they_say(void)
{
    pkm_arena* arena = pkm_arena_create();
    pkm_mesh mesh;
    pkm_error err;
    CHECK(parse(ASSET SCENE "\"nodes\":[{\"children\":[1],\"translation\":[10,20,30],"
                            "\"rotation\":[0,0.7071067811865476,0,0.7071067811865476]},"
                            "{\"mesh\":0,\"scale\":[2,1,1]}]," BOX BUFFER,
                arena, &mesh, &err) == PKM_OK);
    const double h = sqrt(0.5);
    check_mass(&mesh, (pkm_pose){{9, -29, 21.5}, {h, 0, 0, h}}, (pkm_vec3){2, 2, 3});
    // the same by a matrix (columns), without a scene, and mirrored in x: triangles stay outwards
    CHECK(
        parse(ASSET
              "\"nodes\":[{\"mesh\":0,\"matrix\":[-2,0,0,0,0,1,0,0,0,0,1,0,5,6,7,1]}]," BOX BUFFER,
              arena, &mesh, &err) == PKM_OK);
    check_mass(&mesh, (pkm_pose){{4, -6, 7.5}, {1, 0, 0, 0}}, (pkm_vec3){2, 2, 3});
    // a mesh that two nodes show is there twice
    CHECK(parse(ASSET "\"nodes\":[{\"mesh\":0},{\"mesh\":0,\"translation\":[5,0,0]}]," BOX BUFFER,
                arena, &mesh, &err) == PKM_OK);
    CHECK(mesh.n_triangle == 24);
    pkm_arena_free(arena);
}

static size_t write_base64(char* out, const unsigned char* data, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t used = 0;
    for (size_t i = 0; i < n; i += 3) { // n is a multiple of 3 here
        const uint32_t v = (uint32_t)data[i] << 16 | (uint32_t)data[i + 1] << 8 | data[i + 2];
        for (int k = 3; k >= 0; --k)
            out[used++] = digits[v >> (6 * k) & 63];
    }
    out[used] = 0;
    return used;
}

static void a_text_file_with_its_data_inside_is_the_same(void)
{
    unsigned char data[DATA];
    char base64[DATA * 2], text[4000];
    write_data(data);
    CHECK(write_base64(base64, data, DATA) == DATA / 3 * 4);
    const int n = snprintf(text, sizeof text,
                           "\n %s\"nodes\":[{\"mesh\":0}],%s\"buffers\":[{\"byteLength\":168,"
                           "\"uri\":\"data:application/octet-stream;base64,%s\"}]}\n",
                           ASSET, BOX, base64);
    pkm_arena* arena = pkm_arena_create();
    pkm_mesh mesh;
    pkm_error err;
    CHECK(pkm_mesh_parse(text, (size_t)n, "box.gltf", arena, &mesh, &err) == PKM_OK);
    check_mass(&mesh, (pkm_pose){{0.5, 1.0, 1.5}, {1, 0, 0, 0}}, (pkm_vec3){1, 2, 3});
    // cut anywhere it is refused
    for (size_t k = 2; k + 1 < (size_t)n; ++k)
        CHECK(pkm_mesh_parse(text, k, "box.gltf", arena, &mesh, &err) == PKM_ERR_SYNTAX);
    pkm_arena_free(arena);
}

static void a_binary_file_that_is_cut_is_refused(void)
{
    unsigned char bytes[4000];
    pkm_arena* arena = pkm_arena_create();
    pkm_mesh mesh;
    pkm_error err;
    const size_t n = write_glb(bytes, ASSET "\"nodes\":[{\"mesh\":0}]," BOX BUFFER);
    for (size_t k = 0; k < n; ++k) {
        char* cut = malloc(k + 1); // of its own, so that reading beyond it is seen
        memcpy(cut, bytes, k);
        cut[k] = 0;
        CHECK(pkm_mesh_parse(cut, k, "box.glb", arena, &mesh, &err) == PKM_ERR_SYNTAX);
        free(cut);
    }
    pkm_arena_free(arena);
}

static void check_refused(const char* json, const char* why)
{
    pkm_arena* arena = pkm_arena_create();
    pkm_mesh mesh;
    pkm_error err = {0};
    CHECK(parse(json, arena, &mesh, &err) == PKM_ERR_SYNTAX);
    CHECK_CONTAINS(err.text, why);
    pkm_arena_free(arena);
}

#define NODES      "\"nodes\":[{\"mesh\":0}],"
#define MESH(more) "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}" more "}]}],"

static void what_is_not_read_is_refused_with_the_reason(void)
{
    check_refused("{\"asset\":{\"version\":\"1.0\"}}", "version 2");
    check_refused("{\"asset\":{\"version\":\"2.0\"},}", "no JSON");
    check_refused(ASSET "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]," NODES BOX BUFFER,
                  "KHR_draco_mesh_compression");
    check_refused(ASSET NODES BOX "\"buffers\":[{\"uri\":\"box.bin\"}]}", "another file");
    check_refused(ASSET "\"nodes\":[{\"mesh\":1}]," BOX BUFFER, "a mesh is missing");
    check_refused(ASSET SCENE "\"nodes\":[{\"children\":[1]},{\"children\":[0]}]," BOX BUFFER,
                  "more than one parent");
    check_refused(ASSET SCENE "\"nodes\":[{\"children\":[7]}]," BOX BUFFER, "a node is missing");
    check_refused(ASSET "\"scene\":3,\"scenes\":[{\"nodes\":[0]}]," NODES BOX BUFFER, "the scene");
    check_refused(ASSET "\"nodes\":[{\"mesh\":0,\"scale\":[1,0,1]}]," BOX BUFFER, "flattens");
    check_refused(ASSET "\"nodes\":[{\"mesh\":0,\"scale\":[1,1]}]," BOX BUFFER, "numbers");
    check_refused(ASSET "\"nodes\":[{\"mesh\":0,\"skin\":0}]," BOX BUFFER, "skin");
    check_refused(ASSET NODES MESH(",\"indices\":1,\"mode\":1") ACCESSORS BUFFER,
                  "single triangles");
    check_refused(ASSET NODES MESH(",\"indices\":1,\"targets\":[]") ACCESSORS BUFFER, "morph");
    check_refused(ASSET NODES MESH(",\"indices\":0") ACCESSORS BUFFER, "not of a kind");
    check_refused(ASSET NODES MESH(",\"indices\":9") ACCESSORS BUFFER, "missing or sparse");
    check_refused(ASSET NODES MESH("") ACCESSORS BUFFER, "not complete"); // eight corners
    check_refused(ASSET "\"nodes\":[]," BOX BUFFER, "no triangles");
}

/// An accessor of positions with these numbers.
static void check_reach(const char* accessor, const char* view, const char* why)
{
    char json[1000];
    snprintf(
        json, sizeof json,
        ASSET NODES MESH("") "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,"
                             "\"type\":\"VEC3\",%s}],\"bufferViews\":[{\"buffer\":0,%s}]," BUFFER,
        accessor, view);
    check_refused(json, why);
}

static void accessors_stay_inside_their_data(void)
{
    check_reach("\"count\":9", "\"byteLength\":96", "beyond its data");
    check_reach("\"count\":15", "\"byteLength\":180", "beyond its data");
    check_reach("\"count\":1", "\"byteLength\":96,\"byteOffset\":4294967295", "not of a kind");
    check_reach("\"count\":1", "\"byteLength\":12,\"byteOffset\":160", "beyond its data");
    check_reach("\"count\":2147483647", "\"byteLength\":96", "beyond its data");
    check_reach("\"count\":3,\"byteOffset\":100", "\"byteLength\":96", "beyond its data");
    check_reach("\"count\":3", "\"byteLength\":96,\"byteStride\":4", "overlap");
    check_reach("\"count\":3", "\"byteLength\":96,\"byteStride\":48", "beyond its data");
    check_reach("\"count\":-1", "\"byteLength\":96", "not of a kind");
    check_reach("\"count\":1.5", "\"byteLength\":96", "not of a kind");
    // an index beyond the positions
    check_refused(
        ASSET NODES MESH(
            ",\"indices\":1") "\"accessors\":[{\"bufferView\":0,"
                              "\"componentType\":5126,\"count\":7,\"type\":\"VEC3\"},{"
                              "\"bufferView\":1,"
                              "\"componentType\":5123,\"count\":36,\"type\":\"SCALAR\"}],"
                              "\"bufferViews\":["
                              "{\"buffer\":0,\"byteLength\":96},"
                              "{\"buffer\":0,\"byteOffset\":96,\"byteLength\":72}]," BUFFER,
        "corner that is missing");
}

static void memory_that_runs_out_is_told(void)
{
    for (size_t n = 1; n < 200; ++n) {
        pkm_arena* arena = pkm_arena_create();
        pkm_mesh mesh;
        pkm_error err = {0};
        pkm_alloc_fail_at(n);
        const pkm_status status =
            parse(ASSET "\"nodes\":[{\"mesh\":0}]," BOX BUFFER, arena, &mesh, &err);
        pkm_alloc_fail_at(0);
        pkm_arena_free(arena);
        if (status == PKM_OK) {
            CHECK(n > 1);
            return;
        }
        CHECK(status == PKM_ERR_MEMORY);
    }
    CHECK(!"it ends");
}

int main(void)
{
    RUN(a_box_lies_as_in_the_stl_file_of_the_same_program);
    RUN(nodes_put_a_mesh_where_they_say);
    RUN(a_text_file_with_its_data_inside_is_the_same);
    RUN(a_binary_file_that_is_cut_is_refused);
    RUN(what_is_not_read_is_refused_with_the_reason);
    RUN(accessors_stay_inside_their_data);
    RUN(memory_that_runs_out_is_told);
    return check_report();
}
