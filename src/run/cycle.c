// Payloads that a sequence picks up and drops, joined with those of the run: when each is carried.
#include "base/error.h"
#include "motion/events.h"
#include "run/run_impl.h"

#include <math.h>
#include <string.h>

/// The payload called `name`: that of the run, else that of the motion, which the run then has,
/// too.
static pkm_status find_cargo(pkm_run* run, const pkm_desc_motion* motion, const char* name,
                             pkm_carried** out, pkm_error* err)
{
    pkm_effects* effects = &run->effects;
    for (int k = 0; k < effects->n_carried; ++k) {
        *out = &effects->carried[k];
        if (strcmp((*out)->name, name) == 0) return PKM_OK;
    }
    int k = 0;
    while (k < motion->n_payload && strcmp(motion->payload[k].name, name) != 0)
        ++k;
    if (k == motion->n_payload)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "motion %s picks or drops '%.60s', which nobody describes, expected "
                        "payload: {%.60s: {mass: ..., at: ...}} in the motion or in the run",
                        pkm_motion_name(motion->motion), name, name);
    const size_t n = (size_t)effects->n_carried;
    pkm_carried* all = pkm_arena_alloc(run->arena, n + 1, sizeof *all);
    if (!all) return pkm_out_of_memory(err);
    if (n > 0) memcpy(all, effects->carried, n * sizeof *all);
    const pkm_desc_payload* load = &motion->payload[k];
    all[n] = (pkm_carried){
        load->name, load->marker, {.pick_up = -HUGE_VAL, .drop = HUGE_VAL, .mass = load->mass}};
    effects->carried = all;
    ++effects->n_carried;
    *out = &all[n];
    return PKM_OK;
}

/// When the events of one payload are: picked, dropped, picked ...; one that is dropped first is
/// there from the start.
static pkm_status set_times(pkm_run* run, const pkm_motion_event* event, int n, const char* name,
                            pkm_payload* out, pkm_error* err)
{
    if (out->n_time == 0 && (out->pick_up > -HUGE_VAL || out->drop < HUGE_VAL))
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "payload %.60s: 'pick' and 'drop' are said by the motion, expected neither",
                        name);
    double* time = pkm_arena_alloc(run->arena, (size_t)n + 1, sizeof *time);
    if (!time) return pkm_out_of_memory(err);
    int used = 0;
    for (int i = 0; i < n; ++i) {
        if (strcmp(event[i].payload, name) != 0) continue;
        if (used == 0 && !event[i].is_pick) time[used++] = -HUGE_VAL;
        time[used++] = event[i].t;
    }
    out->time = time;
    out->n_time = used;
    return PKM_OK;
}

/// Is event `i` the first one of its payload?
static bool is_first(const pkm_motion_event* event, int i)
{
    for (int k = 0; k < i; ++k)
        if (strcmp(event[k].payload, event[i].payload) == 0) return false;
    return true;
}

pkm_status pkm_run_take_cycle(pkm_run* run, pkm_error* err)
{
    if (run->settings.motion == PKM_NONE) return PKM_OK;
    const pkm_desc_motion* motion = &run->robot->desc->motion[run->settings.motion];
    const int n = pkm_motion_events(motion->motion, NULL, 0);
    if (n == 0) return PKM_OK;
    pkm_motion_event* event = pkm_arena_alloc(run->arena, (size_t)n, sizeof *event);
    if (!event) return pkm_out_of_memory(err);
    pkm_motion_events(motion->motion, event, n);
    for (int i = 0; i < n; ++i) {
        pkm_carried* carried = NULL;
        if (!is_first(event, i)) continue;
        PKM_TRY(find_cargo(run, motion, event[i].payload, &carried, err));
        PKM_TRY(set_times(run, event, n, event[i].payload, &carried->payload, err));
    }
    return PKM_OK;
}
