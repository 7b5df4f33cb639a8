#include "verb/study_work.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = 600, MAX_PRINTED = 64 };

// ---- for people -------------------------------------------------------------------------------

static void print_heading(const cli_study_work* work)
{
    const pkm_study* s = work->study;
    const pkm_scheduler_report* r = &work->report;
    printf("%s: %s, motion %s: ", s->name, s->robot_name, s->motion);
    printf(s->is_sweep ? "sweep of " : "factors ");
    for (int f = 0; f < s->n_factor; ++f)
        printf("%s%s (%d)", f ? ", " : "", s->factor[f].name, s->factor[f].n_level);
    printf("\n%d case%s", s->n_case, s->n_case == 1 ? "" : "s");
    if (r->n_before > 0) printf(", %d finished before", r->n_before);
    if (work->findings->n_failed > 0) printf(", %d failed", work->findings->n_failed);
    printf("; %.3g s on %d process%s\n", work->wall_time, work->n_process,
           work->n_process == 1 ? "" : "es");
    if (s->description[0]) printf("%s\n", s->description);
}

static void print_value(const pkm_case_value* v)
{
    if (isnan(v->value))
        printf(" %14s", "-");
    else if (v->verdict == PKM_VERDICT_CHAOTIC)
        printf(" %6.3g..%-6.3g", v->spread.low, v->spread.high);
    else
        printf(" %14.6g", v->value);
}

/// One line per case and output columns side by side, as many as fit.
static void print_cases(const cli_study_work* work)
{
    const pkm_study* s = work->study;
    const int n = s->n_case < MAX_PRINTED ? s->n_case : MAX_PRINTED;
    for (int first = 0; first < s->n_output; first += 4) {
        const int last = first + 4 < s->n_output ? first + 4 : s->n_output;
        printf("\n%-36s", "case");
        for (int k = first; k < last; ++k)
            printf(" %14.14s", s->output[k].name);
        printf("\n%-36s", "");
        for (int k = first; k < last; ++k)
            printf(" %14.14s", s->output[k].unit);
        printf("\n");
        for (int id = 0; id < n; ++id) {
            char name[NAME_SIZE];
            pkm_study_case_name(s, id, name, sizeof name);
            printf("  %-34.60s", name);
            for (int k = first; k < last; ++k)
                print_value(pkm_findings_value(work->findings, k, id));
            printf("%s\n", work->findings->is_done[id] ? "" : "  failed");
        }
        if (n < s->n_case) printf("  ... all %d are in cases.csv\n", s->n_case);
    }
}

static bool take_reason(void* user, const pkm_cell* cell, int n)
{
    (void)n;
    int* left = user;
    printf("  %s: %s\n", pkm_cell_get_text(&cell[0]), pkm_cell_get_text(&cell[1]));
    return --*left > 0;
}

static void print_failures(const cli_study_work* work)
{
    int left = 10;
    if (work->findings->n_failed == 0) return;
    printf("\nfailed cases\n");
    if (pkm_store_query(
            work->store,
            "select name, reason from cases where state in ('failed', 'died') order by id", NULL, 0,
            take_reason, &left, NULL) != PKM_OK)
        return;
    if (work->findings->n_failed > 10) printf("  ...\n");
}

static void print_effects(const cli_study_work* work)
{
    const pkm_findings* f = work->findings;
    int output = PKM_NONE;
    for (int i = 0; i < f->n_effect && i < 4 * MAX_PRINTED; ++i) {
        const pkm_effect* e = &f->effect[i];
        char factors[NAME_SIZE], levels[NAME_SIZE];
        pkm_effect_names(work->study, &e->term, factors, levels, NAME_SIZE);
        if (e->output != output)
            printf("\n%-44s %14s %14s  %s\n", work->study->output[e->output].label, "alone",
                   "on average", "share");
        output = e->output;
        char name[2 * NAME_SIZE + 8];
        snprintf(name, sizeof name, "%s (%s)", factors, levels);
        printf("  %-42.80s %14.6g %14.6g %5.1f %%  %s\n", name, e->value, e->average,
               100.0 * e->share, e->claim == PKM_CLAIM_YES ? "" : pkm_claim_name(e->claim));
    }
}

static void print_couplings(const cli_study_work* work)
{
    const pkm_findings* f = work->findings;
    int output = PKM_NONE;
    if (f->n_coupling == 0) return;
    printf("\ncoupled deviation against the sum of single deviations\n");
    for (int i = 0; i < f->n_coupling && i < 4 * MAX_PRINTED; ++i) {
        const pkm_coupling* c = &f->coupling[i];
        char name[NAME_SIZE];
        pkm_study_case_name(work->study, c->case_id, name, sizeof name);
        if (c->output != output)
            printf("%-36s %12s %12s  coupled/sum  not additive\n",
                   work->study->output[c->output].label, "coupled", "sum");
        output = c->output;
        printf("  %-34.60s %12.5g %12.5g %12.3f %11.1f %%  %s\n", name, c->coupled, c->sum,
               pkm_coupling_ratio(c), 100.0 * pkm_coupling_share(c),
               c->claim == PKM_CLAIM_YES ? "" : pkm_claim_name(c->claim));
    }
}

static void print_published(const cli_study_work* work)
{
    static const char* const side[] = {" ", ">", "<"};
    const pkm_study* s = work->study;
    if (s->n_published == 0) return;
    printf("\npublished values                                    published     computed\n");
    for (int i = 0; i < s->n_published; ++i) {
        const pkm_desc_published* p = &s->published[i].printed;
        const pkm_found_published* found = &work->findings->published[i];
        char ours[32] = "-";
        if (!isnan(found->ours)) snprintf(ours, sizeof ours, "%.5g", found->ours / p->unit_factor);
        printf("  %-47.47s %s%10.5g %12s %-8s %s\n", p->text, side[p->bound],
               p->value / p->unit_factor, ours, p->unit, pkm_published_verdict(p, found->ours));
        if (p->note && !found->agrees) printf("      %s\n", p->note);
    }
}

void cli_study_print(const cli_study_work* work)
{
    print_heading(work);
    print_cases(work);
    print_failures(work);
    print_effects(work);
    print_couplings(work);
    print_published(work);
    printf("\nresults in %s\n", work->folder);
}

// ---- for machines -----------------------------------------------------------------------------

static void put_value(pkm_json* json, const pkm_case_value* v)
{
    pkm_json_object_begin(json);
    pkm_json_put_number(json, "value", v->value);
    pkm_json_put_number(json, "t", v->t);
    pkm_json_put_number(json, "error_bar", v->spread.error_bar);
    pkm_json_put_string(json, "verdict", pkm_verdict_name(v->verdict));
    pkm_json_put_number(json, "low", v->spread.low);
    pkm_json_put_number(json, "high", v->spread.high);
    pkm_json_object_end(json);
}

static void put_cases(pkm_json* json, const cli_study_work* work)
{
    const pkm_study* s = work->study;
    pkm_json_key(json, "cases");
    pkm_json_array_begin(json);
    for (int id = 0; id < s->n_case; ++id) {
        char name[NAME_SIZE];
        int level[PKM_MAX_FACTOR];
        pkm_study_case_name(s, id, name, sizeof name);
        pkm_study_levels(s, id, level);
        pkm_json_object_begin(json);
        pkm_json_put_string(json, "name", name);
        pkm_json_put_bool(json, "done", work->findings->is_done[id]);
        pkm_json_key(json, "levels");
        pkm_json_object_begin(json);
        for (int f = 0; f < s->n_factor; ++f)
            pkm_json_put_string(json, s->factor[f].name, s->factor[f].level[level[f]].name);
        pkm_json_object_end(json);
        pkm_json_key(json, "outputs");
        pkm_json_object_begin(json);
        for (int k = 0; k < s->n_output; ++k) {
            pkm_json_key(json, s->output[k].name);
            put_value(json, pkm_findings_value(work->findings, k, id));
        }
        pkm_json_object_end(json);
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
}

static bool put_reason(void* user, const pkm_cell* cell, int n)
{
    (void)n;
    pkm_json* json = user;
    pkm_json_object_begin(json);
    pkm_json_put_string(json, "name", pkm_cell_get_text(&cell[0]));
    pkm_json_put_string(json, "reason", pkm_cell_get_text(&cell[1]));
    pkm_json_object_end(json);
    return true;
}

static void put_failures(pkm_json* json, const cli_study_work* work)
{
    pkm_json_key(json, "failed");
    pkm_json_array_begin(json);
    (void)!pkm_store_query(
        work->store, "select name, reason from cases where state in ('failed', 'died') order by id",
        NULL, 0, put_reason, json, NULL);
    pkm_json_array_end(json);
}

static void put_effects(pkm_json* json, const cli_study_work* work)
{
    pkm_json_key(json, "effects");
    pkm_json_array_begin(json);
    for (int i = 0; i < work->findings->n_effect; ++i) {
        const pkm_effect* e = &work->findings->effect[i];
        char factors[NAME_SIZE], levels[NAME_SIZE];
        pkm_effect_names(work->study, &e->term, factors, levels, NAME_SIZE);
        pkm_json_object_begin(json);
        pkm_json_put_string(json, "output", work->study->output[e->output].name);
        pkm_json_put_string(json, "term", factors);
        pkm_json_put_string(json, "levels", levels);
        pkm_json_put_number(json, "value", e->value);
        pkm_json_put_number(json, "average", e->average);
        pkm_json_put_number(json, "error_bar", work->study->verify ? e->error_bar : NAN);
        pkm_json_put_number(json, "share", e->share);
        pkm_json_put_string(json, "verdict", pkm_claim_name(e->claim));
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
}

static void put_couplings(pkm_json* json, const cli_study_work* work)
{
    pkm_json_key(json, "couplings");
    pkm_json_array_begin(json);
    for (int i = 0; i < work->findings->n_coupling; ++i) {
        const pkm_coupling* c = &work->findings->coupling[i];
        char name[NAME_SIZE];
        pkm_study_case_name(work->study, c->case_id, name, sizeof name);
        pkm_json_object_begin(json);
        pkm_json_put_string(json, "output", work->study->output[c->output].name);
        pkm_json_put_string(json, "case", name);
        pkm_json_put_number(json, "coupled", c->coupled);
        pkm_json_put_number(json, "sum", c->sum);
        pkm_json_put_number(json, "sum_of_peaks", c->sum_of_peaks);
        pkm_json_put_number(json, "rest", c->rest);
        pkm_json_put_number(json, "rest_share", pkm_coupling_share(c));
        pkm_json_put_number(json, "ratio", pkm_coupling_ratio(c));
        pkm_json_put_string(json, "verdict", pkm_claim_name(c->claim));
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
}

static void put_published(pkm_json* json, const cli_study_work* work)
{
    pkm_json_key(json, "published");
    pkm_json_array_begin(json);
    for (int i = 0; i < work->study->n_published; ++i) {
        const pkm_desc_published* p = &work->study->published[i].printed;
        const pkm_found_published* found = &work->findings->published[i];
        pkm_json_object_begin(json);
        pkm_json_put_string(json, "text", p->text);
        pkm_json_put_number(json, "published", p->value / p->unit_factor);
        pkm_json_put_number(json, "computed", found->ours / p->unit_factor);
        pkm_json_put_string(json, "unit", p->unit);
        pkm_json_put_bool(json, "agrees", found->agrees);
        pkm_json_put_bool(json, "chosen", p->chosen);
        pkm_json_put_string(json, "note", p->note);
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
}

void cli_study_put_json(const cli_study_work* work, pkm_json* json)
{
    const pkm_study* s = work->study;
    pkm_json_put_string(json, "name", s->name);
    pkm_json_put_string(json, "robot", s->robot_name);
    pkm_json_put_string(json, "motion", s->motion);
    pkm_json_put_string(json, "design", s->is_sweep ? "sweep" : "factors");
    pkm_json_put_integer(json, "n_case", s->n_case);
    pkm_json_put_integer(json, "n_failed", work->findings->n_failed);
    pkm_json_put_number(json, "wall_time", work->wall_time);
    put_cases(json, work);
    put_failures(json, work);
    put_effects(json, work);
    put_couplings(json, work);
    put_published(json, work);
    pkm_json_put_string(json, "folder", work->folder);
}

int cli_study_print_json(const cli_study_work* work)
{
    cli_json out;
    if (!cli_json_begin(&out)) return 1;
    cli_study_put_json(work, &out.json);
    return cli_json_end(&out);
}
