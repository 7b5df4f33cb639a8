// pkm analyse: spectra, settling time and damping of columns of any table with evenly rising times,
// also of other programs. Residual vibration begins where the last drive comes to rest.
#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/pattern.h"
#include "model/nearest.h"
#include "model/text_table.h"
#include "model/units.h"
#include "verb/analyse_files.h"
#include "write/table_reader.h"

#include <math.h>
#include <string.h>

static const pkm_verb_option options[] = {
    {"--column", "NAME", .text = "a column by name or pattern", .repeats = true},
    {"--window", "NAME",
     .text = "`hann` (default), `none` (for whole periods), `blackman`, `flattop` (true "
             "amplitudes)"},
    {"--lines", "N", .text = "dominant frequencies per signal; 5 when not given"},
    {"--from", "TIME", .text = "start of the part that is looked at"},
    {"--to", "TIME", .text = "its end"},
    {"--stop", "TIME",
     .text = "when the motion stops; without it where the velocities of all drives (`*.v`) "
             "have vanished"},
    {"--band", "BAND",
     .text = "within which a signal counts as settled: `2 %` of its swing after the stop "
             "(default), or a value such as `0.1mm`"},
    {"-o", "DIR",
     .text = "folder for `spectra.csv`, `spectra.svg`, `signals.svg`, `summary.json`, "
             "`manifest.json`"},
};

static pkm_status run_analyse(const pkm_verb_arguments* args, pkm_error* err);

const pkm_verb pkm_verb_analyse = {
    .name = "analyse",
    .operand = "TABLE",
    .text = "spectra, dominant frequencies, settling and residual vibration of a table's signals",
    .help = "Reads a table (CSV or HDF5) of a run or of a measurement, whose first column is the\n"
            "time. Writes spectra.csv, spectra.svg, signals.svg, summary.json and manifest.json.",
    .example = "pkm analyse pkm-out/siax-paper-simulate/table.csv --column P.dp",
    .another = "pkm analyse pkm-out/siax-paper-simulate/table.csv --column 'q*.force' --from 20ms",
    VERB_OPTIONS(options),
    .run = run_analyse,
};

// ---- choices ----------------------------------------------------------------------------------

static pkm_status read_window(const pkm_verb_arguments* args, pkm_window* out, pkm_error* err)
{
    const char* text = pkm_verb_get(args, "--window");
    *out = PKM_WINDOW_HANN;
    if (!text) return PKM_OK;
    for (int w = 0; w < PKM_N_WINDOW; ++w)
        if (strcmp(text, pkm_window_name(w)) == 0) {
            *out = (pkm_window)w;
            return PKM_OK;
        }
    return pkm_fail(err, PKM_ERR_ARGUMENT,
                    "--window: '%s', expected hann, none, blackman or flattop", text);
}

static pkm_status read_time(const pkm_verb_arguments* args, const char* option, double* out,
                            pkm_error* err)
{
    const char* text = pkm_verb_get(args, option);
    return text ? pkm_verb_number(text, "s", option, out, err) : PKM_OK;
}

/// `2 %` is a share of the swing, a number without it a width in the unit of the first signal.
static pkm_status read_band(const pkm_verb_arguments* args, pkm_verb_analysis* a, pkm_error* err)
{
    const char* text = pkm_verb_get(args, "--band");
    double value = 0.0;
    a->band_share = 0.02;
    if (!text) return PKM_OK;
    const bool is_share = strchr(text, '%') != NULL;
    const char* unit = pkm_table_unit(a->table, a->signal[0].column);
    PKM_TRY(pkm_verb_number(text, is_share || !unit[0] ? "1" : unit, "--band", &value, err));
    if (!(value > 0.0))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--band: %s, expected above 0", text);
    if (is_share)
        a->band_share = value;
    else
        a->band_width = value;
    return PKM_OK;
}

// ---- columns ----------------------------------------------------------------------------------

static bool add_column(pkm_verb_analysis* a, int column)
{
    for (int i = 0; i < a->n_signal; ++i)
        if (a->signal[i].column == column) return true;
    // column 0 is the time
    if (column == 0 || a->n_signal == VERB_MAX_SIGNAL) return false;
    a->signal[a->n_signal++] = (pkm_verb_signal){.column = column};
    return true;
}

static int add_pattern(pkm_verb_analysis* a, const char* pattern)
{
    int n = 0;
    for (int c = 1; c < pkm_table_n_column(a->table); ++c)
        if (pkm_pattern_matches(pattern, pkm_table_name(a->table, c))) n += add_column(a, c);
    return n;
}

static pkm_status choose_columns(pkm_verb_analysis* a, pkm_error* err)
{
    static const char* const usual[] = {"*.dp", "*.turn", "*.dforce", NULL};
    const char* text;
    for (int k = 0; (text = pkm_verb_get_nth(a->args, "--column", k)); ++k) {
        if (add_pattern(a, text) > 0) continue;
        pkm_nearest near = pkm_nearest_make(text);
        for (int c = 1; c < pkm_table_n_column(a->table); ++c)
            pkm_nearest_offer(&near, pkm_table_name(a->table, c));
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--column: the table has no column '%s'%s", text,
                        pkm_nearest_hint(&near).text);
    }
    const bool is_open = a->n_signal == 0;
    for (int i = 0; is_open && usual[i]; ++i)
        add_pattern(a, usual[i]);
    // tables of others have other names: their first columns then
    for (int c = 1; a->n_signal == 0 && c < pkm_table_n_column(a->table) && c <= 6; ++c)
        a->signal[a->n_signal++] = (pkm_verb_signal){.column = c};
    if (a->n_signal > 0) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: the table has no column beside the time",
                    a->args->model);
}

// ---- time -------------------------------------------------------------------------------------

/// The first column [s], in whatever unit of time it is.
static double time_at(const pkm_table* table, int row)
{
    const char* unit = pkm_table_unit(table, 0);
    return (*unit ? pkm_unit_ratio(unit, "s") : 1.0) * pkm_table_get(table, row, 0);
}

/// Times must rise evenly, as those of every run do.
static pkm_status check_times(const pkm_verb_analysis* a, pkm_error* err)
{
    const int n = pkm_table_n_row(a->table);
    const char* unit = pkm_table_unit(a->table, 0);
    PKM_TRY(pkm_table_require_unit(a->table, 0, a->args->model, err));
    if (*unit && pkm_unit_ratio(unit, "s") == 0.0)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "%s: its first column is %.60s [%.40s], expected the "
                        "time",
                        a->args->model, pkm_table_name(a->table, 0), unit);
    const double t0 = time_at(a->table, 0), t1 = time_at(a->table, n - 1);
    const double dt = (t1 - t0) / (n - 1);
    if (n < 8)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: %d rows, expected at least 8", a->args->model,
                        n);
    for (int k = 1; k < n; ++k) {
        const double step = time_at(a->table, k) - time_at(a->table, k - 1);
        // transforms assume even samples; a thousandth is what rounding of written times leaves
        if (dt > 0.0 && fabs(step - dt) <= 1e-3 * dt) continue;
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "%s: row %d: times must rise evenly; this step is %g s, the mean one %g s",
                        a->args->model, k + 1, step, dt);
    }
    return PKM_OK;
}

/// When the last of the drives comes to rest; NaN when one moves to the end, or there are none.
static double find_stop(const pkm_table* table)
{
    static const double at_rest = 1e-6; // of the largest velocity
    int last = -1;
    const int n = pkm_table_n_row(table);
    for (int c = 1; c < pkm_table_n_column(table); ++c) {
        if (!pkm_pattern_matches("*.v", pkm_table_name(table, c))) continue;
        const double largest = pkm_table_reduce(table, c, PKM_REDUCE_ABSMAX, NULL);
        int k = n - 1;
        while (k >= 0 && fabs(pkm_table_get(table, k, c)) <= at_rest * largest)
            --k;
        if (k > last) last = k;
    }
    // fewer rows behind the stop tell nothing of what rings
    return last >= 0 && last < n - 8 ? time_at(table, last + 1) : NAN;
}

// ---- the analysis -----------------------------------------------------------------------------

static pkm_status copy_signals(pkm_verb_analysis* a, pkm_error* err)
{
    const int n_all = pkm_table_n_row(a->table);
    int first = 0, last = n_all - 1;
    while (first < last && time_at(a->table, first) < a->from)
        ++first;
    while (last > first && time_at(a->table, last) > a->to)
        --last;
    a->n = last - first + 1;
    if (a->n < 8)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "--from, --to: %d rows between them, expected at least 8", a->n);
    a->t = pkm_alloc((size_t)a->n, sizeof *a->t);
    if (!a->t) return pkm_out_of_memory(err);
    for (int k = 0; k < a->n; ++k)
        a->t[k] = time_at(a->table, first + k);
    for (int i = 0; i < a->n_signal; ++i) {
        pkm_verb_signal* s = &a->signal[i];
        s->y = pkm_alloc((size_t)a->n, sizeof *s->y);
        if (!s->y) return pkm_out_of_memory(err);
        for (int k = 0; k < a->n; ++k)
            s->y[k] = pkm_table_get(a->table, first + k, s->column);
    }
    return PKM_OK;
}

static pkm_status analyse(pkm_verb_analysis* a, pkm_error* err)
{
    const double dt = (a->t[a->n - 1] - a->t[0]) / (a->n - 1);
    for (int i = 0; i < a->n_signal; ++i) {
        pkm_verb_signal* s = &a->signal[i];
        PKM_TRY(pkm_spectrum_create(s->y, a->n, dt, a->window, &s->spectrum, err));
        s->n_line = pkm_spectrum_lines(s->spectrum, 0.01, s->line, a->n_line);
        if (!isnan(a->stop))
            PKM_TRY(pkm_residual_find(a->t, s->y, a->n, a->stop, a->band_share, a->band_width,
                                      &s->residual, err));
    }
    return PKM_OK;
}

static pkm_status do_all(pkm_verb_analysis* a, pkm_error* err)
{
    const char* lines = pkm_verb_get(a->args, "--lines");
    a->n_line = 5;
    a->from = -HUGE_VAL;
    a->to = HUGE_VAL;
    if (lines) PKM_TRY(pkm_verb_integer(lines, 1, "--lines", &a->n_line, err));
    if (a->n_line > VERB_MAX_LINE) a->n_line = VERB_MAX_LINE;
    PKM_TRY(read_window(a->args, &a->window, err));
    PKM_TRY(read_time(a->args, "--from", &a->from, err));
    PKM_TRY(read_time(a->args, "--to", &a->to, err));
    PKM_TRY(pkm_table_read(a->args->model, &a->table, err));
    PKM_TRY(check_times(a, err));
    PKM_TRY(choose_columns(a, err));
    PKM_TRY(read_band(a->args, a, err));
    a->stop = find_stop(a->table);
    // an option rules over what was found
    PKM_TRY(read_time(a->args, "--stop", &a->stop, err));
    PKM_TRY(copy_signals(a, err));
    if (!pkm_verb_has(a->args, "--stop") && !(a->stop <= a->t[a->n - 8])) a->stop = NAN;
    PKM_TRY(analyse(a, err));
    pkm_verb_analysis_folder(a);
    pkm_verb_analysis_result(a, pkm_verb_result(a->args));
    return pkm_verb_analysis_write(a, pkm_verb_result(a->args), err);
}

static void end(pkm_verb_analysis* a)
{
    for (int i = 0; i < a->n_signal; ++i) {
        pkm_spectrum_free(a->signal[i].spectrum);
        pkm_free(a->signal[i].y);
    }
    pkm_free(a->t);
    pkm_table_free(a->table);
}

static pkm_status run_analyse(const pkm_verb_arguments* args, pkm_error* err)
{
    pkm_verb_analysis* analysis = pkm_verb_work(args, sizeof *analysis, err);
    if (!analysis) return PKM_ERR_MEMORY;
    analysis->args = args;
    analysis->start = pkm_clock();
    pkm_status status = do_all(analysis, err);
    if (status == PKM_OK) status = pkm_verb_show(args, pkm_verb_analysis_text, err);
    end(analysis);
    return status;
}
