#include "base/error.h"
#include "model/reader_impl.h"

#include <math.h>

pkm_status pkm_materials_read(pkm_reader* r)
{
    static const char* const keys[] = {"density", "young", "poisson", NULL};
    const pkm_yaml* section = pkm_yaml_get(r->root, "materials");
    if (!section) return PKM_OK;
    PKM_TRY(pkm_reader_named_map(r, section));
    void* room = NULL;
    PKM_TRY(pkm_reader_alloc(r, section->n_child, sizeof(pkm_desc_material), &room));
    r->desc->material = room;
    for (const pkm_yaml* node = section->first; node; node = node->next) {
        pkm_desc_material* m = &r->desc->material[r->desc->n_material];
        *m = (pkm_desc_material){NULL, NAN, NAN, NAN};
        PKM_TRY(pkm_reader_keep(r, node->key, &m->name));
        PKM_TRY(pkm_reader_keys(r, node, keys));
        PKM_TRY(pkm_reader_optional(r, pkm_yaml_get(node, "density"), pkm_dim_density,
                                    PKM_RANGE_POSITIVE, &m->density));
        PKM_TRY(pkm_reader_optional(r, pkm_yaml_get(node, "young"), pkm_dim_pressure,
                                    PKM_RANGE_POSITIVE, &m->young));
        const pkm_yaml* poisson = pkm_yaml_get(node, "poisson");
        PKM_TRY(pkm_reader_optional(r, poisson, pkm_dim_one, PKM_RANGE_ANY, &m->poisson));
        if (poisson && !(m->poisson > -1.0 && m->poisson <= 0.5))
            return pkm_reader_fail(r, poisson, "%.60s, expected a ratio between -1 and 0.5",
                                   poisson->text);
        ++r->desc->n_material;
    }
    return PKM_OK;
}
