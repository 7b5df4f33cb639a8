// A warning of the same kind and text is kept once, with the instant at which it came first.
#include "table/warnings.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool has(const pkm_warnings* list, const pkm_warning* w)
{
    for (int i = 0; i < list->n; ++i)
        if (strcmp(list->item[i].kind, w->kind) == 0 && strcmp(list->item[i].text, w->text) == 0)
            return true;
    return false;
}

static void add(pkm_warnings* to, const pkm_warning* w)
{
    if (has(to, w)) return;
    if (to->n < PKM_MAX_WARNING)
        to->item[to->n++] = *w;
    else
        ++to->lost;
}

void pkm_warn(pkm_warnings* to, const char* kind, double t, const char* format, ...)
{
    pkm_warning w = {.t = t};
    va_list arguments;
    if (!to) return;
    snprintf(w.kind, sizeof w.kind, "%s", kind);
    va_start(arguments, format);
    vsnprintf(w.text, sizeof w.text, format, arguments);
    va_end(arguments);
    add(to, &w);
}
