/// Triangle meshes from glTF 2.0 files: binary (.glb), or JSON with its data inside (.gltf).
#ifndef PKM_MODEL_GLTF_H
#define PKM_MODEL_GLTF_H

#include "model/mesh.h"

#include <stdbool.h>

/// Do these bytes start as a glTF file, binary or JSON?
bool pkm_gltf_is(const char* bytes, size_t length);

/// The triangles of all meshes in the file's scene, each where its nodes put it [m].
///
/// glTF has y upwards, robots have z: (x, y, z) of the file becomes (x, -z, y), so that a part lies
/// as in an STL file that the same program has written. What would change the shape and is not
/// read is refused: compressed or sparse data, data in other files, skins, morph targets, lines.
///
/// @return PKM_ERR_SYNTAX naming the fault; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_gltf_parse(const char* bytes, size_t length, const char* name,
                                        pkm_arena* arena, pkm_mesh* out, pkm_error* err);

#endif
