/// JSON, written value by value.
///
///     pkm_json json = pkm_json_make(stream);
///     pkm_json_object_begin(&json);
///     pkm_json_put_number(&json, "mass", 1.5);
///     pkm_json_open_array(&json, "drives");
///     pkm_json_string(&json, "q1");
///     pkm_json_array_end(&json);
///     pkm_json_object_end(&json);
///
/// Commas, line breaks and indentation come by themselves. Failures stay in the stream until it is
/// closed. Nothing is allocated here.
#ifndef PKM_WRITE_JSON_H
#define PKM_WRITE_JSON_H

#include "write/stream.h"

#include <stdbool.h>

enum { PKM_JSON_DEPTH = 32 }; ///< deepest nesting of objects and arrays

typedef struct pkm_json {
    pkm_stream* stream; ///< borrowed
    int depth;
    bool has_item[PKM_JSON_DEPTH + 1]; ///< whether the object or array at this depth has an item
    bool after_key;
} pkm_json;

/// A writer at its start; the text ends with a line feed after the outermost value.
pkm_json pkm_json_make(pkm_stream* stream);

void pkm_json_object_begin(pkm_json* json);
void pkm_json_object_end(pkm_json* json);
void pkm_json_array_begin(pkm_json* json);
void pkm_json_array_end(pkm_json* json);

/// The name of the next value in an object.
void pkm_json_key(pkm_json* json, const char* key);

/// Shortest digits that read back the same; null for NaN and infinities, which JSON does not have.
void pkm_json_number(pkm_json* json, double value);
void pkm_json_integer(pkm_json* json, long long value);
/// UTF-8, escaped where needed; bytes that are no UTF-8 become U+FFFD; NULL becomes null.
void pkm_json_string(pkm_json* json, const char* text);
void pkm_json_bool(pkm_json* json, bool value);
void pkm_json_null(pkm_json* json);
/// An array of numbers on one line.
void pkm_json_numbers(pkm_json* json, const double* value, int n);

/// Key and value at once.
void pkm_json_put_number(pkm_json* json, const char* key, double value);
void pkm_json_put_integer(pkm_json* json, const char* key, long long value);
void pkm_json_put_string(pkm_json* json, const char* key, const char* text);
void pkm_json_put_bool(pkm_json* json, const char* key, bool value);
void pkm_json_put_numbers(pkm_json* json, const char* key, const double* value, int n);
/// Key and the beginning of its value.
void pkm_json_open_object(pkm_json* json, const char* key);
void pkm_json_open_array(pkm_json* json, const char* key);

#endif
