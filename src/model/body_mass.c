// Mass, centre and inertia of a body as written. A tensor that no body can have (a principal moment
// negative, or larger than the sum of the others) is refused.
#include "base/error.h"
#include "model/reader_impl.h"

#include <string.h>

enum { XX, YY, ZZ, XY, XZ, YZ };

/// Check a tensor: no principal moment is negative and none exceeds the sum of the others.
static pkm_status check_inertia(const pkm_reader* r, const pkm_yaml* node, const double inertia[6])
{
    // rounding in a printed table or an expression is no offence: 1e-9 of the largest moment
    double J[3];
    pkm_mass_principal(inertia, J);
    const double slack = 1e-9 * fabs(J[2]);
    if (J[0] < -slack || J[2] < 0.0)
        return pkm_reader_fail(r, node, "the principal moments are %g, %g, %g kg m2, expected >= 0",
                               J[0], J[1], J[2]);
    if (J[0] + J[1] < J[2] - slack)
        return pkm_reader_fail(r, node,
                               "the principal moments %g, %g, %g kg m2 violate the triangle "
                               "inequality, expected %g + %g >= %g",
                               J[0], J[1], J[2], J[0], J[1], J[2]);
    return PKM_OK;
}

static const pkm_key moments[] = {{.kind = PKM_KEY_NUMBER, .range = PKM_RANGE_NOT_NEGATIVE},
                                  {.kind = PKM_KEY_OWN}};
const pkm_key pkm_key_inertia[] = {
    {.kind = PKM_KEY_LIST, .n_least = 3, .n_most = 3, .either = moments},
    {.kind = PKM_KEY_NUMBERS, .dimension = &pkm_dim_inertia, .n_least = 6, .n_most = 6},
    {.kind = PKM_KEY_OWN}};

pkm_status pkm_key_read_inertia(pkm_reader* r, const pkm_yaml* node, void* to)
{
    double* inertia = to;
    memset(inertia, 0, 6 * sizeof inertia[0]);
    if (node->kind == PKM_YAML_LIST && node->n_child != 3 && node->n_child != 6)
        return pkm_reader_fail(r, node,
                               "a list of %d, expected [xx, yy, zz] or "
                               "[xx, yy, zz, xy, xz, yz]",
                               node->n_child);
    PKM_TRY(pkm_reader_list(r, node, 3, 6));
    for (const pkm_yaml* item = node->first; item; item = item->next)
        PKM_TRY(pkm_reader_number(r, item, pkm_dim_inertia,
                                  item->index < XY ? PKM_RANGE_NOT_NEGATIVE : PKM_RANGE_ANY,
                                  &inertia[item->index]));
    return check_inertia(r, node, inertia);
}

pkm_status pkm_mass_take(const pkm_reader* r, const pkm_yaml* node, const pkm_mass_draft* draft,
                         pkm_mass* out)
{
    if (!draft->has_mass && !draft->shapes.has_density)
        return pkm_reader_fail_key(r, node, PKM_MASS_RULE);
    *out = draft->shapes.mass;
    if (draft->has_mass) *out = pkm_mass_scale(draft->shapes.mass, draft->mass);
    if (draft->has_uniform) *out = pkm_mass_slender(draft->from, draft->to, out->mass);
    if (draft->has_com) out->com = draft->com;
    if (draft->has_inertia) memcpy(out->inertia, draft->inertia, sizeof out->inertia);
    return PKM_OK;
}
