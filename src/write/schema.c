// A walk over the tables of keys (model/key.h), the same that the reader takes: what it accepts and
// what an editor marks cannot part. Sections that stand in several places become definitions.
#include "write/schema.h"

#include "model/quantity.h"
#include "write/json.h"

#include <stdio.h>
#include <string.h>

enum { MAX_SECTION = 96 };

/// Numbers as text: with a unit, or an expression.
#define DIGITS "([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?"
#define UNIT   "( *([A-Za-z%\u00b0\u00b5\u03bc]|1/).*)?"
static const char any_number[] = "^ *([-+]?" DIGITS UNIT "|=.+) *$";
static const char plain_number[] = "^ *(\\+?" DIGITS UNIT "|=.+) *$";

/// A schema being written. Keys of the section `elsewhere` are described by another schema.
typedef struct writer {
    pkm_json json; ///< first: functions that need no more take a pointer to it
    const pkm_section* elsewhere;
    const char* address; ///< of its properties
} writer;

// ---- the sections of a file -------------------------------------------------------------------

/// Named sections in the order in which the file leads to them.
typedef struct sections {
    const pkm_section* list[MAX_SECTION];
    int n;
    const pkm_section* elsewhere; ///< not looked into
} sections;

static bool is_elsewhere(const pkm_section* elsewhere, const pkm_key* key)
{
    return elsewhere && pkm_section_find(elsewhere, key->name, NULL) == key;
}

static void collect(const pkm_section* section, sections* all);

/// Sections behind a key: its own, those of its forms, and those that are made on the way.
static void collect_key(const pkm_key* key, sections* all)
{
    if (key->section) collect(key->section, all);
    for (const pkm_key* form = key->either; form && form->kind; ++form)
        collect_key(form, all);
    pkm_key_form made;
    for (int i = 0; key->form && key->form(i, &made); ++i)
        // a section that was made on the way lives in `made`: it cannot be listed
        if (made.section != &made.made) collect(made.section, all);
}

/// By its keys: a section that is included stands in several places.
static bool is_known(const pkm_section* section, const sections* all)
{
    for (int i = 0; i < all->n; ++i)
        if (all->list[i]->key == section->key) return true;
    return false;
}

static void collect(const pkm_section* section, sections* all)
{
    if (is_known(section, all)) return;
    // unnamed ones stand where they are used; what they lead to is looked into all the same
    if (section->name && all->n < MAX_SECTION) all->list[all->n++] = section;
    const pkm_key* key;
    for (int i = 0; (key = pkm_section_key(section, i)); ++i)
        if (!is_elsewhere(all->elsewhere, key)) collect_key(key, all);
}

/// Sections that are included have names, too, though no key leads to them.
static const pkm_section* find_included(const pkm_section* section, const char* name)
{
    const pkm_section* found = NULL;
    for (const pkm_key* key = section->key; key->name || key->kind == PKM_KEY_INCLUDE; ++key) {
        if (key->kind != PKM_KEY_INCLUDE || found) continue;
        const bool is_meant = key->section->name && strcmp(key->section->name, name) == 0;
        found = is_meant ? key->section : find_included(key->section, name);
    }
    return found;
}

const pkm_section* pkm_schema_find(const pkm_section* file, const char* name)
{
    sections all = {.n = 0};
    collect(file, &all);
    for (int i = 0; i < all.n; ++i)
        if (strcmp(all.list[i]->name, name) == 0) return all.list[i];
    return find_included(file, name);
}

// ---- values -----------------------------------------------------------------------------------

static void write_value(pkm_json* json, const pkm_key* key);
static void write_object(pkm_json* json, const pkm_section* section);

/// To a definition of the same schema.
static void write_reference(pkm_json* json, const char* name)
{
    char text[80];
    snprintf(text, sizeof text, "#/$defs/%s", name);
    pkm_json_put_string(json, "$ref", text);
}

/// A text that matches.
static void write_text_form(pkm_json* json, const char* pattern)
{
    pkm_json_object_begin(json);
    pkm_json_put_string(json, "type", "string");
    pkm_json_put_string(json, "pattern", pattern);
    pkm_json_object_end(json);
}

/// A number within bounds, or a text that is one.
static void write_bounded(pkm_json* json, const char* type, const pkm_key* key, bool above)
{
    pkm_json_open_array(json, "anyOf");
    pkm_json_object_begin(json);
    pkm_json_put_string(json, "type", type);
    if (key->range != PKM_RANGE_ANY || key->least != 0.0)
        pkm_json_put_number(json, above ? "exclusiveMinimum" : "minimum", key->least);
    if (key->most != 0.0) pkm_json_put_number(json, "maximum", key->most);
    pkm_json_object_end(json);
    const bool is_count = key->kind == PKM_KEY_COUNT;
    // values may be expressions, `=2*n`, which editors cannot evaluate: they pass as texts
    write_text_form(json, is_count                      ? "^=.+$"
                          : key->range == PKM_RANGE_ANY ? any_number
                                                        : plain_number);
    pkm_json_array_end(json);
}

/// Free numbers have a definition that all share; others bounds of their own.
static void write_number(pkm_json* json, const pkm_key* key)
{
    static const char* const def[] = {"number", "notNegative", "positive"};
    // zero bounds are none: a key that must be zero would need no value
    const bool is_free = key->least == 0.0 && key->most == 0.0;
    if (is_free)
        write_reference(json, def[key->range]);
    else
        write_bounded(json, "number", key, key->range == PKM_RANGE_POSITIVE && key->least == 0.0);
}

/// One of several: alone, or by anyOf.
static void write_forms(pkm_json* json, const pkm_key* key)
{
    pkm_key_form made;
    // anyOf of one form would make the messages of editors longer for nothing
    const bool is_one = key->either && key->either[0].kind && !key->either[1].kind && !key->form;
    if (is_one) write_value(json, &key->either[0]);
    if (is_one || (!key->either && !key->form)) return;
    pkm_json_open_array(json, "anyOf");
    for (const pkm_key* form = key->either; form && form->kind; ++form) {
        pkm_json_object_begin(json);
        write_value(json, form);
        pkm_json_object_end(json);
    }
    for (int i = 0; key->form && key->form(i, &made); ++i) {
        const pkm_key map = {.kind = PKM_KEY_MAP, .section = made.section};
        pkm_json_object_begin(json);
        write_value(json, &map);
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
}

/// One of these words.
static void write_words(pkm_json* json, const char* const* words)
{
    pkm_json_open_array(json, "enum");
    for (int i = 0; words[i]; ++i)
        pkm_json_string(json, words[i]);
    pkm_json_array_end(json);
}

static void write_types(pkm_json* json, const char* first, const char* second)
{
    pkm_json_open_array(json, "type");
    pkm_json_string(json, first);
    pkm_json_string(json, second);
    pkm_json_array_end(json);
}

/// YAML takes a text that looks like a number for one.
static void write_text(pkm_json* json, const pkm_key* key)
{
    if (!key->pattern) write_types(json, "string", "number");
    if (!key->pattern) return;
    pkm_json_put_string(json, "type", "string");
    pkm_json_put_string(json, "pattern", key->pattern);
}

static void write_list(pkm_json* json, const pkm_key* key)
{
    const int size = key->kind == PKM_KEY_SIX ? 6 : key->kind == PKM_KEY_INTERVAL ? 2 : 0;
    pkm_json_put_string(json, "type", "array");
    pkm_json_open_object(json, "items");
    if (key->kind == PKM_KEY_LIST)
        write_forms(json, key);
    else
        write_number(json, key);
    pkm_json_object_end(json);
    pkm_json_put_integer(json, "minItems", size ? size : key->n_least);
    if (size || key->n_most) pkm_json_put_integer(json, "maxItems", size ? size : key->n_most);
    if (key->is_unique) pkm_json_put_bool(json, "uniqueItems", true);
}

/// Names of items: letters, digits, _ and -, braces in limbs, at most 47 characters.
static void write_names(pkm_json* json)
{
    pkm_json_open_object(json, "propertyNames");
    pkm_json_put_string(json, "pattern", "^[A-Za-z0-9_{}\\u0080-\\U0010ffff-]{1,47}$");
    pkm_json_object_end(json);
}

/// A map whose keys are names, all with the same kind of value.
static void write_each(pkm_json* json, const pkm_key* key)
{
    pkm_json_put_string(json, "type", "object");
    if (key->n_least) pkm_json_put_integer(json, "minProperties", key->n_least);
    if (key->n_most) pkm_json_put_integer(json, "maxProperties", key->n_most);
    if (key->is_name) write_names(json);
    pkm_json_open_object(json, "additionalProperties");
    if (key->section)
        write_value(json, &(pkm_key){.kind = PKM_KEY_MAP, .section = key->section});
    else
        write_forms(json, key);
    pkm_json_object_end(json);
}

/// Names of parameters, which hide no function.
static void write_parameters(pkm_json* json)
{
    pkm_json_put_string(json, "type", "object");
    pkm_json_put_integer(json, "maxProperties", PKM_MAX_PARAMETER);
    pkm_json_open_object(json, "propertyNames");
    pkm_json_put_string(json, "pattern", "^[A-Za-z_][A-Za-z0-9_]{0,62}$");
    pkm_json_open_object(json, "not");
    pkm_json_open_array(json, "enum");
    pkm_json_string(json, "pi");
    for (int i = 0; pkm_quantity_function(i); ++i)
        pkm_json_string(json, pkm_quantity_function(i));
    pkm_json_array_end(json);
    pkm_json_object_end(json);
    pkm_json_object_end(json);
    pkm_json_open_object(json, "additionalProperties");
    write_reference(json, "number");
    pkm_json_object_end(json);
}

/// A word or three numbers.
static void write_axis(pkm_json* json)
{
    static const char* const axes[] = {"x", "y", "z", "-x", "-y", "-z", NULL};
    const pkm_key form[] = {
        {.kind = PKM_KEY_WORD, .words = axes}, {.kind = PKM_KEY_VECTOR}, {.kind = PKM_KEY_OWN}};
    write_forms(json, &(pkm_key){.either = form});
}

/// Named sections are definitions, others stand where they are used.
static void write_map(pkm_json* json, const pkm_section* section)
{
    if (section && section->name)
        write_reference(json, section->name);
    else if (section)
        write_object(json, section);
    else
        pkm_json_put_string(json, "type", "object");
}

/// An axis, or two of them.
static void write_axes(pkm_json* json)
{
    static const pkm_key axis[] = {{.kind = PKM_KEY_AXIS}, {.kind = PKM_KEY_OWN}};
    static const pkm_key form[] = {
        {.kind = PKM_KEY_AXIS},
        {.kind = PKM_KEY_LIST, .n_least = 2, .n_most = 2, .either = axis},
        {.kind = PKM_KEY_OWN}};
    write_forms(json, &(pkm_key){.either = form});
}

/// Types of joints that have one of these facts; all with 0.
static void write_joint_types(pkm_json* json, unsigned facts)
{
    pkm_json_open_array(json, "enum");
    for (int i = 0; i <= PKM_JOINT_FREE; ++i)
        if (!facts || (pkm_joint_type_has((pkm_joint_type)i) & facts))
            pkm_json_string(json, pkm_joint_type_name((pkm_joint_type)i));
    pkm_json_array_end(json);
}

/// Is the coordinate `k` of a joint's type called as one of a type before it?
static bool is_coordinate_known(int type, int k)
{
    const char* name = pkm_joint_coordinate_name((pkm_joint_type)type, k);
    for (int i = 0; i < type; ++i)
        for (int m = 0; pkm_joint_coordinate_name((pkm_joint_type)i, m); ++m)
            if (strcmp(pkm_joint_coordinate_name((pkm_joint_type)i, m), name) == 0) return true;
    return false;
}

/// Every name of a coordinate once, whichever joints have it.
static void write_coordinates(pkm_json* json)
{
    pkm_json_open_array(json, "enum");
    for (int i = 0; i <= PKM_JOINT_FREE; ++i)
        for (int k = 0; pkm_joint_coordinate_name((pkm_joint_type)i, k); ++k)
            if (!is_coordinate_known(i, k))
                pkm_json_string(json, pkm_joint_coordinate_name((pkm_joint_type)i, k));
    pkm_json_array_end(json);
}

/// The members of the schema of a value, inside an object that is open.
static void write_value(pkm_json* json, const pkm_key* key)
{
    switch (key->kind) {
    case PKM_KEY_NUMBER:
        write_number(json, key);
        break;
    case PKM_KEY_COUNT:
        write_bounded(json, "integer", key, false);
        break;
    case PKM_KEY_WORD:
        write_words(json, key->words);
        break;
    case PKM_KEY_FLAG:
        pkm_json_put_string(json, "type", "boolean");
        break;
    case PKM_KEY_TEXT:
    case PKM_KEY_REMARK:
        write_text(json, key);
        break;
    case PKM_KEY_NOTHING:
        pkm_json_put_string(json, "type", "null");
        break;
    case PKM_KEY_VECTOR:
        write_reference(json, "vector");
        break;
    case PKM_KEY_AXIS:
        write_axis(json);
        break;
    case PKM_KEY_AXES:
        write_axes(json);
        break;
    case PKM_KEY_INTERVAL:
    case PKM_KEY_NUMBERS:
    case PKM_KEY_SIX:
    case PKM_KEY_LIST:
        write_list(json, key);
        break;
    case PKM_KEY_JOINT_TYPE:
        write_joint_types(json, 0);
        break;
    case PKM_KEY_COORDINATE:
        write_coordinates(json);
        break;
    case PKM_KEY_MARKER:
        write_reference(json, "reference");
        break;
    case PKM_KEY_JOINT:
        write_types(json, "string", "number");
        break;
    case PKM_KEY_VERSION:
        pkm_json_put_integer(json, "const", 1);
        break;
    case PKM_KEY_PARAMETERS:
        write_parameters(json);
        break;
    case PKM_KEY_MAP:
        write_map(json, key->section);
        break;
    case PKM_KEY_EACH:
        write_each(json, key);
        break;
    case PKM_KEY_OWN:
    case PKM_KEY_INCLUDE:
        write_forms(json, key);
        break;
    }
}

// ---- rules ------------------------------------------------------------------------------------

/// "required": ["a", "b"]
static void put_required(pkm_json* json, const char* a, const char* b)
{
    pkm_json_open_array(json, "required");
    pkm_json_string(json, a);
    if (b) pkm_json_string(json, b);
    pkm_json_array_end(json);
}

static void write_required(pkm_json* json, const char* a, const char* b)
{
    pkm_json_object_begin(json);
    put_required(json, a, b);
    pkm_json_object_end(json);
}

/// "properties": {"type": {"enum": those with these facts}}
static void write_type_property(pkm_json* json, unsigned facts)
{
    pkm_json_open_object(json, "properties");
    pkm_json_open_object(json, "type");
    write_joint_types(json, facts);
    pkm_json_object_end(json);
    pkm_json_object_end(json);
}

/// Each key alone, all of each set, or those pairs that may not stand together.
static void write_choices(pkm_json* json, const char* how, const pkm_key_rule* rule)
{
    char a[PKM_MAX_KEY_WORD], b[PKM_MAX_KEY_WORD];
    const bool pairs = rule->kind == PKM_RULE_AT_MOST || rule->kind == PKM_RULE_ALONE;
    pkm_json_open_array(json, how);
    for (const char* at = rule->keys; pkm_key_next_word(&at, a);) {
        const char* others = at;
        if (!pairs) write_required(json, a, NULL);
        while (pairs && pkm_key_next_word(&others, b))
            write_required(json, a, b);
        // only the first key of the rule stands alone, the others go together
        if (rule->kind == PKM_RULE_ALONE) break;
    }
    pkm_json_array_end(json);
}

static void write_sets(pkm_json* json, const char* sets)
{
    char word[PKM_MAX_KEY_WORD];
    bool inside = false;
    pkm_json_open_array(json, "anyOf");
    for (const char* at = sets; pkm_key_next_word(&at, word);) {
        const bool ends = strcmp(word, "|") == 0;
        if (!inside) {
            pkm_json_object_begin(json);
            pkm_json_open_array(json, "required");
        }
        if (!ends) pkm_json_string(json, word);
        inside = !ends;
        if (!ends && *at) continue;
        pkm_json_array_end(json);
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
}

static void write_needs(pkm_json* json, const char* keys)
{
    char a[PKM_MAX_KEY_WORD], b[PKM_MAX_KEY_WORD];
    pkm_key_next_word(&keys, a);
    pkm_json_open_object(json, "dependentRequired");
    pkm_json_open_array(json, a);
    while (pkm_key_next_word(&keys, b))
        pkm_json_string(json, b);
    pkm_json_array_end(json);
    pkm_json_object_end(json);
}

static void write_rule(pkm_json* json, const pkm_key_rule* rule)
{
    pkm_json_object_begin(json);
    switch (rule->kind) {
    case PKM_RULE_SOME:
        write_choices(json, "anyOf", rule);
        break;
    case PKM_RULE_ONE:
        write_choices(json, "oneOf", rule);
        break;
    case PKM_RULE_AT_MOST:
    case PKM_RULE_ALONE:
        pkm_json_open_object(json, "not");
        write_choices(json, "anyOf", rule);
        pkm_json_object_end(json);
        break;
    case PKM_RULE_NEEDS:
        write_needs(json, rule->keys);
        break;
    case PKM_RULE_SETS:
        write_sets(json, rule->keys);
        break;
    }
    pkm_json_object_end(json);
}

/// {"if": {"required": [key]}, "then": {"properties": {"type": {"enum": ...}}}}
static void write_joints(pkm_json* json, const pkm_key* key)
{
    pkm_json_object_begin(json);
    pkm_json_key(json, "if");
    write_required(json, key->name, NULL);
    pkm_json_open_object(json, "then");
    write_type_property(json, key->joints);
    pkm_json_object_end(json);
    pkm_json_object_end(json);
}

/// The same the other way round: some types need the key, axes as a pair.
static void write_joints_need(pkm_json* json, const pkm_key* key)
{
    pkm_json_object_begin(json);
    pkm_json_open_object(json, "if");
    write_type_property(json, key->joints_need);
    pkm_json_object_end(json);
    pkm_json_open_object(json, "then");
    put_required(json, key->name, NULL);
    if (key->kind == PKM_KEY_AXES) {
        pkm_json_open_object(json, "properties");
        pkm_json_open_object(json, key->name);
        pkm_json_put_string(json, "type", "array");
        pkm_json_put_integer(json, "maxItems", 2);
        pkm_json_object_end(json);
        pkm_json_object_end(json);
    }
    pkm_json_object_end(json);
    pkm_json_object_end(json);
}

static bool has_rules(const pkm_section* section)
{
    bool has = section->rule && section->rule->kind;
    for (const pkm_key* key = section->key; key->name || key->kind == PKM_KEY_INCLUDE; ++key)
        has = has || key->joints || key->joints_need ||
              (key->kind == PKM_KEY_INCLUDE && has_rules(key->section));
    return has;
}

static void write_rules(pkm_json* json, const pkm_section* section)
{
    for (const pkm_key_rule* rule = section->rule; rule && rule->kind; ++rule)
        write_rule(json, rule);
    for (const pkm_key* key = section->key; key->name || key->kind == PKM_KEY_INCLUDE; ++key) {
        if (key->kind == PKM_KEY_INCLUDE) write_rules(json, key->section);
        if (key->joints) write_joints(json, key);
        if (key->joints_need) write_joints_need(json, key);
    }
}

// ---- objects ----------------------------------------------------------------------------------

/// The sentence of the i-th key, which may be that of one behind it.
static const char* sentence_of(const pkm_section* section, int i)
{
    const pkm_key* key = pkm_section_key(section, i);
    while (key && !key->sentence)
        key = pkm_section_key(section, ++i);
    return key ? key->sentence : NULL;
}

static void write_properties(pkm_json* json, const pkm_section* section)
{
    const writer* w = (const writer*)(const void*)json;
    const pkm_key* key;
    pkm_json_open_object(json, "properties");
    for (int i = 0; (key = pkm_section_key(section, i)); ++i) {
        const char* sentence = sentence_of(section, i);
        char address[120];
        pkm_json_open_object(json, key->name);
        if (is_elsewhere(w->elsewhere, key)) {
            snprintf(address, sizeof address, "%s%s", w->address, key->name);
            pkm_json_put_string(json, "$ref", address);
        } else {
            if (sentence) pkm_json_put_string(json, "description", sentence);
            write_value(json, key);
        }
        pkm_json_object_end(json);
    }
    pkm_json_object_end(json);
}

static void write_object(pkm_json* json, const pkm_section* section)
{
    const pkm_key* key;
    bool must = false;
    for (int i = 0; (key = pkm_section_key(section, i)); ++i)
        must = must || key->must;
    if (section->sentence) pkm_json_put_string(json, "description", section->sentence);
    pkm_json_put_string(json, "type", "object");
    if (section->other) {
        pkm_json_open_object(json, "additionalProperties");
        write_value(json, section->other);
        pkm_json_object_end(json);
    } else {
        pkm_json_put_bool(json, "additionalProperties", false);
    }
    write_properties(json, section);
    if (must) {
        pkm_json_open_array(json, "required");
        for (int i = 0; (key = pkm_section_key(section, i)); ++i)
            if (key->must) pkm_json_string(json, key->name);
        pkm_json_array_end(json);
    }
    if (!has_rules(section)) return;
    pkm_json_open_array(json, "allOf");
    write_rules(json, section);
    pkm_json_array_end(json);
}

static void define_number(pkm_json* json, const char* name, const char* sentence, pkm_range range)
{
    const pkm_key key = {.kind = PKM_KEY_NUMBER, .range = range};
    pkm_json_open_object(json, name);
    pkm_json_put_string(json, "description", sentence);
    write_bounded(json, "number", &key, range == PKM_RANGE_POSITIVE);
    pkm_json_object_end(json);
}

/// What all files share: numbers, vectors, points.
static void define_values(pkm_json* json)
{
    static const char sentence[] =
        "a number, a number with a unit (500 mm) or an expression (=l1/2); SI without a unit";
    define_number(json, "number", sentence, PKM_RANGE_ANY);
    define_number(json, "positive", "a number > 0", PKM_RANGE_POSITIVE);
    define_number(json, "notNegative", "a number >= 0", PKM_RANGE_NOT_NEGATIVE);
    pkm_json_open_object(json, "vector");
    pkm_json_put_string(json, "description", "[x, y, z]");
    write_list(json, &(pkm_key){.kind = PKM_KEY_NUMBERS, .n_least = 3, .n_most = 3});
    pkm_json_object_end(json);
    pkm_json_open_object(json, "reference");
    pkm_json_put_string(json, "description", "body.point");
    pkm_json_put_string(json, "type", "string");
    pkm_json_put_string(json, "pattern", "^[^.]+(\\.[^.]+)+$");
    pkm_json_object_end(json);
}

void pkm_schema_write(pkm_stream* out, const pkm_schema* schema)
{
    sections all = {.n = 0, .elsewhere = schema->elsewhere};
    writer w = {pkm_json_make(out), schema->elsewhere, schema->address};
    pkm_json* json = &w.json;
    collect(schema->file, &all);
    pkm_json_object_begin(json);
    pkm_json_put_string(json, "$schema", "https://json-schema.org/draft/2020-12/schema");
    pkm_json_put_string(json, "title", schema->title);
    write_object(json, schema->file);
    pkm_json_open_object(json, "$defs");
    define_values(json);
    for (int i = 0; i < all.n; ++i) {
        if (all.list[i] == schema->file) continue;
        pkm_json_open_object(json, all.list[i]->name);
        write_object(json, all.list[i]);
        pkm_json_object_end(json);
    }
    pkm_json_object_end(json);
    pkm_json_object_end(json);
}
