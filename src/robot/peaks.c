// Extremes between samples: three or five of them show a vertex, and the analysis is asked for the
// row there. One rule for every analysis along a motion. docs/theory/simulation.md, section 7.
#include "robot/peaks.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/pair.h"

#include <math.h>
#include <string.h>

enum { RING = 5 }; // samples that a polynomial of fourth degree goes through

typedef struct sample {
    double t;
    double* value; ///< [n / 2] of the columns, and one more: they are taken two by two
    double* place; ///< [n_place]
} sample;

/// The largest value of a column, or (sign -1) the smallest: signed extremes, of which the one
/// further from zero is the peak. Values below are the column's, times the sign.
typedef struct item {
    int column;
    double sign;
    double kept;              ///< the best of samples that are no row of the table, times sign
    bool has_vertex;          ///< higher than all samples before it:
    double height, at;        ///< the highest vertex between samples, and when
    double t[3], value[3];    ///< samples about it
    double *kept_row, *place; ///< [n_column] of `kept`, [n_place] of the vertex
} item;

struct pkm_peaks {
    int n, n_column, n_place;
    item* item;
    int* column;          ///< [n / 2] of the items
    double *most, *least; ///< [n / 2] largest and smallest values of all samples, located ones too
    sample ring[RING];    ///< the newest first
    int n_ring;           ///< of them, since the last break
    double* row;          ///< [n_column] work
    double* memory;
};

static void list_items(pkm_peaks* p, const pkm_table* table)
{
    for (int c = 0; c < p->n_column; ++c) {
        if (pkm_table_peak_rule(table, c) != PKM_PEAK_LOCATED) continue;
        p->column[p->n / 2] = c;
        p->item[p->n++] = (item){.column = c, .sign = 1.0, .kept = -HUGE_VAL};
        p->item[p->n++] = (item){.column = c, .sign = -1.0, .kept = -HUGE_VAL};
    }
}

static void lay_out(pkm_peaks* p)
{
    double* at = p->memory;
    const int n_value = p->n / 2 + 1;
    for (int k = 0; k < RING; ++k, at += n_value + p->n_place)
        p->ring[k] = (sample){.value = at, .place = at + n_value};
    for (int k = 0; k < p->n; ++k, at += p->n_column + p->n_place) {
        p->item[k].kept_row = at;
        p->item[k].place = at + p->n_column;
    }
    p->row = at;
    p->most = at + p->n_column;
    p->least = p->most + p->n / 2;
    for (int c = 0; c < p->n / 2; ++c) {
        p->most[c] = -HUGE_VAL;
        p->least[c] = HUGE_VAL;
    }
}

pkm_peaks* pkm_peaks_create(const pkm_table* table, int n_place)
{
    pkm_peaks* p = pkm_alloc(1, sizeof *p);
    if (!p) return NULL;
    p->n_column = pkm_table_n_column(table);
    p->n_place = n_place;
    p->item = pkm_alloc(2 * (size_t)p->n_column, sizeof *p->item);
    p->column = pkm_alloc((size_t)p->n_column, sizeof *p->column);
    if (p->item && p->column) {
        list_items(p, table);
        const size_t n = (size_t)p->n, row = (size_t)p->n_column, place = (size_t)n_place;
        p->memory =
            pkm_alloc(RING * (n / 2 + 1 + place) + n * (row + place) + row + n, sizeof(double));
    }
    if (!p->memory) {
        pkm_peaks_free(p);
        return NULL;
    }
    lay_out(p);
    return p;
}

void pkm_peaks_free(pkm_peaks* p)
{
    if (!p) return;
    pkm_free(p->item);
    pkm_free(p->column);
    pkm_free(p->memory);
    pkm_free(p);
}

// ---- vertices ---------------------------------------------------------------------------------

double pkm_peak_size(double most, double most_negative)
{
    const double size = fmax(fabs(most), fabs(most_negative));
    return isfinite(size) ? size : 0.0;
}

bool pkm_peak_vertex(const double t[3], const double f[3], double* at, double* height)
{
    const double d0 = (f[1] - f[0]) / (t[1] - t[0]), d1 = (f[2] - f[1]) / (t[2] - t[1]);
    // divided differences: f = f0 + d0 (t - t0) + bend (t - t0)(t - t1), its vertex where the slope
    // is zero
    const double bend = (d1 - d0) / (t[2] - t[0]);
    if (!(bend < 0.0)) return false;
    *at = 0.5 * (t[0] + t[1]) - 0.5 * d0 / bend;
    *height = f[1] + (*at - t[1]) * (d0 + bend * (*at - t[0]));
    return isfinite(*at) && isfinite(*height);
}

void pkm_peak_narrow(double t[3], double f[3], double at, double value)
{
    const bool is_left = at < t[1];
    if (value > f[1]) {
        t[is_left ? 2 : 0] = t[1];
        f[is_left ? 2 : 0] = f[1];
        t[1] = at;
        f[1] = value;
    } else {
        t[is_left ? 0 : 2] = at;
        f[is_left ? 0 : 2] = value;
    }
}

bool pkm_peak_goes_on(const double t[4], const double f[4])
{
    static const double MET = 0.1, STEADY = 0.25;
    const double h1 = t[1] - t[0], h2 = t[2] - t[1], h3 = t[3] - t[2];
    const double d1 = (f[1] - f[0]) / h1, d2 = (f[2] - f[1]) / h2, d3 = (f[3] - f[2]) / h3;
    // by the parabola through the first three: a break between the samples does not meet it
    const double expected = f[2] + h3 * (d2 + (h2 + h3) * (d2 - d1) / (h1 + h2));
    if (!(fabs(f[3] - expected) <= MET * fabs(f[3] - f[2]))) return false;
    const double bend = (d3 - d2) / (h2 + h3);
    return (d3 - h3 * bend) / d3 >= STEADY && (d3 + h3 * bend) / d3 >= STEADY;
}

/// The vertex of the polynomial of fourth degree through five evenly spaced samples near the middle
/// one, from that of the parabola by Newton's method; `x` in steps from the middle.
static double refine_vertex(const double f[5], double x, double* height)
{
    // the polynomial in x, steps from the middle: odd parts from differences, even ones from sums
    const double odd1 = f[3] - f[1], odd2 = f[4] - f[0];
    const double even1 = f[3] + f[1], even2 = f[4] + f[0];
    const double a1 = (8.0 * odd1 - odd2) / 12.0, a3 = (odd2 - 2.0 * odd1) / 12.0;
    const double a2 = (16.0 * even1 - even2 - 30.0 * f[2]) / 24.0;
    const double a4 = (even2 - 4.0 * even1 + 6.0 * f[2]) / 24.0;
    double y = x;
    for (int k = 0; k < 4; ++k) {
        const double slope = a1 + y * (2.0 * a2 + y * (3.0 * a3 + y * 4.0 * a4));
        const double bend = 2.0 * a2 + y * (6.0 * a3 + y * 12.0 * a4);
        if (!(bend < 0.0)) return x;
        y -= slope / bend;
    }
    // beyond the neighbours the polynomial is not asked: the parabola stands
    if (!(fabs(y) <= 1.0)) return x;
    *height = f[2] + y * (a1 + y * (a2 + y * (a3 + y * a4)));
    return y;
}

/// The vertex near sample i, which is no smaller than its neighbours; `sign`: of it.
static double vertex_of(const double* y, int n, int i, double sign)
{
    static const double SMOOTH = 0.2; // of what the vertex is above the sample
    const double t[3] = {-1.0, 0.0, 1.0};
    const double f[3] = {sign * y[i - 1], sign * y[i], sign * y[i + 1]};
    double at, height;
    if (f[1] < f[0] || f[1] < f[2] || !pkm_peak_vertex(t, f, &at, &height)) return f[1];
    if (i < 2 || i + 2 >= n) return height;
    const double five[RING] = {sign * y[i - 2], f[0], f[1], f[2], sign * y[i + 2]};
    double better = height;
    (void)refine_vertex(five, at, &better);
    return fabs(better - height) < SMOOTH * (height - f[1]) ? better : height;
}

double pkm_peak_of_samples(const double* y, int n)
{
    double most = 0.0;
    for (int i = 0; i < n; ++i)
        most = fmax(most, fabs(y[i]));
    for (int i = 1; i + 1 < n; ++i)
        if (y[i] != 0.0) most = fmax(most, vertex_of(y, n, i, y[i] < 0.0 ? -1.0 : 1.0));
    return most;
}

static bool is_even(const sample* ring)
{
    const double h = ring[0].t - ring[1].t;
    for (int k = 1; k + 1 < RING; ++k)
        if (fabs(ring[k].t - ring[k + 1].t - h) > 1e-6 * h) return false;
    return true;
}

/// The largest value of item k so far.
static double best_of(const pkm_peaks* p, int k)
{
    return k % 2 == 0 ? p->most[k / 2] : -p->least[k / 2];
}

/// What counts as more: a part of the largest magnitude of the column (the two extremes of a column
/// are neighbours).
static double gain_of(const pkm_peaks* p, int k)
{
    return PKM_PEAK_GAIN * pkm_peak_size(best_of(p, k), best_of(p, k ^ 1));
}

/// Item k near sample `m` of the ring, its neighbours m - 1 and m + 1 in there: a maximum larger
/// than all it had? `has_five`: with two even samples on both sides.
static void look_near(pkm_peaks* p, int k, int m, bool has_five)
{
    item* it = &p->item[k];
    const sample* s = &p->ring[m];
    const int c = k / 2;
    const double sign = it->sign, middle = sign * s->value[c];
    const double left = sign * s[1].value[c], right = sign * s[-1].value[c];
    if (middle < left || middle < right) return;
    const double t[3] = {s[1].t, s[0].t, s[-1].t}, f[3] = {left, middle, right};
    double at, height;
    if (!pkm_peak_vertex(t, f, &at, &height)) return;
    if (has_five) {
        double five[RING];
        for (int i = 0; i < RING; ++i)
            five[i] = sign * p->ring[RING - 1 - i].value[c];
        const double h = p->ring[0].t - p->ring[1].t;
        at = t[1] + h * refine_vertex(five, (at - t[1]) / h, &height);
    }
    if (!(height > best_of(p, k)) || (it->has_vertex && !(height > it->height))) return;
    it->has_vertex = true;
    it->height = height;
    it->at = at;
    memcpy(it->t, t, sizeof t);
    memcpy(it->value, f, sizeof f);
    memcpy(it->place, s->place, (size_t)p->n_place * sizeof(double));
}

// ---- samples ----------------------------------------------------------------------------------

/// Is the largest value of item k in a sample, which is no row of the table?
static bool is_kept(const pkm_peaks* p, int k)
{
    return p->item[k].kept > -HUGE_VAL && p->item[k].kept >= best_of(p, k);
}

/// A sample that is no row of the table has the largest value of item k: keep its row, where it
/// gains, or in place of one that is kept already.
static void keep_for(pkm_peaks* p, int k, const double* row)
{
    item* it = &p->item[k];
    const double value = row[it->column];
    if (!is_kept(p, k) && !(it->sign * value > best_of(p, k) + gain_of(p, k))) return;
    *(it->sign > 0.0 ? &p->most[k / 2] : &p->least[k / 2]) = value;
    it->kept = it->sign * value;
    memcpy(it->kept_row, row, (size_t)p->n_column * sizeof *row);
}

/// Keep the row for all whose largest value it has, `value` of its columns.
static void keep_row(pkm_peaks* p, const double* row, const double* value)
{
    for (int c = 0; c < p->n / 2; ++c) {
        if (value[c] > p->most[c]) keep_for(p, 2 * c, row);
        if (value[c] < p->least[c]) keep_for(p, 2 * c + 1, row);
    }
}

/// The same for a row of the table, which has it: no NaN is larger or smaller than anything.
static void note_row(pkm_peaks* p, const double* value)
{
    const int n = p->n / 2;
    double *const most = p->most, *const least = p->least;
    for (int c = 0; c < n; ++c) {
        most[c] = value[c] > most[c] ? value[c] : most[c];
        least[c] = value[c] < least[c] ? value[c] : least[c];
    }
}

static void read_columns(const pkm_peaks* p, const double* row, double* value)
{
    const int n = p->n / 2, *const column = p->column;
    for (int c = 0; c < n; ++c)
        value[c] = row[column[c]];
}

/// Can column c between five even samples go so far beyond its extremes that it counts? The
/// polynomial through them stays within 3 times their range: noise of what is constant cannot.
static bool may_gain(const pkm_peaks* p, int c)
{
    const double middle = p->ring[RING / 2].value[c], most = p->most[c], least = p->least[c];
    double range = 0.0;
    for (int k = 0; k < RING; ++k) {
        const double away = fabs(p->ring[k].value[c] - middle);
        range = away > range ? away : range;
    }
    const double gain = PKM_PEAK_GAIN * (most > -least ? most : -least); // of the size or less
    return !(middle + 3.0 * range <= most + gain && middle - 3.0 * range >= least - gain);
}

/// Are three samples of a column the same? Some never change.
static inline bool is_flat(const sample* at, int c)
{
    return at->value[c] == at[1].value[c] && at->value[c] == at[-1].value[c];
}

/// Column c near sample `m` of the ring, where it neither rises nor falls on both sides; `even`:
/// are the five samples? -1: not known yet.
static void look_at_turn(pkm_peaks* p, int c, int m, int* even)
{
    if (*even < 0) *even = m == RING / 2 && p->n_ring == RING && is_even(p->ring);
    if (*even > 0 && !may_gain(p, c)) return;
    look_near(p, 2 * c, m, *even > 0);
    look_near(p, 2 * c + 1, m, *even > 0);
}

/// All columns near sample `m` of the ring, two at a time: most rise or fall.
static void look_all(pkm_peaks* p, int m)
{
    const sample* at = &p->ring[m];
    const double *older = at[1].value, *value = at->value, *newer = at[-1].value;
    const int n = p->n / 2;
    int even = -1;
    for (int c = 0; c < n; c += 2) {
        const pkm_pair now = pkm_pair_load(value + c);
        const pkm_pair way = (now - pkm_pair_load(older + c)) * (pkm_pair_load(newer + c) - now);
        if (!(way[0] > 0.0) && !is_flat(at, c)) look_at_turn(p, c, m, &even);
        if (!(way[1] > 0.0) && c + 1 < n && !is_flat(at, c + 1)) look_at_turn(p, c + 1, m, &even);
    }
}

void pkm_peaks_sample(pkm_peaks* p, const double* row, const double* place, bool is_row)
{
    // the ring turns by its records; their arrays stay where they are
    const sample oldest = p->ring[RING - 1];
    for (int k = RING - 1; k > 0; --k)
        p->ring[k] = p->ring[k - 1];
    p->ring[0] = oldest;
    p->ring[0].t = row[0];
    read_columns(p, row, oldest.value);
    memcpy(oldest.place, place, (size_t)p->n_place * sizeof(double));
    if (p->n_ring < RING) ++p->n_ring;
    if (is_row)
        note_row(p, oldest.value);
    else
        keep_row(p, row, oldest.value);
    if (p->n_ring == 3) look_all(p, 1); // the first of a smooth piece
    if (p->n_ring == RING) look_all(p, 2);
}

void pkm_peaks_break(pkm_peaks* p)
{
    // the newest full triple, which a next sample would have put into the middle
    if (p->n_ring > 3) look_all(p, 1);
    p->n_ring = 0;
}

// ---- the end ----------------------------------------------------------------------------------

/// Find the vertex of item k by looking, and keep the row there.
static void locate(pkm_peaks* p, int k, pkm_peaks_look look, void* user)
{
    item* it = &p->item[k];
    double at = it->at, height = it->height;
    for (int i = 0; i < PKM_PEAK_TRIALS; ++i) {
        const double gain = gain_of(p, k);
        if (!(at > it->t[0] && at < it->t[2] && height > it->value[1] + gain)) return;
        if (look(user, at, it->place, p->row) != PKM_OK) return;
        read_columns(p, p->row, p->ring[0].value); // the ring has done its work
        keep_row(p, p->row, p->ring[0].value);
        pkm_peak_narrow(it->t, it->value, at, it->sign * p->row[it->column]);
        if (!pkm_peak_vertex(it->t, it->value, &at, &height)) return;
    }
}

pkm_status pkm_peaks_locate(pkm_peaks* p, pkm_peaks_look look, void* user, pkm_table* table)
{
    pkm_peaks_break(p);
    for (int k = 0; k < p->n; ++k)
        if (p->item[k].has_vertex && p->item[k].height > best_of(p, k) + gain_of(p, k))
            locate(p, k, look, user);
    for (int k = 0; k < p->n; ++k) {
        const double* row = p->item[k].kept_row;
        bool is_there = !is_kept(p, k);
        // columns that peak together share one row
        for (int i = 0; i < pkm_table_n_located(table) && !is_there; ++i)
            is_there = pkm_table_get(table, pkm_table_n_row(table) + i, 0) == row[0];
        if (!is_there && !pkm_table_add_located(table, row)) return PKM_ERR_MEMORY;
    }
    return PKM_OK;
}
