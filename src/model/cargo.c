#include "base/error.h"
#include "model/key.h"

static pkm_status read_carrier(pkm_reader* r, const pkm_yaml* node, void* to)
{
    int* marker = to;
    PKM_TRY(pkm_reader_find_marker(r, node, marker));
    if (r->desc->marker[*marker].body != 0) return PKM_OK;
    return pkm_reader_fail(r, node, "'%.60s' is on the ground, expected a body", node->text);
}

#define AT(member) offsetof(pkm_desc_payload, member)
static const pkm_key keys[] = {{"mass", "that is carried", PKM_KEY_NUMBER, AT(mass.mass),
                                &pkm_dim_mass, PKM_RANGE_POSITIVE, .must = true},
                               {"at", "point of the body that carries it", PKM_KEY_MARKER,
                                AT(marker), .must = true, .read = read_carrier},
                               {"com", "centre of mass, in the axes of the point", PKM_KEY_VECTOR,
                                AT(mass.com), .dimension = &pkm_dim_length},
                               {"inertia", "about the centre of mass, xx yy zz or with xy xz yz",
                                PKM_KEY_NUMBERS, AT(mass.inertia), &pkm_dim_inertia, .n_least = 3,
                                .n_most = 6, .read = pkm_key_read_inertia},
                               {.name = NULL}};
#undef AT
const pkm_section pkm_cargo_section = {"cargo", "a mass that is carried", .key = keys};
