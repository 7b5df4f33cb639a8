// pkm schema: JSON Schema of the files and the tables of the reference pages, printed from the keys
// that the reader uses.
#include "base/error.h"
#include "model/nearest.h"
#include "run/motor_table.h"
#include "run/reader.h"
#include "study/study.h"
#include "verb/commands.h"
#include "write/schema.h"

#include <stdio.h>
#include <string.h>

static const pkm_verb_option options[] = {
    {"--table", "SECTION",
     .text = "the keys of one section, or with FILE options the options of a verb, as a table in "
             "Markdown"},
};

static pkm_status run(const pkm_verb_arguments* args, pkm_error* err);

const pkm_verb pkm_verb_schema = {
    .name = "schema",
    .operand = "FILE",
    .text = "what a model, run, study or motor file may say, as JSON Schema for editors",
    .help = "Prints the JSON Schema of a kind of file (model, run, motors, study), made from\n"
            "the tables by which the program reads it. schema/ has them as files.",
    .example = "pkm schema run",
    .another = "pkm schema run --table friction",
    VERB_OPTIONS(options),
    .run = run,
};

/// The files whose keys stand in tables.
static const struct {
    const char* name;
    pkm_schema schema;
} files[] = {
    {"model", {.title = "pkm model file, version 1", .file = &pkm_model_file}},
    {"run", {.title = "pkm run file, version 1", .file = &pkm_run_file}},
    {"motors", {.title = "pkm table of motors, version 1", .file = &pkm_motor_file}},
#ifndef __wasi__ // which knows no studies
    {"study",
     {"pkm study file, version 1", &pkm_study_file, &pkm_run_choices,
      "pkm-run-1.schema.json#/properties/"}},
#endif
};
enum { N_FILE = sizeof files / sizeof files[0] };

static pkm_status find_file(const char* name, int* out, pkm_error* err)
{
    pkm_nearest near = pkm_nearest_make(name);
    for (*out = 0; *out < N_FILE; ++*out) {
        if (strcmp(files[*out].name, name) == 0) return PKM_OK;
        pkm_nearest_offer(&near, files[*out].name);
    }
    return pkm_fail(
        err, PKM_ERR_ARGUMENT,
        "'%.60s' is no kind of file with a schema, expected model, run, motors or study%s", name,
        pkm_nearest_hint(&near).text);
}

/// A cell of a table in Markdown: a bar would end it, and places of the page of run files are
/// there.
static void put_cell(pkm_stream* out, const char* text)
{
    for (; *text; ++text)
        pkm_stream_format(out, "%s%c%s", *text == '|' ? "\\" : "", *text,
                          *text == '(' && text[1] == '#' ? "run-file.md" : "");
}

/// The options of a verb as a table in Markdown.
static pkm_status print_options(const char* name, pkm_stream* out, pkm_error* err)
{
    const pkm_verb* verb;
    int v = 0;
    while ((verb = pkm_verb_top(v)) && strcmp(verb->name, name ? name : "") != 0)
        ++v;
    if (!verb)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--table: '%.60s' is no verb", name ? name : "");
    pkm_stream_text(out, "| option | what |\n|---|---|\n");
    for (int i = 0; i < verb->n_option; ++i) {
        const pkm_verb_option* option = pkm_verb_option_at(verb, i);
        pkm_stream_format(out, "| `%s%s", option->name, option->argument ? " " : "");
        put_cell(out, option->argument ? option->argument : "");
        pkm_stream_text(out, "` | ");
        put_cell(out, pkm_verb_option_sentence(option));
        pkm_stream_text(out, option->repeats ? "; may be repeated |\n" : " |\n");
    }
    return PKM_OK;
}

static pkm_status print(const pkm_verb_arguments* args, pkm_stream* out, pkm_error* err)
{
    const char* table = pkm_verb_get(args, "--table");
    int f = 0;
    if (strcmp(args->model, "options") == 0) return print_options(table, out, err);
    PKM_TRY(find_file(args->model, &f, err));
    if (!table) {
        pkm_schema_write(out, &files[f].schema);
        return PKM_OK;
    }
    const pkm_section* section = pkm_schema_find(files[f].schema.file, table);
    if (!section)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--table: the %s file has no section '%.60s'",
                        files[f].name, table);
    pkm_schema_write_table(out, section);
    return PKM_OK;
}

static pkm_status run(const pkm_verb_arguments* args, pkm_error* err)
{
    return print(args, pkm_verb_said(args), err);
}
