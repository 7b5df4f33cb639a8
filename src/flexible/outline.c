// Which shapes of a body bend: bars with section and material, and the rest as lumps. Longer than
// wide is a bar; rigid ends are cut off and become lumps. docs/theory/modes.md, section 1.
#include "flexible/outline.h"

#include "base/error.h"
#include "model/shape_mass.h"

/// What is being sorted.
typedef struct sorting {
    const pkm_description* desc;
    const pkm_desc_body* body;
    const pkm_flexible_spec* spec;
    pkm_error* err;
} sorting;

static pkm_status material_of(const sorting* s, const pkm_desc_shape* shape, pkm_beam_material* out)
{
    const int index = s->spec->material != PKM_NONE ? s->spec->material : shape->material;
    if (index == PKM_NONE)
        return pkm_fail(s->err, PKM_ERR_MODEL, "%s: a flexible link needs a material",
                        s->body->name);
    const pkm_desc_material* m = &s->desc->material[index];
    if (!(m->young > 0.0) || !(m->poisson > -1.0))
        return pkm_fail(s->err, PKM_ERR_MODEL,
                        "%s: its material %s needs young and poisson for a flexible link",
                        s->body->name, m->name);
    // the mass of the body rules: only ratios of densities count
    // Without any density the body's own mass sets the scale
    const double rho = shape->density > 0.0 ? shape->density : m->density > 0.0 ? m->density : 1.0;
    *out = pkm_beam_material_make(m->young, m->poisson, rho);
    return PKM_OK;
}

/// Edges of a box by length: the longest is the line, the next the z axis of the section.
static void sort_edges(const pkm_desc_shape* shape, pkm_vec3 axis[3], double length[3])
{
    const pkm_mat3 turn = pkm_mat3_from_quat(shape->turn);
    const pkm_vec3 column[3] = {turn.x, turn.y, turn.z};
    const double size[3] = {shape->size.x, shape->size.y, shape->size.z};
    int first = 0;
    for (int k = 1; k < 3; ++k)
        if (size[k] > size[first]) first = k;
    for (int k = 0; k < 3; ++k) {
        axis[k] = column[(first + k) % 3];
        length[k] = size[(first + k) % 3];
    }
}

/// The y axis of the section is the second edge.
static pkm_status box_bar(const sorting* s, const pkm_desc_shape* shape, pkm_flexible_bar* bar)
{
    pkm_vec3 axis[3];
    double length[3];
    sort_edges(shape, axis, length);
    bar->from = pkm_vec3_axpy(shape->from, -0.5 * length[0], axis[0]);
    bar->to = pkm_vec3_axpy(shape->from, 0.5 * length[0], axis[0]);
    bar->y = axis[1];
    return pkm_beam_section_rectangle(length[1], length[2], s->spec->torsion, &bar->section,
                                      s->err);
}

static pkm_status bar_of(const sorting* s, const pkm_desc_shape* shape, pkm_flexible_bar* bar)
{
    *bar = (pkm_flexible_bar){.from = shape->from, .to = shape->to};
    PKM_TRY(material_of(s, shape, &bar->material));
    if (shape->kind == PKM_SHAPE_BOX)
        PKM_TRY(box_bar(s, shape, bar));
    else if (shape->kind == PKM_SHAPE_TUBE)
        PKM_TRY(pkm_beam_section_tube(2.0 * shape->radius, 2.0 * shape->inner_radius, &bar->section,
                                      s->err));
    else
        PKM_TRY(pkm_beam_section_round(2.0 * shape->radius, &bar->section, s->err));
    // a section by numbers goes before that of the shape
    if (s->spec->n_section > 0) {
        bar->section = s->spec->section[0];
        // the section's y given by numbers too
        if (pkm_vec3_norm(s->spec->y) > 0.0) bar->y = s->spec->y;
    }
    if (pkm_beam_section_check(&bar->section, NULL) != PKM_OK)
        return pkm_fail(s->err, PKM_ERR_MODEL,
                        "%s: its section has the area %g m2 and the second moments %g, %g m4, "
                        "expected > 0",
                        s->body->name, bar->section.A, bar->section.Iy, bar->section.Iz);
    return PKM_OK;
}

/// Longer than wide.
static bool is_bar(const pkm_desc_shape* shape)
{
    pkm_vec3 axis[3];
    double length[3];
    switch (shape->kind) {
    case PKM_SHAPE_ROD:
    case PKM_SHAPE_TUBE:
    case PKM_SHAPE_CYLINDER:
        // a cylinder as long as wide is a disc: it does not bend
        return pkm_vec3_norm(pkm_vec3_sub(shape->to, shape->from)) > 2.0 * shape->radius;
    case PKM_SHAPE_BOX:
        sort_edges(shape, axis, length);
        return length[0] > length[1] && length[0] > length[2];
    default:
        return false;
    }
}

static pkm_status sort_shapes(const sorting* s, pkm_flexible_outline* out)
{
    for (int i = 0; i < s->body->n_own_shape; ++i) {
        // payloads' shapes are not the body's own
        const pkm_desc_shape* shape = &s->body->shape[i];
        if (!is_bar(shape)) {
            out->lump[out->n_lump++] = pkm_shape_mass(shape);
            continue;
        }
        PKM_TRY(bar_of(s, shape, &out->bar[out->n_bar]));
        out->bar[out->n_bar++].shape = i;
    }
    if (out->n_bar > 0) return PKM_OK;
    return pkm_fail(s->err, PKM_ERR_MODEL,
                    "%s: a flexible link needs a shape that is a bar: a rod, tube or box longer "
                    "than it is wide",
                    s->body->name);
}

// ---- rigid ends -------------------------------------------------------------------------------

static double bar_length(const pkm_flexible_bar* bar)
{
    return pkm_vec3_norm(pkm_vec3_sub(bar->to, bar->from));
}

/// A stiff piece of a bar as a lump: slender, with the polar inertia of the section.
static pkm_mass stiff_piece(const pkm_flexible_bar* bar, pkm_vec3 from, pkm_vec3 to)
{
    const double rho = bar->material.rho, l = pkm_vec3_norm(pkm_vec3_sub(to, from));
    const pkm_vec3 u = pkm_vec3_unit(pkm_vec3_sub(to, from));
    pkm_mass m = pkm_mass_slender(from, to, rho * bar->section.A * l);
    // rho Ip l about the line [kg m2], of which a slender piece knows nothing
    const double J = rho * bar->section.Ip * l;
    const double along[6] = {u.x * u.x, u.y * u.y, u.z * u.z, u.x * u.y, u.x * u.z, u.y * u.z};
    // about the line alone: J u u'
    for (int k = 0; k < 6; ++k)
        m.inertia[k] += J * along[k];
    return m;
}

/// Take the rigid ends off the bar; they become lumps.
static pkm_status cut_rigid_ends(const sorting* b, pkm_flexible_outline* o)
{
    const double *end = b->spec->rigid_end, sum = end[0] + end[1];
    pkm_flexible_bar* bar = &o->bar[0];
    if (!(end[0] >= 0.0 && end[1] >= 0.0) || (sum > 0.0 && !(sum < bar_length(bar))))
        return pkm_fail(b->err, PKM_ERR_ARGUMENT,
                        "%s: rigid ends of %g m and %g m, expected >= 0 and less than its length, "
                        "%g m",
                        b->body->name, end[0], end[1], bar_length(bar));
    if (sum == 0.0) return PKM_OK;
    if (o->n_bar > 1)
        return pkm_fail(b->err, PKM_ERR_ARGUMENT,
                        "%s: rigid ends need a link of one bar, this one has %d", b->body->name,
                        o->n_bar);
    pkm_mass* larger =
        // a body without lumps has room for two more
        pkm_realloc(o->lump, (size_t)o->n_lump + 2, sizeof *larger); // both ends at most
    if (!larger) return pkm_fail(b->err, PKM_ERR_MEMORY, "out of memory");
    o->lump = larger;
    const pkm_vec3 u = pkm_vec3_unit(pkm_vec3_sub(bar->to, bar->from));
    const pkm_vec3 from = pkm_vec3_axpy(bar->from, end[0], u);
    const pkm_vec3 to = pkm_vec3_axpy(bar->to, -end[1], u);
    if (end[0] > 0.0) o->lump[o->n_lump++] = stiff_piece(bar, bar->from, from);
    if (end[1] > 0.0) o->lump[o->n_lump++] = stiff_piece(bar, to, bar->to);
    bar->from = from;
    bar->to = to;
    return PKM_OK;
}

pkm_status pkm_flexible_outline_create(const pkm_description* desc, int body,
                                       const pkm_flexible_spec* spec, pkm_flexible_outline* out,
                                       pkm_error* err)
{
    const sorting s = {desc, &desc->body[body], spec, err};
    const size_t n = (size_t)s.body->n_shape + 1; // a body without shapes too
    *out = (pkm_flexible_outline){.bar = pkm_alloc(n, sizeof *out->bar),
                                  .lump = pkm_alloc(n, sizeof *out->lump)};
    pkm_status status = PKM_OK;
    if (!out->bar || !out->lump) status = pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    if (status == PKM_OK) status = sort_shapes(&s, out);
    if (status == PKM_OK) status = cut_rigid_ends(&s, out);
    if (status != PKM_OK) pkm_flexible_outline_free(out);
    return status;
}

void pkm_flexible_outline_free(pkm_flexible_outline* outline)
{
    pkm_free(outline->bar);
    pkm_free(outline->lump);
    *outline = (pkm_flexible_outline){0};
}
