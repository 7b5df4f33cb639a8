#include "base/error.h"
#include "model/key.h"
#include "model/reader_impl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static pkm_status check_motion(const pkm_reader* r, const pkm_yaml* node)
{
    if (!node) return PKM_OK;
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
static pkm_status check_quantity(const pkm_reader* r, const pkm_yaml* node)
{
    static const char* const words[] = {"max", "min",    "absmax", "start", "end",
                                        "rms", "change", "range",  NULL};
    if (!node || node->kind != PKM_YAML_TEXT) return PKM_OK;
    char word[32] = "";
    const size_t length = strcspn(node->text, " ");
    snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : 0), node->text);
    pkm_yaml first = *node;
    first.text = word;
    int which = 0;
    PKM_TRY(pkm_reader_word(r, &first, words, &which));
    if (node->text[length] == ' ' && node->text[length + 1]) return PKM_OK;
    return pkm_reader_fail(r, node, "'%.60s' names no column, expected for example max q1.force",
                           node->text);
}

/// The value with the unit it is printed in: SI value = printed value * factor.
static pkm_status read_value(const pkm_reader* r, const pkm_yaml* node, pkm_desc_published* out)
{
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

static pkm_status read_bound(const pkm_reader* r, const pkm_yaml* node, pkm_bound* out)
{
    static const char* const words[] = {"above", "below", NULL};
    int word;
    if (!node) return PKM_OK;
    PKM_TRY(pkm_reader_word(r, node, words, &word));
    *out = word == 0 ? PKM_BOUND_ABOVE : PKM_BOUND_BELOW;
    return PKM_OK;
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

static pkm_status read_published(const pkm_reader* r, const pkm_yaml* node, pkm_desc_published* out)
{
    static const char* const keys[] = {"!text", "motion", "quantity", "!value", "tolerance",
                                       "bound", "chosen", "note",     NULL};
    *out = (pkm_desc_published){.tolerance = 0.01, .place = node->place};
    PKM_TRY(pkm_reader_keys(r, node, keys));
    PKM_TRY(pkm_reader_text(r, pkm_yaml_get(node, "text"), &out->text));
    const pkm_yaml *motion = pkm_yaml_get(node, "motion"),
                   *quantity = pkm_yaml_get(node, "quantity");
    PKM_TRY(pkm_reader_optional_text(r, motion, &out->motion));
    PKM_TRY(pkm_reader_optional_text(r, quantity, &out->quantity));
    PKM_TRY(pkm_reader_optional_text(r, pkm_yaml_get(node, "note"), &out->note));
    PKM_TRY(check_motion(r, motion));
    PKM_TRY(check_quantity(r, quantity));
    if (quantity && !motion)
        return pkm_reader_fail_key(r, quantity, "'quantity' needs the key 'motion' beside it");
    PKM_TRY(read_value(r, pkm_yaml_get(node, "value"), out));
    PKM_TRY(read_bound(r, pkm_yaml_get(node, "bound"), &out->bound));
    if (pkm_yaml_get(node, "chosen"))
        PKM_TRY(pkm_reader_flag(r, pkm_yaml_get(node, "chosen"), &out->chosen));
    return pkm_reader_optional(r, pkm_yaml_get(node, "tolerance"), pkm_dim_one, PKM_RANGE_POSITIVE,
                               &out->tolerance);
}

pkm_status pkm_published_read(pkm_reader* r)
{
    const pkm_yaml* section = pkm_yaml_get(r->root, "published");
    if (!section) return PKM_OK;
    PKM_TRY(pkm_reader_list(r, section, 0, 10000));
    void* room = NULL;
    PKM_TRY(pkm_reader_alloc(r, section->n_child, sizeof(pkm_desc_published), &room));
    r->desc->published = room;
    for (const pkm_yaml* node = section->first; node; node = node->next) {
        PKM_TRY(read_published(r, node, &r->desc->published[r->desc->n_published]));
        ++r->desc->n_published;
    }
    return PKM_OK;
}
