#include "cli/analyse_files.h"

#include "base/error.h"
#include "base/memory.h"
#include "cli/run_folder.h"
#include "model/source.h"
#include "pkm/output.h"
#include "plot/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH_SIZE = 1200, UNIT_SIZE = 32, MAX_PANEL = 8 };

static const char* name_of(const cli_analysis* a, int i)
{
    return pkm_table_name(a->table, a->signal[i].column);
}

static const char* unit_of(const cli_analysis* a, int i)
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
    if (slash && strncmp(stem, "table.", 6) == 0) {
        end = slash;
        stem = slash;
        while (stem > path && stem[-1] != '/')
            --stem;
    }
    snprintf(out, size, "pkm-out/%.*s-analyse",
             end && end > stem ? (int)(end - stem) : (int)strlen(stem), stem);
}

static pkm_status write_spectra(const cli_analysis* a, pkm_error* err)
{
    char path[PATH_SIZE];
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
    snprintf(path, sizeof path, "%s/spectra.csv", a->folder);
    const pkm_status status = has_memory ? pkm_csv_write(table, path, err)
                                         : pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
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

static double largest_of(const double* y, int n)
{
    double largest = 0.0;
    for (int k = 0; k < n; ++k)
        largest = fmax(largest, fabs(y[k]));
    return largest;
}

/// Up to where a spectrum has something to show: lines above a hundredth of the largest.
static double last_frequency(const cli_analysis* a)
{
    double last = 0.0;
    for (int i = 0; i < a->n_signal; ++i) {
        const pkm_spectrum* s = a->signal[i].spectrum;
        const double least = 1e-2 * largest_of(s->amplitude + 1, s->n_line - 1);
        for (int k = 1; k < s->n_line; ++k)
            if (s->amplitude[k] > least) last = fmax(last, (k + 10) * s->df);
    }
    const pkm_spectrum* s = a->signal[0].spectrum;
    return fmin(last, (s->n_line - 1) * s->df);
}

static pkm_status plot_spectra(const cli_analysis* a, picture* p, pkm_error* err)
{
    char path[PATH_SIZE];
    const pkm_spectrum* first = a->signal[0].spectrum;
    double* f = pkm_alloc((size_t)first->n_line, sizeof *f);
    if (!f) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    for (int k = 0; k < first->n_line; ++k)
        f[k] = k * first->df;
    p->n = a->n_signal < MAX_PANEL ? a->n_signal : MAX_PANEL;
    for (int i = 0; i < p->n; ++i) {
        const cli_signal* s = &a->signal[i];
        const double largest = largest_of(s->spectrum->amplitude, first->n_line);
        p->series[i] = (pkm_plot_series){
            .name = name_of(a, i), .x = f, .y = s->spectrum->amplitude, .n = first->n_line};
        p->panel[i] = (pkm_plot_panel){
            .y = pkm_axis_for(name_of(a, i), unit_of(a, i), largest, p->unit[i], UNIT_SIZE),
            .series = &p->series[i],
            .n_series = 1};
    }
    snprintf(path, sizeof path, "%s/spectra.svg", a->folder);
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
static pkm_status plot_signals(const cli_analysis* a, picture* p, pkm_error* err)
{
    char path[PATH_SIZE];
    p->n = a->n_signal < MAX_PANEL ? a->n_signal : MAX_PANEL;
    for (int i = 0; i < p->n; ++i) {
        const cli_signal* s = &a->signal[i];
        const pkm_residual* r = &s->residual;
        p->series[i] = (pkm_plot_series){.name = name_of(a, i), .x = a->t, .y = s->y, .n = a->n};
        p->level[i][0] = (pkm_plot_level){.value = r->final + r->band, .label = "settled"};
        p->level[i][1] = (pkm_plot_level){.value = r->final - r->band, .label = ""};
        p->panel[i] =
            (pkm_plot_panel){.y = pkm_axis_for(name_of(a, i), unit_of(a, i), largest_of(s->y, a->n),
                                               p->unit[i], UNIT_SIZE),
                             .series = &p->series[i],
                             .n_series = 1,
                             .level = p->level[i],
                             .n_level = isnan(a->stop) ? 0 : 2};
    }
    snprintf(path, sizeof path, "%s/signals.svg", a->folder);
    const pkm_plot plot = {.title = "Signals",
                           .x = {.label = "time", .unit = "s"},
                           .panel = p->panel,
                           .n_panel = p->n};
    return pkm_plot_write(&plot, path, err);
}

static const char* const files[] = {"spectra.csv", "spectra.svg", "signals.svg"};

static pkm_status write_manifest(const cli_analysis* a, pkm_error* err)
{
    char path[PATH_SIZE], command[PATH_SIZE];
    const pkm_source_note* table = pkm_sources_find(a->args->model);
    pkm_manifest_option option[CLI_MAX_OPTION + 1];
    pkm_manifest_result result[CLI_MAX_SIGNAL];
    char what[CLI_MAX_SIGNAL][2 * PKM_MAX_NAME];
    int n_option = 0, n_result = 0;
    snprintf(command, sizeof command, "pkm analyse %s", a->args->model);
    for (int i = 0; i < a->args->verb->n_option; ++i)
        if (a->args->value[i])
            option[n_option++] =
                (pkm_manifest_option){a->args->verb->option[i].name, a->args->value[i]};
    for (int i = 0; i < a->n_signal; ++i) {
        if (a->signal[i].n_line == 0) continue;
        snprintf(what[i], sizeof what[i], "dominant frequency %s", name_of(a, i));
        result[n_result++] = (pkm_manifest_result){what[i], a->signal[i].line[0].frequency, "Hz"};
    }
    const pkm_manifest manifest = {.command = command,
                                   .model_path = a->args->model,
                                   .model_hash = table ? table->sha256 : NULL,
                                   .option = option,
                                   .n_option = n_option,
                                   .result = result,
                                   .n_result = n_result,
                                   .file = files,
                                   .n_file = sizeof files / sizeof files[0]};
    snprintf(path, sizeof path, "%s/manifest.json", a->folder);
    return pkm_manifest_write(&manifest, path, err);
}

pkm_status cli_analysis_write(cli_analysis* a, pkm_error* err)
{
    static picture p;
    const char* given = cli_get(a->args, "-o");
    if (given)
        snprintf(a->folder, sizeof a->folder, "%s", given);
    else
        default_folder(a->args->model, a->folder, sizeof a->folder);
    cli_old_files old;
    PKM_TRY(cli_folder_begin(a->folder, &old, err));
    PKM_TRY(write_spectra(a, err));
    PKM_TRY(plot_spectra(a, &p, err));
    PKM_TRY(plot_signals(a, &p, err));
    PKM_TRY(write_manifest(a, err));
    cli_folder_end(a->folder, &old, files, sizeof files / sizeof files[0]);
    return PKM_OK;
}

// ---- for people -------------------------------------------------------------------------------

static void print_lines(const cli_analysis* a)
{
    printf("\ndominant frequencies [Hz], with amplitudes\n");
    for (int i = 0; i < a->n_signal; ++i) {
        const cli_signal* s = &a->signal[i];
        printf("  %-16s", name_of(a, i));
        for (int l = 0; l < s->n_line; ++l)
            printf("%s%.5g (%.3g)", l ? ", " : "", s->line[l].frequency, s->line[l].amplitude);
        printf("%s%s\n", s->n_line ? " " : "none ", unit_of(a, i));
    }
}

static void print_residuals(const cli_analysis* a)
{
    if (isnan(a->stop)) {
        printf("\nno stop: the drives move to the end of the table, or it has none; run longer "
               "(--for), or give --stop\n");
        return;
    }
    printf("\nafter the stop at %.6g s       settles in       swing         rms   frequency  "
           "damping\n",
           a->stop);
    for (int i = 0; i < a->n_signal; ++i) {
        const pkm_residual* r = &a->signal[i].residual;
        char settling[24] = "not";
        if (!isnan(r->settling)) snprintf(settling, sizeof settling, "%.4g s", r->settling);
        printf("  %-28s %10s %11.4g %11.4g %8.5g Hz  ", name_of(a, i), settling, r->swing, r->rms,
               r->frequency);
        if (isnan(r->damping))
            printf("-\n");
        else
            printf("%.2f %%\n", 100.0 * r->damping);
    }
}

void cli_analysis_print(const cli_analysis* a)
{
    const pkm_spectrum* s = a->signal[0].spectrum;
    printf("%s: %d samples from %.6g to %.6g s, window %s, lines every %.4g Hz up to %.5g Hz\n",
           a->args->model, a->n, a->t[0], a->t[a->n - 1], pkm_window_name((int)a->window), s->df,
           (s->n_line - 1) * s->df);
    print_lines(a);
    print_residuals(a);
    printf("\nresults in %s\n", a->folder);
}

// ---- for machines -----------------------------------------------------------------------------

static void put_residual(pkm_json* json, const pkm_residual* r)
{
    pkm_json_key(json, "after_stop");
    pkm_json_object_begin(json);
    pkm_json_put_number(json, "final", r->final);
    pkm_json_put_number(json, "band", r->band);
    pkm_json_put_number(json, "settling_time", r->settling);
    pkm_json_put_number(json, "swing", r->swing);
    pkm_json_put_number(json, "rms", r->rms);
    pkm_json_put_number(json, "frequency", r->frequency);
    pkm_json_put_number(json, "damping", r->damping);
    pkm_json_object_end(json);
}

int cli_analysis_print_json(const cli_analysis* a)
{
    cli_json out;
    if (!cli_json_begin(&out)) return 1;
    pkm_json* json = &out.json;
    pkm_json_put_string(json, "table", a->args->model);
    pkm_json_put_integer(json, "samples", a->n);
    pkm_json_put_string(json, "window", pkm_window_name((int)a->window));
    pkm_json_put_number(json, "stop", a->stop);
    pkm_json_key(json, "signals");
    pkm_json_array_begin(json);
    for (int i = 0; i < a->n_signal; ++i) {
        const cli_signal* s = &a->signal[i];
        pkm_json_object_begin(json);
        pkm_json_put_string(json, "name", name_of(a, i));
        pkm_json_put_string(json, "unit", unit_of(a, i));
        pkm_json_key(json, "lines");
        pkm_json_array_begin(json);
        for (int l = 0; l < s->n_line; ++l) {
            pkm_json_object_begin(json);
            pkm_json_put_number(json, "frequency", s->line[l].frequency);
            pkm_json_put_number(json, "amplitude", s->line[l].amplitude);
            pkm_json_object_end(json);
        }
        pkm_json_array_end(json);
        if (!isnan(a->stop)) put_residual(json, &s->residual);
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
    pkm_json_put_string(json, "folder", a->folder);
    return cli_json_end(&out);
}
