#include "base/error.h"
#include "run/run_impl.h"

#include <string.h>

enum { MAX_ELEMENT = 10000 };

static pkm_dimension over(pkm_dimension a, pkm_dimension b)
{
    return pkm_dimension_mul(a, b, -1);
}

static pkm_dimension rate_of(pkm_dimension a)
{
    return pkm_dimension_mul(a, pkm_dim_time, 1);
}

/// A check of a force element said something about it.
static pkm_status report(const pkm_run_reader* rr, const pkm_yaml* node, pkm_status status,
                         const pkm_error* inner)
{
    if (status == PKM_OK) return PKM_OK;
    const char* colon = strstr(inner->text, ": ");
    return pkm_reader_fail_key(&rr->r, node, "%s", colon ? colon + 2 : inner->text);
}

// ---- kinds of elements ------------------------------------------------------------------------

static pkm_status read_load(pkm_run_reader* rr, const pkm_yaml* node, pkm_element* out)
{
    static const char* const keys[] = {"force", "torque", "!at", "axes", NULL};
    static const char* const words[] = {"world", "body", NULL};
    PKM_TRY(pkm_reader_keys(&rr->r, node, keys));
    const pkm_yaml *force = pkm_yaml_get(node, "force"), *torque = pkm_yaml_get(node, "torque");
    const pkm_yaml* axes = pkm_yaml_get(node, "axes");
    int which = PKM_LOAD_WORLD;
    out->kind = PKM_ELEMENT_LOAD;
    PKM_TRY(pkm_reader_find_marker(&rr->r, pkm_yaml_get(node, "at"), &out->marker_b));
    if (axes) PKM_TRY(pkm_reader_word(&rr->r, axes, words, &which));
    out->load = (pkm_load){.axes = (pkm_load_axes)which};
    if (force) PKM_TRY(pkm_run_read_signals(rr, force, pkm_dim_force, out->load.force));
    if (torque) PKM_TRY(pkm_run_read_signals(rr, torque, pkm_dim_torque, out->load.torque));
    return PKM_OK;
}

static pkm_status read_between(const pkm_run_reader* rr, const pkm_yaml* node, pkm_element* out)
{
    const pkm_yaml* between = pkm_yaml_get(node, "between");
    if (!between) return pkm_reader_fail_key(&rr->r, node, "the key 'between' is missing");
    PKM_TRY(pkm_reader_list(&rr->r, between, 2, 2));
    PKM_TRY(pkm_reader_find_marker(&rr->r, between->first, &out->marker_a));
    return pkm_reader_find_marker(&rr->r, between->first->next, &out->marker_b);
}

static pkm_status read_spring(const pkm_run_reader* rr, const pkm_yaml* node,
                              const pkm_yaml* spring, pkm_element* out)
{
    static const char* const keys[] = {"stiffness", "damping", "!length", "preload", NULL};
    const pkm_dimension k = over(pkm_dim_force, pkm_dim_length);
    pkm_spring* s = &out->spring;
    *s = (pkm_spring){.stiffness = 0.0};
    const pkm_run_number number[] = {
        {"stiffness", k, PKM_RANGE_NOT_NEGATIVE, &s->stiffness},
        {"damping", rate_of(k), PKM_RANGE_NOT_NEGATIVE, &s->damping},
        {"length", pkm_dim_length, PKM_RANGE_NOT_NEGATIVE, &s->free_length},
        {"preload", pkm_dim_force, PKM_RANGE_ANY, &s->preload},
        {.key = NULL}};
    pkm_error inner;
    out->kind = PKM_ELEMENT_SPRING;
    PKM_TRY(read_between(rr, node, out));
    PKM_TRY(pkm_reader_keys(&rr->r, spring, keys));
    PKM_TRY(pkm_run_read_numbers(rr, spring, number));
    return report(rr, spring, pkm_spring_check(s, "spring", &inner), &inner);
}

static pkm_status read_joint_spring(const pkm_run_reader* rr, const pkm_yaml* node,
                                    const pkm_yaml* spring, pkm_element* out)
{
    static const char* const keys[] = {"stiffness", "damping", "rest", "preload", NULL};
    const pkm_yaml* name = pkm_yaml_get(node, "joint");
    PKM_TRY(pkm_reader_find_joint(&rr->r, name, &out->joint));
    const pkm_joint_type type = rr->run->robot->mech->joint[out->joint].type;
    if (type != PKM_JOINT_REVOLUTE && type != PKM_JOINT_PRISMATIC)
        return pkm_reader_fail(&rr->r, name, "'%.60s' is %s, expected revolute or prismatic",
                               name->text, pkm_joint_type_name(type));
    const bool turns = type == PKM_JOINT_REVOLUTE;
    const pkm_dimension way = turns ? pkm_dim_angle : pkm_dim_length;
    const pkm_dimension force = turns ? pkm_dim_torque : pkm_dim_force;
    pkm_coordinate_spring* s = &out->joint_spring;
    *s = (pkm_coordinate_spring){.stiffness = 0.0};
    const pkm_run_number number[] = {
        {"stiffness", over(force, way), PKM_RANGE_NOT_NEGATIVE, &s->stiffness},
        {"damping", rate_of(over(force, way)), PKM_RANGE_NOT_NEGATIVE, &s->damping},
        {"rest", way, PKM_RANGE_ANY, &s->rest},
        {"preload", force, PKM_RANGE_ANY, &s->preload},
        {.key = NULL}};
    pkm_error inner;
    out->kind = PKM_ELEMENT_JOINT_SPRING;
    PKM_TRY(pkm_reader_keys(&rr->r, spring, keys));
    PKM_TRY(pkm_run_read_numbers(rr, spring, number));
    return report(rr, spring, pkm_coordinate_spring_check(s, "spring", &inner), &inner);
}

/// Six numbers x y z rx ry rz; `turn` is the dimension of the last three.
static pkm_status read_six(const pkm_run_reader* rr, const pkm_yaml* node, pkm_dimension shift,
                           pkm_dimension turn, pkm_range range, double out[6])
{
    if (!node) return PKM_OK;
    PKM_TRY(pkm_reader_list(&rr->r, node, 6, 6));
    for (const pkm_yaml* item = node->first; item; item = item->next)
        PKM_TRY(pkm_reader_number(&rr->r, item, item->index < 3 ? shift : turn, range,
                                  &out[item->index]));
    return PKM_OK;
}

static pkm_status read_bushing(const pkm_run_reader* rr, const pkm_yaml* node,
                               const pkm_yaml* bushing, pkm_element* out)
{
    static const char* const keys[] = {"stiffness", "damping", "preload", NULL};
    const pkm_dimension k = over(pkm_dim_force, pkm_dim_length);
    const pkm_dimension kr = over(pkm_dim_torque, pkm_dim_angle);
    pkm_error inner;
    out->kind = PKM_ELEMENT_BUSHING;
    PKM_TRY(read_between(rr, node, out));
    PKM_TRY(pkm_reader_keys(&rr->r, bushing, keys));
    out->bushing = (pkm_bushing){.stiffness = {0.0}};
    PKM_TRY(read_six(rr, pkm_yaml_get(bushing, "stiffness"), k, kr, PKM_RANGE_NOT_NEGATIVE,
                     out->bushing.stiffness));
    PKM_TRY(read_six(rr, pkm_yaml_get(bushing, "damping"), rate_of(k), rate_of(kr),
                     PKM_RANGE_NOT_NEGATIVE, out->bushing.damping));
    PKM_TRY(read_six(rr, pkm_yaml_get(bushing, "preload"), pkm_dim_force, pkm_dim_torque,
                     PKM_RANGE_ANY, out->bushing.preload));
    return report(rr, bushing, pkm_bushing_check(&out->bushing, "bushing", &inner), &inner);
}

static pkm_status read_element(pkm_run_reader* rr, const pkm_yaml* node, pkm_element* out)
{
    static const char* const springs[] = {"spring", "between", "joint", NULL};
    static const char* const bushings[] = {"!bushing", "!between", NULL};
    const pkm_reader* r = &rr->r;
    *out = (pkm_element){.marker_a = PKM_NONE, .marker_b = PKM_NONE, .joint = PKM_NONE};
    PKM_TRY(pkm_reader_keep(r, node->key, &out->name));
    PKM_TRY(pkm_reader_keys_any(r, node));
    const pkm_yaml *spring = pkm_yaml_get(node, "spring"), *bushing = pkm_yaml_get(node, "bushing");
    if (pkm_yaml_get(node, "force") || pkm_yaml_get(node, "torque"))
        return read_load(rr, node, out);
    if (bushing) {
        PKM_TRY(pkm_reader_keys(r, node, bushings));
        return read_bushing(rr, node, bushing, out);
    }
    if (!spring)
        return pkm_reader_fail_key(r, node,
                                   "expected one of the keys 'force', 'torque', 'spring', "
                                   "'bushing'");
    PKM_TRY(pkm_reader_keys(r, node, springs));
    return pkm_yaml_get(node, "joint") ? read_joint_spring(rr, node, spring, out)
                                       : read_spring(rr, node, spring, out);
}

/// A load of a name that is there already takes its place.
pkm_status pkm_run_read_loads(pkm_run_reader* rr, const pkm_yaml* node)
{
    pkm_effects* effects = &rr->run->effects;
    PKM_TRY(pkm_reader_named_map(&rr->r, node));
    for (const pkm_yaml* item = node->first; item; item = item->next) {
        pkm_element element;
        PKM_TRY(read_element(rr, item, &element));
        int k = 0;
        while (k < effects->n_element && strcmp(effects->element[k].name, element.name) != 0)
            ++k;
        if (k == MAX_ELEMENT)
            return pkm_reader_fail_key(&rr->r, item, "more than %d loads", MAX_ELEMENT);
        void* list = effects->element;
        if (k == effects->n_element) PKM_TRY(pkm_run_grow(rr, &list, k, sizeof element));
        effects->element = list;
        effects->element[k] = element;
        if (k == effects->n_element) ++effects->n_element;
    }
    return PKM_OK;
}

// ---- payloads ---------------------------------------------------------------------------------

static pkm_status read_payload(const pkm_run_reader* rr, const pkm_yaml* node, pkm_carried* out)
{
    static const char* const keys[] = {"!mass", "!at", "com", "inertia", "pick", "drop", NULL};
    const pkm_reader* r = &rr->r;
    PKM_TRY(pkm_reader_keys(r, node, keys));
    *out = (pkm_carried){.payload = {.pick_up = -HUGE_VAL, .drop = HUGE_VAL}};
    PKM_TRY(pkm_reader_keep(r, node->key, &out->name));
    const pkm_yaml *at = pkm_yaml_get(node, "at"), *com = pkm_yaml_get(node, "com");
    const pkm_yaml* inertia = pkm_yaml_get(node, "inertia");
    PKM_TRY(pkm_reader_find_marker(r, at, &out->marker));
    if (rr->run->robot->mech->marker[out->marker].body == 0)
        return pkm_reader_fail(r, at, "'%.60s' is on the ground, expected a body", at->text);
    pkm_payload* p = &out->payload;
    const pkm_run_number number[] = {{"mass", pkm_dim_mass, PKM_RANGE_POSITIVE, &p->mass.mass},
                                     {"pick", pkm_dim_time, PKM_RANGE_ANY, &p->pick_up},
                                     {"drop", pkm_dim_time, PKM_RANGE_ANY, &p->drop},
                                     {.key = NULL}};
    PKM_TRY(pkm_run_read_numbers(rr, node, number));
    if (com) PKM_TRY(pkm_reader_vector(r, com, pkm_dim_length, &p->mass.com));
    if (inertia) PKM_TRY(pkm_inertia_read(r, inertia, p->mass.inertia));
    pkm_error inner;
    return report(rr, node, pkm_payload_check(p, "payload", &inner), &inner);
}

pkm_status pkm_run_read_payloads(pkm_run_reader* rr, const pkm_yaml* node)
{
    pkm_effects* effects = &rr->run->effects;
    PKM_TRY(pkm_reader_named_map(&rr->r, node));
    for (const pkm_yaml* item = node->first; item; item = item->next) {
        pkm_carried carried;
        PKM_TRY(read_payload(rr, item, &carried));
        int k = 0;
        while (k < effects->n_carried && strcmp(effects->carried[k].name, carried.name) != 0)
            ++k;
        if (k == MAX_ELEMENT)
            return pkm_reader_fail_key(&rr->r, item, "more than %d payloads", MAX_ELEMENT);
        void* list = effects->carried;
        if (k == effects->n_carried) PKM_TRY(pkm_run_grow(rr, &list, k, sizeof carried));
        effects->carried = list;
        effects->carried[k] = carried;
        if (k == effects->n_carried) ++effects->n_carried;
    }
    return PKM_OK;
}
