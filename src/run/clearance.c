#include "base/error.h"
#include "base/pattern.h"
#include "force/contact_stiffness.h"
#include "run/run_impl.h"

#include <string.h>

static const char* const clearance_keys[] = {
    "!radial",     "fidelity",     "radius",     "length",  "axial",     "stop_radius", "width",
    "height",      "cross_mass",   "law",        "elastic", "stiffness", "exponent",    "material",
    "restitution", "impact_floor", "full_depth", "damping", "friction",  "start",       NULL};

static const char* const friction_keys[] = {"law",
                                            "static",
                                            "dynamic",
                                            "viscous",
                                            "stiction_velocity",
                                            "dynamic_velocity",
                                            "stribeck_velocity",
                                            "bristle_stiffness",
                                            "bristle_damping",
                                            "damping_velocity",
                                            NULL};

/// How the elastic part is given: a number, or materials with one of the laws.
typedef enum elastic_source {
    ELASTIC_AUTO,
    ELASTIC_HERTZ,
    ELASTIC_BALL,
    ELASTIC_CYLINDER
} elastic_source;

/// A clearance as it is written; the rest depends on the joint.
typedef struct written {
    pkm_clearance clearance;
    const pkm_yaml* material; ///< NULL: the stiffness is a number
    double modulus;           ///< E* of the materials [Pa]
    int source;               ///< elastic_source
} written;

// ---- numbers ----------------------------------------------------------------------------------

static pkm_status read_sizes(const pkm_run_reader* rr, const pkm_yaml* node, pkm_clearance* c)
{
    const pkm_range any = PKM_RANGE_NOT_NEGATIVE, positive = PKM_RANGE_POSITIVE;
    const pkm_run_number number[] = {{"radial", pkm_dim_length, any, &c->radial},
                                     {"radius", pkm_dim_length, positive, &c->radius},
                                     {"length", pkm_dim_length, positive, &c->length},
                                     {"axial", pkm_dim_length, any, &c->axial},
                                     {"stop_radius", pkm_dim_length, positive, &c->stop_radius},
                                     {"width", pkm_dim_length, positive, &c->width},
                                     {"height", pkm_dim_length, positive, &c->height},
                                     {"cross_mass", pkm_dim_mass, positive, &c->cross_mass},
                                     {.key = NULL}};
    return pkm_run_read_numbers(rr, node, number);
}

/// The stiffness has the unit N/m^n; only halves have a name, other exponents take plain numbers.
static pkm_status read_stiffness(const pkm_run_reader* rr, const pkm_yaml* node,
                                 pkm_contact_law* law)
{
    const pkm_yaml *stiffness = pkm_yaml_get(node, "stiffness"),
                   *exponent = pkm_yaml_get(node, "exponent");
    PKM_TRY(pkm_reader_optional(&rr->r, exponent, pkm_dim_one, PKM_RANGE_POSITIVE, &law->exponent));
    if (!(law->exponent >= 1.0 && law->exponent <= 10.0))
        return pkm_reader_fail(&rr->r, exponent, "%.40s, expected from 1 to 10", exponent->text);
    const double halves = 2.0 * law->exponent;
    pkm_dimension want = pkm_dim_force;
    want.m -= (int)lround(halves);
    if (halves != round(halves)) want = pkm_dim_one;
    return pkm_reader_optional(&rr->r, stiffness, want, PKM_RANGE_POSITIVE, &law->stiffness);
}

static pkm_status read_law(const pkm_run_reader* rr, const pkm_yaml* node, pkm_contact_law* law)
{
    const pkm_dimension damping = {0, 2, -2, 0}; // N s/m
    const pkm_run_number number[] = {
        {"impact_floor", pkm_dim_velocity, PKM_RANGE_POSITIVE, &law->impact_floor},
        {"full_depth", pkm_dim_length, PKM_RANGE_POSITIVE, &law->full_depth},
        {"damping", damping, PKM_RANGE_NOT_NEGATIVE, &law->damping},
        {"restitution", pkm_dim_one, PKM_RANGE_NOT_NEGATIVE, &law->restitution},
        {.key = NULL}};
    const pkm_yaml *words = pkm_yaml_get(node, "law"), *e = pkm_yaml_get(node, "restitution");
    const char* laws[PKM_N_CONTACT_KIND + 1] = {NULL};
    int kind = law->kind;
    for (int k = 0; k < PKM_N_CONTACT_KIND; ++k)
        laws[k] = pkm_contact_kind_name((pkm_contact_kind)k);
    if (words) PKM_TRY(pkm_reader_word(&rr->r, words, laws, &kind));
    *law = pkm_contact_law_defaults((pkm_contact_kind)kind);
    PKM_TRY(pkm_run_read_numbers(rr, node, number));
    if (law->restitution > 1.0) return pkm_reader_fail(&rr->r, e, "%.40s, expected <= 1", e->text);
    if (e && (kind == PKM_CONTACT_HERTZ || kind == PKM_CONTACT_IMPACT))
        return pkm_reader_fail_key(&rr->r, e, "the law %s has no restitution", laws[kind]);
    if (kind == PKM_CONTACT_IMPACT && !(law->damping > 0.0 && law->full_depth > 0.0))
        return pkm_reader_fail_key(&rr->r, node, "the key '%s' is missing; the law impact needs it",
                                   law->damping > 0.0 ? "full_depth" : "damping");
    return read_stiffness(rr, node, law);
}

// ---- materials --------------------------------------------------------------------------------

/// The material of the model that `node` names, with both of its elastic constants.
static pkm_status find_material(const pkm_run_reader* rr, const pkm_yaml* node,
                                pkm_contact_material* out)
{
    const pkm_description* desc = rr->run->robot->desc;
    const char* name = NULL;
    PKM_TRY(pkm_reader_text(&rr->r, node, &name));
    pkm_nearest near = pkm_nearest_make(name);
    for (int i = 0; i < desc->n_material; ++i) {
        const pkm_desc_material* m = &desc->material[i];
        pkm_nearest_offer(&near, m->name);
        if (strcmp(m->name, name) != 0) continue;
        *out = (pkm_contact_material){m->young, m->poisson};
        if (isfinite(m->young) && isfinite(m->poisson)) return PKM_OK;
        return pkm_reader_fail(&rr->r, node, "material '%.40s' has no %s", name,
                               isfinite(m->young) ? "poisson" : "young");
    }
    return pkm_reader_fail(&rr->r, node, "the model has no material '%.40s'%s", name,
                           pkm_nearest_hint(&near).text);
}

/// `{young: 207 GPa, poisson: 0.3}`, or the name of a material of the model.
static pkm_status read_material(const pkm_run_reader* rr, const pkm_yaml* node,
                                pkm_contact_material* out)
{
    static const char* const keys[] = {"!young", "!poisson", NULL};
    if (node->kind == PKM_YAML_TEXT) return find_material(rr, node, out);
    PKM_TRY(pkm_reader_keys(&rr->r, node, keys));
    const pkm_yaml* poisson = pkm_yaml_get(node, "poisson");
    PKM_TRY(pkm_reader_number(&rr->r, pkm_yaml_get(node, "young"), pkm_dim_pressure,
                              PKM_RANGE_POSITIVE, &out->young));
    PKM_TRY(pkm_reader_number(&rr->r, poisson, pkm_dim_one, PKM_RANGE_ANY, &out->poisson));
    if (out->poisson > -1.0 && out->poisson <= 0.5) return PKM_OK;
    return pkm_reader_fail(&rr->r, poisson, "%.60s, expected a ratio between -1 and 0.5",
                           poisson->text);
}

/// `material: M` for both sides, or `material: [bearing, journal]`.
static pkm_status read_materials(const pkm_run_reader* rr, const pkm_yaml* node, written* w)
{
    pkm_contact_material side[2] = {{0.0, 0.0}, {0.0, 0.0}};
    w->material = pkm_yaml_get(node, "material");
    const pkm_yaml* stiffness = pkm_yaml_get(node, "stiffness");
    if (!w->material && !stiffness)
        return pkm_reader_fail_key(&rr->r, node,
                                   "expected one of the keys 'stiffness' and "
                                   "'material'");
    if (!w->material) return PKM_OK;
    if (stiffness)
        return pkm_reader_fail_key(&rr->r, stiffness, "'material' gives the stiffness already");
    if (w->material->kind == PKM_YAML_LIST) {
        PKM_TRY(pkm_reader_list(&rr->r, w->material, 2, 2));
        PKM_TRY(read_material(rr, w->material->first, &side[0]));
        PKM_TRY(read_material(rr, w->material->first->next, &side[1]));
    } else {
        PKM_TRY(read_material(rr, w->material, &side[0]));
        side[1] = side[0];
    }
    w->modulus = pkm_contact_modulus(side[0], side[1]);
    return PKM_OK;
}

static pkm_status read_elastic(const pkm_run_reader* rr, const pkm_yaml* node, written* w)
{
    static const char* const words[] = {"hertz", "ball", "cylinder", NULL};
    const pkm_yaml *elastic = pkm_yaml_get(node, "elastic"),
                   *exponent = pkm_yaml_get(node, "exponent");
    PKM_TRY(read_materials(rr, node, w));
    if (exponent && w->material)
        return pkm_reader_fail_key(&rr->r, exponent, "'material' gives the exponent already");
    if (!elastic) return PKM_OK;
    if (!w->material) return pkm_reader_fail_key(&rr->r, elastic, "it needs the key 'material'");
    PKM_TRY(pkm_reader_word(&rr->r, elastic, words, &w->source));
    w->source += ELASTIC_HERTZ;
    return PKM_OK;
}

// ---- one clearance ----------------------------------------------------------------------------

static pkm_status read_contact_friction(const pkm_run_reader* rr, const pkm_yaml* node,
                                        pkm_clearance* c)
{
    if (!node) return PKM_OK;
    PKM_TRY(pkm_reader_keys(&rr->r, node, friction_keys));
    c->has_friction = true;
    PKM_TRY(pkm_run_read_friction_law(rr, node, &c->friction));
    c->friction = pkm_friction_law_of_contact(&c->friction);
    return PKM_OK;
}

/// `start: centred`, `equilibrium`, or [x, y, z]: the journal's offset in the axes of the bearing.
static pkm_status read_start(const pkm_run_reader* rr, const pkm_yaml* node, pkm_clearance* c)
{
    if (!node) return PKM_OK;
    if (node->kind == PKM_YAML_TEXT) {
        static const char* const words[] = {"centred", "equilibrium", NULL};
        int which = 0;
        PKM_TRY(pkm_reader_word(&rr->r, node, words, &which));
        c->start_from = which == 0 ? PKM_START_CENTRED : PKM_START_EQUILIBRIUM;
        return PKM_OK;
    }
    c->start_from = PKM_START_GIVEN;
    return pkm_reader_vector(&rr->r, node, pkm_dim_length, &c->start);
}

static pkm_status read_clearance(const pkm_run_reader* rr, const pkm_yaml* node, written* w)
{
    static const char* const fidelities[] = {"contact", "seated", "envelope", NULL};
    const pkm_yaml* fidelity = pkm_yaml_get(node, "fidelity");
    int which = (int)rr->run->fidelity;
    *w = (written){.clearance = pkm_clearance_defaults()};
    PKM_TRY(pkm_reader_keys(&rr->r, node, clearance_keys));
    if (fidelity) PKM_TRY(pkm_reader_word(&rr->r, fidelity, fidelities, &which));
    w->clearance.fidelity = (pkm_fidelity)which;
    PKM_TRY(read_sizes(rr, node, &w->clearance));
    PKM_TRY(read_start(rr, pkm_yaml_get(node, "start"), &w->clearance));
    PKM_TRY(read_law(rr, node, &w->clearance.law));
    if (which == PKM_FIDELITY_CONTACT || pkm_yaml_get(node, "material"))
        PKM_TRY(read_elastic(rr, node, w));
    return read_contact_friction(rr, pkm_yaml_get(node, "friction"), &w->clearance);
}

// ---- joints -----------------------------------------------------------------------------------

/// The elastic part for a joint: balls after Hertz, pins after Liu et al. when nothing is said;
/// each end of a pin carries half of its length.
static pkm_status set_elastic(const pkm_run_reader* rr, const pkm_yaml* node,
                              const pkm_joint* joint, const written* w, pkm_clearance* c)
{
    const bool is_ball = joint->type == PKM_JOINT_SPHERICAL;
    const int source = w->source ? w->source : is_ball ? ELASTIC_HERTZ : ELASTIC_CYLINDER;
    if (joint->type == PKM_JOINT_PRISMATIC)
        return pkm_reader_fail_key(&rr->r, node,
                                   "the key 'stiffness' is missing; %s is prismatic and needs it",
                                   joint->name);
    if (is_ball != (source != ELASTIC_CYLINDER))
        return pkm_reader_fail_key(&rr->r, pkm_yaml_get(node, "elastic"), "%s is %s, expected %s",
                                   joint->name, pkm_joint_type_name(joint->type),
                                   is_ball ? "hertz or ball" : "cylinder");
    if (!(c->radial > 0.0))
        return pkm_reader_fail(&rr->r, pkm_yaml_get(node, "radial"),
                               "%.40s, expected > 0 with a material",
                               pkm_yaml_get(node, "radial")->text);
    if (source == ELASTIC_HERTZ)
        pkm_contact_law_set_hertz(&c->law, w->modulus, c->radius, c->radial);
    else if (source == ELASTIC_BALL)
        pkm_contact_law_set_ball(&c->law, w->modulus, c->radius, c->radial);
    else
        pkm_contact_law_set_cylinder(&c->law, w->modulus, 0.5 * c->length, c->radial);
    return PKM_OK;
}

static pkm_status add(pkm_run_reader* rr, const pkm_yaml* node, int j, const written* w)
{
    const pkm_joint* joint = &rr->run->robot->mech->joint[j];
    pkm_clearance c = w->clearance;
    const char* missing = pkm_clearance_missing(&c, joint->type);
    if (missing)
        return pkm_reader_fail_key(&rr->r, node, "the key '%s' is missing; %s is %s and needs it",
                                   missing, joint->name, pkm_joint_type_name(joint->type));
    const bool elsewhere = c.start_from == PKM_START_GIVEN || c.start_from == PKM_START_EQUILIBRIUM;
    if (elsewhere && joint->type == PKM_JOINT_UNIVERSAL)
        return pkm_reader_fail_key(&rr->r, pkm_yaml_get(node, "start"),
                                   "%s is universal: its cross starts centred", joint->name);
    if (w->material) PKM_TRY(set_elastic(rr, node, joint, w, &c));
    pkm_error inner = {0};
    if (pkm_clearance_finish(&c, joint->type, &inner) != PKM_OK) {
        const char* colon = strstr(inner.text, ": ");
        return pkm_reader_fail_key(&rr->r, node, "%s: %s", joint->name,
                                   colon ? colon + 2 : inner.text);
    }
    pkm_effects* effects = &rr->run->effects;
    int k = 0;
    while (k < effects->n_clearance && effects->clearance[k].joint != j)
        ++k;
    if (k == effects->n_clearance) ++effects->n_clearance;
    effects->clearance[k] = (pkm_joint_clearance){.joint = j, .clearance = c};
    return PKM_OK;
}

static bool is_driven(const pkm_mechanism* mech, int j)
{
    for (int d = 0; d < mech->n_drive; ++d)
        if (mech->drive[d].joint == j) return true;
    return false;
}

/// Clearance of one pattern. A pattern for several joints passes over those of types without
/// clearance and over driven ones; a joint that is named must have it.
static pkm_status read_pattern(pkm_run_reader* rr, const pkm_yaml* node)
{
    const pkm_mechanism* mech = rr->run->robot->mech;
    written w;
    const pkm_joint* without = NULL;
    int n = 0;
    PKM_TRY(read_clearance(rr, node, &w));
    for (int j = 0; j < mech->n_joint; ++j) {
        if (!pkm_run_means_joint(node, &mech->joint[j])) continue;
        if (!pkm_clearance_has(mech->joint[j].type) || is_driven(mech, j)) {
            without = &mech->joint[j];
            continue;
        }
        PKM_TRY(add(rr, node, j, &w));
        ++n;
    }
    if (n > 0 && (!without || strcmp(node->key, without->name) != 0)) return PKM_OK;
    if (without && pkm_clearance_has(without->type))
        return pkm_reader_fail_key(
            &rr->r, node, "%s is driven, and a driven joint has no clearance", without->name);
    if (without)
        return pkm_reader_fail_key(
            &rr->r, node,
            "%s is %s, which has no clearance; expected spherical, revolute, "
            "cylindrical, prismatic or universal",
            without->name, pkm_joint_type_name(without->type));
    return pkm_run_no_joint(rr, node);
}

pkm_status pkm_run_read_clearance(pkm_run_reader* rr, const pkm_yaml* node)
{
    PKM_TRY(pkm_reader_keys_any(&rr->r, node));
    for (const pkm_yaml* item = node->first; item; item = item->next)
        PKM_TRY(read_pattern(rr, item));
    return PKM_OK;
}
