// The section `friction` of a run file: which joints by which law, with the sizes that their
// surfaces need.
#include "base/error.h"
#include "base/pattern.h"
#include "run/run_impl.h"

#include <stdio.h>
#include <string.h>

// ---- laws -------------------------------------------------------------------------------------

static const pkm_dimension per_speed = {-2, 0, 2, 0}, per_length = {-2, 0, 0, 0};

/// Who gives the speed below which friction is smoothed wants it smoothed.
static pkm_status begin_law(pkm_reader* r, const pkm_yaml* map, void* to)
{
    pkm_friction_law* law = to;
    const bool is_smoothed =
        pkm_yaml_get(map, "stiction_velocity") || pkm_yaml_get(map, "dynamic_velocity");
    (void)r;
    *law =
        pkm_friction_law_defaults(is_smoothed ? PKM_FRICTION_COULOMB : PKM_FRICTION_ELASTOPLASTIC);
    return PKM_OK;
}

/// The defaults of the law; keys that stand behind it change them.
static pkm_status read_law(pkm_reader* r, const pkm_yaml* node, void* to)
{
    int kind = 0;
    PKM_TRY(pkm_reader_word(r, node, pkm_friction_kind_names, &kind));
    *(pkm_friction_law*)to = pkm_friction_law_defaults((pkm_friction_kind)kind);
    return PKM_OK;
}

static pkm_status check_law(pkm_reader* r, const pkm_yaml* map, void* to)
{
    pkm_friction_law* law = to;
    const pkm_yaml *rest = pkm_yaml_get(map, "static"), *slide = pkm_yaml_get(map, "dynamic");
    // one coefficient alone stands for both
    if (!rest) law->mu_static = law->mu_dynamic;
    if (!slide) law->mu_dynamic = law->mu_static;
    // defaults depend on where the law rubs (in joints, in contacts), which is known later: whether
    // it was said is kept
    law->has_damping = pkm_yaml_get(map, "bristle_damping") != NULL;
    law->has_fall = pkm_yaml_get(map, "stribeck_velocity") != NULL;
    // friction that grows with the start of sliding has no stick
    if (law->mu_static >= law->mu_dynamic) return PKM_OK;
    return pkm_reader_fail(r, rest, "%.40s, expected at least the dynamic one, %.40s", rest->text,
                           slide->text);
}

#define AT(member) offsetof(pkm_friction_law, member)
static const pkm_key law_keys[] = {
    {"law",
     "`elasto-plastic` (the default: surfaces rest), `lugre`, or smoothed: `coulomb` (the default "
     "where `stiction_velocity` or `dynamic_velocity` is given), `stribeck`, `brown-mcphee`. See "
     "the [guide on friction](../guide/friction.md)",
     PKM_KEY_WORD, .words = pkm_friction_kind_names, .read = read_law},
    {"static", NULL, PKM_KEY_NUMBER, AT(mu_static), NULL, PKM_RANGE_NOT_NEGATIVE,
     .adams = "MU_STATIC"},
    {"dynamic", "coefficients; one alone stands for both", PKM_KEY_NUMBER, AT(mu_dynamic), NULL,
     PKM_RANGE_NOT_NEGATIVE, .adams = "MU_DYNAMIC"},
    {"viscous", "coefficient per velocity", PKM_KEY_NUMBER, AT(viscous), &per_speed,
     .range = PKM_RANGE_NOT_NEGATIVE},
    {"stiction_velocity",
     "smoothed laws: surface velocity at which friction is fully developed, 1 mm/s; below it "
     "surfaces creep. Laws with a state: the same where they have none (`pkm inverse`, prescribed "
     "drives)",
     PKM_KEY_NUMBER, AT(stiction_velocity), &pkm_dim_velocity, PKM_RANGE_POSITIVE,
     .adams = "STICTION_TRANSITION_VELOCITY"},
    {"dynamic_velocity", "coulomb: of the dynamic coefficient, 1.5 times that", PKM_KEY_NUMBER,
     AT(dynamic_velocity), &pkm_dim_velocity, PKM_RANGE_POSITIVE,
     .adams = "TRANSITION_VELOCITY_COEFFICIENT"},
    {"stribeck_velocity",
     "of the exponential fall from static to dynamic: stribeck 10 mm/s, lugre 1 mm/s, "
     "elasto-plastic 5 um/s",
     PKM_KEY_NUMBER, AT(stribeck_velocity), &pkm_dim_velocity, .range = PKM_RANGE_POSITIVE},
    {"bristle_stiffness", NULL, PKM_KEY_NUMBER, AT(bristle_stiffness), &per_length,
     .range = PKM_RANGE_POSITIVE},
    {"bristle_damping",
     "presliding: elasto-plastic 1e6 1/m and 2e4 s/m (30 s/m in impacts of joints with clearance), "
     "more where the load is small against the mass that it stops; "
     "lugre 1e5 1/m and 316 s/m. Surfaces slip at a deflection of `static` over the stiffness, 0.1 "
     "um at 0.1",
     PKM_KEY_NUMBER, AT(bristle_damping), &per_speed, .range = PKM_RANGE_NOT_NEGATIVE},
    {"damping_velocity", "lugre: at which the damping fades, 1 mm/s", PKM_KEY_NUMBER,
     AT(damping_velocity), &pkm_dim_velocity, .range = PKM_RANGE_POSITIVE},
    {.name = NULL}};
#undef AT
static const pkm_key_rule law_rules[] = {{PKM_RULE_SOME, "static dynamic", NULL}, {0}};

const pkm_section pkm_friction_law_section = {"friction_law",     "law of friction in a contact",
                                              law_keys,           law_rules,
                                              .begin = begin_law, .check = check_law};

// ---- ideal joints -----------------------------------------------------------------------------

static pkm_status begin_friction(pkm_reader* r, const pkm_yaml* map, void* to)
{
    (void)r, (void)map;
    *(pkm_joint_friction*)to = pkm_joint_friction_defaults(PKM_FRICTION_ELASTOPLASTIC);
    return PKM_OK;
}

static const char* const input_words[] = {"force", "bending", "torsion", "preload", NULL};

static pkm_status read_inputs(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_joint_friction* f = to;
    bool* const use[] = {&f->use_force, &f->use_bending, &f->use_torsion, &f->use_preload};
    PKM_TRY(pkm_reader_list(r, node, 1, 4));
    for (int i = 0; i < 4; ++i)
        // the list says all of it, what it leaves out is off
        *use[i] = false;
    for (const pkm_yaml* item = node->first; item; item = item->next) {
        int which = 0;
        PKM_TRY(pkm_reader_word(r, item, input_words, &which));
        *use[which] = true;
    }
    return PKM_OK;
}

static pkm_status check_inputs(pkm_reader* r, const pkm_yaml* map, void* to)
{
    pkm_joint_friction* f = to;
    (void)r;
    if (pkm_yaml_get(map, "inputs")) return PKM_OK;
    f->use_bending = f->bending_arm > 0.0 || f->overlap > 0.0;
    f->use_torsion = f->reaction_arm > 0.0;
    return PKM_OK;
}

static const char* const deltas[] = {"constant", "increase", "decrease", NULL};
static const pkm_key input_forms[] = {{.kind = PKM_KEY_WORD, .words = input_words}, {0}};

#define AT(member) offsetof(pkm_joint_friction, member)
static const pkm_key friction_keys[] = {
    {.kind = PKM_KEY_INCLUDE, .section = &pkm_friction_law_section, .at = AT(law)},
    {"radius", "of ball or pin; not for prismatic joints", PKM_KEY_NUMBER, AT(radius),
     &pkm_dim_length, PKM_RANGE_POSITIVE, .adams = "BALL_RADIUS, PIN_RADIUS"},
    {"friction_arm", "of the axial force: revolute, universal", PKM_KEY_NUMBER, AT(friction_arm),
     &pkm_dim_length, PKM_RANGE_NOT_NEGATIVE, .adams = "FRICTION_ARM"},
    {"bending_arm", "of the bending moment: revolute, universal", PKM_KEY_NUMBER, AT(bending_arm),
     &pkm_dim_length, PKM_RANGE_POSITIVE, .adams = "BENDING_REACTION_ARM"},
    {"reaction_arm", "of the torsional moment: prismatic", PKM_KEY_NUMBER, AT(reaction_arm),
     &pkm_dim_length, PKM_RANGE_POSITIVE, .adams = "REACTION_ARM"},
    {"overlap", NULL, PKM_KEY_NUMBER, AT(overlap), &pkm_dim_length, PKM_RANGE_POSITIVE,
     .adams = "INITIAL_OVERLAP"},
    {"overlap_delta", "of slide and guide, for its bending moment", PKM_KEY_WORD, AT(overlap_delta),
     .words = deltas, .adams = "OVERLAP_DELTA"},
    {"bending_ends",
     "of a pin or guide that rub under a moment M, each pressed by M over arm or overlap: 1 "
     "(default, as Adams) or 2 (a rigid slider)",
     PKM_KEY_COUNT, AT(bending_ends), .least = 1, .most = 2},
    {"preload_force", NULL, PKM_KEY_NUMBER, AT(preload_force), &pkm_dim_force,
     PKM_RANGE_NOT_NEGATIVE, .adams = "FRICTION_FORCE_PRELOAD"},
    {"preload_torque", "friction without reaction", PKM_KEY_NUMBER, AT(preload_torque),
     &pkm_dim_torque, PKM_RANGE_NOT_NEGATIVE, .adams = "FRICTION_TORQUE_PRELOAD"},
    {"inputs",
     "list of what makes friction. Without it force and preload do, bending where an arm or "
     "overlap is given, torsion with a reaction arm",
     PKM_KEY_LIST, .n_least = 1, .n_most = 4, .either = input_forms, .read = read_inputs,
     .adams = "INPUTS"},
    {.name = NULL}};
#undef AT

const pkm_section pkm_friction_section = {
    .name = "friction",
    .sentence = "friction in a joint",
    .key = friction_keys,
    .begin = begin_friction,
    .check = check_inputs,
};

// ---- joints -----------------------------------------------------------------------------------

/// The lengths that a joint cannot do without, in the words of the file.
static const char* missing_length(const pkm_joint_friction* f, pkm_joint_type type)
{
    const bool pin = type == PKM_JOINT_REVOLUTE || type == PKM_JOINT_UNIVERSAL;
    const bool guide = type == PKM_JOINT_PRISMATIC || type == PKM_JOINT_CYLINDRICAL;
    // forces rub at a radius, moments by an arm or an overlap: without them the friction is not
    // defined
    if (type != PKM_JOINT_PRISMATIC && !(f->radius > 0.0)) return "radius";
    if (pin && f->use_bending && !(f->bending_arm > 0.0)) return "bending_arm";
    if (guide && f->use_bending && !(f->overlap > 0.0)) return "overlap";
    if (type == PKM_JOINT_PRISMATIC && f->use_torsion && !(f->reaction_arm > 0.0))
        return "reaction_arm";
    return NULL;
}

static bool has_model(pkm_joint_type type)
{
    return type == PKM_JOINT_REVOLUTE || type == PKM_JOINT_PRISMATIC ||
           type == PKM_JOINT_CYLINDRICAL || type == PKM_JOINT_UNIVERSAL ||
           type == PKM_JOINT_SPHERICAL;
}

static pkm_status add(pkm_run_reader* rr, const pkm_yaml* node, int j, const pkm_joint_friction* f)
{
    const pkm_joint* joint = &rr->run->robot->mech->joint[j];
    const char* missing = missing_length(f, joint->type);
    if (missing)
        return pkm_reader_fail_key(&rr->r, node, "the key '%s' is missing; %s is %s and needs it",
                                   missing, joint->name, pkm_joint_type_name(joint->type));
    pkm_error inner = {0};
    if (pkm_joint_friction_check(f, joint->type, &inner) != PKM_OK) {
        // the check names its item; here the joint is the item
        const bool named = strncmp(inner.text, "friction: ", 10) == 0;
        return pkm_reader_fail_key(&rr->r, node, "%s: %s", joint->name, inner.text + 10 * named);
    }
    pkm_effects* effects = &rr->run->effects;
    int k = 0;
    // the later pattern rules: `"*"` first, then what is different
    while (k < effects->n_friction && effects->friction[k].joint != j)
        ++k;
    if (k == effects->n_friction) ++effects->n_friction;
    effects->friction[k] = (pkm_plant_friction){.joint = j, .friction = *f};
    return PKM_OK;
}

bool pkm_run_means_joint(const pkm_yaml* node, const pkm_joint* joint)
{
    return pkm_run_means(node->key, joint->name) ||
           strcmp(node->key, pkm_joint_type_name(joint->type)) == 0;
}

/// Friction of one pattern. A pattern for several joints passes over those of types that have no
/// friction (fixed, distance ...); a joint that is named must have it.
static pkm_status read_pattern(pkm_run_reader* rr, const pkm_yaml* node)
{
    const pkm_mechanism* mech = rr->run->robot->mech;
    pkm_joint_friction friction;
    const pkm_joint* without = NULL;
    int n = 0;
    PKM_TRY(pkm_keys_read(&rr->r, node, &pkm_friction_section, &friction));
    for (int j = 0; j < mech->n_joint; ++j) {
        if (!pkm_run_means_joint(node, &mech->joint[j])) continue;
        if (!has_model(mech->joint[j].type)) {
            without = &mech->joint[j];
            continue;
        }
        PKM_TRY(add(rr, node, j, &friction));
        ++n;
    }
    if (n > 0 && (!without || pkm_pattern_is_wild(node->key))) return PKM_OK;
    if (without)
        return pkm_reader_fail_key(&rr->r, node,
                                   "%s is %s, which has no friction; expected revolute, prismatic, "
                                   "cylindrical, universal or spherical",
                                   without->name, pkm_joint_type_name(without->type));
    return pkm_run_no_name(rr, node, pkm_run_joints(rr));
}

pkm_status pkm_run_read_friction(pkm_reader* r, const pkm_yaml* node, void* to)
{
    (void)to;
    return pkm_run_each(r, node, read_pattern);
}
