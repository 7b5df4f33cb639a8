// The section `published` of a study file.
#include "base/error.h"
#include "study/study_impl.h"

#include <string.h>

/// `case: {friction: with}`: levels by name, references when not given.
static pkm_status read_case(pkm_reader* r, const pkm_yaml* node, void* to)
{
    const pkm_study* study = pkm_study_reader_of(r)->study;
    int level[PKM_MAX_FACTOR] = {0};
    PKM_TRY(pkm_reader_keys_any(r, node));
    for (const pkm_yaml* item = node->first; item; item = item->next) {
        const char *factors[PKM_MAX_FACTOR + 1] = {NULL}, *levels[33] = {NULL};
        for (int f = 0; f < study->n_factor; ++f)
            factors[f] = study->factor[f].name;
        int f = 0, l = 0;
        pkm_yaml key = *item;
        key.kind = PKM_YAML_TEXT;
        key.text = item->key;
        PKM_TRY(pkm_reader_word(r, &key, factors, &f));
        for (int i = 0; i < study->factor[f].n_level && i < 32; ++i)
            levels[i] = study->factor[f].level[i].name;
        PKM_TRY(pkm_reader_word(r, item, levels, &l));
        level[f] = l;
    }
    *(int*)to = pkm_study_find_case(study, level);
    return PKM_OK;
}

static pkm_status read_output(pkm_reader* r, const pkm_yaml* node, void* to)
{
    const pkm_study* study = pkm_study_reader_of(r)->study;
    const char* names[65] = {NULL};
    for (int k = 0; k < study->n_output && k < 64; ++k)
        names[k] = study->output[k].name;
    return pkm_reader_word(r, node, names, to);
}

static pkm_status read_value(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_desc_published* out = to;
    pkm_quantity value;
    pkm_unit unit;
    pkm_fault fault;
    PKM_TRY(pkm_reader_quantity(r, node, NULL, PKM_RANGE_ANY, &value));
    out->value = value.value;
    out->unit_factor = 1.0;
    const char* text = pkm_expression_unit(node->text);
    if (text[0] && pkm_unit_scan(text, false, &unit, &fault) > 0)
        out->unit_factor = unit.numerator / unit.denominator;
    return pkm_reader_keep(r, text, &out->unit);
}

static pkm_status begin_published(pkm_reader* r, const pkm_yaml* map, void* to)
{
    const pkm_desc_published printed = {.tolerance = 0.01, .place = map->place};
    (void)r;
    *(pkm_study_published*)to = (pkm_study_published){.printed = printed, .output = PKM_NONE};
    return PKM_OK;
}

// in the order of pkm_study_of
static const char* const parts[] = {"value",        "deviation", "sum", "ratio",
                                    "not additive", "relative",  NULL};
static const char* const bounds[] = {"none", "above", "below", NULL};
static const pkm_key level_forms[] = {{.kind = PKM_KEY_TEXT}, {.kind = PKM_KEY_FLAG}, {0}};

#define AT(member) offsetof(pkm_study_published, member)
static const pkm_key keys[] = {
    {"text", "what was printed", PKM_KEY_TEXT, AT(printed.text), .must = true},
    {"where", "table, figure, equation or section that prints it", PKM_KEY_TEXT,
     .at = AT(printed.where)},
    {"value", "with the unit in which it was printed", PKM_KEY_NUMBER, AT(printed), .must = true,
     .read = read_value},
    {"case", "levels of the factors; those not named are the first", PKM_KEY_EACH, AT(case_id),
     .either = level_forms, .read = read_case},
    {"output", "which one", PKM_KEY_TEXT, AT(output), .read = read_output},
    {"of",
     "`value` (default), its `deviation` from the first case or that `relative` to the value "
     "there, "
     "`sum` or `ratio` of coupled deviations, `not additive`",
     PKM_KEY_WORD, AT(of), .words = parts},
    {"tolerance", "relative, 1 %", PKM_KEY_NUMBER, AT(printed.tolerance), NULL,
     .range = PKM_RANGE_POSITIVE},
    {"bound", "the number lies `above` or `below` what was printed", PKM_KEY_WORD,
     AT(printed.bound), .words = bounds},
    {"chosen", "our model was chosen to give this number: shown as `put in`, never counted as met",
     PKM_KEY_FLAG, .at = AT(printed.chosen)},
    {"note", "for people", PKM_KEY_TEXT, .at = AT(printed.note)},
    {.name = NULL}};
#undef AT
const pkm_section pkm_study_printed = {"published", "a number of a paper", .key = keys,
                                       .begin = begin_published};

pkm_status pkm_study_read_published(pkm_study_reader* sr)
{
    const pkm_reader* r = &sr->rr.r;
    const pkm_yaml* section = pkm_yaml_get(r->root, "published");
    void* room = NULL;
    if (!section) return PKM_OK;
    PKM_TRY(pkm_reader_list(r, section, 0, 1000));
    PKM_TRY(pkm_reader_alloc(r, section->n_child + 1, sizeof(pkm_study_published), &room));
    sr->study->published = room;
    for (const pkm_yaml* node = section->first; node; node = node->next)
        PKM_TRY(pkm_keys_read(&sr->rr.r, node, &pkm_study_printed,
                              &sr->study->published[sr->study->n_published++]));
    return PKM_OK;
}
