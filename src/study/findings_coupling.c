// Couplings of a study: deviations with several effects at once against the sum of those with one
// each, as signals over time.
#include "base/error.h"
#include "base/memory.h"
#include "robot/peaks.h"
#include "study/findings_impl.h"
#include "study/vector.h"

#include <math.h>
#include <string.h>

/// Deviations of one output over all cases: signal(case) - signal(reference), three components for
/// the magnitude of a vector.
typedef struct signals {
    int n_row, n_part;
    double** part;        ///< [n_case * 3], NULL: not there
    double* sum[3];       ///< of single deviations
    double *size, *other; ///< [n_row] magnitudes
} signals;

// ---- reading ----------------------------------------------------------------------------------

typedef struct blob {
    double* data;
    int n;
    bool has_memory;
} blob;

static bool take_blob(void* user, const pkm_cell* cell, int n)
{
    (void)n;
    blob* b = user;
    if (cell[0].kind != PKM_CELL_BYTES || !cell[0].bytes) return false; // damaged: as if not there
    b->n = (int)(cell[0].size / sizeof(double));
    b->data = pkm_alloc((size_t)b->n + 1, sizeof(double));
    b->has_memory = b->data != NULL;
    if (b->data) memcpy(b->data, cell[0].bytes, (size_t)b->n * sizeof(double));
    return false;
}

/// A column of a case, or none.
static pkm_status read_signal(pkm_store* store, int case_id, const char* name, blob* out,
                              pkm_error* err)
{
    const pkm_cell cell[] = {pkm_cell_integer(case_id), pkm_cell_text(name)};
    *out = (blob){.has_memory = true};
    PKM_TRY(pkm_store_query(store, "select data from signals where case_id = ? and name = ?", cell,
                            2, take_blob, out, err));
    return out->has_memory ? PKM_OK : pkm_out_of_memory(err);
}

/// Are the rows of two cases the same instants, but for rounding? Motions of another duration are
/// something else at every row.
static bool has_same_times(const blob* a, const blob* b)
{
    static const double ROUNDING = 1e-9; // of the run
    bool same = a->n == b->n;
    for (int r = 0; same && r < a->n; ++r)
        same = fabs(a->data[r] - b->data[r]) <= ROUNDING * fabs(a->data[a->n - 1]);
    return same;
}

/// Leave out cases whose rows are other instants than those of the reference.
static pkm_status leave_out_others(const pkm_findings* f, pkm_store* store, signals* s,
                                   pkm_error* err)
{
    blob reference, t;
    PKM_TRY(read_signal(store, 0, "t", &reference, err));
    pkm_status status = PKM_OK;
    for (int id = 1; id < f->n_case && status == PKM_OK; ++id) {
        status = read_signal(store, id, "t", &t, err);
        const bool same = status != PKM_OK || has_same_times(&reference, &t);
        for (int i = 0; i < 3 && !same; ++i) {
            pkm_free(s->part[3 * id + i]);
            s->part[3 * id + i] = NULL;
        }
        pkm_free(t.data);
    }
    pkm_free(reference.data);
    return status;
}

/// All signals of an output. Cases whose rows do not match those of the reference are left out.
static pkm_status read_all(const pkm_findings* f, int output, pkm_store* store, signals* s,
                           pkm_error* err)
{
    const char* column = f->study->output[output].column;
    pkm_vector_columns vector;
    const bool is_vector = pkm_vector_of(column, &vector);
    s->n_part = is_vector ? 3 : 1;
    for (int id = 0; id < f->n_case; ++id)
        for (int i = 0; i < s->n_part; ++i) {
            blob b;
            PKM_TRY(read_signal(store, id, is_vector ? vector.name[i] : column, &b, err));
            if (id == 0) s->n_row = b.n;
            if (b.n == s->n_row && s->n_row > 0)
                s->part[3 * id + i] = b.data;
            else
                pkm_free(b.data);
        }
    return leave_out_others(f, store, s, err);
}

/// All components of a vector, or the one of a scalar.
static bool has_signal(const signals* s, int id)
{
    for (int i = 0; i < s->n_part; ++i)
        if (!s->part[3 * id + i]) return false;
    return true;
}

/// From signals to deviations; the reference itself comes last.
static void subtract_reference(const pkm_findings* f, signals* s)
{
    for (int id = f->n_case - 1; id >= 0; --id)
        for (int i = 0; i < s->n_part && has_signal(s, id) && has_signal(s, 0); ++i)
            for (int r = 0; r < s->n_row; ++r)
                s->part[3 * id + i][r] -= s->part[i][r];
}

// ---- sizes ------------------------------------------------------------------------------------

/// The signal of `size`: the component itself, or the magnitude of the vector.
static void magnitude(const signals* s, double* const part[3], double* out)
{
    for (int r = 0; r < s->n_row; ++r)
        out[r] =
            s->n_part == 1
                ? part[0][r]
                : sqrt(part[0][r] * part[0][r] + part[1][r] * part[1][r] + part[2][r] * part[2][r]);
}

/// One number of a deviation, in the sense of the output's measure. Rows are all that is known of
/// two cases together: peaks between them are those of polynomials.
static double size_of(const double* y, int n, pkm_measure measure)
{
    double square = 0.0;
    for (int r = 0; r < n; ++r)
        square += y[r] * y[r];
    if (measure == PKM_MEASURE_RMS) return sqrt(square / n);
    if (measure == PKM_MEASURE_START) return fabs(y[0]);
    return measure == PKM_MEASURE_FINAL ? fabs(y[n - 1]) : pkm_peak_of_samples(y, n);
}

static pkm_status put_deviation(pkm_store* store, int output, int id, const char* kind,
                                const double* y, int n, pkm_error* err)
{
    const pkm_cell cell[] = {pkm_cell_integer(output), pkm_cell_integer(id), pkm_cell_text(kind),
                             pkm_cell_numbers(y, n)};
    return pkm_store_run(store, "insert into deviations values (?, ?, ?, ?)", cell, 4, err);
}

static pkm_status put_coupling(pkm_store* store, const pkm_coupling* c, pkm_error* err)
{
    const pkm_cell cell[] = {pkm_cell_integer(c->output),
                             pkm_cell_integer(c->case_id),
                             pkm_cell_number(c->coupled),
                             pkm_cell_number(c->sum),
                             pkm_cell_number(c->sum_of_peaks),
                             pkm_cell_number(c->rest),
                             pkm_cell_number(pkm_coupling_share(c)),
                             pkm_cell_number(pkm_coupling_ratio(c)),
                             pkm_cell_text(pkm_claim_name(c->claim))};
    return pkm_store_run(store, "insert into couplings values (?, ?, ?, ?, ?, ?, ?, ?, ?)", cell, 9,
                         err);
}

// ---- one case ---------------------------------------------------------------------------------

/// Sum of the deviations of each factor of the term alone, into s->sum; false when one is missing.
static bool add_singles(const pkm_grid* grid, const pkm_term* term, const signals* s,
                        pkm_measure measure, double* sum_of_sizes)
{
    *sum_of_sizes = 0.0;
    for (int i = 0; i < s->n_part; ++i)
        memset(s->sum[i], 0, (size_t)s->n_row * sizeof(double));
    for (int f = 0; f < grid->n_factor; ++f) {
        if (!(term->set >> f & 1u)) continue;
        const int id = pkm_term_case(grid, term, 1u << f);
        if (!has_signal(s, id)) return false;
        for (int i = 0; i < s->n_part; ++i)
            for (int r = 0; r < s->n_row; ++r)
                s->sum[i][r] += s->part[3 * id + i][r];
        magnitude(s, &s->part[3 * id], s->size);
        *sum_of_sizes += size_of(s->size, s->n_row, measure);
    }
    return true;
}

/// Size of coupled - sum, vectors as vectors; s->sum becomes the difference.
static double rest_size(const signals* s, int id, pkm_measure measure)
{
    for (int i = 0; i < s->n_part; ++i)
        for (int r = 0; r < s->n_row; ++r)
            s->sum[i][r] = s->part[3 * id + i][r] - s->sum[i][r];
    magnitude(s, s->sum, s->other);
    return size_of(s->other, s->n_row, measure);
}

static pkm_status couple(pkm_findings* f, int output, const pkm_grid* grid, const pkm_term* term,
                         const signals* s, pkm_store* store, pkm_error* err)
{
    const int id = pkm_term_case(grid, term, term->set);
    const pkm_measure measure = f->study->output[output].measure;
    pkm_coupling c = {.output = output, .case_id = id};
    if (!has_signal(s, id) || !has_signal(s, 0)) return PKM_OK;
    if (pkm_term_order(term) > 1 && !add_singles(grid, term, s, measure, &c.sum_of_peaks))
        return PKM_OK;
    magnitude(s, &s->part[3 * id], s->size);
    PKM_TRY(put_deviation(store, output, id, "case", s->size, s->n_row, err));
    c.coupled = size_of(s->size, s->n_row, measure);
    pkm_findings_keep_deviation(f, output, id, c.coupled);
    if (pkm_term_order(term) < 2) return PKM_OK;
    magnitude(s, s->sum, s->other);
    PKM_TRY(put_deviation(store, output, id, "sum", s->other, s->n_row, err));
    c.sum = size_of(s->other, s->n_row, measure);
    c.rest = rest_size(s, id, measure);
    // bars of all corners add up in the worst case
    const pkm_grid all = *grid;
    double bar = 0.0;
    for (unsigned corner = 0; corner < 1u << all.n_factor; ++corner) {
        const bool is_used = (corner & ~term->set) == 0;
        const double b =
            is_used
                ? pkm_findings_value(f, output, pkm_term_case(&all, term, corner))->spread.error_bar
                : 0.0;
        if (is_used && !isnan(b)) bar += b;
    }
    c.claim = pkm_findings_claim(f, output, term, c.rest, bar);
    f->coupling[f->n_coupling++] = c;
    return put_coupling(store, &c, err);
}

// ---- all --------------------------------------------------------------------------------------

/// Measures whose deviations add up: times and frequencies do not.
static bool is_comparable(pkm_measure measure)
{
    return measure != PKM_MEASURE_TIME_OF_PEAK && measure != PKM_MEASURE_FREQUENCY &&
           measure != PKM_MEASURE_RANGE && measure != PKM_MEASURE_RELATIVE;
}

static void free_signals(const pkm_findings* f, signals* s)
{
    for (int i = 0; s->part && i < 3 * f->n_case; ++i)
        pkm_free(s->part[i]);
    pkm_free(s->part);
    for (int i = 0; i < 3; ++i)
        pkm_free(s->sum[i]);
    pkm_free(s->size);
    pkm_free(s->other);
}

static bool make_work(signals* s)
{
    const size_t n = (size_t)s->n_row + 1;
    for (int i = 0; i < 3; ++i)
        s->sum[i] = pkm_alloc(n, sizeof(double));
    s->size = pkm_alloc(n, sizeof(double));
    s->other = pkm_alloc(n, sizeof(double));
    return s->sum[0] && s->sum[1] && s->sum[2] && s->size && s->other;
}

static pkm_status make_output(pkm_findings* f, int output, pkm_store* store, pkm_error* err)
{
    const pkm_grid grid = pkm_grid_of(f->study);
    signals s = {.part = pkm_alloc(3 * (size_t)f->n_case, sizeof *s.part)};
    pkm_status status = s.part ? PKM_OK : pkm_out_of_memory(err);
    if (status == PKM_OK) status = read_all(f, output, store, &s, err);
    if (status == PKM_OK && !make_work(&s)) status = pkm_out_of_memory(err);
    if (status == PKM_OK && s.n_row > 1) {
        subtract_reference(f, &s);
        for (pkm_term term = {.set = 0}; status == PKM_OK && pkm_term_next(&grid, &term);)
            status = couple(f, output, &grid, &term, &s, store, err);
    }
    free_signals(f, &s);
    return status;
}

pkm_status pkm_findings_make_couplings(pkm_findings* f, pkm_store* store, pkm_error* err)
{
    f->coupling = pkm_alloc((size_t)(f->n_case * f->n_output), sizeof *f->coupling);
    if (!f->coupling) return pkm_out_of_memory(err);
    for (int k = 0; k < f->n_output; ++k)
        if (is_comparable(f->study->output[k].measure)) PKM_TRY(make_output(f, k, store, err));
    return PKM_OK;
}
