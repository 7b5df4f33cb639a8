#include "fmu/component_impl.h"

#include <string.h>

/// Bytes of the instance, then of the simulation where there is one.
struct component_state {
    size_t size;
    unsigned char bytes[];
};

/// What of an instance changes, beside its simulation.
static void pass(component* c, pkm_memo* memo)
{
    pkm_memo_pass(memo, &c->phase, sizeof c->phase);
    pkm_memo_pass(memo, c->parameter, (size_t)c->n_parameter * sizeof *c->parameter);
    pkm_memo_pass(memo, c->is_set, (size_t)c->n_parameter * sizeof *c->is_set);
    pkm_memo_pass(memo, c->force, sizeof c->force);
    pkm_memo_pass(memo, c->position, sizeof c->position);
    pkm_memo_pass(memo, c->velocity, sizeof c->velocity);
    pkm_memo_pass(memo, c->acceleration, sizeof c->acceleration);
    pkm_memo_pass(memo, c->wrench, sizeof c->wrench);
    pkm_memo_pass(memo, c->signal, (size_t)c->n_signal * sizeof *c->signal);
    pkm_memo_pass(memo, &c->start, sizeof c->start);
    pkm_memo_pass(memo, &c->stop, sizeof c->stop);
    pkm_memo_pass(memo, &c->time, sizeof c->time);
}

static size_t own_size(component* c)
{
    pkm_memo memo = {.way = PKM_MEMO_COUNT};
    pass(c, &memo);
    return memo.used;
}

component_status component_save(component* c, component_state** out)
{
    pkm_error err = {.status = PKM_OK};
    *out = NULL;
    if (component_refresh(c) != COMPONENT_OK) return COMPONENT_ERROR;
    const size_t own = own_size(c), more = pkm_simulation_state_size(c->sim);
    component_state* state = pkm_alloc(1, sizeof *state + own + more);
    if (!state) return component_say(c, COMPONENT_ERROR, "logStatusError", "out of memory");
    state->size = own + more;
    pkm_memo memo = {.way = PKM_MEMO_SAVE, .bytes = state->bytes};
    if (c->sim && component_hand_over(c, &err) == PKM_OK)
        (void)!pkm_simulation_save(c->sim, state->bytes + own, more, &err);
    pass(c, &memo);
    if (err.status != PKM_OK) {
        pkm_free(state);
        return component_complain(c, &err);
    }
    *out = state;
    return COMPONENT_OK;
}

/// Take the instance's part of a state.
static void take(component* c, const unsigned char* bytes)
{
    pkm_memo memo = {.way = PKM_MEMO_RESTORE, .bytes = (unsigned char*)bytes};
    pass(c, &memo);
}

/// A state that has a simulation needs one made of its parameters.
static component_status match(component* c, const component_state* state)
{
    const bool has = state->size > own_size(c);
    component_end_simulation(c);
    take(c, state->bytes);
    const component_phase phase = c->phase;
    c->phase = INITIALISING;
    c->is_stale = has;
    if (component_refresh(c) != COMPONENT_OK) return COMPONENT_ERROR; // it has failed
    c->phase = phase;
    return COMPONENT_OK;
}

/// Has the instance a simulation made of the same parameters?
static bool fits(component* c, const component_state* state)
{
    const size_t size = (size_t)c->n_parameter * sizeof *c->parameter;
    return c->sim && state->size == own_size(c) + pkm_simulation_state_size(c->sim) &&
           memcmp(state->bytes + sizeof c->phase, c->parameter, size) == 0;
}

/// Is it of an FMU like this one, and of a phase that there is?
static bool is_ours(component* c, const component_state* state)
{
    component_phase phase;
    memcpy(&phase, state->bytes, sizeof phase);
    const bool is_phase = phase > 0 && phase <= FAILED && (phase & (phase - 1)) == 0;
    return state->size >= own_size(c) && is_phase;
}

component_status component_restore(component* c, const component_state* state)
{
    pkm_error err = {.status = PKM_OK};
    const size_t own = own_size(c);
    if (!is_ours(c, state))
        return component_say(c, COMPONENT_ERROR, "logStatusError", "the state is of another FMU");
    if (!fits(c, state) && match(c, state) != COMPONENT_OK) return COMPONENT_ERROR;
    if (c->sim &&
        pkm_simulation_restore(c->sim, state->bytes + own, state->size - own, &err) != PKM_OK)
        return component_complain(c, &err);
    take(c, state->bytes);
    c->is_stale = c->has_row = c->is_changed = false;
    return c->sim && c->is_exchange ? component_resume_exchange(c) : COMPONENT_OK;
}

void component_free_state(component_state* state)
{
    pkm_free(state);
}

size_t component_state_size(const component_state* state)
{
    return state->size;
}

void component_state_write(const component_state* state, void* bytes)
{
    memcpy(bytes, state->bytes, state->size);
}

component_status component_state_read(component* c, const void* bytes, size_t size,
                                      component_state** out)
{
    component_state* state = size < own_size(c) ? NULL : pkm_alloc(1, sizeof *state + size);
    *out = state;
    if (!state)
        return component_say(c, COMPONENT_ERROR, "logStatusError",
                             "the state is of another FMU, or there is no memory for it");
    state->size = size;
    memcpy(state->bytes, bytes, size);
    return COMPONENT_OK;
}
