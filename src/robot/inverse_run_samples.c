// Samples between the rows of an inverse run, on both sides of every break, from which peaks.c
// locates extremes and serial.c singularities: results do not hang on the number of rows.
#include "base/error.h"
#include "motion/breaks.h"
#include "robot/inverse_run_impl.h"

bool pkm_inverse_is_sample(pkm_inverse_walk* w, double t, double end)
{
    static const double OF_RUN = 512.0, OF_PIECE = 256.0; // samples that are enough
    const double to = w->next_break < end ? w->next_break : end;
    const double of_run = end / OF_RUN, of_piece = (to - w->last_break) / OF_PIECE;
    const double gap = of_run < of_piece ? of_run : of_piece;
    // rows of a closed form are so cheap that samples would cost more; the engine's are taken all
    if (w->settings->method == PKM_METHOD_CLOSED && t - w->last_sample < (1.0 - 1e-9) * gap)
        return false;
    w->last_sample = t;
    return true;
}

/// The present place to w->place: the way's numbers, then the derivatives of nearness.
static void save_place(const pkm_inverse_walk* w)
{
    w->way->save(w, w->place);
    pkm_nearness_save(&w->near, w->place + w->n_place);
}

void pkm_inverse_note_sample(pkm_inverse_walk* w, const double* row, bool is_row)
{
    save_place(w);
    if (w->near.passes.n > 0)
        pkm_serial_sample(&w->near.passes, row[0], w->way->serial(w), w->place);
    pkm_peaks_sample(w->peaks, row, w->place, is_row);
}

static pkm_status sample_at(pkm_inverse_walk* w, double t, pkm_error* err)
{
    pkm_run_instant at = {.kinetic = 0.0};
    PKM_TRY(w->way->go(w, t, err));
    PKM_TRY(w->way->read(w, t, &at, err));
    pkm_inverse_finish_row(w, t, &at, w->row);
    pkm_inverse_note_sums(w, w->row, &at);
    pkm_inverse_note_sample(w, w->row, false);
    return PKM_OK;
}

/// Where a peak is: a row there, from a sample nearby, whose derivatives serve.
static pkm_status look_at(void* user, double t, const double* place, double* row)
{
    pkm_inverse_walk* w = user;
    pkm_run_instant at = {.kinetic = 0.0};
    PKM_TRY(w->way->look(w, t, place));
    pkm_nearness_go_back(&w->near, place + w->n_place);
    PKM_TRY(w->way->read(w, t, &at, NULL));
    pkm_inverse_finish_row(w, t, &at, row);
    return PKM_OK;
}

/// The matrix that serial singularities are seen by, at an instant near `place`.
static pkm_status look_serial(void* user, double t, const double* place, double* M, double* there)
{
    pkm_inverse_walk* w = user;
    PKM_TRY(w->way->look(w, t, place));
    w->way->look_serial(w, M);
    w->way->save(w, there);
    return PKM_OK;
}

/// How near to a break samples lie: 1e-9 of the motion, or of the run where that is shorter, and no
/// nearer than times of a long run can be told apart.
static double beside_break(const pkm_inverse_walk* w, double end)
{
    return fmax(1e-9 * fmin(pkm_motion_duration(w->motion), end), 1e-15 * end);
}

pkm_status pkm_inverse_begin_samples(pkm_inverse_walk* w, double end, const pkm_table* table,
                                     pkm_error* err)
{
    w->side = beside_break(w, end);
    const int n_drive = w->near.passes.n; // 0: the tool leads
    w->n_place = w->way->n_place(w);
    if (n_drive > 0 && pkm_serial_begin(&w->near.passes, n_drive, w->n_place) != PKM_OK)
        return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    w->peaks = pkm_peaks_create(table, w->n_place + PKM_NEARNESS_N_PLACE);
    w->row = pkm_alloc((size_t)pkm_table_n_column(table), sizeof(double));
    w->place = pkm_alloc((size_t)w->n_place + PKM_NEARNESS_N_PLACE, sizeof(double));
    return w->peaks && w->row && w->place ? PKM_OK : pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
}

/// The first time > t at which forces may jump; times are asked for in their order.
static double next_break(pkm_inverse_walk* w, double t)
{
    if (!(w->next_break > t))
        w->next_break = fmin(pkm_motion_next_break(w->motion, t),
                             pkm_effects_next_break(w->settings->effects, t));
    return w->next_break;
}

static void note_break(pkm_inverse_walk* w)
{
    pkm_peaks_break(w->peaks);
    pkm_inverse_break_sums(w);
}

/// Samples on both sides of a break; the right one is for the next interval where a row is at it.
static pkm_status sample_break(pkm_inverse_walk* w, double at, double from, double to, double side,
                               pkm_error* err)
{
    // just before the jump, then just behind it: no interval holds it
    if (at - side > from) PKM_TRY(sample_at(w, at - side, err));
    note_break(w);
    if (at + side < to) return sample_at(w, at + side, err);
    w->broken = true;
    return PKM_OK;
}

/// Samples between `from` and `to`, no further apart than `gap`.
static pkm_status sample_inside(pkm_inverse_walk* w, double from, double to, double gap,
                                pkm_error* err)
{
    if ((1.0 - 1e-9) * (to - from) <= gap) return PKM_OK; // most rows of a table lie so near
    const double n = ceil((1.0 - 1e-9) * (to - from) / gap);
    for (double k = 1.0; k < n; ++k)
        PKM_TRY(sample_at(w, from + (to - from) * k / n, err));
    return PKM_OK;
}

pkm_status pkm_inverse_sample_between(pkm_inverse_walk* w, double from, double to, double end,
                                      pkm_error* err)
{
    static const double OF_RUN = 64.0, OF_PIECE = 32.0; // samples, at least
    const double side = w->side;
    if (w->broken) {
        w->broken = false;
        note_break(w);
        PKM_TRY(sample_at(w, from + side, err));
    }
    for (double at = from, next = next_break(w, from + side);; next = next_break(w, next)) {
        // where a break and the end of the run are the same but for rounding the piece is nothing
        const double stop = next < to ? next : to, behind = next < end ? next : end;
        const double whole = behind - w->last_break, rest = stop - at;
        const double of_run = end / OF_RUN, of_piece = (whole > rest ? whole : rest) / OF_PIECE;
        PKM_TRY(sample_inside(w, at, stop, of_run < of_piece ? of_run : of_piece, err));
        if (next > to + side) return PKM_OK;
        PKM_TRY(sample_break(w, next, from, to, side, err));
        at = w->last_break = next;
    }
}

pkm_status pkm_inverse_locate_peaks(pkm_inverse_walk* w, pkm_table* table, pkm_error* err)
{
    if (pkm_table_n_row(table) == 0) return PKM_OK;
    save_place(w);
    w->is_look = true;
    pkm_serial_locate(&w->near.passes, look_serial, w);
    const pkm_status status = pkm_peaks_locate(w->peaks, look_at, w, table);
    if (w->way->back) w->way->back(w);
    return status == PKM_OK ? PKM_OK : pkm_fail(err, status, "out of memory");
}
