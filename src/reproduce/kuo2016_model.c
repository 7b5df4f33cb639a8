// Kuo's Delta from the description of a robot: dimensions from its closed form, sections and the
// material from the first shapes of its links. What the assembly of section 3 of
// docs/theory/elastodynamics.md has no coordinates for is refused by name.
#include "reproduce/kuo2016_model.h"

#include "base/error.h"

#include <string.h>

/// Parts of the model: a crank, its rod, the platform.
typedef struct parts {
    const pkm_desc_body* link[2];
    const pkm_desc_body* platform;
} parts;

static pkm_status not_kuo(const pkm_robot* robot, const char* why, pkm_error* err)
{
    return pkm_fail(
        err, PKM_ERR_MODEL,
        "%s: %s; the assembly kuo-2016 is for a Delta with one rod per limb between universal "
        "joints, as robots/kuo.yaml",
        robot->desc->name, why);
}

/// The parameter `name` of the closed form; NaN when it is not in the file.
static double closed_value(const pkm_description* desc, const char* name)
{
    for (int k = 0; k < desc->n_closed; ++k)
        if (strcmp(desc->closed_name[k], name) == 0) return desc->closed_value[k];
    return NAN;
}

/// The body behind a universal joint on `body`, other than `not_this`; PKM_NONE: there is none.
static int behind_universal(const pkm_description* desc, int body, int not_this)
{
    for (int j = 0; j < desc->n_joint; ++j) {
        const pkm_desc_joint* joint = &desc->joint[j];
        if (joint->type != PKM_JOINT_UNIVERSAL) continue;
        const int other = joint->body_a == body   ? joint->body_b
                          : joint->body_b == body ? joint->body_a
                                                  : PKM_NONE;
        if (other > 0 && other != not_this) return other; // 0 is the ground
    }
    return PKM_NONE;
}

static pkm_status find_parts(const pkm_robot* robot, parts* out, pkm_error* err)
{
    const pkm_description* desc = robot->desc;
    if (!desc->closed_family || strcmp(desc->closed_family, "delta") != 0 || desc->n_drive != 3)
        return not_kuo(robot, "it has no closed form of the family delta", err);
    if (closed_value(desc, "rods_per_limb") != 1.0 || closed_value(desc, "down") != 1.0)
        return not_kuo(robot, "rods_per_limb is not 1, or the platform is not at z > 0", err);
    if (desc->gravity.x != 0.0 || desc->gravity.y != 0.0)
        return not_kuo(robot, "gravity is not along z", err);
    // one limb stands for all three: the family has equal ones
    const int crank = desc->joint[desc->drive[0].joint].body_b;
    const int rod = behind_universal(desc, crank, PKM_NONE);
    const int platform = rod == PKM_NONE ? PKM_NONE : behind_universal(desc, rod, crank);
    if (platform == PKM_NONE || desc->tool_marker == PKM_NONE ||
        desc->marker[desc->tool_marker].body != platform)
        return not_kuo(robot, "no universal joints lead from crank over rod to the platform", err);
    *out = (parts){{&desc->body[crank], &desc->body[rod]}, &desc->body[platform]};
    return PKM_OK;
}

static pkm_status link_section(const pkm_desc_body* body, pkm_beam_torsion torsion,
                               pkm_beam_section* out, pkm_error* err)
{
    const pkm_desc_shape* shape = body->n_shape > 0 ? &body->shape[0] : NULL;
    switch (shape ? shape->kind : PKM_SHAPE_NONE) {
    case PKM_SHAPE_BOX:
        // x is along the link
        return pkm_beam_section_rectangle(shape->size.y, shape->size.z, torsion, out, err);
    case PKM_SHAPE_ROD:
    case PKM_SHAPE_CYLINDER:
        return pkm_beam_section_round(2.0 * shape->radius, out, err);
    case PKM_SHAPE_TUBE:
        return pkm_beam_section_tube(2.0 * shape->radius, 2.0 * shape->inner_radius, out, err);
    default:
        return pkm_fail(err, PKM_ERR_MODEL,
                        "%s: a flexible link needs a shape: box, rod, cylinder or tube",
                        body->name);
    }
}

static pkm_status link_material(const pkm_description* desc, const pkm_desc_body* body,
                                pkm_beam_material* out, pkm_error* err)
{
    const int index = body->n_shape > 0 ? body->shape[0].material : PKM_NONE;
    if (index == PKM_NONE)
        return pkm_fail(err, PKM_ERR_MODEL, "%s: a flexible link needs a material", body->name);
    const pkm_desc_material* m = &desc->material[index];
    if (!(m->young > 0.0) || !(m->poisson > -1.0) || !(m->density > 0.0))
        return pkm_fail(err, PKM_ERR_MODEL,
                        "material %s: a flexible link needs density, young and poisson", m->name);
    *out = pkm_beam_material_make(m->young, m->poisson, m->density);
    return PKM_OK;
}

/// Thickness of the disc that has the platform's inertia, m (3 r^2 + h^2) / 12 across.
static pkm_status disc_thickness(const pkm_robot* robot, const pkm_desc_body* body, double radius,
                                 double* out, pkm_error* err)
{
    const double rr = radius * radius, xx = body->inertia[0], zz = body->inertia[2];
    const double hh = 12.0 * xx / body->mass - 3.0 * rr;
    // about its axis m r^2 / 2, both diameters alike, the centre of mass amid the joints
    if (!(hh > 0.0) || fabs(zz - 0.5 * body->mass * rr) > 1e-6 * zz ||
        fabs(body->inertia[1] - xx) > 1e-6 * xx || pkm_vec3_norm(body->com) > 1e-6 * radius)
        return not_kuo(robot, "the platform is not a disc through the ends of the rods", err);
    *out = sqrt(hh);
    return PKM_OK;
}

pkm_status pkm_kuo2016_robot_from(const pkm_robot* robot, pkm_beam_torsion torsion,
                                  pkm_kuo2016_robot* out, pkm_error* err)
{
    const pkm_description* desc = robot->desc;
    parts p = {0};
    *out = (pkm_kuo2016_robot){0};
    PKM_TRY(find_parts(robot, &p, err));
    out->length[PKM_KUO2016_UPPER] = closed_value(desc, "crank_length");
    out->length[PKM_KUO2016_LOWER] = closed_value(desc, "rod_length");
    out->base = closed_value(desc, "base_radius");
    out->platform = closed_value(desc, "platform_radius");
    out->mass = p.platform->mass;
    out->gravity = desc->gravity.z;
    for (int k = 0; k < 2; ++k)
        PKM_TRY(link_section(p.link[k], torsion, &out->section[k], err));
    pkm_beam_material rod;
    PKM_TRY(link_material(desc, p.link[0], &out->material, err));
    PKM_TRY(link_material(desc, p.link[1], &rod, err));
    // (3.7) has one rho, both links one E and G
    if (rod.E != out->material.E || rod.G != out->material.G || rod.rho != out->material.rho)
        return not_kuo(robot, "crank and rod are not of one material", err);
    return disc_thickness(robot, p.platform, out->platform, &out->thickness, err);
}
