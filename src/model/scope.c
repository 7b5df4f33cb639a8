// Parameters in the order of their needs: each is computed when it is first asked for, and a circle
// is told by the names on it.
#include "model/scope.h"

#include "base/error.h"
#include "math/angle.h"
#include "model/quantity.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static pkm_status fail(const pkm_scope* scope, const pkm_yaml* node, pkm_place place,
                       const char* text)
{
    if (!node) return pkm_fail(scope->err, PKM_ERR_MODEL, "%s", text);
    return pkm_fail_at(scope->err, PKM_ERR_MODEL, scope->file, place.line, place.column, "%s",
                       text);
}

/// Names are those that an expression can say: letters, digits, `_`, no digit first.
static bool is_name(const char* s)
{
    // 63 letters at most, so that names fit into messages
    if (isdigit((unsigned char)s[0]) || s[0] == '\0' || strlen(s) >= 64) return false;
    for (; *s; ++s)
        if (!isalnum((unsigned char)*s) && *s != '_') return false;
    return true;
}

static pkm_status check_entry(const pkm_scope* scope, const pkm_yaml* entry)
{
    char text[256];
    if (!is_name(entry->key) || pkm_expression_is_reserved(entry->key)) {
        snprintf(text, sizeof text,
                 "parameters: '%.60s' cannot be the name of a parameter, expected letters, digits "
                 "and _, and none of pi and the functions",
                 entry->key);
        return fail(scope, entry, entry->key_place, text);
    }
    if (entry->kind != PKM_YAML_TEXT || entry->text[0] == '\0') {
        snprintf(text, sizeof text, "parameters.%s: expected a number or an expression, found %s",
                 entry->key, pkm_yaml_show(entry).text);
        return fail(scope, entry, entry->place, text);
    }
    return PKM_OK;
}

pkm_status pkm_scope_read(const pkm_yaml* node, const char* file, pkm_arena* arena, pkm_scope* out,
                          pkm_error* err)
{
    *out = (pkm_scope){.file = file, .err = err};
    if (!node) return PKM_OK;
    if (node->kind != PKM_YAML_MAP)
        return pkm_fail_at(err, PKM_ERR_MODEL, file, node->place.line, node->place.column,
                           "parameters: expected a map, found %s", pkm_yaml_show(node).text);
    out->parameter = pkm_arena_alloc(arena, (size_t)node->n_child, sizeof *out->parameter);
    if (!out->parameter) return pkm_out_of_memory(err);
    for (const pkm_yaml* entry = node->first; entry; entry = entry->next) {
        PKM_TRY(check_entry(out, entry));
        out->parameter[out->n_parameter++] =
            (pkm_parameter){.name = entry->key, .text = entry->text, .node = entry};
    }
    return PKM_OK;
}

pkm_status pkm_scope_copy(const pkm_scope* scope, pkm_arena* arena, pkm_scope* out)
{
    *out = *scope;
    out->n_chain = 0;
    const size_t n = (size_t)scope->n_parameter;
    out->parameter = pkm_arena_alloc(arena, n, sizeof *out->parameter);
    if (!out->parameter) return pkm_out_of_memory(scope->err);
    for (size_t i = 0; i < n; ++i) {
        out->parameter[i] = scope->parameter[i];
        // values are found anew: an override changes those that are derived from it, too
        out->parameter[i].state = PKM_PARAMETER_NEW;
        out->parameter[i].is_derived = false;
    }
    return PKM_OK;
}

pkm_parameter* pkm_scope_find(pkm_scope* scope, const char* name)
{
    for (int i = 0; i < scope->n_parameter; ++i)
        if (strcmp(scope->parameter[i].name, name) == 0) return &scope->parameter[i];
    return NULL;
}

void pkm_scope_offer(const pkm_scope* scope, pkm_nearest* near)
{
    for (int i = 0; i < scope->n_parameter; ++i)
        pkm_nearest_offer(near, scope->parameter[i].name);
}

static pkm_status report_fault(const pkm_scope* scope, const pkm_parameter* p,
                               const pkm_fault* fault)
{
    char text[512];
    snprintf(text, sizeof text, "%s%s: %.100s: %s", p->node ? "parameters." : "--set ", p->name,
             p->text, fault->text);
    if (!p->node) return pkm_fail(scope->err, PKM_ERR_MODEL, "%s", text);
    return fail(scope, p->node, pkm_yaml_text_place(p->node, fault->at), text);
}

/// The cycle is the part of the chain from `p` on: "a -> b -> a".
static pkm_status report_cycle(const pkm_scope* scope, const pkm_parameter* p)
{
    char text[512];
    int used = snprintf(text, sizeof text, "parameters.%s: depends on itself: ", p->name);
    int i = 0;
    // what led to the cycle is not part of it
    while (scope->chain[i] != p)
        ++i;
    for (; i < scope->n_chain && used < 400; ++i)
        used += snprintf(text + used, sizeof text - (size_t)used, "%s -> ", scope->chain[i]->name);
    snprintf(text + used, sizeof text - (size_t)used, "%s", p->name);
    return fail(scope, p->node, p->node ? p->node->place : (pkm_place){0, 0}, text);
}

static void warn_of_angle(pkm_scope* scope, const pkm_parameter* p, double angle)
{
    pkm_warn(scope->warnings, "angle", NAN,
             "%s%s: %.100s: an angle of %g rad (%.3g turns) without a unit, did you mean %g deg?",
             p->node ? "parameters." : "--set ", p->name, p->text, angle, angle / PKM_TURN, angle);
}

static pkm_status evaluate(pkm_scope* scope, pkm_parameter* p)
{
    // each parameter is computed once, whoever asks first
    if (p->state == PKM_PARAMETER_DONE) return PKM_OK;
    // it is on the chain that leads here: the text needs itself
    if (p->state == PKM_PARAMETER_BUSY) return report_cycle(scope, p);
    // each link of the chain is a call deeper: hostile files shall not end the stack
    if (scope->n_chain == PKM_SCOPE_CHAIN) {
        const pkm_fault fault = {.text = "too long a chain of parameters, each needing the next"};
        return report_fault(scope, p, &fault);
    }
    // depth first: what the text needs is computed on the way
    p->state = PKM_PARAMETER_BUSY;
    scope->chain[scope->n_chain++] = p;
    pkm_fault fault;
    const pkm_status status =
        pkm_expression_evaluate(p->text, pkm_scope_lookup, scope, &p->value, &fault);
    --scope->n_chain;
    // a fault in a parameter that was looked up has been told there, with its own place
    if (status != PKM_OK) return fault.is_reported ? status : report_fault(scope, p, &fault);
    if (fault.loose_angle != 0.0) warn_of_angle(scope, p, fault.loose_angle);
    p->state = PKM_PARAMETER_DONE;
    return PKM_OK;
}

pkm_status pkm_scope_evaluate(pkm_scope* scope)
{
    for (int i = 0; i < scope->n_parameter; ++i)
        PKM_TRY(evaluate(scope, &scope->parameter[i]));
    return PKM_OK;
}

pkm_status pkm_scope_lookup(void* user, const char* name, pkm_quantity* out, pkm_nearest* near)
{
    pkm_scope* scope = user;
    pkm_parameter* p = pkm_scope_find(scope, name);
    if (!p) {
        pkm_scope_offer(scope, near);
        return PKM_RETRY;
    }
    // its value follows: who changes parameters from outside (FMUs) leaves it alone
    if (scope->n_chain > 0) scope->chain[scope->n_chain - 1]->is_derived = true;
    PKM_TRY(evaluate(scope, p));
    *out = p->value;
    // a bare number becomes a quantity where it is used: which one, the place says
    if (out->kind == PKM_UNIT_NONE) out->kind = PKM_UNIT_UNTOLD;
    return PKM_OK;
}

static pkm_status check_override(pkm_scope* scope, const pkm_parameter* was, pkm_parameter* now,
                                 pkm_error* err)
{
    if (was->value.kind != PKM_UNIT_KNOWN) return PKM_OK;
    if (!pkm_quantity_fits(now->value, was->value.dimension))
        return pkm_fail(err, PKM_ERR_MODEL, "--set %s: %.60s is %s, expected %s", now->name,
                        now->text, pkm_dimension_name(now->value.dimension).text,
                        pkm_dimension_name(was->value.dimension).text);
    if (pkm_dimension_equal(was->value.dimension, pkm_dim_angle) &&
        pkm_quantity_is_loose_angle(now->value))
        warn_of_angle(scope, now, now->value.value);
    // `--set l=0.4` means what the file means: metres, when the file says millimetres
    now->value.kind = PKM_UNIT_KNOWN;
    now->value.dimension = was->value.dimension;
    return PKM_OK;
}

pkm_status pkm_scope_override(const pkm_scope* original, const pkm_override* set, int n_set,
                              pkm_scope* scope, pkm_error* err)
{
    for (int i = 0; i < n_set; ++i) {
        pkm_parameter* p = pkm_scope_find(scope, set[i].name);
        if (!p) {
            pkm_nearest near = pkm_nearest_make(set[i].name);
            pkm_scope_offer(scope, &near);
            return pkm_fail(err, PKM_ERR_ARGUMENT, "--set %.60s: the model has no such parameter%s",
                            set[i].name, pkm_nearest_hint(&near).text);
        }
        p->text = set[i].value;
        // its text stands on the command line now: faults have no line in the file
        p->node = NULL;
    }
    PKM_TRY(pkm_scope_evaluate(scope));
    for (int i = 0; i < scope->n_parameter; ++i)
        if (!scope->parameter[i].node)
            PKM_TRY(check_override(scope, &original->parameter[i], &scope->parameter[i], err));
    return PKM_OK;
}
