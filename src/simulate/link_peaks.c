// Peaks of flexible links between the rows of a table. What bends is read off positions alone: a
// look inside a step costs no evaluation of the plant. Samples are the ends of the steps and, where
// a larger value than all before may lie between, their middles (docs/theory/simulation.md, 7).
#include "base/error.h"
#include "base/memory.h"
#include "dynamics/kinematics.h"
#include "flexible/link_readings.h"
#include "robot/peaks.h"
#include "simulate/simulation_impl.h"

struct pkm_sim_link_peaks {
    int n;            ///< columns of links, with both signs
    double t[3];      ///< of begin, middle and end of the step; NaN: not read
    double* value[3]; ///< [n] there: of each column its value and the negative of it
    double ago[2];    ///< ends of the steps before the last one, the newer first; NaN: not read
    double* old[2];   ///< [n] there
    double* work;     ///< [n]
    double* y;        ///< [n_y] dense output
    double* memory;
};
typedef struct pkm_sim_link_peaks peaks;

pkm_status pkm_sim_begin_link_peaks(pkm_sim* s, int n_column)
{
    if (n_column == 0) return PKM_OK;
    peaks* p = s->link_peaks = pkm_alloc(1, sizeof *p);
    if (!p) return PKM_ERR_MEMORY;
    const size_t n = 2 * (size_t)n_column;
    p->n = 2 * n_column;
    p->memory = pkm_alloc(6 * n + (size_t)s->n_y, sizeof(double));
    if (!p->memory) return PKM_ERR_MEMORY;
    for (int k = 0; k < 3; ++k) {
        p->value[k] = p->memory + (size_t)k * n;
        p->t[k] = NAN;
    }
    for (int k = 0; k < 2; ++k) {
        p->old[k] = p->memory + (size_t)(3 + k) * n;
        p->ago[k] = NAN;
    }
    p->work = p->memory + 5 * n;
    p->y = p->work + n;
    return PKM_OK;
}

void pkm_sim_end_link_peaks(pkm_sim* s)
{
    if (!s->link_peaks) return;
    pkm_free(s->link_peaks->memory);
    pkm_free(s->link_peaks);
}

/// All columns of links where the robot stands.
static void read_links(const pkm_sim* s, double t, double* value)
{
    pkm_layout to = {.out = value};
    pkm_sim_put_deflections(s, t, NULL, &to);
    for (int i = s->link_peaks->n / 2; i-- > 0;) {
        value[2 * i] = value[i];
        value[2 * i + 1] = -value[2 * i];
    }
}

/// The same at time t inside the step.
static pkm_status look(pkm_sim* s, double t, double* value)
{
    peaks* p = s->link_peaks;
    pkm_sim_watch_moved(s);
    PKM_TRY(pkm_sim_stand_at(s, t, p->y));
    pkm_kinematics_position(s->robot->state);
    read_links(s, t, value);
    return PKM_OK;
}

static pkm_status sample(pkm_sim* s, int k, double t)
{
    s->link_peaks->t[k] = t;
    return look(s, t, s->link_peaks->value[k]);
}

void pkm_sim_read_link_peaks(pkm_sim* s, double t)
{
    if (!s->link_peaks) return;
    s->link_peaks->t[2] = t;
    read_links(s, t, s->link_peaks->value[2]);
}

/// May item i have a larger value than all before inside the step?
static bool is_promising(const pkm_sim* s, int i)
{
    const peaks* p = s->link_peaks;
    const double from = p->value[0][i], to = p->value[2][i];
    double unread;
    const double reach = fmax(from, to) + fabs(to - from);
    if (!pkm_sim_watch_may_lead(s, i, reach)) return false;
    if (!(reach > pkm_sim_watch_link(s, i, &unread))) return false;
    const double t[4] = {p->ago[1], p->ago[0], p->t[0], p->t[2]};
    const double f[4] = {p->old[1][i], p->old[0][i], from, to};
    return !pkm_peak_goes_on(t, f);
}

/// The present step becomes the last one.
static void move_on(peaks* p)
{
    double *const first = p->value[0], *const oldest = p->old[1];
    p->old[1] = p->old[0];
    p->ago[1] = p->ago[0];
    p->old[0] = first;
    p->ago[0] = p->t[0];
    p->value[0] = p->value[2];
    p->t[0] = p->t[2];
    p->value[2] = oldest;
    p->t[2] = NAN;
}

/// The vertex of item i in the step, and a row there when it is the largest value so far.
static pkm_status locate(pkm_sim* s, int i)
{
    const peaks* p = s->link_peaks;
    double t[3], f[3], at, height, gain;
    for (int k = 0; k < 3; ++k) {
        t[k] = p->t[k];
        f[k] = p->value[k][i];
    }
    const double least = pkm_sim_watch_link(s, i, &gain), begin = t[0], end = t[2];
    if (f[0] > f[1] && f[0] > least) return pkm_sim_watch_at(s, begin);
    for (int n = 0; n < PKM_PEAK_TRIALS && pkm_peak_vertex(t, f, &at, &height); ++n) {
        if (at < begin || at > end || !(height > f[1] + gain)) break;
        PKM_TRY(look(s, at, p->work));
        pkm_peak_narrow(t, f, at, p->work[i]);
    }
    const bool is_inside = f[1] >= f[0] && f[1] >= f[2];
    return is_inside && f[1] > least ? pkm_sim_watch_at(s, t[1]) : PKM_OK;
}

pkm_status pkm_sim_find_link_peaks(pkm_sim* s, double begin, double end)
{
    peaks* p = s->link_peaks;
    if (!p || !(end > begin)) return PKM_OK;
    if (p->t[2] != end) PKM_TRY(sample(s, 2, end));
    if (p->t[0] != begin) {
        p->ago[0] = p->ago[1] = NAN;
        PKM_TRY(sample(s, 0, begin));
    }
    p->t[1] = NAN;
    for (int i = 0; i < p->n; ++i) {
        if (!is_promising(s, i)) continue;
        if (isnan(p->t[1])) PKM_TRY(sample(s, 1, 0.5 * (begin + end)));
        PKM_TRY(locate(s, i));
    }
    move_on(p);
    return PKM_OK;
}
