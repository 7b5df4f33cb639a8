/// A small judge of XML: nesting, quoted attributes, entities, UTF-8. Enough for what SVG uses.
#ifndef PKM_TESTS_XML_H
#define PKM_TESTS_XML_H

#include "base/utf8.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline const char* xml_name(const char* s)
{
    if (!isalpha((unsigned char)*s)) return NULL;
    while (isalnum((unsigned char)*s) || *s == ':' || *s == '-' || *s == '_')
        ++s;
    return s;
}

/// Past the entity at `s`, or NULL.
static inline const char* xml_entity(const char* s)
{
    static const char* const known[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#xFFFD;"};
    for (size_t k = 0; k < sizeof known / sizeof known[0]; ++k)
        if (strncmp(s, known[k], strlen(known[k])) == 0) return s + strlen(known[k]);
    return NULL;
}

/// Past character data or an attribute value, up to one of `stop`; NULL when it is not well formed.
static inline const char* xml_text(const char* s, const char* stop)
{
    while (*s && !strchr(stop, *s)) {
        const int n = pkm_utf8_length(s);
        if (n == 0 || (pkm_utf8_code(s) < 0x20 && *s != '\n' && *s != '\t')) return NULL;
        if (*s == '<') return NULL;
        s = *s == '&' ? xml_entity(s) : s + n;
        if (!s) return NULL;
    }
    return s;
}

/// Past the attributes of a tag, at '/' or '>'; NULL when they are not well formed.
static inline const char* xml_attributes(const char* s)
{
    while (isspace((unsigned char)*s)) {
        while (isspace((unsigned char)*s))
            ++s;
        if (*s == '/' || *s == '>') break;
        s = xml_name(s);
        if (!s || s[0] != '=' || s[1] != '"') return NULL;
        s = xml_text(s + 2, "\"");
        if (!s || *s++ != '"') return NULL;
    }
    return s;
}

/// Whether `text` is one well-formed XML document.
static inline int xml_is_well_formed(const char* text)
{
    const char* open[64];
    int depth = 0, roots = 0;
    const char* s = text;
    if (strncmp(s, "<?xml ", 6) == 0) s = strstr(s, "?>") + 2;
    while (s && *s) {
        if (*s != '<') {
            const char* end = xml_text(s, "<");
            for (const char* c = s; depth == 0 && end && c < end; ++c)
                if (!isspace((unsigned char)*c)) return 0; // text outside the root
            s = end;
        } else if (s[1] == '/') {
            const char* end = xml_name(s + 2);
            if (!end || *end != '>' || depth == 0) return 0;
            const size_t n = (size_t)(end - s - 2);
            --depth;
            if (strncmp(open[depth], s + 2, n) != 0 || isalnum((unsigned char)open[depth][n]))
                return 0;
            s = end + 1;
        } else {
            const char* end = xml_name(s + 1);
            if (!end || depth == 64) return 0;
            if (depth == 0 && roots++ > 0) return 0;
            open[depth++] = s + 1;
            s = xml_attributes(end);
            if (!s) return 0;
            if (*s == '/') {
                --depth;
                ++s;
            }
            if (*s++ != '>') return 0;
        }
    }
    return s != NULL && depth == 0 && roots == 1;
}

/// How often `part` occurs in `text`.
static inline int xml_count(const char* text, const char* part)
{
    int n = 0;
    for (const char* s = text; (s = strstr(s, part)); s += strlen(part))
        ++n;
    return n;
}

/// Whether a number that is none stands in an attribute or a path.
static inline int xml_has_nan(const char* text)
{
    return strstr(text, "\"nan") || strstr(text, "\"-nan") || strstr(text, "\"inf") ||
           strstr(text, "\"-inf") || strstr(text, " nan") || strstr(text, "Mnan") ||
           strstr(text, ",nan") || strstr(text, "inf,") || strstr(text, ",-inf");
}

#endif
