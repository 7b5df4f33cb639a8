#include "base/error.h"
#include "base/pattern.h"
#include "run/run_impl.h"

#include <stdio.h>
#include <string.h>

static const char* const friction_keys[] = {"law",
                                            "static",
                                            "dynamic",
                                            "viscous",
                                            "radius",
                                            "stiction_velocity",
                                            "dynamic_velocity",
                                            "stribeck_velocity",
                                            "friction_arm",
                                            "bristle_stiffness",
                                            "bristle_damping",
                                            "damping_velocity",
                                            "bending_arm",
                                            "reaction_arm",
                                            "overlap",
                                            "overlap_delta",
                                            "bending_ends",
                                            "inputs",
                                            "preload_force",
                                            "preload_torque",
                                            NULL};

// ---- laws -------------------------------------------------------------------------------------

/// The numbers of a law.
static pkm_status read_law_numbers(const pkm_run_reader* rr, const pkm_yaml* node,
                                   pkm_friction_law* law)
{
    const pkm_dimension per_speed = {-2, 0, 2, 0}, per_length = {-2, 0, 0, 0};
    const pkm_range any = PKM_RANGE_NOT_NEGATIVE, positive = PKM_RANGE_POSITIVE;
    const pkm_run_number number[] = {
        {"static", pkm_dim_one, any, &law->mu_static},
        {"dynamic", pkm_dim_one, any, &law->mu_dynamic},
        {"viscous", per_speed, any, &law->viscous},
        {"stiction_velocity", pkm_dim_velocity, positive, &law->stiction_velocity},
        {"dynamic_velocity", pkm_dim_velocity, positive, &law->dynamic_velocity},
        {"stribeck_velocity", pkm_dim_velocity, positive, &law->stribeck_velocity},
        {"bristle_stiffness", per_length, positive, &law->bristle_stiffness},
        {"bristle_damping", per_speed, any, &law->bristle_damping},
        {"damping_velocity", pkm_dim_velocity, positive, &law->damping_velocity},
        {.key = NULL}};
    return pkm_run_read_numbers(rr, node, number);
}

pkm_status pkm_run_read_friction_law(const pkm_run_reader* rr, const pkm_yaml* node,
                                     pkm_friction_law* out)
{
    const pkm_reader* r = &rr->r;
    static const char* const laws[] = {"coulomb", "stribeck",       "brown-mcphee",
                                       "lugre",   "elasto-plastic", NULL};
    const pkm_yaml *law = pkm_yaml_get(node, "law"), *rest = pkm_yaml_get(node, "static"),
                   *slide = pkm_yaml_get(node, "dynamic");
    // who gives the speed below which friction is smoothed wants it smoothed
    const bool is_smoothed =
        pkm_yaml_get(node, "stiction_velocity") || pkm_yaml_get(node, "dynamic_velocity");
    int kind = is_smoothed ? PKM_FRICTION_COULOMB : PKM_FRICTION_ELASTOPLASTIC;
    if (law) PKM_TRY(pkm_reader_word(r, law, laws, &kind));
    if (!rest && !slide)
        return pkm_reader_fail_key(r, node, "expected one of the keys 'static' and 'dynamic'");
    *out = pkm_friction_law_defaults((pkm_friction_kind)kind);
    static const char* const of_others[] = {"viscous", "stribeck_velocity", "bristle_stiffness",
                                            "bristle_damping", "damping_velocity"};
    out->is_default = !law && !is_smoothed;
    for (size_t k = 0; k < sizeof of_others / sizeof of_others[0]; ++k)
        if (pkm_yaml_get(node, of_others[k])) out->is_default = false;
    PKM_TRY(read_law_numbers(rr, node, out));
    if (!rest) out->mu_static = out->mu_dynamic;
    if (!slide) out->mu_dynamic = out->mu_static;
    if (out->mu_static >= out->mu_dynamic) return PKM_OK;
    return pkm_reader_fail(r, rest, "%.40s, expected at least the dynamic one, %.40s", rest->text,
                           slide->text);
}

// ---- ideal joints -----------------------------------------------------------------------------

static pkm_status read_numbers(const pkm_run_reader* rr, const pkm_yaml* node,
                               pkm_joint_friction* f)
{
    const pkm_range any = PKM_RANGE_NOT_NEGATIVE, positive = PKM_RANGE_POSITIVE;
    const pkm_run_number number[] = {{"radius", pkm_dim_length, positive, &f->radius},
                                     {"friction_arm", pkm_dim_length, any, &f->friction_arm},
                                     {"bending_arm", pkm_dim_length, positive, &f->bending_arm},
                                     {"reaction_arm", pkm_dim_length, positive, &f->reaction_arm},
                                     {"overlap", pkm_dim_length, positive, &f->overlap},
                                     {"preload_force", pkm_dim_force, any, &f->preload_force},
                                     {"preload_torque", pkm_dim_torque, any, &f->preload_torque},
                                     {.key = NULL}};
    return pkm_run_read_numbers(rr, node, number);
}

/// What makes friction: `inputs: [force, bending, torsion, preload]`. Without it force and preload
/// do, bending where an arm or an overlap is given for it, torsion with a reaction arm.
static pkm_status read_inputs(const pkm_reader* r, const pkm_yaml* node, pkm_joint_friction* f)
{
    static const char* const words[] = {"force", "bending", "torsion", "preload", NULL};
    bool* const use[] = {&f->use_force, &f->use_bending, &f->use_torsion, &f->use_preload};
    const pkm_yaml* inputs = pkm_yaml_get(node, "inputs");
    f->use_bending = f->bending_arm > 0.0 || f->overlap > 0.0;
    f->use_torsion = f->reaction_arm > 0.0;
    if (!inputs) return PKM_OK;
    PKM_TRY(pkm_reader_list(r, inputs, 1, 4));
    for (int i = 0; i < 4; ++i)
        *use[i] = false;
    for (const pkm_yaml* item = inputs->first; item; item = item->next) {
        int which = 0;
        PKM_TRY(pkm_reader_word(r, item, words, &which));
        *use[which] = true;
    }
    return PKM_OK;
}

/// M/X or 2 M/X.
static pkm_status read_ends(const pkm_reader* r, const pkm_yaml* node, int* out)
{
    static const char* const words[] = {"1", "2", NULL};
    int which = 0;
    if (node) PKM_TRY(pkm_reader_word(r, node, words, &which));
    *out = which + 1;
    return PKM_OK;
}

static pkm_status read_friction(const pkm_run_reader* rr, const pkm_yaml* node,
                                pkm_joint_friction* out)
{
    const pkm_reader* r = &rr->r;
    static const char* const deltas[] = {"constant", "increase", "decrease", NULL};
    PKM_TRY(pkm_reader_keys(r, node, friction_keys));
    const pkm_yaml* delta = pkm_yaml_get(node, "overlap_delta");
    int change = PKM_OVERLAP_CONSTANT;
    if (delta) PKM_TRY(pkm_reader_word(r, delta, deltas, &change));
    *out = pkm_joint_friction_defaults(PKM_FRICTION_ELASTOPLASTIC);
    PKM_TRY(pkm_run_read_friction_law(rr, node, &out->law));
    out->overlap_delta = (pkm_overlap)change;
    PKM_TRY(read_ends(r, pkm_yaml_get(node, "bending_ends"), &out->bending_ends));
    PKM_TRY(read_numbers(rr, node, out));
    return read_inputs(r, node, out);
}

// ---- joints -----------------------------------------------------------------------------------

/// The lengths that a joint cannot do without, in the words of the file.
static const char* missing_length(const pkm_joint_friction* f, pkm_joint_type type)
{
    const bool pin = type == PKM_JOINT_REVOLUTE || type == PKM_JOINT_UNIVERSAL;
    const bool guide = type == PKM_JOINT_PRISMATIC || type == PKM_JOINT_CYLINDRICAL;
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
        const bool named = strncmp(inner.text, "friction: ", 10) == 0;
        return pkm_reader_fail_key(&rr->r, node, "%s: %s", joint->name, inner.text + 10 * named);
    }
    pkm_effects* effects = &rr->run->effects;
    int k = 0;
    while (k < effects->n_friction && effects->friction[k].joint != j)
        ++k;
    if (k == effects->n_friction) ++effects->n_friction;
    effects->friction[k] = (pkm_plant_friction){.joint = j, .friction = *f};
    return PKM_OK;
}

pkm_status pkm_run_no_joint(const pkm_run_reader* rr, const pkm_yaml* node)
{
    const pkm_mechanism* mech = rr->run->robot->mech;
    pkm_nearest near = pkm_nearest_make(node->key);
    char list[240] = "";
    for (int j = 0; j < mech->n_joint; ++j) {
        pkm_nearest_offer(&near, mech->joint[j].name);
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", j ? ", " : "", mech->joint[j].name);
    }
    pkm_yaml at = *node->parent;
    at.place = node->key_place;
    if (near.best)
        return pkm_reader_fail(&rr->r, &at, "'%.60s' is no joint%s", node->key,
                               pkm_nearest_hint(&near).text);
    return pkm_reader_fail(&rr->r, &at, "'%.60s' matches no joint; there are %s%s", node->key, list,
                           strlen(list) == sizeof list - 1 ? " ..." : "");
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
    PKM_TRY(read_friction(rr, node, &friction));
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
    return pkm_run_no_joint(rr, node);
}

pkm_status pkm_run_read_friction(pkm_run_reader* rr, const pkm_yaml* node)
{
    PKM_TRY(pkm_reader_keys_any(&rr->r, node));
    for (const pkm_yaml* item = node->first; item; item = item->next)
        PKM_TRY(read_pattern(rr, item));
    return PKM_OK;
}
