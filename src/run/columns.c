// The section `columns` of a run file: columns by name, pattern or formula.
#include "run/run_impl.h"

#include "base/error.h"

enum { MAX_WISH = 64 };

static pkm_status keep_wish(pkm_run_reader* rr, const pkm_yaml* node, const char* name,
                            const char* formula)
{
    pkm_column_request* to = &rr->run->columns;
    void* room = to->wish;
    pkm_column_wish wish = {NULL, NULL};
    if (to->n == MAX_WISH)
        return pkm_reader_fail(&rr->r, node, "more than %d columns are asked for", MAX_WISH);
    PKM_TRY(pkm_run_grow(rr, &room, to->n, sizeof *to->wish));
    to->wish = room;
    PKM_TRY(pkm_reader_keep(&rr->r, name, &wish.name));
    if (formula) PKM_TRY(pkm_reader_keep(&rr->r, formula, &wish.formula));
    to->wish[to->n++] = wish;
    rr->run->effects.columns = to;
    return PKM_OK;
}

/// `{slip: =hypot(A.vx, A.vy)}`.
static pkm_status read_formulas(pkm_run_reader* rr, const pkm_yaml* node)
{
    PKM_TRY(pkm_reader_keys_any(&rr->r, node));
    for (const pkm_yaml* item = node->first; item; item = item->next) {
        const char* text = NULL;
        PKM_TRY(pkm_reader_text(&rr->r, item, &text));
        if (text[0] != '=')
            return pkm_reader_fail(
                &rr->r, item, "'%.60s', expected an expression such as =hypot(P.vx, P.vy)", text);
        PKM_TRY(keep_wish(rr, item, item->key, text));
    }
    return PKM_OK;
}

static pkm_status read_wish(pkm_run_reader* rr, const pkm_yaml* node)
{
    const char* text = NULL;
    if (node->kind == PKM_YAML_MAP) return read_formulas(rr, node);
    PKM_TRY(pkm_reader_text(&rr->r, node, &text));
    return keep_wish(rr, node, text, NULL);
}

static const pkm_key formula_form[] = {{.kind = PKM_KEY_TEXT}, {0}};
static const pkm_key wish_forms[] = {
    {.kind = PKM_KEY_TEXT}, {.kind = PKM_KEY_EACH, .is_name = true, .either = formula_form}, {0}};
const pkm_key pkm_column_forms[] = {
    {.kind = PKM_KEY_TEXT},
    {.kind = PKM_KEY_EACH, .is_name = true, .either = formula_form},
    {.kind = PKM_KEY_LIST, .n_least = 0, .n_most = MAX_WISH, .either = wish_forms},
    {0}};

pkm_status pkm_run_read_columns(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_run_reader* rr = pkm_run_reader_of(r);
    (void)to;
    if (node->kind != PKM_YAML_LIST) return read_wish(rr, node);
    for (const pkm_yaml* item = node->first; item; item = item->next)
        PKM_TRY(read_wish(rr, item));
    return PKM_OK;
}
