#include "base/error.h"
#include "run/run_impl.h"

#include <stdio.h>
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
    pkm_load* load = (void*)out->data;
    out->type = &pkm_element_load;
    PKM_TRY(pkm_reader_find_marker(&rr->r, pkm_yaml_get(node, "at"), &out->marker_b));
    if (axes) PKM_TRY(pkm_reader_word(&rr->r, axes, words, &which));
    *load = (pkm_load){.axes = (pkm_load_axes)which};
    if (force) PKM_TRY(pkm_run_read_signals(rr, force, pkm_dim_force, load->force));
    if (torque) PKM_TRY(pkm_run_read_signals(rr, torque, pkm_dim_torque, load->torque));
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

/// The joint on whose coordinate an element acts; does it turn?
static pkm_status read_coordinate(const pkm_run_reader* rr, const pkm_yaml* node, int* joint,
                                  bool* turns)
{
    const pkm_yaml* name = pkm_yaml_get(node, "joint");
    PKM_TRY(pkm_reader_find_joint(&rr->r, name, joint));
    const pkm_joint_type type = rr->run->robot->mech->joint[*joint].type;
    if (type != PKM_JOINT_REVOLUTE && type != PKM_JOINT_PRISMATIC)
        return pkm_reader_fail(&rr->r, name, "'%.60s' is %s, expected revolute or prismatic",
                               name->text, pkm_joint_type_name(type));
    *turns = type == PKM_JOINT_REVOLUTE;
    return PKM_OK;
}

static pkm_dimension dimension_of(pkm_element_quantity quantity, bool turns)
{
    const pkm_dimension way = turns ? pkm_dim_angle : pkm_dim_length;
    const pkm_dimension force = turns ? pkm_dim_torque : pkm_dim_force;
    switch (quantity) {
    case PKM_IS_STIFFNESS:
        return over(force, way);
    case PKM_IS_DAMPING:
        return rate_of(over(force, way));
    case PKM_IS_WAY:
        return way;
    default:
        return force;
    }
}

/// Six numbers x y z rx ry rz.
static pkm_status read_six(const pkm_run_reader* rr, const pkm_yaml* node,
                           pkm_element_quantity quantity, pkm_range range, double* out)
{
    PKM_TRY(pkm_reader_list(&rr->r, node, 6, 6));
    for (const pkm_yaml* item = node->first; item; item = item->next)
        PKM_TRY(pkm_reader_number(&rr->r, item, dimension_of(quantity, item->index >= 3), range,
                                  &out[item->index]));
    return PKM_OK;
}

/// The numbers of an element, by the list of its keys.
static pkm_status read_numbers(const pkm_run_reader* rr, const pkm_yaml* map, bool turns,
                               pkm_element* out)
{
    enum { MOST = 15 };
    const char* names[MOST + 1] = {NULL};
    const pkm_element_key* key = out->type->key;
    for (int k = 0; k < MOST && key[k].name; ++k)
        names[k] = key[k].name;
    PKM_TRY(pkm_reader_keys(&rr->r, map, names));
    for (; key->name; ++key) {
        const pkm_yaml* node = pkm_yaml_get(map, key->name + (key->name[0] == '!'));
        const pkm_range range = key->may_be_negative ? PKM_RANGE_ANY : PKM_RANGE_NOT_NEGATIVE;
        double* to = (double*)(void*)(out->data + key->at);
        if (!node) continue;
        if (key->has_six)
            PKM_TRY(read_six(rr, node, key->quantity, range, to));
        else
            PKM_TRY(pkm_reader_number(&rr->r, node, dimension_of(key->quantity, turns), range, to));
    }
    pkm_error inner;
    if (!out->type->check) return PKM_OK;
    return report(rr, map, out->type->check(out->data, out->type->word, &inner), &inner);
}

/// The element whose word is among the keys of `node`, at a place that the other keys name.
static const pkm_element_type* type_of(const pkm_yaml* node)
{
    const pkm_element_type* found = NULL;
    const bool on_joint = pkm_yaml_get(node, "joint") != NULL;
    for (int i = 0; pkm_element_type_at(i); ++i) {
        const pkm_element_type* type = pkm_element_type_at(i);
        if (!type->key || !pkm_yaml_get(node, type->word)) continue;
        if (!found || (type->place == PKM_ON_COORDINATE) == on_joint) found = type;
    }
    return found;
}

static bool may_sit_on_joint(const char* word)
{
    for (int i = 0; pkm_element_type_at(i); ++i)
        if (pkm_element_type_at(i)->place == PKM_ON_COORDINATE &&
            strcmp(pkm_element_type_at(i)->word, word) == 0)
            return true;
    return false;
}

static pkm_status no_element(const pkm_run_reader* rr, const pkm_yaml* node)
{
    char list[200] = "'force', 'torque'";
    const char* last = "";
    for (int i = 0; pkm_element_type_at(i); ++i) {
        const pkm_element_type* type = pkm_element_type_at(i);
        const size_t used = strlen(list);
        if (type->key && strcmp(type->word, last) != 0)
            snprintf(list + used, sizeof list - used, ", '%s'", type->word);
        last = type->word;
    }
    return pkm_reader_fail_key(&rr->r, node, "expected one of the keys %s", list);
}

static pkm_status read_element(pkm_run_reader* rr, const pkm_yaml* node, pkm_element* out)
{
    const pkm_reader* r = &rr->r;
    *out = (pkm_element){.marker_a = PKM_NONE, .marker_b = PKM_NONE, .joint = PKM_NONE};
    PKM_TRY(pkm_reader_keep(r, node->key, &out->name));
    PKM_TRY(pkm_reader_keys_any(r, node));
    if (pkm_yaml_get(node, "force") || pkm_yaml_get(node, "torque"))
        return read_load(rr, node, out);
    out->type = type_of(node);
    if (!out->type) return no_element(rr, node);
    const char* const joint = may_sit_on_joint(out->type->word) ? "joint" : NULL;
    const char* const keys[] = {out->type->word, "between", joint, NULL};
    bool turns = false;
    PKM_TRY(pkm_reader_keys(r, node, keys));
    if (out->type->place == PKM_ON_COORDINATE)
        PKM_TRY(read_coordinate(rr, node, &out->joint, &turns));
    else
        PKM_TRY(read_between(rr, node, out));
    return read_numbers(rr, pkm_yaml_get(node, out->type->word), turns, out);
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
