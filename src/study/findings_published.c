// Published numbers of a study beside those of its cases.
#include "base/error.h"
#include "study/findings_impl.h"

#include <math.h>
#include <stdio.h>

enum { TEXT_SIZE = 1024 };

/// What was printed, and where: "torque A (Fig. 7a)".
static void name_place(const pkm_desc_published* printed, char* out)
{
    const bool is_known = printed->where != NULL;
    snprintf(out, TEXT_SIZE, "%.700s%s%.300s%s", printed->text, is_known ? " (" : "",
             is_known ? printed->where : "", is_known ? ")" : "");
}

static pkm_status put(pkm_store* store, int i, const pkm_study* study,
                      const pkm_found_published* found, pkm_error* err)
{
    static const char* const bound[] = {NULL, "above", "below"};
    const pkm_study_published* p = &study->published[i];
    const char* output = p->output == PKM_NONE ? NULL : study->output[p->output].name;
    const bool is_known = !isnan(found->ours);
    char text[TEXT_SIZE];
    name_place(&p->printed, text);
    const pkm_cell cell[] = {pkm_cell_integer(i),
                             pkm_cell_text(text),
                             pkm_cell_integer(p->case_id),
                             pkm_cell_text(output),
                             pkm_cell_number(p->printed.value),
                             pkm_cell_text(p->printed.unit),
                             pkm_cell_number(p->printed.unit_factor),
                             pkm_cell_text(bound[p->printed.bound]),
                             pkm_cell_number(p->printed.tolerance),
                             pkm_cell_text(p->printed.note),
                             pkm_cell_number(found->ours),
                             is_known && !p->printed.chosen ? pkm_cell_integer(found->agrees)
                                                            : pkm_cell_text(NULL)};
    return pkm_store_run(store, "insert into published values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                         cell, 12, err);
}

/// Our number, NaN when there is none.
static double find_ours(const pkm_findings* f, const pkm_study_published* p)
{
    if (p->output == PKM_NONE) return NAN;
    if (p->of == PKM_OF_VALUE) return pkm_findings_value(f, p->output, p->case_id)->value;
    if (p->of == PKM_OF_DEVIATION || p->of == PKM_OF_RELATIVE) {
        const double ideal = fabs(pkm_findings_value(f, p->output, 0)->value);
        const double off = f->deviation[(size_t)p->output * (size_t)f->n_case + (size_t)p->case_id];
        return p->of == PKM_OF_DEVIATION ? off : ideal > 0.0 ? off / ideal : NAN;
    }
    for (int i = 0; i < f->n_coupling; ++i) {
        const pkm_coupling* c = &f->coupling[i];
        if (c->output != p->output || c->case_id != p->case_id) continue;
        if (p->of == PKM_OF_SUM) return c->sum;
        return p->of == PKM_OF_RATIO ? pkm_coupling_ratio(c) : pkm_coupling_share(c);
    }
    return NAN;
}

pkm_status pkm_findings_make_published(pkm_findings* f, pkm_store* store, pkm_error* err)
{
    const pkm_study* study = f->study;
    for (int i = 0; i < study->n_published; ++i) {
        const pkm_study_published* p = &study->published[i];
        pkm_found_published* found = &f->published[i];
        found->ours = find_ours(f, p);
        found->agrees = !isnan(found->ours) && pkm_published_agrees(&p->printed, found->ours);
        PKM_TRY(put(store, i, study, found, err));
    }
    return PKM_OK;
}
