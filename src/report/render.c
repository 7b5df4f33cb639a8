// One walk over the template: text stays, braces ask for a value, `{*list}` repeats, a part in
// brackets is left out when a value in it is not known. docs/guide/develop.md, "Adding to an
// answer".
#include "report/render.h"

#include "base/error.h"
#include "base/utf8.h"
#include "math/angle.h"
#include "write/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- for machines -----------------------------------------------------------------------------

static void put(const pkm_result* node, pkm_json* json);

/// Keys that begin with "_" are for people: texts have them, JSON does not.
static void put_members(const pkm_result* group, pkm_json* json)
{
    for (const pkm_result* at = pkm_result_first(group); at; at = pkm_result_next(at)) {
        if (pkm_result_key(at)[0] == '_') continue;
        pkm_json_key(json, pkm_result_key(at));
        put(at, json);
    }
}

static void put(const pkm_result* node, pkm_json* json)
{
    switch (pkm_result_get_kind(node)) {
    case PKM_RESULT_GROUP:
        pkm_json_object_begin(json);
        put_members(node, json);
        pkm_json_object_end(json);
        break;
    case PKM_RESULT_LIST:
        pkm_json_array_begin(json);
        for (const pkm_result* at = pkm_result_first(node); at; at = pkm_result_next(at))
            put(at, json);
        pkm_json_array_end(json);
        break;
    case PKM_RESULT_NUMBER:
        pkm_json_number(json, pkm_result_value(node, 0));
        break;
    case PKM_RESULT_INTEGER:
        pkm_json_integer(json, (long long)pkm_result_value(node, 0));
        break;
    case PKM_RESULT_BOOL:
        pkm_json_bool(json, pkm_result_value(node, 0) != 0.0);
        break;
    case PKM_RESULT_TEXT:
        pkm_json_string(json, pkm_result_get_text(node));
        break;
    case PKM_RESULT_NUMBERS:
        pkm_json_numbers(json, pkm_result_vector(node), pkm_result_count(node));
        break;
    }
}

void pkm_render_json(const pkm_result* result, pkm_stream* stream)
{
    pkm_json json = pkm_json_make(stream);
    put(result, &json);
}

// ---- for people: values -----------------------------------------------------------------------

/// An item and what it stands in.
typedef struct scope {
    const pkm_result* node;
    const struct scope* up;
} scope;

/// A node, or one number of a vector.
typedef struct found {
    const pkm_result* node; ///< NULL: not there
    int k;                  ///< of a vector; -1: all
} found;

/// A directive taken apart: "path:format/separator|change|change".
typedef struct directive {
    const char* path;
    size_t path_length;
    char format[16], separator[16], change[32];
} directive;

/// Behind the sign at `*from` up to one of `stop`; what does not fit is cut.
static void copy_part(const char** from, const char* end, const char* stop, char* out, size_t size)
{
    size_t n = 0;
    for (++*from; *from < end && !strchr(stop, **from); ++*from)
        if (n + 1 < size) out[n++] = **from;
    out[n] = '\0';
}

static directive take_apart(const char* from, const char* end)
{
    directive d = {.path = from, .format = "s"};
    while (from < end && !strchr(":/|", *from))
        ++from;
    d.path_length = (size_t)(from - d.path);
    if (from < end && *from == ':') copy_part(&from, end, "/|", d.format, sizeof d.format);
    if (from < end && *from == '/') copy_part(&from, end, "|", d.separator, sizeof d.separator);
    if (from < end && *from == '|') copy_part(&from, end, "", d.change, sizeof d.change);
    return d;
}

/// The member called by `length` characters of a node, or its k-th.
static found step_down(found at, const char* key, size_t length)
{
    char* end;
    // a key that is a whole number counts members, "position.2"
    const long k = strtol(key, &end, 10);
    if (end != key + length) return (found){pkm_result_child(at.node, key, length), -1};
    if (pkm_result_get_kind(at.node) == PKM_RESULT_NUMBERS)
        return k < pkm_result_count(at.node) ? (found){at.node, (int)k} : (found){NULL, -1};
    const pkm_result* child = pkm_result_first(at.node);
    for (long i = 0; child && i < k; ++i)
        child = pkm_result_next(child);
    return (found){child, -1};
}

static found look_up(const scope* in, const char* path, size_t length)
{
    const size_t first = length == 1 && *path == '.' ? 0 : strcspn(path, ".:/|}");
    found at = {in->node, -1};
    if (first == 0) return at;
    const size_t head = first < length ? first : length;
    at.node = NULL;
    // the first word is looked for outwards: an item's member hides one of the whole answer
    for (const scope* s = in; s && !at.node; s = s->up)
        at = step_down((found){s->node, -1}, path, head);
    for (size_t used = head + 1; at.node && used < length;) {
        size_t n = 0;
        while (used + n < length && path[used + n] != '.')
            ++n;
        at = step_down(at, path + used, n);
        used += n + 1;
    }
    return at;
}

static bool is_angle(const char* unit)
{
    return strncmp(unit, "rad", 3) == 0;
}

static double changed(double x, const char* change, const char* unit)
{
    while (*change) {
        const size_t n = strcspn(change, "|");
        if (n == 5 && memcmp(change, "shown", n) == 0)
            // 180/pi: people read degrees, SI has radians
            x *= is_angle(unit) ? PKM_DEGREES : 1.0;
        else if (n == 4 && memcmp(change, "tidy", n) == 0)
            // zeros of matrices come as 1e-17
            x = fabs(x) < 5e-10 ? 0.0 : x;
        else
            x *= strtod(change, NULL);
        change += n + (change[n] == '|');
    }
    return x;
}

/// A condition: known, not false, not zero, not empty.
static bool holds(found at)
{
    if (!at.node) return false;
    switch (pkm_result_get_kind(at.node)) {
    case PKM_RESULT_GROUP:
    case PKM_RESULT_LIST:
        return pkm_result_count(at.node) > 0;
    case PKM_RESULT_TEXT:
        return pkm_result_get_text(at.node) && *pkm_result_get_text(at.node);
    case PKM_RESULT_NUMBERS:
        if (at.k < 0) return pkm_result_count(at.node) > 0;
        break;
    case PKM_RESULT_NUMBER:
    case PKM_RESULT_INTEGER:
    case PKM_RESULT_BOOL:
        break;
    }
    const double x = pkm_result_value(at.node, at.k);
    return !isnan(x) && x != 0.0;
}

/// A text for people: what steers a terminal or is no UTF-8 (in databases of others, say, which
/// no reader has seen) becomes `?`.
static void write_text(const char* text, pkm_stream* stream)
{
    for (const char* s = text; *s;) {
        const int n = pkm_utf8_length(s);
        const bool is_bad = n == 0 || pkm_utf8_steers(pkm_utf8_code(s));
        if (is_bad)
            pkm_stream_text(stream, "?");
        else
            pkm_stream_write(stream, s, (size_t)n);
        s += n > 0 ? n : 1;
    }
}

/// Write one value; false: it is not known. Without a stream it is only asked for.
static bool write_value(found at, const directive* d, pkm_stream* stream)
{
    char format[24], text[512];
    const size_t length = strlen(d->format);
    // the letter of printf: s text, d whole number, else a number
    const char kind = d->format[length - 1];
    PKM_ASSERT(strchr("sdfge", kind));
    snprintf(format, sizeof format, "%%%.*s%s%c", (int)length - 1, d->format,
             kind == 'd' ? "ll" : "", kind);
    if (kind == 's') {
        const char* s = pkm_result_get_text(at.node);
        if (!s) return false;
        if (!stream) return true;
        if (strcmp(format, "%s") == 0) { // of any length
            write_text(s, stream);
            return true;
        }
        snprintf(text, sizeof text, format, s);
        write_text(text, stream);
        return true;
    } else {
        double x = pkm_result_value(at.node, at.k);
        if (!stream) return !isnan(x);
        if (isnan(x)) { // in a column, where it is not left out
            snprintf(text, sizeof text, "%*s", atoi(d->format), "-");
            pkm_stream_text(stream, text);
            return false;
        }
        x = changed(x, d->change, pkm_result_unit(at.node));
        if (kind == 'd')
            snprintf(text, sizeof text, format, (long long)x);
        else
            snprintf(text, sizeof text, format, x);
    }
    pkm_stream_text(stream, text);
    return true;
}

/// All numbers of a vector or members of a list; false: one of them is not known.
static bool write_all(found at, const directive* d, pkm_stream* stream)
{
    const bool is_vector = pkm_result_get_kind(at.node) == PKM_RESULT_NUMBERS;
    const pkm_result* item = is_vector ? at.node : pkm_result_first(at.node);
    for (int k = 0; k < pkm_result_count(at.node); ++k) {
        if (k > 0 && stream) pkm_stream_text(stream, d->separator);
        if (!write_value((found){item, is_vector ? k : -1}, d, stream)) return false;
        if (!is_vector) item = pkm_result_next(item);
    }
    return true;
}

// ---- for people: templates --------------------------------------------------------------------

static bool write_range(const char* from, const char* end, const scope* in, pkm_stream* stream);

/// Behind the directive that begins at `from` (a brace).
static const char* behind(const char* from, const char* end)
{
    while (from < end && *from != '}')
        ++from;
    return from < end ? from + 1 : end;
}

/// The end of the part that an opening bracket or `{*` has begun before `from`: where its closing
/// one stands.
static const char* find_close(const char* from, const char* end, bool is_list)
{
    int depth = 1;
    for (; from < end; ++from) {
        if (*from == '\\') {
            ++from;
        } else if (*from == '{' && from + 1 < end && is_list) {
            depth += from[1] == '*';
            depth -= from[1] == '/';
        } else if (!is_list && (*from == '[' || *from == ']')) {
            depth += *from == '[' ? 1 : -1;
        } else if (!is_list && *from == '{') {
            from = behind(from, end) - 1;
        }
        if (depth == 0) return from;
    }
    return end;
}

/// The part between `{*list}` and `{/}` once per member. What a member does not know leaves its own
/// brackets out, not the list.
static void write_list(const pkm_result* list, const char* from, const char* end, const scope* in,
                       pkm_stream* stream)
{
    const pkm_result* item = list ? pkm_result_first(list) : NULL;
    for (; item; item = pkm_result_next(item))
        (void)write_range(from, end, &(scope){item, in}, stream);
}

/// The unit as it is shown: rad/s becomes deg/s.
static void write_unit(found at, pkm_stream* stream)
{
    const char* unit = at.node ? pkm_result_unit(at.node) : "";
    if (!stream) return;
    pkm_stream_text(stream, is_angle(unit) ? "deg" : unit);
    if (is_angle(unit)) pkm_stream_text(stream, unit + strlen("rad"));
}

/// A directive without its braces; false: what it asks for is not known or does not hold.
static bool write_directive(const char* from, const char* end, const scope* in, pkm_stream* stream)
{
    const char sign = *from;
    const bool has_sign = strchr("#~?!", sign) != NULL;
    const directive d = take_apart(from + has_sign, end);
    const found at = look_up(in, d.path, d.path_length);
    if (sign == '?') return holds(at);
    if (sign == '!') return !holds(at);
    if (sign == '~') {
        write_unit(at, stream);
        return at.node != NULL;
    }
    if (sign == '#') {
        if (stream) pkm_stream_format(stream, "%d", pkm_result_count(at.node));
        return at.node != NULL;
    }
    if (!at.node) return false;
    const bool is_many = at.k < 0 && (pkm_result_get_kind(at.node) == PKM_RESULT_NUMBERS ||
                                      pkm_result_get_kind(at.node) == PKM_RESULT_LIST);
    return is_many ? write_all(at, &d, stream) : write_value(at, &d, stream);
}

/// What begins at `*at` (a brace or bracket), which goes behind it.
static bool write_part(const char** at, const char* end, const scope* in, pkm_stream* stream)
{
    const char* inner = *at + 1;
    if (**at == '[') {
        const char* close = find_close(inner, end, false);
        *at = close < end ? close + 1 : end;
        // without a stream first: a bracket is written whole or not at all
        if (stream && write_range(inner, close, in, NULL)) write_range(inner, close, in, stream);
        return true;
    }
    const char* next = behind(*at, end);
    *at = next;
    if (*inner != '*') return write_directive(inner, next - 1, in, stream);
    const char* close = find_close(next, end, true);
    const found list = look_up(in, inner + 1, (size_t)(next - 1 - inner - 1));
    if (stream) write_list(list.node, next, close, in, stream);
    *at = behind(close, end);
    return true;
}

/// The template from `from` to `end`; false: a value in it is not known.
static bool write_range(const char* from, const char* end, const scope* in, pkm_stream* stream)
{
    bool is_known = true;
    while (from < end) {
        if (*from == '{' || *from == '[') {
            is_known = write_part(&from, end, in, stream) && is_known;
            continue;
        }
        if (*from == '\\' && from + 1 < end) ++from;
        if (stream) pkm_stream_write(stream, from, 1);
        ++from;
    }
    return is_known;
}

void pkm_render_text(const pkm_result* result, const char* form, pkm_stream* stream)
{
    (void)write_range(form, form + strlen(form), &(scope){result, NULL}, stream);
}
