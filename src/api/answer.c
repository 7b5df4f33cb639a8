// An answer owns tree and tables; its list of plain values is made from the tree at the end, by the
// path of each number.
#include "api/answer.h"

#include "api/account.h"
#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- filling ----------------------------------------------------------------------------------

pkm_answer* pkm_answer_create(pkm_task_kind kind)
{
    pkm_answer* answer = pkm_alloc(1, sizeof *answer);
    if (!answer) return NULL;
    answer->kind = kind;
    answer->tree = pkm_result_create();
    if (answer->tree) return answer;
    pkm_free(answer);
    return NULL;
}

void pkm_answer_free(pkm_answer* answer)
{
    if (!answer) return;
    for (int i = 0; i < answer->n_table; ++i)
        pkm_table_free(answer->table[i]);
    pkm_result_free(answer->tree);
    pkm_free(answer->value);
    pkm_free(answer->spread);
    pkm_free(answer);
}

pkm_table* pkm_answer_add_table(pkm_answer* answer, const char* name)
{
    // how many tables an analysis has is known when it is written
    PKM_ASSERT(answer->n_table < PKM_ANSWER_TABLES);
    pkm_table* table = pkm_table_create();
    if (!table) {
        answer->is_short = true;
        return NULL;
    }
    answer->table_name[answer->n_table] = name;
    answer->table[answer->n_table++] = table;
    return table;
}

// ---- the numbers of the tree ------------------------------------------------------------------

static void add_value(pkm_answer* answer, const char* name, const char* unit, double value)
{
    if (answer->n_value == answer->value_room) {
        // doubled, so that listing stays linear in the number of values
        const int room = answer->value_room ? 2 * answer->value_room : 32;
        pkm_answer_item* grown = pkm_realloc(answer->value, (size_t)room, sizeof *grown);
        if (!grown) {
            answer->is_short = true;
            return;
        }
        answer->value = grown;
        answer->value_room = room;
    }
    pkm_answer_item* item = &answer->value[answer->n_value++];
    snprintf(item->name, sizeof item->name, "%s", name);
    item->unit = unit;
    item->value = value;
}

/// List the numbers below `node`, which is called `path`: keys and places in lists with dots
/// between them, as pkm_result_find takes them. Texts, warnings (pkm_answer_warning_text) and keys
/// for people are left out.
static void list_values(pkm_answer* answer, const pkm_result* node, const char* path)
{
    const pkm_result_kind kind = pkm_result_get_kind(node);
    const bool is_group = kind == PKM_RESULT_GROUP;
    char name[2 * PKM_MAX_NAME];
    int k = 0;
    if (kind == PKM_RESULT_NUMBERS) {
        for (; k < pkm_result_count(node); ++k) {
            snprintf(name, sizeof name, "%.110s.%d", path, k);
            add_value(answer, name, pkm_result_unit(node), pkm_result_value(node, k));
        }
    } else if (!is_group && kind != PKM_RESULT_LIST) {
        if (kind != PKM_RESULT_TEXT)
            add_value(answer, path, pkm_result_unit(node), pkm_result_value(node, 0));
        return;
    }
    for (const pkm_result* at = pkm_result_first(node); at; at = pkm_result_next(at), ++k) {
        const char *key = pkm_result_key(at), *dot = *path ? "." : "";
        if (is_group && (key[0] == '_' || strcmp(key, "warnings") == 0)) continue;
        if (is_group)
            snprintf(name, sizeof name, "%.60s%s%.60s", path, dot, key);
        else
            snprintf(name, sizeof name, "%.110s%s%d", path, dot, k);
        list_values(answer, at, name);
    }
}

pkm_status pkm_answer_finish(pkm_answer* answer, pkm_status status, pkm_answer** out,
                             pkm_error* err)
{
    if (answer) list_values(answer, answer->tree, "");
    if (answer && (answer->is_short || pkm_result_failed(answer->tree)))
        status = pkm_out_of_memory(err);
    const int code = pkm_status_exit_code(status);
    const bool has_rows = answer && answer->n_table > 0 && pkm_table_n_row(answer->table[0]) > 0;
    if (status == PKM_OK || (code >= 3 && has_rows)) {
        answer->is_complete = status == PKM_OK;
        *out = answer;
        return status;
    }
    pkm_answer_free(answer);
    return status;
}

// ---- reading ----------------------------------------------------------------------------------

const char* pkm_answer_analysis(const pkm_answer* answer)
{
    return answer ? pkm_task_name(answer->kind) : NULL;
}

bool pkm_answer_is_complete(const pkm_answer* answer)
{
    return answer && answer->is_complete;
}

const pkm_result* pkm_answer_result(const pkm_answer* answer)
{
    return answer ? answer->tree : NULL;
}

int pkm_answer_n_value(const pkm_answer* answer)
{
    return answer ? answer->n_value : 0;
}

static const pkm_answer_item* item_at(const pkm_answer* answer, int i)
{
    return answer && i >= 0 && i < answer->n_value ? &answer->value[i] : NULL;
}

const char* pkm_answer_value_name(const pkm_answer* answer, int i)
{
    const pkm_answer_item* item = item_at(answer, i);
    return item ? item->name : NULL;
}

const char* pkm_answer_value_unit(const pkm_answer* answer, int i)
{
    const pkm_answer_item* item = item_at(answer, i);
    return item ? item->unit : NULL;
}

double pkm_answer_value_at(const pkm_answer* answer, int i)
{
    const pkm_answer_item* item = item_at(answer, i);
    return item ? item->value : NAN;
}

double pkm_answer_value(const pkm_answer* answer, const char* name)
{
    for (int i = 0; name && i < pkm_answer_n_value(answer); ++i)
        if (strcmp(answer->value[i].name, name) == 0) return answer->value[i].value;
    return NAN;
}

int pkm_answer_n_table(const pkm_answer* answer)
{
    return answer ? answer->n_table : 0;
}

const char* pkm_answer_table_name(const pkm_answer* answer, int i)
{
    return i >= 0 && i < pkm_answer_n_table(answer) ? answer->table_name[i] : NULL;
}

const pkm_table* pkm_answer_table(const pkm_answer* answer, const char* name)
{
    for (int i = 0; i < pkm_answer_n_table(answer); ++i)
        if (!name || strcmp(answer->table_name[i], name) == 0) return answer->table[i];
    return NULL;
}

pkm_status pkm_answer_peak(const pkm_answer* answer, const char* column, double* value, double* t,
                           double* error_bar, bool* chaotic)
{
    const pkm_table* table = pkm_answer_table(answer, NULL);
    const int c = table && column ? pkm_table_find(table, column) : PKM_NONE;
    if (c == PKM_NONE || !value || pkm_table_n_row(table) == 0) return PKM_ERR_ARGUMENT;
    int row = 0;
    // `size` is a magnitude; the row that has it has the sign
    const double size = pkm_table_reduce(table, c, PKM_REDUCE_ABSMAX, &row);
    *value = row == PKM_NONE ? size : pkm_table_get(table, row, c);
    const int at = pkm_table_find(table, "t");
    if (t) *t = at == PKM_NONE || row == PKM_NONE ? NAN : pkm_table_get(table, row, at);
    if (error_bar) *error_bar = answer->spread ? answer->spread[c].error_bar : NAN;
    if (chaotic)
        *chaotic = answer->spread && pkm_account_judge(&answer->spread[c], answer->verify, table, c,
                                                       size) == PKM_VERDICT_CHAOTIC;
    return PKM_OK;
}

// ---- warnings ---------------------------------------------------------------------------------

/// Those of all tables, one after the other.
static const pkm_warning* warning_at(const pkm_answer* answer, int i)
{
    for (int k = 0; k < pkm_answer_n_table(answer) && i >= 0; ++k) {
        const pkm_warnings* list = pkm_table_get_warnings(answer->table[k]);
        if (i < list->n) return &list->item[i];
        i -= list->n;
    }
    return NULL;
}

int pkm_answer_n_warning(const pkm_answer* answer)
{
    int n = 0;
    for (int k = 0; k < pkm_answer_n_table(answer); ++k)
        n += pkm_table_get_warnings(answer->table[k])->n;
    return n;
}

const char* pkm_answer_warning_kind(const pkm_answer* answer, int i)
{
    const pkm_warning* w = warning_at(answer, i);
    return w ? w->kind : NULL;
}

const char* pkm_answer_warning_text(const pkm_answer* answer, int i)
{
    const pkm_warning* w = warning_at(answer, i);
    return w ? w->text : NULL;
}

double pkm_answer_warning_time(const pkm_answer* answer, int i)
{
    const pkm_warning* w = warning_at(answer, i);
    return w ? w->t : NAN;
}

void pkm_text_free(char* text)
{
    pkm_free(text);
}
