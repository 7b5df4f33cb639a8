// The sections `loads` and `payload` of a run file; elements are read by their own keys
// (force/element.h).
#include "base/error.h"
#include "run/run_impl.h"

#include <stdio.h>
#include <string.h>

enum { MAX_ELEMENT = 10000 };

// ---- kinds of elements ------------------------------------------------------------------------

static pkm_status read_force(pkm_reader* r, const pkm_yaml* node, void* to)
{
    return pkm_run_read_signals(pkm_run_reader_of(r), node, pkm_dim_force, to);
}

static pkm_status read_torque(pkm_reader* r, const pkm_yaml* node, void* to)
{
    return pkm_run_read_signals(pkm_run_reader_of(r), node, pkm_dim_torque, to);
}

/// A load on its way into the element.
typedef struct written_load {
    int marker;
    pkm_load load;
} written_load;

static const char* const axes_words[] = {"world", "body", NULL};
#define AT(member) offsetof(written_load, member)
static const pkm_key load_keys[] = {
    {"force", NULL, PKM_KEY_OWN, AT(load.force), .either = pkm_signals_forms, .read = read_force},
    {"torque",
     "`[x, y, z]`, each a number or an expression of the time `t`; or samples of all three",
     PKM_KEY_OWN, AT(load.torque), .either = pkm_signals_forms, .read = read_torque},
    {"at", "the point on which they act", PKM_KEY_MARKER, AT(marker), .must = true},
    {"axes", "`world` (default) or `body`", PKM_KEY_WORD, AT(load.axes), .words = axes_words},
    {.name = NULL}};
#undef AT
static const pkm_key_rule load_rules[] = {{PKM_RULE_SOME, "force torque", NULL}, {0}};
static const pkm_section load_section = {"load", "a force on a point", load_keys,
                                         .rule = load_rules};

static pkm_status read_load(pkm_run_reader* rr, const pkm_yaml* node, pkm_element* out)
{
    written_load w = {.load = {.axes = PKM_LOAD_WORLD}};
    PKM_TRY(pkm_keys_read(&rr->r, node, &load_section, &w));
    out->type = &pkm_element_load;
    // a load acts on one point; the other side of the element is the ground
    out->marker_b = w.marker;
    memcpy(out->data, &w.load, sizeof w.load);
    return PKM_OK;
}

static pkm_status read_between(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_element* out = to;
    PKM_TRY(pkm_reader_list(r, node, 2, 2));
    PKM_TRY(pkm_reader_find_marker(r, node->first, &out->marker_a));
    return pkm_reader_find_marker(r, node->first->next, &out->marker_b);
}

/// The joint on whose coordinate an element acts; does it turn?
static pkm_status read_coordinate(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_element* out = to;
    PKM_TRY(pkm_reader_find_joint(r, node, &out->joint));
    // a spring of a joint turns or slides with it: units of its keys follow
    const pkm_mechanism* mech = pkm_run_reader_of(r)->run->robot->mech;
    const pkm_joint_type type = mech->joint[out->joint].type;
    if (type != PKM_JOINT_REVOLUTE && type != PKM_JOINT_PRISMATIC)
        return pkm_reader_fail(r, node, "'%.60s' is %s, expected revolute or prismatic", node->text,
                               pkm_joint_type_name(type));
    r->turns = type == PKM_JOINT_REVOLUTE;
    return PKM_OK;
}

/// The numbers of an element, by the list of its keys.
static pkm_status read_numbers(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_element* out = to;
    // the table of the element's own file: a new element needs no reader here
    const pkm_section numbers = {.key = out->type->key};
    pkm_error inner;
    PKM_TRY(pkm_keys_read(r, node, &numbers, out->data));
    if (!out->type->check) return PKM_OK;
    return pkm_run_report(r, node, out->type->check(out->data, out->type->word, &inner), &inner);
}

/// The keys of a load of this type: where it sits, then its numbers.
static void make_form(const pkm_element_type* type, pkm_key_form* out)
{
    static const pkm_key ends[] = {{.kind = PKM_KEY_MARKER}, {0}};
    // two forms: between two points, or in a joint of one freedom
    const bool on_joint = type->place == PKM_ON_COORDINATE;
    *out = (pkm_key_form){.key = {{"between", "two points or frames", PKM_KEY_LIST, .n_least = 2,
                                   .n_most = 2, .either = ends, .must = true, .read = read_between},
                                  {type->word, NULL, PKM_KEY_MAP, .section = &out->numbers,
                                   .must = true, .read = read_numbers}},
                          .made = {.key = out->key},
                          .section = &out->made,
                          .numbers = {.key = type->key}};
    if (on_joint)
        out->key[0] = (pkm_key){"joint", "revolute or prismatic", PKM_KEY_JOINT, .must = true,
                                .read = read_coordinate};
}

bool pkm_load_form(int i, pkm_key_form* out)
{
    out->section = &load_section;
    if (i == 0) return true;
    for (int k = 0; pkm_element_type_at(k); ++k)
        if (pkm_element_type_at(k)->key && --i == 0) {
            make_form(pkm_element_type_at(k), out);
            return true;
        }
    return false;
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
    pkm_key_form form;
    make_form(out->type, &form);
    rr->r.turns = false;
    return pkm_keys_read(&rr->r, node, form.section, out);
}

/// A load of a name that is there already takes its place.
pkm_status pkm_run_read_loads(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_run_reader* rr = pkm_run_reader_of(r);
    pkm_effects* effects = &rr->run->effects;
    (void)to;
    PKM_TRY(pkm_reader_named_map(r, node));
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

/// What is carried, and from when to when.
typedef struct passing {
    pkm_desc_payload what;
    double pick, drop;
} passing;

static const pkm_key payload_keys[] = {
    {.kind = PKM_KEY_INCLUDE, .at = offsetof(passing, what), .section = &pkm_cargo_section},
    {"pick", NULL, PKM_KEY_NUMBER, offsetof(passing, pick), .dimension = &pkm_dim_time},
    {"drop",
     "from when to when (from the start and to the end when not given; a sequence that picks a "
     "payload of this name says it)",
     PKM_KEY_NUMBER, offsetof(passing, drop), .dimension = &pkm_dim_time},
    {.name = NULL}};
const pkm_section pkm_payload_section = {"payload", "a mass that comes and goes",
                                         .key = payload_keys};

static pkm_status read_payload(pkm_reader* r, const pkm_yaml* node, pkm_carried* out)
{
    passing p = {.pick = -HUGE_VAL, .drop = HUGE_VAL};
    pkm_error inner;
    PKM_TRY(pkm_reader_keep(r, node->key, &p.what.name));
    PKM_TRY(pkm_keys_read(r, node, &pkm_payload_section, &p));
    *out = (pkm_carried){
        p.what.name, p.what.marker, {.pick_up = p.pick, .drop = p.drop, .mass = p.what.mass}};
    return pkm_run_report(r, node, pkm_payload_check(&out->payload, "payload", &inner), &inner);
}

pkm_status pkm_run_read_payloads(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_run_reader* rr = pkm_run_reader_of(r);
    pkm_effects* effects = &rr->run->effects;
    (void)to;
    PKM_TRY(pkm_reader_named_map(r, node));
    for (const pkm_yaml* item = node->first; item; item = item->next) {
        pkm_carried carried;
        PKM_TRY(read_payload(r, item, &carried));
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
