#include "base/error.h"
#include "model/reader_impl.h"

#include <string.h>

enum { XX, YY, ZZ, XY, XZ, YZ };

pkm_status pkm_inertia_check(const pkm_reader* r, const pkm_yaml* node, const double inertia[6])
{
    // Rounding in a printed table or an expression is no offence: 1e-9 of the largest moment.
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

pkm_status pkm_inertia_read(const pkm_reader* r, const pkm_yaml* node, double inertia[6])
{
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
    return pkm_inertia_check(r, node, inertia);
}

static pkm_status read_uniform(const pkm_reader* r, const pkm_yaml* body_node, int body,
                               double mass, pkm_mass* out)
{
    static const char* const keys[] = {"!from", "!to", NULL};
    const pkm_yaml* node = pkm_yaml_get(body_node, "uniform");
    PKM_TRY(pkm_reader_keys(r, node, keys));
    pkm_vec3 from, to;
    PKM_TRY(pkm_reader_body_point(r, pkm_yaml_get(node, "from"), body, &from));
    PKM_TRY(pkm_reader_body_point(r, pkm_yaml_get(node, "to"), body, &to));
    if (!pkm_yaml_get(body_node, "mass"))
        return pkm_reader_fail_key(r, body_node, "'uniform' needs the key 'mass'");
    static const char* const others[] = {"com", "inertia"};
    for (int i = 0; i < 2; ++i)
        if (pkm_yaml_get(body_node, others[i]))
            return pkm_reader_fail_key(r, pkm_yaml_get(body_node, others[i]),
                                       "'%s' follows from 'uniform' already", others[i]);
    *out = pkm_mass_slender(from, to, mass);
    return PKM_OK;
}

/// Mass, centre and inertia: as given, else from `uniform`, else from the shapes.
static pkm_status read_mass(const pkm_reader* r, const pkm_yaml* node, int body,
                            const pkm_shapes* shapes, pkm_mass* out)
{
    const pkm_yaml *mass = pkm_yaml_get(node, "mass"), *com = pkm_yaml_get(node, "com");
    const pkm_yaml* inertia = pkm_yaml_get(node, "inertia");
    if (!mass && !shapes->has_density)
        return pkm_reader_fail_key(r, node,
                                   "the key 'mass' is missing, and no shape has a density");
    *out = shapes->mass;
    if (mass) {
        double value = 0.0;
        PKM_TRY(pkm_reader_number(r, mass, pkm_dim_mass, PKM_RANGE_NOT_NEGATIVE, &value));
        *out = pkm_mass_scale(shapes->mass, value);
    }
    if (pkm_yaml_get(node, "uniform")) PKM_TRY(read_uniform(r, node, body, out->mass, out));
    if (com) PKM_TRY(pkm_reader_vector(r, com, pkm_dim_length, &out->com));
    return inertia ? pkm_inertia_read(r, inertia, out->inertia) : PKM_OK;
}

pkm_status pkm_body_read_mass(const pkm_reader* r, const pkm_yaml* node, int body)
{
    pkm_shapes shapes;
    pkm_mass mass = {0};
    PKM_TRY(pkm_shapes_read(r, pkm_yaml_get(node, "shape"), body, &shapes));
    if (body != 0) PKM_TRY(read_mass(r, node, body, &shapes, &mass));
    pkm_desc_body* to = &r->desc->body[body];
    to->n_shape = to->n_own_shape = shapes.n_shape;
    to->shape = shapes.shape;
    to->mass = mass.mass;
    to->com = mass.com;
    memcpy(to->inertia, mass.inertia, sizeof to->inertia);
    return PKM_OK;
}
