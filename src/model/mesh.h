/// Triangle meshes from STL files, ASCII or binary, and from glTF files (gltf.h).
#ifndef PKM_MODEL_MESH_H
#define PKM_MODEL_MESH_H

#include "base/memory.h"
#include "pkm/status.h"
#include "pkm/types.h"

typedef struct pkm_mesh {
    int n_triangle;
    pkm_vec3* corner; ///< 3 n_triangle, in the unit of the file
} pkm_mesh;

/// Read an STL or glTF file into `arena`. Errors name the fault; the place is that of the file.
PKM_NODISCARD pkm_status pkm_mesh_read(const char* path, pkm_arena* arena, pkm_mesh* out,
                                       pkm_error* err);
/// The same from bytes that end with a zero.
PKM_NODISCARD pkm_status pkm_mesh_parse(const char* bytes, size_t length, const char* name,
                                        pkm_arena* arena, pkm_mesh* out, pkm_error* err);

/// Check that the mesh bounds a volume: every edge is run through as often one way as the other,
/// and the triangles look outwards (counter-clockwise seen from outside).
///
/// @return PKM_ERR_MODEL naming an open edge, or the negative volume of a mesh turned inside out.
PKM_NODISCARD pkm_status pkm_mesh_check(const pkm_mesh* mesh, const char* name, pkm_error* err);

#endif
