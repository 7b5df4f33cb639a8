// The file of a study; keys are rows of tables (model/key.h), cases come from study_design.c.
#include "base/error.h"
#include "model/source.h"
#include "study/case.h"
#include "study/frequencies.h"
#include "study/study_impl.h"

#include <stdio.h>
#include <string.h>

enum { MAX_MB = 16, MAX_OUTPUT = 64, MAX_SIGNAL = 64 };

// ---- settings ---------------------------------------------------------------------------------

/// Parameters that are set must be there, with values of their dimension.
static pkm_status check_set(const pkm_study_reader* sr, const pkm_yaml* node)
{
    const pkm_reader* r = &sr->rr.r;
    if (!node) return PKM_OK;
    PKM_TRY(pkm_reader_keys_any(r, node));
    for (const pkm_yaml* item = node->first; item; item = item->next) {
        pkm_nearest near = pkm_nearest_make(item->key);
        const pkm_desc_parameter* found = NULL;
        for (int i = 0; i < r->desc->n_parameter; ++i) {
            pkm_nearest_offer(&near, r->desc->parameter[i].name);
            if (strcmp(r->desc->parameter[i].name, item->key) == 0) found = &r->desc->parameter[i];
        }
        if (!found)
            return pkm_reader_fail_key(r, item, "the robot has no such parameter%s",
                                       pkm_nearest_hint(&near).text);
        pkm_unit unit;
        pkm_fault fault;
        pkm_quantity value;
        const bool has_unit =
            strcmp(found->unit, "1") != 0 && pkm_unit_scan(found->unit, false, &unit, &fault) > 0;
        PKM_TRY(
            pkm_reader_quantity(r, item, has_unit ? &unit.dimension : NULL, PKM_RANGE_ANY, &value));
    }
    return PKM_OK;
}

/// Parameters with other values in a level or a case are the study's own; each is one number or
/// expression.
static pkm_status check_parameters(const pkm_study_reader* sr, const pkm_yaml* node)
{
    const pkm_reader* r = &sr->rr.r;
    const pkm_yaml* own = pkm_yaml_get(r->root, "parameters");
    if (!node) return PKM_OK;
    PKM_TRY(pkm_reader_keys_any(r, node));
    for (const pkm_yaml* item = node->first; item; item = item->next) {
        pkm_nearest near = pkm_nearest_make(item->key);
        for (const pkm_yaml* p = own ? own->first : NULL; p; p = p->next)
            pkm_nearest_offer(&near, p->key);
        if (!pkm_yaml_get(own, item->key))
            return pkm_reader_fail_key(r, item, "the study has no such parameter%s",
                                       pkm_nearest_hint(&near).text);
        if (item->kind != PKM_YAML_TEXT || !item->text[0])
            return pkm_reader_fail(r, item, "expected a number or an expression, found %s",
                                   pkm_yaml_show(item).text);
    }
    return PKM_OK;
}

/// Settings of an integrator must not be passed over in silence; effects are asked of run/takes.h.
static pkm_status check_integration(const pkm_study_reader* sr, const pkm_yaml* node)
{
    if (sr->study->analysis == PKM_STUDY_SIMULATE) return PKM_OK;
    for (const pkm_yaml* item = node->first; item; item = item->next) {
        const pkm_key* key = pkm_section_find(&pkm_run_choices, item->key, NULL);
        if (key && key->analyses == PKM_TASK_SIMULATE)
            return pkm_reader_fail_key(&sr->rr.r, item, "it needs 'analysis: simulate'");
    }
    return PKM_OK;
}

/// Settings of another analysis must not be passed over in silence.
static pkm_status check_analysis(const pkm_study_reader* sr, const pkm_yaml* node)
{
    // their keys are named after them
    static const pkm_study_analysis own[] = {PKM_STUDY_ELASTODYNAMICS, PKM_STUDY_MODES};
    for (int i = 0; i < 2; ++i) {
        const char* name = pkm_study_analysis_name[own[i]];
        const pkm_yaml* item = pkm_yaml_get(node, name);
        if (item && sr->study->analysis != own[i])
            return pkm_reader_fail_key(&sr->rr.r, item, "it needs 'analysis: %s'", name);
    }
    return check_integration(sr, node);
}

static const pkm_key number_form[] = {{.kind = PKM_KEY_NUMBER}, {0}};
static const pkm_key setting_keys[] = {
    {"set", "parameters of the robot, as `--set`", PKM_KEY_EACH, .either = number_form},
    {"parameters",
     "of the study, for expressions in its settings; they hide those of the robot, and a "
     "sweep may vary them",
     .kind = PKM_KEY_PARAMETERS},
    {"modes", "of `analysis: modes`", PKM_KEY_MAP, .section = &pkm_study_modes},
    {"elastodynamics", "of `analysis: elastodynamics`", PKM_KEY_MAP,
     .section = &pkm_study_elastodynamics},
    {.kind = PKM_KEY_INCLUDE, .section = &pkm_run_choices},
    {.name = NULL}};
static const pkm_section study_settings = {"settings", "what a case computes", .key = setting_keys};

pkm_status pkm_study_check_settings(const pkm_study_reader* sr, const pkm_yaml* node)
{
    PKM_TRY(pkm_keys_check(&sr->rr.r, node, &study_settings));
    PKM_TRY(check_analysis(sr, node));
    PKM_TRY(check_parameters(sr, pkm_yaml_get(node, "parameters")));
    return check_set(sr, pkm_yaml_get(node, "set"));
}

// ---- outputs ----------------------------------------------------------------------------------

/// Where it is written, too: whether the column exists is known when the table is.
static pkm_status read_column(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_study_output* out = to;
    out->place = node->place;
    return pkm_reader_text(r, node, &out->column);
}

#define AT(member) offsetof(pkm_study_output, member)
static const pkm_key output_keys[] = {
    {"column", "of the table", PKM_KEY_TEXT, .must = true, .read = read_column},
    {"measure", "`peak` (default): largest absolute value", PKM_KEY_WORD, AT(measure),
     .words = pkm_measure_name},
    {"label", "in reports", PKM_KEY_TEXT, .at = AT(label)},
    {.name = NULL}};
#undef AT
static const pkm_section output_section = {"output", "one number of a column", .key = output_keys};

/// `{column: P.dp, measure: peak, label: ...}`, or `peak P.dp`.
static pkm_status read_output(pkm_reader* r, const pkm_yaml* node, pkm_study_output* out)
{
    *out = (pkm_study_output){.unit = "", .measure = PKM_MEASURE_PEAK};
    PKM_TRY(pkm_reader_keep(r, node->key, &out->name));
    out->label = out->name;
    if (node->kind == PKM_YAML_TEXT && strrchr(node->text, ' ')) {
        // the column is the last word: measures have blanks ("time of peak")
        const char* space = strrchr(node->text, ' ');
        pkm_yaml measure = *node;
        measure.text = pkm_arena_text(r->desc->arena, node->text, (size_t)(space - node->text));
        if (!measure.text) return pkm_reader_fail_memory(r);
        int which = 0;
        PKM_TRY(pkm_reader_word(r, &measure, pkm_measure_name, &which));
        out->measure = (pkm_measure)which;
        out->place = node->place;
        return pkm_reader_keep(r, space + 1, &out->column);
    }
    if (node->kind != PKM_YAML_MAP)
        return pkm_reader_fail(
            r, node, "%s, expected {column: ..., measure: ...} or for example 'peak P.dp'",
            pkm_yaml_show(node).text);
    return pkm_keys_read(r, node, &output_section, out);
}

static pkm_status read_outputs(pkm_reader* r, const pkm_yaml* section, void* to)
{
    pkm_study* study = to;
    void* room = NULL;
    PKM_TRY(pkm_reader_named_map(r, section));
    if (section->n_child < 1 || section->n_child > MAX_OUTPUT)
        return pkm_reader_fail_key(r, section, "%d outputs, expected 1 to %d", section->n_child,
                                   MAX_OUTPUT);
    PKM_TRY(pkm_reader_alloc(r, section->n_child, sizeof(pkm_study_output), &room));
    study->output = room;
    for (const pkm_yaml* item = section->first; item; item = item->next)
        PKM_TRY(read_output(r, item, &study->output[study->n_output++]));
    return PKM_OK;
}

/// Names or patterns; whether a pattern matches is not asked, tables of cases differ.
static pkm_status read_signals(pkm_reader* r, const pkm_yaml* section, void* to)
{
    pkm_study* study = to;
    void* room = NULL;
    PKM_TRY(pkm_reader_list(r, section, 0, MAX_SIGNAL));
    PKM_TRY(pkm_reader_alloc(r, section->n_child + 1, sizeof(char*), &room));
    study->signal = room;
    for (const pkm_yaml* item = section->first; item; item = item->next)
        PKM_TRY(pkm_reader_text(r, item, &study->signal[study->n_signal++]));
    return PKM_OK;
}

// ---- the keys ---------------------------------------------------------------------------------

static const char one_output[] = "^(peak|time of peak|rms|final|min|max|dominant frequency|start|"
                                 "range) [^ ]+$";
static const pkm_key text_form[] = {{.kind = PKM_KEY_TEXT}, {0}};
static const pkm_key output_forms[] = {{.kind = PKM_KEY_TEXT, .pattern = one_output},
                                       {.kind = PKM_KEY_MAP, .section = &output_section},
                                       {0}};
static const pkm_key level_forms[] = {
    {.kind = PKM_KEY_NOTHING}, {.kind = PKM_KEY_MAP, .section = &study_settings}, {0}};
static const pkm_key factor_forms[] = {{.kind = PKM_KEY_EACH, .n_least = 2, .either = level_forms},
                                       {0}};
static const pkm_key value_forms[] = {{.kind = PKM_KEY_LIST, .n_least = 1, .either = number_form},
                                      {.kind = PKM_KEY_MAP, .section = &pkm_study_range},
                                      {0}};
static const pkm_key printed_forms[] = {{.kind = PKM_KEY_MAP, .section = &pkm_study_printed}, {0}};

/// Keys that are no settings, in the order in which they are read; the design and what is published
/// are read when the rest is known.
#define AT(member) offsetof(pkm_study, member)
static const pkm_key own_keys[] = {
    {"study", "format version", PKM_KEY_VERSION, .must = true},
    {"robot", "the model file, beside the study file", PKM_KEY_REMARK, .must = true},
    {"analysis",
     "`simulate` (default): equations of motion, [columns](output.md) with deviations from "
     "the ideal motion; `inverse`: the ideal rigid robot only, fast; `modes`: natural "
     "frequencies with `flexible` links, drives held as `hold` says; `elastodynamics`: the "
     "same with all links flexible and `elements`, `shape`, `torsion` for all, or with "
     "`assembly: kuo-2016` those that Kuo's paper prints for his Delta "
     "([elastodynamics.md](../theory/elastodynamics.md), 3). The last two have one row, or "
     "with `along` rows over the time of a motion, with the columns `f1`, `f2` ... [Hz], `w1` ... "
     "[rad/s] and `n`, the number of coordinates",
     PKM_KEY_WORD, AT(analysis), .words = pkm_study_analysis_name},
    {"description", NULL, PKM_KEY_TEXT, .at = AT(description)},
    {"source", "for people: what it is, and where it comes from", PKM_KEY_TEXT, .at = AT(source)},
    {"verify",
     "each case is repeated as by `pkm simulate --verify`, with the same error bars: with a "
     "hundredth of the tolerance, with another integrator, and with twice the elements and "
     "modes of flexible links; with clearance and contacts instead with half the tolerance "
     "and twice with a start that differs by 1e-9; with quasi-static clearance with four "
     "times as many instants",
     PKM_KEY_FLAG, .at = AT(verify)},
    {"chaotic_above",
     "spread of the runs over the value, above which it is called chaotic (with contacts) or "
     "not converged, 10 %; spreads below 1e-9 of what the value is a difference of (a deviation: "
     "of the position) are "
     "rounding",
     PKM_KEY_NUMBER, AT(chaotic_above), NULL, .range = PKM_RANGE_POSITIVE},
    {"outputs",
     "what is read from each case: a name and `column`, `measure`, optionally `label`, or in "
     "short `peak P.dp`",
     PKM_KEY_EACH, .must = true, .n_least = 1, .n_most = MAX_OUTPUT, .is_name = true,
     .either = output_forms, .read = read_outputs},
    {"signals",
     "columns that are kept as signals; names and patterns. Those of the outputs, and of the "
     "vectors behind them, are too, but for sweeps of more than 1000 cases",
     PKM_KEY_LIST, .n_most = MAX_SIGNAL, .either = text_form, .read = read_signals},
    {"factors",
     "effects at two or more levels each; the first is the reference. Every combination is a "
     "case",
     PKM_KEY_EACH, .n_least = 1, .n_most = PKM_MAX_FACTOR, .either = factor_forms},
    {"sweep", "parameters over values or ranges. Every combination is a case", PKM_KEY_EACH,
     .n_least = 1, .n_most = PKM_MAX_FACTOR, .either = value_forms},
    {"published", "printed numbers to be set beside ours, see [below](#published-numbers)",
     PKM_KEY_LIST, .n_most = 1000, .either = printed_forms},
    {.name = NULL}};
#undef AT
static const pkm_section own_section = {"own", "of a study", .key = own_keys};

bool pkm_study_is_own_key(const char* key)
{
    return pkm_section_find(&own_section, key, NULL) != NULL;
}

static const pkm_key file_keys[] = {{.kind = PKM_KEY_INCLUDE, .section = &own_section},
                                    {.kind = PKM_KEY_INCLUDE, .section = &study_settings},
                                    {.name = NULL}};
static const pkm_key_rule file_rules[] = {
    {PKM_RULE_AT_MOST, "factors sweep", "a study has one design: 'factors' or 'sweep'"}, {0}};
const pkm_section pkm_study_file = {
    "study", "Many cases of one robot compared; docs/reference/study-file.md describes every key.",
    file_keys, .rule = file_rules};

/// What is no setting of a case and no design.
static pkm_status read_choices(pkm_study_reader* sr)
{
    pkm_reader* r = &sr->rr.r;
    pkm_study* study = sr->study;
    study->analysis = PKM_STUDY_SIMULATE;
    study->chaotic_above = PKM_CHAOTIC_ABOVE;
    for (const pkm_key* key = own_keys; key->name; ++key) {
        const pkm_yaml* node = pkm_yaml_get(r->root, key->name);
        if (node) PKM_TRY(pkm_key_take(r, node, key, study));
    }
    PKM_TRY(check_analysis(sr, r->root));
    return check_set(sr, pkm_yaml_get(r->root, "set"));
}

// ---- columns ----------------------------------------------------------------------------------

static pkm_status no_column(const pkm_study_reader* sr, const pkm_study_output* output,
                            pkm_table* const table[2])
{
    pkm_nearest near = pkm_nearest_make(output->column);
    char list[300] = "";
    for (int k = 0; k < 2; ++k)
        for (int c = 0; c < pkm_table_n_column(table[k]); ++c) {
            const size_t used = strlen(list);
            pkm_nearest_offer(&near, pkm_table_name(table[k], c));
            if (k == 0)
                snprintf(list + used, sizeof list - used, "%s%s", c ? ", " : "",
                         pkm_table_name(table[k], c));
        }
    // the nearest name, or all of the first table
    const pkm_hint hint = pkm_nearest_hint(&near);
    return pkm_fail_at(sr->rr.r.err, PKM_ERR_MODEL, sr->study->file, output->place.line,
                       output->place.column, "outputs.%s: there is no column '%.60s'%s%s%s",
                       output->name, output->column, hint.text, near.best ? "" : "; there are ",
                       near.best ? "" : list);
}

/// The unit of an output, whose measure has to fit its column.
static pkm_status read_unit(const pkm_study_reader* sr, const pkm_table* table, int column,
                            pkm_study_output* output)
{
    pkm_error why = {0};
    if (pkm_measure_require(table, column, output->measure, &why) != PKM_OK)
        return pkm_fail_at(sr->rr.r.err, PKM_ERR_MODEL, sr->study->file, output->place.line,
                           output->place.column, "outputs.%s: %s", output->name, why.text);
    return pkm_reader_keep(
        &sr->rr.r, pkm_measure_unit(output->measure, pkm_table_unit(table, column)), &output->unit);
}

/// Look for the columns of the outputs in the first and in the last case: that has every effect.
/// A case that cannot be run says nothing here and will fail in its turn, unless the file is wrong.
static pkm_status find_columns(pkm_study_reader* sr)
{
    pkm_study* study = sr->study;
    pkm_table* table[2] = {pkm_table_create(), pkm_table_create()};
    pkm_status status = table[0] && table[1] ? PKM_OK : pkm_reader_fail_memory(&sr->rr.r);
    bool is_known = true;
    for (int k = 0; k < 2 && status == PKM_OK; ++k) {
        pkm_error why = {0};
        if (pkm_case_columns(study, k ? study->n_case - 1 : 0, table[k], &why) == PKM_OK) continue;
        is_known = false;
        if (strcmp(why.file, study->file) != 0) continue;
        status = why.status;
        if (sr->rr.r.err) *sr->rr.r.err = why;
    }
    for (int i = 0; i < study->n_output && status == PKM_OK; ++i) {
        pkm_study_output* output = &study->output[i];
        int k = 0, column;
        while ((column = pkm_table_find(table[k], output->column)) == PKM_NONE && k < 1)
            ++k;
        if (column == PKM_NONE && is_known) status = no_column(sr, output, table);
        if (column != PKM_NONE) status = read_unit(sr, table[k], column, output);
    }
    pkm_table_free(table[0]);
    pkm_table_free(table[1]);
    return status;
}

// ---- the file ---------------------------------------------------------------------------------

/// "studies/siax.yaml" is called siax.
static const char* stem_of(const char* path, pkm_arena* arena)
{
    const char* slash = strrchr(path, '/');
    const char* stem = slash ? slash + 1 : path;
    const char* dot = strrchr(stem, '.');
    return pkm_arena_text(arena, stem, dot && dot > stem ? (size_t)(dot - stem) : strlen(stem));
}

/// A file's bytes, kept in the arena, and their hash added to `sha` and in `hash` (may be NULL).
static pkm_status keep_file(pkm_study* study, const char* path, pkm_sha256* sha, char* hash,
                            const char** out, pkm_error* err)
{
    char* bytes = NULL;
    size_t length = 0;
    PKM_TRY(pkm_source_read(path, (size_t)MAX_MB << 20, &bytes, &length, err));
    *out = pkm_arena_text(study->arena, bytes, length);
    pkm_sha256_add(sha, bytes, length);
    if (hash) {
        pkm_sha256 own = pkm_sha256_make();
        pkm_sha256_add(&own, bytes, length);
        pkm_sha256_finish(&own, hash);
    }
    pkm_free(bytes);
    return *out ? PKM_OK : pkm_out_of_memory(err);
}

/// Version and robot, which all else needs.
static pkm_status read_head(pkm_study* study, pkm_sha256* sha, pkm_error* err)
{
    pkm_description view = {.arena = study->arena, .file = study->file};
    pkm_reader r = {.desc = &view, .root = study->root, .err = err};
    const pkm_key* version = &own_keys[0];
    PKM_TRY(pkm_keys_check(&r, study->root, &pkm_study_file));
    PKM_TRY(pkm_key_take(&r, pkm_yaml_get(study->root, version->name), version, study));
    const char* name = NULL;
    PKM_TRY(pkm_reader_text(&r, pkm_yaml_get(study->root, "robot"), &name));
    char* path = pkm_source_path(study->file, name);
    if (path) study->robot_file = pkm_arena_text(study->arena, path, strlen(path));
    pkm_free(path);
    if (!study->robot_file) return pkm_reader_fail_memory(&r);
    const pkm_status status =
        keep_file(study, study->robot_file, sha, study->robot_hash, &study->robot_text, err);
    if (status == PKM_OK || status == PKM_ERR_MEMORY) return status;
    return err ? pkm_reader_fail(&r, pkm_yaml_get(study->root, "robot"), "%.200s: %.400s",
                                 study->robot_file, err->text)
               : PKM_ERR_MODEL;
}

/// Does the analysis take what each level brings by itself? Swept values bring nothing new.
static pkm_status check_levels(const pkm_study_reader* sr)
{
    const pkm_study* study = sr->study;
    for (int f = 0; !study->is_sweep && f < study->n_factor; ++f)
        for (int l = 1; l < study->factor[f].n_level; ++l) {
            int level[PKM_MAX_FACTOR] = {0};
            level[f] = l;
            const pkm_settings settings =
                pkm_study_settings(study, pkm_study_find_case(study, level));
            pkm_error why = {0};
            pkm_prepared prepared;
            const pkm_status status = pkm_study_prepare(study, &settings, &prepared, &why);
            pkm_prepared_free(&prepared);
            // faults of the model belong to the cases that meet them; those of this file are told
            // now
            if (status == PKM_OK || strcmp(why.file, study->file) != 0) continue;
            if (sr->rr.r.err) *sr->rr.r.err = why;
            return status;
        }
    return PKM_OK;
}

/// With the robot loaded: all the rest.
static pkm_status read_body(pkm_study_reader* sr)
{
    pkm_study* study = sr->study;
    const pkm_run_names names = {.parameters = pkm_yaml_get(study->root, "parameters")};
    PKM_TRY(pkm_run_make_scope(&sr->rr, &names));
    PKM_TRY(read_choices(sr));
    PKM_TRY(pkm_study_read_design(sr));
    PKM_TRY(check_levels(sr));
    PKM_TRY(find_columns(sr));
    return pkm_study_read_published(sr);
}

static pkm_status read_with_robot(pkm_study* study, pkm_error* err)
{
    pkm_robot* robot = NULL;
    pkm_run* run = NULL;
    pkm_arena* scratch = pkm_arena_create();
    pkm_status status = scratch ? PKM_OK : pkm_out_of_memory(err);
    if (status == PKM_OK)
        status = pkm_robot_parse(study->robot_text, study->robot_file, NULL, 0, &robot, err);
    if (status == PKM_OK)
        status = pkm_yaml_parse(study->robot_text, strlen(study->robot_text), study->robot_file,
                                study->arena, &study->robot_root, err);
    if (status == PKM_OK) status = pkm_run_create_contacts(robot, &run, err);
    if (status == PKM_OK) {
        pkm_study_reader sr = {.rr = {.view = *robot->desc, .run = run}, .study = study};
        sr.rr.view.file = study->file;
        sr.rr.view.arena = study->arena;
        sr.rr.r =
            (pkm_reader){.desc = &sr.rr.view, .scratch = scratch, .root = study->root, .err = err};
        study->robot_name =
            pkm_arena_text(study->arena, robot->desc->name, strlen(robot->desc->name));
        status = study->robot_name ? read_body(&sr) : pkm_reader_fail_memory(&sr.rr.r);
    }
    pkm_run_free(run);
    pkm_robot_free(robot);
    pkm_arena_free(scratch);
    return status;
}

static pkm_status read_study(pkm_study* study, const char* path, pkm_error* err)
{
    const char* text = NULL;
    pkm_sha256 sha = pkm_sha256_make();
    PKM_TRY(keep_file(study, path, &sha, NULL, &text, err));
    for (int i = 0; i < study->n_set; ++i) {
        pkm_sha256_add(&sha, study->set[i].name, strlen(study->set[i].name) + 1);
        pkm_sha256_add(&sha, study->set[i].value, strlen(study->set[i].value) + 1);
    }
    PKM_TRY(pkm_source_check_text(text, strlen(text), path, err));
    PKM_TRY(pkm_yaml_parse(text, strlen(text), path, study->arena, &study->root, err));
    PKM_TRY(read_head(study, &sha, err));
    pkm_sha256_finish(&sha, study->hash);
    return read_with_robot(study, err);
}

pkm_status pkm_study_read(const char* path, const pkm_override* set, int n_set, pkm_study** out,
                          pkm_error* err)
{
    *out = NULL;
    PKM_TRY(pkm_robot_check_overrides(set, n_set, err));
    pkm_study* study = pkm_alloc(1, sizeof *study);
    if (study) study->arena = pkm_arena_create();
    pkm_status status = study && study->arena ? PKM_OK : PKM_ERR_MEMORY;
    if (status == PKM_OK) {
        study->set = set;
        study->n_set = n_set;
        study->description = study->source = study->motion = "";
        study->file = pkm_arena_text(study->arena, path, strlen(path));
        study->name = stem_of(path, study->arena);
        study->links = pkm_arena_alloc(study->arena, 1, sizeof *study->links);
        status = study->file && study->name && study->links ? read_study(study, path, err)
                                                            : PKM_ERR_MEMORY;
    }
    if (status == PKM_ERR_MEMORY) pkm_out_of_memory(err);
    if (status == PKM_OK)
        *out = study;
    else
        pkm_study_free(study);
    if (status != PKM_OK && err) pkm_source_clean(err->text);
    return status;
}
