// A finished case as bytes and back: what a worker sends to the scheduler.
#include "base/error.h"
#include "base/memory.h"
#include "study/case.h"

#include <string.h>

// Layout: the struct itself (its pointers are void), the values, then the signals: n_column, n_row,
// per column name and unit each with its length, then the numbers row by row; then the texts of the
// scene and of the sources with their lengths, "" for none.

typedef struct buffer {
    unsigned char* bytes;
    size_t size, room;
    bool is_short; ///< of memory, or of bytes when reading
} buffer;

static void put(buffer* b, const void* from, size_t size)
{
    if (b->is_short) return;
    if (b->size + size > b->room) {
        const size_t room = 2 * (b->size + size);
        unsigned char* grown = pkm_realloc(b->bytes, room, 1);
        b->is_short = !grown;
        if (!grown) return;
        b->bytes = grown;
        b->room = room;
    }
    memcpy(b->bytes + b->size, from, size);
    b->size += size;
}

static void put_text(buffer* b, const char* text)
{
    const size_t length = strlen(text) + 1;
    put(b, &length, sizeof length);
    put(b, text, length);
}

static void put_table(buffer* b, const pkm_table* table)
{
    const int size[2] = {pkm_table_n_column(table), pkm_table_n_row(table)};
    put(b, size, sizeof size);
    for (int c = 0; c < size[0]; ++c) {
        put_text(b, pkm_table_name(table, c));
        put_text(b, pkm_table_unit(table, c));
    }
    for (int r = 0; r < size[1]; ++r)
        for (int c = 0; c < size[0]; ++c) {
            const double x = pkm_table_get(table, r, c);
            put(b, &x, sizeof x);
        }
}

pkm_status pkm_case_pack(const pkm_case_result* result, void** bytes, size_t* size, pkm_error* err)
{
    buffer b = {.bytes = NULL};
    put(&b, result, sizeof *result);
    put(&b, result->value, (size_t)result->n_value * sizeof *result->value);
    put_table(&b, result->signals);
    for (int k = 0; k < 3; ++k)
        put_text(&b, result->scene[k] ? result->scene[k] : "");
    put_text(&b, result->sources ? result->sources : "");
    *bytes = b.bytes;
    *size = b.size;
    if (!b.is_short) return PKM_OK;
    pkm_free(b.bytes);
    *bytes = NULL;
    return pkm_out_of_memory(err);
}

// ---- back -------------------------------------------------------------------------------------

static void get(buffer* b, void* to, size_t size)
{
    b->is_short = b->is_short || b->size + size > b->room;
    if (b->is_short) return;
    memcpy(to, b->bytes + b->size, size);
    b->size += size;
}

static const char* get_text(buffer* b)
{
    size_t length = 0;
    get(b, &length, sizeof length);
    b->is_short = b->is_short || length == 0 || length > b->room - b->size;
    if (b->is_short) return "";
    const char* text = (const char*)b->bytes + b->size;
    b->size += length;
    return text;
}

static bool get_table(buffer* b, pkm_table* table)
{
    int size[2] = {0, 0};
    get(b, size, sizeof size);
    for (int c = 0; c < size[0] && !b->is_short; ++c) {
        const char* name = get_text(b);
        if (pkm_table_add_column(table, name, get_text(b)) == PKM_NONE) return false;
    }
    for (int r = 0; r < size[1] && !b->is_short; ++r) {
        double* row = pkm_table_append(table);
        if (!row) return false;
        get(b, row, (size_t)size[0] * sizeof *row);
    }
    return true;
}

/// A copy of the next text, NULL for ""; false: memory is out.
static bool get_copy(buffer* b, char** out)
{
    const char* text = get_text(b);
    if (b->is_short || !*text) return true;
    *out = pkm_alloc(strlen(text) + 1, 1);
    if (*out) strcpy(*out, text);
    return *out != NULL;
}

pkm_status pkm_case_unpack(const void* bytes, size_t size, pkm_case_result** out, pkm_error* err)
{
    buffer b = {.room = size};
    memcpy(&b.bytes, &bytes, sizeof bytes); // only read from here on
    pkm_case_result* result = *out = pkm_alloc(1, sizeof *result);
    if (!result) return pkm_out_of_memory(err);
    get(&b, result, sizeof *result);
    result->value = NULL;
    result->sources = NULL;
    memset(result->scene, 0, sizeof result->scene);
    result->signals = pkm_table_create();
    bool has_memory = result->signals != NULL;
    if (!b.is_short) {
        result->value = pkm_alloc((size_t)result->n_value + 1, sizeof *result->value);
        has_memory = has_memory && result->value;
    }
    if (has_memory) get(&b, result->value, (size_t)result->n_value * sizeof *result->value);
    if (has_memory) has_memory = get_table(&b, result->signals);
    for (int k = 0; k < 3 && has_memory; ++k)
        has_memory = get_copy(&b, &result->scene[k]);
    if (has_memory) has_memory = get_copy(&b, &result->sources);
    if (has_memory && !b.is_short) return PKM_OK;
    pkm_case_free(result);
    *out = NULL;
    return pkm_fail(err, PKM_ERR_MEMORY, b.is_short ? "a result is cut short" : "out of memory");
}
