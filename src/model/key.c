// One walk over a table of keys reads them, says what is wrong with one and what holds between
// them; what a key may be is data (key.h).
#include "model/key.h"

#include "base/error.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const pkm_dimension pkm_dim_frequency = {0, 0, -2, 0};
const pkm_dimension pkm_dim_stiffness = {0, 2, -4, 0};
const pkm_dimension pkm_dim_damping = {0, 2, -2, 0};

/// With forces F and ways x a dimension is F^a x^b s^c; a turn makes them torques and angles. A
/// mass is an inertia, without the radians.
pkm_dimension pkm_dimension_turned(pkm_dimension slides)
{
    if (pkm_dimension_equal(slides, pkm_dim_mass)) return pkm_dim_inertia;
    // F = kg m/s2 has one kilogram: its power is a, what is left of the metres are ways
    const int a = slides.kg, b = slides.m - a;
    return (pkm_dimension){2 * a, a, slides.s, slides.rad + b};
}

// ---- finding keys -----------------------------------------------------------------------------

static bool is_last(const pkm_key* key)
{
    return !key->name && key->kind != PKM_KEY_INCLUDE;
}

const pkm_key* pkm_section_find(const pkm_section* section, const char* name, size_t* at)
{
    for (const pkm_key* key = section->key; !is_last(key); ++key) {
        const pkm_key* found = key;
        size_t inside = 0;
        if (key->kind == PKM_KEY_INCLUDE)
            found = pkm_section_find(key->section, name, &inside);
        else if (strcmp(key->name, name) != 0)
            continue;
        if (!found) continue;
        // an included section writes into a member of the structure that includes it
        if (at) *at = key->at + inside;
        return found;
    }
    return NULL;
}

static const pkm_key* nth(const pkm_section* section, int* i)
{
    for (const pkm_key* key = section->key; !is_last(key); ++key) {
        const pkm_key* found = NULL;
        // counts down through nested sections: i is what is still to be passed
        if (key->kind == PKM_KEY_INCLUDE)
            found = nth(key->section, i);
        else if ((*i)-- == 0)
            found = key;
        if (found) return found;
    }
    return NULL;
}

const pkm_key* pkm_section_key(const pkm_section* section, int i)
{
    return i < 0 ? NULL : nth(section, &i);
}

// ---- checking ---------------------------------------------------------------------------------

bool pkm_key_next_word(const char** text, char out[PKM_MAX_KEY_WORD])
{
    while (**text == ' ')
        ++*text;
    // lists of keys are texts with blanks between the words
    const size_t length = strcspn(*text, " ");
    const size_t kept = length < PKM_MAX_KEY_WORD ? length : PKM_MAX_KEY_WORD - 1;
    memcpy(out, *text, kept);
    out[kept] = '\0';
    *text += length;
    return length > 0;
}

/// How many keys of a rule are there; the last of them.
static int count_given(const pkm_yaml* map, const char* keys, const pkm_yaml** last)
{
    char word[PKM_MAX_KEY_WORD];
    int n = 0;
    for (const char* at = keys; pkm_key_next_word(&at, word);) {
        const pkm_yaml* given = pkm_yaml_get(map, word);
        if (given) *last = given;
        n += given != NULL;
    }
    return n;
}

/// The keys of a rule for people: 'a' and 'b'; 'a', 'b', 'c'.
static void list_keys(const char* keys, char list[240])
{
    const char* blank = strchr(keys, ' ');
    const bool is_pair = blank && !strchr(blank + 1, ' ');
    char word[PKM_MAX_KEY_WORD];
    list[0] = '\0';
    for (const char* at = keys; pkm_key_next_word(&at, word);) {
        const size_t used = strlen(list);
        snprintf(list + used, 240 - used, "%s'%s'", !used ? "" : is_pair ? " and " : ", ", word);
    }
}

/// Are all keys of one of the sets `a b | c d` there?
static bool has_set(const pkm_yaml* map, const char* sets)
{
    char word[PKM_MAX_KEY_WORD];
    bool all = true;
    for (const char* at = sets; pkm_key_next_word(&at, word);) {
        // a set is complete when a bar or the end is reached with all of its keys there
        if (strcmp(word, "|") != 0)
            all = all && pkm_yaml_get(map, word);
        else if (all)
            return true;
        else
            all = true;
    }
    return all;
}

/// The first key of the rule needs the second, or lets none stand beside it.
static pkm_status check_pair(const pkm_reader* r, const pkm_yaml* map, const pkm_key_rule* rule)
{
    char first[PKM_MAX_KEY_WORD], other[PKM_MAX_KEY_WORD];
    const char* at = rule->keys;
    pkm_key_next_word(&at, first);
    const pkm_yaml* node = pkm_yaml_get(map, first);
    if (!node) return PKM_OK;
    while (pkm_key_next_word(&at, other)) {
        const pkm_yaml* beside = pkm_yaml_get(map, other);
        // needs are told at the key that has them, conflicts at the key that is too many
        if (rule->kind == PKM_RULE_NEEDS && !beside)
            return pkm_reader_fail_key(r, node, "it needs the key '%s'%s", other,
                                       rule->reason ? rule->reason : "");
        if (rule->kind == PKM_RULE_ALONE && beside)
            return pkm_reader_fail_key(r, beside, "%s", rule->reason);
    }
    return PKM_OK;
}

static pkm_status check_rule(const pkm_reader* r, const pkm_yaml* map, const pkm_key_rule* rule)
{
    if (rule->kind == PKM_RULE_NEEDS || rule->kind == PKM_RULE_ALONE)
        return check_pair(r, map, rule);
    if (rule->kind == PKM_RULE_SETS)
        return has_set(map, rule->keys) ? PKM_OK : pkm_reader_fail_key(r, map, "%s", rule->reason);
    char list[240];
    const pkm_yaml* last = NULL;
    const int n = count_given(map, rule->keys, &last);
    // exactly one, at most one, at least one
    const bool few = n == 0 && rule->kind != PKM_RULE_AT_MOST;
    const bool many = n > 1 && rule->kind != PKM_RULE_SOME;
    if (!few && !many) return PKM_OK;
    // a reason is about keys that exclude each other; where all are missing the list says more
    const bool is_told = rule->reason && (many || rule->kind == PKM_RULE_SOME);
    if (is_told) return pkm_reader_fail_key(r, many ? last : map, "%s", rule->reason);
    list_keys(rule->keys, list);
    return pkm_reader_fail_key(r, map, "expected one of the keys %s", list);
}

static pkm_status unknown(const pkm_reader* r, const pkm_yaml* child, const pkm_section* section)
{
    // more than the longest section has; names past it would only not be offered
    enum { MOST = 80 };
    const char* names[MOST + 1] = {NULL};
    for (int i = 0; i < MOST && pkm_section_key(section, i); ++i)
        names[i] = pkm_section_key(section, i)->name;
    return pkm_reader_unknown_key(r, child, names);
}

static pkm_status check_rules(const pkm_reader* r, const pkm_yaml* map, const pkm_section* section)
{
    for (const pkm_key_rule* rule = section->rule; rule && rule->kind; ++rule)
        PKM_TRY(check_rule(r, map, rule));
    for (const pkm_key* key = section->key; !is_last(key); ++key)
        if (key->kind == PKM_KEY_INCLUDE) PKM_TRY(check_rules(r, map, key->section));
    return PKM_OK;
}

pkm_status pkm_keys_check(const pkm_reader* r, const pkm_yaml* map, const pkm_section* section)
{
    PKM_TRY(pkm_reader_keys_any(r, map));
    for (const pkm_yaml* child = map->first; child; child = child->next)
        // unknown keys first: a misspelt one is mostly the one that is missing
        if (!section->other && !pkm_section_find(section, child->key, NULL))
            return unknown(r, child, section);
    const pkm_key* key;
    for (int i = 0; (key = pkm_section_key(section, i)); ++i)
        if (key->must && !pkm_yaml_get(map, key->name))
            return pkm_reader_fail_key(r, map, "the key '%s' is missing", key->name);
    return check_rules(r, map, section);
}

// ---- values -----------------------------------------------------------------------------------

pkm_status pkm_reader_flag(const pkm_reader* r, const pkm_yaml* node, bool* out)
{
    // YAML 1.1 would take yes, no, on and off, too: these two alone are plain
    static const char* const words[] = {"false", "true", NULL};
    int which = 0;
    if (!node) return PKM_OK;
    PKM_TRY(pkm_reader_word(r, node, words, &which));
    *out = which == 1;
    return PKM_OK;
}

pkm_status pkm_reader_count(const pkm_reader* r, const pkm_yaml* node, double least, double most,
                            int* out)
{
    double n = 0.0;
    PKM_TRY(pkm_reader_number(r, node, pkm_dim_one, PKM_RANGE_ANY, &n));
    // compared as a number: what no int can hold is out of bounds, too
    if (!(n >= least && n <= most) || n != floor(n))
        return pkm_reader_fail(r, node, "%.40s, expected a whole number from %.0f to %.0f",
                               node->text, least, most);
    *out = (int)n;
    return PKM_OK;
}

static pkm_status read_number(const pkm_reader* r, const pkm_yaml* node, const pkm_key* key,
                              bool turns, double* out)
{
    pkm_dimension want = key->dimension ? *key->dimension : pkm_dim_one;
    if (turns) want = pkm_dimension_turned(want);
    PKM_TRY(pkm_reader_number(r, node, want, key->range, out));
    // bounds of zero are none: rows of the table leave them out
    const bool is_bounded = key->least != 0.0 || key->most != 0.0;
    if (!is_bounded || (*out >= key->least && *out <= key->most)) return PKM_OK;
    if (key->least == 0.0)
        return pkm_reader_fail(r, node, "%.40s, expected <= %g", node->text, key->most);
    return pkm_reader_fail(r, node, "%.40s, expected from %g to %g", node->text, key->least,
                           key->most);
}

static pkm_status read_list(const pkm_reader* r, const pkm_yaml* node, const pkm_key* key,
                            double* out)
{
    const bool six = key->kind == PKM_KEY_SIX;
    PKM_TRY(pkm_reader_list(r, node, six ? 6 : key->n_least, six ? 6 : key->n_most));
    for (const pkm_yaml* item = node->first; item; item = item->next)
        // of six the first three are shifts, the others turns
        PKM_TRY(read_number(r, item, key, six && item->index >= 3, &out[item->index]));
    return PKM_OK;
}

static pkm_status read_word(const pkm_reader* r, const pkm_yaml* node, const pkm_key* key, void* to)
{
    int which = 0;
    PKM_TRY(pkm_reader_word(r, node, key->words, &which));
    memcpy(to, &which, sizeof which); // to an enum
    return PKM_OK;
}

static pkm_status read_version(const pkm_reader* r, const pkm_yaml* node)
{
    if (node->kind == PKM_YAML_TEXT && strcmp(node->text, "1") == 0) return PKM_OK;
    return pkm_reader_fail(r, node, "%s, expected the format version 1", pkm_yaml_show(node).text);
}

static pkm_status read_flag(const pkm_reader* r, const pkm_yaml* node, const pkm_key* key, bool* to)
{
    PKM_TRY(pkm_reader_flag(r, node, to));
    if (key->is_not) *to = !*to;
    return PKM_OK;
}

static pkm_status read_interval(const pkm_reader* r, const pkm_yaml* node, const pkm_key* key,
                                double* to)
{
    pkm_dimension want = key->dimension ? *key->dimension : pkm_dim_one;
    if (key->turns && r->turns) want = pkm_dimension_turned(want);
    return pkm_reader_interval(r, node, want, to);
}

static pkm_status read_value(pkm_reader* r, const pkm_yaml* node, const pkm_key* key, void* to)
{
    switch (key->kind) {
    case PKM_KEY_NUMBER:
        return read_number(r, node, key, key->turns && r->turns, to);
    case PKM_KEY_COUNT:
        return pkm_reader_count(r, node, key->least, key->most, to);
    case PKM_KEY_WORD:
        return read_word(r, node, key, to);
    case PKM_KEY_FLAG:
        return read_flag(r, node, key, to);
    case PKM_KEY_REMARK:
        return node->kind == PKM_YAML_TEXT ? PKM_OK
                                           : pkm_reader_fail(r, node, "expected a text, found %s",
                                                             pkm_yaml_show(node).text);
    case PKM_KEY_TEXT:
        return pkm_reader_text(r, node, to);
    case PKM_KEY_VECTOR:
        return pkm_reader_vector(r, node, key->dimension ? *key->dimension : pkm_dim_one, to);
    case PKM_KEY_AXIS:
        return pkm_reader_axis(r, node, to);
    case PKM_KEY_AXES:
        return pkm_reader_axes(r, node, to);
    case PKM_KEY_INTERVAL:
        return read_interval(r, node, key, to);
    case PKM_KEY_NUMBERS:
    case PKM_KEY_SIX:
        return read_list(r, node, key, to);
    case PKM_KEY_MARKER:
        return pkm_reader_find_marker(r, node, to);
    case PKM_KEY_JOINT:
        return pkm_reader_find_joint(r, node, to);
    case PKM_KEY_JOINT_TYPE:
        return pkm_reader_joint_type(r, node, to);
    case PKM_KEY_VERSION:
        return read_version(r, node);
    case PKM_KEY_MAP:
        PKM_ASSERT(key->section);
        return pkm_keys_read(r, node, key->section, to);
    case PKM_KEY_OWN:
    case PKM_KEY_NOTHING:
    case PKM_KEY_COORDINATE:
    case PKM_KEY_PARAMETERS:
    case PKM_KEY_LIST:
    case PKM_KEY_EACH:
    case PKM_KEY_INCLUDE:
        break;
    }
    return PKM_OK;
}

pkm_status pkm_key_keep_node(pkm_reader* r, const pkm_yaml* node, void* to)
{
    (void)r;
    *(const pkm_yaml**)to = node;
    return PKM_OK;
}

pkm_status pkm_key_take(pkm_reader* r, const pkm_yaml* node, const pkm_key* key, void* to)
{
    // a value goes to its offset in the structure that the section fills
    char* start = to;
    if (key->given) *(bool*)(void*)(start + key->given) = true;
    return key->read ? key->read(r, node, start + key->at)
                     : read_value(r, node, key, start + key->at);
}

static pkm_status take_all(pkm_reader* r, const pkm_yaml* map, const pkm_section* section, char* to)
{
    if (section->begin) PKM_TRY(section->begin(r, map, to));
    for (const pkm_key* key = section->key; !is_last(key); ++key) {
        if (key->kind == PKM_KEY_INCLUDE) {
            PKM_TRY(take_all(r, map, key->section, to + key->at));
            continue;
        }
        const pkm_yaml* node = pkm_yaml_get(map, key->name);
        if (node) PKM_TRY(pkm_key_take(r, node, key, to));
    }
    return section->check ? section->check(r, map, to) : PKM_OK;
}

pkm_status pkm_keys_read(pkm_reader* r, const pkm_yaml* map, const pkm_section* section, void* to)
{
    PKM_TRY(pkm_keys_check(r, map, section));
    return take_all(r, map, section, to);
}
