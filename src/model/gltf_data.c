// Every index, offset and stride of a foreign file is checked against the size of what it points
// into, before anything is read.
#include "model/gltf_data.h"

#include "base/error.h"
#include "model/gltf.h"

#include <string.h>

enum {
    HEADER = 12,             // of a binary file: magic, version, length
    CHUNK = 8,               // of a chunk: length, kind
    JSON_CHUNK = 0x4e4f534a, // "JSON"
    DATA_CHUNK = 0x004e4942, // "BIN"
    TYPE_U8 = 5121,
    TYPE_U16 = 5123,
    TYPE_U32 = 5125,
    TYPE_F32 = 5126,
};
static const size_t most = (size_t)1 << 31; // of any length or offset [bytes]

pkm_status pkm_gltf_fail(const pkm_gltf* file, const char* text)
{
    return pkm_fail_at(file->err, PKM_ERR_SYNTAX, file->name, 0, 0, "%s", text);
}

/// Little-endian, as glTF is, on every machine.
static uint32_t read_u32(const unsigned char* b)
{
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

bool pkm_gltf_is(const char* bytes, size_t length)
{
    size_t k = 0;
    while (k < length && bytes[k] && strchr(" \t\r\n", bytes[k]))
        ++k;
    return (length >= 4 && memcmp(bytes, "glTF", 4) == 0) || (k < length && bytes[k] == '{');
}

// ---- buffers ----------------------------------------------------------------------------------

static int digit_of(char c)
{
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/// The bytes of a text in base64; padding ends it.
static pkm_status decode(const pkm_gltf* file, const char* text, size_t n, pkm_arena* arena,
                         pkm_gltf_bytes* out)
{
    unsigned char* bytes = pkm_arena_alloc(arena, n / 4 * 3 + 3, 1);
    if (!bytes) return pkm_out_of_memory(file->err);
    uint32_t bits = 0;
    int held = 0;
    size_t used = 0;
    for (size_t k = 0; k < n && text[k] != '='; ++k) {
        const int digit = digit_of(text[k]);
        if (digit < 0) return pkm_gltf_fail(file, "its data are no base64");
        // kept to 24 bits: what was handed out must not overflow
        bits = (bits << 6 | (uint32_t)digit) & 0xffffff;
        held += 6;
        if (held < 8) continue;
        held -= 8;
        bytes[used++] = (unsigned char)(bits >> held & 0xff);
    }
    *out = (pkm_gltf_bytes){bytes, used};
    return PKM_OK;
}

/// Buffer `uri`: data in a text, or the data chunk where there is none.
static pkm_status read_buffer(const pkm_gltf* file, const pkm_json_tree* uri, pkm_gltf_bytes data,
                              pkm_arena* arena, pkm_gltf_bytes* out)
{
    *out = data;
    if (!uri) return data.at ? PKM_OK : pkm_gltf_fail(file, "it has no data");
    static const char mark[] = ";base64,";
    const size_t n = sizeof mark - 1;
    const bool inside =
        uri->kind == PKM_JSON_TEXT && uri->length > n && !memcmp(uri->text, "data:", 5);
    // the type of the data stands before the mark: not far, or it is none
    for (size_t k = 5; inside && k + n <= uri->length && k < 200; ++k)
        if (memcmp(uri->text + k, mark, n) == 0)
            return decode(file, uri->text + k + n, uri->length - k - n, arena, out);
    return pkm_gltf_fail(file, "its data are in another file; a .glb has everything in one");
}

static pkm_status read_buffers(pkm_gltf* file, pkm_gltf_bytes data, pkm_arena* arena)
{
    const pkm_json_tree* list = pkm_json_tree_get(file->json, "buffers");
    const size_t n = list ? (size_t)list->n_child : 0;
    file->buffer = pkm_arena_alloc(arena, n + 1, sizeof *file->buffer);
    if (!file->buffer) return pkm_out_of_memory(file->err);
    const pkm_gltf_bytes none = {0};
    for (const pkm_json_tree* item = list ? list->first : NULL; item; item = item->next) {
        const size_t k = file->n_buffer++; // the chunk is the first buffer's
        PKM_TRY(read_buffer(file, pkm_json_tree_get(item, "uri"), k == 0 ? data : none, arena,
                            &file->buffer[k]));
    }
    return PKM_OK;
}

// ---- nodes ------------------------------------------------------------------------------------

static void mark_children(pkm_gltf* file)
{
    for (size_t i = 0; i < file->n_node; ++i) {
        const pkm_json_tree* children =
            pkm_json_tree_get(pkm_json_tree_item(file->nodes, (int)i), "children");
        for (const pkm_json_tree* c = children ? children->first : NULL; c; c = c->next) {
            size_t k = 0;
            if (file->n_node > 0 && pkm_json_tree_count(c, file->n_node - 1, 0, &k))
                file->is_child[k] = true;
        }
    }
}

static pkm_status read_nodes(pkm_gltf* file, pkm_arena* arena)
{
    const size_t n = file->nodes && file->nodes->item ? (size_t)file->nodes->n_child : 0;
    file->visited = pkm_arena_alloc(arena, n + 1, sizeof *file->visited);
    file->is_child = pkm_arena_alloc(arena, n + 1, sizeof *file->is_child);
    if (!file->visited || !file->is_child) return pkm_out_of_memory(file->err);
    memset(file->is_child, 0, (n + 1) * sizeof *file->is_child);
    file->n_node = n;
    mark_children(file);
    return PKM_OK;
}

// ---- the file ---------------------------------------------------------------------------------

/// The chunks of a binary file: JSON first, then the data.
static pkm_status open_binary(const pkm_gltf* file, const unsigned char* raw, size_t length,
                              pkm_gltf_bytes* json, pkm_gltf_bytes* data)
{
    if (length < HEADER + CHUNK) return pkm_gltf_fail(file, "the glTF file is cut short");
    if (read_u32(raw + 4) != 2) return pkm_gltf_fail(file, "expected glTF of version 2");
    // what stands behind the length that the header says is not read
    if (read_u32(raw + 8) > length) return pkm_gltf_fail(file, "the glTF file is cut short");
    const size_t end = read_u32(raw + 8);
    for (size_t at = HEADER; at + CHUNK <= end;) {
        const size_t n = read_u32(raw + at);
        const uint32_t kind = read_u32(raw + at + 4);
        at += CHUNK;
        if (n > end - at) return pkm_gltf_fail(file, "the glTF file is cut short");
        if (kind == JSON_CHUNK && !json->at) *json = (pkm_gltf_bytes){raw + at, n};
        if (kind == DATA_CHUNK && !data->at) *data = (pkm_gltf_bytes){raw + at, n};
        at += n;
    }
    return json->at ? PKM_OK : pkm_gltf_fail(file, "the glTF file has no JSON");
}

static pkm_status check_head(const pkm_gltf* file)
{
    const pkm_json_tree* version =
        pkm_json_tree_get(pkm_json_tree_get(file->json, "asset"), "version");
    if (!version || version->kind != PKM_JSON_TEXT || version->length < 1 ||
        version->text[0] != '2')
        return pkm_gltf_fail(file, "expected glTF of version 2");
    const pkm_json_tree* needs = pkm_json_tree_get(file->json, "extensionsRequired");
    if (needs && needs->first)
        return pkm_fail_at(file->err, PKM_ERR_SYNTAX, file->name, 0, 0,
                           "it needs the extension %.*s, which is not read",
                           (int)(needs->first->length < 60 ? needs->first->length : 60),
                           needs->first->text ? needs->first->text : "");
    return PKM_OK;
}

pkm_status pkm_gltf_open(const char* bytes, size_t length, const char* name, pkm_arena* arena,
                         pkm_gltf* out, pkm_error* err)
{
    *out = (pkm_gltf){.name = name, .err = err};
    pkm_gltf_bytes json = {0}, data = {0};
    const unsigned char* raw = (const unsigned char*)bytes;
    if (length >= 4 && memcmp(bytes, "glTF", 4) == 0) {
        PKM_TRY(open_binary(out, raw, length, &json, &data));
    } else {
        json = (pkm_gltf_bytes){raw, length};
    }
    PKM_TRY(pkm_json_tree_parse((const char*)json.at, json.length, name, arena, &out->json, err));
    PKM_TRY(check_head(out));
    out->nodes = pkm_json_tree_get(out->json, "nodes");
    out->meshes = pkm_json_tree_get(out->json, "meshes");
    out->accessors = pkm_json_tree_get(out->json, "accessors");
    out->views = pkm_json_tree_get(out->json, "bufferViews");
    PKM_TRY(read_buffers(out, data, arena));
    return read_nodes(out, arena);
}

// ---- accessors --------------------------------------------------------------------------------

static size_t size_of(int type)
{
    return type == TYPE_U8 ? 1 : type == TYPE_U16 ? 2 : 4;
}

/// Elements of `width` components each, all of them inside their part of the buffer.
static pkm_status find_numbers(const pkm_gltf* file, size_t index, size_t width,
                               pkm_gltf_numbers* out)
{
    const pkm_json_tree* a = pkm_json_tree_item(file->accessors, (int)index);
    size_t v = 0, type = 0, n = 0, b = 0, part = 0, skip = 0, start = 0, stride = 0;
    if (!a || pkm_json_tree_get(a, "sparse") || !pkm_json_tree_get(a, "bufferView") ||
        !pkm_json_tree_count(pkm_json_tree_get(a, "bufferView"), INT32_MAX, 0, &v))
        return pkm_gltf_fail(file, "an accessor is missing or sparse");
    const pkm_json_tree* view = pkm_json_tree_item(file->views, (int)v);
    bool ok = view && pkm_json_tree_count(pkm_json_tree_get(a, "componentType"), 6000, 0, &type) &&
              pkm_json_tree_count(pkm_json_tree_get(a, "count"), most, 0, &n) &&
              pkm_json_tree_count(pkm_json_tree_get(a, "byteOffset"), most, 0, &skip) &&
              pkm_json_tree_count(pkm_json_tree_get(view, "buffer"), INT32_MAX, 0, &b) &&
              pkm_json_tree_count(pkm_json_tree_get(view, "byteLength"), most, 0, &part) &&
              pkm_json_tree_count(pkm_json_tree_get(view, "byteOffset"), most, 0, &start) &&
              b < file->n_buffer;
    ok = ok && pkm_json_tree_is(pkm_json_tree_get(a, "type"), width == 3 ? "VEC3" : "SCALAR");
    ok = ok &&
         (width == 3 ? type == TYPE_F32 : type == TYPE_U8 || type == TYPE_U16 || type == TYPE_U32);
    if (!ok) return pkm_gltf_fail(file, "an accessor is not of a kind that is read");
    const size_t element = width * size_of((int)type);
    if (!pkm_json_tree_count(pkm_json_tree_get(view, "byteStride"), 252, element, &stride) ||
        stride < element)
        return pkm_gltf_fail(file, "the elements of a buffer overlap");
    const size_t room = file->buffer[b].length;
    // by differences that cannot be negative: sums of sizes from a file may overflow
    if (start > room || part > room - start || skip > part ||
        (n > 0 && (element > part - skip || (n - 1) > (part - skip - element) / stride)))
        return pkm_gltf_fail(file, "an accessor reaches beyond its data");
    *out = (pkm_gltf_numbers){file->buffer[b].at + start + skip, n, stride, (int)type};
    return PKM_OK;
}

pkm_status pkm_gltf_corners_find(const pkm_gltf* file, const pkm_json_tree* part,
                                 pkm_gltf_corners* out)
{
    *out = (pkm_gltf_corners){0};
    const pkm_json_tree* position =
        pkm_json_tree_get(pkm_json_tree_get(part, "attributes"), "POSITION");
    const pkm_json_tree* index = pkm_json_tree_get(part, "indices");
    size_t p = 0, k = 0;
    if (!position || !pkm_json_tree_count(position, INT32_MAX, 0, &p) ||
        !pkm_json_tree_count(index, INT32_MAX, 0, &k))
        return pkm_gltf_fail(file, "a mesh has no positions");
    PKM_TRY(find_numbers(file, p, 3, &out->position));
    if (index) PKM_TRY(find_numbers(file, k, 1, &out->index));
    out->n = index ? out->index.n : out->position.n;
    return PKM_OK;
}

static size_t index_at(const pkm_gltf_numbers* list, size_t i)
{
    const unsigned char* b = list->at + i * list->stride;
    if (list->type == TYPE_U8) return b[0];
    return list->type == TYPE_U16 ? (size_t)b[0] | (size_t)b[1] << 8 : read_u32(b);
}

static double float_at(const unsigned char* b)
{
    const uint32_t bits = read_u32(b);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

pkm_status pkm_gltf_corner(const pkm_gltf* file, const pkm_gltf_corners* list, size_t i,
                           pkm_vec3* out)
{
    const size_t k = list->index.at ? index_at(&list->index, i) : i;
    if (k >= list->position.n)
        return pkm_gltf_fail(file, "a triangle has a corner that is missing");
    const unsigned char* b = list->position.at + k * list->position.stride;
    *out = (pkm_vec3){float_at(b), float_at(b + 4), float_at(b + 8)};
    return PKM_OK;
}
