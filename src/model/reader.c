// What all readers share: messages with line, column and the path of the key; lists, names, words.
#include "model/reader.h"

#include "base/error.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PATH_LENGTH = 200, SENTENCE_LENGTH = 500 };

/// The path of a node from the root, `limbs.arm.copies.A` or `published[2].value`.
static void write_path(const pkm_yaml* node, char* out, size_t size)
{
    out[0] = '\0';
    if (!node->parent) return;
    // from the root on: the recursion is as deep as the file nests, which the parser of YAML
    // bounds
    write_path(node->parent, out, size);
    const size_t used = strlen(out);
    if (node->key) {
        snprintf(out + used, size - used, "%s%.60s", used ? "." : "", node->key);
    } else {
        snprintf(out + used, size - used, "[%d]", node->index + 1);
    }
}

static pkm_status fail_at(const pkm_reader* r, const pkm_yaml* node, pkm_place place,
                          const char* format, va_list args)
{
    char path[PATH_LENGTH], sentence[SENTENCE_LENGTH];
    write_path(node, path, sizeof path);
    vsnprintf(sentence, sizeof sentence, format, args);
    return pkm_fail_at(r->err, PKM_ERR_MODEL, r->desc->file, place.line, place.column, "%s%s%s",
                       path, path[0] ? ": " : "", sentence);
}

pkm_status pkm_reader_fail(const pkm_reader* r, const pkm_yaml* node, const char* format, ...)
{
    va_list args;
    va_start(args, format);
    fail_at(r, node, node->place, format, args);
    va_end(args);
    return PKM_ERR_MODEL;
}

pkm_status pkm_reader_fail_key(const pkm_reader* r, const pkm_yaml* node, const char* format, ...)
{
    va_list args;
    va_start(args, format);
    fail_at(r, node, node->key_place, format, args);
    va_end(args);
    return PKM_ERR_MODEL;
}

void pkm_reader_warn(const pkm_reader* r, const pkm_yaml* node, const char* kind,
                     const char* format, ...)
{
    char path[PATH_LENGTH], sentence[SENTENCE_LENGTH];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    write_path(node, path, sizeof path);
    pkm_warn(&r->desc->warnings, kind, NAN, "line %d: %.120s: %.250s", node->place.line, path,
             sentence);
}

pkm_status pkm_reader_fail_memory(const pkm_reader* r)
{
    return pkm_out_of_memory(r->err);
}

/// A `!` before a key says that it must be there.
static const char* bare_key(const char* key)
{
    return key[0] == '!' ? key + 1 : key;
}

pkm_status pkm_reader_unknown_key(const pkm_reader* r, const pkm_yaml* child,
                                  const char* const* keys)
{
    pkm_nearest near = pkm_nearest_make(child->key);
    char list[240] = "";
    for (int i = 0; keys[i]; ++i) {
        pkm_nearest_offer(&near, bare_key(keys[i]));
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", bare_key(keys[i]));
    }
    // the path of the map, at the place of the key: the key itself is what is wrong
    pkm_yaml at = *child->parent;
    at.place = child->key_place;
    // YAML reads `{description: one, two words}` as two keys; the second has blanks and no value
    const bool is_text = child->kind == PKM_YAML_TEXT && !child->text[0] && strchr(child->key, ' ');
    if (is_text)
        return pkm_reader_fail(r, &at, "unknown key '%.60s'; a text with a comma needs quotes",
                               child->key);
    if (near.best)
        return pkm_reader_fail(r, &at, "unknown key '%.60s'%s", child->key,
                               pkm_nearest_hint(&near).text);
    return pkm_reader_fail(r, &at, "unknown key '%.60s', expected one of %s", child->key, list);
}

pkm_status pkm_reader_keys_any(const pkm_reader* r, const pkm_yaml* node)
{
    if (node->kind == PKM_YAML_MAP) return PKM_OK;
    return pkm_reader_fail(r, node, "expected a map, found %s", pkm_yaml_show(node).text);
}

pkm_status pkm_reader_keys(const pkm_reader* r, const pkm_yaml* node, const char* const* keys)
{
    PKM_TRY(pkm_reader_keys_any(r, node));
    for (const pkm_yaml* child = node->first; child; child = child->next) {
        int i = 0;
        while (keys[i] && strcmp(bare_key(keys[i]), child->key) != 0)
            ++i;
        if (!keys[i]) return pkm_reader_unknown_key(r, child, keys);
    }
    for (int i = 0; keys[i]; ++i)
        if (keys[i][0] == '!' && !pkm_yaml_get(node, keys[i] + 1))
            return pkm_reader_fail_key(r, node, "the key '%s' is missing", keys[i] + 1);
    return PKM_OK;
}

/// Names go into messages, column headings and references `body.point`: letters, digits, `_`, `-`
/// and in limbs `{}`.
static bool is_name(const char* s)
{
    // half, since a name in a limb becomes "A.crank"
    if (s[0] == '\0' || strlen(s) >= PKM_MAX_NAME / 2) return false;
    for (; *s; ++s)
        // letters of other alphabets are fine: bytes from 0x80 on
        if (!isalnum((unsigned char)*s) && !strchr("_-{}", *s) && (unsigned char)*s < 0x80)
            return false;
    return true;
}

pkm_status pkm_reader_named_map(const pkm_reader* r, const pkm_yaml* node)
{
    if (!node) return PKM_OK;
    PKM_TRY(pkm_reader_keys_any(r, node));
    for (const pkm_yaml* child = node->first; child; child = child->next)
        if (!is_name(child->key))
            return pkm_reader_fail_key(
                r, child,
                "'%.60s' cannot be a name, expected letters, digits, _ or -, "
                "at most %d of them",
                child->key, PKM_MAX_NAME / 2 - 1);
    return PKM_OK;
}

/// Is a decimal comma in this list that is too long: digits on both sides and no blank behind it,
/// while other commas have one, as in [0,8, 1, 2]?
static bool has_decimal_comma(const pkm_yaml* list)
{
    bool tight = false, loose = false;
    for (const pkm_yaml* item = list->first; item && item->next; item = item->next) {
        if (item->kind != PKM_YAML_TEXT || item->next->kind != PKM_YAML_TEXT) return false;
        const size_t length = strlen(item->text), sign = item->text[0] == '-';
        const bool blank = item->next->place.line != item->place.line ||
                           item->next->place.column > item->place.column + (int)length + 1;
        const bool digits = length > sign &&
                            sign + strspn(item->text + sign, "0123456789") == length &&
                            isdigit((unsigned char)item->next->text[0]);
        loose = loose || blank;
        tight = tight || (!blank && digits);
    }
    return tight && loose;
}

pkm_status pkm_reader_list(const pkm_reader* r, const pkm_yaml* node, int least, int most)
{
    const bool fits = node->n_child >= least && node->n_child <= most;
    if (node->kind == PKM_YAML_LIST && fits) return PKM_OK;
    char want[40] = "a list";
    if (least == most) snprintf(want, sizeof want, "a list of %d", least);
    if (node->kind != PKM_YAML_LIST)
        return pkm_reader_fail(r, node, "expected %s, found %s", want, pkm_yaml_show(node).text);
    if (node->n_child < least && least < most) snprintf(want, sizeof want, "at least %d", least);
    if (node->n_child > most && least < most) snprintf(want, sizeof want, "at most %d", most);
    return pkm_reader_fail(r, node, "a list of %d, expected %s%s", node->n_child, want,
                           node->n_child > most && has_decimal_comma(node)
                               ? "; a decimal comma ends the number, write a "
                                 "point: 0.8"
                               : "");
}

pkm_status pkm_reader_alloc(const pkm_reader* r, int count, size_t size, void** out)
{
    *out = pkm_arena_alloc(r->desc->arena, (size_t)count, size);
    return *out ? PKM_OK : pkm_reader_fail_memory(r);
}

pkm_status pkm_reader_keep(const pkm_reader* r, const char* text, const char** out)
{
    *out = pkm_arena_text(r->desc->arena, text, strlen(text));
    return *out ? PKM_OK : pkm_reader_fail_memory(r);
}

pkm_status pkm_reader_text(const pkm_reader* r, const pkm_yaml* node, const char** out)
{
    if (node->kind != PKM_YAML_TEXT || node->text[0] == '\0')
        return pkm_reader_fail(r, node, "expected a text, found %s", pkm_yaml_show(node).text);
    return pkm_reader_keep(r, node->text, out);
}

/// None of the words: which there are, and which of them may be meant.
static pkm_status fail_word(const pkm_reader* r, const pkm_yaml* node, const char* const* words)
{
    char list[240] = "";
    pkm_nearest near = pkm_nearest_make(node->text);
    for (int i = 0; words[i]; ++i) {
        pkm_nearest_offer(&near, words[i]);
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", words[i]);
    }
    return pkm_reader_fail(r, node, "%s, expected one of %s%s", pkm_yaml_show(node).text, list,
                           pkm_nearest_hint(&near).text);
}

pkm_status pkm_reader_word(const pkm_reader* r, const pkm_yaml* node, const char* const* words,
                           int* out)
{
    for (int i = 0; words[i]; ++i) {
        if (node->kind != PKM_YAML_TEXT || strcmp(words[i], node->text) != 0) continue;
        *out = i;
        return PKM_OK;
    }
    return fail_word(r, node, words);
}
