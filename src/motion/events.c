// What happens at instants of a motion: sequences pick payloads up and drop them, at rest only
// (docs/theory/motion.md, section 5).
#include "motion/events.h"

#include "base/error.h"
#include "base/memory.h"
#include "motion/breaks.h"
#include "motion/data.h"

#include <math.h>
#include <string.h>

/// What is collected: the room, and how many there are in all.
typedef struct list {
    pkm_motion_event* out;
    int n_most, n;
} list;

static void put(list* to, pkm_motion_event event)
{
    if (to->n < to->n_most) to->out[to->n] = event;
    ++to->n;
}

/// The events of a motion that begins at `shift` and takes `f` times as long.
static void collect(const pkm_motion* m, double shift, double f, list* to)
{
    const pkm_sequence* s = &m->sequence;
    const double start = shift + f * m->hold_before, k_all = f * s->stretch;
    for (int turn = 0; m->path == PKM_PATH_SEQUENCE && turn < s->repeat; ++turn)
        for (int k = 0; k < s->n; ++k) {
            const double begin = start + k_all * (turn * s->round + s->begin[k]);
            const double end = begin + k_all * pkm_motion_duration(s->part[k]);
            collect(s->part[k], begin, k_all, to);
            // a shaper brings the robot to its stops later
            for (int i = 0; i < s->n_mark; ++i)
                if (s->mark[i].after == k)
                    put(to, (pkm_motion_event){s->mark[i].payload, s->mark[i].is_pick,
                                               end + k_all * s->mark[i].wait + f * m->shaper.tail});
        }
}

int pkm_motion_events(const pkm_motion* motion, pkm_motion_event* out, int n_most)
{
    list to = {out, n_most, 0};
    collect(motion, 0.0, 1.0, &to);
    return to.n;
}

int pkm_motion_n_pick(const pkm_motion* motion, double end)
{
    const int n = pkm_motion_events(motion, NULL, 0);
    pkm_motion_event* event = pkm_alloc((size_t)n + 1, sizeof *event);
    int picks = 0, drops = 0;
    if (!event) return 0;
    pkm_motion_events(motion, event, n);
    // events come in the order of their times
    for (int i = 0; i < n && event[i].t < end; ++i)
        ++*(event[i].is_pick ? &picks : &drops);
    pkm_free(event);
    return picks > drops ? picks : drops;
}

/// Is it in the hand just before event `i`? A payload that is dropped first is there from the
/// start.
static bool is_held(const pkm_motion_event* event, int n, int i)
{
    for (int k = i - 1; k >= 0; --k)
        if (strcmp(event[k].payload, event[i].payload) == 0) return event[k].is_pick;
    for (int k = 0; k < n; ++k)
        // its first event: a drop tells that it was held before
        if (strcmp(event[k].payload, event[i].payload) == 0) return !event[k].is_pick;
    return false;
}

static pkm_status check(const pkm_motion* m, const pkm_motion_event* event, int n, pkm_error* err)
{
    const double top = pkm_motion_top_speed(m);
    for (int i = 0; i < n; ++i) {
        const char* verb = event[i].is_pick ? "picked" : "dropped";
        double speed;
        if (is_held(event, n, i) == event[i].is_pick)
            return pkm_fail(err, PKM_ERR_ARGUMENT,
                            "%s: sequence: %s is %s at %.6g s, when it is %s already", m->name,
                            event[i].payload, verb, event[i].t, verb);
        if (pkm_motion_rests(m, event[i].t, top, &speed)) continue;
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "%s: sequence: %s is %s at %.6g s, when the motion has a speed of %.4g, "
                        "expected a stop%s",
                        m->name, event[i].payload, verb, event[i].t, speed,
                        m->shaper.n > 0 ? " longer than the shaper takes" : "");
    }
    return PKM_OK;
}

pkm_status pkm_motion_check_events(const pkm_motion* motion, pkm_error* err)
{
    const int n = pkm_motion_events(motion, NULL, 0);
    if (n == 0) return PKM_OK;
    pkm_motion_event* event = pkm_alloc((size_t)n, sizeof *event);
    if (!event) return PKM_ERR_MEMORY;
    pkm_motion_events(motion, event, n);
    const pkm_status status = check(motion, event, n, err);
    pkm_free(event);
    return status;
}
