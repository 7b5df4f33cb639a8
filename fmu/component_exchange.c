/// Model exchange: somebody else integrates.
#include "fmu/component_impl.h"

#include <math.h>
#include <string.h>

pkm_status component_begin_exchange(component* c, pkm_error* err)
{
    const char* at_export = pkm_seed_property(pkm_fmu_seed, "states");
    PKM_TRY(pkm_simulation_begin_ode(c->sim, err));
    c->n_state = pkm_simulation_ode_size(c->sim);
    if (!at_export || c->n_state != atoi(at_export))
        return pkm_fail(
            err, PKM_ERR_MODEL,
            "with these parameters the robot has %d states, at export it had %s: export "
            "it with them",
            c->n_state, at_export ? at_export : "none");
    c->x = pkm_alloc((size_t)c->n_state, sizeof *c->x);
    c->rate = pkm_alloc((size_t)c->n_state, sizeof *c->rate);
    if (!c->x || !c->rate) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    return pkm_simulation_ode_get(c->sim, c->x, NULL, err);
}

component_status component_resume_exchange(component* c)
{
    pkm_error err = {.status = PKM_OK};
    c->has_rate = c->is_moved = false;
    return pkm_simulation_ode_get(c->sim, c->x, NULL, &err) == PKM_OK ? COMPONENT_OK
                                                                      : component_complain(c, &err);
}

/// Something that the rates depend on has changed.
static void forget(component* c)
{
    c->has_rate = c->has_row = false;
}

component_status component_stand(component* c)
{
    pkm_error err = {.status = PKM_OK};
    if (component_refresh(c) != COMPONENT_OK) return COMPONENT_ERROR;
    if (component_hand_over(c, &err) != PKM_OK) return component_complain(c, &err);
    if (!c->is_moved) return COMPONENT_OK;
    if (pkm_simulation_ode_set(c->sim, c->time - c->start, c->x, &err) != PKM_OK) {
        // not there, but a shorter step may lead on
        component_say(c, COMPONENT_DISCARD, "logStatusDiscard", "%s", err.text);
        return COMPONENT_DISCARD;
    }
    c->is_moved = false;
    return COMPONENT_OK;
}

static component_status find_rates(component* c)
{
    pkm_error err = {.status = PKM_OK};
    const component_status status = component_stand(c);
    if (status != COMPONENT_OK || c->has_rate) return status;
    if (pkm_simulation_ode_rates(c->sim, c->rate, &err) != PKM_OK) {
        component_say(c, COMPONENT_DISCARD, "logStatusDiscard", "%s", err.text);
        return COMPONENT_DISCARD;
    }
    c->has_rate = true;
    return COMPONENT_OK;
}

component_status component_set_time(component* c, double t)
{
    if (!isfinite(t))
        return component_say(c, COMPONENT_ERROR, "logStatusError", "time: expected a finite one");
    c->is_moved = c->is_moved || t != c->time;
    c->time = t;
    forget(c);
    return COMPONENT_OK;
}

component_status component_set_states(component* c, const double* x, size_t n)
{
    if (n != (size_t)c->n_state)
        return component_say(c, COMPONENT_ERROR, "logStatusError", "%zu states, expected %d", n,
                             c->n_state);
    for (size_t i = 0; i < n; ++i)
        if (!isfinite(x[i]))
            return component_say(c, COMPONENT_ERROR, "logStatusError",
                                 "state %zu: %g, expected a finite number", i, x[i]);
    memcpy(c->x, x, n * sizeof *x);
    c->is_moved = true;
    forget(c);
    return COMPONENT_OK;
}

component_status component_get_states(component* c, double* x, size_t n)
{
    if (component_refresh(c) != COMPONENT_OK) return COMPONENT_ERROR;
    if (n != (size_t)c->n_state)
        return component_say(c, COMPONENT_ERROR, "logStatusError", "%zu states, expected %d", n,
                             c->n_state);
    memcpy(x, c->x, n * sizeof *x);
    return COMPONENT_OK;
}

component_status component_get_nominals(component* c, double* out, size_t n)
{
    pkm_error err = {.status = PKM_OK};
    if (component_refresh(c) != COMPONENT_OK) return COMPONENT_ERROR;
    if (n != (size_t)c->n_state)
        return component_say(c, COMPONENT_ERROR, "logStatusError", "%zu states, expected %d", n,
                             c->n_state);
    return pkm_simulation_ode_get(c->sim, NULL, out, &err) == PKM_OK ? COMPONENT_OK
                                                                     : component_complain(c, &err);
}

component_status component_get_rates(component* c, double* out, size_t n)
{
    if (n != (size_t)c->n_state)
        return component_say(c, COMPONENT_ERROR, "logStatusError", "%zu states, expected %d", n,
                             c->n_state);
    const component_status status = find_rates(c);
    if (status == COMPONENT_OK) memcpy(out, c->rate, n * sizeof *out);
    return status;
}

component_status component_get_indicator(component* c, double* out)
{
    pkm_error err = {.status = PKM_OK};
    const component_status status = component_stand(c);
    if (status != COMPONENT_OK) return status;
    return pkm_simulation_ode_indicator(c->sim, out, &err) == PKM_OK ? COMPONENT_OK
                                                                     : component_complain(c, &err);
}

component_status component_accept(component* c)
{
    pkm_error err = {.status = PKM_OK};
    const component_status status = component_stand(c);
    if (status != COMPONENT_OK) return status;
    return pkm_simulation_ode_accept(c->sim, &err) == PKM_OK ? COMPONENT_OK
                                                             : component_complain(c, &err);
}

component_status component_pass_event(component* c, bool* changed, double* next)
{
    pkm_error err = {.status = PKM_OK};
    const component_status status = component_stand(c);
    if (status != COMPONENT_OK) return status;
    forget(c);
    if (pkm_simulation_ode_event(c->sim, changed, next, &err) != PKM_OK ||
        pkm_simulation_ode_get(c->sim, c->x, NULL, &err) != PKM_OK)
        return component_complain(c, &err);
    *next += c->start;
    return COMPONENT_OK;
}

component_status component_get_exchange(component* c, pkm_reference_class kind, int at,
                                        double* value)
{
    if (component_refresh(c) != COMPONENT_OK) return COMPONENT_ERROR;
    if (!c->sim)
        return component_say(c, COMPONENT_ERROR, "logStatusError",
                             "states are known from initialisation mode on");
    if (kind == PKM_REFERENCE_INDICATOR) return component_get_indicator(c, value);
    if (kind == PKM_REFERENCE_STATE) {
        *value = c->x[at];
        return COMPONENT_OK;
    }
    const component_status status = find_rates(c);
    if (status == COMPONENT_OK) *value = c->rate[at];
    return status;
}

component_status component_put(component* c, unsigned reference, double value)
{
    const unsigned at = reference % PKM_REFERENCE_CLASS;
    if (reference / PKM_REFERENCE_CLASS != PKM_REFERENCE_STATE || at >= (unsigned)c->n_state)
        return component_set(c, reference, value);
    c->x[at] = value;
    c->is_moved = true;
    forget(c);
    return COMPONENT_OK;
}
