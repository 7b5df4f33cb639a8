/// Where a formula of time must not be stepped over; docs/theory/forces.md, section 3.
#include "base/error.h"
#include "base/memory.h"
#include "model/formula_code.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOOKS = 4096 };   // instants at which it is looked at
enum { MOST_SIDES = 8 }; // kinks between two of them
// What changes within this part of the smooth piece that it lies in is short.
static const double SHORT = 1.0 / 16.0;

typedef struct times {
    int n;
    double* at;
} times;

static pkm_status add(times* all, double t)
{
    if (!(t > 0.0 && isfinite(t))) return PKM_OK;
    if ((all->n & (all->n - 1)) == 0) { // full at powers of two
        double* more = pkm_realloc(all->at, all->n ? 2 * (size_t)all->n : 1, sizeof *more);
        if (!more) return PKM_ERR_MEMORY;
        all->at = more;
    }
    all->at[all->n++] = t;
    return PKM_OK;
}

static int by_size(const void* a, const void* b)
{
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static void sort(times* all)
{
    int n = 0;
    if (all->n > 0) qsort(all->at, (size_t)all->n, sizeof *all->at, by_size);
    for (int i = 0; i < all->n; ++i)
        if (n == 0 || all->at[i] > all->at[n - 1]) all->at[n++] = all->at[i];
    all->n = n;
}

// ---- kinks of what is linear in time ----------------------------------------------------------

/// A number on the stack as value + slope t, where it is that.
typedef struct line {
    bool is_known;
    double value, slope;
} line;

static line follow(const pkm_instruction* i, const line* a)
{
    double all[5] = {0.0};
    const int n = pkm_formula_taken(i);
    bool is_known = true, is_constant = true;
    for (int k = 0; k < n; ++k) {
        all[k] = a[k].value;
        is_known = is_known && a[k].is_known;
        is_constant = is_constant && a[k].slope == 0.0;
    }
    line out = {is_known, 0.0, 0.0};
    if (i->op == PKM_OP_TIME) return (line){true, 0.0, 1.0};
    if (i->op == PKM_OP_GIVEN || !is_known) return (line){false, 0.0, 0.0};
    out.value = pkm_formula_number(i, all, 0.0, NULL);
    if (is_constant) return out;
    switch (i->op) {
    case PKM_OP_ADD:
        out.slope = a[0].slope + a[1].slope;
        break;
    case PKM_OP_SUBTRACT:
        out.slope = a[0].slope - a[1].slope;
        break;
    case PKM_OP_NEGATE:
        out.slope = -a[0].slope;
        break;
    case PKM_OP_MULTIPLY:
        out.is_known = a[0].slope == 0.0 || a[1].slope == 0.0;
        out.slope = a[0].slope * a[1].value + a[0].value * a[1].slope;
        break;
    case PKM_OP_DIVIDE:
        out.is_known = a[1].slope == 0.0;
        out.slope = a[0].slope / a[1].value;
        break;
    default:
        out.is_known = false;
    }
    return out;
}

/// Where the lines a and b meet.
static pkm_status add_meeting(times* all, line a, line b)
{
    if (!a.is_known || !b.is_known || a.slope == b.slope) return PKM_OK;
    return add(all, (b.value - a.value) / (a.slope - b.slope));
}

static pkm_status add_kinks(times* all, const pkm_instruction* i, const line* a)
{
    const line zero = {true, 0.0, 0.0};
    if (i->op == PKM_OP_STEP) {
        PKM_TRY(add_meeting(all, a[0], a[1]));
        return add_meeting(all, a[0], a[3]);
    }
    if (i->op != PKM_OP_CALL) return PKM_OK;
    const pkm_function* f = i->with.function;
    if (f->one) return f->jet_one == pkm_jet_abs ? add_meeting(all, a[0], zero) : PKM_OK;
    return f->jet_two == pkm_jet_min || f->jet_two == pkm_jet_max ? add_meeting(all, a[0], a[1])
                                                                  : PKM_OK;
}

static pkm_status find_lines(const pkm_formula* f, times* all)
{
    line stack[PKM_FORMULA_STACK] = {{false, 0.0, 0.0}}, *top = stack;
    for (int i = 0; i < f->n; ++i) {
        top -= pkm_formula_taken(&f->code[i]);
        PKM_TRY(add_kinks(all, &f->code[i], top));
        *top = follow(&f->code[i], top);
        ++top;
    }
    return PKM_OK;
}

// ---- all others -------------------------------------------------------------------------------

/// The kinks between two instants: the first one behind each that was found.
static pkm_status find_sides(const pkm_formula* f, double from, double to, times* all)
{
    const unsigned last = pkm_formula_jet(f, to).side;
    for (int n = 0; n < MOST_SIDES; ++n) {
        const unsigned here = pkm_formula_jet(f, from).side;
        if (here == last) return PKM_OK;
        double low = from, high = to;
        for (double t = 0.5 * (low + high); t > low && t < high; t = 0.5 * (low + high))
            *(pkm_formula_jet(f, t).side == here ? &low : &high) = t;
        PKM_TRY(add(all, high)); // of two neighbours the one behind the jump
        from = high;
    }
    return PKM_OK;
}

/// Values at the even instants between `from` and `to`: where their second differences say that all
/// of `range` would come and go within a small part of that piece, and not nearly everywhere there,
/// both ends of it are put down.
static pkm_status find_bumps(const double* value, double h, double range, double from, double to,
                             times* all)
{
    const int first = (int)ceil(from / h) + 1, last = (int)floor(to / h) - 1;
    const double whole = to - from, much = range * h * h / (SHORT * SHORT * whole * whole);
    const int gap = (int)(SHORT * whole / h);
    int begin = -1, end = -1;
    for (int k = first; k <= last + 1; ++k) {
        const bool is_fast = k <= last && fabs(value[k - 1] - 2.0 * value[k] + value[k + 1]) > much;
        if (begin >= 0 && (k > last || (is_fast && k - end > gap))) {
            if (2.0 * (end - begin) * h < whole) {
                PKM_TRY(add(all, fmax((begin - 2) * h, from)));
                PKM_TRY(add(all, fmin((end + 2) * h, to)));
            }
            begin = -1;
        }
        if (!is_fast) continue;
        if (begin < 0) begin = k;
        end = k;
    }
    return PKM_OK;
}

static pkm_status find_all_bumps(const pkm_formula* f, double end, times* all)
{
    double* value = pkm_alloc(LOOKS + 1, sizeof *value);
    if (!value) return PKM_ERR_MEMORY;
    const double h = end / LOOKS;
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (int k = 0; k <= LOOKS; ++k) {
        value[k] = pkm_formula_at(f, h * k);
        least = fmin(least, value[k]);
        most = fmax(most, value[k]);
    }
    const int n = all->n;
    pkm_status status = PKM_OK;
    double from = 0.0;
    for (int i = 0; i <= n && status == PKM_OK && from < end && most > least; ++i) {
        const double to = i < n ? fmin(all->at[i], end) : end;
        status = find_bumps(value, h, most - least, from, to, all);
        from = to;
    }
    pkm_free(value);
    return status;
}

/// Between even instants and kinks of lines up to the end; those beyond it as they are.
static pkm_status find_all_sides(const pkm_formula* f, const times* lines, double end, times* all)
{
    double from = 0.0;
    int i = 0;
    for (int k = 1; k <= LOOKS; ++k) {
        const double to = end * k / LOOKS;
        for (; i < lines->n && lines->at[i] < to; ++i) {
            PKM_TRY(find_sides(f, from, lines->at[i], all));
            from = lines->at[i];
        }
        PKM_TRY(find_sides(f, from, to, all));
        from = to;
    }
    for (; i < lines->n; ++i)
        if (lines->at[i] > end) PKM_TRY(add(all, lines->at[i]));
    sort(all);
    return PKM_OK;
}

static pkm_status look(const pkm_formula* f, double end, times* all)
{
    times lines = {0, NULL};
    pkm_status status = find_lines(f, &lines);
    if (status == PKM_OK) {
        sort(&lines);
        status = find_all_sides(f, &lines, end, all);
    }
    pkm_free(lines.at);
    PKM_TRY(status);
    PKM_TRY(find_all_bumps(f, end, all));
    sort(all);
    return PKM_OK;
}

/// Of times that rounding keeps apart the last stays, and none at the ends of the run.
static void thin(times* all, double end)
{
    const double near = 1e-12 * end;
    int n = 0;
    for (int i = 0; i < all->n; ++i) {
        const double t = all->at[i];
        const bool is_followed = i + 1 < all->n && all->at[i + 1] - t < near;
        if (t > near && fabs(t - end) > near && !is_followed) all->at[n++] = t;
    }
    all->n = n;
}

pkm_status pkm_formula_find_breaks(pkm_formula* formula, double end)
{
    times all = {0, NULL};
    pkm_free(formula->at);
    formula->at = NULL;
    formula->n_break = 0;
    if (pkm_formula_is_constant(formula) || !(end > 0.0 && isfinite(end))) return PKM_OK;
    const pkm_status status = look(formula, end, &all);
    if (status != PKM_OK) {
        pkm_free(all.at);
        return status;
    }
    thin(&all, end);
    formula->at = all.at;
    formula->n_break = all.n;
    return PKM_OK;
}

double pkm_formula_next_break(const pkm_formula* formula, double t)
{
    int low = 0, high = formula->n_break; // the first one after t is at[low] .. at[high]
    while (low < high) {
        const int middle = (low + high) / 2;
        if (formula->at[middle] > t)
            high = middle;
        else
            low = middle + 1;
    }
    return low < formula->n_break ? formula->at[low] : INFINITY;
}
