// The sentences and exit codes of a status come from the list of pkm/status.h.
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char* pkm_status_text(pkm_status status)
{
    switch (status) {
#define PKM_STATUS_CASE(name, code, text)                                                          \
    case name:                                                                                     \
        return text;
        PKM_STATUS_LIST(PKM_STATUS_CASE)
#undef PKM_STATUS_CASE
    }
    return "unknown status";
}

int pkm_status_exit_code(pkm_status status)
{
    switch (status) {
#define PKM_STATUS_CASE(name, code, text)                                                          \
    case name:                                                                                     \
        return code;
        PKM_STATUS_LIST(PKM_STATUS_CASE)
#undef PKM_STATUS_CASE
    }
    // a status that is not in the list can only come from a broken build
    return 1;
}

static pkm_status fill(pkm_error* err, pkm_status status, const char* file, int line, int column,
                       const char* format, va_list args)
{
    // callers that want no sentence get the status all the same
    if (!err) return status;
    // the text may be built from the old one, so it is made aside first
    char text[sizeof err->text];
    vsnprintf(text, sizeof text, format, args);
    err->status = status;
    err->line = line;
    err->column = column;
    snprintf(err->file, sizeof err->file, "%s", file ? file : "");
    memcpy(err->text, text, sizeof text);
    return status;
}

pkm_status pkm_fail(pkm_error* err, pkm_status status, const char* format, ...)
{
    va_list args;
    va_start(args, format);
    fill(err, status, NULL, 0, 0, format, args);
    va_end(args);
    return status;
}

pkm_status pkm_fail_at(pkm_error* err, pkm_status status, const char* file, int line, int column,
                       const char* format, ...)
{
    va_list args;
    va_start(args, format);
    fill(err, status, file, line, column, format, args);
    va_end(args);
    return status;
}

pkm_status pkm_out_of_memory(pkm_error* err)
{
    return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
}
