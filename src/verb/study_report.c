// What a study found as a tree: for machines all values with bars and verdicts, for people the
// largest effects first.
#include "verb/study_work.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = 600, MAX_PRINTED = 64, BESIDE = 4 };

const char pkm_verb_study_text[] =
    "{name}: {robot}, motion {motion}: {_design} {_factors:s/, }\n"
    "{n_case:d} case[{!_one}s][, {_before:d} finished before{?_before}]"
    "[, {n_failed:d} failed{?n_failed}]; {wall_time:.3g} s on {_processes:d} "
    "process[{!_one_process}es]\n"
    "[nothing was computed: every case was finished before; --fresh computes them anew{?_old}\n]"
    "[{_description}{?_description}\n]"
    "{*_blocks}\ncase                                {heads:s/}\n"
    "                                    {units:s/}\n"
    "{*rows}  {name:-34.60s}{cells:s/}[  failed{!done}]\n{/}"
    "[  ... all {_all:d} are in cases.csv\n]{/}"
    "[{?n_failed}\nfailed cases\n]{*_failed}  {name}: {reason}\n{/}[{?_more_failed}  ...\n]"
    "{*_effects}[\n{_head:-44s}          alone     on average  share\n]"
    "  {name:-42.80s} {value:14.6g} {average:14.6g} {share:5.1f|100} %  {verdict}\n{/}"
    "[{?couplings}\ncoupled deviation against the sum of single deviations\n]"
    "{*_couplings}[{_head:-36s}      coupled          sum  coupled/sum  not additive\n]"
    "  {name:-34.60s} {coupled:12.5g} {sum:12.5g} {ratio:12.3f} {share:11.1f|100} %  {verdict}\n{/}"
    "[{?published}"
    "\npublished values                                    published     computed\n]"
    "{*published}  {text:-47.47s} {_side}{published:10.5g} {_computed:12s} {unit:-8s} {_verdict}\n"
    "[      {_note}\n]{/}"
    "\nresults in {folder}\n";

// ---- the heading ------------------------------------------------------------------------------

static void put_heading(const pkm_verb_study_work* work, pkm_result* out)
{
    const pkm_study* s = work->study;
    pkm_result_text(out, "name", s->name);
    pkm_result_text(out, "robot", s->robot_name);
    pkm_result_text(out, "motion", s->motion);
    pkm_result_text(out, "design", s->is_sweep ? "sweep" : "factors");
    pkm_result_text(out, "_design", s->is_sweep ? "sweep of" : "factors");
    pkm_result* factors = pkm_result_list(out, "_factors");
    for (int f = 0; f < s->n_factor; ++f)
        pkm_result_format(factors, NULL, "%s (%d)", s->factor[f].name, s->factor[f].n_level);
    pkm_result_integer(out, "n_case", s->n_case);
    pkm_result_bool(out, "_one", s->n_case == 1);
    pkm_result_integer(out, "_before", work->report.n_before);
    pkm_result_bool(out, "_old", work->report.n_before == s->n_case);
    pkm_result_integer(out, "n_failed", work->findings->n_failed);
    pkm_result_number(out, "wall_time", "s", work->wall_time);
    pkm_result_integer(out, "_processes", work->n_process);
    pkm_result_bool(out, "_one_process", work->n_process == 1);
    pkm_result_text(out, "_description", s->description);
}

// ---- cases ------------------------------------------------------------------------------------

/// Without --verify bar, low and high are unknown: null.
static void put_value(pkm_result* in, const char* key, const char* unit, const pkm_case_value* v)
{
    pkm_result* out = pkm_result_group(in, key);
    pkm_result_number(out, "value", unit, v->value);
    pkm_result_number(out, "t", "s", v->t);
    pkm_result_number(out, "error_bar", unit, v->spread.error_bar);
    pkm_result_text(out, "verdict", pkm_verdict_name(v->verdict));
    pkm_result_number(out, "low", unit, v->spread.low);
    pkm_result_number(out, "high", unit, v->spread.high);
}

/// All cases for machines, with the names of their levels.
static void put_cases(const pkm_verb_study_work* work, pkm_result* out)
{
    const pkm_study* s = work->study;
    pkm_result* list = pkm_result_list(out, "cases");
    for (int id = 0; id < s->n_case; ++id) {
        char name[NAME_SIZE];
        int level[PKM_MAX_FACTOR];
        pkm_study_case_name(s, id, name, sizeof name);
        pkm_study_levels(s, id, level);
        pkm_result* item = pkm_result_group(list, NULL);
        pkm_result_text(item, "name", name);
        pkm_result_bool(item, "done", work->findings->is_done[id]);
        pkm_result* levels = pkm_result_group(item, "levels");
        for (int f = 0; f < s->n_factor; ++f)
            pkm_result_text(levels, s->factor[f].name, s->factor[f].level[level[f]].name);
        pkm_result* outputs = pkm_result_group(item, "outputs");
        for (int k = 0; k < s->n_output; ++k)
            put_value(outputs, s->output[k].name, s->output[k].unit,
                      pkm_findings_value(work->findings, k, id));
    }
}

/// For people: a range where repeated runs lie apart, since its middle would be no answer.
static void put_cell(pkm_result* cells, const pkm_case_value* v)
{
    // of failed cases, and of measures that the column does not have
    if (isnan(v->value))
        pkm_result_format(cells, NULL, " %14s", "-");
    else if (pkm_verdict_is_apart(v->verdict))
        pkm_result_format(cells, NULL, " %6.3g..%-6.3g", v->spread.low, v->spread.high);
    else
        pkm_result_format(cells, NULL, " %14.6g", v->value);
}

/// The rows of a block of outputs for people: one line per case.
static void put_rows(const pkm_verb_study_work* work, int first, int last, pkm_result* block)
{
    const pkm_study* s = work->study;
    pkm_result* rows = pkm_result_list(block, "rows");
    for (int id = 0; id < s->n_case && id < MAX_PRINTED; ++id) {
        char name[NAME_SIZE];
        pkm_study_case_name(s, id, name, sizeof name);
        pkm_result* row = pkm_result_group(rows, NULL);
        pkm_result_text(row, "name", name);
        pkm_result* cells = pkm_result_list(row, "cells");
        for (int k = first; k < last; ++k)
            put_cell(cells, pkm_findings_value(work->findings, k, id));
        pkm_result_bool(row, "done", work->findings->is_done[id]);
    }
    if (s->n_case > MAX_PRINTED) pkm_result_integer(block, "_all", s->n_case);
}

/// Output columns side by side, as many as fit.
static void put_blocks(const pkm_verb_study_work* work, pkm_result* out)
{
    const pkm_study* s = work->study;
    pkm_result* list = pkm_result_list(out, "_blocks");
    for (int first = 0; first < s->n_output; first += BESIDE) {
        const int last = first + BESIDE < s->n_output ? first + BESIDE : s->n_output;
        pkm_result* block = pkm_result_group(list, NULL);
        pkm_result *heads = pkm_result_list(block, "heads"),
                   *units = pkm_result_list(block, "units");
        for (int k = first; k < last; ++k) {
            pkm_result_format(heads, NULL, " %14.14s", s->output[k].name);
            pkm_result_format(units, NULL, " %14.14s", s->output[k].unit);
        }
        put_rows(work, first, last, block);
    }
}

// ---- failures ---------------------------------------------------------------------------------

/// Where reasons of failed cases go: all, and the first ones for people.
typedef struct failures {
    pkm_result *all, *shown;
    int left;
} failures;

static bool put_reason(void* user, const pkm_cell* cell, int n)
{
    (void)n;
    failures* f = user;
    for (int k = 0; k < (f->left > 0 ? 2 : 1); ++k) {
        pkm_result* item = pkm_result_group(k == 0 ? f->all : f->shown, NULL);
        pkm_result_text(item, "name", pkm_cell_get_text(&cell[0]));
        pkm_result_text(item, "reason", pkm_cell_get_text(&cell[1]));
    }
    --f->left;
    return true;
}

static void put_failures(const pkm_verb_study_work* work, pkm_result* out)
{
    failures f = {pkm_result_list(out, "failed"), pkm_result_list(out, "_failed"), 10};
    // a list that cannot be read is empty: the number of failed cases stands above it
    (void)!pkm_store_query(
        work->store, "select name, reason from cases where state in ('failed', 'died') order by id",
        NULL, 0, put_reason, &f, NULL);
    pkm_result_bool(out, "_more_failed", work->findings->n_failed > 10);
}

// ---- findings ---------------------------------------------------------------------------------

/// For people: what was not claimed.
static const char* claim_text(pkm_claim claim)
{
    return claim == PKM_CLAIM_YES ? "" : pkm_claim_name(claim);
}

/// An effect for people, under the name of its output where that is another than before.
static void put_shown_effect(const pkm_verb_study_work* work, int i, const char* factors,
                             const char* levels, pkm_result* list)
{
    const pkm_effect* e = &work->findings->effect[i];
    pkm_result* item = pkm_result_group(list, NULL);
    char name[2 * NAME_SIZE + 8];
    snprintf(name, sizeof name, "%s (%s)", factors, levels);
    // effects come sorted by output: a heading where it changes
    if (i == 0 || e->output != e[-1].output)
        pkm_result_text(item, "_head", work->study->output[e->output].label);
    pkm_result_text(item, "name", name);
    pkm_result_number(item, "value", "", e->value);
    pkm_result_number(item, "average", "", e->average);
    pkm_result_number(item, "share", "", e->share);
    pkm_result_text(item, "verdict", claim_text(e->claim));
}

/// For machines all, with units and bars; for people the first ones.
static void put_effects(const pkm_verb_study_work* work, pkm_result* out)
{
    pkm_result *list = pkm_result_list(out, "effects"), *shown = pkm_result_list(out, "_effects");
    for (int i = 0; i < work->findings->n_effect; ++i) {
        const pkm_effect* e = &work->findings->effect[i];
        const char* unit = work->study->output[e->output].unit;
        char factors[NAME_SIZE], levels[NAME_SIZE];
        pkm_effect_names(work->study, &e->term, factors, levels, NAME_SIZE);
        pkm_result* item = pkm_result_group(list, NULL);
        pkm_result_text(item, "output", work->study->output[e->output].name);
        pkm_result_text(item, "term", factors);
        pkm_result_text(item, "levels", levels);
        pkm_result_number(item, "value", unit, e->value);
        pkm_result_number(item, "average", unit, e->average);
        // without repetitions the bar of an effect is unknown, not zero
        pkm_result_number(item, "error_bar", unit, work->study->verify ? e->error_bar : NAN);
        pkm_result_number(item, "share", "", e->share);
        pkm_result_text(item, "verdict", pkm_claim_name(e->claim));
        if (i < 4 * MAX_PRINTED) put_shown_effect(work, i, factors, levels, shown);
    }
}

static void put_shown_coupling(const pkm_verb_study_work* work, int i, const char* name,
                               pkm_result* list)
{
    const pkm_coupling* c = &work->findings->coupling[i];
    pkm_result* item = pkm_result_group(list, NULL);
    if (i == 0 || c->output != c[-1].output)
        pkm_result_text(item, "_head", work->study->output[c->output].label);
    pkm_result_text(item, "name", name);
    pkm_result_number(item, "coupled", "", c->coupled);
    pkm_result_number(item, "sum", "", c->sum);
    pkm_result_number(item, "ratio", "", pkm_coupling_ratio(c));
    pkm_result_number(item, "share", "", pkm_coupling_share(c));
    pkm_result_text(item, "verdict", claim_text(c->claim));
}

/// The coupled deviation beside the sum of single ones, whose ratio is 1 when effects add up.
static void put_couplings(const pkm_verb_study_work* work, pkm_result* out)
{
    pkm_result *list = pkm_result_list(out, "couplings"),
               *shown = pkm_result_list(out, "_couplings");
    for (int i = 0; i < work->findings->n_coupling; ++i) {
        const pkm_coupling* c = &work->findings->coupling[i];
        const char* unit = work->study->output[c->output].unit;
        char name[NAME_SIZE];
        pkm_study_case_name(work->study, c->case_id, name, sizeof name);
        pkm_result* item = pkm_result_group(list, NULL);
        pkm_result_text(item, "output", work->study->output[c->output].name);
        pkm_result_text(item, "case", name);
        pkm_result_number(item, "coupled", unit, c->coupled);
        pkm_result_number(item, "sum", unit, c->sum);
        pkm_result_number(item, "sum_of_peaks", unit, c->sum_of_peaks);
        pkm_result_number(item, "rest", unit, c->rest);
        pkm_result_number(item, "rest_share", "", pkm_coupling_share(c));
        pkm_result_number(item, "ratio", "", pkm_coupling_ratio(c));
        pkm_result_text(item, "verdict", pkm_claim_name(c->claim));
        if (i < 4 * MAX_PRINTED) put_shown_coupling(work, i, name, shown);
    }
}

static void put_published(const pkm_verb_study_work* work, pkm_result* out)
{
    static const char* const side[] = {" ", ">", "<"};
    pkm_result* list = pkm_result_list(out, "published");
    for (int i = 0; i < work->study->n_published; ++i) {
        const pkm_desc_published* p = &work->study->published[i].printed;
        const pkm_found_published* found = &work->findings->published[i];
        // in the unit of the paper
        const double ours = found->ours / p->unit_factor;
        pkm_result* item = pkm_result_group(list, NULL);
        pkm_result_text(item, "text", p->text);
        pkm_result_text(item, "where", p->where);
        pkm_result_text(item, "_side", side[p->bound]);
        pkm_result_number(item, "published", p->unit, p->value / p->unit_factor);
        pkm_result_number(item, "computed", p->unit, ours);
        pkm_result_format(item, "_computed", isnan(ours) ? "-" : "%.5g", ours);
        pkm_result_text(item, "unit", p->unit);
        pkm_result_bool(item, "agrees", found->agrees);
        pkm_result_bool(item, "chosen", p->chosen);
        pkm_result_text(item, "note", p->note);
        pkm_result_text(item, "_note", found->agrees ? NULL : p->note);
        pkm_result_text(item, "_verdict", pkm_published_verdict(p, found->ours));
    }
}

void pkm_verb_study_result(const pkm_verb_study_work* work, pkm_result* out)
{
    put_heading(work, out);
    put_cases(work, out);
    put_blocks(work, out);
    put_failures(work, out);
    put_effects(work, out);
    put_couplings(work, out);
    put_published(work, out);
    pkm_result_text(out, "folder", work->folder);
}
