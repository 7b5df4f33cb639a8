/// Result trees: what an analysis answers, once. Text, JSON, summaries and pages are made from
/// them.
///
///     pkm_result* r = pkm_result_create();
///     pkm_result_number(r, "mass", "kg", 1.5);
///     pkm_result* drives = pkm_result_list(r, "drives");
///     pkm_result_text(pkm_result_group(drives, NULL), "name", "q1");
///
/// Every call takes NULL, which is what a call gives when memory is out: a tree is built freely and
/// asked once, by pkm_result_failed.
#ifndef PKM_TABLE_RESULT_H
#define PKM_TABLE_RESULT_H

#include "math/vec3.h"
#include "pkm/result.h"
#include "table/warnings.h"

/// An empty group; NULL: memory is out. Free with pkm_result_free (which takes NULL).
pkm_result* pkm_result_create(void);
void pkm_result_free(pkm_result* root);
/// Is something missing because memory was out? True for NULL.
bool pkm_result_failed(const pkm_result* root);

// ---- building ---------------------------------------------------------------------------------
// Keys, units, texts and values are copied. In a list `key` is NULL. Keys that begin with _
// are for people only: JSON leaves them out.

pkm_result* pkm_result_group(pkm_result* in, const char* key);
pkm_result* pkm_result_list(pkm_result* in, const char* key);
/// NaN: not known.
void pkm_result_number(pkm_result* in, const char* key, const char* unit, double value);
void pkm_result_integer(pkm_result* in, const char* key, long long value);
void pkm_result_bool(pkm_result* in, const char* key, bool value);
/// NULL: there is none.
void pkm_result_text(pkm_result* in, const char* key, const char* text);
void pkm_result_format(pkm_result* in, const char* key, const char* format, ...) PKM_PRINTF(3, 4);
void pkm_result_numbers(pkm_result* in, const char* key, const char* unit, const double* value,
                        int n);
void pkm_result_vec(pkm_result* in, const char* key, const char* unit, pkm_vec3 v);
/// The list "warnings" of groups {kind, text, t}; "_lost" says how many found no room.
void pkm_result_warnings(pkm_result* in, const pkm_warnings* warnings);

// ---- reading: pkm/result.h, and ---------------------------------------------------------------

/// The child of a group whose key is the first `length` characters of `key`, or NULL.
const pkm_result* pkm_result_child(const pkm_result* node, const char* key, size_t length);

#endif
