#include "fmu/component_impl.h"

#include <math.h>

/// A value reference taken apart; false: there is no such variable.
static bool take_apart(const component* c, unsigned reference, pkm_reference_class* kind, int* at)
{
    const int n_of[PKM_N_REFERENCE] = {
        [PKM_REFERENCE_TIME] = 1,
        [PKM_REFERENCE_PARAMETER] = c->n_parameter,
        [PKM_REFERENCE_FORCE] = c->n_drive,
        [PKM_REFERENCE_POSITION] = c->references ? c->n_drive : 0,
        [PKM_REFERENCE_VELOCITY] = c->references ? c->n_drive : 0,
        [PKM_REFERENCE_ACCELERATION] = c->references ? c->n_drive : 0,
        [PKM_REFERENCE_WRENCH] = 6,
        [PKM_REFERENCE_SIGNAL] = c->n_signal,
        [PKM_REFERENCE_COLUMN] = c->sim ? c->n_column : PKM_REFERENCE_CLASS,
        [PKM_REFERENCE_STATE] = c->n_state,
        [PKM_REFERENCE_RATE] = c->n_state,
        [PKM_REFERENCE_INDICATOR] = c->is_exchange ? 1 : 0,
    };
    const unsigned class = reference / PKM_REFERENCE_CLASS;
    *at = (int)(reference % PKM_REFERENCE_CLASS);
    if (class >= PKM_N_REFERENCE || *at >= n_of[class]) return false;
    *kind = (pkm_reference_class) class;
    return true;
}

static component_status no_such(const component* c, unsigned reference)
{
    return component_say(c, COMPONENT_ERROR, "logStatusError",
                         "there is no variable of this type with the value reference %u",
                         reference);
}

/// Where the value of an input or a parameter is kept; NULL: it is neither.
static double* place_of(component* c, pkm_reference_class kind, int at)
{
    switch (kind) {
    case PKM_REFERENCE_PARAMETER:
        return &c->parameter[at];
    case PKM_REFERENCE_FORCE:
        return &c->force[at];
    case PKM_REFERENCE_POSITION:
        return &c->position[at];
    case PKM_REFERENCE_VELOCITY:
        return &c->velocity[at];
    case PKM_REFERENCE_ACCELERATION:
        return &c->acceleration[at];
    case PKM_REFERENCE_WRENCH:
        return &c->wrench[at];
    case PKM_REFERENCE_SIGNAL:
        return &c->signal[at];
    default:
        return NULL;
    }
}

/// Outputs are found when somebody asks for one, with the inputs of now.
static component_status find_outputs(component* c)
{
    pkm_error err = {.status = PKM_OK};
    if (component_refresh(c) != COMPONENT_OK) return COMPONENT_ERROR;
    if (!c->sim)
        return component_say(c, COMPONENT_ERROR, "logStatusError",
                             "outputs are known from initialisation mode on");
    if (c->is_exchange) {
        const component_status status = component_stand(c);
        if (status != COMPONENT_OK) return status;
    }
    if (c->has_row) return COMPONENT_OK;
    if (component_hand_over(c, &err) != PKM_OK ||
        pkm_simulation_read(c->sim, c->row, &err) != PKM_OK)
        return component_complain(c, &err);
    c->has_row = true;
    return COMPONENT_OK;
}

component_status component_get(component* c, unsigned reference, double* value)
{
    pkm_reference_class kind;
    int at;
    if (!take_apart(c, reference, &kind, &at)) return no_such(c, reference);
    const double* place = place_of(c, kind, at);
    if (place) {
        // parameters that follow from others are known when these are
        if (kind == PKM_REFERENCE_PARAMETER && component_refresh(c) != COMPONENT_OK)
            return COMPONENT_ERROR;
        *value = *place;
        return COMPONENT_OK;
    }
    if (kind == PKM_REFERENCE_TIME) {
        *value = c->time;
        return COMPONENT_OK;
    }
    if (kind != PKM_REFERENCE_COLUMN) return component_get_exchange(c, kind, at, value);
    const component_status status = find_outputs(c);
    if (status == COMPONENT_OK) *value = c->row[at];
    return status;
}

component_status component_get_warnings(component* c, unsigned reference, int* count)
{
    if (reference != PKM_REFERENCE_WARNING * PKM_REFERENCE_CLASS) return no_such(c, reference);
    *count = pkm_simulation_n_warning(c->sim);
    return COMPONENT_OK;
}

static component_status set_parameter(component* c, int at, double value)
{
    const char* name = pkm_robot_parameter_name(c->robot, at);
    if (!(c->phase & (AT_START | INITIALISING)))
        return component_say(c, COMPONENT_ERROR, "logStatusError",
                             "parameter %s: it is fixed after initialisation", name);
    if (pkm_robot_parameter_is_derived(c->robot, at))
        return component_say(c, COMPONENT_ERROR, "logStatusError",
                             "parameter %s: it follows from others", name);
    if (c->parameter[at] == value) return COMPONENT_OK;
    c->parameter[at] = value;
    c->is_set[at] = true;
    c->is_stale = c->phase == INITIALISING;
    return COMPONENT_OK;
}

component_status component_set(component* c, unsigned reference, double value)
{
    pkm_reference_class kind;
    int at;
    if (!take_apart(c, reference, &kind, &at)) return no_such(c, reference);
    if (!isfinite(value))
        return component_say(c, COMPONENT_ERROR, "logStatusError",
                             "value reference %u: %g, expected a finite number", reference, value);
    if (kind == PKM_REFERENCE_PARAMETER) return set_parameter(c, at, value);
    double* place = place_of(c, kind, at);
    if (!place)
        return component_say(c, COMPONENT_ERROR, "logStatusError",
                             "value reference %u: it is an output", reference);
    if (*place == value) return COMPONENT_OK;
    *place = value;
    c->is_changed = true;
    c->has_row = c->has_rate = false;
    return COMPONENT_OK;
}

// ---- directional derivatives ------------------------------------------------------------------

/// The unknowns, added to `out` times `weight`.
static component_status add_values(component* c, const unsigned* unknown, size_t n, double weight,
                                   double* out)
{
    for (size_t k = 0; k < n; ++k) {
        double value;
        const component_status status = component_get(c, unknown[k], &value);
        if (status != COMPONENT_OK) return status;
        out[k] += weight * value;
    }
    return COMPONENT_OK;
}

/// Central differences, with a step of cbrt(epsilon) of the size of the one that is moved, so that
/// a force of kilonewtons does not move an angle; errors are of (dx)^2 ~ 1e-11. Whatever happens,
/// the known has its value again.
static component_status add_derivative(component* c, const unsigned* unknown, size_t n_unknown,
                                       unsigned known, double seed, double* out)
{
    double from;
    component_status status = component_get(c, known, &from);
    if (status != COMPONENT_OK || seed == 0.0) return status;
    const double step = 6e-6 * fmax(fabs(from), 1.0);
    for (int side = -1; side <= 1 && status == COMPONENT_OK; side += 2) {
        status = component_put(c, known, from + side * step);
        if (status == COMPONENT_OK)
            status = add_values(c, unknown, n_unknown, side * seed / (2.0 * step), out);
    }
    const component_status back = component_put(c, known, from);
    return status == COMPONENT_OK ? back : status;
}

component_status component_derivative(component* c, const unsigned* unknown, size_t n_unknown,
                                      const unsigned* known, size_t n_known, const double* seed,
                                      double* out)
{
    component_status status = COMPONENT_OK;
    for (size_t i = 0; i < n_known; ++i)
        if (!isfinite(seed[i]))
            return component_say(c, COMPONENT_ERROR, "logStatusError",
                                 "derivative: a seed of %g, expected a finite number", seed[i]);
    for (size_t k = 0; k < n_unknown; ++k)
        out[k] = 0.0;
    for (size_t i = 0; i < n_known && status == COMPONENT_OK; ++i)
        status = add_derivative(c, unknown, n_unknown, known[i], seed[i], out);
    return status;
}
