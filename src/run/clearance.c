// The section `clearance` of a run file: which joints, which law, which stiffness from which
// material; docs/reference/run-file.md.
#include "base/error.h"
#include "force/contact_stiffness.h"
#include "run/run_impl.h"

#include <string.h>

/// How the elastic part is given: a number, or materials with one of the laws.
typedef enum elastic_source {
    ELASTIC_AUTO = -1,
    ELASTIC_HERTZ,
    ELASTIC_BALL,
    ELASTIC_CYLINDER
} elastic_source;
static const char* const elastic_words[] = {"hertz", "ball", "cylinder", NULL};

/// A clearance as it is written; the rest depends on the joint.
typedef struct written {
    pkm_clearance clearance;
    const pkm_yaml* material; ///< NULL: the stiffness is a number
    double modulus;           ///< E* of the materials [Pa]
    elastic_source source;
} written;

// ---- laws -------------------------------------------------------------------------------------

/// The stiffness has the unit N/m^n; only halves have a name, other exponents take plain numbers.
static pkm_status read_stiffness(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_contact_law* law = to;
    // N/m^n: exponents 1, 1.5 and 2 have units
    const double halves = 2.0 * law->exponent;
    pkm_dimension want = pkm_dim_force;
    want.m -= (int)lround(halves);
    if (halves != round(halves)) want = pkm_dim_one;
    return pkm_reader_number(r, node, want, PKM_RANGE_POSITIVE, &law->stiffness);
}

/// The defaults of the law; keys that stand behind it change them.
static pkm_status read_law(pkm_reader* r, const pkm_yaml* node, void* to)
{
    int kind = 0;
    PKM_TRY(pkm_reader_word(r, node, pkm_contact_kind_name, &kind));
    *(pkm_contact_law*)to = pkm_contact_law_defaults((pkm_contact_kind)kind);
    return PKM_OK;
}

/// What a law does not have, and what it cannot do without.
static pkm_status check_law(const pkm_reader* r, const pkm_yaml* map, const pkm_contact_law* law)
{
    const pkm_yaml* e = pkm_yaml_get(map, "restitution");
    if (e && (law->kind == PKM_CONTACT_HERTZ || law->kind == PKM_CONTACT_IMPACT))
        return pkm_reader_fail_key(r, e, "the law %s has no restitution",
                                   pkm_contact_kind_name[law->kind]);
    if (law->kind == PKM_CONTACT_IMPACT && !(law->damping > 0.0 && law->full_depth > 0.0))
        return pkm_reader_fail_key(r, map, "the key '%s' is missing; the law impact needs it",
                                   law->damping > 0.0 ? "full_depth" : "damping");
    return PKM_OK;
}

// ---- materials --------------------------------------------------------------------------------

/// The material of the model that `node` names, with both of its elastic constants.
static pkm_status find_material(const pkm_run_reader* rr, const pkm_yaml* node,
                                pkm_contact_material* out)
{
    int k = 0;
    PKM_TRY(pkm_reader_find_material(&rr->r, node, &k));
    const pkm_desc_material* m = &rr->run->robot->desc->material[k];
    *out = (pkm_contact_material){m->young, m->poisson};
    // density alone makes no contact
    if (isfinite(m->young) && isfinite(m->poisson)) return PKM_OK;
    return pkm_reader_fail(&rr->r, node, "material '%.40s' has no %s", m->name,
                           isfinite(m->young) ? "poisson" : "young");
}

/// The range in which an isotropic body is stable.
static pkm_status check_poisson(pkm_reader* r, const pkm_yaml* map, void* to)
{
    const pkm_contact_material* m = to;
    const pkm_yaml* poisson = pkm_yaml_get(map, "poisson");
    if (m->poisson > -1.0 && m->poisson <= 0.5) return PKM_OK;
    return pkm_reader_fail(r, poisson, "%.60s, expected a ratio between -1 and 0.5", poisson->text);
}

#define AT(member) offsetof(pkm_contact_material, member)
static const pkm_key material_keys[] = {{"young", "modulus of elasticity", PKM_KEY_NUMBER,
                                         AT(young), &pkm_dim_pressure, PKM_RANGE_POSITIVE,
                                         .must = true},
                                        {"poisson", "Poisson's ratio, above -1 and up to 0.5",
                                         PKM_KEY_NUMBER, AT(poisson), .must = true},
                                        {.name = NULL}};
#undef AT
static const pkm_section material_section = {"contact_material", "elastic constants", material_keys,
                                             .check = check_poisson};

/// `{young: 207 GPa, poisson: 0.3}`, or the name of a material of the model.
static pkm_status read_material(pkm_run_reader* rr, const pkm_yaml* node, pkm_contact_material* out)
{
    if (node->kind == PKM_YAML_TEXT) return find_material(rr, node, out);
    return pkm_keys_read(&rr->r, node, &material_section, out);
}

/// `material: M` for both sides, or `material: [bearing, journal]`.
static pkm_status read_materials(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_run_reader* rr = pkm_run_reader_of(r);
    pkm_contact_material side[2] = {{0.0, 0.0}, {0.0, 0.0}};
    written* w = to;
    w->material = node;
    if (node->kind == PKM_YAML_LIST) {
        PKM_TRY(pkm_reader_list(r, node, 2, 2));
        PKM_TRY(read_material(rr, node->first, &side[0]));
        PKM_TRY(read_material(rr, node->first->next, &side[1]));
    } else {
        PKM_TRY(read_material(rr, node, &side[0]));
        side[1] = side[0];
    }
    // 1/E* = (1 - nu_1^2)/E_1 + (1 - nu_2^2)/E_2, contact.md, (1.6)
    w->modulus = pkm_contact_modulus(side[0], side[1]);
    return PKM_OK;
}

// ---- one clearance ----------------------------------------------------------------------------

static pkm_status read_contact_friction(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_friction_law* law = to;
    PKM_TRY(pkm_keys_read(r, node, &pkm_friction_law_section, law));
    *law = pkm_friction_law_of_contact(law);
    return PKM_OK;
}

static const char* const start_words[] = {"centred", "equilibrium", NULL};

/// `start: centred`, `equilibrium`, or [x, y, z]: the journal's offset in the axes of the bearing.
static pkm_status read_start(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_clearance* c = to;
    if (node->kind == PKM_YAML_TEXT) {
        int which = 0;
        PKM_TRY(pkm_reader_word(r, node, start_words, &which));
        c->start_from = which == 0 ? PKM_START_CENTRED : PKM_START_EQUILIBRIUM;
        return PKM_OK;
    }
    c->start_from = PKM_START_GIVEN;
    return pkm_reader_vector(r, node, pkm_dim_length, &c->start);
}

/// As the run has it: `envelope` needs neither law nor stiffness.
static pkm_status begin_clearance(pkm_reader* r, const pkm_yaml* map, void* to)
{
    written* w = to;
    (void)map;
    *w = (written){.clearance = pkm_clearance_defaults(), .source = ELASTIC_AUTO};
    w->clearance.fidelity = pkm_run_reader_of(r)->run->fidelity;
    return PKM_OK;
}

/// What lacks the keys of a contact is a clearance for `envelope` while the analysis is not known.
static bool is_left_open(pkm_reader* r, const pkm_yaml* map, pkm_clearance* c)
{
    if (!pkm_run_reader_of(r)->run->is_open || pkm_yaml_get(map, "fidelity")) return false;
    c->fidelity = PKM_FIDELITY_ENVELOPE;
    return true;
}

/// A contact needs a stiffness from somewhere.
static pkm_status check_clearance(pkm_reader* r, const pkm_yaml* map, void* to)
{
    written* w = to;
    PKM_TRY(check_law(r, map, &w->clearance.law));
    if (w->material || pkm_yaml_get(map, "stiffness") ||
        w->clearance.fidelity != PKM_FIDELITY_CONTACT || is_left_open(r, map, &w->clearance))
        return PKM_OK;
    return pkm_reader_fail_key(r, map, "expected one of the keys 'stiffness' and 'material'");
}

static const char* const fidelities[] = {"contact", "seated", "envelope", NULL};
static const pkm_key material_forms[] = {
    {.kind = PKM_KEY_TEXT}, {.kind = PKM_KEY_MAP, .section = &material_section}, {0}};
static const pkm_key materials_forms[] = {
    {.kind = PKM_KEY_TEXT},
    {.kind = PKM_KEY_MAP, .section = &material_section},
    {.kind = PKM_KEY_LIST, .n_least = 2, .n_most = 2, .either = material_forms},
    {0}};
static const pkm_key start_forms[] = {{.kind = PKM_KEY_WORD, .words = start_words},
                                      {.kind = PKM_KEY_VECTOR, .dimension = &pkm_dim_length},
                                      {0}};

#define AT(member) offsetof(written, clearance.member)
static const pkm_key clearance_keys[] = {
    {"radial", "clearance from the centre until the surfaces touch", PKM_KEY_NUMBER, AT(radial),
     &pkm_dim_length, PKM_RANGE_NOT_NEGATIVE, .must = true},
    {"fidelity",
     "`contact` (default): flight, impacts, penetration. `seated`: lies where the load presses it, "
     "quasi-static. `envelope`: bounds over all admissible positions, by `pkm envelope`, which "
     "takes any of the three. The last two need no law, no stiffness and no `radius`: "
     "[clearance.md](../theory/clearance.md)",
     PKM_KEY_WORD, AT(fidelity), .words = fidelities},
    {"radius", "of ball or pin", PKM_KEY_NUMBER, AT(radius), &pkm_dim_length,
     .range = PKM_RANGE_POSITIVE},
    {"length", "of the bearing along its axis; of the slider", PKM_KEY_NUMBER, AT(length),
     &pkm_dim_length, .range = PKM_RANGE_POSITIVE},
    {"axial", NULL, PKM_KEY_NUMBER, AT(axial), &pkm_dim_length, .range = PKM_RANGE_NOT_NEGATIVE},
    {"stop_radius",
     "revolute: clearance to the stop on each side (0 when not given), mean radius at which stops "
     "rub (that of the pin)",
     PKM_KEY_NUMBER, AT(stop_radius), &pkm_dim_length, .range = PKM_RANGE_POSITIVE},
    {"width", NULL, PKM_KEY_NUMBER, AT(width), &pkm_dim_length, .range = PKM_RANGE_POSITIVE},
    {"height", "of the slider along the x and y axes of the joint", PKM_KEY_NUMBER, AT(height),
     &pkm_dim_length, .range = PKM_RANGE_POSITIVE},
    {"cross_mass", "universal: mass of the cross", PKM_KEY_NUMBER, AT(cross_mass), &pkm_dim_mass,
     .range = PKM_RANGE_POSITIVE},
    {"law",
     "`hertz` (elastic), `lankarani-nikravesh` (default), `hunt-crossley`, `flores`, `gonthier`, "
     "`impact` (Adams)",
     PKM_KEY_WORD, AT(law), .words = pkm_contact_kind_name, .read = read_law},
    {"restitution", "coefficient of the law, 0.9 when not given", PKM_KEY_NUMBER,
     AT(law.restitution), NULL, PKM_RANGE_NOT_NEGATIVE, .most = 1.0},
    {"exponent", NULL, PKM_KEY_NUMBER, AT(law.exponent), NULL, PKM_RANGE_POSITIVE, .least = 1.0,
     .most = 10.0},
    {"stiffness",
     "n (1.5 when not given) and K [N/m^n] of F = K d^n: of the ball, of each end of a pin, of "
     "each corner of a slider",
     PKM_KEY_NUMBER, AT(law), NULL, PKM_RANGE_POSITIVE, .read = read_stiffness},
    {"material", NULL, PKM_KEY_OWN, .either = materials_forms, .read = read_materials},
    {"elastic",
     "instead of `stiffness`: a material of the model or `{young: 207 GPa, poisson: 0.3}`, one for "
     "both sides or a list `[bearing, journal]`; `hertz` (default) or `ball` (any contact angle) "
     "for balls, `cylinder` (default) for pins",
     PKM_KEY_WORD, offsetof(written, source), .words = elastic_words},
    {"impact_floor", "least speed at first touch that laws count with, 1 mm/s", PKM_KEY_NUMBER,
     AT(law.impact_floor), &pkm_dim_velocity, .range = PKM_RANGE_POSITIVE},
    {"damping", NULL, PKM_KEY_NUMBER, AT(law.damping), &pkm_dim_damping,
     .range = PKM_RANGE_NOT_NEGATIVE},
    {"full_depth", "impact: largest damping, and the penetration at which it is reached",
     PKM_KEY_NUMBER, AT(law.full_depth), &pkm_dim_length, .range = PKM_RANGE_POSITIVE},
    {"start",
     "`centred`: the journal begins as in the ideal joint; `equilibrium`: at rest under the loads "
     "at t = 0, flexible links in static equilibrium with it; or its offset `[x, y, z]` in the "
     "axes of the bearing (a place outside the clearance is moved to the nearest one inside, and "
     "the run says so). Default: equilibrium for a robot at rest whose drives hold it, else "
     "centred; universal joints start centred",
     PKM_KEY_OWN, offsetof(written, clearance), .either = start_forms, .read = read_start},
    {"friction",
     "law of friction in the contact, with the keys `law`, `static`, `dynamic`, `viscous`, "
     "`stiction_velocity`, ... of [friction](#friction)",
     PKM_KEY_MAP, AT(friction), .section = &pkm_friction_law_section, .given = AT(has_friction),
     .read = read_contact_friction},
    {.name = NULL}};
#undef AT
static const pkm_key_rule clearance_rules[] = {
    {PKM_RULE_ALONE, "material stiffness", "'material' gives the stiffness already"},
    {PKM_RULE_ALONE, "material exponent", "'material' gives the exponent already"},
    {PKM_RULE_NEEDS, "elastic material", NULL},
    {0}};

const pkm_section pkm_clearance_section = {
    "clearance",     "clearance in a joint",   clearance_keys,
    clearance_rules, .begin = begin_clearance, .check = check_clearance};

// ---- joints -----------------------------------------------------------------------------------

/// The elastic part for a joint: balls after Hertz, pins after Liu et al. when nothing is said;
/// each end of a pin carries half of its length.
static pkm_status set_elastic(const pkm_run_reader* rr, const pkm_yaml* node,
                              const pkm_joint* joint, const written* w, pkm_clearance* c)
{
    const bool is_ball = joint->type == PKM_JOINT_SPHERICAL;
    // what the geometry asks for; a user may say `ball` for wide angles of contact
    const elastic_source natural = is_ball ? ELASTIC_HERTZ : ELASTIC_CYLINDER;
    const elastic_source source = w->source == ELASTIC_AUTO ? natural : w->source;
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
    // pins need a length, sliders width and height: by the type of the joint
    const char* missing = pkm_clearance_missing(&c, joint->type);
    if (missing && is_left_open(&rr->r, node, &c)) missing = pkm_clearance_missing(&c, joint->type);
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

/// Does a drive act on the joint?
static bool is_driven(const pkm_mechanism* mech, int j)
{
    for (int d = 0; d < mech->n_drive; ++d)
        if (mech->drive[d].joint == j) return true;
    return false;
}

/// Does a pattern mean a passive joint that can have clearance?
static bool means_passive(const pkm_mechanism* mech, const pkm_yaml* node)
{
    for (int j = 0; j < mech->n_joint; ++j)
        if (pkm_run_means_joint(node, &mech->joint[j]) && !is_driven(mech, j) &&
            pkm_clearance_has(mech->joint[j].type))
            return true;
    return false;
}

/// Clearance of one pattern. A pattern for several joints passes over those of types without
/// clearance, and over driven ones when it means others too; a joint that is named must have it.
static pkm_status read_pattern(pkm_run_reader* rr, const pkm_yaml* node)
{
    const pkm_mechanism* mech = rr->run->robot->mech;
    const bool passive = means_passive(mech, node);
    written w;
    const pkm_joint* without = NULL;
    int n = 0;
    PKM_TRY(pkm_keys_read(&rr->r, node, &pkm_clearance_section, &w));
    for (int j = 0; j < mech->n_joint; ++j) {
        if (!pkm_run_means_joint(node, &mech->joint[j])) continue;
        if (!pkm_clearance_has(mech->joint[j].type)) {
            without = &mech->joint[j];
            continue;
        }
        if (passive && is_driven(mech, j)) continue;
        PKM_TRY(add(rr, node, j, &w));
        ++n;
    }
    if (n > 0 && (!without || strcmp(node->key, without->name) != 0)) return PKM_OK;
    if (without)
        return pkm_reader_fail_key(
            &rr->r, node,
            "%s is %s, which has no clearance; expected spherical, revolute, "
            "cylindrical, prismatic or universal",
            without->name, pkm_joint_type_name(without->type));
    return pkm_run_no_name(rr, node, pkm_run_joints(rr));
}

pkm_status pkm_run_read_clearance(pkm_reader* r, const pkm_yaml* node, void* to)
{
    (void)to;
    return pkm_run_each(r, node, read_pattern);
}
