// Where journals cross their bearings: the load of a part falls below a tenth of its largest and
// turns fast. docs/theory/clearance.md, section 3.5.
#include "base/error.h"
#include "base/memory.h"
#include "clearance/seated_impl.h"
#include "math/angle.h"
#include "math/dot.h"

#include <stdlib.h>
#include <string.h>

// A journal crosses its bearing while its load is small and turns quickly:
static const double SMALL_LOAD = 0.1;        // of its largest in the run
static const double QUICK_PART = 1.0 / 10.0; // of the run, in which such a load turns by 90 deg
static const double REVERSAL = 0.5;          // [pi] turned in all: less is no reversal
static const double JUMP = 20.0 / 180.0;     // [pi] in one step: more cannot be differentiated

// ---- begin, note, end -------------------------------------------------------------------------

static int count_parts(const pkm_regions* regions)
{
    pkm_region_part part[PKM_REGION_PARTS];
    int n = 0;
    for (int k = 0; k < regions->n; ++k)
        n += pkm_region_parts(&regions->item[k].region, part);
    return n;
}

/// Parts without clearance do not move.
static void add_parts(const pkm_joint_region* item, pkm_seated_watch* out)
{
    pkm_region_part part[PKM_REGION_PARTS];
    const int n = pkm_region_parts(&item->region, part);
    for (int k = 0; k < n; ++k) {
        if (part[k].radius == 0.0) continue;
        pkm_seated_part* to = &out->part[out->n_part];
        *to = (pkm_seated_part){.part = part[k], .joint = item->joint};
        to->part.at += item->y_at;
        // number: of a universal joint the pins count on
        to->number = k + (item->on_b ? n : 0);
        to->load = out->memory + (size_t)(2 * out->n_part) * (size_t)out->n_instant;
        to->angle = to->load + out->n_instant;
        ++out->n_part;
    }
}

pkm_status pkm_seated_watch_begin(const pkm_regions* regions, int n_instant, pkm_seated_watch* out,
                                  pkm_error* err)
{
    const size_t n_part = (size_t)count_parts(regions), n = (size_t)n_instant;
    *out = (pkm_seated_watch){.n_instant = n_instant};
    out->part = pkm_alloc(n_part, sizeof *out->part);
    out->memory = pkm_alloc(2 * n_part * n, sizeof(double));
    out->jump = pkm_alloc(n, sizeof *out->jump);
    out->reversing = pkm_alloc(n, sizeof *out->reversing);
    if (!out->part || !out->memory || !out->jump || !out->reversing) return pkm_out_of_memory(err);
    for (int k = 0; k < regions->n; ++k)
        add_parts(&regions->item[k], out);
    return PKM_OK;
}

void pkm_seated_watch_end(pkm_seated_watch* watch)
{
    pkm_free(watch->part);
    pkm_free(watch->memory);
    pkm_free(watch->jump);
    pkm_free(watch->reversing);
    *watch = (pkm_seated_watch){0};
}

/// The angle between two positions at the wall [rad], by their chord.
static double chord_angle(const pkm_seated_part* p, const double* y)
{
    double sum = 0.0;
    for (int i = 0; i < p->part.n; ++i)
        sum += (y[i] - p->last[i]) * (y[i] - p->last[i]);
    // both lie at the wall: chord = 2 r sin(angle/2)
    const double half = 0.5 * sqrt(sum) / p->part.radius;
    return 2.0 * asin(half < 1.0 ? half : 1.0);
}

void pkm_seated_watch_note(pkm_seated_watch* watch, int i, const double* y, const double* f)
{
    for (int k = 0; k < watch->n_part; ++k) {
        pkm_seated_part* p = &watch->part[k];
        p->angle[i] = i > 0 ? chord_angle(p, y + p->part.at) : 0.0;
        p->load[i] = pkm_norm(f + p->part.at, p->part.n);
        memcpy(p->last, y + p->part.at, (size_t)p->part.n * sizeof(double));
    }
}

// ---- reversals --------------------------------------------------------------------------------

static double largest(const double* x, int n)
{
    double most = 0.0;
    for (int i = 0; i < n; ++i)
        most = fmax(most, x[i]);
    return most;
}

static void add_reversal(const pkm_reversal* now, pkm_seated_report* report)
{
    if (now->angle < REVERSAL * PKM_PI) return;
    if (report->n_reversal < PKM_MAX_REVERSAL) report->reversal[report->n_reversal] = *now;
    ++report->n_reversal;
}

/// `jump` tells where derivatives may not reach across, `reversing` how many parts are on the way.
static void find_in_part(pkm_seated_watch* watch, const pkm_seated_part* p, int n, double step,
                         pkm_seated_report* report)
{
    const double small = SMALL_LOAD * largest(p->load, n);
    // 90 degrees within a tenth of the run, per step
    const double quick = 0.5 * PKM_PI / (QUICK_PART * (n - 1));
    pkm_reversal now = {.joint = p->joint, .part = p->number};
    double fastest = 0.0;
    for (int i = 1; i < n; ++i) {
        const double load = fmin(p->load[i], p->load[i - 1]);
        // small at either end of the step
        const bool crosses = load <= small && p->angle[i] >= quick;
        if (p->angle[i] > JUMP * PKM_PI || crosses) watch->jump[i] = true;
        if (!crosses) {
            if (now.angle > 0.0) add_reversal(&now, report);
            now.angle = fastest = 0.0;
            continue;
        }
        ++watch->reversing[i];
        now.load = now.angle > 0.0 ? fmin(now.load, load) : load;
        now.angle += p->angle[i];
        // in the middle of the step that turned fastest
        if (p->angle[i] > fastest) now.t = (i - 0.5) * step;
        fastest = fmax(fastest, p->angle[i]);
    }
    if (now.angle > 0.0) add_reversal(&now, report);
}

static int by_time(const void* a, const void* b)
{
    const pkm_reversal *x = a, *y = b;
    if (x->t != y->t) return x->t < y->t ? -1 : 1;
    return x->joint - y->joint;
}

void pkm_seated_watch_find(pkm_seated_watch* watch, int n, double step, pkm_seated_report* report)
{
    for (int k = 0; k < watch->n_part; ++k)
        find_in_part(watch, &watch->part[k], n, step, report);
    // more than fit are counted, not listed
    const int kept = report->n_reversal < PKM_MAX_REVERSAL ? report->n_reversal : PKM_MAX_REVERSAL;
    qsort(report->reversal, (size_t)kept, sizeof report->reversal[0], by_time);
}
