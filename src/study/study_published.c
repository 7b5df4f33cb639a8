#include "base/error.h"
#include "study/study_impl.h"

#include <string.h>

/// `case: {friction: with}`: levels by name, references when not given.
static pkm_status read_case(const pkm_study_reader* sr, const pkm_yaml* node, int* out)
{
    const pkm_reader* r = &sr->rr.r;
    const pkm_study* study = sr->study;
    int level[PKM_MAX_FACTOR] = {0};
    *out = 0;
    if (!node) return PKM_OK;
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
    *out = pkm_study_find_case(study, level);
    return PKM_OK;
}

static pkm_status read_output(const pkm_study_reader* sr, const pkm_yaml* node, int* out)
{
    const char* names[65] = {NULL};
    *out = PKM_NONE;
    if (!node) return PKM_OK;
    for (int k = 0; k < sr->study->n_output && k < 64; ++k)
        names[k] = sr->study->output[k].name;
    return pkm_reader_word(&sr->rr.r, node, names, out);
}

static pkm_status read_value(const pkm_reader* r, const pkm_yaml* node, pkm_desc_published* out)
{
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

static pkm_status read_one(const pkm_study_reader* sr, const pkm_yaml* node,
                           pkm_study_published* out)
{
    static const char* const keys[] = {"!text", "case", "output", "!value", "tolerance",
                                       "bound", "note", "of",     NULL};
    static const char* const parts[] = {"value", "deviation", "sum", "ratio", "not additive", NULL};
    static const char* const bounds[] = {"none", "above", "below", NULL};
    const pkm_reader* r = &sr->rr.r;
    pkm_desc_published* printed = &out->printed;
    *printed = (pkm_desc_published){.tolerance = 0.01, .place = node->place};
    int bound = PKM_BOUND_NONE, of = PKM_OF_VALUE;
    PKM_TRY(pkm_reader_keys(r, node, keys));
    PKM_TRY(pkm_reader_text(r, pkm_yaml_get(node, "text"), &printed->text));
    PKM_TRY(pkm_reader_optional_text(r, pkm_yaml_get(node, "note"), &printed->note));
    PKM_TRY(read_value(r, pkm_yaml_get(node, "value"), printed));
    if (pkm_yaml_get(node, "bound"))
        PKM_TRY(pkm_reader_word(r, pkm_yaml_get(node, "bound"), bounds, &bound));
    printed->bound = (pkm_bound)bound;
    if (pkm_yaml_get(node, "of")) PKM_TRY(pkm_reader_word(r, pkm_yaml_get(node, "of"), parts, &of));
    out->of = (pkm_published_of)of;
    PKM_TRY(pkm_reader_optional(r, pkm_yaml_get(node, "tolerance"), pkm_dim_one, PKM_RANGE_POSITIVE,
                                &printed->tolerance));
    PKM_TRY(read_output(sr, pkm_yaml_get(node, "output"), &out->output));
    return read_case(sr, pkm_yaml_get(node, "case"), &out->case_id);
}

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
        PKM_TRY(read_one(sr, node, &sr->study->published[sr->study->n_published++]));
    return PKM_OK;
}
