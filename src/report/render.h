/// The one renderer of result trees for people and the one for machines.
///
/// Text comes from a template, which is written once per analysis:
///
///     "bodies ({#bodies}, {mass:.6g} kg)\n"
///     "{*bodies}  {name:-24s} {mass:10.6g} kg[  {reach:10.6g} m between joints]\n{/}"
///
/// - `{path:FORMAT}` a value, FORMAT as for printf without %: s, d, g, f, e (s when left out). A
///   path goes down by dots ("tool.position.0" is the first number of a vector); its first key is
///   looked for in the present item, then in what that stands in; "." is the item itself.
/// - `{path:FORMAT/SEPARATOR}` all members of a vector or list.
/// - `{path:FORMAT|CHANGE|...}` changes first: `shown` turns radians into degrees, `tidy` takes
///   less than 5e-10 for zero, a number multiplies.
/// - `{~path}` the unit, as `shown` has it. `{#path}` the number of members.
/// - `{*path} ... {/}` once per member of a list.
/// - `[ ... ]` nothing of it when a value in it is not known (NaN, null, not there), or a condition
///   in it does not hold: `{?path}` known, not false, not 0, not empty; `{!path}` the contrary.
/// - a backslash takes the next character as it is.
#ifndef PKM_REPORT_RENDER_H
#define PKM_REPORT_RENDER_H

#include "table/result.h"
#include "write/stream.h"

void pkm_render_text(const pkm_result* result, const char* form, pkm_stream* stream);

/// All warnings of a result, on lines of their own behind an empty one. For the end of templates.
#define PKM_RENDER_WARNINGS                                                                        \
    "[\n{?warnings}]{*warnings}warning: {text}\n{/}[warning: {_lost:d} more of these\n]"

/// As JSON: all but what is for people only (keys that begin with _).
void pkm_render_json(const pkm_result* result, pkm_stream* stream);

#endif
