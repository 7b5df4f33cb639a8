// Mass of shapes whose material or density is given.
#include "model/shape_mass.h"

pkm_mass pkm_shape_mass(const pkm_desc_shape* shape)
{
    // without a density the volume is given, from which a mass that is stated finds its own
    const double density = shape->density > 0.0 ? shape->density : 1.0;
    switch (shape->kind) {
    case PKM_SHAPE_BOX:
        return pkm_mass_box((pkm_pose){shape->from, shape->turn}, shape->size, density);
    case PKM_SHAPE_SPHERE:
        return pkm_mass_sphere(shape->from, shape->radius, density);
    case PKM_SHAPE_MESH:
        return pkm_mass_mesh(shape->triangle, shape->n_triangle, density);
    default:
        return pkm_mass_cylinder(shape->from, shape->to, shape->radius, shape->inner_radius,
                                 density);
    }
}

pkm_mass pkm_shapes_mass(const pkm_desc_body* body)
{
    pkm_mass sum = {0};
    for (int s = 0; s < body->n_own_shape; ++s) {
        const pkm_mass one = pkm_shape_mass(&body->shape[s]);
        sum = s > 0 ? pkm_mass_add(sum, one) : one;
    }
    return sum;
}

bool pkm_shapes_have_density(const pkm_desc_body* body)
{
    for (int s = 0; s < body->n_own_shape; ++s)
        if (!(body->shape[s].density > 0.0)) return false;
    return body->n_own_shape > 0;
}
