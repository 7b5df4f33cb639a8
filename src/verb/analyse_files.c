// Files and texts of pkm analyse: the signals with their band, spectra up to the last line that can
// be seen, and a folder like that of a run.
#include "verb/analyse_files.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "math/dot.h"
#include "model/source.h"
#include "pkm/output.h"
#include "plot/plot.h"
#include "verb/run_folder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH_SIZE = 1200, UNIT_SIZE = 32, MAX_PANEL = 8 };

static const char* name_of(const pkm_verb_analysis* a, int i)
{
    return pkm_table_name(a->table, a->signal[i].column);
}

static const char* unit_of(const pkm_verb_analysis* a, int i)
{
    return pkm_table_unit(a->table, a->signal[i].column);
}

// ---- files ------------------------------------------------------------------------------------

/// "runs/siax/table.csv" gives pkm-out/siax-analyse, "shock.csv" pkm-out/shock-analyse.
static void default_folder(const char* path, char* out, size_t size)
{
    const char* slash = strrchr(path, '/');
    const char* stem = slash ? slash + 1 : path;
    const char* end = strrchr(stem, '.');
    // every run calls its table so: the folder has the name
    if (slash && strncmp(stem, "table.", 6) == 0) {
        end = slash;
        stem = slash;
        while (stem > path && stem[-1] != '/')
            --stem;
    }
    snprintf(out, size, "pkm-out/%.*s-analyse",
             end && end > stem ? (int)(end - stem) : (int)strlen(stem), stem);
}

/// A row per line of the spectra, all of which have the same lines.
static pkm_status write_spectra(const pkm_verb_analysis* a, const char* path, pkm_error* err)
{
    const pkm_spectrum* first = a->signal[0].spectrum;
    pkm_table* table = pkm_table_create();
    bool has_memory = table && pkm_table_add_column(table, "f", "Hz") != PKM_NONE;
    for (int i = 0; i < a->n_signal && has_memory; ++i)
        has_memory = pkm_table_add_column(table, name_of(a, i), unit_of(a, i)) != PKM_NONE;
    for (int k = 0; k < first->n_line && has_memory; ++k) {
        double* row = pkm_table_append(table);
        has_memory = row != NULL;
        if (row) row[0] = k * first->df;
        for (int i = 0; row && i < a->n_signal; ++i)
            row[i + 1] = a->signal[i].spectrum->amplitude[k];
    }
    const pkm_status status = has_memory ? pkm_csv_write(table, path, err) : pkm_out_of_memory(err);
    pkm_table_free(table);
    return status;
}

/// A picture of one panel per signal.
typedef struct picture {
    pkm_plot_panel panel[MAX_PANEL];
    pkm_plot_series series[MAX_PANEL];
    pkm_plot_level level[MAX_PANEL][2];
    char unit[MAX_PANEL][UNIT_SIZE];
    int n;
} picture;

/// Up to where a spectrum has something to show: lines above a hundredth of the largest.
static double last_frequency(const pkm_verb_analysis* a)
{
    double last = 0.0;
    for (int i = 0; i < a->n_signal; ++i) {
        const pkm_spectrum* s = a->signal[i].spectrum;
        // without line 0, the mean, which is often larger than all that swings
        const double least = 1e-2 * pkm_largest(s->amplitude + 1, s->n_line - 1);
        for (int k = 1; k < s->n_line; ++k)
            // ten lines of room beside the last one that is seen
            if (s->amplitude[k] > least) last = fmax(last, (k + 10) * s->df);
    }
    const pkm_spectrum* s = a->signal[0].spectrum;
    // never beyond the last line, half of the sampling rate
    return fmin(last, (s->n_line - 1) * s->df);
}

static pkm_status plot_spectra(const pkm_verb_analysis* a, picture* p, const char* path,
                               pkm_error* err)
{
    const pkm_spectrum* first = a->signal[0].spectrum;
    double* f = pkm_alloc((size_t)first->n_line, sizeof *f);
    if (!f) return pkm_out_of_memory(err);
    for (int k = 0; k < first->n_line; ++k)
        f[k] = k * first->df;
    p->n = a->n_signal < MAX_PANEL ? a->n_signal : MAX_PANEL;
    for (int i = 0; i < p->n; ++i) {
        const pkm_verb_signal* s = &a->signal[i];
        const double largest = pkm_largest(s->spectrum->amplitude, first->n_line);
        p->series[i] = (pkm_plot_series){
            .name = name_of(a, i), .x = f, .y = s->spectrum->amplitude, .n = first->n_line};
        p->panel[i] = (pkm_plot_panel){
            .y = pkm_axis_for(name_of(a, i), unit_of(a, i), largest, p->unit[i], UNIT_SIZE),
            .series = &p->series[i],
            .n_series = 1};
    }
    const pkm_plot plot = {
        .title = "Amplitude spectra",
        .x = {.label = "frequency", .unit = "Hz", .low = 0.0, .high = last_frequency(a)},
        .panel = p->panel,
        .n_panel = p->n};
    const pkm_status status = pkm_plot_write(&plot, path, err);
    pkm_free(f);
    return status;
}

/// The signals, with the band in which they settle.
static pkm_status plot_signals(const pkm_verb_analysis* a, picture* p, const char* path,
                               pkm_error* err)
{
    p->n = a->n_signal < MAX_PANEL ? a->n_signal : MAX_PANEL;
    for (int i = 0; i < p->n; ++i) {
        const pkm_verb_signal* s = &a->signal[i];
        const pkm_residual* r = &s->residual;
        p->series[i] = (pkm_plot_series){.name = name_of(a, i), .x = a->t, .y = s->y, .n = a->n};
        p->level[i][0] = (pkm_plot_level){.value = r->final + r->band, .label = "settled"};
        p->level[i][1] = (pkm_plot_level){.value = r->final - r->band, .label = ""};
        p->panel[i] =
            (pkm_plot_panel){.y = pkm_axis_for(name_of(a, i), unit_of(a, i),
                                               pkm_largest(s->y, a->n), p->unit[i], UNIT_SIZE),
                             .series = &p->series[i],
                             .n_series = 1,
                             .level = p->level[i],
                             // nothing settles where nothing stops
                             .n_level = isnan(a->stop) ? 0 : 2};
    }
    const pkm_plot plot = {.title = "Signals",
                           .x = {.label = "time", .unit = "s"},
                           .panel = p->panel,
                           .n_panel = p->n};
    return pkm_plot_write(&plot, path, err);
}

static pkm_status write_manifest(const pkm_verb_analysis* a, const pkm_verb_files* files,
                                 pkm_error* err)
{
    char path[PATH_SIZE], command[PATH_SIZE];
    const pkm_source_note* table = pkm_sources_find(a->args->model);
    pkm_verb_choices choices;
    pkm_manifest_result result[VERB_MAX_SIGNAL];
    char what[VERB_MAX_SIGNAL][2 * PKM_MAX_NAME];
    int n_result = 0;
    pkm_verb_choices_read(a->args, &choices);
    snprintf(command, sizeof command, "pkm analyse %s", a->args->model);
    for (int i = 0; i < a->n_signal; ++i) {
        if (a->signal[i].n_line == 0) continue;
        snprintf(what[i], sizeof what[i], "dominant frequency %s", name_of(a, i));
        result[n_result++] = (pkm_manifest_result){what[i], a->signal[i].line[0].frequency, "Hz"};
    }
    const pkm_manifest manifest = {.command = command,
                                   .model_path = a->args->model,
                                   .model_hash = table ? table->sha256 : NULL,
                                   .option = choices.option,
                                   .n_option = choices.n,
                                   .result = result,
                                   .n_result = n_result,
                                   .file = files->name,
                                   .n_file = files->n,
                                   .wall_time = pkm_clock() - a->start};
    snprintf(path, sizeof path, "%s/manifest.json", a->folder);
    return pkm_manifest_write(&manifest, path, err);
}

static pkm_status write_files(const pkm_verb_analysis* a, picture* p, const pkm_result* tree,
                              pkm_verb_files* files, pkm_error* err)
{
    PKM_TRY(write_spectra(a, pkm_verb_file(files, "spectra.csv"), err));
    PKM_TRY(plot_spectra(a, p, pkm_verb_file(files, "spectra.svg"), err));
    PKM_TRY(plot_signals(a, p, pkm_verb_file(files, "signals.svg"), err));
    PKM_TRY(pkm_verb_summary_write(tree, files, err));
    return write_manifest(a, files, err);
}

void pkm_verb_analysis_folder(pkm_verb_analysis* a)
{
    const char* given = pkm_verb_get(a->args, "-o");
    if (!pkm_verb_writes(a->args)) return;
    if (given)
        snprintf(a->folder, sizeof a->folder, "%s", given);
    else
        default_folder(a->args->model, a->folder, sizeof a->folder);
}

pkm_status pkm_verb_analysis_write(const pkm_verb_analysis* a, const pkm_result* tree,
                                   pkm_error* err)
{
    if (!pkm_verb_writes(a->args)) return PKM_OK;
    picture* p = pkm_verb_work(a->args, sizeof *p, err);
    if (!p) return PKM_ERR_MEMORY;
    pkm_verb_old_files old;
    pkm_verb_files files = {.folder = a->folder};
    PKM_TRY(pkm_verb_folder_begin(a->folder, &old, err));
    const pkm_status status = write_files(a, p, tree, &files, err);
    return pkm_verb_folder_finish(a->args, &files, &old, status);
}

// ---- the result -------------------------------------------------------------------------------

const char pkm_verb_analysis_text[] =
    "{table}: {samples:d} samples from {_from:.6g} to {_to:.6g} s, window {window}, lines every "
    "{_step:.4g} Hz up to {_last:.5g} Hz\n"
    "\ndominant frequencies \\[Hz\\], with amplitudes\n"
    "{*signals}  {name:-16s}{*lines}[{?_further}, ]{frequency:.5g} ({amplitude:.3g}){/}"
    "[{?lines} ][{!lines}none ]{unit}\n{/}"
    "[{!_has_stop}\nno stop: the drives move to the end of the table, or it has none; run longer "
    "(--for), or give --stop\n]"
    "[\nafter the stop at {stop:.6g} s       settles in       swing         rms   frequency  "
    "damping\n"
    "{*signals}  {name:-28s} {after_stop._settling:10s} {after_stop.swing:11.4g} "
    "{after_stop.rms:11.4g} {after_stop.frequency:8.5g} Hz  {after_stop._damping}\n{/}]"
    "[\nresults in {folder}\n]";

static void put_residual(pkm_result* in, const char* unit, const pkm_residual* r)
{
    pkm_result* out = pkm_result_group(in, "after_stop");
    pkm_result_number(out, "final", unit, r->final);
    pkm_result_number(out, "band", unit, r->band);
    pkm_result_number(out, "settling_time", "s", r->settling);
    pkm_result_number(out, "swing", unit, r->swing);
    pkm_result_number(out, "rms", unit, r->rms);
    pkm_result_number(out, "frequency", "Hz", r->frequency);
    pkm_result_number(out, "damping", "", r->damping);
    // what does not come to rest within the table has no time of settling
    if (isnan(r->settling))
        pkm_result_text(out, "_settling", "not");
    else
        pkm_result_format(out, "_settling", "%.4g s", r->settling);
    if (isnan(r->damping))
        pkm_result_text(out, "_damping", "-");
    else
        pkm_result_format(out, "_damping", "%.2f %%", 100.0 * r->damping);
}

static void put_signal(pkm_result* in, const pkm_verb_analysis* a, int i)
{
    const pkm_verb_signal* s = &a->signal[i];
    pkm_result_text(in, "name", name_of(a, i));
    pkm_result_text(in, "unit", unit_of(a, i));
    pkm_result* lines = pkm_result_list(in, "lines");
    for (int l = 0; l < s->n_line; ++l) {
        pkm_result* item = pkm_result_group(lines, NULL);
        pkm_result_bool(item, "_further", l > 0);
        pkm_result_number(item, "frequency", "Hz", s->line[l].frequency);
        pkm_result_number(item, "amplitude", unit_of(a, i), s->line[l].amplitude);
    }
    if (!isnan(a->stop)) put_residual(in, unit_of(a, i), &s->residual);
}

void pkm_verb_analysis_result(const pkm_verb_analysis* a, pkm_result* out)
{
    const pkm_spectrum* s = a->signal[0].spectrum;
    pkm_result_text(out, "table", a->args->model);
    pkm_result_integer(out, "samples", a->n);
    pkm_result_text(out, "window", pkm_window_name((int)a->window));
    pkm_result_number(out, "_from", "s", a->t[0]);
    pkm_result_number(out, "_to", "s", a->t[a->n - 1]);
    pkm_result_number(out, "_step", "Hz", s->df);
    pkm_result_number(out, "_last", "Hz", (s->n_line - 1) * s->df);
    pkm_result_number(out, "stop", "s", a->stop);
    pkm_result_bool(out, "_has_stop", !isnan(a->stop));
    pkm_result* list = pkm_result_list(out, "signals");
    for (int i = 0; i < a->n_signal; ++i)
        put_signal(pkm_result_group(list, NULL), a, i);
    pkm_verb_folder_result(a->folder, out);
}
