// Printed numbers with the unit they are printed in, and how far ours may be off before the row is
// marked: 1 % unless the file says otherwise.
#include "base/error.h"
#include "model/key.h"
#include "model/reader_impl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static pkm_status read_motion(pkm_reader* r, const pkm_yaml* node, void* to)
{
    PKM_TRY(pkm_reader_text(r, node, to));
    pkm_nearest near = pkm_nearest_make(node->text);
    for (int i = 0; i < r->desc->n_motion; ++i) {
        const char* name = pkm_motion_name(r->desc->motion[i].motion);
        if (strcmp(name, node->text) == 0) return PKM_OK;
        pkm_nearest_offer(&near, name);
    }
    return pkm_reader_fail(r, node, "there is no motion '%.60s'%s", node->text,
                           pkm_nearest_hint(&near).text);
}

/// The first word of a quantity says what is taken of the column behind it.
#define TAKEN "max|min|absmax|start|end|rms|change|range"
static const char* const taken[] = {"max", "min",    "absmax", "start", "end",
                                    "rms", "change", "range",  NULL};

static pkm_status read_quantity(pkm_reader* r, const pkm_yaml* node, void* to)
{
    char word[32] = "";
    PKM_TRY(pkm_reader_text(r, node, to));
    const size_t length = strcspn(node->text, " ");
    snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : 0), node->text);
    pkm_yaml first = *node;
    first.text = word;
    int which = 0;
    PKM_TRY(pkm_reader_word(r, &first, taken, &which));
    if (node->text[length] == ' ' && node->text[length + 1]) return PKM_OK;
    return pkm_reader_fail(r, node, "'%.60s' names no column, expected for example max q1.force",
                           node->text);
}

/// The value with the unit it is printed in: SI value = printed value * factor.
static pkm_status read_value(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_desc_published* out = to;
    pkm_quantity value;
    PKM_TRY(pkm_reader_quantity(r, node, NULL, PKM_RANGE_ANY, &value));
    out->value = value.value;
    out->unit_factor = 1.0;
    const char* unit = pkm_expression_unit(node->text);
    if (unit[0]) {
        pkm_unit parsed;
        pkm_fault fault;
        if (pkm_unit_scan(unit, false, &parsed, &fault) > 0)
            out->unit_factor = parsed.numerator / parsed.denominator;
    }
    return pkm_reader_keep(r, unit, &out->unit);
}

bool pkm_published_agrees(const pkm_desc_published* published, double value)
{
    if (published->chosen) return false;
    switch (published->bound) {
    case PKM_BOUND_ABOVE:
        return value > published->value;
    case PKM_BOUND_BELOW:
        return value < published->value;
    case PKM_BOUND_NONE:
        break;
    }
    return fabs(value - published->value) <= published->tolerance * fabs(published->value);
}

const char* pkm_published_verdict(const pkm_desc_published* published, double value)
{
    if (isnan(value)) return "";
    if (published->chosen) return "put in";
    return pkm_published_agrees(published, value) ? "met" : "differs";
}

static pkm_status begin(pkm_reader* r, const pkm_yaml* node, void* to)
{
    (void)r;
    *(pkm_desc_published*)to = (pkm_desc_published){.tolerance = 0.01, .place = node->place};
    return PKM_OK;
}

static const char* const bounds[] = {"none", "above", "below", NULL}; // in the order of pkm_bound

#define AT(member) offsetof(pkm_desc_published, member)
static const pkm_key number[] = {{.kind = PKM_KEY_NUMBER}, {.kind = PKM_KEY_OWN}};
static const pkm_key keys[] = {
    {"text", "what it is", PKM_KEY_TEXT, AT(text), .must = true},
    {"where", "table, figure, equation or section that prints it", PKM_KEY_TEXT, .at = AT(where)},
    {"motion", "on which motion", PKM_KEY_TEXT, AT(motion), .read = read_motion},
    {"quantity", "what is taken of which column of its table: `max q1.force`", PKM_KEY_TEXT,
     AT(quantity), .read = read_quantity, .pattern = "^(" TAKEN ") +\\S"},
    {"value", "with the unit in which it is printed", PKM_KEY_OWN, 0, .must = true,
     .read = read_value, .either = number},
    {"tolerance", "relative, above which the row is marked as different; default 1 %",
     PKM_KEY_NUMBER, AT(tolerance), .range = PKM_RANGE_POSITIVE},
    {"bound", "the printed number is not the value: that is above or below it", PKM_KEY_WORD,
     AT(bound), .words = bounds},
    {"chosen", "the model was chosen to give it: shown, and never counted as met", PKM_KEY_FLAG,
     .at = AT(chosen)},
    {"note", "why it differs", PKM_KEY_TEXT, .at = AT(note)},
    {.name = NULL}};
static const pkm_key_rule rules[] = {{PKM_RULE_NEEDS, "quantity motion", NULL}, {0}};
const pkm_section pkm_model_published = {"published", NULL, keys, rules, .begin = begin};

pkm_status pkm_published_read(pkm_reader* r)
{
    const pkm_yaml* section = pkm_yaml_get(r->root, "published");
    if (!section) return PKM_OK;
    PKM_TRY(pkm_reader_list(r, section, 0, 10000));
    void* room = NULL;
    PKM_TRY(pkm_reader_alloc(r, section->n_child, sizeof(pkm_desc_published), &room));
    r->desc->published = room;
    for (const pkm_yaml* node = section->first; node; node = node->next) {
        PKM_TRY(pkm_keys_read(r, node, &pkm_model_published,
                              &r->desc->published[r->desc->n_published]));
        ++r->desc->n_published;
    }
    return PKM_OK;
}
