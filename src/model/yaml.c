// libfyaml's events become a tree of our own with places for messages, of bounded depth and size.
// Directives are refused, on some of which the parser does not end.
#include "model/yaml.h"

#include "base/error.h"
#include "base/utf8.h"
#include "model/yaml_quoted.h"

#include <errno.h>
#include <libfyaml.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_DEPTH = 32,    // a model nests about ten deep
    MAX_NODE = 200000, // a model has a few thousand
};

/// A tree under construction: the open maps and lists from the root down.
typedef struct builder {
    pkm_arena* arena;
    const char *name, *source; // the file's name, all of its text
    pkm_error* err;
    pkm_yaml* open[MAX_DEPTH];
    pkm_yaml* last[MAX_DEPTH]; // last child of each
    int depth;
    const char* key; // read, waiting for its value
    pkm_place key_place;
    const pkm_yaml* root;
    int n_node, n_document;
} builder;

static pkm_status fail_at(const builder* b, pkm_place place, const char* text)
{
    return pkm_fail_at(b->err, PKM_ERR_SYNTAX, b->name, place.line, place.column, "%s", text);
}

static pkm_status fail_memory(const builder* b)
{
    return pkm_out_of_memory(b->err);
}

/// Lines and columns of people count from 1.
static pkm_place place_of(const struct fy_mark* mark, pkm_place otherwise)
{
    return mark ? (pkm_place){mark->line + 1, mark->column + 1} : otherwise;
}

/// Inside a map texts are in turn keys and values.
static bool wants_key(const builder* b)
{
    return b->depth > 0 && b->open[b->depth - 1]->kind == PKM_YAML_MAP && !b->key;
}

/// Hang a new node under the innermost open one.
static pkm_status add_node(builder* b, pkm_yaml_kind kind, pkm_place place, pkm_yaml** out)
{
    if (++b->n_node > MAX_NODE) return fail_at(b, place, "the file has too many items");
    pkm_yaml* node = pkm_arena_alloc(b->arena, 1, sizeof *node);
    if (!node) return fail_memory(b);
    *node = (pkm_yaml){.kind = kind, .key = b->key, .text = "", .place = place};
    node->key_place = b->key ? b->key_place : place;
    b->key = NULL;
    if (b->depth == 0) {
        b->root = node;
    } else {
        pkm_yaml* parent = b->open[b->depth - 1];
        node->parent = parent;
        node->index = parent->n_child++;
        if (b->last[b->depth - 1]) {
            b->last[b->depth - 1]->next = node;
        } else {
            parent->first = node;
        }
        b->last[b->depth - 1] = node;
    }
    *out = node;
    return PKM_OK;
}

/// What follows hangs under it until close_node.
static pkm_status open_node(builder* b, pkm_yaml_kind kind, pkm_place place)
{
    if (wants_key(b)) return fail_at(b, place, "a map or list cannot be a key");
    if (b->depth == MAX_DEPTH) return fail_at(b, place, "the file is nested too deeply");
    pkm_yaml* node = NULL;
    PKM_TRY(add_node(b, kind, place, &node));
    b->open[b->depth] = node;
    b->last[b->depth] = NULL;
    ++b->depth;
    return PKM_OK;
}

/// Equal keys in the order of the file, so that the second one is the one to blame.
static int by_key(const void* a, const void* b)
{
    const pkm_yaml *x = *(const pkm_yaml*const*)a, *y = *(const pkm_yaml*const*)b;
    const int order = strcmp(x->key, y->key);
    return order ? order : x->index - y->index;
}

/// A key that comes twice would silently lose one value. Sorted, equal keys are neighbours.
static pkm_status check_keys(const builder* b, const pkm_yaml* map)
{
    const pkm_yaml** sorted = pkm_alloc((size_t)map->n_child, sizeof *sorted);
    if (!sorted) return fail_memory(b);
    for (const pkm_yaml* child = map->first; child; child = child->next)
        sorted[child->index] = child;
    qsort(sorted, (size_t)map->n_child, sizeof *sorted, by_key);
    const pkm_yaml* twice = NULL;
    for (int i = 1; i < map->n_child && !twice; ++i)
        if (strcmp(sorted[i - 1]->key, sorted[i]->key) == 0) twice = sorted[i];
    pkm_free(sorted);
    if (!twice) return PKM_OK;
    return pkm_fail_at(b->err, PKM_ERR_SYNTAX, b->name, twice->key_place.line,
                       twice->key_place.column, "the key '%.80s' is given twice", twice->key);
}

static pkm_status close_node(builder* b)
{
    const pkm_yaml* node = b->open[--b->depth];
    return node->kind == PKM_YAML_MAP ? check_keys(b, node) : PKM_OK;
}

static bool has_style(struct fy_event* event, enum fy_scalar_style style)
{
    return event->type == FYET_SCALAR && event->scalar.value &&
           fy_token_scalar_style(event->scalar.value) == style;
}

/// Quotes make a text of anything: "1" is no number then.
static bool is_quoted(struct fy_event* event)
{
    return has_style(event, FYSS_SINGLE_QUOTED) || has_style(event, FYSS_DOUBLE_QUOTED);
}

/// Column of the first character where the text stands in the file as it is: plain, or behind its
/// quote. A block, or a text over several lines, is only known by its start.
static int text_column(struct fy_event* event, pkm_place place)
{
    const struct fy_mark* end = fy_event_end_mark(event);
    if (!end || end->line + 1 != place.line) return 0;
    if (is_quoted(event)) return place.column + 1;
    return has_style(event, FYSS_PLAIN) ? place.column : 0;
}

/// The text of a scalar.
static pkm_status read_text(builder* b, struct fy_event* event, pkm_place place, const char** out,
                            size_t* length)
{
    const struct fy_mark *begin = fy_event_start_mark(event), *end = fy_event_end_mark(event);
    if (is_quoted(event) && begin && end && begin->input_pos <= end->input_pos) {
        const size_t n = end->input_pos - begin->input_pos;
        char* text = pkm_arena_alloc(b->arena, PKM_YAML_UNQUOTED(n), 1);
        if (!text) return fail_memory(b);
        *out = text;
        return pkm_yaml_unquote(b->source + begin->input_pos, n,
                                has_style(event, FYSS_DOUBLE_QUOTED), text, length)
                   ? PKM_OK
                   : fail_at(b, place, "not well-formed YAML: an escape that is none");
    }
    *out = event->scalar.value ? fy_token_get_text(event->scalar.value, length) : "";
    // libfyaml has an empty text where memory is out
    return *out && errno != ENOMEM ? PKM_OK : fail_memory(b);
}

static pkm_status add_text(builder* b, struct fy_event* event, pkm_place place)
{
    size_t length = 0;
    const char* raw = NULL;
    PKM_TRY(read_text(b, event, place, &raw, &length));
    if (memchr(raw, 0, length)) return fail_at(b, place, "a text holds a zero byte");
    const char* text = pkm_arena_text(b->arena, raw, length);
    if (!text) return fail_memory(b);
    const char* control = pkm_utf8_find_steering(text, length); // "\e" makes one of a clean file
    if (control)
        return pkm_fail_at(b->err, PKM_ERR_SYNTAX, b->name, place.line, place.column,
                           "a text holds the control character U+%04X", pkm_utf8_code(control));
    if (wants_key(b)) {
        b->key = text;
        b->key_place = place;
        return PKM_OK;
    }
    pkm_yaml* node = NULL;
    PKM_TRY(add_node(b, PKM_YAML_TEXT, place, &node));
    node->text = text;
    node->text_column = text_column(event, place);
    return PKM_OK;
}

static pkm_status take_event(builder* b, struct fy_event* event)
{
    const pkm_place near = b->key ? b->key_place : (pkm_place){1, 1};
    pkm_place place = place_of(fy_event_start_mark(event), near);
    if (is_quoted(event)) --place.column; // the parser's mark is behind the quote
    if (event->type == FYET_ALIAS || fy_event_get_anchor_token(event))
        return fail_at(b, place,
                       "anchors (&name) and aliases (*name) are not allowed; "
                       "a text that starts with & or * needs quotes");
    if (fy_event_get_tag_token(event)) return fail_at(b, place, "tags (!name) are not allowed");
    switch (event->type) {
    case FYET_DOCUMENT_START:
        if (++b->n_document > 1) return fail_at(b, place, "the file holds a second document");
        return PKM_OK;
    case FYET_MAPPING_START:
        return open_node(b, PKM_YAML_MAP, place);
    case FYET_SEQUENCE_START:
        return open_node(b, PKM_YAML_LIST, place);
    case FYET_MAPPING_END:
    case FYET_SEQUENCE_END:
        return close_node(b);
    case FYET_SCALAR:
        return add_text(b, event, place);
    default:
        return PKM_OK;
    }
}

/// The first complaint of the parser as ours.
static pkm_status report_syntax(const builder* b, struct fy_diag* diag)
{
    void* iterator = NULL;
    const struct fy_diag_error* first = fy_diag_errors_iterate(diag, &iterator);
    if (!first) return fail_at(b, (pkm_place){1, 1}, "not a YAML file");
    return pkm_fail_at(b->err, PKM_ERR_SYNTAX, b->name, first->line, first->column,
                       "not well-formed YAML: %s", first->msg);
}

static pkm_status run_parser(builder* b, struct fy_parser* parser, struct fy_diag* diag)
{
    pkm_status status = PKM_OK;
    bool is_done = false;
    errno = 0; // the parser tells only thus that memory is out
    while (status == PKM_OK && !is_done) {
        struct fy_event* event = fy_parser_parse(parser);
        if (!event) break;
        is_done = event->type == FYET_STREAM_END;
        status = take_event(b, event);
        fy_parser_event_free(parser, event);
    }
    if (status != PKM_OK) return status;
    if (errno == ENOMEM) return fail_memory(b);
    if (!is_done || fy_diag_got_error(diag)) return report_syntax(b, diag);
    if (!b->root) return fail_at(b, (pkm_place){1, 1}, "the file is empty, expected a model");
    return PKM_OK;
}

static void print_nothing(struct fy_diag* diag, void* user, const char* text, size_t length)
{
    (void)diag, (void)user, (void)text, (void)length;
}

/// The library collects its complaints, and prints nothing itself.
static struct fy_diag* create_diag(void)
{
    struct fy_diag_cfg settings;
    fy_diag_cfg_default(&settings);
    settings.fp = NULL;
    settings.output_fn = print_nothing;
    settings.colorize = false;
    struct fy_diag* diag = fy_diag_create(&settings);
    if (diag) fy_diag_set_collect_errors(diag, true);
    return diag;
}

/// Lines that begin with % are directives of YAML, which these files do not have: the parser never
/// ends on some that are damaged.
static pkm_status refuse_directives(const builder* b, const char* text, size_t length)
{
    int line = 1;
    for (size_t i = 0; i < length; ++i) {
        if (text[i] == '%' && (i == 0 || text[i - 1] == '\n' || text[i - 1] == '\r'))
            return fail_at(b, (pkm_place){line, 1},
                           "directives (% at the start of a line) are not "
                           "allowed");
        if (text[i] == '\n') ++line;
    }
    return PKM_OK;
}

/// libfyaml crashes when it has no memory for its input: is there some?
static bool has_memory(void)
{
    enum { NEEDED = 1 << 16 };
    void* probe = pkm_alloc(NEEDED, 1);
    pkm_free(probe);
    return probe;
}

pkm_status pkm_yaml_parse(const char* text, size_t length, const char* name, pkm_arena* arena,
                          const pkm_yaml** out, pkm_error* err)
{
    *out = NULL;
    builder b = {.arena = arena, .name = name, .source = text, .err = err};
    PKM_TRY(refuse_directives(&b, text, length));
    struct fy_diag* diag = create_diag();
    const struct fy_parse_cfg settings = {
        .flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG | FYPCF_DEFAULT_VERSION_1_2 | FYPCF_JSON_NONE,
        .diag = diag,
    };
    struct fy_parser* parser = diag ? fy_parser_create(&settings) : NULL;
    pkm_status status = PKM_OK;
    if (!parser || !has_memory() || fy_parser_set_string(parser, text, length) != 0)
        status = fail_memory(&b);
    if (status == PKM_OK) status = run_parser(&b, parser, diag);
    if (parser) fy_parser_destroy(parser);
    if (diag) fy_diag_destroy(diag);
    if (status == PKM_OK) *out = b.root;
    return status;
}
