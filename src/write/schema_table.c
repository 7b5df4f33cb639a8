// The same tables as Markdown for the reference pages: key, what it may be, unit, what it does.
#include "write/schema.h"

#include <stdio.h>
#include <string.h>

enum { CELL = 400 };

/// What a key may be, in a few words: "[m] > 0", "`hertz`, `impact`".
static void describe(const pkm_key* key, char out[CELL]);

static void append(char out[CELL], const char* between, const char* text)
{
    const size_t used = strlen(out);
    if (text[0]) snprintf(out + used, CELL - used, "%s%s", used ? between : "", text);
}

static void append_unit(char out[CELL], const pkm_key* key)
{
    char cell[160];
    const pkm_dimension slides = key->dimension ? *key->dimension : pkm_dim_one;
    if (!key->dimension) return;
    snprintf(cell, sizeof cell, "[%s]", pkm_dimension_unit(slides).text);
    append(out, " ", cell);
    // of what turns the unit is another: N/m or N m/rad
    if (!key->turns && key->kind != PKM_KEY_SIX) return;
    snprintf(cell, sizeof cell, "[%s]", pkm_dimension_unit(pkm_dimension_turned(slides)).text);
    append(out, " or ", cell);
}

static void append_bounds(char out[CELL], const pkm_key* key)
{
    char cell[80] = "";
    if (key->range == PKM_RANGE_POSITIVE) snprintf(cell, sizeof cell, "> 0");
    if (key->range == PKM_RANGE_NOT_NEGATIVE) snprintf(cell, sizeof cell, ">= 0");
    if (key->most != 0.0 && key->least == 0.0 && key->range != PKM_RANGE_ANY)
        snprintf(cell, sizeof cell, "0 to %g", key->most);
    else if (key->least != 0.0 || key->most != 0.0)
        snprintf(cell, sizeof cell, "%.10g to %.10g", key->least, key->most);
    append(out, " ", cell);
}

static void append_words(char out[CELL], const char* const* words)
{
    char cell[80];
    for (int i = 0; words[i]; ++i) {
        snprintf(cell, sizeof cell, "`%s`", words[i]);
        append(out, ", ", cell);
    }
}

static void append_forms(char out[CELL], const pkm_key* key)
{
    for (const pkm_key* form = key->either; form && form->kind; ++form) {
        char cell[CELL] = "";
        describe(form, cell);
        append(out, ", ", cell);
    }
}

static void describe_list(const pkm_key* key, char out[CELL])
{
    char cell[CELL] = "list";
    if (key->n_least == key->n_most && key->n_most > 0)
        snprintf(cell, sizeof cell, "list of %d", key->n_most);
    else if (key->n_most > 0)
        snprintf(cell, sizeof cell, "list of %d to %d", key->n_least, key->n_most);
    append(out, "", cell);
    if (key->kind == PKM_KEY_LIST) {
        cell[0] = '\0';
        append_forms(cell, key);
        append(out, ": ", cell);
        return;
    }
    append_unit(out, key);
    append_bounds(out, key);
}

static void describe(const pkm_key* key, char out[CELL])
{
    static const char* const simple[] = {[PKM_KEY_FLAG] = "`true`, `false`",
                                         [PKM_KEY_TEXT] = "text",
                                         [PKM_KEY_REMARK] = "text",
                                         [PKM_KEY_NOTHING] = "nothing",
                                         [PKM_KEY_AXIS] = "`x`, `-y`, ... or `[x, y, z]`",
                                         [PKM_KEY_AXES] = "an axis, or `[on a, on b]`",
                                         [PKM_KEY_JOINT_TYPE] = "a type",
                                         [PKM_KEY_COORDINATE] = "a coordinate of the joint",
                                         [PKM_KEY_MARKER] = "`BODY.POINT`",
                                         [PKM_KEY_JOINT] = "name of a joint",
                                         [PKM_KEY_VERSION] = "`1`",
                                         [PKM_KEY_PARAMETERS] = "`{NAME: NUMBER}`",
                                         [PKM_KEY_MAP] = "`{...}`",
                                         [PKM_KEY_INCLUDE] = NULL};
    if (simple[key->kind]) append(out, "", simple[key->kind]);
    switch (key->kind) {
    case PKM_KEY_NUMBER:
        if (!key->dimension) append(out, "", "number");
        append_unit(out, key);
        append_bounds(out, key);
        break;
    case PKM_KEY_COUNT:
        append(out, "", "whole number");
        append_bounds(out, key);
        break;
    case PKM_KEY_WORD:
        append_words(out, key->words);
        break;
    case PKM_KEY_VECTOR:
        append(out, "", "`[x, y, z]`");
        append_unit(out, key);
        break;
    case PKM_KEY_INTERVAL:
        append(out, "", "`[low, high]`");
        append_unit(out, key);
        break;
    case PKM_KEY_SIX:
        append(out, "", "`[x, y, z, rx, ry, rz]`");
        append_unit(out, key);
        append_bounds(out, key);
        break;
    case PKM_KEY_NUMBERS:
    case PKM_KEY_LIST:
        describe_list(key, out);
        break;
    case PKM_KEY_EACH:
        append(out, "", "`{NAME: ...}`");
        break;
    case PKM_KEY_OWN:
        append_forms(out, key);
        break;
    default:
        break;
    }
}

/// Add what the key is called, what it may be and what Adams calls it to the cells of a row.
static void add_to_row(const pkm_key* key, char name[CELL], char value[CELL], char adams[CELL])
{
    char cell[CELL] = "";
    snprintf(cell, sizeof cell, key->must ? "`%s`, needed" : "`%s`", key->name);
    append(name, ", ", cell);
    cell[0] = '\0';
    describe(key, cell);
    if (strcmp(cell, value) != 0) append(value, "; ", cell);
    if (key->adams) append(adams, ", ", key->adams);
}

void pkm_schema_write_table(pkm_stream* out, const pkm_section* section)
{
    const pkm_key* key;
    bool has_adams = false;
    for (int i = 0; (key = pkm_section_key(section, i)); ++i)
        has_adams = has_adams || key->adams;
    pkm_stream_text(out, has_adams ? "| key | value | what | Adams |\n|---|---|---|---|\n"
                                   : "| key | value | what |\n|---|---|---|\n");
    char name[CELL] = "", value[CELL] = "", adams[CELL] = "";
    for (int i = 0; (key = pkm_section_key(section, i)); ++i) {
        add_to_row(key, name, value, adams);
        if (!key->sentence) continue;
        const char* const cell[] = {name, value, key->sentence, adams};
        for (int k = 0; k < 3 + has_adams; ++k) {
            pkm_stream_text(out, "| ");
            pkm_stream_text(out, cell[k]);
            pkm_stream_text(out, " ");
        }
        pkm_stream_text(out, "|\n");
        name[0] = value[0] = adams[0] = '\0';
    }
}
