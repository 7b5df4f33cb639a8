// Materials of a model: density and elastic constants by name.
#include "base/error.h"
#include "model/reader_impl.h"

#include <math.h>

static pkm_status begin(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_desc_material* m = to;
    *m = (pkm_desc_material){NULL, NAN, NAN, NAN};
    return pkm_reader_keep(r, node->key, &m->name);
}

static pkm_status read_poisson(pkm_reader* r, const pkm_yaml* node, void* to)
{
    double* ratio = to;
    PKM_TRY(pkm_reader_number(r, node, pkm_dim_one, PKM_RANGE_ANY, ratio));
    if (*ratio > -1.0 && *ratio <= 0.5) return PKM_OK;
    return pkm_reader_fail(r, node, "%.60s, expected a ratio between -1 and 0.5", node->text);
}

#define AT(member) offsetof(pkm_desc_material, member)
static const pkm_key ratio[] = {{.kind = PKM_KEY_NUMBER, .least = -1.0, .most = 0.5},
                                {.kind = PKM_KEY_OWN}};
static const pkm_key keys[] = {{"density", "for the mass of shapes", PKM_KEY_NUMBER, AT(density),
                                &pkm_dim_density, .range = PKM_RANGE_POSITIVE},
                               {"young", "modulus, for flexible links", PKM_KEY_NUMBER, AT(young),
                                &pkm_dim_pressure, .range = PKM_RANGE_POSITIVE},
                               {"poisson", "ratio, for flexible links", PKM_KEY_OWN, AT(poisson),
                                .read = read_poisson, .either = ratio},
                               {.name = NULL}};
const pkm_section pkm_model_material = {"material", NULL, keys, .begin = begin};

pkm_status pkm_materials_read(pkm_reader* r)
{
    const pkm_yaml* section = pkm_yaml_get(r->root, "materials");
    if (!section) return PKM_OK;
    PKM_TRY(pkm_reader_named_map(r, section));
    void* room = NULL;
    PKM_TRY(pkm_reader_alloc(r, section->n_child, sizeof(pkm_desc_material), &room));
    r->desc->material = room;
    for (const pkm_yaml* node = section->first; node; node = node->next) {
        PKM_TRY(
            pkm_keys_read(r, node, &pkm_model_material, &r->desc->material[r->desc->n_material]));
        ++r->desc->n_material;
    }
    return PKM_OK;
}
