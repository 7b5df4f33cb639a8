/// What the engine asks of the world, answered from inside the FMU: descriptions are trees already,
/// files are among the items of the seed, and there is no HDF5.
#include "base/error.h"
#include "base/memory.h"
#include "fmu/seed_data.h"
#include "model/h5.h"
#include "model/source.h"
#include "model/tree.h"

#include <string.h>

pkm_status pkm_yaml_parse(const char* text, size_t length, const char* name, pkm_arena* arena,
                          const pkm_yaml** out, pkm_error* err)
{
    return pkm_tree_read(text, length, name, arena, out, err);
}

pkm_status pkm_source_read(const char* path, size_t limit, char** bytes, size_t* length,
                           pkm_error* err)
{
    pkm_seed_item item;
    size_t at = 0;
    *bytes = NULL;
    *length = 0;
    while (pkm_seed_next(pkm_fmu_seed, &at, &item)) {
        if (item.tag != PKM_SEED_FILE || strcmp(item.name, path) != 0) continue;
        if (item.size > limit) return pkm_fail(err, PKM_ERR_FILE, "%s: it is too large", path);
        *bytes = pkm_alloc(item.size + 1, 1);
        if (!*bytes) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
        memcpy(*bytes, item.bytes, item.size);
        *length = item.size;
        return PKM_OK;
    }
    return pkm_fail(err, PKM_ERR_FILE, "%s: the FMU does not carry this file", path);
}

bool pkm_h5_is_name(const char* path)
{
    const char* dot = strrchr(path, '.');
    return dot && (strcmp(dot, ".h5") == 0 || strcmp(dot, ".hdf5") == 0);
}

pkm_status pkm_h5_read(const char* path, const pkm_h5_wish* wish, pkm_arena* arena,
                       pkm_h5_content* out, pkm_error* err)
{
    (void)wish, (void)arena, (void)out;
    return pkm_fail(err, PKM_ERR_FILE, "%s: an FMU reads no HDF5 files", path);
}
