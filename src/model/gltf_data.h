/// The data of a glTF file: its JSON, its buffers, corners of its primitives. For gltf.c.
#ifndef PKM_MODEL_GLTF_DATA_H
#define PKM_MODEL_GLTF_DATA_H

#include "model/json_tree.h"
#include "pkm/types.h"

#include <stdint.h>

typedef struct pkm_gltf_bytes {
    const unsigned char* at;
    size_t length;
} pkm_gltf_bytes;

typedef struct pkm_gltf {
    const char* name;
    pkm_error* err;
    const pkm_json_tree *json, *nodes, *meshes, *accessors, *views;
    bool *visited, *is_child; ///< of each node
    size_t n_node;
    pkm_gltf_bytes* buffer;
    size_t n_buffer;
} pkm_gltf;

/// Numbers of an accessor: `n` elements, `stride` bytes apart, all inside their buffer.
typedef struct pkm_gltf_numbers {
    const unsigned char* at;
    size_t n, stride;
    int type; ///< of a component: 5121, 5123, 5125 or 5126
} pkm_gltf_numbers;

/// Corners of a primitive: positions, and the index of each corner where there is one.
typedef struct pkm_gltf_corners {
    size_t n;
    pkm_gltf_numbers position, index;
} pkm_gltf_corners;

/// PKM_ERR_SYNTAX with the file's name.
pkm_status pkm_gltf_fail(const pkm_gltf* file, const char* text);

/// Take the file apart: header, chunks, JSON, buffers. All of it lives in `arena` and `bytes`.
PKM_NODISCARD pkm_status pkm_gltf_open(const char* bytes, size_t length, const char* name,
                                       pkm_arena* arena, pkm_gltf* out, pkm_error* err);

/// Where the corners of a primitive are; PKM_ERR_SYNTAX for what lies outside its buffer.
PKM_NODISCARD pkm_status pkm_gltf_corners_find(const pkm_gltf* file, const pkm_json_tree* part,
                                               pkm_gltf_corners* out);
/// Corner `i` < list->n; PKM_ERR_SYNTAX for an index without a position.
PKM_NODISCARD pkm_status pkm_gltf_corner(const pkm_gltf* file, const pkm_gltf_corners* list,
                                         size_t i, pkm_vec3* out);

#endif
